"""Rematches at a spectator's terminal: offered, followed, or left."""

import asyncio
import io
from collections.abc import AsyncIterator

import pytest

from builders.players import Player, all_ready, finished, rematch_of, seated
from builders.venues import Venue
from builders.wires import WAIT_S
from sunglare_client.link.connection import Connection, connect
from sunglare_client.spectating.spectators import FOLLOW, OFFER, WAITS, watch_on_lines
from sunglare_client.terminal.screen import Screen
from sunglare_protocol.ids import PUBLIC, MatchId

END = "THE END"


async def shown(written: io.StringIO, text: str, times: int = 1) -> None:
    """Wait until a text was shown so often."""
    async with asyncio.timeout(WAIT_S):
        while written.getvalue().count(text) < times:  # noqa: ASYNC110 - a stream
            await asyncio.sleep(0.01)


async def typing(written: io.StringIO, *steps: tuple[str, str, int]) -> AsyncIterator[str]:
    """Yield each line once a text was shown so often."""
    for line, text, times in steps:
        await shown(written, text, times)
        yield line


async def again(players: list[Player]) -> list[Player]:
    """Have two who have played a match take up its rematch, and begin it."""
    match = await rematch_of(players)
    taken = [await seated(player.talker, match) for player in reversed(players)]
    await all_ready(taken)
    return taken


async def watched(
    connection: Connection, match: MatchId, written: io.StringIO, *steps: tuple[str, str, int]
) -> None:
    """Watch a match as a person does who types these lines."""
    lines = typing(written, *steps)
    await watch_on_lines(connection, match, PUBLIC, Screen(written), lines)


async def test_a_rematch_is_offered_and_followed_to_its_end(venue: Venue) -> None:
    players = await venue.duel()
    written = io.StringIO()
    steps = ((FOLLOW, WAITS, 1), (FOLLOW, OFFER, 1), ("", WAITS, 3))
    watching = asyncio.create_task(
        watched(await connect(venue.app.url), players[0].match, written, *steps)
    )
    await shown(written, "turn 1")
    await finished(players)
    # Whoever would follow before there is a rematch waits on.
    await shown(written, WAITS, 2)
    taken = await again(players)
    await shown(written, f"the rematch waits for its players: {taken[0].match}")
    await shown(written, END)
    await finished(taken)
    async with asyncio.timeout(WAIT_S):
        await watching
    assert written.getvalue().count(END) == 2


async def test_whoever_comes_after_the_end_is_offered_the_rematch_too(venue: Venue) -> None:
    players = await venue.duel()
    await finished(players)
    await rematch_of(players)
    written = io.StringIO()
    async with asyncio.timeout(WAIT_S):
        await watched(await connect(venue.app.url), players[0].match, written, ("quit", OFFER, 1))
    assert written.getvalue().count(END) == 1
    _, _, end = written.getvalue().partition(END)
    again, page, seed = [end.index(text) for text in ("sunglare replay", "/#m=", "seed ")]
    assert again < page < seed


async def test_a_spectator_whose_line_is_cut_after_the_end_is_offered_the_rematch(
    venue: Venue,
) -> None:
    players = await venue.duel()
    written = io.StringIO()
    connection = await connect(venue.app.url)
    watching = asyncio.create_task(watched(connection, players[0].match, written, ("", OFFER, 1)))
    await shown(written, "turn 1")
    await finished(players)
    await shown(written, WAITS)
    await connection.close()
    await rematch_of(players)
    async with asyncio.timeout(WAIT_S):
        await watching


@pytest.mark.parametrize("line", ["", "q", "quit"])
async def test_whoever_wants_no_rematch_leaves_at_once(venue: Venue, line: str) -> None:
    players = await venue.duel()
    await finished(players)
    written = io.StringIO()
    async with asyncio.timeout(WAIT_S):
        await watched(await connect(venue.app.url), players[0].match, written, (line, WAITS, 1))
    assert OFFER not in written.getvalue()
