"""Surface maps for tests, drawn as text, and strategies of cells and maps."""

from hypothesis import strategies as st

from sunglare_protocol.geometry import Compass, Environs
from sunglare_protocol.surface import CELL_INCHES, Cell
from sunglare_rules.ground.terrain import LETTERS


def drawn(*rows: str) -> Environs:
    """Return an environs whose map is drawn by rows, the northern one first."""
    return Environs(
        number=1,
        sector=Compass.N,
        width=CELL_INCHES * len(rows[0]),
        height=CELL_INCHES * len(rows),
        terrain=rows,
    )


def cells_of(environs: Environs) -> st.SearchStrategy[Cell]:
    """Return a strategy of the cells of a map."""
    columns = st.integers(0, environs.columns - 1)
    return st.builds(Cell, columns, st.integers(0, environs.rows - 1))


@st.composite
def maps(draw: st.DrawFn) -> Environs:
    """Return a strategy of small maps with terrain of every kind."""
    width, height = draw(st.integers(1, 9)), draw(st.integers(1, 9))
    row = st.text("".join(LETTERS), min_size=width, max_size=width)
    return drawn(*draw(st.lists(row, min_size=height, max_size=height)))
