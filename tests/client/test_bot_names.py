"""The names of bots: those of retired ones are understood, and a line says who plays now."""

import pytest

from sunglare_client.bots import BOTS
from sunglare_client.cli.arena_args import arena_parser
from sunglare_client.cli.bot_names import bot_name
from sunglare_client.commands.ladder import ladder_rows
from sunglare_protocol.botnames import RETIRED, SHIPPED, current_name
from sunglare_protocol.messages import Ladder, LadderLine


def test_who_plays_in_place_of_a_retired_bot_is_shipped_and_no_shipped_name_is_retired() -> None:
    assert set(RETIRED.values()) <= set(SHIPPED) == set(BOTS)
    assert not set(RETIRED) & set(SHIPPED)


@pytest.mark.parametrize("name", RETIRED)
def test_a_retired_name_is_understood_with_a_line_on_standard_error(
    name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert bot_name(name) == current_name(name)
    shown = capsys.readouterr()
    assert shown.out == ""
    assert shown.err == f"the bot {name} is retired; {current_name(name)} plays in its place\n"


def test_a_name_of_today_is_taken_without_a_word(capsys: pytest.CaptureFixture[str]) -> None:
    options = arena_parser().parse_args([*SHIPPED, "mine.py:Mine"])
    assert options.bots == [*SHIPPED, "mine.py:Mine"]
    assert capsys.readouterr().err == ""


def test_the_rating_of_a_retired_bot_is_shown_as_one() -> None:
    lines = tuple(
        LadderLine(rank=1, name=name, rating=1500, low=1400, high=1600, matches=9, bot=True)
        for name in ("sweeper", "scout")
    )
    told = Ladder(id=1, family="orlog", lines=lines)
    rows = "\n".join(ladder_rows(told))
    assert "sweeper (retired bot)" in rows
    assert "scout (bot)" in rows
