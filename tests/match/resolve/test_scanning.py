"""What a scan comes to: contacts and silence."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from builders.scanning import SCANNER, examined, scanning, target
from builders.truths import (
    A1,
    B1,
    B2,
    BOARD,
    CORVETTE,
    CRUISER,
    FRIGATE,
    A,
    B,
    C,
    only,
    ship,
    truth_of,
)
from sunglare_protocol.geometry import Asteroid, Board, Compass, Landing, Square, Vector
from sunglare_protocol.words.ladder import Fate
from sunglare_protocol.words.scans import Blocked, Drive, ScanSize, ScanType, Signature
from sunglare_server.match.events.space import (
    ContactMade,
    Event,
    RadarGaveAway,
    ScanDeclared,
    ScanFinished,
    ShipExamined,
    ShipTracked,
)
from sunglare_server.match.truth.truth import ShipTruth, Truth

# The three worked scans.

SCANS = {
    "scan 1": ((7, 27), ScanSize.BOX, "B4"),
    "scan 2": ((13, 14), ScanSize.BOXES, "E1"),
    "scan 3": ((15, 17), ScanSize.BOXES, "E4"),
}


def worked(name: str, *targets: ShipTruth) -> list[Event]:
    at, size, box = SCANS[name]
    one = replace(ship(A, at=at), popped_out=True)
    return scanning(
        truth_of(one, *(targets or (ship(B, at=(0, 0)),)), board=BOARD), at=box, size=size
    )


@pytest.mark.parametrize(
    ("name", "strength", "effective"), [("scan 1", 1, -5), ("scan 2", -1, -1), ("scan 3", -1, -1)]
)
def test_the_worked_scans_have_the_strength_of_the_source(
    name: str, strength: int, effective: int
) -> None:
    [declared] = only(worked(name), ScanDeclared)
    assert (declared.strength, declared.effective) == (strength, effective)


@pytest.mark.parametrize(
    ("name", "glare", "from_well", "blocked"),
    [
        ("scan 1", True, False, ()),
        ("scan 2", False, True, ((Compass.NE, True), (Compass.NE, False))),
        ("scan 3", False, False, ((Compass.N, True),)),
    ],
)
def test_the_worked_scans_get_the_answers_of_the_source(
    name: str, glare: bool, from_well: bool, blocked: tuple[tuple[Compass, bool], ...]
) -> None:
    [declared] = only(worked(name), ScanDeclared)
    answers = declared.answers
    assert (answers.glare, answers.from_well) == (glare, from_well)
    assert answers.blocked == tuple(
        Blocked(planet="Ceres", sector=sector, near=near) for sector, near in blocked
    )


def test_scan_1_does_not_touch_a_well_and_scan_3_does() -> None:
    touches = [only(worked(name), ScanDeclared)[0].answers.touches_well for name in SCANS]
    assert touches[0] is False
    assert touches[2] is True


def test_scan_1_finds_a_hull_of_minus_1_in_sunlight_at_signal_0() -> None:
    lit = replace(ship(B, at=(8, 17), kind=CRUISER), popped_out=True)
    [found] = only(worked("scan 1", lit), ContactMade)
    assert found == ContactMade(piece=B1, side=A, signal=0, signatures=(Signature.VISUAL_HULL,))


def test_scan_1_is_silent_on_a_hull_of_minus_2() -> None:
    events = worked("scan 1", ship(B, at=(8, 17), kind=CRUISER))
    assert only(events, ContactMade) == []
    assert [event.signal for event in only(events, ShipExamined)] == [-1]


def test_scan_2_does_not_reach_a_ship_that_the_planet_hides() -> None:
    hidden = replace(ship(B, at=(24, 3), kind=CRUISER), popped_out=True)
    assert only(worked("scan 2", hidden), ShipExamined) == []
    seen = replace(hidden, square=Square(16, 1))
    assert [event.piece for event in only(worked("scan 2", seen), ShipExamined)] == [B1]


@pytest.mark.parametrize("square", [(15, 10), (15, 11)])
def test_scan_3_does_not_reach_the_two_squares_near_north(square: tuple[int, int]) -> None:
    assert only(worked("scan 3", ship(B, at=square)), ShipExamined) == []


# Contacts.


def test_a_contact_names_every_signature_that_reached_0() -> None:
    burning = target(thrust_spent=2, type=replace(FRIGATE, drive=Drive.FUSION))
    [found] = only(scanning(truth_of(SCANNER, burning)), ContactMade)
    assert found.signatures == (Signature.VISUAL_HULL, Signature.VISUAL_THRUST)
    # Strength 2 - 1; hull -4 in the sun +6; plume +4: the best signal is the plume's.
    assert found.signal == 1 + 4


def test_a_signature_below_0_is_not_named() -> None:
    faint = target(type=CORVETTE)
    events = scanning(truth_of(SCANNER, faint), ScanType.IR)
    # Strength +1; power of a small ship -2.
    assert only(events, ContactMade) == []
    thrusting = target(type=CORVETTE, thrust_spent=1)
    [found] = only(scanning(truth_of(SCANNER, thrusting), ScanType.IR), ContactMade)
    assert found.signatures == (Signature.IR_THRUST,)


@pytest.mark.parametrize(
    ("kind", "signal"),
    [
        (ScanType.VISUAL, 1 - 4 + 6),
        (ScanType.IR, 1 + 0),
        (ScanType.RADAR, 1 - 2),
        (ScanType.NEUTRINO, 1 - 1),
        (ScanType.MASS, 1 - 4),
    ],
    ids=lambda value: value.value if isinstance(value, ScanType) else "",
)
def test_the_signal_is_strength_plus_signature(kind: ScanType, signal: int) -> None:
    assert examined(truth_of(SCANNER, target()), kind).signal == signal


@pytest.mark.parametrize(
    ("kind", "signal"),
    [
        (ScanType.VISUAL, 1 - 4 + 6),
        (ScanType.IR, None),
        (ScanType.RADAR, 1 - 2),
        (ScanType.NEUTRINO, None),
        (ScanType.MASS, 1 - 4),
    ],
    ids=lambda value: value.value if isinstance(value, ScanType) else "",
)
def test_a_ship_whose_plant_is_off_has_no_signature_of_power(
    kind: ScanType, signal: int | None
) -> None:
    assert examined(truth_of(SCANNER, target(powered=False)), kind).signal == signal


@pytest.mark.parametrize(
    ("kind", "more"), [(ScanType.VISUAL, 1), (ScanType.RADAR, 1), (ScanType.MASS, 0)]
)
def test_popped_out_sensors_add_to_the_hull_for_eye_and_radar(kind: ScanType, more: int) -> None:
    folded = examined(truth_of(SCANNER, target()), kind).signal or 0
    assert examined(truth_of(SCANNER, target(popped_out=True)), kind).signal == folded + more


@pytest.mark.parametrize("kind", list(ScanType), ids=lambda kind: kind.value)
def test_a_ship_landed_on_a_planet_has_no_signature_at_all(kind: ScanType) -> None:
    down = target(
        at=(15, 11),
        landing=Landing(body="Ceres", sector=Compass.N, environs=1),
        popped_out=True,
        thrust_spent=1,
    )
    scanner = replace(SCANNER, square=Square(15, 2))
    events = scanning(truth_of(scanner, down, board=BOARD), kind, "D3")
    assert only(events, ContactMade) == []
    assert [event.signal for event in only(events, ShipExamined)] == [None]


ROCKY = Board(asteroids=(Asteroid(name="Rock", at=Square(22, 22)),))


@pytest.mark.parametrize(
    ("sector", "seen"),
    [
        (Compass.NW, True),
        (Compass.N, True),
        (Compass.W, True),
        (Compass.NE, True),
        (Compass.SW, True),
        (Compass.E, False),
        (Compass.S, False),
        (Compass.SE, False),
    ],
    ids=lambda value: value.value if isinstance(value, Compass) else "",
)
def test_an_asteroid_hides_a_landed_ship_three_steps_round_and_more(
    sector: Compass, seen: bool
) -> None:
    down = target(landing=Landing(body="Rock", sector=sector))
    # The scanner in (2, 2) lies north-west of the asteroid in (22, 22).
    found = only(scanning(truth_of(SCANNER, down, board=ROCKY)), ContactMade)
    assert [event.signal for event in found] == ([1 - 4 + 6] if seen else [])


def test_a_ship_in_a_shadow_column_is_not_lit() -> None:
    asteroid = Board(asteroids=(Asteroid(name="Rock", at=Square(22, 20)),))
    assert examined(truth_of(SCANNER, target(), board=asteroid)).signal == 1 - 4


@pytest.mark.parametrize(
    ("changes", "is_lit"),
    [
        ({}, False),
        ({"type": CORVETTE}, True),
        ({"square": Square(22, 23)}, True),
        ({"vector": Vector(1, 0)}, True),
        ({"facing": Compass.S}, True),
        ({"fate": Fate.ESCAPED}, True),
        ({"cloaked": True}, True),
    ],
    ids=["beside it", "no larger", "apart", "on its way", "turned", "gone", "cloaked"],
)
def test_a_ship_that_flies_with_a_larger_one_is_not_lit(
    changes: dict[str, object], is_lit: bool
) -> None:
    small = target(type=CORVETTE)
    large = replace(target(2, type=CRUISER), **changes)
    signals = {
        event.piece: event.signal
        for event in only(scanning(truth_of(SCANNER, small, large)), ShipExamined)
    }
    alone = examined(truth_of(SCANNER, small)).signal
    assert (signals[B1] == alone) is is_lit


def test_own_ships_and_those_out_of_play_are_not_examined() -> None:
    friend = ship(A, 2, (22, 22))
    gone = [target(1, fate=Fate.DESTROYED), target(2, fate=Fate.ESCAPED)]
    assert only(scanning(truth_of(SCANNER, friend, *gone)), ShipExamined) == []


@pytest.mark.parametrize(
    ("at", "inside"),
    [((20, 20), True), ((24, 24), True), ((19, 22), False), ((25, 22), False), ((22, 25), False)],
)
def test_only_the_squares_of_the_scan_are_examined(at: tuple[int, int], inside: bool) -> None:
    events = scanning(truth_of(SCANNER, target(at=at)))
    assert bool(only(events, ShipExamined)) is inside


def test_two_contacts_in_one_square_are_two_contacts() -> None:
    events = scanning(truth_of(SCANNER, target(1), target(2)))
    assert sorted(event.piece for event in only(events, ContactMade)) == [B1, B2]


def test_every_other_side_is_an_enemy() -> None:
    events = scanning(truth_of(SCANNER, target(), ship(C, at=(22, 22))))
    assert sorted(event.piece[0] for event in only(events, ContactMade)) == ["B", "C"]


# Silence.


@pytest.mark.parametrize(
    "truth",
    [
        truth_of(SCANNER, target(at=(0, 39))),
        truth_of(
            replace(SCANNER, type=replace(FRIGATE, sensors=CORVETTE.sensors)),
            target(fate=Fate.ESCAPED),
        ),
        truth_of(SCANNER, target(), board=Board(sunfactor=0)),
        truth_of(SCANNER, target(landing=Landing(body="Rock", sector=Compass.S)), board=ROCKY),
    ],
    ids=["nobody there", "one that has left", "too faint", "hidden"],
)
def test_a_scan_that_finds_nothing_has_one_result_all_the_same(truth: Truth) -> None:
    events = scanning(truth, sense=True)
    assert isinstance(events[0], ScanDeclared)
    assert events[-1] == ScanFinished(piece=A1, found=(), tracked=(), roll=None)
    assert {type(event) for event in events[1:-1]} <= {ShipExamined}


@given(
    st.lists(st.tuples(st.integers(0, 39), st.integers(0, 39)), max_size=4),
    st.sampled_from(list(ScanType)),
    st.sampled_from([ScanSize.BOX, ScanSize.BOXES]),
    st.sampled_from(["A1", "D3", "E5", "H8"]),
    st.booleans(),
)
def test_every_scan_has_one_declaration_first_and_one_result_last(
    places: list[tuple[int, int]], kind: ScanType, size: ScanSize, at: str, sense: bool
) -> None:
    others = [target(number, place) for number, place in enumerate(places, 1)]
    truth = truth_of(SCANNER, ship(B, 9, (39, 0)), *others, board=BOARD)
    events = scanning(truth, kind, at, size, sense)
    kinds = [type(event) for event in events]
    assert (kinds.count(ScanDeclared), kinds.count(ScanFinished)) == (1, 1)
    assert (kinds[0], kinds[-1]) == (ScanDeclared, ScanFinished)
    [done] = only(events, ScanFinished)
    assert set(done.found) == {event.piece for event in only(events, ContactMade)}
    assert set(done.tracked) == {event.piece for event in only(events, ShipTracked)}
    assert set(done.tracked) <= set(done.found)
    assert kinds.count(RadarGaveAway) == (kind is ScanType.RADAR)
