"""Waiting until it is one's turn, and watching the match in which most goes on."""

import asyncio
from pathlib import Path

import pytest

from builders.commandlines import sunglare
from builders.players import finished, play_on, started
from builders.runners import runners_of
from builders.servers import running_app, server_process
from builders.wires import WAIT_S, Talker, met
from sunglare_client.commands.waiting import awaited_turns
from sunglare_client.link import identity
from sunglare_client.link.connection import connect
from sunglare_protocol.ids import PUBLIC
from sunglare_protocol.messages import Accepted, MatchLine

LOOK_S = 0.05
MOMENT_S = 0.3

SEALED = {"clock": "test", "scan_slots": "sealed"}
"""With these everybody is asked in every window."""


async def waiting(url: str, talker: Talker) -> "asyncio.Task[tuple[MatchLine, ...]]":
    """Begin to wait as somebody who plays already."""
    assert talker.welcome is not None
    connection = await connect(url, token=talker.welcome.token)
    return asyncio.create_task(awaited_turns(connection, WAIT_S, look_s=LOOK_S))


async def check_not_yet(task: "asyncio.Task[tuple[MatchLine, ...]]") -> None:
    """Check that a wait does not end by itself."""
    await asyncio.sleep(MOMENT_S)
    assert not task.done()


async def test_whoever_has_locked_waits_until_the_next_window_asks_him(tmp_path: Path) -> None:
    async with running_app(tmp_path) as app, met(app.url) as anna, met(app.url) as boris:
        players = await started([anna, boris], options=SEALED)
        assert isinstance(await players[0].orders(lock=True), Accepted)
        task = await waiting(app.url, anna)
        await check_not_yet(task)
        assert isinstance(await players[1].orders(lock=True), Accepted)
        [line] = await task
        assert (line.match, line.mine, line.your_turn) == (players[0].match, players[0].side, True)


async def test_a_wait_outlives_the_server(tmp_path: Path) -> None:
    with server_process(tmp_path) as server:
        async with met(server.url) as anna, met(server.url) as boris:
            players = await started([anna, boris], options=SEALED)
            assert isinstance(await players[0].orders(lock=True), Accepted)
            task = await waiting(server.url, anna)
            await check_not_yet(task)
        server.kill()
        server.start()
        await check_not_yet(task)
        assert boris.welcome is not None
        async with met(server.url, token=boris.welcome.token) as again:
            player = await players[1].resume(again)
            assert isinstance(await player.orders(lock=True), Accepted)
            assert [line.match for line in await task] == [players[0].match]


async def test_the_command_ends_when_it_is_ones_turn_and_says_where(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with running_app(tmp_path) as app, met(app.url) as anna:
        assert (await sunglare("matches", "--url", app.url, home=tmp_path)).code == 0
        asked = ("matches", "--wait", "--url", app.url)
        never = await sunglare(*asked, "--for", "0.2", home=tmp_path)
        assert (never.code, never.out) == (1, "it is not your turn in any match\n")
        monkeypatch.setenv("SUNGLARE_HOME", str(tmp_path))
        token = identity.load(app.url)
        async with met(app.url, token=token) as boris:
            players = await started([anna, boris])
            done = await sunglare(*asked, home=tmp_path)
        assert done.code == 0, done.err
        assert players[0].match in done.out
        assert done.out.endswith("YOUR TURN\n")


@pytest.mark.parametrize("given", ["soon", "-1", "0", "inf", "nan"])
async def test_a_time_that_is_none_is_wrong_usage(tmp_path: Path, given: str) -> None:
    done = await sunglare("matches", "--wait", f"--for={given}", home=tmp_path)
    assert done.code == 2
    assert f"'{given}' is no number of seconds, such as 3600" in done.err


async def test_without_a_match_the_one_in_which_most_goes_on_is_followed(tmp_path: Path) -> None:
    async with (
        running_app(tmp_path) as app,
        met(app.url) as anna,
        met(app.url) as boris,
        met(app.url) as clara,
        met(app.url) as daria,
    ):
        nothing = await sunglare("watch", "--url", app.url, home=tmp_path)
        assert nothing.code == 1
        assert "no public match is running now" in nothing.err
        await started([anna, boris])
        busy = await started([clara, daria])
        await play_on(busy, 9)
        watching = asyncio.create_task(sunglare("watch", "--url", app.url, home=tmp_path))
        async with asyncio.timeout(WAIT_S):
            runner = runners_of(app.lobby.matches)[busy[0].match]
            while not runner.feeds[PUBLIC].viewers:  # noqa: ASYNC110 - a test looks from outside
                await asyncio.sleep(0.01)
        await play_on(busy, 4)
        await finished(busy)
        done = await watching
    assert done.code == 0, done.err
    assert "THE END" in done.out
    # The board as everybody may see it is drawn with each new turn.
    assert done.out.count("▒") + done.out.count("░") > 0
