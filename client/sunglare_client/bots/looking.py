"""What a scan is worth to a bot: how likely it is to find a ship, and the squares it covers."""

from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import NamedTuple

from sunglare_client.bots.belief import Belief
from sunglare_protocol.geometry import Area, Box, Place, Square
from sunglare_protocol.orders import Scan
from sunglare_protocol.views import OwnView, View
from sunglare_protocol.words.scans import Echo, ScanSize, ScanType
from sunglare_rules.sensors.areas import scan_area
from sunglare_rules.sensors.questions import answers, valid
from sunglare_rules.sensors.scans import NEEDS_POPPED_OUT, declared_strength, effective_strength
from sunglare_rules.sensors.signatures import Emitter, contact_signatures, signals

TYPICAL = tuple(
    Emitter(echo=echo, popped_out=popped_out, thrust_spent=thrust)
    for echo in (Echo.SMALL, Echo.MEDIUM)
    for popped_out in (False, True)
    for thrust in (0, 2)
)
"""The enemy ships that a bot reckons with, all alike likely."""

TYPES = (ScanType.VISUAL, ScanType.IR, ScanType.NEUTRINO)
"""The types of scan that a bot considers: radar gives its ship away, mass finds little."""

SIZES = (ScanSize.BOXES, ScanSize.BOX)
"""The sizes of scan that a bot considers."""

LOOKED_AT_CLOSELY = 8
"""For so many of the best scans the blocked squares are left out, which takes a while."""


class Look(NamedTuple):
    """A scan, the squares it covers, and its chance to find a typical ship that is there."""

    scan: Scan
    area: Area
    chance: float


def looks(view: View, ship: OwnView, *, sense: bool = True) -> Iterator[Look]:
    """Yield every scan of boxes that the ship can make now and that finds some typical ship."""
    hull_sensors = ship.powered and ship.popped_out and ship.hull_sensors_work
    for scan_type in TYPES:
        if scan_type in NEEDS_POPPED_OUT and not hull_sensors:
            continue
        for size in SIZES:
            for row in range(view.board.rows):
                for column in range(view.board.columns):
                    look = _look(view, ship, scan_type, size, Box(column, row), sense)
                    if look.chance > 0:
                        yield look


def best_look(
    view: View, ship: OwnView, belief: Belief, care: Callable[[Scan], float] = lambda _: 1.0
) -> tuple[Look, list[Square]] | None:
    """Return the scan most likely to find something, and the squares on which it counts.

    `care` returns a factor, 0 to 1, that makes a scan less attractive.
    """
    found = sorted(looks(view, ship), key=lambda look: -look.chance * belief.share_in(look.area))
    closely = [(look, seen_squares(view, ship, look)) for look in found[:LOOKED_AT_CLOSELY]]
    return max(
        closely,
        key=lambda pair: pair[0].chance * belief.share(pair[1]) * care(pair[0].scan),
        default=None,
    )


def seen_squares(view: View, ship: OwnView, look: Look) -> list[Square]:
    """Return the squares of the scan that no body hides from the ship."""
    here = Place(ship.square, ship.landed)
    return [square for square in look.area.squares() if valid(view.board, here, Place(square))]


@lru_cache(maxsize=256)
def find_chance(scan_type: ScanType, strength: int, sunfactor: int) -> float:
    """Return the share of the typical ships, in sunlight, that such a scan finds."""
    found = sum(
        bool(contact_signatures(signals(scan_type, strength, emitter, sunfactor)))
        for emitter in TYPICAL
    )
    return found / len(TYPICAL)


def _look(
    view: View, ship: OwnView, scan_type: ScanType, size: ScanSize, box: Box, sense: bool
) -> Look:
    board = view.board
    area = scan_area(board, size, box.centre)
    glare = answers(board, Place(ship.square, ship.landed), area).glare
    declared = declared_strength(ship.sensors.get(scan_type, 0), size, 0)
    strength = effective_strength(declared, scan_type, glare, board.sunfactor)
    scan = Scan(ship=ship.id, type=scan_type, size=size, at=box.name, sense=sense)
    return Look(scan, area, find_chance(scan_type, strength, board.sunfactor))
