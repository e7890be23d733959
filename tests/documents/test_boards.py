"""The boards of the full screen in five sizes are those that it draws now."""

import pytest

from builders.boards import BOARDS, NAMES, text_of


@pytest.mark.parametrize("name", NAMES)
async def test_a_board_is_drawn_in_every_size_as_it_is_kept(name: str) -> None:
    again = "run tests/documents/boards.py to write the boards again, and look at them"
    kept = (BOARDS / f"{name}.txt").read_text(encoding="utf-8")
    assert kept == await text_of(name), again


def test_every_kept_board_has_a_name() -> None:
    assert sorted(path.stem for path in BOARDS.iterdir()) == sorted(NAMES)
