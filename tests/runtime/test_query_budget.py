"""The points of a seat: full with each window it is shown, back with time, and its own."""

import pytest

from builders.fakeclock import FakeClock
from builders.matches import view_of
from builders.played import rig
from builders.scenarios import scenarios
from builders.truths import A, B
from sunglare_protocol.ids import Side, audience_of
from sunglare_protocol.messages.answers import Sheet
from sunglare_protocol.messages.commands import Question
from sunglare_protocol.refusals import Code, Rejected
from sunglare_protocol.views import View
from sunglare_rules.advice.seen.lookup import own_ids
from sunglare_rules.advice.sheets.cost import SINGLE_POINTS, question_cost
from sunglare_server.base.clock import MatchClock
from sunglare_server.runtime.query_budget import (
    ASK_POINTS,
    ASK_POINTS_PER_SECOND,
    PricedAnswer,
    QueryBudget,
)

MOST = ASK_POINTS // SINGLE_POINTS
"""So many single questions empty a purse."""


class Seats:
    """A budget on a clock of its own, and what its seats were shown last."""

    def __init__(self, name: str = "duel") -> None:
        self.clock = FakeClock(5_000)
        self.budget = QueryBudget(MatchClock(self.clock))
        self.match = rig(scenarios()[name], 1)

    def view(self, side: Side = A) -> View:
        """Return what a side was shown last."""
        return view_of(self.match.state, audience_of(side))

    def ask(
        self, kind: Question = Question.LOOK, about: str | None = None, side: Side = A
    ) -> PricedAnswer | Rejected:
        """Ask as a seat does."""
        return self.budget.answer(side, self.view(side), kind, about, ())

    def count(self, side: Side = A) -> int:
        """Ask until nothing is answered any more; return how many answers there were."""
        asked = 0
        while isinstance(self.ask(side=side), PricedAnswer):
            asked += 1
        return asked


def test_a_seat_gets_so_many_single_answers_in_a_window_as_ever() -> None:
    seats = Seats()
    assert seats.count() == MOST
    assert seats.ask() == Rejected(code=Code.ASK_MANY)
    assert seats.count(B) == MOST


def test_the_next_window_brings_all_points_back() -> None:
    seats = Seats()
    assert seats.count() == MOST
    seats.match.close()
    assert seats.count() == MOST


def test_points_come_back_with_time_and_never_more_than_all() -> None:
    seats = Seats()
    seats.count()
    needed_ms = SINGLE_POINTS * 1_000 // ASK_POINTS_PER_SECOND
    seats.clock.advance(needed_ms - 1)
    assert seats.ask() == Rejected(code=Code.ASK_MANY)
    seats.clock.advance(1)
    assert isinstance(seats.ask(), PricedAnswer)
    assert seats.ask() == Rejected(code=Code.ASK_MANY)
    seats.clock.advance(86_400_000)
    assert seats.count() == MOST


def test_a_refused_question_costs_its_points_and_one_too_many_costs_none() -> None:
    seats = Seats()
    for _ in range(MOST - 1):
        refused = seats.ask(Question.LOOK, "zzzzzz")
        assert isinstance(refused, Rejected)
        assert refused.code is Code.ASK_ABOUT
    sheets = [seats.ask(Question.SHEET, "S1") for _ in range(SINGLE_POINTS)]
    told = [one for one in sheets if isinstance(one, PricedAnswer)]
    assert told
    assert sum(one.cost for one in told) <= SINGLE_POINTS
    assert sheets[-1] == Rejected(code=Code.ASK_MANY)
    assert seats.ask() == Rejected(code=Code.ASK_MANY)


def test_an_answer_says_its_window_and_its_cost() -> None:
    seats = Seats()
    told = seats.ask(Question.SHEET, "S1")
    assert isinstance(told, PricedAnswer)
    assert isinstance(told.answer, Sheet)
    assert told.window == seats.view().stage.window
    assert told.cost == question_cost(seats.view(), Question.SHEET, "S1", ())


def test_before_the_first_frame_nothing_is_answered() -> None:
    found = Seats().budget.answer(A, None, Question.LOOK, None, ())
    assert found == Rejected(code=Code.MATCH_NOT_STARTED)


@pytest.mark.parametrize("name", sorted(scenarios()))
def test_a_seat_has_the_points_for_a_sheet_of_each_piece_in_every_window(name: str) -> None:
    seats = Seats(name)
    for _ in range(6):
        for side in seats.match.state.standing.sides:
            seen = seats.view(side)
            costs = [question_cost(seen, Question.SHEET, own, ()) for own in own_ids(seen)]
            assert sum(costs) <= ASK_POINTS, (seen.stage.window, costs)
        seats.match.close()
