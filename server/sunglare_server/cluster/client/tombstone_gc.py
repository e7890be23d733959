"""Sweeps buckets: marks, and leftovers of processes that died, each after an hour.

Theory of operation. A dropped value leaves a mark, so that every mirror learns of it; a process
that dies in the midst of a change leaves keys that are not needed. Both are harmless, and take
room.

Nothing here reads a clock of another machine. What looks left is noted with its revision; if it
stands there at the same revision when the sweep comes an hour later, its writer is gone: a process
that changes anything is done, or has given up, within seconds. By then every mirror has seen the
marks.
"""

from collections.abc import Awaitable, Callable, Iterable
from typing import final

from sunglare_server.cluster.client.kv_bucket import KeyState, KeyValues, kind_of
from sunglare_server.cluster.client.multi_get import gathered
from sunglare_server.cluster.store.accounts import NatsAccounts, left_of_accounts
from sunglare_server.cluster.store.rooms import NatsRooms
from sunglare_server.cluster.store.tickets import (
    MATCHES,
    NatsTickets,
    left_of_tickets,
    match_of,
)

OLD_MS = 3_600_000
"""OWN: so long what looks left must have been there."""

Heal = Callable[[KeyState], Awaitable[None]]
"""Removes what a process that died has left in a key, if it is not needed."""


@final
class Sweep:
    """What was seen in one bucket that looks left, and since when."""

    def __init__(self, bucket: KeyValues, heal: Heal) -> None:
        """Sweep a bucket; `heal` deals with keys that have a value."""
        self._bucket = bucket
        self._heal = heal
        self._since_ms: dict[tuple[str, int], int] = {}

    async def take(self, left: Iterable[KeyState], now_ms: int) -> int:
        """Note what looks left now, remove what is old, and return how many keys that were."""
        known, self._since_ms = self._since_ms, {}
        gone = 0
        for stored in left:
            name = (stored.key, stored.revision)
            since_ms = known.get(name, now_ms)
            if now_ms - since_ms < OLD_MS:
                self._since_ms[name] = since_ms
            else:
                await self._remove(stored)
                gone += 1
        return gone

    async def _remove(self, stored: KeyState) -> None:
        if stored.value is None:
            await self._bucket.unmark(stored.key, stored.revision)
        else:
            await self._heal(stored)


@final
class Sweeper:
    """Sweeps the buckets of a store; each call raises StoreError when the engine refuses."""

    def __init__(
        self,
        accounts: tuple[KeyValues, NatsAccounts],
        tickets: tuple[KeyValues, NatsTickets],
        rooms: NatsRooms,
        others: tuple[KeyValues, ...],
    ) -> None:
        """Sweep people and tickets, and of the `others` the marks alone."""
        self._accounts = accounts[0]
        self._tickets = tickets[0]
        self._rooms = rooms
        self._others = others
        heals: dict[str, Heal] = {
            self._accounts.name: accounts[1].heal,
            self._tickets.name: tickets[1].heal,
        }
        buckets = (self._accounts, self._tickets, *others)
        self._sweeps = {
            bucket.name: Sweep(bucket, heals.get(bucket.name, _nothing)) for bucket in buckets
        }

    async def sweep(self, now_ms: int) -> int:
        """Remove what has looked left for an hour at `now_ms`; return how many keys that were."""
        told = await gathered(self._accounts, (">",))
        gone = await self._take(self._accounts, [*_marks(told), *left_of_accounts(told)], now_ms)
        told = await gathered(self._tickets, (">",))
        left = [*_marks(told), *left_of_tickets(told), *await self._orphans(told)]
        gone += await self._take(self._tickets, left, now_ms)
        for bucket in self._others:
            told = await gathered(bucket, (">",), headers_only=True)
            gone += await self._take(bucket, _marks(told), now_ms)
        return gone

    async def _take(self, bucket: KeyValues, left: list[KeyState], now_ms: int) -> int:
        return await self._sweeps[bucket.name].take(left, now_ms)

    async def _orphans(self, told: tuple[KeyState, ...]) -> list[KeyState]:
        """Return the tickets of matches that have no room."""
        held = [one for one in told if one.value is not None and kind_of(one.key) == MATCHES]
        return [one for one in held if not await self._rooms.is_there(match_of(one))]


def _marks(told: tuple[KeyState, ...]) -> list[KeyState]:
    return [stored for stored in told if stored.value is None]


async def _nothing(stored: KeyState) -> None:
    del stored
