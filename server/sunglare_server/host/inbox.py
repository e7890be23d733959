"""What waits in the inbox of a match: commands, ends, slips, and calls to look at the clock."""

from collections.abc import Callable
from typing import final

import msgspec

from sunglare_protocol.ids import Side
from sunglare_protocol.refusals import Rejected
from sunglare_server.match.record import Body, Restarted, Slipped
from sunglare_server.match.state import Taken

Answered = Callable[[Taken | Rejected], None]
"""Takes the answer to a command; it must not raise."""


@final
class Asked(msgspec.Struct, frozen=True):
    """A seat's command on its way, with what takes its answer; the operator's has no number.

    `round_trip_ms` is the server's own measure of the line it came by, 0 where there is none.
    """

    side: Side | None
    command: int | None
    body: Body
    answered: Answered
    round_trip_ms: int = 0


@final
class Wake(msgspec.Struct, frozen=True):
    """Something is due: look at the clock."""


WAKE = Wake()
"""The one such call there needs to be."""

Item = Asked | Slipped | Restarted | Wake
"""Whatever a match takes."""
