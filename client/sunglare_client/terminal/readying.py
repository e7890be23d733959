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


def doubts(desk: TurnSession) -> list[str]:
    """Return the question that `ready` raises; no line if the orders may go as they are.

    A loss is always asked about, and idleness only if no ship that could act has an order; that
    the sensors of a set-up go out by themselves is none.
    """
    losses = review(desk.view, desk.plan).losses
    if not (losses or review(desk.view, desk.decided).all_idle):
        return []
    lost = [loss_line(loss) for loss in losses]
    return [*lost, *_undone(desk), SURE]


def question(desk: TurnSession) -> list[str]:
    """Return the question that an empty line raises, which never commits by itself."""
    texts = "; ".join(legal_text(order, desk.view) for order in desk.plan)
    return [f"orders: {texts or 'none'}", *(doubts(desk) or [*_undone(desk), ASKED])]


def sent_lines(desk: TurnSession) -> list[str]:
    """Return what was locked, and what it leaves undone."""
    texts = "; ".join(legal_text(order, desk.view) for order in desk.plan)
    return [f"ready: {texts or 'no orders'}; waiting for the others", *_undone(desk)]


def _undone(desk: TurnSession) -> list[str]:
    idle = review(desk.view, desk.plan).idle
    return [f"  {line}" for line in idle_lines(idle, desk.view)]
