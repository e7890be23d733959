"""Answering the terminal's questions: `y` right after one agrees, anything else drops it."""

import pytest

from builders.tables import PostedTable
from builders.terminals import over
from client.test_plain import MINE, PLOT, TURN, played
from sunglare_client.terminal.plain import ENDED
from sunglare_client.terminal.screen import CTRL_D

LEFT = "You have left the terminal.\n"


@pytest.mark.parametrize("script", [True, False], ids=["in a script", "at a terminal"])
@pytest.mark.parametrize("word", ["y", "yes", "Y", " YES "])
async def test_y_right_after_a_question_agrees(word: str, script: bool) -> None:
    table = PostedTable(TURN, awaits=MINE)
    code, text = await played(table, "quit", word, "ready", script=script)
    assert code == ENDED
    assert text.endswith(LEFT)
    assert table.given == []


@pytest.mark.parametrize("between", ["n", "", "goals", "# y"])
async def test_any_other_line_drops_the_question(between: str) -> None:
    table = PostedTable((PLOT, over()), awaits=("4.plot",))
    _, text = await played(table, "quit", between, "y", "ready")
    assert LEFT not in text
    assert "THE END" in text


async def test_a_command_on_the_line_of_the_question_drops_it() -> None:
    table = PostedTable((PLOT, over()), awaits=("4.plot",))
    _, text = await played(table, "quit; goals", "yes", "ready")
    assert LEFT not in text
    assert "no command 'yes'" in text


async def test_yes_without_a_question_is_no_command() -> None:
    table = PostedTable((PLOT, over()), awaits=("4.plot",))
    _, text = await played(table, "yes", "ready")
    assert "no command 'yes'" in text


async def test_y_without_a_question_asks_why_as_ever() -> None:
    table = PostedTable((PLOT, over()), awaits=("4.plot",))
    _, short = await played(table, "y rolls", "ready")
    _, whole = await played(PostedTable((PLOT, over()), awaits=("4.plot",)), "why rolls", "ready")
    assert short.replace("> y rolls", "> why rolls") == whole


async def test_y_agrees_to_a_question_once() -> None:
    table = PostedTable((PLOT, over()), awaits=("4.plot",))
    _, text = await played(table, "draw", "y", "yes", "ready")
    assert text.count("A draw is offered") == 1
    question, _, answer = text.partition("A draw is offered")
    assert "The offer is sealed: the others do not see it" in question
    assert "The offer is sealed: the others do not see it" in answer
    assert "no command 'yes'" in text


async def test_y_after_ctrl_d_leaves() -> None:
    table = PostedTable(TURN, awaits=MINE)
    code, text = await played(table, CTRL_D, "y", "ready", script=False)
    assert code == ENDED
    assert text.endswith(LEFT)
    assert table.given == []


async def test_ctrl_d_drops_the_question_before_it() -> None:
    table = PostedTable(TURN, awaits=MINE)
    _, text = await played(table, "resign", CTRL_D, "y", script=False)
    assert "You have resigned." not in text
    assert text.endswith(LEFT)
