"""The map of a surface as rows of text: a letter of terrain for each cell, pieces on top."""

from sunglare_client.text.printable import printable
from sunglare_protocol.geometry import Environs
from sunglare_protocol.surface import Cell, Site
from sunglare_protocol.views import View
from sunglare_protocol.words.ladder import Fate

_WIDE = 4
"""Columns of a drawn cell."""


def draw_surface(view: View, site: Site) -> list[str]:
    """Return a surface map: a letter of terrain for each cell, with the pieces on top.

    North is up; own pieces by their ids, foreign ones by their labels, one for each cell.
    """
    environs = view.board.environs_at(site)
    if environs is None:
        return [f"there is no surface {site.name}"]
    standing = _standing_on(view, site)
    names = {cell: labels[0] for cell, labels in standing.items()}
    head = "   " + "".join(
        f"{Cell(column, 0).name[0]:<{_WIDE}}" for column in range(environs.columns)
    )
    lines = [_title(environs, site), head.rstrip()]
    for row in range(environs.rows - 1, -1, -1):
        cells = (_drawn(environs, Cell(column, row), names) for column in range(environs.columns))
        lines.append(f"{row + 1:>2} {''.join(cells)}".rstrip())
    legend = "., rough  w woods  ~ water  1-4 building  a-c hill   2 inches a cell"
    shared = [
        f"{' '.join(labels)} on {cell.name}" for cell, labels in standing.items() if labels[1:]
    ]
    together = [f"   {', '.join(shared)}"] if shared else []
    return [printable(line) for line in (*lines, *together, f"   {legend}")]


def _title(environs: Environs, site: Site) -> str:
    air = f"{environs.pressure.value} air, {environs.weather.value} weather"
    return f"{site.name}, sector {environs.sector.value}, {air}"


def _standing_on(view: View, site: Site) -> dict[Cell, list[str]]:
    """Return who stands on each cell, own pieces before held tokens before memories."""
    names: dict[Cell, list[str]] = {}
    for unit in view.ground:
        if unit.site == site and unit.cell is not None and unit.fate is Fate.IN_PLAY:
            names.setdefault(unit.cell, []).append(unit.id)
    tokens = [
        token for surface in view.surfaces if surface.site == site for token in surface.tokens
    ]
    for token in sorted(tokens, key=lambda held: held.handle is None):
        if token.fate is Fate.IN_PLAY:
            mark = token.label if token.handle is not None else token.label.lower()
            names.setdefault(token.cell, []).append(mark)
    return names


def _drawn(environs: Environs, cell: Cell, names: dict[Cell, str]) -> str:
    rows = environs.terrain
    letter = rows[environs.rows - 1 - cell.row][cell.column] if rows else "."
    name = names.get(cell, "")
    return f"{letter}{name[: _WIDE - 1]}".ljust(_WIDE)
