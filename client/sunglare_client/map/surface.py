"""The map of a surface as rows of text: a letter of terrain for each cell, pieces on top."""

from sunglare_client.map.groundchart import GroundChart, GroundPlace, ground_chart
from sunglare_client.map.legend import ground_rows
from sunglare_client.text.printable import printable
from sunglare_protocol.surface import Site
from sunglare_protocol.views import View
from sunglare_protocol.word import spoken
from sunglare_rules.ground.daylight import lit_words

_WIDE = 4
"""Columns of a drawn cell."""


def draw_surface(view: View, site: Site) -> list[str]:
    """Return a surface map: a letter of terrain for each cell, with the pieces on top.

    North is up; own pieces by their ids, foreign ones by their labels, one for each cell.
    """
    chart = ground_chart(view, site)
    if chart is None:
        return [f"there is no surface {site.name}"]
    lines = [
        title(chart),
        f"   {''.join(f'{place.at.name[0]:<{_WIDE}}' for place in chart.rows[0])}",
    ]
    lines += [f"{row[0].at.row + 1:>2} {''.join(map(_drawn, row))}" for row in chart.rows]
    shared = ", ".join(f"{_names(place)} on {place.at.name}" for place in chart.shared)
    legend = ground_rows((place for row in chart.rows for place in row), hides=False)
    lines += [*([f"   {shared}"] if shared else []), f"   {'  '.join(legend)}"]
    return [printable(line.rstrip()) for line in lines]


def title(chart: GroundChart) -> str:
    """Return where a surface map lies, in what air and weather, and which cells are lit."""
    environs = chart.environs
    air = f"{environs.pressure.value} air, {spoken(environs.weather)} weather"
    lit = lit_words(environs)
    lamps = f", {lit}" if lit else ""
    return f"{chart.site.name}, sector {environs.sector.value}, {air}{lamps}"


def _names(place: GroundPlace) -> str:
    return " ".join(cell.name for cell in place.standing)


def _drawn(place: GroundPlace) -> str:
    name = place.standing[0].name if place.standing else ""
    return f"{place.terrain}{name[: _WIDE - 1]}".ljust(_WIDE)
