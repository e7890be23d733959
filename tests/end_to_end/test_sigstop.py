"""A server whose process is stopped and goes on: nothing is lost, and nobody is charged for it.

`make faults` has the long form, in which the stops outlast the lines.
"""

import asyncio
import os

import pytest

from builders.kills import SIDES, check_match
from builders.players import created, started
from builders.proxies import Proxy, proxied
from builders.records import read_record
from builders.servers import ServerProcess
from builders.wires import met
from sunglare_client.bot import play
from sunglare_client.bots import Lurker, RandomLegal
from sunglare_client.link.patience import Patience

LONG = bool(os.environ.get("SUNGLARE_LONG"))
HALTS = 5 if LONG else 2
HALTED_S = 16.0 if LONG else 2.25
"""Longer than what the server takes for busy, and in the long form than a line without pings."""

SECONDS_MOST = 300 if LONG else 200
HURRIED = Patience(first_s=0.05, most_s=0.2, restart_s=0.1, give_up_after_s=60.0)

SWIFT_MS = 1_250
"""How long a window of the clock `arena` lasts whose seats do not lock."""


async def halt_often(server: ServerProcess, proxy: Proxy) -> None:
    """Stop the server again and again in the middle of a match, and let it go on."""
    for _ in range(HALTS):
        await proxy.wait_passed(proxy.passed + 12)
        server.halt()
        await asyncio.sleep(HALTED_S)
        server.go_on()


@pytest.mark.timeout(SECONDS_MOST + 30)
async def test_a_match_outlives_a_server_that_is_stopped_and_goes_on(
    own_server: ServerProcess,
) -> None:
    async with proxied(own_server.url) as proxy:
        async with met(own_server.url) as host:
            match = await created(host)
        bots = [
            play(bot, proxy.url, match=match, side=side, patience=HURRIED)
            for bot, side in zip((Lurker(1), RandomLegal(2)), SIDES, strict=True)
        ]
        async with asyncio.timeout(SECONDS_MOST):
            *overs, _ = await asyncio.gather(*bots, halt_often(own_server, proxy))
        async with met(own_server.url) as host:
            file = read_record(await host.record(match))
    assert overs[0] == overs[1]
    check_match(proxy, match, file)
    assert own_server.said().count("process_stalled") == HALTS
    assert "Traceback" not in own_server.said()


async def test_a_window_lasts_as_much_longer_as_the_server_was_stopped(
    own_server: ServerProcess,
) -> None:
    loop = asyncio.get_running_loop()
    async with met(own_server.url) as anna, met(own_server.url) as boris:
        players = await started([anna, boris], options={"clock": "arena"})
        window, begun = players[0].newest.window, loop.time()
        own_server.halt()
        await asyncio.sleep(3.0)
        own_server.go_on()
        await anna.told("server/again")
        assert players[0].newest.window == window
        await players[0].frame(beside=window)
        assert loop.time() - begun > 3.0 + SWIFT_MS / 1000 - 0.5
