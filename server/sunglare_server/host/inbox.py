"""What waits in the inbox of a match: commands, ends, slips, and calls to look at the clock."""

from collections.abc import Callable
from typing import final

import msgspec

from sunglare_protocol.ids import Side
from sunglare_protocol.refusals import Rejected
from sunglare_server.match.record import Body, Slipped
from sunglare_server.match.state import Taken

Answered = Callable[[Taken | Rejected], None]
"""Takes the answer to a command; it must not raise."""


@final
class Asked(msgspec.Struct, frozen=True):
    """A seat's command on its way, with what takes its answer; the operator's has no number."""

    side: Side | None
    command: int | None
    body: Body
    answered: Answered


@final
class Wake(msgspec.Struct, frozen=True):
    """Something is due: look at the clock."""


WAKE = Wake()
"""The one such call there needs to be."""

Item = Asked | Slipped | Wake
"""Whatever a match takes."""
