"""The questions that the seats of one match ask: answered from a view alone, so many a window.

They are no part of the match: nothing of them is stored, and a restart counts anew.
"""

from typing import final

from sunglare_protocol.answers import AnswerBody
from sunglare_protocol.commands import Question
from sunglare_protocol.ids import Side, WindowId
from sunglare_protocol.orders import Order
from sunglare_protocol.refusals import Code, Rejected
from sunglare_protocol.views import View
from sunglare_rules.advice.answer import answer

QUESTIONS_MOST = 20
"""OWN: how many questions of a seat are answered in one window, refusals of them included."""


@final
class Questions:
    """How often each seat has asked in the window that it was shown last."""

    def __init__(self) -> None:
        """Begin with nothing asked."""
        self._asked: dict[Side, tuple[WindowId, int]] = {}

    def answer(
        self, side: Side, view: View, kind: Question, about: Order | str | None
    ) -> AnswerBody | Rejected:
        """Return the answer that `view` gives, or a refusal if the seat has asked often enough.

        `view` is what `side` was shown last; its window counts, not the one that is open.
        """
        shown = view.stage.window
        window, asked = self._asked.get(side, (shown, 0))
        asked = asked if window == shown else 0
        if asked >= QUESTIONS_MOST:
            return Rejected(code=Code.ASK_MANY)
        self._asked[side] = (shown, asked + 1)
        return answer(view, kind, about)
