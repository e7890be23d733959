"""A server that is killed again and again: what it accepted stands once, and play goes on.

`make faults` has the long form: 100 kills while 20 matches are played.
"""

import asyncio
import os
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from random import Random

import pytest

from builders.kills import (
    HAUL,
    SIDES,
    Kill,
    Watchman,
    check_match,
    dues,
    is_between,
    killed_often,
    lines_of,
)
from builders.openlimits import FLAGS
from builders.players import all_ready, created, play_alone, play_on, seated, started
from builders.proxies import proxied
from builders.records import read_record
from builders.servers import STOP_S, ServerProcess, server_process
from builders.wires import met
from sunglare_client.bot import play
from sunglare_client.link.patience import Patience
from sunglare_protocol.messages import AddBot

LONG = bool(os.environ.get("SUNGLARE_LONG"))
KILLS = 100 if LONG else 2
MATCHES = 20 if LONG else 2
SCENARIO = "haul"
BETWEEN_LEAST = 20
SECONDS_MOST = 1_500 if LONG else 200
RESTARTING = 1012
HURRIED = Patience(first_s=0.05, most_s=0.2, restart_s=0.1, give_up_after_s=60.0)


@pytest.mark.timeout(SECONDS_MOST + 30)
async def test_matches_outlive_a_server_that_is_killed_again_and_again(tmp_path: Path) -> None:
    (tmp_path / "scenarios").mkdir()
    (tmp_path / "scenarios" / "haul.toml").write_text(HAUL)
    with server_process(tmp_path, *FLAGS, "--data", str(tmp_path)) as server:
        async with proxied(server.url) as proxy:
            async with met(server.url) as host:
                matches = [await created(host, scenario=SCENARIO) for _ in range(MATCHES)]
            async with asyncio.timeout(SECONDS_MOST), asyncio.TaskGroup() as group:
                often = killed_often(server, proxy, Random(7), KILLS, len(SIDES) * MATCHES)
                killing = group.create_task(often)
                playing = [
                    group.create_task(
                        play(
                            Watchman(number, killing.done),
                            proxy.url,
                            match=match,
                            side=side,
                            patience=HURRIED,
                        )
                    )
                    for number, match in enumerate(matches)
                    for side in SIDES
                ]
            async with met(server.url) as host:
                files = {match: read_record(await host.record(match)) for match in matches}
        overs = [task.result() for task in playing]
        assert overs[::2] == overs[1::2]
        for match, file in files.items():
            check_match(proxy, match, file)
            assert all(len(lines_of(proxy, (match, side))) > 1 for side in SIDES)
        if LONG:
            kills = [Kill(stored={}, heard={}), *killing.result()]
            owed = {match: dues(file) for match, file in files.items()}
            between = [is_between(kill, before, owed) for before, kill in pairwise(kills)]
            assert sum(between) >= BETWEEN_LEAST
        assert "Traceback" not in server.said()


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
                await player.talker.ready(match)
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
