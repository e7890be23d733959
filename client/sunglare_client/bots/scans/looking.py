"""Looks: the chance of a scan to find a ship, and the squares it covers."""

from collections.abc import Callable, Iterator
from functools import lru_cache
from heapq import nsmallest
from typing import NamedTuple

from sunglare_client.bots.sightings.belief import Belief
from sunglare_protocol.geometry import Area, Board, Place
from sunglare_protocol.orders import Scan
from sunglare_protocol.views import OwnView, View
from sunglare_protocol.words.scans import Echo, ScanSize, ScanType
from sunglare_rules.sensors.areas import scan_area
from sunglare_rules.sensors.masks import area_mask, seen_from
from sunglare_rules.sensors.questions import glares
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
    return (glance.closely(ship, sense=sense) for glance in _glances(view, ship))


class _Glance(NamedTuple):
    """A look before its scan is put into words, as most are not worth that."""

    chance: float
    area: Area
    type: ScanType
    size: ScanSize
    at: str

    def closely(self, ship: OwnView, *, sense: bool = True) -> Look:
        """Return the look of a ship."""
        scan = Scan(ship=ship.id, type=self.type, size=self.size, at=self.at, sense=sense)
        return Look(scan, self.area, self.chance)


def _glances(view: View, ship: OwnView, types: tuple[ScanType, ...] = TYPES) -> Iterator[_Glance]:
    board, here = view.board, Place(ship.square, ship.landed)
    places = [
        (size, name, area, glares(board, here, area))
        for size in SIZES
        for name, area in _areas(board, size)
    ]
    for scan_type in _types(ship, types):
        chances = {
            (size, glare): _chance(board, ship, scan_type, size, glare=glare)
            for size in SIZES
            for glare in (False, True)
        }
        for size, name, area, glare in places:
            if (chance := chances[size, glare]) > 0:
                yield _Glance(chance, area, scan_type, size, name)


def best_look(
    view: View,
    ship: OwnView,
    belief: Belief,
    care: Callable[[Scan], float] = lambda _: 1.0,
    *,
    sense: bool = True,
    types: tuple[ScanType, ...] = TYPES,
) -> tuple[Look, int] | None:
    """Return the scan most likely to find something, and the mask of where it counts.

    `care` returns a factor, 0 to 1, that makes a scan less attractive.
    """
    found = list(_glances(view, ship, types))
    shares = {area: belief.share_in(area) for area in dict.fromkeys([one.area for one in found])}
    best = nsmallest(LOOKED_AT_CLOSELY, found, key=lambda one: -one.chance * shares[one.area])
    likely = [glance.closely(ship, sense=sense) for glance in best]
    closely = [(look, seen_squares(view, ship, look)) for look in likely]
    return max(
        closely,
        key=lambda pair: pair[0].chance * belief.share(pair[1]) * care(pair[0].scan),
        default=None,
    )


def seen_squares(view: View, ship: OwnView, look: Look) -> int:
    """Return the mask of the squares of the scan that no body hides from the ship."""
    seen = seen_from(view.board, Place(ship.square, ship.landed))
    return seen & area_mask(view.board, look.area)


@lru_cache(maxsize=256)
def find_chance(scan_type: ScanType, strength: int, sunfactor: int) -> float:
    """Return the share of the typical ships, in sunlight, that such a scan finds."""
    found = sum(
        bool(contact_signatures(signals(scan_type, strength, emitter, sunfactor)))
        for emitter in TYPICAL
    )
    return found / len(TYPICAL)


def _types(ship: OwnView, types: tuple[ScanType, ...]) -> Iterator[ScanType]:
    """Yield those of the types of scans that the ship can make now."""
    hull_sensors = ship.powered and ship.popped_out and ship.hull_sensors_work
    for scan_type in types:
        if hull_sensors or scan_type not in NEEDS_POPPED_OUT:
            yield scan_type


@lru_cache(maxsize=64)
def _areas(board: Board, size: ScanSize) -> tuple[tuple[str, Area], ...]:
    """Return the boxes of the map by name, each with what a scan around it covers."""
    return tuple((box.name, scan_area(board, size, box.centre)) for box in board.boxes())


def _chance(
    board: Board, ship: OwnView, scan_type: ScanType, size: ScanSize, *, glare: bool
) -> float:
    declared = declared_strength(ship.sensors.get(scan_type, 0), size, 0)
    strength = effective_strength(declared, scan_type, glare, board.sunfactor)
    return find_chance(scan_type, strength, board.sunfactor)
