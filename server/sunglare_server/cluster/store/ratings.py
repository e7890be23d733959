"""Rated results in the engine, and the strengths that every worker folds of them.

Theory of operation. A result is one value, created once under the id of its match: a second writer
learns that it is there. Nothing else is stored. Each worker follows the bucket and folds what it
receives, in the order of the revisions, which is the order in which the engine has stored it and
the same for all: so all workers show the same ladder, without anything that they would have to
agree on. A worker that starts folds all results, some 50,000 of them in a second.
"""

from collections.abc import Iterable
from typing import Final, final

import msgspec
import structlog

from sunglare_server.cluster.client.engine import Engine
from sunglare_server.cluster.client.keys import id_key
from sunglare_server.cluster.client.kv_bucket import KeyState, KeyValues
from sunglare_server.cluster.client.kv_cache import Mirror
from sunglare_server.cluster.client.multi_get import gathered
from sunglare_server.matchmaking.strengths import Strengths
from sunglare_server.ports.rating_model import RatedResult, Strength
from sunglare_server.ports.rating_store import RankedPlayer
from sunglare_server.ports.store import StoreError

BUCKET: Final = "results"
"""The bucket's name."""

_MATCH: Final = "m"

_decoder: msgspec.msgpack.Decoder[RatedResult] = msgspec.msgpack.Decoder(RatedResult)


@final
class NatsRatings:
    """The ratings of a cluster; each call raises StoreError when the engine refuses."""

    def __init__(self, bucket: KeyValues) -> None:
        """Keep the results in a bucket that is there; `open` makes it."""
        self._bucket = bucket
        self._strengths = Strengths()
        # While all are folded again: what came meanwhile.
        self._late: list[RatedResult] | None = None
        self._mirror = Mirror(bucket, self._take, _MATCH)

    @classmethod
    async def open(cls, engine: Engine) -> "NatsRatings":
        """Return the ratings that an engine keeps; raise `EngineError` if they can't be made."""
        made = cls(await KeyValues.open(engine, BUCKET))
        made._mirror.start()
        return made

    async def close(self) -> None:
        """Follow the bucket no longer."""
        await self._mirror.close()

    async def add(self, result: RatedResult) -> bool:
        """Store a result; return if it was not there before. It is folded when this returns."""
        blob = msgspec.msgpack.encode(result)
        is_new = await self._bucket.create(id_key(_MATCH, result.match), blob) is not None
        await self._mirror.reach()
        return is_new

    async def strength(self, family: str, player: str) -> Strength:
        """Return what is thought of a player in a family, a new one's for who has not played."""
        await self._mirror.reach()
        return self._strengths.strength(family, player)

    async def ladder(self, family: str, after: int, most: int) -> tuple[RankedPlayer, ...]:
        """Return the first `most` places of a family after the place `after`."""
        await self._mirror.reach()
        return self._strengths.ladder(family, after, most)

    async def place(self, family: str, player: str) -> RankedPlayer | None:
        """Return the place of a player in a family; None for who has not played."""
        await self._mirror.reach()
        return self._strengths.place(family, player)

    async def families(self) -> tuple[str, ...]:
        """Return the families in which there are results, in the order of their names."""
        await self._mirror.reach()
        return self._strengths.families

    async def results_of(self, *players: str) -> tuple[RatedResult, ...]:
        """Return the results in which any of these players stands, in the order of storing."""
        stored = await gathered(self._bucket, (f"{_MATCH}.>",))
        return tuple([one for one in _readable(stored) if one.names(*players)])

    async def recent(self, now_ms: int) -> tuple[RatedResult, ...]:
        """Return the results of matches that ended within `RECENT_MS`, in the order of storing."""
        await self._mirror.reach()
        return self._strengths.recent(now_ms)

    async def rebuild(self) -> int:
        """Fold all stored results again, in place of the strengths; return how many there are."""
        late: list[RatedResult] = []
        self._late = late
        found = await gathered(self._bucket, (f"{_MATCH}.>",))
        strengths = Strengths(_readable(found))
        # What came meanwhile was perhaps not reported; what was is folded once.
        for result in late:
            strengths.take(result)
        self._strengths, self._late = strengths, None
        return len(strengths)

    def _take(self, stored: KeyState) -> None:
        if stored.value is not None:
            result = _read(stored.value)
            self._strengths.take(result)
            if self._late is not None:
                self._late.append(result)


def _readable(stored: Iterable[KeyState]) -> list[RatedResult]:
    """Return the results that can be read; each of the others gets a line in the log."""
    found: list[RatedResult] = []
    for one in stored:
        if one.value is not None:
            try:
                found.append(_read(one.value))
            except StoreError as error:
                log = structlog.get_logger().bind(key=one.key)
                log.error("result_unreadable", why=error.why)
    return found


def _read(value: bytes) -> RatedResult:
    try:
        return _decoder.decode(value)
    except msgspec.DecodeError as error:
        raise StoreError(f"the result of a match can't be read: {error}") from error
