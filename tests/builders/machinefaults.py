"""What is done to a cluster while bots play on it, and how long it takes until a match goes on."""

import asyncio
import json
from collections.abc import Awaitable, Callable
from random import Random
from statistics import quantiles
from typing import final

from builders.engines import Engine
from builders.halfprocesses import WorkerProcess
from builders.kills import place
from builders.machineprocesses import Machines
from builders.proxies import Proxy
from sunglare_protocol.ids import MatchId
from sunglare_protocol.messages import Accepted, Frame, Over

PAST_TTL_S = 3.5
"""Longer than the lease of a worker lasts that says nothing."""

_GOES_ON = (Accepted, Frame, Over)
_OWNS = ("match_opened", "match_loaded")

Fault = Callable[[], Awaitable[None]]
"""Does something to a cluster, and returns when it is done."""


@final
class Faults:
    """Does to a cluster what is named, in turns to each that it can be done to."""

    def __init__(self, machines: Machines, proxy: Proxy, rng: Random) -> None:
        """Play through `proxy`; `rng` chooses."""
        self.kills = 0
        self.are_done = False
        self.gone: list[tuple[str, float, frozenset[MatchId]]] = []
        """What was done to an owner, when, by the clock of the loop, and of which matches."""
        self._is_engine_lost = False
        self._leaders_gone_s: list[float] = []
        self._machines = machines
        self._proxy = proxy
        self._rng = rng
        self._turn = 0

    async def kill_worker(self) -> None:
        """Kill the worker that owns most, and start it again."""
        worker, owned = self._owner_of_most()
        await asyncio.to_thread(worker.kill)
        self.kills += 1
        is_harder = " while an engine is lost" if self._is_engine_lost else ""
        self.gone.append((f"a worker is killed{is_harder}", _now_s(), owned))
        await asyncio.to_thread(worker.start)

    async def kill_gateway(self) -> None:
        """Kill a gateway, and start it again."""
        gateway = self._rng.choice(self._machines.gateways)
        await asyncio.to_thread(gateway.kill)
        self.kills += 1
        await asyncio.to_thread(gateway.start)

    async def kill_leader(self) -> None:
        """Kill the engine that leads most of the logs; it stays away until `engines_back`."""
        leader = await asyncio.to_thread(self._leader)
        await asyncio.to_thread(leader.kill)
        self._leaders_gone_s.append(_now_s())
        self.kills += 1
        self._is_engine_lost = True

    async def engines_back(self) -> None:
        """Start whatever engine was killed, and wait until it has caught up."""
        await asyncio.to_thread(self._machines.engines.start)
        await asyncio.to_thread(self._machines.engines.wait_level)
        self._is_engine_lost = False

    async def halt_worker(self) -> None:
        """Stop the worker that owns most until others have its matches, and let it go on."""
        worker, owned = self._owner_of_most()
        worker.halt()
        self.gone.append(("a worker is stopped", _now_s(), owned))
        await asyncio.sleep(PAST_TTL_S)
        worker.go_on()

    async def drain(self) -> None:
        """Ask workers and gateways in turns to end, and start them again."""
        processes = self._machines.processes
        process = processes[self._turn % len(processes)]
        self._turn += 1
        assert await asyncio.to_thread(process.terminate) == 0
        await asyncio.to_thread(process.start)

    async def do(self, faults: list[Fault], seats: int) -> None:
        """Do one after the other while so many seats are played, with some play in between."""
        while sum(place(line) is not None for line in self._proxy.lines) < seats:
            await self._proxy.wait_passed(self._proxy.passed + 1)
        for fault in faults:
            await self._proxy.wait_passed(self._proxy.passed + seats * self._rng.randint(3, 8))
            await asyncio.sleep(self._rng.random() * 0.02)
            await fault()
        await self._proxy.wait_passed(self._proxy.passed + seats * 3)
        self.are_done = True

    def took_s(self) -> dict[str, list[float]]:
        """Return how long after what was done to its owner each match went on.

        What waited for the engines to elect a leader besides, some seconds, stands apart.
        """
        took: dict[str, list[float]] = {}
        went_on_s = self._went_on_s()
        for done, since_s, matches in self.gone:
            for match in sorted(matches & went_on_s.keys()):
                came_s = next((came_s for came_s in went_on_s[match] if came_s > since_s), None)
                if came_s is None:
                    # It was over when its owner was killed, who had not said so yet.
                    continue
                is_harder = any(since_s < gone_s < came_s for gone_s in self._leaders_gone_s)
                named = f"{done}, then an engine" if is_harder else done
                took.setdefault(named, []).append(came_s - since_s)
        return took

    def _went_on_s(self) -> dict[MatchId, list[float]]:
        """Return for each match when something came that only an owner could send."""
        moments: dict[MatchId, list[float]] = {}
        for line in self._proxy.lines:
            held = place(line)
            if held is not None:
                moments.setdefault(held[0], []).extend(
                    came_s
                    for came_s, message in zip(line.came_s, line.hearing(), strict=False)
                    if isinstance(message, _GOES_ON)
                )
        return {match: sorted(each_s) for match, each_s in moments.items()}

    def _owner_of_most(self) -> tuple[WorkerProcess, frozenset[MatchId]]:
        """Return the worker that owns most matches that go on, by what they have logged."""
        told = sorted(
            (line["timestamp"], line["event"], line["match"], number)
            for number, worker in enumerate(self._machines.workers)
            for line in map(json.loads, worker.log.read_text().splitlines())
            if "match" in line
        )
        owners: dict[str, int] = {}
        for _, event, match, number in told:
            if event in _OWNS:
                owners[match] = number
            elif event == "match_over":
                owners.pop(match, None)
        most = max(range(len(self._machines.workers)), key=[*owners.values()].count)
        owned = frozenset(MatchId(match) for match, number in owners.items() if number == most)
        return self._machines.workers[most], owned

    def _leader(self) -> Engine:
        engines = self._machines.engines
        leaders = [engines.leader_of(name) for name in engines.logs()]
        return max(engines.nodes, key=leaders.count)


def _now_s() -> float:
    return asyncio.get_running_loop().time()


def takeovers(took_s: dict[str, list[float]]) -> str:
    """Return a line for each thing that was done to owners, with what takeovers took."""
    lines = []
    for done, each_s in took_s.items():
        if len(each_s) > 1:
            cuts = quantiles(each_s, n=100, method="inclusive")
            lines.append(
                f"{done}: {len(each_s)} matches go on after {cuts[49]:.2f} s (p50), "
                f"{cuts[98]:.2f} s (p99)"
            )
    return "\n".join(lines)
