"""Empty lines: a person's means `ready` where orders are asked, a script's means nothing."""

import asyncio
from collections.abc import AsyncIterator

from builders.tables import PostedTable
from builders.terminals import KITE, over, screen
from client.test_plain import PLOT, locked, played
from sunglare_client.terminal.clockface import HASTE_S, TOO_SOON
from sunglare_client.terminal.plain import Terminal
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


async def test_an_empty_line_as_a_window_opens_was_meant_for_the_last_one() -> None:
    """Whoever presses Enter twice has not seen what he would be ready for."""
    time_s = 100.0

    async def lines() -> AsyncIterator[str]:
        nonlocal time_s
        yield ""
        time_s += HASTE_S
        yield ""
        await asyncio.sleep(60)

    table, (shown, paper) = plot(), screen()
    terminal = Terminal(table, lines(), shown, now=lambda: time_s)
    async with asyncio.timeout(10):
        await terminal.run()
    assert locked(table) == {"4.plot": ()}
    assert paper.getvalue().count(TOO_SOON) == 1
