"""What waits in the inbox of a match: commands, ends, slips, and calls to look at the clock."""

from collections.abc import Callable
from typing import final

import msgspec
from msgspec.structs import replace

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


@final
class Unanswered:
    """The numbers of the seats' commands that have no answer as yet, wherever they wait."""

    def __init__(self) -> None:
        """Begin without any."""
        self._ids: dict[Side, list[int]] = {}

    def noted(self, asked: Asked) -> Asked:
        """Return `asked`, whose number is noted until it is answered."""
        side, command = asked.side, asked.command
        if side is None or command is None:
            return asked
        ids = self._ids.setdefault(side, [])
        ids.append(command)

        def answered(given: Taken | Rejected) -> None:
            ids.remove(command)
            asked.answered(given)

        return replace(asked, answered=answered)

    def newest(self, side: Side) -> int:
        """Return the highest number of a side, 0 without any."""
        return max(self._ids.get(side, ()), default=0)
