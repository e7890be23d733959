"""Light on a surface map, by the sector of the planet in which it lies.

Source: none; capital weapons of our rule book §3, "Daylight", OWN. The sun stands in the north,
so the southern sector is night and its neighbours lie in twilight. Lamps that stand on a map
light some of its cells there.
"""

from sunglare_protocol.geometry import Compass, Environs
from sunglare_protocol.surface import Cell
from sunglare_rules.blips.visual_ranges import Light

_DARK: dict[Compass, Light] = {
    Compass.S: Light.MOONLESS,
    Compass.SE: Light.DUSK,
    Compass.SW: Light.DUSK,
}
"""OWN: the sectors that are not in daylight."""


def light_in(sector: Compass) -> Light:
    """Return the light of a surface map that lies in this sector."""
    return _DARK.get(sector, Light.DAY)


def is_day(sector: Compass) -> bool:
    """Return whether it is daylight there, which an overflight needs."""
    return light_in(sector) is Light.DAY


def lit_words(environs: Environs) -> str:
    """Return which cells of a surface map lamps light, as in `lit A1 to C4`; empty if none."""
    blocks = [
        f"{Cell(west, south).name} to {Cell(east, north).name}"
        for west, south, east, north in environs.lit
    ]
    return f"lit {', '.join(blocks)}" if blocks else ""
