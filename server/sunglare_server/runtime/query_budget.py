"""The questions that the seats of one match ask: answered from a view alone, within a budget.

They are no part of the match: nothing of them is stored, and a restart counts again. An answer
costs points, which are reckoned from the question and the view, so that no seat takes more of the
server's time than the others notice. All points are there again with each window that is shown,
and some come back with time, for windows that last for days.
"""

from typing import NamedTuple, final

from sunglare_protocol.ids import Side, WindowId
from sunglare_protocol.messages.answers import AnswerBody
from sunglare_protocol.messages.commands import Question
from sunglare_protocol.messages.replies import FrameView
from sunglare_protocol.orders import Order
from sunglare_protocol.refusals import Code, Rejected
from sunglare_rules.advice.answer import answer
from sunglare_rules.advice.sheets.cost import question_cost
from sunglare_server.base.clock import MatchClock
from sunglare_server.match.fog import view as fog

ASK_POINTS = 1_000
"""OWN: how many points the answers to a seat may cost in one window, refusals included."""

ASK_POINTS_PER_SECOND = 10
"""OWN: how many of them come back each second."""

_MS = 1_000


@final
class PricedAnswer(NamedTuple):
    """The answer to a question, for which window it holds, and what it cost."""

    answer: AnswerBody
    window: WindowId
    cost: int


class _Purse(NamedTuple):
    """What a seat had left at a time, in thousandths of points, in the window shown to it."""

    window: WindowId
    left: int
    at_ms: int


@final
class QueryBudget:
    """How much each seat has asked in the window that it was shown last."""

    def __init__(self, clock: MatchClock) -> None:
        """Begin with nothing asked."""
        self._clock = clock
        self._purses: dict[Side, _Purse] = {}

    def answer(
        self,
        side: Side,
        shown: FrameView | None,
        kind: Question,
        about: Order | str | None,
        orders: tuple[Order, ...],
    ) -> PricedAnswer | Rejected:
        """Return the answer that the view gives, or a refusal if the seat has asked too much.

        `shown` is what `side` was sent last; its window counts, not the one that is open.
        """
        view = fog.of_a_side(shown)
        if view is None:
            return Rejected(code=Code.MATCH_NOT_STARTED)
        window, cost = view.stage.window, question_cost(view, kind, about, orders)
        if not self._takes(side, window, cost):
            return Rejected(code=Code.ASK_MANY)
        found = answer(view, kind, about, orders)
        return found if isinstance(found, Rejected) else PricedAnswer(found, window, cost)

    def _takes(self, side: Side, window: WindowId, cost: int) -> bool:
        """Return whether a seat has so many points left, and take them from it."""
        now_ms, full = self._clock.now_ms(), ASK_POINTS * _MS
        purse = self._purses.get(side)
        if purse is None or purse.window != window:
            left = full
        else:
            back = max(0, now_ms - purse.at_ms) * ASK_POINTS_PER_SECOND
            left = min(full, purse.left + back)
        is_enough = left >= cost * _MS
        self._purses[side] = _Purse(window, left - cost * _MS * is_enough, now_ms)
        return is_enough
