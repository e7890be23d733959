"""The questions that the seats of one match ask: answered from a view alone, so many a window.

They are no part of the match: nothing of them is stored, and a restart counts again.
"""

from typing import final

from sunglare_protocol.ids import Side, WindowId
from sunglare_protocol.messages.answers import AnswerBody
from sunglare_protocol.messages.commands import Question
from sunglare_protocol.messages.replies import FrameView
from sunglare_protocol.orders import Order
from sunglare_protocol.refusals import Code, Rejected
from sunglare_rules.advice.answer import answer
from sunglare_server.match.fog import view as fog

QUESTIONS_MOST = 20
"""OWN: how many questions of a seat are answered in one window, refusals of them included."""


@final
class QueryBudget:
    """How often each seat has asked in the window that it was shown last."""

    def __init__(self) -> None:
        """Begin with nothing asked."""
        self._asked: dict[Side, tuple[WindowId, int]] = {}

    def answer(
        self,
        side: Side,
        shown: FrameView | None,
        kind: Question,
        about: Order | str | None,
        orders: tuple[Order, ...],
    ) -> AnswerBody | Rejected:
        """Return the answer that the view gives, or a refusal if the seat has asked often enough.

        `shown` is what `side` was sent last; its window counts, not the one that is open.
        """
        view = fog.of_a_side(shown)
        if view is None:
            return Rejected(code=Code.MATCH_NOT_STARTED)
        window, asked = self._asked.get(side, (view.stage.window, 0))
        asked = asked if window == view.stage.window else 0
        if asked >= QUESTIONS_MOST:
            return Rejected(code=Code.ASK_MANY)
        self._asked[side] = (view.stage.window, asked + 1)
        return answer(view, kind, about, orders)
