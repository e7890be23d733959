"""Panes of text and bars: nothing is cut unless it says how much."""

from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from sunglare_client.fullscreen.pane import broken

LINES = st.text(st.sampled_from("abcdefgh ,.()+-12"), max_size=200)


@given(LINES, st.integers(8, 140))
def test_a_line_that_is_broken_keeps_every_letter_and_fits(line: str, width: int) -> None:
    rows = broken(line, width)
    assert all(len(row) <= width for row in rows)
    assert "".join("".join(rows).split()) == "".join(line.split())


@given(LINES, st.integers(8, 140))
def test_what_follows_of_a_broken_line_stands_farther_right(line: str, width: int) -> None:
    _, *more = broken(line, width) or [""]
    assert all(row.startswith(" ") for row in more)


@given(st.text(alphabet="ab 星光의中ｗ", max_size=120), st.integers(10, 60))
def test_wide_letters_count_two_columns(line: str, width: int) -> None:
    rows = broken(line, width)
    assert all(cell_len(row) <= width for row in rows)
    assert "".join("".join(rows).split()) == "".join(line.split())
