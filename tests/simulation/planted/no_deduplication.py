"""A command that is sent again is carried out again."""

import pytest

from sunglare_protocol.ids import Side
from sunglare_protocol.messages.replies import FrameView
from sunglare_protocol.refusals import Code, Rejected
from sunglare_server.match.record import Body, OrdersGiven
from sunglare_server.match.state import Taken
from sunglare_server.runtime.batch import Batch


def _command(
    self: Batch,
    side: Side,
    command: int,
    body: Body,
    at_ms: int,
    shown: FrameView | None,
    *,
    round_trip_ms: int = 0,  # noqa: ARG001 - the real one has it
) -> Taken | Rejected:
    assert self.state is not None
    if self.state.is_over:
        return Rejected(code=Code.MATCH_OVER)
    if isinstance(body, OrdersGiven):
        refused = self._check_orders(self.state, side, body, shown)
        if refused is not None:
            return refused
    self._seal(body, at_ms, side=side, command=command)
    return self.state.taken[side][-1]


def plant(patch: pytest.MonkeyPatch) -> None:
    """Plant it."""
    patch.setattr(Batch, "command", _command)
