"""What gateways, workers and a cluster cost beside one process: time, CPU, spectators, takeover.

The same matches are played by hand against each, without orders, at a pace; README.md beside this
says what is measured and what it came to.
"""

import argparse
import asyncio
import contextlib
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from functools import partial
from pathlib import Path
from typing import NamedTuple, final

sys.path.insert(0, str(Path(__file__).parents[1]))

from fanout import SCENARIO, counted, far, opened, viewers

import sunglare_server
from builders.engines import MISSING, server_program
from builders.halfprocesses import halves
from builders.machineprocesses import WORKERS, machines
from builders.openlimits import FLAGS
from builders.servers import ServerProcess
from sunglare_server.process import loop_factory

TURNS = 200
TICK_S = 0.01
"""In steps of this the system tells the time of a process."""

WARM = 5
"""Windows that are played before anything is measured."""

SETTLE_S = 0.5
"""Seconds after the last window until CPU times are read."""

LEASES_MS = (2_000, 600)


@final
class Plan(NamedTuple):
    """How many matches play how many windows at which pace; spectators, kills, and rounds."""

    matches: int
    windows: int
    apart: float
    viewers: int
    kills: int
    rounds: int


@final
class Site(NamedTuple):
    """Something that serves: where, and the CPU seconds of the server and of its engines."""

    url: str
    cpu_s: Callable[[], float]
    engines_s: Callable[[], float]


@final
class Figures(NamedTuple):
    """What windows took from the last order to the frame, and the CPU for each frame."""

    p50_ms: float
    p99_ms: float
    cpu_us: float
    engines_us: float


def nothing() -> float:
    """Return the CPU time of engines where there are none."""
    return 0.0


@contextlib.contextmanager
def whole(folder: Path, *flags: str) -> Iterator[Site]:
    """Run one process with its database file."""
    server = ServerProcess(folder, *FLAGS, *flags)
    try:
        server.start()
        yield Site(server.url, lambda: server.cpu_s, nothing)
    finally:
        server.end()


@contextlib.contextmanager
def halved(folder: Path, *flags: str) -> Iterator[Site]:
    """Run a gateway and a worker with its database file, and a Unix socket between them."""
    with halves(folder, 1, *flags) as both:
        gateway = both.gateways[0]
        yield Site(gateway.url, lambda: gateway.cpu_s + both.worker.cpu_s, nothing)


@contextlib.contextmanager
def clustered(folder: Path, *flags: str, engines: int, workers: int = 1) -> Iterator[Site]:
    """Run a gateway and so many workers at an engine of so many servers."""
    with machines(folder, *flags, engines=engines, sizes=(workers, 1)) as both:
        yield Site(
            both.gateways[0].url,
            lambda: sum(process.cpu_s for process in both.processes),
            lambda: sum(node.cpu_s for node in both.engines.nodes),
        )


def of_one(folder: Path, *flags: str) -> AbstractContextManager[Site]:
    """Run on one engine, which keeps one copy."""
    return clustered(folder, *flags, engines=1)


def of_three(folder: Path, *flags: str) -> AbstractContextManager[Site]:
    """Run on three engines, which keep three copies."""
    return clustered(folder, *flags, engines=3)


OpenSite = Callable[..., AbstractContextManager[Site]]
"""Runs one in a folder, with these flags of whoever has the matches."""

SITES: dict[str, OpenSite] = {
    "one process, SQLite": whole,
    "gateway and worker, Unix socket": halved,
    "gateway and worker, NATS, 1 copy": of_one,
    "gateway and worker, NATS, 3 copies": of_three,
}

CROWDS: dict[str, OpenSite] = {
    f"{workers} of {len(WORKERS)} workers, 1 gateway": partial(
        clustered, engines=3, workers=workers
    )
    for workers in range(1, len(WORKERS) + 1)
}
"""The same matches at one worker, and spread over more."""


@contextlib.contextmanager
def folder_with_haul() -> Iterator[tuple[Path, tuple[str, str]]]:
    """Make a folder, and the flags by which a server has a long match in it."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "scenarios").mkdir()
        shipped = Path(sunglare_server.__file__).parent / "data" / "scenarios"
        text = (shipped / f"{SCENARIO}.toml").read_text()
        long = text.replace("turns = 20\n", f"turns = {TURNS}\n", 1)
        (folder / "scenarios" / f"long-{SCENARIO}.toml").write_text(long)
        yield folder, ("--data", name)


async def measured(site: Site, plan: Plan) -> Figures:
    """Return the figures of matches that are played at once."""
    matches = [await opened(site.url) for _ in range(plan.matches)]
    for match in matches:
        await match.begin()

    async def played(number: int) -> list[float]:
        # Windows that are due together would wait for each other.
        await asyncio.sleep(plan.apart * number / plan.matches)
        return await matches[number].play(plan.windows, plan.apart)

    await asyncio.gather(*(match.play(WARM, plan.apart) for match in matches))
    cpu_s, engines_s = site.cpu_s(), site.engines_s()
    took_ms = await asyncio.gather(*map(played, range(plan.matches)))
    await asyncio.sleep(SETTLE_S)
    frames = 2 * plan.windows * plan.matches
    cpu_us = (site.cpu_s() - cpu_s) * 1e6 / frames
    engines_us = (site.engines_s() - engines_s) * 1e6 / frames
    for match in matches:
        await match.close()
    each = [ms for some in took_ms for ms in some]
    return Figures(far(each, 0.5), far(each, 0.99), cpu_us, engines_us)


async def in_turns(sites: dict[str, OpenSite], plan: Plan) -> None:
    """Measure each in turns, so that what else the machine does strikes all; print the medians."""
    found: dict[str, list[Figures]] = {name: [] for name in sites}
    for _ in range(plan.rounds):
        for name, site_of in sites.items():
            with folder_with_haul() as (folder, flags), site_of(folder, *flags) as site:
                found[name].append(await measured(site, plan))
    for name, rounds in found.items():
        p50_ms, p99_ms, cpu_us, engines_us = map(statistics.median, zip(*rounds, strict=True))
        print(
            f"  {name:36}p50 {p50_ms:6.2f} ms  p99 {p99_ms:6.2f} ms  "
            f"CPU {cpu_us:5.0f} us a frame  engines {engines_us:5.0f} us",
            flush=True,
        )


async def settled(audience: subprocess.Popen[str] | None) -> int:
    """Return how many frames have come to an audience, once no more come."""
    before, came = -1, counted(audience)
    while came != before:
        await asyncio.sleep(SETTLE_S)
        before, came = came, counted(audience)
    return came


async def fanned(url: str, cpu_s: Callable[[], float], plan: Plan) -> str:
    """Return what a spectator's frame costs a gateway, and so how many one core sends."""
    match = await opened(url)
    with contextlib.ExitStack() as stack:
        audience = await asyncio.to_thread(
            stack.enter_context,
            viewers(url, plan.viewers, "auto", match.token, match.match),
        )
        await match.begin()
        await match.play(WARM, plan.apart)
        came, before_s = await settled(audience), cpu_s()
        await match.play(plan.windows, plan.apart)
        in_all = await settled(audience)
        # A short run may take less than the tick in which the system counts.
        used_s, came = max(TICK_S, cpu_s() - before_s), max(1, in_all - came)
        await match.close()
    return (
        f"{came} frames came to {plan.viewers} spectators of one gateway: "
        f"{used_s * 1e6 / came:.1f} us of it each, {came / used_s:,.0f} a second and core"
    )


async def taken_over(folder: Path, flags: tuple[str, ...], lease_ms: int, kills: int) -> str:
    """Return how long after its worker was killed a match answers an order."""
    with machines(folder, *flags, "--lease-ms", str(lease_ms)) as both:
        owner, other = both.workers
        other.kill()
        match = await opened(both.gateways[0].url)
        await match.begin()
        took_s = []
        for _ in range(kills):
            await asyncio.to_thread(other.start)
            await match.play(WARM, 0.1)
            # Its sign of life has reached everybody.
            await asyncio.sleep(1.0)
            await asyncio.to_thread(owner.kill)
            since_s = time.perf_counter()
            await match.window()
            took_s.append(time.perf_counter() - since_s)
            owner, other = other, owner
        await match.close()
    return (
        f"lease of {lease_ms} ms: {kills} takeovers, p50 {statistics.median(took_s):.2f} s, "
        f"longest {max(took_s):.2f} s"
    )


async def main(plan: Plan) -> None:
    """Print one line for each."""
    has_engine = server_program() is not None
    print(f"{plan.matches} matches, {plan.windows} windows each, one in {plan.apart:g} s")
    sites = {name: open_ for name, open_ in SITES.items() if has_engine or "NATS" not in name}
    await in_turns(sites, plan)
    with folder_with_haul() as (folder, flags), halves(folder, 1, *flags) as both:
        gateway = both.gateways[0]
        print(await fanned(gateway.url, lambda: gateway.cpu_s, plan), flush=True)
    if not has_engine:
        print(MISSING)
        return
    await in_turns(CROWDS, plan)
    for lease_ms in LEASES_MS:
        with folder_with_haul() as (folder, flags):
            print(await taken_over(folder, flags, lease_ms, plan.kills), flush=True)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--matches", type=int, default=10)
    parser.add_argument("--windows", type=int, default=60)
    parser.add_argument("--apart", type=float, default=0.1)
    parser.add_argument("--viewers", type=int, default=1_000)
    parser.add_argument("--kills", type=int, default=6)
    parser.add_argument("--rounds", type=int, default=3)
    with asyncio.Runner(loop_factory=loop_factory("auto")) as runner:
        runner.run(main(Plan(**vars(parser.parse_args()))))
