"""Surface maps with all who are there, and which of them a picture shows.

A picture of a match in which no piece was on a surface shows space alone, as most do.
"""

from collections.abc import Iterable
from typing import NamedTuple, final

from sunglare_client.map.cells import Cell, Mark
from sunglare_client.map.groundchart import GroundPlace, ground_chart
from sunglare_client.map.marks import marks_of
from sunglare_client.map.surface import title
from sunglare_client.text.printable import printable
from sunglare_protocol.geometry import Environs
from sunglare_protocol.surface import Cell as GroundCell
from sunglare_protocol.surface import Site
from sunglare_protocol.views import TruthView, View
from sunglare_protocol.views.ground import AgentPieceView, AgentView
from sunglare_protocol.words.ladder import Fate


@final
class Ground(NamedTuple):
    """A surface map with all who are there: on its cells, or only known to be there, by name."""

    title: str
    rows: tuple[tuple[GroundPlace, ...], ...]
    site: Site
    agents: tuple[str, ...]
    is_truth: bool

    @property
    def is_empty(self) -> bool:
        """Return whether no piece is there."""
        return not self.agents and not any(place.standing for row in self.rows for place in row)

    def words(self) -> list[str]:
        """Return who is there, one by one."""
        found = [
            f"{cell.name} at {self.site.name} {place.at.name}"
            for row in self.rows
            for place in row
            for cell in place.standing
        ]
        return [*found, *(f"{name} at {self.site.name}" for name in self.agents)]

    def notes(self) -> list[str]:
        """Return what the map cannot show: who shares a cell, and who is on none."""
        shared = [
            f"{' '.join(cell.name for cell in place.standing)} on {place.at.name}"
            for row in self.rows
            for place in row
            if len(place.standing) > 1
        ]
        agents = [f"agents {' '.join(self.agents)}"] if self.agents else []
        told = ", ".join([*shared, *agents])
        return [f"{self.site.name}: {told}"] if told else []


def sites_in_use(views: Iterable[View | TruthView]) -> tuple[Site, ...]:
    """Return the surface maps on which a piece is in one of these views."""
    used: set[Site] = set()
    for view in views:
        found = grounds_of(view, tuple(site for site in _all_sites(view) if site not in used))
        used.update(ground.site for ground in found if not ground.is_empty)
    return tuple(sorted(used))


def _all_sites(view: View | TruthView) -> list[Site]:
    planets = view.board.planets
    return [Site(planet.name, one.number) for planet in planets for one in planet.environs]


def grounds_of(view: View | TruthView, sites: tuple[Site, ...]) -> tuple[Ground, ...]:
    """Return these surface maps as a view has them."""
    marks = marks_of(view)
    found = [_ground(view, marks, site) for site in sites]
    return tuple(ground for ground in found if ground is not None)


def _ground(view: View | TruthView, marks: list[Mark], site: Site) -> Ground | None:
    chart = ground_chart(view, site)
    if chart is None:
        return None
    landed = _landed(chart.environs, marks, site)
    rows = tuple(tuple(_place(place, landed) for place in row) for row in chart.rows)
    is_truth = isinstance(view, TruthView)
    return Ground(printable(title(chart)), rows, site, _agents(view, site), is_truth)


def _place(place: GroundPlace, landed: dict[GroundCell, list[Cell]]) -> GroundPlace:
    units = [cell._replace(name=printable(cell.name)) for cell in place.standing]
    names = [cell.name for cell in units]
    ships = (ship for ship in landed.get(place.at, ()) if ship.name not in names)
    return place._replace(standing=(*units, *ships))


def _landed(environs: Environs, marks: list[Mark], site: Site) -> dict[GroundCell, list[Cell]]:
    """Return the landed ships of a surface map by the cell on which they stand."""
    found: dict[GroundCell, list[Cell]] = {}
    for mark in marks:
        if mark.landing is not None and mark.landing.site == site:
            at = mark.landing.cell
            found.setdefault(environs.middle if at is None else at, []).append(mark.cell)
    return found


def _agents(view: View | TruthView, site: Site) -> tuple[str, ...]:
    if isinstance(view, TruthView):
        names = [f"{one.side}.{one.id}" for one in view.agents if _is_at(one, site)]
    else:
        names = [one.id for one in view.agents if _is_at(one, site)]
    return tuple(map(printable, names))


def _is_at(agent: AgentView | AgentPieceView, site: Site) -> bool:
    return agent.site == site and agent.fate is Fate.IN_PLAY
