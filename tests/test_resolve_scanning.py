"""What a scan comes to, and how tracks are renewed, missed and lost."""

from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from sunglare_protocol.geometry import Asteroid, Board, Compass, Landing, Square, Vector
from sunglare_protocol.ids import OwnId, Side
from sunglare_protocol.ladder import Fate, Fix, Phase
from sunglare_protocol.orders import Scan, Thrust
from sunglare_protocol.scanwords import Blocked, Drive, ScanSize, ScanType, Signature
from sunglare_server.match.dice import Dice
from sunglare_server.match.events import (
    ContactMade,
    Event,
    RadarGaveAway,
    ScanDeclared,
    ScanFinished,
    ShipExamined,
    ShipTracked,
    TrackEnded,
    TrackMissed,
    TurnEnded,
)
from sunglare_server.match.resolve.scanning import losses, renewals, scan
from sunglare_server.match.scenario import CrewData
from sunglare_server.match.truth import ShipTruth, Truth
from truthrigs import (
    A1,
    A2,
    B1,
    B2,
    BOARD,
    CORVETTE,
    CRUISER,
    DICE,
    FRIGATE,
    A,
    B,
    C,
    Course,
    applied,
    dice_where,
    holding,
    only,
    scenario_of,
    ship,
    truth_of,
)

S1, S2 = OwnId("S1"), OwnId("S2")


def scanning(
    truth: Truth,
    kind: ScanType = ScanType.VISUAL,
    at: str | Square = "E5",
    size: ScanSize = ScanSize.BOX,
    sense: bool = False,
    dice: Dice = DICE,
) -> list[Event]:
    order = Scan(ship=S1, type=kind, size=size, at=at, sense=sense)
    return list(scan(truth, truth.ships[A1], order, dice))


SCANNER = replace(ship(A, at=(2, 2)), popped_out=True)
"""A frigate (rating 2) in the north-west: no scan to the south-east touches its sunglare."""


def target(number: int = 1, at: tuple[int, int] = (22, 22), **changes: object) -> ShipTruth:
    return replace(ship(B, number, at), **changes)


def examined(truth: Truth, kind: ScanType = ScanType.VISUAL) -> ShipExamined:
    [found] = only(scanning(truth, kind), ShipExamined)
    return found


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
    ("name", "strength", "effective"),
    [("scan 1", 1, -5), ("scan 2", -1, -1), ("scan 3", -1, -1)],
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
    assert [each.signal for each in only(events, ShipExamined)] == [-1]


def test_scan_2_does_not_reach_a_ship_that_the_planet_hides() -> None:
    hidden = replace(ship(B, at=(24, 3), kind=CRUISER), popped_out=True)
    assert only(worked("scan 2", hidden), ShipExamined) == []
    seen = replace(hidden, square=Square(16, 1))
    assert [each.piece for each in only(worked("scan 2", seen), ShipExamined)] == [B1]


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
    assert [each.signal for each in only(events, ShipExamined)] == [None]


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
    assert [each.signal for each in found] == ([1 - 4 + 6] if seen else [])


def test_a_ship_in_a_shadow_column_is_not_lit() -> None:
    asteroid = Board(asteroids=(Asteroid(name="Rock", at=Square(22, 20)),))
    assert examined(truth_of(SCANNER, target(), board=asteroid)).signal == 1 - 4


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
    assert sorted(each.piece for each in only(events, ContactMade)) == [B1, B2]


def test_every_other_side_is_an_enemy() -> None:
    events = scanning(truth_of(SCANNER, target(), ship(C, at=(22, 22))))
    assert sorted(each.piece[0] for each in only(events, ContactMade)) == ["B", "C"]


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
    assert {type(each) for each in events[1:-1]} <= {ShipExamined}


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
    kinds = [type(each) for each in events]
    assert (kinds.count(ScanDeclared), kinds.count(ScanFinished)) == (1, 1)
    assert (kinds[0], kinds[-1]) == (ScanDeclared, ScanFinished)
    [done] = only(events, ScanFinished)
    assert set(done.found) == {each.piece for each in only(events, ContactMade)}
    assert set(done.tracked) == {each.piece for each in only(events, ShipTracked)}
    assert set(done.tracked) <= set(done.found)
    assert kinds.count(RadarGaveAway) == (kind is ScanType.RADAR)


# Sense.

TWO = truth_of(
    replace(SCANNER, crew=CrewData(operator=1)),
    target(1, type=CORVETTE),
    target(2, (24, 21), type=CRUISER),
)
"""Two contacts for the eye: signal 1 - 6 + 6 = 1 and 1 - 2 + 6 = 5; operator skill 1."""


@given(st.binary(min_size=32, max_size=32))
def test_one_sense_roll_covers_all_contacts_of_a_scan(seed: bytes) -> None:
    events = scanning(TWO, sense=True, dice=Dice(seed=seed))
    [done] = only(events, ScanFinished)
    assert done.roll is not None
    assert 2 <= done.roll <= 12
    needed = {B1: 1, B2: 5}
    assert set(done.tracked) == {
        piece for piece, signal in needed.items() if done.roll + 1 + signal >= 10
    }
    assert {each.roll for each in only(events, ShipTracked)} <= {done.roll}


@pytest.mark.parametrize(("roll", "pieces"), [(3, []), (4, [B2]), (7, [B2]), (8, [B1, B2])])
def test_sense_needs_10_with_skill_and_signal(roll: int, pieces: list[str]) -> None:
    def rolls(dice: Dice) -> bool:
        [done] = only(scanning(TWO, sense=True, dice=dice), ScanFinished)
        return done.roll == roll

    found = only(scanning(TWO, sense=True, dice=dice_where(rolls)), ShipTracked)
    assert sorted(each.piece for each in found) == pieces


def test_a_scan_without_sense_rolls_nothing_and_tracks_nothing() -> None:
    events = scanning(TWO, sense=False)
    assert only(events, ShipTracked) == []
    assert [done.roll for done in only(events, ScanFinished)] == [None]


@pytest.mark.parametrize("sense", [True, False])
def test_radar_tracks_each_contact_without_a_roll(sense: bool) -> None:
    truth = truth_of(SCANNER, target(1, type=CRUISER), target(2, popped_out=True))
    events = scanning(truth, ScanType.RADAR, sense=sense)
    assert sorted(each.piece for each in only(events, ShipTracked)) == [B1, B2]
    assert [each.roll for each in only(events, ShipTracked)] == [None, None]


@pytest.mark.parametrize("at", [(22, 22), (0, 39)], ids=["a contact", "no contact"])
def test_radar_gives_its_ship_away_with_or_without_a_contact(at: tuple[int, int]) -> None:
    truth = truth_of(SCANNER, target(at=at, type=CRUISER), ship(C, at=(39, 39)))
    events = scanning(truth, ScanType.RADAR)
    assert bool(only(events, ContactMade)) is (at == (22, 22))
    assert only(events, RadarGaveAway) == [RadarGaveAway(piece=A1)]
    after = applied(truth, events)
    assert [after.holds[side][A1].fix for side in (B, Side("C"))] == [Fix.CONTACT, Fix.CONTACT]


@pytest.mark.parametrize("kind", [each for each in ScanType if each is not ScanType.RADAR])
def test_no_other_scan_gives_its_ship_away(kind: ScanType) -> None:
    assert only(scanning(TWO, kind), RadarGaveAway) == []


def test_a_track_is_kept_by_the_contact_without_a_new_roll() -> None:
    truth = holding(truth_of(SCANNER, target()), A, B1, Fix.TRACKED)
    events = scanning(truth, sense=True)
    assert [each.piece for each in only(events, ContactMade)] == [B1]
    assert only(events, ShipTracked) == []
    assert [done.roll for done in only(events, ScanFinished)] == [None]


# Shadowing.


def behind(other: ShipTruth) -> ShipExamined:
    truth = truth_of(SCANNER, target(type=CORVETTE), other)
    found = {each.piece: each for each in only(scanning(truth), ShipExamined)}
    return found[B1]


LIT, UNLIT = 1 - 6 + 6, 1 - 6


def test_a_ship_that_shadows_a_larger_friend_is_not_lit() -> None:
    assert behind(target(2, type=FRIGATE)).signal == UNLIT


@pytest.mark.parametrize(
    "changes",
    [
        {"square": Square(22, 23)},
        {"vector": Vector(1, 0)},
        {"facing": Compass.NE},
        {"type": CORVETTE},
        {"landing": Landing(body="Rock", sector=Compass.N)},
        {"fate": Fate.DESTROYED},
    ],
    ids=["square", "vector", "facing", "not larger", "landed", "gone"],
)
def test_shadowing_needs_a_larger_ship_in_the_same_motion(changes: dict[str, object]) -> None:
    assert behind(replace(target(2, type=FRIGATE), **changes)).signal == LIT


@pytest.mark.parametrize(
    ("fix", "signal"),
    [(None, LIT), (Fix.CONTACT, LIT), (Fix.COASTING, LIT), (Fix.TRACKED, UNLIT)],
    ids=["unheld", "contact", "coasting", "live track"],
)
def test_an_enemy_gives_shadow_only_while_it_is_a_live_track(fix: Fix | None, signal: int) -> None:
    larger = replace(ship(A, 2, (22, 22)), type=CRUISER)
    truth = truth_of(SCANNER, larger, target(type=CORVETTE))
    if fix is not None:
        truth = holding(truth, B, A2, fix)
    assert examined(truth).signal == signal


# Tracks from turn to turn.


def next_turn(truth: Truth, contacted: bool) -> tuple[Truth, list[Event]]:
    """Return the truth after SCAN and the end of a turn, and what befell the track."""
    if contacted:
        made = ContactMade(piece=B1, side=A, signal=1, signatures=(Signature.VISUAL_HULL,))
        truth = applied(truth, [made])
    missed = list(renewals(truth))
    truth = applied(truth, missed)
    lost = list(losses(truth))
    return applied(truth, [*lost, TurnEnded(turn=truth.turn)]), [*missed, *lost]


FRESH = applied(truth_of(SCANNER, target()), [ShipTracked(piece=B1, side=A, roll=9)])
HELD, _ = next_turn(FRESH, contacted=False)


def test_a_fresh_track_is_not_missed_in_the_turn_it_was_made() -> None:
    assert next_turn(FRESH, contacted=False)[1] == []
    assert HELD.holds[A][B1].fix is Fix.TRACKED


def test_a_track_that_is_contacted_each_turn_stays_live() -> None:
    truth = HELD
    for _ in range(4):
        truth, events = next_turn(truth, contacted=True)
        assert events == []
        assert truth.holds[A][B1].fix is Fix.TRACKED


def test_a_track_missed_once_coasts_and_missed_twice_in_a_row_is_lost() -> None:
    coasting, first = next_turn(HELD, contacted=False)
    assert first == [TrackMissed(piece=B1, side=A, misses=1)]
    assert coasting.holds[A][B1].fix is Fix.COASTING
    lost, second = next_turn(coasting, contacted=False)
    assert second == [
        TrackMissed(piece=B1, side=A, misses=2),
        TrackEnded(piece=B1, side=A),
    ]
    assert lost.holds[A] == {}


def test_a_coasting_track_that_is_contacted_is_live_again_and_counts_anew() -> None:
    coasting, _ = next_turn(HELD, contacted=False)
    live, events = next_turn(coasting, contacted=True)
    assert events == []
    assert live.holds[A][B1].fix is Fix.TRACKED
    again, missed = next_turn(live, contacted=False)
    assert missed == [TrackMissed(piece=B1, side=A, misses=1)]
    assert again.holds[A][B1].fix is Fix.COASTING


def test_a_coasting_track_that_is_found_needs_no_new_roll() -> None:
    coasting, _ = next_turn(HELD, contacted=False)
    events = scanning(coasting, sense=True)
    assert only(events, ShipTracked) == []
    assert applied(coasting, events).holds[A][B1].fix is Fix.TRACKED


def test_a_contact_is_over_with_its_turn() -> None:
    truth = applied(truth_of(SCANNER, target()), scanning(truth_of(SCANNER, target())))
    assert truth.holds[A][B1].fix is Fix.CONTACT
    assert applied(truth, [TurnEnded(turn=1)]).holds[A] == {}


def test_misses_are_counted_when_the_last_slot_closes_and_not_before() -> None:
    course = Course(scenario_of(replace(SCANNER, facing=Compass.S), target(type=CRUISER)))
    course.close_until(Phase.SCAN, A)
    course.orders(A, Scan(ship=S1, type=ScanType.RADAR, size=ScanSize.BOX, at="E5"))
    course.close()
    course.close_until(Phase.PLOT)
    course.close_until(Phase.SCAN)
    first, last = course.close(), course.close()
    assert only(first.events, TrackMissed) == []
    assert [each.misses for each in only(last.events, TrackMissed) if each.side == A] == [1]


# Order and repetition.


@pytest.mark.parametrize("names", list(permutations([S1, S2])))
def test_the_scans_of_a_side_are_made_in_the_order_declared(names: tuple[OwnId, OwnId]) -> None:
    course = Course(scenario_of(SCANNER, ship(A, 2, (30, 3)), target()))
    course.close_until(Phase.SCAN, A)
    course.orders(
        A, *(Scan(ship=each, type=ScanType.MASS, size=ScanSize.BOX, at="E5") for each in names)
    )
    made = only(course.close().events, ScanDeclared)
    assert [each.piece for each in made] == [f"A/{each}" for each in names]


def repeated(course: Course, *places: str) -> list[int]:
    strengths = []
    for place in places:
        course.close_until(Phase.SCAN, A)
        course.orders(A, Scan(ship=S1, type=ScanType.MASS, size=ScanSize.BOX, at=place))
        [declared] = only(course.close().events, ScanDeclared)
        strengths.append(declared.strength)
        course.close_until(Phase.PLOT)
    return strengths


def test_the_same_scan_again_adds_1_each_time_and_3_at_most() -> None:
    course = Course(scenario_of(SCANNER, target()))
    assert repeated(course, "E5", "E5", "E5", "E5", "E5") == [1, 2, 3, 4, 4]


def test_another_place_sets_the_repetition_back() -> None:
    course = Course(scenario_of(SCANNER, target()))
    assert repeated(course, "E5", "E5", "E6", "E6") == [1, 2, 1, 2]


def test_a_ship_that_has_moved_does_not_repeat_its_scan() -> None:
    course = Course(scenario_of(SCANNER, target()))
    assert repeated(course, "E5", "E5") == [1, 2]
    course.orders(A, Thrust(ship=S1, to=(Compass.N,)))
    assert repeated(course, "E5") == [1]


def test_a_pause_of_a_turn_sets_the_repetition_back() -> None:
    course = Course(scenario_of(SCANNER, target()))
    repeated(course, "E5", "E5")
    course.close_until(Phase.ENGAGE)
    course.close()
    assert repeated(course, "E5") == [1]
