"""Pongs come on their grid while a match is played; see `pongs`."""

from pathlib import Path

from secrecy.pongs import GRID_MS, SPAN_MS, STEP_MS, pongs_on_the_grid


async def test_every_pong_comes_at_the_next_point_of_its_grid_whatever_happens_in_the_match(
    tmp_path: Path,
) -> None:
    came = await pongs_on_the_grid(tmp_path)
    assert came >= 2 * (SPAN_MS - GRID_MS) // STEP_MS
