"""Losses that end a match: of a piece to survive, as a flagship is."""

from msgspec.structs import replace

from builders.matches import Course, scenario_of, turn_of
from builders.truths import A1, BOARD, A, B, C, only, ship
from sunglare_protocol.geometry import Vector
from sunglare_protocol.ids import OMNI, PUBLIC, Audience
from sunglare_protocol.messages import Ending, Frame
from sunglare_protocol.notices import PieceLost
from sunglare_protocol.words.ladder import Fate
from sunglare_protocol.words.victory import ObjectiveKind
from sunglare_server.match.data.scenario import Objective, Scenario
from sunglare_server.match.record import Resigned
from sunglare_server.match.truth.truth import ShipTruth


def flagship_of(*ships: ShipTruth, after: int = 1) -> Scenario:
    """Return a scenario that ends so many turns after A has lost its first ship."""
    goal = Objective(kind=ObjectiveKind.SURVIVE, piece="CanaryA1", ends_after=after)
    return scenario_of(*ships, board=BOARD, objectives={A: (goal,)})


# It flies into the planet of the board.
DOOMED = replace(ship(A, at=(15, 9)), vector=Vector(0, 2))
OTHERS = (ship(A, 2, at=(5, 30)), ship(B, at=(30, 5)))


def test_the_match_ends_with_the_turn_in_which_a_piece_is_lost_whose_loss_ends_it() -> None:
    course = Course(flagship_of(DOOMED, *OTHERS))
    course.close()
    assert course.state.truth.ships[A1].fate is Fate.DESTROYED
    assert not course.state.is_over
    turn_of(course)
    assert course.ended == (Ending.PIECE_LOST, B)
    assert course.state.standing.turn == 1


def test_a_match_may_end_some_turns_after_the_loss() -> None:
    course = Course(flagship_of(DOOMED, *OTHERS, after=3))
    for turn in (1, 2, 3):
        assert not course.state.is_over
        assert course.state.standing.turn == turn
        turn_of(course)
    assert course.ended == (Ending.PIECE_LOST, B)


def test_neither_giving_up_nor_losing_all_else_puts_that_end_off() -> None:
    alone = (ship(B, at=(30, 5)), ship(C, at=(30, 30)))
    for says in ((), (Resigned(),)):
        course = Course(flagship_of(DOOMED, *alone, after=3))
        turn_of(course)
        for body in says:
            course.put(body, A)
        turn_of(course)
        assert not course.state.is_over
        turn_of(course)
        assert course.ended == (Ending.PIECE_LOST, None)


def test_a_loss_is_told_to_all_at_the_end_of_each_turn_and_stays_in_the_record() -> None:
    course = Course(flagship_of(DOOMED, *OTHERS, after=3))
    for turn in (1, 2):
        turn_of(course)
        told = PieceLost(side=A, piece="CanaryA1", turns=turn, ends_after=3)
        for audience in (A, B, PUBLIC, OMNI):
            frames = only(course.sent[Audience(audience)], Frame)
            assert [told in frame.notices for frame in frames].count(True) == 1
            assert told in frames[-1].notices
            assert told in frames[-1].view.record


def test_a_piece_that_leaves_the_map_is_not_lost() -> None:
    leaver = replace(ship(A, at=(5, 1)), vector=Vector(0, -3))
    course = Course(flagship_of(leaver, *OTHERS))
    turn_of(course)
    assert course.state.truth.ships[A1].fate is Fate.ESCAPED
    assert not course.state.is_over


def test_the_loss_of_a_side_that_has_resigned_ends_no_match() -> None:
    ships = (*OTHERS, ship(C, at=(30, 30)))
    course = Course(flagship_of(DOOMED, *ships))
    course.put(Resigned(), A)
    turn_of(course)
    assert course.state.truth.ships[A1].fate is Fate.DESTROYED
    assert not course.state.is_over
