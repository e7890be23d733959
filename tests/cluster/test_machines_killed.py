"""A cluster of three engines, two workers and two gateways of which any may be killed in play.

Every order that was accepted is in its match's record once, every seat was shown the fold of that
record without a gap, all matches end, and each record is verified. `make cluster-faults` plays
this, and with `SUNGLARE_LONG` its long form, twice: 20 matches at a time, and 50 kills, of which
30 are of workers.
"""

import asyncio
import os
from collections.abc import Callable
from contextlib import AsyncExitStack
from itertools import pairwise
from pathlib import Path
from random import Random

import pytest

from builders.kills import HAUL, SIDES, Watchman, check_match, lines_of
from builders.machinefaults import Fault, Faults, takeovers
from builders.machineprocesses import machines
from builders.players import OPTIONS
from builders.proxies import Line, Proxy, proxied
from builders.records import read_record
from builders.wires import met
from sunglare_arena.verify import verified
from sunglare_client.bot import play_seat
from sunglare_client.errors import LostError, RefusedError
from sunglare_client.link.connection import connect
from sunglare_client.link.patience import Patience
from sunglare_client.link.seat import Seat
from sunglare_protocol.ids import MatchId
from sunglare_protocol.messages import Create, Created, Frame, News, Over
from sunglare_protocol.refusals import Code

LONG = bool(os.environ.get("SUNGLARE_LONG"))
MATCHES = 20 if LONG else 4
ROUNDS = 10 if LONG else 1
LEASES_MS = (2_000, 600) if LONG else (2_000,)
SECONDS_MOST = 1_800 if LONG else 240
KILLS = 5
"""How many processes are killed in a round."""

LATER = (Code.SERVER_JOURNAL, Code.SERVER_CLOSING)
"""What a cluster says that can't store anything now, or whose worker ends."""

HURRIED = Patience(first_s=0.05, most_s=0.2, restart_s=0.1, give_up_after_s=60.0)

pytestmark = [pytest.mark.needs_nats, pytest.mark.slow]


def one_round(faults: Faults) -> list[Fault]:
    """Return what is done in a round: five kills, one of them of a leading engine, and more."""
    return [
        faults.kill_worker,
        faults.kill_leader,
        faults.kill_worker,
        faults.kill_gateway,
        faults.engines_back,
        faults.halt_worker,
        faults.kill_worker,
        faults.drain,
        faults.drain,
        faults.drain,
        faults.drain,
    ]


@pytest.mark.timeout(2 * SECONDS_MOST)
@pytest.mark.parametrize("lease_ms", LEASES_MS)
async def test_matches_outlive_whatever_of_a_cluster_is_killed(
    tmp_path: Path, lease_ms: int, record_property: Callable[[str, object], None]
) -> None:
    (tmp_path / "scenarios").mkdir()
    longest = HAUL.replace("turns = 100", "turns = 200")
    (tmp_path / "scenarios" / "haul.toml").write_text(longest)
    flags = ("--data", str(tmp_path), "--log-format", "json", "--lease-ms", str(lease_ms))
    with machines(tmp_path, *flags) as whole:
        urls = [gateway.url for gateway in whole.gateways]
        async with proxied(*urls) as proxy, asyncio.timeout(SECONDS_MOST):
            faults = Faults(whole, proxy, Random(7))
            plan = [fault for _ in range(ROUNDS) for fault in one_round(faults)]
            async with asyncio.TaskGroup() as group:
                tables = [
                    group.create_task(one_after_another(proxy, faults, number))
                    for number in range(MATCHES)
                ]
                group.create_task(faults.do(plan, len(SIDES) * MATCHES))
            matches = [match for table in tables for match in table.result()]
            async with met(urls[1]) as host:
                data = {match: await host.record(match) for match in matches}
        for match, record in data.items():
            check_match(proxy, match, read_record(record))
            assert verified(record)
            for side in SIDES:
                for line in lines_of(proxy, (match, side)):
                    assert_no_gap(line)
        assert faults.kills == KILLS * ROUNDS
        record_property("table", f"lease of {lease_ms} ms\n{takeovers(faults.took_s())}")
        assert "Traceback" not in whole.said()


async def one_after_another(proxy: Proxy, faults: Faults, seed: int) -> list[MatchId]:
    """Play matches until all is done to the cluster, each to its end; return them."""
    played: list[MatchId] = []
    while not faults.are_done:
        async with AsyncExitStack() as both:
            seats = await pair(proxy.url, both)
            bots = [Watchman(seed, lambda: faults.are_done) for _ in seats]
            overs = await asyncio.gather(*map(play_seat, bots, seats))
        assert overs[0] == overs[1]
        played.append(seats[0].match)
    return played


async def pair(url: str, both: AsyncExitStack) -> list[Seat]:
    """Open a match and take its seats; another one if whoever was asked is killed meanwhile."""
    while True:
        try:
            async with AsyncExitStack() as taken:
                lobby = await taken.enter_async_context(await connect(url))
                wish = {"scenario": "haul", "options": OPTIONS}
                match = (await lobby.expect(Created, Create, **wish)).match
                seats = []
                for side in SIDES:
                    line = await taken.enter_async_context(await connect(url))
                    seat = await Seat.join(line, match=match, side=side, patience=HURRIED)
                    seats.append(await taken.enter_async_context(seat))
                await both.enter_async_context(taken.pop_all())
        except (LostError, TimeoutError):
            await asyncio.sleep(HURRIED.first_s)
        except RefusedError as refusal:
            if refusal.code not in LATER:
                raise
            await asyncio.sleep(HURRIED.first_s)
        else:
            return seats


def assert_no_gap(line: Line) -> None:
    """Check that each numbered message of a line comes right after the one before."""
    came = [
        message.seq
        for message in line.heard()
        if isinstance(message, Frame | News | Over) and message.seq
    ]
    assert all(after == before + 1 for before, after in pairwise(came)), came
