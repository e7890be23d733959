"""Objectives to collect: a ship at rest in the square of an asteroid, once for its side."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from builders.matches import Course, scenario_of, view_of
from builders.truths import A1, CORVETTE, A, B, applied, ship, truth_of
from sunglare_protocol.geometry import Asteroid, Board, Compass, Landing, Square, Vector
from sunglare_protocol.ids import PUBLIC, Side, audience_of
from sunglare_protocol.messages import Frame
from sunglare_protocol.notices import OwnCollected
from sunglare_protocol.words.ladder import Fate, Phase
from sunglare_protocol.words.pieces import PieceKind
from sunglare_protocol.words.victory import ObjectiveKind
from sunglare_server.match.data.scenario import Objective, ScenarioData
from sunglare_server.match.events.space import CargoCollected, PointsScored
from sunglare_server.match.resolve.collecting import collected
from sunglare_server.match.truth.truth import ShipTruth, Truth

ROCKS = (Asteroid(name="Styx", at=Square(20, 20)), Asteroid(name="Lethe", at=Square(5, 30)))
BOARD = Board(asteroids=ROCKS)
STYX = Objective(kind=ObjectiveKind.COLLECT, body="Styx")
AT_STYX = ship(A, at=(20, 20))
AWAY = ship(B, at=(35, 35))
DRIFTING = replace(AT_STYX, vector=Vector(0, 1))
HIDDEN = replace(AT_STYX, cloaked=True)
DECOY = replace(AT_STYX, type=replace(CORVETTE, kind=PieceKind.DECOY))
LANDED = replace(AT_STYX, landing=Landing(body="Styx", sector=Compass.N))


def data(wanted: dict[Side, tuple[Objective, ...]]) -> ScenarioData:
    return scenario_of(AT_STYX, AWAY, board=BOARD, objectives=wanted).data


def found(
    *ships: ShipTruth, wanted: Side = A, objective: Objective = STYX
) -> list[CargoCollected]:
    truth = truth_of(*ships, AWAY, board=BOARD)
    return list(collected(truth, data({wanted: (objective,)})))


@pytest.mark.parametrize("one", [AT_STYX, HIDDEN], ids=["shown", "cloaked"])
def test_a_starship_at_rest_in_the_square_of_the_asteroid_named_collects(one: ShipTruth) -> None:
    assert found(one) == [CargoCollected(piece=A1, body="Styx")]


@pytest.mark.parametrize(
    "one",
    [
        DRIFTING,
        LANDED,
        DECOY,
        ship(A, at=(20, 21)),
        ship(A, at=(5, 30)),
        replace(AT_STYX, fate=Fate.DESTROYED),
    ],
    ids=["drifts", "landed", "no starship", "beside it", "at another asteroid", "destroyed"],
)
def test_nothing_else_collects(one: ShipTruth) -> None:
    assert found(one) == []


def test_a_side_without_the_objective_collects_nothing() -> None:
    assert found(AT_STYX, wanted=B) == []


def test_an_asteroid_named_by_another_objective_gives_nothing() -> None:
    assert found(AT_STYX, objective=replace(STYX, kind=ObjectiveKind.SURVIVE)) == []


def test_an_objective_that_stands_twice_is_met_once() -> None:
    truth = truth_of(AT_STYX, AWAY, board=BOARD)
    assert len(list(collected(truth, data({A: (STYX, STYX)})))) == 1


def test_of_two_ships_at_one_asteroid_one_collects() -> None:
    assert found(AT_STYX, ship(A, 2, at=(20, 20))) == [CargoCollected(piece=A1, body="Styx")]


def test_a_side_collects_once_at_each_asteroid_and_each_side_for_itself() -> None:
    truth = truth_of(AT_STYX, ship(B, at=(20, 20)), board=BOARD)
    both = data({A: (STYX,), B: (STYX,)})
    first = list(collected(truth, both))
    assert [event.piece for event in first] == ["A/S1", "B/S1"]
    assert list(collected(applied(truth, first), both)) == []


@given(
    at=st.tuples(st.integers(18, 22), st.integers(18, 22)),
    vector=st.tuples(st.integers(-2, 2), st.integers(-2, 2)),
)
def test_who_collects_is_at_rest_where_it_lies(
    at: tuple[int, int], vector: tuple[int, int]
) -> None:
    one = replace(ship(A, at=at), vector=Vector(*vector))
    assert bool(found(one)) is (at == (20, 20) and vector == (0, 0))


def played(*, wants: bool) -> Course:
    """Return a match of which the first movement is over, with a cloaked ship at an asteroid."""
    ships = (replace(HIDDEN, type=replace(HIDDEN.type, cloak=True)), AWAY)
    goal = STYX if wants else replace(STYX, body="Lethe")
    course = Course(scenario_of(*ships, board=BOARD, objectives={A: (goal,)}))
    course.close_until(Phase.SCAN)
    return course


def test_what_is_collected_gives_its_side_3_points_and_is_met_in_its_view() -> None:
    course = played(wants=True)
    view = view_of(course.state, audience_of(A))
    assert [goal.met for goal in view.objectives] == [True]
    assert view.points == course.state.truth.points[A] == 3
    frames = [sent for sent in course.sent[audience_of(A)] if isinstance(sent, Frame)]
    told = [note for frame in frames for note in frame.notices]
    assert [note.body for note in told if isinstance(note, OwnCollected)] == ["Styx"]


def test_nobody_else_is_sent_anything_else_when_something_is_collected() -> None:
    one, other = played(wants=True), played(wants=False)
    for viewer in (audience_of(B), PUBLIC):
        assert one.sent[viewer] == other.sent[viewer]
    scored = [event for step in one.steps for event in step.events]
    assert any(isinstance(event, PointsScored) for event in scored)


def test_the_truth_keeps_what_each_side_has_collected() -> None:
    truth: Truth = applied(
        truth_of(AT_STYX, AWAY, board=BOARD), [CargoCollected(piece=A1, body="Styx")]
    )
    assert truth.collected == {A: ("Styx",)}
