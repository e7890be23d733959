"""Who learns what of moves, scans and fire, exactly: the tables of the rule book."""

import pytest
from msgspec.structs import replace

from builders.learned import NO_ANSWERS, contact, declared, missed, moved, shot, tracked
from builders.perceived import ESCAPE, FOUR, HERE, LANDING, S1, TWO, Told, held, to_all, told
from builders.truths import A1, B1, A, B, C, D
from sunglare_protocol.geometry import Compass, Square, Vector
from sunglare_protocol.ids import Side
from sunglare_protocol.notices import (
    OwnDestroyed,
    OwnEscaped,
    OwnHit,
    OwnInScan,
    OwnSystemLost,
    OwnTracked,
    OwnTrackLost,
    RadarSeen,
    ScanAnswered,
    ShotSeen,
)
from sunglare_protocol.words.armament import WeaponKind
from sunglare_protocol.words.ladder import Fix
from sunglare_protocol.words.pieces import Arc
from sunglare_protocol.words.scans import Echo, ScanSize, ScanType, Signature
from sunglare_server.match.data.options import MatchOptions
from sunglare_server.match.events.space import (
    RadarGaveAway,
    ScanFinished,
    ShipDestroyed,
    ShipExamined,
    ShipLifted,
    ShooterExposed,
    SystemLost,
    TrackEnded,
)
from sunglare_server.match.facts.space import (
    Announced,
    Coasted,
    Exposed,
    Followed,
    Left,
    Located,
    Lost,
    OwnTold,
    Recognised,
    ScanReported,
    SeenDestroyed,
    SeenLanding,
    ShotReported,
    Sighted,
    Tracked,
)
from sunglare_server.match.ids import PieceId
from sunglare_server.match.truth.truth import Truth

FOLLOWED = Followed(piece=A1, square=Square(11, 9), vector=Vector(1, -1), facing=Compass.NE)
NOT_EXPOSED = Exposed(ship=S1, side=B, fix=None)
TRACK_OVER = [NOT_EXPOSED, OwnTold(notice=OwnTrackLost(ship=S1, side=B))]
SIGHTED = Sighted(piece=A1, square=HERE, signatures=("visual_hull",))
TRACK = Tracked(piece=A1, square=HERE, vector=Vector(0, 0), facing=Compass.N, size=Echo.MEDIUM)
AGAIN = Followed(piece=A1, square=HERE, vector=Vector(0, 0), facing=Compass.N)


# Movement: sensors §6, rows 9 and 10; turn §5.


@pytest.mark.parametrize(
    ("truth", "expected"),
    [
        (TWO, {}),
        (held(Fix.TRACKED), {"B": [FOLLOWED], "public": [FOLLOWED]}),
        (held(Fix.COASTING), {}),
        (held(Fix.TRACKED, C, FOUR), {"C": [FOLLOWED]}),
        (held(Fix.COASTING, C, held(Fix.TRACKED, B, FOUR)), {"B": [FOLLOWED]}),
    ],
    ids=["unheld", "tracked", "coasting", "tracked by one of four", "coasting for another"],
)
def test_a_move_is_told_to_live_tracks_and_with_two_sides_in_public(
    truth: Truth, expected: Told
) -> None:
    assert told(truth, moved(A1)) == expected


def test_a_lift_off_is_told_like_a_move() -> None:
    lift = ShipLifted(piece=A1, square=Square(15, 11), facing=Compass.N, thrust_spent=1)
    fact = Followed(piece=A1, square=Square(15, 11), vector=Vector(0, 0), facing=Compass.N)
    assert told(held(Fix.TRACKED), lift) == {"B": [fact], "public": [fact]}
    assert told(held(Fix.TRACKED, B, FOUR), lift) == {"B": [fact]}
    assert told(held(Fix.COASTING), lift) == {}


SEEN_DOWN = SeenLanding(piece=A1, body="Ceres", sector=Compass.N)


@pytest.mark.parametrize(
    ("truth", "expected"),
    [
        (TWO, {}),
        (held(Fix.TRACKED), {"A": TRACK_OVER, "B": [SEEN_DOWN], "public": [SEEN_DOWN]}),
        (held(Fix.TRACKED, B, FOUR), {"A": TRACK_OVER, "B": [SEEN_DOWN]}),
        (held(Fix.COASTING), {}),
    ],
    ids=["unheld", "tracked", "tracked by one of four", "coasting"],
)
def test_a_landing_shows_body_and_sector_to_live_tracks_and_ends_them(
    truth: Truth, expected: Told
) -> None:
    assert told(truth, LANDING) == expected


GONE = OwnTold(notice=OwnEscaped(ship=S1, edge=Compass.E))


@pytest.mark.parametrize(
    ("truth", "expected"),
    [
        (TWO, {"A": [GONE]}),
        (held(Fix.TRACKED), {"A": [GONE], "B": [Left(piece=A1)], "public": [Left(piece=A1)]}),
        (held(Fix.TRACKED, D, FOUR), {"A": [GONE], "D": [Left(piece=A1)]}),
        (held(Fix.COASTING), {"A": [GONE]}),
    ],
    ids=["unheld", "tracked", "tracked by one of four", "coasting"],
)
def test_who_leaves_the_map_is_told_to_owner_and_live_tracks_alone(
    truth: Truth, expected: Told
) -> None:
    assert told(truth, ESCAPE) == expected


# Scans: sensors §6, rows 1 to 8.

ANSWERED = Announced(
    notice=ScanAnswered(
        side=A,
        type=ScanType.VISUAL,
        size=ScanSize.BOX,
        at="C2",
        strength=1,
        effective=1,
        answers=NO_ANSWERS,
    )
)


@pytest.mark.parametrize(("truth", "sides"), [(TWO, "AB"), (FOUR, "ABCD")], ids=["two", "four"])
def test_a_declared_scan_and_its_answers_are_told_to_all_without_the_ship(
    truth: Truth, sides: str
) -> None:
    assert told(truth, declared(A1)) == to_all(ANSWERED, sides)


@pytest.mark.parametrize("signal", [None, -3, 2])
@pytest.mark.parametrize("truth", [TWO, FOUR], ids=["two", "four"])
def test_that_a_ship_lay_in_a_scan_is_told_to_its_owner_alone(
    truth: Truth, signal: int | None
) -> None:
    names = (Signature.VISUAL_HULL,) if signal == 2 else ()
    event = ShipExamined(piece=A1, side=B, signal=signal, signatures=names)
    notice = OwnInScan(
        ship=S1, side=B, signal=signal, signatures=("visual_hull",) if names else ()
    )
    assert told(truth, event) == {"A": [OwnTold(notice=notice)]}


def shown(fix: Fix) -> Exposed:
    return Exposed(ship=S1, side=B, fix=fix)


@pytest.mark.parametrize(
    ("truth", "expected"),
    [
        (TWO, {"A": [shown(Fix.CONTACT)], "B": [SIGHTED], "public": [SIGHTED]}),
        (FOUR, {"A": [shown(Fix.CONTACT)], "B": [SIGHTED]}),
        (held(Fix.TRACKED), {"A": [shown(Fix.TRACKED)], "B": [SIGHTED], "public": [SIGHTED]}),
        (
            held(Fix.COASTING),
            {"A": [shown(Fix.TRACKED)], "B": [SIGHTED, AGAIN], "public": [SIGHTED, AGAIN]},
        ),
        (held(Fix.COASTING, B, FOUR), {"A": [shown(Fix.TRACKED)], "B": [SIGHTED, AGAIN]}),
    ],
    ids=["two sides", "four sides", "tracked", "coasting", "coasting, four sides"],
)
def test_a_contact_is_square_and_names_for_the_scanner_and_no_third_side(
    truth: Truth, expected: Told
) -> None:
    assert told(truth, contact(A1, B)) == expected


def test_the_option_contact_values_adds_the_signal_for_the_scanner_alone() -> None:
    values = MatchOptions(contact_values="yes")
    assert told(TWO, contact(A1, B, signal=3), values) == {
        "A": [shown(Fix.CONTACT)],
        "B": [replace(SIGHTED, signal=3)],
        "public": [SIGHTED],
    }


TRACKED_NOW = [shown(Fix.TRACKED), OwnTold(notice=OwnTracked(ship=S1, side=B))]


@pytest.mark.parametrize(
    ("truth", "expected"),
    [
        (TWO, {"A": TRACKED_NOW, "B": [TRACK], "public": [TRACK]}),
        (FOUR, {"A": TRACKED_NOW, "B": [TRACK]}),
    ],
    ids=["two sides", "four sides"],
)
def test_a_track_is_square_vector_facing_and_size_and_the_owner_is_told(
    truth: Truth, expected: Told
) -> None:
    assert told(truth, tracked(A1, B)) == expected


RADAR = Announced(notice=RadarSeen(square=HERE))
BY_RADAR = Sighted(piece=A1, square=HERE, signatures=("radar",))


@pytest.mark.parametrize(("truth", "others"), [(TWO, "B"), (FOUR, "BCD")], ids=["two", "four"])
def test_a_radar_ship_is_a_contact_for_all_other_sides_and_its_square_is_public(
    truth: Truth, others: str
) -> None:
    found = told(truth, RadarGaveAway(piece=A1))
    assert {side: found[side] for side in others} == {side: [RADAR, BY_RADAR] for side in others}
    exposures = [Exposed(ship=S1, side=Side(side), fix=Fix.CONTACT) for side in others]
    assert found["A"] == [RADAR, *exposures]
    # With two sides the public hears of contacts as well, for owner and holder know of it.
    assert found["public"] in ([RADAR], [RADAR, BY_RADAR] if truth is TWO else [RADAR])


def test_a_radar_ship_that_coasted_is_live_again() -> None:
    found = told(held(Fix.COASTING), RadarGaveAway(piece=A1))
    assert found["B"] == [RADAR, BY_RADAR, AGAIN]
    assert found["A"] == [RADAR, shown(Fix.TRACKED)]


@pytest.mark.parametrize("truth", [TWO, FOUR], ids=["two", "four"])
@pytest.mark.parametrize("found", [(), (B1,)], ids=["nothing", "one"])
def test_the_result_of_a_scan_goes_to_its_side_alone(
    truth: Truth, found: tuple[PieceId, ...]
) -> None:
    event = ScanFinished(piece=A1, found=found, tracked=(), roll=7 if found else None)
    report = ScanReported(ship=S1, found=found, tracked=(), roll=7 if found else None)
    assert told(truth, event) == {"A": [report]}


def test_that_a_track_coasts_is_told_to_its_holder_alone() -> None:
    for truth in (held(Fix.TRACKED), held(Fix.TRACKED, B, FOUR)):
        assert told(truth, missed(A1, B)) == {"B": [Coasted(piece=A1)]}


def test_the_second_miss_is_told_with_the_loss_and_not_before() -> None:
    assert told(held(Fix.COASTING), missed(A1, B, 2)) == {}


@pytest.mark.parametrize(
    ("truth", "expected"),
    [
        (held(Fix.COASTING), {"A": TRACK_OVER, "B": [Lost(piece=A1)], "public": [Lost(piece=A1)]}),
        (held(Fix.COASTING, B, FOUR), {"A": TRACK_OVER, "B": [Lost(piece=A1)]}),
    ],
    ids=["two sides", "four sides"],
)
def test_a_lost_track_is_told_to_holder_and_owner(truth: Truth, expected: Told) -> None:
    assert told(truth, TrackEnded(piece=A1, side=B)) == expected


# Fire: turn §6.


@pytest.mark.parametrize("truth", [TWO, FOUR], ids=["two", "four"])
@pytest.mark.parametrize("damage", [0, 3])
def test_a_shot_tells_its_own_dice_to_the_shooter_and_the_damage_to_the_target(
    truth: Truth, damage: int
) -> None:
    report = ShotReported(
        ship=S1, weapon="B1", target=B1, damage=damage, dice=(5, 4), arc=Arc.FULL_FRONT
    )
    hit = OwnHit(ship=S1, weapon=WeaponKind.BEAM, damage=damage)
    assert told(truth, shot(A1, B1, damage)) == {"A": [report], "B": [OwnTold(notice=hit)]}


SHOT = Announced(notice=ShotSeen(square=HERE))
AT = Located(piece=A1, square=HERE)
KNOWN = Recognised(piece=A1, square=HERE, side=A, type="frigate")


@pytest.mark.parametrize(
    ("truth", "witnesses", "expected"),
    [
        (TWO, (B,), {"A": [SHOT], "B": [SHOT, KNOWN], "public": [SHOT]}),
        (
            FOUR,
            (B, D),
            {
                "A": [SHOT],
                "B": [SHOT, KNOWN],
                "C": [SHOT, AT],
                "D": [SHOT, KNOWN],
                "public": [SHOT],
            },
        ),
    ],
    ids=["two sides", "four sides"],
)
def test_a_shot_shows_its_square_to_all_and_side_and_type_to_witnesses(
    truth: Truth, witnesses: tuple[Side, ...], expected: Told
) -> None:
    assert told(truth, ShooterExposed(piece=A1, witnesses=witnesses)) == expected


@pytest.mark.parametrize("truth", [held(Fix.TRACKED), held(Fix.TRACKED, B, FOUR)])
def test_a_lost_system_is_told_to_the_owner_alone(truth: Truth) -> None:
    event = SystemLost(piece=A1, system="drive", die=6, needed=6)
    notice = OwnSystemLost(ship=S1, system="drive")
    assert told(truth, event) == {"A": [OwnTold(notice=notice)]}


DEAD = OwnTold(notice=OwnDestroyed(ship=S1, cause="fire"))
SEEN_DEAD = SeenDestroyed(piece=A1)


@pytest.mark.parametrize(
    ("truth", "killers", "expected"),
    [
        (TWO, (), {"A": [DEAD]}),
        (held(Fix.CONTACT), (B,), {"A": [DEAD], "B": [SEEN_DEAD], "public": [SEEN_DEAD]}),
        (held(Fix.TRACKED), (), {"A": [DEAD], "B": [SEEN_DEAD], "public": [SEEN_DEAD]}),
        (held(Fix.COASTING), (), {"A": [DEAD]}),
        (FOUR, (), {"A": [DEAD]}),
        (
            held(Fix.TRACKED, C, held(Fix.CONTACT, B, FOUR)),
            (B,),
            {"A": [DEAD], "B": [SEEN_DEAD], "C": [SEEN_DEAD]},
        ),
    ],
    ids=["unheld", "contact", "tracked", "coasting", "four sides", "two holders of four"],
)
def test_a_destroyed_ship_is_told_to_owner_killers_and_holders_and_nobody_else(
    truth: Truth, killers: tuple[Side, ...], expected: Told
) -> None:
    event = ShipDestroyed(piece=A1, cause="fire", killers=killers)
    assert told(truth, event) == expected


def test_a_killer_that_holds_nothing_is_told_once() -> None:
    event = ShipDestroyed(piece=A1, cause="fire", killers=(D,))
    assert told(FOUR, event) == {"A": [DEAD], "D": [SEEN_DEAD]}
