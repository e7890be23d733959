"""Empty lines: a person's only asks whether to be ready, a script's means nothing."""

from builders.tables import PostedTable
from builders.terminals import KITE, over
from client.test_plain import PLOT, locked, played
from sunglare_client.terminal.readying import ASKED, SURE
from sunglare_client.terminal.screen import CTRL_D
from sunglare_protocol.orders import Turn

TURNED = {"4.plot": (Turn(ship=KITE.id, steps=1),)}


def plot() -> PostedTable:
    return PostedTable((PLOT, over()), awaits=("4.plot",))


async def test_an_empty_line_of_a_person_asks_and_y_commits() -> None:
    table = plot()
    _, text = await played(table, "turn S1 +1", " ", "y", script=False)
    assert locked(table) == TURNED
    assert ASKED in text
    assert "THE END" in text


async def test_empty_lines_alone_never_commit() -> None:
    table = plot()
    _, text = await played(table, "turn S1 +1", *[""] * 9, script=False)
    assert text.count(ASKED) == 9
    assert not any(lock for _, _, lock in table.given)


async def test_an_empty_line_names_what_speaks_against_being_ready() -> None:
    table = plot()
    _, text = await played(table, "", "no", "ready!", script=False)
    assert "without an order: S1, S2" in text
    assert SURE in text
    assert "Not done." in text
    assert locked(table) == {"4.plot": ()}


async def test_next_means_ready() -> None:
    table = plot()
    _, text = await played(table, "turn S1 +1", "next")
    assert locked(table) == TURNED
    assert "ready: turn S1 +1; waiting for the others" in text


async def test_an_empty_line_of_a_script_means_nothing() -> None:
    table = plot()
    await played(table, "", "turn S1 +1", "ready")
    assert locked(table) == TURNED


async def test_an_empty_line_after_another_question_only_drops_it() -> None:
    table = plot()
    _, text = await played(table, "quit", "", "turn S1 +1", "ready", script=False)
    assert locked(table) == TURNED
    assert ASKED not in text


async def test_an_empty_line_after_ctrl_d_only_drops_the_question() -> None:
    table = plot()
    await played(table, CTRL_D, "", "turn S1 +1", "ready", script=False)
    assert locked(table) == TURNED
