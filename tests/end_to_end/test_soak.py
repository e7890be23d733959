"""Matches on a real server one after the other: what the server holds of its machine stays flat.

`make faults` has the long form: 50 matches at once for 30 minutes.
"""

import asyncio
import itertools
import os
import time
from collections.abc import Callable
from pathlib import Path
from typing import final

import pytest

from builders.gauges import Gauge, gauged, table, trends
from builders.players import created
from builders.servers import ServerProcess, server_process
from builders.watchers import watch
from builders.wires import met
from sunglare_client.bot import play
from sunglare_client.bots import RandomLegal
from sunglare_protocol.ids import PUBLIC, Side
from sunglare_protocol.views import View

LONG = bool(os.environ.get("SUNGLARE_LONG"))
MATCHES = 50 if LONG else 3
SECONDS = 1800 if LONG else 2
LOOK_S = 5.0 if LONG else 0.1
END_S = 300
"""The last matches have ended by then."""

SCENARIOS = ("smugglers-moon", "picket-line", "shadow-of-ceres", "two-harbours")

WINDOWS = (20, 60)
"""After so many windows, at least and at most, somebody has had enough of his match."""

GROWN_MOST = {
    "memory, MiB": 12.0 if LONG else 24.0,
    "files": 4.0,
    "threads": 1.0,
    "log, MiB": 4.0,
}
"""By how much each figure may have grown after the warm part.

Files come and go with the players, whose number is about the same all the time; the log of the
database is written from its beginning again once it has some 4 MiB.
"""


@final
class Tired(RandomLegal):
    """Plays at random, and resigns after some windows, or once it `is_enough`.

    So there are new and old matches at any moment, and many follow one another.
    """

    def __init__(self, seed: int, is_enough: Callable[[], bool]) -> None:
        """Play by a seed."""
        super().__init__(seed)
        self._is_enough = is_enough
        self._left = self.rng.randint(*WINDOWS)

    def gives_up(self, view: View) -> bool:
        """Return whether it is enough, or the match lost."""
        self._left -= 1
        return self._left < 0 or self._is_enough() or super().gives_up(view)


async def one_after_the_other(
    server: ServerProcess, place: int, is_enough: Callable[[], bool]
) -> int:
    """Play one match after the other, each with a spectator; return how many there were."""
    for played in itertools.count():
        if is_enough():
            return played
        scenario = SCENARIOS[(place + played) % len(SCENARIOS)]
        async with met(server.url) as host:
            match = await created(host, scenario=scenario)
            await watch(host, match, PUBLIC)
            await asyncio.gather(
                *(
                    play(Tired(seed, is_enough), server.url, match=match, side=Side(side))
                    for seed, side in enumerate("AB", 2 * (MATCHES * played + place))
                )
            )
    raise AssertionError("unreachable")


async def looked_at(server: ServerProcess, is_enough: Callable[[], bool]) -> list[Gauge]:
    """Look at what the server holds until it is enough."""
    looks: list[Gauge] = []
    while not is_enough():
        looks.append(gauged(time.monotonic(), server.pid, server.journal))
        await asyncio.sleep(LOOK_S)
    return looks


@pytest.mark.timeout(SECONDS + END_S + 60)
async def test_memory_files_threads_and_the_log_do_not_grow_with_the_matches_played(
    tmp_path: Path, record_property: Callable[[str, object], None]
) -> None:
    until = time.monotonic() + SECONDS

    def is_enough() -> bool:
        return time.monotonic() >= until

    with server_process(tmp_path) as server:
        async with asyncio.timeout(SECONDS + END_S), asyncio.TaskGroup() as group:
            looking = group.create_task(looked_at(server, is_enough))
            playing = [
                group.create_task(one_after_the_other(server, place, is_enough))
                for place in range(MATCHES)
            ]
        assert "Traceback" not in server.said()
    found = trends(looking.result())
    ended = sum(task.result() for task in playing)
    record_property("table", table(found, f"{ended} matches, {MATCHES} at once, {SECONDS} s"))
    assert ended >= (10 if LONG else 1) * MATCHES
    for what, most in GROWN_MOST.items():
        assert found[what].grown <= most, table(found, what)
