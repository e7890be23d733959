"""Ranges of sight: by the kind of spotter, the light and the weather.

Source: Alpha Strike, "Visual Spotting"; the tables are those of blips of our rule book §2.1.
All ranges are in inches and inclusive.
"""

from sunglare_protocol.surface import Weather
from sunglare_protocol.word import Word


class Eyes(Word):
    """The kinds of spotter that the tables distinguish."""

    GROUND = "ground"
    INFANTRY = "infantry"
    AEROSPACE = "aerospace"
    LARGE_CRAFT = "large_craft"


class Light(Word):
    """How light it is."""

    DAY = "day"
    DUSK = "dusk"
    FULL_MOON = "full_moon"
    MOONLESS = "moonless"
    PITCH_BLACK = "pitch_black"


Row = dict[Eyes, int]
"""One line of a table: inches by the kind of spotter."""


def _row(ground: int, infantry: int, aerospace: int, large_craft: int) -> Row:
    return {
        Eyes.GROUND: ground,
        Eyes.INFANTRY: infantry,
        Eyes.AEROSPACE: aerospace,
        Eyes.LARGE_CRAFT: large_craft,
    }


LIGHT_ROWS: dict[Light, Row] = {
    Light.DAY: _row(120, 60, 240, 140),
    Light.DUSK: _row(30, 16, 60, 40),
    Light.FULL_MOON: _row(20, 10, 40, 30),
    Light.MOONLESS: _row(10, 4, 20, 16),
    Light.PITCH_BLACK: _row(6, 2, 10, 8),
}
"""Ranges by light; dawn is dusk."""

LIT_ROW = _row(90, 90, 90, 90)
"""Ranges to a target that is lit, outside daylight."""

SEARCHLIGHT_ROW = _row(60, 20, 60, 60)
"""Ranges with a searchlight of the spotter, outside daylight."""

WEATHER_ROWS: dict[Weather, Row] = {
    Weather.CLEAR: _row(120, 60, 240, 140),
    Weather.LIGHT: _row(60, 30, 120, 70),
    Weather.MODERATE: _row(40, 20, 100, 50),
    Weather.HEAVY: _row(30, 16, 60, 40),
    Weather.STORM: _row(20, 10, 40, 30),
    Weather.HEAVY_FOG: _row(10, 4, 20, 16),
}
"""Ranges by weather."""


def visual_range(
    eyes: Eyes,
    light: Light,
    weather: Weather = Weather.CLEAR,
    *,
    target_lit: bool = False,
    searchlight: bool = False,
) -> int:
    """Return how far such a spotter sees, in inches: the shorter of light and weather.

    Outside daylight a lit target, or else the spotter's searchlight, stands in for the light.
    """
    row = LIGHT_ROWS[light]
    if light is not Light.DAY and target_lit:
        row = LIT_ROW
    elif light is not Light.DAY and searchlight:
        row = SEARCHLIGHT_ROW
    return min(row[eyes], WEATHER_ROWS[weather][eyes])
