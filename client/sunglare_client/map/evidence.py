"""Places behind a notice: a scan's box, a line, a square."""

from collections.abc import Iterator
from typing import NamedTuple, final

from sunglare_client.map.cells import Cell, Layer, Overlay, What
from sunglare_client.map.layers import line, tells_anything
from sunglare_protocol.geometry import Square
from sunglare_protocol.ids import Handle, OwnId, Side
from sunglare_protocol.notices import (
    CloakedFound,
    ContactSeen,
    Notice,
    RadarSeen,
    ScanAnswered,
    ScanResult,
    ShooterKnown,
    ShotResult,
    ShotSeen,
    SweepSeen,
    TrackGained,
)
from sunglare_protocol.orders import Scan
from sunglare_protocol.views import View
from sunglare_rules.advice.odds.candidates import scanner_squares
from sunglare_rules.advice.seen.lookup import ships_in_play

_NOBODY = OwnId("")
"""The ship of a scan that is drawn as all sides heard it."""

ON_A_SQUARE = (
    RadarSeen,
    ShotSeen,
    SweepSeen,
    ContactSeen,
    TrackGained,
    ShooterKnown,
    CloakedFound,
)
"""The notices that name the square of a piece."""


@final
class Evidence(NamedTuple):
    """What to draw of a notice: the box of a `scan`, and the cells `over` the ground."""

    scan: Scan | None = None
    over: Overlay = ()

    @property
    def middle(self) -> Square | None:
        """Return the middle of the cells; None without any."""
        across = [square.x for square, _ in self.over]
        down = [square.y for square, _ in self.over]
        if not self.over:
            return None
        return Square((min(across) + max(across)) // 2, (min(down) + max(down)) // 2)


NONE = Evidence()
"""What there is to draw where it is no matter of place."""


def evidence(view: View, notice: Notice) -> Evidence:
    """Return what may be drawn of a notice, by the view that came with it.

    Of a scan its box, with the squares that its answers leave for the scanner; of an own scan or
    shot the lines to what it found or was aimed at; else the square that the notice names.
    """
    match notice:
        case ScanAnswered():
            scan = Scan(ship=_NOBODY, type=notice.type, size=notice.size, at=notice.at)
            return Evidence(scan, _answered(view, notice))
        case ScanResult():
            return Evidence(over=tuple(_lines(view, notice.ship, *notice.found)))
        case ShotResult():
            return Evidence(over=tuple(_lines(view, notice.ship, notice.at)))
        case _ if isinstance(notice, ON_A_SQUARE):
            return Evidence(over=((notice.square, Cell(What.SPOT, Layer.TRACE)),))
        case _:
            return NONE


def newest(view: View) -> Evidence:
    """Return what may be drawn of the newest entry of the public record that has a place."""
    found = (evidence(view, notice) for notice in reversed(view.record))
    return next((each for each in found if each != NONE), NONE)


def _answered(view: View, notice: ScanAnswered) -> Overlay:
    is_own = notice.side == Side(view.audience)
    cell = Cell(What.PLACE, Layer.TRACE, is_own=is_own, side=notice.side)
    squares = scanner_squares(view, notice)
    return tuple((square, cell) for square in squares) if tells_anything(view, squares) else ()


def _lines(view: View, own: OwnId, *targets: Handle) -> Iterator[tuple[Square, Cell]]:
    start = next((ship.square for ship in ships_in_play(view) if ship.id == own), None)
    ends = [contact.square for contact in view.contacts if contact.handle in targets]
    for end in ends:
        yield from () if start is None else line(start, end)
