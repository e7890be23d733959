"""Seats that lose their connection in a rated match, over real sockets on a clock that stands."""

import asyncio
import contextlib
from collections.abc import AsyncIterator
from pathlib import Path

from builders.fakeclock import FakeClock
from builders.fakeserver import until
from builders.players import Player, started
from builders.runners import runners_of
from builders.servers import running_app
from builders.truths import A, B
from builders.wires import met
from sunglare_protocol.ids import Side
from sunglare_protocol.messages import Ending, News
from sunglare_server.app import App
from sunglare_server.match.clock.presets import BEAT_MS, RESTART_MS
from sunglare_server.match.record import LineChanged, unpacked
from sunglare_server.runtime.runner import Runner

OPTIONS = {"clock": "blitz", "scan_slots": "sealed"}


@contextlib.asynccontextmanager
async def blitz(folder: Path) -> AsyncIterator[tuple[App, FakeClock, Player, Player]]:
    """Play blitz between two seats that sit before open windows."""
    clock = FakeClock(1_000_000)
    async with (
        running_app(folder, clock=clock) as app,
        met(app.url) as first,
        met(app.url) as second,
    ):
        async with beating(clock):
            anna, boris = await started([first, second], options=OPTIONS)
        yield app, clock, anna, boris


@contextlib.asynccontextmanager
async def beating(clock: FakeClock) -> AsyncIterator[None]:
    """Let the clock go on, for frames wait for their beat."""
    beats = asyncio.create_task(_beats(clock))
    try:
        yield
    finally:
        beats.cancel()


async def _beats(clock: FakeClock) -> None:
    while True:
        await asyncio.sleep(0.001)
        await clock.run_for(BEAT_MS)


def runner_of(app: App, player: Player) -> Runner:
    """Return the match that a seat plays in."""
    return runners_of(app.lobby.matches)[player.match]


def is_gone(runner: Runner, side: Side) -> bool:
    """Return whether the records say that a line is down."""
    return runner.state.attendance[side].gone_ms is not None


async def lines(runner: Runner) -> list[tuple[Side, bool, bool]]:
    """Return what the records say of lines."""
    blobs = await runner.archiving.records()
    before = (b"", *blobs)
    bodies = [unpacked(blob, n, before[n - 1]).b for n, blob in enumerate(blobs, 1)]
    return [
        (body.side, body.up, body.deliberate) for body in bodies if isinstance(body, LineChanged)
    ]


async def test_a_seat_whose_line_breaks_forfeits_when_its_grace_ends(tmp_path: Path) -> None:
    async with blitz(tmp_path) as (app, clock, anna, boris):
        runner = runner_of(app, anna)
        await anna.talker.cut()
        await until(lambda: is_gone(runner, A))
        await clock.run_for(19_999)
        assert not runner.state.is_over
        await clock.run_for(1)
        over = await boris.over()
        # Nobody has finished turn 1, so it is no game.
        assert (over.result.ending, over.result.winner) == (Ending.NO_GAME, None)
        assert await lines(runner) == [(A, False, False)]


async def test_a_seat_that_hangs_up_has_half_the_grace(tmp_path: Path) -> None:
    async with blitz(tmp_path) as (app, clock, anna, boris):
        runner = runner_of(app, boris)
        await boris.talker.close()
        await until(lambda: is_gone(runner, B))
        await clock.run_for(10_000)
        await anna.over()
        assert await lines(runner) == [(B, False, True)]


async def test_a_seat_that_comes_back_plays_on_and_nobody_hears_of_a_drop_within_a_window(
    tmp_path: Path,
) -> None:
    async with blitz(tmp_path) as (app, clock, anna, boris), met(app.url) as again:
        runner, window = runner_of(app, anna), boris.newest.window
        await anna.talker.cut()
        await until(lambda: is_gone(runner, A))
        await boris.orders()
        await clock.run_for(5_000)
        back = await anna.resume(again)
        await until(lambda: not is_gone(runner, A))
        assert [post for post in boris.posts if isinstance(post, News)] == []
        async with beating(clock):
            await back.orders()
            await boris.frame(beside=window)
        assert [post for post in boris.posts if isinstance(post, News)] == []
        assert await lines(runner) == [(A, False, False), (A, True, False)]
        assert runner.state.attendance[A].grace_ms < 60_000


async def test_a_seat_that_is_taken_over_by_another_connection_is_never_away(
    tmp_path: Path,
) -> None:
    async with blitz(tmp_path) as (app, _, anna, _boris), met(app.url) as again:
        back = await anna.resume(again)
        await anna.talker.wait_closed()
        await back.orders(lock=False)
        assert await lines(runner_of(app, anna)) == []


async def test_after_a_restart_the_lines_have_twenty_seconds_to_come_back(tmp_path: Path) -> None:
    async with blitz(tmp_path) as (app, _clock, anna, boris):
        # The match ends before the lines: nobody is known to be away.
        await app.lobby.matches.stop()
    clock = FakeClock(9_000_000)
    async with running_app(tmp_path, clock=clock) as app, met(app.url) as again:
        # The match is loaded when somebody comes for it.
        back = await boris.resume(again)
        runner = runner_of(app, anna)
        await clock.run_for(RESTART_MS - 1)
        await back.orders(lock=False)
        assert runner.state.halt is None
        gone = [side for side in (A, B) if is_gone(runner, side)]
        assert B not in gone
        await clock.run_for(1)
        await until(lambda: is_gone(runner, A))
        assert not runner.state.is_over
