"""Entries in the inbox of a match, such as commands and slips, and their answers."""

from collections.abc import Callable, Iterable
from typing import final

import msgspec
from msgspec.structs import replace

from sunglare_protocol.ids import Side, WindowId
from sunglare_protocol.refusals import Rejected
from sunglare_server.match.record import Body, Slipped
from sunglare_server.match.state import Taken

Answered = Callable[[Taken | Rejected], None]
"""Takes the answer to a command; it must not raise."""


@final
class Way(msgspec.Struct):
    """The way of a seat's orders for a window: when they came, and their outcome.

    Times are in ms of the match's clock, 0 for what has not happened: when they were taken out of
    the inbox, stored, and accepted, and when the frames of their window were out.
    """

    window: WindowId
    came_ms: int
    taken_ms: int = 0
    stored_ms: int = 0
    accepted_ms: int = 0
    shown_ms: int = 0


@final
class Pending(msgspec.Struct, frozen=True):
    """A seat's command on its way, with what takes its answer; the operator's has no number.

    `round_trip_ms` is the server's own measure of the line it came by, 0 where there is none.
    `way` is that of orders, for the operator's figures.
    """

    side: Side | None
    command: int | None
    body: Body
    answered: Answered
    round_trip_ms: int = 0
    way: Way | None = None


Heard = Callable[[Way | None, Taken | Rejected], None]
"""Hears how a command is answered, and on which way it was, for the operator's figures."""


def _unheard(way: Way | None, given: Taken | Rejected) -> None:
    del way, given


@final
class Wake(msgspec.Struct, frozen=True):
    """Something is due: look at the clock."""


WAKE = Wake()
"""The one such call there needs to be."""

Item = Pending | Slipped | Wake
"""Whatever a match takes."""


@final
class Unanswered:
    """The numbers of the seats' commands that have no answer as yet, wherever they wait."""

    def __init__(self) -> None:
        """Begin without any."""
        self._ids: dict[Side, list[int]] = {}

    def noted(self, asked: Pending, way: Way | None = None) -> Pending:
        """Return `asked` on its `way`, whose number is noted until it is answered."""
        side, command = asked.side, asked.command
        if side is None or command is None:
            return asked
        ids = self._ids.setdefault(side, [])
        ids.append(command)

        def answered(given: Taken | Rejected) -> None:
            ids.remove(command)
            asked.answered(given)

        return replace(asked, answered=answered, way=way)

    def newest(self, side: Side) -> int:
        """Return the highest number of a side, 0 without any."""
        return max(self._ids.get(side, ()), default=0)


@final
class Answers:
    """The answers that are found and not given as yet, in the order of their commands."""

    def __init__(self) -> None:
        """Begin without any."""
        self._found: list[tuple[Pending, Taken | Rejected]] = []

    def __bool__(self) -> bool:
        """Return whether any waits."""
        return bool(self._found)

    def add(self, found: Iterable[tuple[Pending, Taken | Rejected]]) -> None:
        """Let answers wait behind those that do."""
        self._found += found

    def change(self, other: Callable[[Pending], Taken | Rejected]) -> None:
        """Let every command that waits be answered with what `other` returns for it."""
        self._found = [(asked, other(asked)) for asked, _ in self._found]

    def give(self, heard: Heard = _unheard) -> None:
        """Give them all; `heard` is called with each first."""
        while self._found:
            asked, given = self._found.pop(0)
            heard(asked.way, given)
            asked.answered(given)
