"""Empty lines: a person's means `ready` where orders are asked, a script's means nothing."""

from builders.tables import PostedTable
from builders.terminals import KITE, over
from client.test_plain import PLOT, locked, played
from sunglare_client.terminal.screen import CTRL_D
from sunglare_protocol.orders import Turn

TURNED = {"4.plot": (Turn(ship=KITE.id, steps=1),)}


def plot() -> PostedTable:
    return PostedTable((PLOT, over()), awaits=("4.plot",))


async def test_an_empty_line_of_a_person_means_ready() -> None:
    table = plot()
    _, text = await played(table, "turn S1 +1", " ", script=False)
    assert locked(table) == TURNED
    assert "THE END" in text


async def test_next_means_ready() -> None:
    table = plot()
    _, text = await played(table, "turn S1 +1", "next")
    assert locked(table) == TURNED
    assert "ready: turn S1 +1; waiting for the others" in text


async def test_an_empty_line_of_a_script_means_nothing() -> None:
    table = plot()
    await played(table, "", "turn S1 +1", "ready")
    assert locked(table) == TURNED


async def test_an_empty_line_after_a_question_only_drops_it() -> None:
    table = plot()
    await played(table, "quit", "", "turn S1 +1", "ready", script=False)
    assert locked(table) == TURNED


async def test_an_empty_line_after_ctrl_d_only_drops_the_question() -> None:
    table = plot()
    await played(table, CTRL_D, "", "turn S1 +1", "ready", script=False)
    assert locked(table) == TURNED
