"""How far eyes see: every cell of both tables, and what lamps change."""

from itertools import product

import pytest

from sunglare_protocol.surface import Weather
from sunglare_rules.blips.visual_ranges import Eyes, Light, visual_range

COLUMNS = (Eyes.GROUND, Eyes.INFANTRY, Eyes.AEROSPACE, Eyes.LARGE_CRAFT)
BY_LIGHT = {
    Light.DAY: (120, 60, 240, 140),
    Light.DUSK: (30, 16, 60, 40),
    Light.FULL_MOON: (20, 10, 40, 30),
    Light.MOONLESS: (10, 4, 20, 16),
    Light.PITCH_BLACK: (6, 2, 10, 8),
}
BY_WEATHER = {
    Weather.CLEAR: (120, 60, 240, 140),
    Weather.LIGHT: (60, 30, 120, 70),
    Weather.MODERATE: (40, 20, 100, 50),
    Weather.HEAVY: (30, 16, 60, 40),
    Weather.STORM: (20, 10, 40, 30),
    Weather.HEAVY_FOG: (10, 4, 20, 16),
}


@pytest.mark.parametrize("light", Light, ids=lambda light: light.value)
@pytest.mark.parametrize("eyes", Eyes, ids=lambda eyes: eyes.value)
def test_in_clear_air_the_light_alone_decides(eyes: Eyes, light: Light) -> None:
    assert visual_range(eyes, light) == BY_LIGHT[light][COLUMNS.index(eyes)]


@pytest.mark.parametrize("weather", Weather, ids=lambda weather: weather.value)
@pytest.mark.parametrize("eyes", Eyes, ids=lambda eyes: eyes.value)
def test_by_day_the_weather_alone_decides(eyes: Eyes, weather: Weather) -> None:
    expected = BY_WEATHER[weather][COLUMNS.index(eyes)]
    assert visual_range(eyes, Light.DAY, weather) == expected


def test_the_shorter_of_light_and_weather_counts() -> None:
    for eyes, light, weather in product(Eyes, Light, Weather):
        column = COLUMNS.index(eyes)
        expected = min(BY_LIGHT[light][column], BY_WEATHER[weather][column])
        assert visual_range(eyes, light, weather) == expected


@pytest.mark.parametrize("light", list(Light)[1:], ids=lambda light: light.value)
def test_a_lit_target_is_seen_from_ninety_inches_outside_daylight(light: Light) -> None:
    assert [visual_range(eyes, light, target_lit=True) for eyes in COLUMNS] == [90, 60, 90, 90]


@pytest.mark.parametrize("light", list(Light)[1:], ids=lambda light: light.value)
def test_a_searchlight_reaches_sixty_inches_and_that_of_infantry_twenty(light: Light) -> None:
    ranges = [visual_range(eyes, light, searchlight=True) for eyes in COLUMNS]
    assert ranges == [60, 20, 60, 60]


def test_a_lit_target_beats_the_searchlight() -> None:
    seen = visual_range(Eyes.GROUND, Light.PITCH_BLACK, target_lit=True, searchlight=True)
    assert seen == 90


def test_lamps_change_nothing_by_day() -> None:
    for eyes in Eyes:
        plain = visual_range(eyes, Light.DAY)
        assert visual_range(eyes, Light.DAY, target_lit=True, searchlight=True) == plain


def test_lamps_and_light_never_shorten_sight() -> None:
    for eyes, light, weather in product(Eyes, Light, Weather):
        plain = visual_range(eyes, light, weather)
        assert visual_range(eyes, light, weather, searchlight=True) >= plain
        assert visual_range(eyes, light, weather, target_lit=True) >= plain
