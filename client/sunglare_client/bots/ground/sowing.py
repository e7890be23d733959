"""Lines of remote sensors that a garrison lays across a map, which see in any weather.

Each is laid apart from the others, so that soon nothing lands or walks there unseen. Once a foe
has landed, it is too late for more.
"""

from collections.abc import Iterator

from sunglare_client.bots.fire.bombarding import marks
from sunglare_client.bots.ground.landings import ways_of
from sunglare_client.bots.movement.measures import inches_apart
from sunglare_protocol.orders import Launch, Order
from sunglare_protocol.surface import Cell, GroundKind, Site
from sunglare_protocol.views import View
from sunglare_protocol.views.ground import GroundView
from sunglare_protocol.words.armament import Launchable
from sunglare_protocol.words.ladder import Fate
from sunglare_rules.ground.terrain import Kind, terrain_at

GAP_INCHES = 8.0
"""Two sensors are at least so far apart."""

MOST = 12
"""So many sensors are enough for each unit that lays them, lost ones among them."""


def sown(view: View) -> Iterator[Order]:
    """Yield the moves of units with sensors to lay, and the sensors laid at their ends."""
    laid = [unit for unit in view.ground if unit.kind is GroundKind.REMOTE]
    sowers = [unit for unit in view.ground if unit.dispensers]
    for unit in sowers:
        if unit.fate is not Fate.IN_PLAY or unit.site is None:
            continue
        if len(laid) < MOST * len(sowers) and not marks(view, unit.site):
            yield from _laid(view, unit, unit.site, _sensors(view, unit.site))


def _sensors(view: View, site: Site) -> list[Cell]:
    return [
        unit.cell
        for unit in view.ground
        if unit.kind is GroundKind.REMOTE
        and unit.fate is Fate.IN_PLAY
        and unit.site == site
        and unit.cell is not None
    ]


def _laid(view: View, unit: GroundView, site: Site, laid: list[Cell]) -> Iterator[Order]:
    """Yield the move to where a sensor is wanted most, and the sensor if none is near there."""
    environs = view.board.environs_at(site)
    if environs is None:
        return

    def gap(cell: Cell) -> float:
        return min((inches_apart(cell, other) for other in laid), default=GAP_INCHES)

    dry = [
        way
        for way in ways_of(view, unit)
        if terrain_at(environs, way.path[-1]).kind is not Kind.WATER
    ]
    best = max(dry, key=lambda way: (gap(way.path[-1]), len(way.path)), default=None)
    if best is None:
        return
    yield best
    if gap(best.path[-1]) >= GAP_INCHES:
        yield Launch(ship=unit.id, what=Launchable.REMOTE)
