"""Leaving the terminal: Ctrl-D asks first, before the match and in it, and sends no orders."""

import asyncio
from collections.abc import AsyncIterator

import pytest

from builders.tables import PostedTable
from builders.terminals import KITE, over, screen
from client.test_plain import MINE, PLOT, TURN, locked, played
from sunglare_client.link.connection import Post
from sunglare_client.terminal.plain import ENDED, Terminal
from sunglare_client.terminal.screen import CTRL_D
from sunglare_protocol.orders import Turn


async def test_ctrl_d_on_a_terminal_asks_and_sends_nothing() -> None:
    table = PostedTable((PLOT, over()), awaits=("4.plot",))
    code, text = await played(table, CTRL_D, "turn S1 +1", CTRL_D, "ready", script=False)
    assert code == ENDED
    assert text.count("Leave the match?") == 2
    assert locked(table) == {"4.plot": (Turn(ship=KITE.id, steps=1),)}
    assert "THE END" in text


async def test_ctrl_d_twice_leaves_without_orders() -> None:
    table = PostedTable(TURN, awaits=MINE)
    code, text = await played(table, CTRL_D, CTRL_D, "ready", script=False)
    assert code == ENDED
    assert table.given == []
    assert text.endswith("You have left the terminal.\n")


@pytest.mark.parametrize("word", [CTRL_D, "quit yes"])
async def test_one_may_leave_before_the_match_has_begun(word: str) -> None:
    class Waiting(PostedTable):
        async def __aiter__(self) -> AsyncIterator[Post]:
            await asyncio.Event().wait()
            yield PLOT

    code, text = await played(Waiting(()), "turn S1 +1", word, word, script=False)
    assert code == ENDED
    assert text.endswith("You have left the terminal.\n")


async def test_what_is_typed_before_the_match_has_begun_is_kept() -> None:
    class Late(PostedTable):
        async def __aiter__(self) -> AsyncIterator[Post]:
            await begun.wait()
            async for post in super().__aiter__():
                yield post

    async def lines() -> AsyncIterator[str]:
        yield "turn S1 +1"
        begun.set()
        yield "ready"

    begun, table = asyncio.Event(), Late((PLOT, over()), awaits=("4.plot",))
    shown, _ = screen()
    async with asyncio.timeout(10):
        assert await Terminal(table, lines(), shown).run() == ENDED
    assert locked(table) == {"4.plot": (Turn(ship=KITE.id, steps=1),)}


async def test_a_terminal_that_is_gone_plays_no_empty_orders() -> None:
    table = PostedTable(TURN, awaits=MINE)
    code, _ = await played(table, script=False)
    assert code == ENDED
    assert table.given == []
