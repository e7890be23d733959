"""Who learns what of each event, exactly: the tables of the rule book, event by audience."""

import pytest
from msgspec.structs import replace

from sunglare_protocol.armament import WeaponKind
from sunglare_protocol.geometry import Compass, Landing, Square, Vector
from sunglare_protocol.ids import OMNI, PUBLIC, OwnId, Side
from sunglare_protocol.ladder import Fate, Fix
from sunglare_protocol.notices import (
    ContactDestroyed,
    ContactLanded,
    ContactLeft,
    ContactSeen,
    InitiativeDrawn,
    OwnDestroyed,
    OwnEscaped,
    OwnHit,
    OwnInScan,
    OwnSystemLost,
    OwnTracked,
    OwnTrackLost,
    RadarSeen,
    ScanAnswered,
    ScanResult,
    ShooterKnown,
    ShotResult,
    ShotSeen,
    SideOut,
    TrackCoasts,
    TrackGained,
    TrackLost,
)
from sunglare_protocol.scanwords import Echo, ScanSize, ScanType, Signature
from sunglare_server.match.events import (
    DamageTaken,
    Event,
    InitiativeRolled,
    PointsScored,
    PowerSwitched,
    RadarGaveAway,
    ScanFinished,
    SensorsSwitched,
    ShipDeployed,
    ShipDestroyed,
    ShipEscaped,
    ShipExamined,
    ShipLanded,
    ShipLifted,
    ShooterExposed,
    SideWentOut,
    SystemLost,
    TrackEnded,
    TurnEnded,
    TurretRotated,
)
from sunglare_server.match.facts import (
    Announced,
    Coasted,
    ContactsFaded,
    Exposed,
    Fact,
    Followed,
    Left,
    Located,
    Lost,
    OwnTold,
    Recognised,
    ScanReported,
    Scored,
    SeenDestroyed,
    SeenLanding,
    ShotReported,
    Sighted,
    Tracked,
    TruthTold,
)
from sunglare_server.match.flow import Flow
from sunglare_server.match.ids import PieceId
from sunglare_server.match.options import MatchOptions
from sunglare_server.match.truth import Truth
from truthrigs import (
    A1,
    B1,
    BOARD,
    LANDED,
    NO_ANSWERS,
    A,
    B,
    C,
    D,
    contact,
    declared,
    flow_of,
    granted,
    holding,
    in_other_order,
    intel_of,
    missed,
    moved,
    ship,
    shot,
    tracked,
    truth_of,
)

S1 = OwnId("S1")
HERE = Square(10, 10)

TWO = truth_of(ship(A), ship(B, at=(12, 10)), board=BOARD)
FOUR = truth_of(
    ship(A), ship(B, at=(12, 10)), ship(C, at=(30, 10)), ship(D, at=(5, 30)), board=BOARD
)

Told = dict[str, list[Fact]]


def told(truth: Truth, event: Event, options: MatchOptions | None = None) -> Told:
    """Return what each audience but `omni` learns of an event to `truth`."""
    found: Told = {}
    for grant in granted(truth, event, options):
        if grant.audience != OMNI:
            found.setdefault(grant.audience, []).append(grant.fact)
    return found


def everybody(fact: Fact, sides: str) -> Told:
    return {audience: [fact] for audience in (*sides, PUBLIC)}


def to_all(notice: Announced, sides: str) -> Told:
    return everybody(notice, sides)


FOLLOWED = Followed(piece=A1, square=Square(11, 9), vector=Vector(1, -1), facing=Compass.NE)
NOT_EXPOSED = Exposed(ship=S1, side=B, fix=None)
TRACK_OVER = [NOT_EXPOSED, OwnTold(notice=OwnTrackLost(ship=S1, side=B))]
SIGHTED = Sighted(piece=A1, square=HERE, signatures=("visual_hull",))
TRACK = Tracked(piece=A1, square=HERE, vector=Vector(0, 0), facing=Compass.N, size=Echo.MEDIUM)
AGAIN = Followed(piece=A1, square=HERE, vector=Vector(0, 0), facing=Compass.N)


def held(fix: Fix, by: Side = B, truth: Truth = TWO) -> Truth:
    return holding(truth, by, A1, fix)


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


LANDING = ShipLanded(piece=A1, landing=LANDED, square=Square(15, 11), thrust_spent=1)
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


ESCAPE = ShipEscaped(piece=A1, edge=Compass.E)
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
        (
            held(Fix.TRACKED),
            {"A": [shown(Fix.TRACKED)], "B": [SIGHTED], "public": [SIGHTED]},
        ),
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
        (
            held(Fix.COASTING),
            {"A": TRACK_OVER, "B": [Lost(piece=A1)], "public": [Lost(piece=A1)]},
        ),
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
    report = ShotReported(ship=S1, weapon="B1", target=B1, damage=damage, dice=(5, 4))
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


# The turn: turn §4, §8, §9.


@pytest.mark.parametrize(("truth", "sides"), [(TWO, "AB"), (FOUR, "ABCD")], ids=["two", "four"])
def test_the_order_of_initiative_is_told_to_all_and_totals_to_nobody(
    truth: Truth, sides: str
) -> None:
    event = InitiativeRolled(turn=1, order=(B, A), totals={A: 4, B: 9})
    assert told(truth, event) == to_all(Announced(notice=InitiativeDrawn(order=(B, A))), sides)


def test_a_side_that_is_out_is_announced_to_all() -> None:
    announced = Announced(notice=SideOut(side=C))
    assert told(FOUR, SideWentOut(side=C)) == to_all(announced, "ABCD")


@pytest.mark.parametrize(
    ("known", "expected"), [(True, {"A": [Scored(points=4)]}), (False, {})], ids=["known", "not"]
)
def test_points_are_told_to_their_side_if_they_follow_from_what_it_knows(
    known: bool, expected: Told
) -> None:
    event = PointsScored(side=A, points=4, why="destroy", is_known=known)
    assert told(FOUR, event) == expected


def test_the_end_of_a_turn_is_told_to_all() -> None:
    assert told(FOUR, TurnEnded(turn=3)) == everybody(ContactsFaded(turn=3), "ABCD")


@pytest.mark.parametrize(
    "event",
    [
        ShipDeployed(piece=A1, square=HERE, vector=Vector(0, 0), facing=Compass.N, landing=None),
        PowerSwitched(piece=A1, powered=False, starting=False),
        SensorsSwitched(piece=A1, out=True),
        TurretRotated(piece=A1, turret="T1", arcs=()),
        DamageTaken(piece=A1, damage=3),
    ],
    ids=lambda event: type(event).__name__,
)
def test_switches_and_damage_tell_nobody_anything(event: Event) -> None:
    assert granted(held(Fix.TRACKED), event) == []


def test_only_omni_is_told_the_truth_and_nobody_else() -> None:
    events = (moved(A1), contact(A1, B), tracked(A1, B), shot(A1, B1), ESCAPE, LANDING)
    for event in events:
        for grant in granted(held(Fix.TRACKED), event):
            assert isinstance(grant.fact, TruthTold) is (grant.audience == OMNI)


# What a side holds: turn §3, sensors §6, server rule 2.


def gained(truth: Truth = TWO) -> Flow:
    """Return a flow in which B has contacted and tracked A's ship in turn 1."""
    flow = flow_of(truth)
    flow.run([contact(A1, B)])
    flow.run([tracked(A1, B)])
    return flow


def end_turn(flow: Flow, turn: int) -> None:
    flow.run([TurnEnded(turn=turn)])
    flow.run([InitiativeRolled(turn=turn + 1, order=(A, B), totals={A: 9, B: 4})])


def handle_of(flow: Flow, side: str, piece: PieceId = A1) -> str:
    return intel_of(flow, side).held[piece].handle


def test_two_scans_of_a_turn_show_the_same_handle_and_both_sets_of_signatures() -> None:
    flow = flow_of(TWO)
    flow.run([contact(A1, B)])
    first = handle_of(flow, "B")
    flow.run([contact(A1, B, Signature.MASS_HULL)])
    assert handle_of(flow, "B") == first
    assert intel_of(flow, "B").held[A1].signatures == ("visual_hull", "mass_hull")


def test_a_contact_raised_to_a_track_keeps_its_handle() -> None:
    flow = flow_of(TWO)
    flow.run([contact(A1, B)])
    first = handle_of(flow, "B")
    flow.run([contact(A1, B), tracked(A1, B)])
    held_now = intel_of(flow, "B").held[A1]
    assert (held_now.handle, held_now.fix, held_now.size) == (first, Fix.TRACKED, Echo.MEDIUM)


def test_a_contact_dies_at_the_end_of_its_turn_and_the_next_is_a_new_handle() -> None:
    flow = flow_of(TWO)
    flow.run([contact(A1, B)])
    first = intel_of(flow, "B").held[A1]
    end_turn(flow, 1)
    assert intel_of(flow, "B").held == {}
    [marker] = intel_of(flow, "B").markers
    assert (marker.label, marker.square, marker.turn) == (first.label, HERE, 1)
    assert marker.signatures == ("visual_hull",)
    flow.run([contact(A1, B)])
    second = intel_of(flow, "B").held[A1]
    assert second.handle != first.handle
    assert (first.label, second.label) == ("C1", "C2")
    assert second.turn == 2


def test_a_track_lives_on_over_turns_with_its_handle() -> None:
    flow = gained()
    first = handle_of(flow, "B")
    end_turn(flow, 1)
    flow.run([moved(A1)])
    held_now = intel_of(flow, "B").held[A1]
    assert (held_now.handle, held_now.fix) == (first, Fix.TRACKED)
    assert (held_now.square, held_now.vector, held_now.facing, held_now.turn) == (
        Square(11, 9),
        Vector(1, -1),
        Compass.NE,
        2,
    )


def test_signatures_of_an_earlier_turn_do_not_pile_up_on_a_track() -> None:
    flow = gained()
    end_turn(flow, 1)
    flow.run([moved(A1)])
    flow.run([contact(A1, B, Signature.MASS_HULL)])
    assert intel_of(flow, "B").held[A1].signatures == ("mass_hull",)


def coasting() -> Flow:
    """Return a flow at the end of turn 2, in which B has missed A's ship once."""
    flow = gained()
    end_turn(flow, 1)
    flow.run([moved(A1)])
    flow.run([missed(A1, B)])
    end_turn(flow, 2)
    return flow


def test_a_coasting_track_is_frozen_at_the_last_square_shown() -> None:
    flow = coasting()
    before = intel_of(flow, "B").held[A1]
    flow.run([moved(A1, (20, 20))])
    after = intel_of(flow, "B").held[A1]
    assert before == after
    assert (after.fix, after.square, after.turn) == (Fix.COASTING, Square(11, 9), 2)


def test_a_coasting_track_that_is_found_is_live_again_under_its_handle() -> None:
    flow = coasting()
    first = handle_of(flow, "B")
    flow.run([moved(A1, (20, 20))])
    flow.run([contact(A1, B)])
    found = intel_of(flow, "B").held[A1]
    assert (found.handle, found.fix, found.square) == (first, Fix.TRACKED, Square(20, 20))


def test_a_lost_track_leaves_a_marker_with_its_last_square_and_vector_and_turn() -> None:
    flow = coasting()
    flow.run([moved(A1, (20, 20))])
    flow.run([missed(A1, B, 2)])
    assert A1 in intel_of(flow, "B").held
    flow.run([TrackEnded(piece=A1, side=B)])
    assert intel_of(flow, "B").held == {}
    marker = intel_of(flow, "B").markers[-1]
    assert (marker.square, marker.vector, marker.turn) == (Square(11, 9), Vector(1, -1), 2)
    assert marker.size is Echo.MEDIUM


@pytest.mark.parametrize(
    "event",
    [ESCAPE, ShipDestroyed(piece=A1, cause="crash", killers=()), LANDING],
    ids=["escapes", "crashes", "lands"],
)
def test_a_coasting_track_is_not_told_how_the_ship_went_and_is_lost_in_its_own_time(
    event: Event,
) -> None:
    gone, stays = coasting(), coasting()
    gone.run([event])
    stays.run([moved(A1)])
    for flow in (gone, stays):
        flow.run([missed(A1, B, 2)])
        flow.run([TrackEnded(piece=A1, side=B)])
    assert intel_of(gone, "B") == intel_of(stays, "B")
    assert intel_of(gone, PUBLIC) == intel_of(stays, PUBLIC)


@pytest.mark.parametrize(
    ("event", "fate", "landing"),
    [
        (ESCAPE, Fate.ESCAPED, None),
        (ShipDestroyed(piece=A1, cause="fire", killers=(B,)), Fate.DESTROYED, None),
        (LANDING, Fate.IN_PLAY, Landing(body="Ceres", sector=Compass.N)),
    ],
    ids=["escapes", "is destroyed", "lands"],
)
def test_a_live_track_that_ends_in_sight_is_a_marker_that_says_how(
    event: Event, fate: Fate, landing: Landing | None
) -> None:
    flow = gained()
    flow.run([event])
    assert intel_of(flow, "B").held == {}
    [marker] = intel_of(flow, "B").markers
    assert (marker.fate, marker.landing) == (fate, landing)
    assert (marker.label, marker.size) == ("C1", Echo.MEDIUM)


def test_exposed_follows_what_the_owner_was_told() -> None:
    flow = flow_of(TWO)
    seen = []
    for events in ([contact(A1, B)], [tracked(A1, B)], [missed(A1, B)]):
        flow.run(events)
        seen.append(intel_of(flow, "A").exposed[S1])
    flow.run([TrackEnded(piece=A1, side=B)])
    seen.append(intel_of(flow, "A").exposed[S1])
    # That the track coasts is not told to the owner.
    assert seen == [{B: Fix.CONTACT}, {B: Fix.TRACKED}, {B: Fix.TRACKED}, {}]


def test_an_owner_is_no_longer_exposed_by_a_contact_when_the_turn_is_over() -> None:
    flow = flow_of(TWO)
    flow.run([contact(A1, B)])
    end_turn(flow, 1)
    assert intel_of(flow, "A").exposed[S1] == {}


def test_a_ship_found_only_by_its_radar_can_be_fired_on_and_destroyed() -> None:
    flow = flow_of(TWO)
    flow.run([RadarGaveAway(piece=A1)])
    flow.run([shot(B1, A1, 16), ShooterExposed(piece=B1, witnesses=(A,))])
    flow.run([ShipDestroyed(piece=A1, cause="fire", killers=(B,))])
    assert intel_of(flow, "B").held == {}
    assert [each.fate for each in intel_of(flow, "B").markers] == [Fate.DESTROYED]


def test_a_shot_is_shown_on_the_handle_of_a_shooter_that_is_held() -> None:
    flow = gained()
    flow.run([ShooterExposed(piece=A1, witnesses=(B,))])
    held_now = intel_of(flow, "B").held[A1]
    assert (held_now.side, held_now.type) == (A, "frigate")
    assert intel_of(flow, "B").markers == ()


def test_the_shot_of_an_unheld_ship_is_a_marker_of_this_turn_without_a_handle() -> None:
    flow = flow_of(FOUR)
    flow.run([ShooterExposed(piece=A1, witnesses=(B,))])
    [witness], [other] = intel_of(flow, "B").markers, intel_of(flow, "C").markers
    assert (witness.square, witness.turn, witness.side, witness.type) == (HERE, 1, A, "frigate")
    assert (other.square, other.turn, other.side, other.type) == (HERE, 1, None, None)
    assert intel_of(flow, "B").held == {}
    assert intel_of(flow, "B").handles == 0


def test_that_a_coasting_ship_fired_is_not_told_of_its_handle() -> None:
    flow = coasting()
    flow.run([moved(A1, (20, 20))])
    flow.run([ShooterExposed(piece=A1, witnesses=(B,))])
    assert intel_of(flow, "B").held[A1].square == Square(11, 9)
    assert intel_of(flow, "B").held[A1].type is None
    assert intel_of(flow, "B").markers[-1].square == Square(20, 20)


def test_identity_stays_with_the_handle_and_a_new_handle_is_a_blip_again() -> None:
    flow = flow_of(TWO)
    flow.run([contact(A1, B)])
    flow.run([ShooterExposed(piece=A1, witnesses=(B,))])
    end_turn(flow, 1)
    assert [each.type for each in intel_of(flow, "B").markers] == ["frigate"]
    flow.run([contact(A1, B)])
    assert intel_of(flow, "B").held[A1].type is None


# Notices.


def test_each_side_is_told_by_its_own_notices() -> None:
    flow = flow_of(TWO)
    flow.run([contact(A1, B), ScanFinished(piece=B1, found=(A1,), tracked=(), roll=3)])
    held_now = intel_of(flow, "B").held[A1]
    assert intel_of(flow, "B").told == (
        ContactSeen(handle=held_now.handle, label="C1", square=HERE, signatures=("visual_hull",)),
        ScanResult(ship=S1, found=(held_now.handle,), roll=3),
    )
    flow.run([tracked(A1, B)])
    assert intel_of(flow, "B").told[-1] == TrackGained(
        handle=held_now.handle, label="C1", square=HERE
    )
    assert intel_of(flow, "A").told == (OwnTracked(ship=S1, side=B),)
    flow.run([shot(B1, A1)])
    assert intel_of(flow, "B").told[-1] == ShotResult(
        ship=S1, weapon="B1", at=held_now.handle, damage=2, dice=(5, 4)
    )
    flow.run([ShooterExposed(piece=A1, witnesses=(B,))])
    assert intel_of(flow, "B").told[-1] == ShooterKnown(
        label="C1", square=HERE, side=A, type="frigate"
    )
    flow.run([missed(A1, B)])
    assert intel_of(flow, "B").told[-1] == TrackCoasts(handle=held_now.handle, label="C1")
    flow.run([TrackEnded(piece=A1, side=B)])
    assert intel_of(flow, "B").told[-1] == TrackLost(label="C1")


@pytest.mark.parametrize(
    ("event", "notice"),
    [
        (ESCAPE, ContactLeft(label="C1")),
        (ShipDestroyed(piece=A1, cause="fire", killers=()), ContactDestroyed(label="C1")),
        (LANDING, ContactLanded(label="C1", body="Ceres", sector=Compass.N)),
    ],
    ids=["escapes", "is destroyed", "lands"],
)
def test_the_end_of_a_live_track_is_told_by_its_label(event: Event, notice: object) -> None:
    flow = gained()
    flow.run([event])
    assert intel_of(flow, "B").told[-1] == notice
    assert intel_of(flow, PUBLIC).told[-1] == notice


def test_the_public_record_of_a_turn_is_cleared_with_it() -> None:
    flow = flow_of(TWO)
    flow.run([declared(A1)])
    flow.run([RadarGaveAway(piece=A1)])
    for audience in ("A", "B", PUBLIC, OMNI):
        kinds = [type(each) for each in intel_of(flow, audience).record]
        assert kinds == [ScanAnswered, RadarSeen]
    flow.run([TurnEnded(turn=1)])
    assert all(intel_of(flow, each).record == () for each in ("A", "B", PUBLIC, OMNI))


# Order: nothing hidden orders anything.

FLEET = truth_of(
    ship(B, at=(1, 1)),
    ship(A, 1, (12, 3)),
    ship(A, 2, (3, 9)),
    ship(A, 3, (3, 4)),
    ship(A, 4, (20, 1)),
)
FOUND = [contact(PieceId(f"A/S{number}"), B) for number in (1, 2, 3, 4)]


def test_labels_follow_the_squares_of_the_contacts() -> None:
    flow = flow_of(FLEET)
    flow.run(FOUND)
    held_now = intel_of(flow, "B").held
    by_label = sorted(held_now.values(), key=lambda each: each.label)
    assert [each.square for each in by_label] == [(3, 4), (3, 9), (12, 3), (20, 1)]


@pytest.mark.parametrize("seed", range(6))
def test_the_hidden_order_of_ships_and_events_orders_no_notice(seed: int) -> None:
    straight, shuffled = flow_of(FLEET), flow_of(in_other_order(FLEET, seed))
    straight.run(FOUND)
    shuffled.run(FOUND[seed % 4 :] + FOUND[: seed % 4])
    for audience in ("B", PUBLIC):
        assert intel_of(straight, audience).told == intel_of(shuffled, audience).told
    everywhere = [
        ShooterExposed(piece=PieceId(f"A/S{number}"), witnesses=(B,)) for number in (1, 2, 3, 4)
    ]
    straight.run(everywhere)
    shuffled.run(list(reversed(everywhere)))
    for audience in ("B", PUBLIC):
        assert intel_of(straight, audience).told == intel_of(shuffled, audience).told


def test_the_result_of_a_scan_lists_handles_in_the_order_of_their_labels() -> None:
    flow = flow_of(FLEET)
    pieces = tuple(each.piece for each in FOUND)
    flow.run([*FOUND, ScanFinished(piece=B1, found=pieces, tracked=pieces[:2], roll=9)])
    held_now = sorted(intel_of(flow, "B").held.values(), key=lambda each: each.label)
    [result] = [each for each in intel_of(flow, "B").told if isinstance(each, ScanResult)]
    assert result.found == tuple(each.handle for each in held_now)


def test_swapping_two_ships_that_nobody_can_tell_apart_changes_nothing_for_the_holder() -> None:
    swapped = replace(
        FLEET,
        ships={
            **FLEET.ships,
            PieceId("A/S1"): replace(FLEET.ships[PieceId("A/S1")], square=Square(3, 9)),
            PieceId("A/S2"): replace(FLEET.ships[PieceId("A/S2")], square=Square(12, 3)),
        },
    )
    flows = [flow_of(FLEET), flow_of(swapped)]
    for flow in flows:
        flow.run(FOUND)
    assert intel_of(flows[0], "B").told == intel_of(flows[1], "B").told
    assert intel_of(flows[0], PUBLIC).told == intel_of(flows[1], PUBLIC).told


def test_handles_of_different_viewers_have_nothing_in_common() -> None:
    flow = flow_of(FOUR)
    flow.run([RadarGaveAway(piece=A1)])
    handles = {handle_of(flow, side) for side in "BCD"}
    assert len(handles) == 3


def test_labels_of_a_viewer_count_what_it_gained_and_nothing_hidden() -> None:
    flow = flow_of(FOUR)
    flow.run([contact(A1, B)])
    flow.run([contact(B1, A), contact(PieceId("C/S1"), A)])
    assert [each.label for each in intel_of(flow, "B").held.values()] == ["C1"]
    assert sorted(each.label for each in intel_of(flow, "A").held.values()) == ["C1", "C2"]
