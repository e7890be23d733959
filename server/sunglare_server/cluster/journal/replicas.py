"""The servers of an engine that keep copies of the records: which are there, as their leaders see.

One that is away leaves the others to store, and nothing of the matches shows it. So each worker
asks now and then. Where there is no leader there is no answer that counts: one that has lost its
leader, as a server whose disk is full, takes itself for well and the others for away.
"""

import asyncio
import json
from typing import Any, Final, NamedTuple, final

from nats.aio.subscription import Subscription

from sunglare_server.base.clock import Clock
from sunglare_server.cluster.client.connection import Connection, EngineError, told_in_our_words

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
            await self.look()
            await self._clock.sleep_until_ms(self._clock.now_ms() + LOOK_MS)

    async def look(self) -> CopiesSeen | None:
        """Ask once and return what is known then."""
        told = await asyncio.gather(*[self._told(stream) for stream in self._streams])
        self.seen = seen_in([one for one in told if one is not None], self.seen)
        return self.seen

    async def _told(self, stream: str) -> dict[str, Any] | None:
        """Return what the leader of a stream answers; None without one."""
        client = self._connection.client
        inbox = client.new_inbox()
        try:
            # Not by way of `Engine.ask`, which takes silence for a reason to go to another server.
            with told_in_our_words():
                answers = await client.subscribe(inbox)
                try:
                    await client.publish(f"$JS.API.STREAM.INFO.{stream}", b"", reply=inbox)
                    async with asyncio.timeout(_ANSWER_S):
                        return await _first_of_a_leader(answers)
                finally:
                    if not client.is_closed:
                        await answers.unsubscribe()
        except (EngineError, TimeoutError):
            return None


async def _first_of_a_leader(answers: Subscription) -> dict[str, Any]:
    """Return the first answer of a leader: a server that has lost it may answer before."""
    while True:
        message = await answers.next_msg(timeout=_ANSWER_S)
        # An engine without a leader may say so in a header alone.
        told: dict[str, Any] = json.loads(message.data or b'{"error": {}}')
        if "error" not in told and not _is_led_by_none(told):
            return told


def _is_led_by_none(told: dict[str, Any]) -> bool:
    """Return whether it is not a leader that answers, which alone knows how the others are."""
    cluster = told.get("cluster") or {"leader": _ALONE}
    return not cluster.get("leader")


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
