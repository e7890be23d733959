"""Rated results and strengths in the server's database file.

A result and what it changes are one transaction, so that a crash leaves both or none. The table of
results names its matches in another column than all other tables do: deleting an old match must
not touch them.
"""

import asyncio
from collections.abc import Iterable
from contextlib import suppress
from typing import Any, final

import msgspec
import structlog

from sunglare_server.base.tasks import spawn
from sunglare_server.ports.rating_model import RatedResult, Strength, rated
from sunglare_server.ports.rating_store import RECENT_MS, RankedPlayer
from sunglare_server.ports.store import StoreError, TakenError
from sunglare_server.sqlite.database import Database, Statement, Value
from sunglare_server.sqlite.store import refusals_told

_ADD = "INSERT INTO result (game, family, blob) VALUES (?, ?, ?)"
_RESULTS = "SELECT blob FROM result ORDER BY n"
_BEFORE = "SELECT n, blob FROM result WHERE n < ? ORDER BY n DESC LIMIT ?"
_PAGE = 100
_LAST = 2**63 - 1
_PUT = """
    INSERT OR REPLACE INTO strength (family, player, mean, spread, matches)
    VALUES (?, ?, ?, ?, ?)
"""
_GONE = """
    SELECT NOT EXISTS (SELECT 1 FROM strength) AND EXISTS (SELECT 1 FROM result)
"""
_CLEAR = "DELETE FROM strength"
_STRENGTH = "SELECT mean, spread, matches FROM strength WHERE family = ? AND player = ?"
_FAMILIES = "SELECT DISTINCT family FROM strength ORDER BY family"
# The ladder's order: by the lower end of the interval.
_RANKED = """
    SELECT row_number() OVER (ORDER BY mean - 2 * spread DESC, mean DESC, player) AS rank,
        player, mean, spread, matches
    FROM strength WHERE family = ?1
"""
_LADDER = f"SELECT * FROM ({_RANKED}) WHERE rank > ?2 ORDER BY rank LIMIT ?3"  # noqa: S608 - our own
_PLACE = f"SELECT * FROM ({_RANKED}) WHERE player = ?2"  # noqa: S608 - our own

_decoder: msgspec.msgpack.Decoder[RatedResult] = msgspec.msgpack.Decoder(RatedResult)


@final
class SqliteRatings:
    """Keeps results and strengths in a Database that it shares with journal and store."""

    def __init__(self, database: Database) -> None:
        """Use an open database; its opener closes it."""
        self._database = database
        # A result is folded on what the one before it has left.
        self._turnstile = asyncio.Lock()

    async def add(self, result: RatedResult) -> bool:
        """Store a result and fold it, in one transaction; return if it was not there before."""
        # A caller that stops to wait must not let the next one in before this one is stored.
        adding = spawn(self._add(result), f"result of {result.match}", awaited=(StoreError,))
        return await asyncio.shield(adding)

    async def _add(self, result: RatedResult) -> bool:
        async with self._turnstile:
            players = [one.player for one in result.placed]
            before = {player: await self.strength(result.family, player) for player in players}
            row = (result.match, result.family, msgspec.msgpack.encode(result))
            changed = _put(result.family, rated(before, result))
            try:
                await self._submit(Statement(_ADD, (row,)), changed)
            except TakenError:
                return False
            return True

    async def strength(self, family: str, player: str) -> Strength:
        """Return what is thought of a player in a family, a new one's for who has not played."""
        for mean, spread, matches in await self._query(_STRENGTH, family, player):
            return Strength(mean=mean, spread=spread, matches=matches)
        return Strength()

    async def ladder(self, family: str, after: int, most: int) -> tuple[RankedPlayer, ...]:
        """Return the first `most` places of a family after the place `after`."""
        return _ranked(await self._query(_LADDER, family, after, most))

    async def place(self, family: str, player: str) -> RankedPlayer | None:
        """Return the place of a player in a family; None for who has not played."""
        found = _ranked(await self._query(_PLACE, family, player))
        return found[0] if found else None

    async def families(self) -> tuple[str, ...]:
        """Return the families in which there are results, in the order of their names."""
        return tuple([str(family) for (family,) in await self._query(_FAMILIES)])

    async def results_of(self, *players: str) -> tuple[RatedResult, ...]:
        """Return the results in which any of these players stands, in the order of storing."""
        return tuple([one for one in await self._results() if one.names(*players)])

    async def recent(self, now_ms: int) -> tuple[RatedResult, ...]:
        """Return the results of matches that ended within `RECENT_MS`, in the order of storing.

        They are read from the newest on, up to a page of which none is recent.
        """
        found: list[RatedResult] = []
        before = _LAST
        while rows := await self._query(_BEFORE, before, _PAGE):
            page = _readable(blob for _, blob in rows)
            newer = [one for one in page if one.ended_ms > now_ms - RECENT_MS]
            if not newer:
                break
            found += newer
            before = int(rows[-1][0])
        return tuple(reversed(found))

    async def rebuild(self) -> int:
        """Fold all stored results again, in place of the strengths; return how many there are."""
        async with self._turnstile:
            families: dict[str, dict[str, Strength]] = {}
            results = await self._results()
            for result in results:
                family = families.setdefault(result.family, {})
                family.update(rated(family, result))
                # Running matches keep their deadlines.
                await asyncio.sleep(0)
            puts = [_put(family, strengths) for family, strengths in families.items()]
            await self._submit(Statement(_CLEAR, ((),)), *puts)
            return len(results)

    async def refold_if_gone(self) -> None:
        """Fold all results again if there is no strength at all: their table was damaged.

        A refusal gets a line in the log, and the next start tries again.
        """
        try:
            ((is_gone,),) = await self._query(_GONE)
            if is_gone:
                await self.rebuild()
        except StoreError as error:
            structlog.get_logger().error("ratings_rebuild_failed", why=error.why)

    async def _results(self) -> list[RatedResult]:
        """Return all results that can be read; the log gets the number of the others."""
        rows = await self._query(_RESULTS)
        found = _readable(blob for (blob,) in rows)
        if len(found) < len(rows):
            structlog.get_logger().error("results_unreadable", count=len(rows) - len(found))
        return found

    async def _submit(self, *unit: Statement) -> None:
        with refusals_told():
            await self._database.submit(unit)

    async def _query(self, sql: str, *values: Value) -> list[tuple[Any, ...]]:
        with refusals_told():
            return await self._database.query(sql, values)


def _readable(blobs: Iterable[Any]) -> list[RatedResult]:
    found: list[RatedResult] = []
    for blob in blobs:
        with suppress(msgspec.DecodeError, TypeError):
            found.append(_decoder.decode(blob))
    return found


def _put(family: str, strengths: dict[str, Strength]) -> Statement:
    rows = tuple((family, player, *_figures(known)) for player, known in strengths.items())
    return Statement(_PUT, rows)


def _figures(strength: Strength) -> tuple[int, int, int]:
    return (strength.mean, strength.spread, strength.matches)


def _ranked(rows: Iterable[tuple[Any, ...]]) -> tuple[RankedPlayer, ...]:
    return tuple(
        [
            RankedPlayer(rank, str(player), Strength(mean=mean, spread=spread, matches=matches))
            for rank, player, mean, spread, matches in rows
        ]
    )
