"""How light it is on a surface map, by the sector of the planet in which it lies.

Source: none; capital weapons of our rule book §3, "Daylight", OWN. The sun stands in the north,
so the southern sector is night and its neighbours lie in twilight.
"""

from sunglare_protocol.geometry import Compass
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
