"""Help on commands as rows of a terminal: broken once, at its width, and nowhere before."""

from itertools import pairwise

import pytest

from sunglare_client.fullscreen.pane import broken
from sunglare_client.terminal.helping import help_lines
from sunglare_client.verbs.table import VERBS
from sunglare_client.verbs.verb import Verb


def is_columns(line: str) -> bool:
    """Return whether a line lists words in columns, or choices, instead of saying something."""
    return "   " in line.strip() or "|" in line


@pytest.mark.parametrize("verb", [verb for verb in VERBS if verb.more], ids=lambda verb: verb.name)
def test_every_line_of_help_ends_with_its_sentence(verb: Verb) -> None:
    said = help_lines(verb.name)
    further = [line for line in said[-len(verb.more) :] if not is_columns(line)]
    assert [line for line in further if not line.endswith(".")] == []


@pytest.mark.parametrize("width", [60, 80, 120])
def test_a_row_ends_where_the_next_word_has_no_room(width: int) -> None:
    for line in (*help_lines("fire"), help_lines()[-1]):
        rows = broken(line, width)
        pairs = pairwise(rows)
        assert all(len(row) + 1 + len(after.split()[0]) > width for row, after in pairs)
    assert any(len(broken(line, width)) > 1 for line in help_lines("fire"))


def test_the_list_of_commands_ends_with_one_paragraph_on_how_they_are_typed() -> None:
    assert help_lines()[-1].startswith("Any unambiguous beginning")
    assert help_lines()[-1].endswith("scan.")
