"""How tracks are won by Sense, shadowed, renewed, missed and lost."""

from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from builders.matches import Course, scenario_of
from builders.scanning import S1, S2, SCANNER, examined, scanning, target
from builders.truths import (
    A1,
    A2,
    B1,
    B2,
    CORVETTE,
    CRUISER,
    FRIGATE,
    A,
    B,
    C,
    applied,
    dice_where,
    holding,
    only,
    ship,
    truth_of,
)
from sunglare_protocol.geometry import Compass, Landing, Square, Vector
from sunglare_protocol.ids import OwnId, Side
from sunglare_protocol.words.ladder import Fate, Fix, Phase
from sunglare_protocol.words.scans import ScanType, Signature
from sunglare_server.match.data.scenario import CrewData
from sunglare_server.match.dice import Dice
from sunglare_server.match.events.space import (
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
from sunglare_server.match.resolve.scanning import losses, renewals
from sunglare_server.match.truth.truth import ShipTruth, Truth

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
    assert {event.roll for event in only(events, ShipTracked)} <= {done.roll}


@pytest.mark.parametrize(("roll", "pieces"), [(3, []), (4, [B2]), (7, [B2]), (8, [B1, B2])])
def test_sense_needs_10_with_skill_and_signal(roll: int, pieces: list[str]) -> None:
    def rolls(dice: Dice) -> bool:
        [done] = only(scanning(TWO, sense=True, dice=dice), ScanFinished)
        return done.roll == roll

    found = only(scanning(TWO, sense=True, dice=dice_where(rolls)), ShipTracked)
    assert sorted(event.piece for event in found) == pieces


def test_a_scan_without_sense_rolls_nothing_and_tracks_nothing() -> None:
    events = scanning(TWO, sense=False)
    assert only(events, ShipTracked) == []
    assert [done.roll for done in only(events, ScanFinished)] == [None]


@pytest.mark.parametrize("sense", [True, False])
def test_radar_tracks_each_contact_without_a_roll(sense: bool) -> None:
    truth = truth_of(SCANNER, target(1, type=CRUISER), target(2, popped_out=True))
    events = scanning(truth, ScanType.RADAR, sense=sense)
    assert sorted(event.piece for event in only(events, ShipTracked)) == [B1, B2]
    assert [event.roll for event in only(events, ShipTracked)] == [None, None]


@pytest.mark.parametrize("at", [(22, 22), (0, 39)], ids=["a contact", "no contact"])
def test_radar_gives_its_ship_away_with_or_without_a_contact(at: tuple[int, int]) -> None:
    truth = truth_of(SCANNER, target(at=at, type=CRUISER), ship(C, at=(39, 39)))
    events = scanning(truth, ScanType.RADAR)
    assert bool(only(events, ContactMade)) is (at == (22, 22))
    assert only(events, RadarGaveAway) == [RadarGaveAway(piece=A1)]
    after = applied(truth, events)
    assert [after.holds[side][A1].fix for side in (B, Side("C"))] == [Fix.CONTACT, Fix.CONTACT]


@pytest.mark.parametrize("kind", [kind for kind in ScanType if kind is not ScanType.RADAR])
def test_no_other_scan_gives_its_ship_away(kind: ScanType) -> None:
    assert only(scanning(TWO, kind), RadarGaveAway) == []


def test_a_track_is_kept_by_the_contact_without_a_new_roll() -> None:
    truth = holding(truth_of(SCANNER, target()), A, B1, Fix.TRACKED)
    events = scanning(truth, sense=True)
    assert [event.piece for event in only(events, ContactMade)] == [B1]
    assert only(events, ShipTracked) == []
    assert [done.roll for done in only(events, ScanFinished)] == [None]


# Shadowing.


def behind(other: ShipTruth) -> ShipExamined:
    truth = truth_of(SCANNER, target(type=CORVETTE), other)
    found = {event.piece: event for event in only(scanning(truth), ShipExamined)}
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
    assert second == [TrackMissed(piece=B1, side=A, misses=2), TrackEnded(piece=B1, side=A)]
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
    course.orders(A, "scan S1 radar 1box E5 nosense")
    course.close()
    course.close_until(Phase.PLOT)
    course.close_until(Phase.SCAN)
    first, last = course.close(), course.close()
    assert only(first.events, TrackMissed) == []
    assert [event.misses for event in only(last.events, TrackMissed) if event.side == A] == [1]


# Order and repetition.


@pytest.mark.parametrize("names", list(permutations([S1, S2])))
def test_the_scans_of_a_side_are_made_in_the_order_declared(names: tuple[OwnId, OwnId]) -> None:
    course = Course(scenario_of(SCANNER, ship(A, 2, (30, 3)), target()))
    course.close_until(Phase.SCAN, A)
    course.orders(A, *(f"scan {name} mass 1box E5 nosense" for name in names))
    made = only(course.close().events, ScanDeclared)
    assert [event.piece for event in made] == [f"A/{name}" for name in names]


def repeated(course: Course, *places: str) -> list[int]:
    strengths = []
    for place in places:
        course.close_until(Phase.SCAN, A)
        course.orders(A, f"scan S1 mass 1box {place} nosense")
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
    course.orders(A, "thrust S1 N")
    assert repeated(course, "E5") == [1]


def test_a_pause_of_a_turn_sets_the_repetition_back() -> None:
    course = Course(scenario_of(SCANNER, target()))
    repeated(course, "E5", "E5")
    course.close_until(Phase.ENGAGE)
    course.close()
    assert repeated(course, "E5") == [1]
