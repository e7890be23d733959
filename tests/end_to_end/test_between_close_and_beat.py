"""Between the close of a window and the beat on which its frames go out nobody is told anything.

With a rated clock a match goes on in secret for a moment: the window is closed, its outcome is
stored, and the frames wait. Whatever is asked then is answered as it was before the close.
"""

import contextlib
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from msgspec.structs import replace

from builders.fakeclock import FakeClock
from builders.openlimits import OPEN
from builders.players import Player, created, seated
from builders.runners import runners_of
from builders.servers import quick_storage
from builders.wires import Talker, met
from sunglare_protocol.messages import GiveOrders, Join, Resume, Resumed
from sunglare_protocol.orders import Turn
from sunglare_server.app import App
from sunglare_server.config import Settings

BEAT_MS = 250
STEP_MS = 50


@contextlib.asynccontextmanager
async def rated(folder: Path) -> AsyncIterator[tuple[App, FakeClock, Player, Player]]:
    """Run a server with a match of the clock blitz, whose first window has been shown."""
    clock = FakeClock(1_000_000)
    settings = Settings(port=0, journal=folder / "journal.db", bots=(), **OPEN)
    app = App(settings, clock, open_storage=quick_storage)
    await app.start()
    async with contextlib.AsyncExitStack() as stack:
        assert app.storage.database is not None
        stack.push_async_callback(app.storage.database.close)
        stack.push_async_callback(app.stop)
        anna, boris = [await stack.enter_async_context(met(app.url)) for _ in "ab"]
        match = await created(anna, options={"clock": "blitz"})
        one, other = [await seated(talker, match) for talker in (anna, boris)]
        for talker in (anna, boris):
            await talker.ready(match)
        while not (one.posts and other.posts):
            await clock.run_for(STEP_MS)
        yield app, clock, one, other


async def closed(app: App, clock: FakeClock, player: Player, steady: Talker) -> None:
    """Let time pass until the window is closed whose frame the player has; `steady` is there."""
    runner, window = runners_of(app.lobby.matches)[player.match], player.newest.window
    await clock.run_for(player.newest.closes_ms - 4 * BEAT_MS)
    assert runner.state.standing.window == window
    for _ in range(8 * BEAT_MS // STEP_MS):
        if runner.state.standing.window != window:
            break
        await clock.run_for(STEP_MS)
        # As long as an answer takes, so does whatever the step began.
        await steady.ping()
    assert runner.state.standing.window != window
    assert player.newest.window == window


async def returned(
    stack: contextlib.AsyncExitStack, url: str, player: Player, *, as_account: bool
) -> Resumed:
    """Take the seat over and hold it; return what is told of it, the ticket left out."""
    talker = await stack.enter_async_context(met(url, token=player.talker.token))
    back = await player.resume(talker, have=player.seen, as_account=as_account)
    player.ticket = back.ticket
    return replace(back.resumed, id=0, ticket=None)


async def lines(talker: Talker, player: Player) -> tuple[object, ...]:
    """Return what the list and the card of the match say to somebody."""
    listed = await talker.listed()
    told = await talker.info(player.match)
    return listed.open, listed.running, listed.mine, told.line


@pytest.mark.parametrize("as_account", [False, True], ids=["by ticket", "by account"])
@pytest.mark.parametrize("locks", [False, True], ids=["open", "locked"])
async def test_who_comes_back_is_told_what_stood_before_the_close(
    tmp_path: Path, locks: bool, as_account: bool
) -> None:
    async with contextlib.AsyncExitStack() as stack, rated(tmp_path) as (app, clock, anna, boris):
        orders = (Turn(ship=anna.newest.view.own[0].id, steps=1),)  # type: ignore[union-attr]
        await anna.orders(*orders, lock=locks, rev=4)
        if not locks:
            await boris.orders()
        before = await returned(stack, app.url, anna, as_account=as_account)
        assert (before.window, before.rev, before.locked) == ("1.plot", 4, locks)
        assert before.orders == orders
        began_ms = clock.now_ms()
        await closed(app, clock, anna, boris.talker)
        passed_ms = clock.now_ms() - began_ms
        for _ in range(2):
            after = await returned(stack, app.url, anna, as_account=as_account)
            assert replace(after, since_ms=after.since_ms - passed_ms) == before


@pytest.mark.parametrize("locks", [False, True], ids=["open", "locked"])
async def test_list_and_card_say_what_they_said_before_the_close(
    tmp_path: Path, locks: bool
) -> None:
    async with (
        rated(tmp_path) as (app, clock, anna, boris),
        met(app.url, token=None) as stranger,
        met(app.url, token=anna.talker.token) as second,
    ):
        await anna.orders(lock=locks)
        if not locks:
            await boris.orders()
        asked = {talker: talker for talker in (stranger, second)}
        before = [await lines(talker, anna) for talker in asked]
        assert before[1][3].your_turn is not locks  # type: ignore[attr-defined]
        await closed(app, clock, anna, boris.talker)
        assert [await lines(talker, anna) for talker in asked] == before


async def test_numbers_of_commands_that_wait_for_the_beat_are_not_given_again(
    tmp_path: Path,
) -> None:
    async with rated(tmp_path) as (app, clock, anna, boris):
        await anna.orders(lock=False, id=30)
        await closed(app, clock, anna, boris.talker)
        waiting = GiveOrders(id=45, match=anna.match, window=anna.newest.window, rev=9, lock=True)
        await anna.talker.send(waiting)
        for _ in range(200):
            if runners_of(app.lobby.matches)[anna.match].unanswered.newest(anna.side):
                break
            await clock.run_for(0)
        async with met(app.url, token=anna.talker.token) as later:
            back = await later.expect(Resumed, Resume, match=anna.match, have=anna.seen)
            assert back.last_id == 45
        async with met(app.url, token=anna.talker.token) as later:
            joined = await later.expect(Resumed, Join, match=anna.match)
            assert (joined.last_id, joined.window) == (45, "1.plot")
            await clock.run_for(2 * BEAT_MS)
            frame = await Player(later, joined).frame(beside=anna.newest.window)
            assert frame.window == runners_of(app.lobby.matches)[anna.match].state.standing.window
