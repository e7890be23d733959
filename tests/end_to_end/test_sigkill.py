"""A server that is killed again and again: what it accepted stands once, and play goes on."""

import asyncio
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest

from playerrigs import all_ready, created, play_alone, play_on, seated, started
from proxyrigs import Proxy, proxied
from recordrigs import RecordFile, folded, read_record
from serverrigs import STOP_S, ServerProcess, server_process
from sunglare_client.bot import play
from sunglare_client.bots import Drifter, RandomLegal
from sunglare_client.patience import Patience
from sunglare_protocol.ids import MatchId, Side, audience_of
from sunglare_protocol.messages import (
    Accepted,
    AddBot,
    GiveOrders,
    Join,
    Over,
    Ready,
    Resumed,
    Seated,
)
from wirerigs import met, sequence

KILLS = 5
RESTARTING = 1012
HURRIED = Patience(first_s=0.05, most_s=0.2, restart_s=0.1, give_up_after_s=40.0)

Taking = tuple[Side, int, str | None, int | None]
"""An accepted command: seat, command id, window and rev."""


def sides(proxy: Proxy) -> list[Side | None]:
    """Return for each line whose seat it held in the end."""
    return [
        next(
            (each.side for each in line.heard() if isinstance(each, Seated | Resumed)),
            None,
        )
        for line in proxy.lines
    ]


def accepted_orders(proxy: Proxy) -> set[Taking]:
    """Return the orders that the clients were told are accepted."""
    found: set[Taking] = set()
    for line, side in zip(proxy.lines, sides(proxy), strict=True):
        asked = {each.id for each in line.said() if isinstance(each, GiveOrders)}
        found |= {
            (side, each.id, each.window, each.rev)
            for each in line.heard()
            if isinstance(each, Accepted) and each.id in asked and side is not None
        }
    return found


def recorded_orders(file: RecordFile) -> list[Taking]:
    """Return the orders in a record."""
    return [
        (each["s"], each["c"], each["b"]["window"], each["b"]["rev"])
        for each in file.maps
        if each["b"]["t"] == "orders"
    ]


async def kill_often(server: ServerProcess, proxy: Proxy, rng: Random) -> None:
    """Kill the server at random moments of a match, and start it again each time."""
    for _ in range(KILLS):
        await proxy.wait_passed(proxy.passed + rng.randint(6, 16))
        await asyncio.sleep(rng.random() * 0.02)
        await asyncio.to_thread(server.kill)
        await asyncio.to_thread(server.start)


async def test_a_match_outlives_a_server_that_is_killed_again_and_again(tmp_path: Path) -> None:
    with server_process(tmp_path) as server:
        async with proxied(server.url) as proxy:
            async with met(server.url) as host:
                match = await created(host)
            bots = [
                play(bot, proxy.url, match=match, side=Side(side), patience=HURRIED)
                for bot, side in ((Drifter(1), "A"), (RandomLegal(2), "B"))
            ]
            async with asyncio.timeout(50):
                *overs, _ = await asyncio.gather(*bots, kill_often(server, proxy, Random(7)))
            async with met(server.url) as host:
                file = read_record(await host.record(match))
        told = accepted_orders(proxy)
        recorded = recorded_orders(file)
        assert overs[0] == overs[1]
        assert len(recorded) == len(set(recorded))
        assert told <= set(recorded)
        assert len(told) > 20
        _check_sequences(proxy, match, file)
        assert "Traceback" not in server.said()


def _check_sequences(proxy: Proxy, match: MatchId, file: RecordFile) -> None:
    # Both seats are taken before the first kill, since a match sends fewer messages than its wait
    # until then; so it breaks a line of each side. A later kill may find a side still waiting to
    # come back, but not both: by itself a line hears one message before its seat, and each wait
    # is for six or more. And each side hears the end, on a line that no kill broke.
    assert sum(holder is not None for holder in sides(proxy)) >= 2 + (KILLS - 1) + 2
    for side in (Side("A"), Side("B")):
        lines = [
            line for line, holder in zip(proxy.lines, sides(proxy), strict=True) if holder == side
        ]
        assert len(lines) > 1
        raw = [data for line in lines for data in line.down]
        audience = audience_of(side)
        assert sequence(raw, match) == folded(file, audience)[audience]
        assert sum(isinstance(each, Join) for line in lines for each in line.said()) == 1
        assert any(isinstance(each, Over) for each in lines[-1].heard())


async def test_a_server_that_is_asked_to_end_says_so_and_goes_on_later(tmp_path: Path) -> None:
    with server_process(tmp_path) as server:
        async with met(server.url, "anna") as anna, met(server.url, "boris") as boris:
            left, right = await started([anna, boris])
            await play_on([left, right], 3)
            loop = asyncio.get_running_loop()
            begun = loop.time()
            code = await asyncio.to_thread(server.terminate)
            assert loop.time() - begun < STOP_S
            assert code == 0
            assert await anna.wait_closed() == RESTARTING
            assert await boris.wait_closed() == RESTARTING
        server.start()
        async with (
            met(server.url, token=anna.token) as first,
            met(server.url, token=boris.token) as second,
        ):
            assert first.welcome is not None
            assert first.welcome.name == "anna"
            left, right = await left.resume(first), await right.resume(second)
            await play_on([left, right], 3)
        assert "Traceback" not in server.said()


@pytest.mark.parametrize("pause_s", [0.0, 0.002, 0.005])
async def test_a_match_that_was_about_to_start_starts(tmp_path: Path, pause_s: float) -> None:
    with server_process(tmp_path) as server:
        async with met(server.url) as anna, met(server.url) as boris:
            match = await created(anna)
            players = [await seated(anna, match), await seated(boris, match)]
            for player in players:
                await player.talker.accepted(Ready, match=match)
            await asyncio.sleep(pause_s)
            await asyncio.to_thread(server.kill)
        server.start()
        async with (
            met(server.url, token=anna.token) as first,
            met(server.url, token=boris.token) as second,
        ):
            back = [await players[0].resume(first, 0), await players[1].resume(second, 0)]
            for player in back:
                await player.frame()
            await play_on(back, 2)


@pytest.mark.parametrize("ending", [ServerProcess.kill, ServerProcess.terminate])
async def test_a_house_bot_plays_on_after_a_restart(
    tmp_path: Path, ending: Callable[[ServerProcess], object]
) -> None:
    with server_process(tmp_path) as server:
        async with met(server.url) as anna:
            player = await seated(anna, await created(anna))
            await anna.accepted(AddBot, match=player.match, name="random")
            await all_ready([player])
            await play_alone(player, 3)
            await asyncio.to_thread(ending, server)
        server.start()
        async with met(server.url, token=anna.token) as again:
            back = await player.resume(again)
            await play_alone(back, 7)
