"""Squares that a lasting map has to show: those that a player asked for or received."""

from collections.abc import Iterator
from typing import NamedTuple, final

from sunglare_client.map.evidence import ON_A_SQUARE
from sunglare_protocol.geometry import Area, Square
from sunglare_protocol.messages import Frame
from sunglare_protocol.notices import ShotResult
from sunglare_protocol.views import View


@final
class Sight(NamedTuple):
    """Squares that are to come into sight, the first of them in any case.

    `asked` counts how often that was asked for: a map moves once for each number. It is drawn
    around them if they are `centred`, else it moves only as long as they are not all in sight.
    """

    squares: tuple[Square, ...] = ()
    asked: int = 0
    centred: bool = False

    def led(self, *squares: Square, centred: bool = False) -> "Sight":
        """Return a sight of these squares; the same as before without any."""
        return Sight(squares, self.asked + 1, centred) if squares else self

    def middle(self, across: int, down: int) -> Square | None:
        """Return the middle of as many of the squares, in their order, as fit that many."""
        if not self.squares:
            return None
        first = self.squares[0]
        area = Area(first.x, first.y, first.x, first.y)
        for square in self.squares:
            wider = Area(
                min(area.west, square.x),
                min(area.north, square.y),
                max(area.east, square.x),
                max(area.south, square.y),
            )
            if wider.east - wider.west < across and wider.south - wider.north < down:
                area = wider
        return Square((area.west + area.east) // 2, (area.north + area.south) // 2)


def told_squares(frame: Frame) -> tuple[Square, ...]:
    """Return where what a frame reports has happened: contacts, tracks, and shots."""
    return tuple(dict.fromkeys(_told(frame)))


def _told(frame: Frame) -> Iterator[Square]:
    contacts = frame.view.contacts if isinstance(frame.view, View) else ()
    for notice in frame.notices:
        if isinstance(notice, ON_A_SQUARE):
            yield notice.square
        elif isinstance(notice, ShotResult):
            yield from (held.square for held in contacts if held.handle == notice.at)
