"""The servers of an engine that keep copies of the records: which are there, as their leaders see.

One that is away leaves the others to store, and nothing of the matches shows it. So each worker
asks now and then. Where there is no leader there is no answer: too few servers are there.
"""

import asyncio
import json
from typing import Any, Final, NamedTuple, final

from sunglare_server.cluster.connection import Connection, EngineError, told_in_our_words
from sunglare_server.host.clock import Clock

LOOK_MS = 5_000
"""OWN: how often the engine is asked."""

_ANSWER_S = 2.0
_ALONE: Final = "the only one"


@final
class CopiesSeen(NamedTuple):
    """The servers of an engine by name, and those away or behind; `answer`: one could be asked.

    Without an answer they are as they were last.
    """

    names: tuple[str, ...]
    away: tuple[str, ...]
    answer: bool


@final
class Copies:
    """Asks for the streams that keep the records, and keeps what was answered last."""

    def __init__(self, connection: Connection, streams: tuple[str, ...], clock: Clock) -> None:
        """Ask nothing yet; `seen` is None until it is known."""
        self.seen: CopiesSeen | None = None
        self._connection = connection
        self._streams = streams
        self._clock = clock

    async def run(self) -> None:
        """Ask again and again, until cancelled."""
        while True:
            told = await asyncio.gather(*[self._told(stream) for stream in self._streams])
            self.seen = seen_in([one for one in told if one is not None], self.seen)
            await self._clock.sleep_until_ms(self._clock.now_ms() + LOOK_MS)

    async def _told(self, stream: str) -> dict[str, Any] | None:
        """Return what the leader of a stream answers; None without one."""
        try:
            # Not by way of `Engine.ask`, which takes silence for a reason to go to another server.
            with told_in_our_words():
                subject = f"$JS.API.STREAM.INFO.{stream}"
                answer = await self._connection.request(subject, b"", _ANSWER_S)
        except EngineError:
            return None
        told: dict[str, Any] = json.loads(answer.data)
        return None if "error" in told else told


def seen_in(told: list[dict[str, Any]], before: CopiesSeen | None) -> CopiesSeen | None:
    """Return what answers about streams say of servers; without any, what was seen `before`."""
    if not told:
        return None if before is None else before._replace(answer=False)
    names: dict[str, bool] = {}
    for one in told:
        # A server that is in no cluster names none.
        cluster = one.get("cluster") or {}
        names.setdefault(cluster.get("leader") or _ALONE, True)
        for copy in cluster.get("replicas") or ():
            is_there = bool(copy.get("current")) and not copy.get("offline")
            names[copy["name"]] = names.get(copy["name"], True) and is_there
    away = [name for name, is_there in names.items() if not is_there]
    return CopiesSeen(tuple(sorted(names)), tuple(sorted(away)), answer=True)
