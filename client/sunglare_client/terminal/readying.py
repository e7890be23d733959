"""The ready line: what would be lost and left undone if the orders were locked as they stand."""

from typing import Final

from sunglare_client.terminal.turn_session import TurnSession
from sunglare_client.text.reviews import idle_lines, loss_line
from sunglare_client.verbs.written import legal_text
from sunglare_rules.advice.review.review import review

SURE: Final = "Ready all the same? y, or ready! (anything else: no)"
"""The question where something would be lost, or no ship has an order."""

ASKED: Final = "Ready? y, or ready (anything else: no)"
"""The question of an empty line where nothing speaks against it."""


def doubts(session: TurnSession) -> list[str]:
    """Return the question that `ready` raises; no line if the orders may go as they are.

    A loss is always asked about, and idleness only if no ship that could act has an order; that
    the sensors of a set-up go out by themselves is none.
    """
    losses = review(session.view, session.plan).losses
    if not (losses or review(session.view, session.decided).all_idle):
        return []
    lost = [loss_line(loss) for loss in losses]
    return [*lost, *_undone(session), SURE]


def question(session: TurnSession) -> list[str]:
    """Return the question that an empty line raises, which never commits by itself."""
    texts = "; ".join(legal_text(order, session.view) for order in session.plan)
    return [f"orders: {texts or 'none'}", *(doubts(session) or [*_undone(session), ASKED])]


def sent_lines(session: TurnSession) -> list[str]:
    """Return what was locked, and what it leaves undone."""
    texts = "; ".join(legal_text(order, session.view) for order in session.plan)
    return [f"ready: {texts or 'no orders'}; waiting for the others", *_undone(session)]


def _undone(session: TurnSession) -> list[str]:
    idle = review(session.view, session.plan).idle
    return [f"  {line}" for line in idle_lines(idle, session.view)]
