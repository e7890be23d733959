"""A cluster of three engines, two workers and two gateways of which any may be killed in play.

Every order that was accepted is in its match's record once, every seat was shown the fold of that
record without a gap, all matches end, and each record is verified. `make cluster-faults` plays
this, and with `SUNGLARE_LONG` its long form: 20 matches and 30 kills, twice.
"""

import asyncio
import os
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from random import Random

import pytest

from builders.kills import HAUL, SIDES, Watchman, check_match, lines_of
from builders.machinefaults import Fault, Faults, takeovers
from builders.machineprocesses import machines
from builders.players import created
from builders.proxies import proxied
from builders.records import read_record
from builders.wires import met
from sunglare_arena.verify import verified
from sunglare_client.bot import play
from sunglare_client.link.patience import Patience
from sunglare_protocol.messages import Frame, News, Over

LONG = bool(os.environ.get("SUNGLARE_LONG"))
MATCHES = 20 if LONG else 4
ROUNDS = 6 if LONG else 1
LEASES_MS = (2_000, 600) if LONG else (2_000,)
SECONDS_MOST = 1_500 if LONG else 240
KILLS = 5
"""How many processes are killed in a round."""

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


@pytest.mark.timeout(SECONDS_MOST + 60)
@pytest.mark.parametrize("lease_ms", LEASES_MS)
async def test_matches_outlive_whatever_of_a_cluster_is_killed(
    tmp_path: Path, lease_ms: int, record_property: Callable[[str, object], None]
) -> None:
    (tmp_path / "scenarios").mkdir()
    # Longer than all that is done takes; then they resign.
    longest = HAUL.replace("turns = 100", "turns = 200")
    (tmp_path / "scenarios" / "haul.toml").write_text(longest)
    flags = ("--data", str(tmp_path), "--log-format", "json", "--lease-ms", str(lease_ms))
    with machines(tmp_path, *flags) as whole:
        urls = [gateway.url for gateway in whole.gateways]
        async with proxied(*urls) as proxy, asyncio.timeout(SECONDS_MOST):
            async with met(urls[0]) as host:
                matches = [await created(host, scenario="haul") for _ in range(MATCHES)]
            faults = Faults(whole, proxy, Random(7))
            plan = [fault for _ in range(ROUNDS) for fault in one_round(faults)]
            async with asyncio.TaskGroup() as group:
                playing = [
                    group.create_task(
                        play(
                            Watchman(number, lambda: faults.are_done),
                            proxy.url,
                            match=match,
                            side=side,
                            patience=HURRIED,
                        )
                    )
                    for number, match in enumerate(matches)
                    for side in SIDES
                ]
                doing = group.create_task(faults.do(plan, len(playing)))
                await asyncio.gather(*playing)
                assert doing.done(), "the matches were over before all was done to them"
            overs = [task.result() for task in playing]
            async with met(urls[1]) as host:
                data = {match: await host.record(match) for match in matches}
        assert overs[::2] == overs[1::2]
        for match, record in data.items():
            check_match(proxy, match, read_record(record))
            assert verified(record)
            for side in SIDES:
                for line in lines_of(proxy, (match, side)):
                    came = [
                        message.seq
                        for message in line.heard()
                        if isinstance(message, Frame | News | Over) and message.seq
                    ]
                    assert all(after == before + 1 for before, after in pairwise(came)), came
        assert faults.kills == KILLS * ROUNDS
        record_property("table", f"lease of {lease_ms} ms\n{takeovers(faults.took_s())}")
        assert "Traceback" not in whole.said()
