"""The pictures of the full screen are what it draws now, and ask nobody for anything."""

import pytest

from builders.screens import NAMED, PICTURES, SCREENS, file_name, picture_of

IDS = [file_name(*picture) for picture in PICTURES]


@pytest.mark.parametrize(("name", "size", "mono"), PICTURES, ids=IDS)
async def test_a_picture_shows_what_the_screen_draws(
    name: str,
    size: tuple[int, int],
    mono: bool,
) -> None:
    again = "run tests/documents/screens.py to draw the screens anew, and look at them"
    kept = SCREENS / file_name(name, size, mono)
    assert kept.read_text(encoding="utf-8") == await picture_of(name, size, mono), again


def test_there_is_no_other_picture() -> None:
    assert sorted(path.name for path in SCREENS.iterdir()) == sorted(IDS)
    assert len(NAMED) >= 12


def test_no_picture_asks_another_host_for_anything() -> None:
    for path in SCREENS.iterdir():
        drawn = path.read_text(encoding="utf-8").replace("http://www.w3.org/2000/svg", "")
        assert "http" not in drawn
