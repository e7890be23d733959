"""Who sat in a match, by the header of its file."""

import pytest

from sunglare_client.replays.finding import header_text
from sunglare_client.replays.naming import names_in

NAMES = {"A": "Anna", "B": "hunter", "C": ""}


def test_bots_are_marked_and_sides_without_a_name_are_left_out() -> None:
    assert names_in({"names": NAMES, "bots": ["B", "C"]}) == {"A": "Anna", "B": "hunter (bot)"}
    assert names_in({"names": NAMES}) == {"A": "Anna", "B": "hunter"}


@pytest.mark.parametrize("bots", [None, "B", 7, {"B": 1}, [1, None]])
def test_of_what_makes_no_sense_nothing_is_shown(bots: object) -> None:
    assert names_in({"names": NAMES, "bots": bots}) == {"A": "Anna", "B": "hunter"}
    assert names_in({"names": bots, "bots": ["B"]}) == {}


def test_the_list_of_kept_matches_marks_bots() -> None:
    assert "A Anna, B hunter (bot)" in header_text({"names": NAMES, "bots": ["B"]})
