"""Rooms in the engine: those of matches that go on, with revisions, and those of matches over.

Theory of operation. There are two buckets. `rooms` has the rooms of matches that go on, the whole
of each in the memory of each worker, since they are listed, looked for and watched. `over` has
those of finished matches: there only where they are listed, and whose they are, is in memory; it
stands in a header of the room's own message, so that it is stored, replaced and dropped with it.

A match ends by the one write to `over`. From then on it is over, whatever else is stored: a room
that is still in `rooms` counts no more, and no worker can put one there. What follows is put in
order one by one, and the room in `rooms` goes last; so where a process dies on the way, that room
is the sign of it, and the next list of the rooms ends the rest. A room that is dropped goes from
`over` last: a match that is over never seems to go on again.

Rooms of one match are written by its owner. Where that may be two, as when one enters a room that
waits, `put_room_if` names the revision that was read, and one of the two learns (TakenError) that
the other was first.
"""

from collections.abc import Awaitable, Callable
from typing import NamedTuple, final

from sunglare_protocol.ids import MatchId
from sunglare_server.cluster.client.keys import id_key, is_id
from sunglare_server.cluster.client.kv_bucket import KeyState, KeyValues
from sunglare_server.cluster.client.kv_cache import Mirror
from sunglare_server.cluster.client.multi_get import values_of
from sunglare_server.cluster.client.watchers import Watchers
from sunglare_server.cluster.store.finished_index import MATCH, PastPlaces, header_of, kept_header
from sunglare_server.ports.store import Ended, FinishedRoom, Place, TakenError

RoomWatcher = Callable[[MatchId, bytes | None, int], None]
"""Hears that the room of a match is this now, at a revision; None: it does not go on any more."""

Follow = Callable[[MatchId, Ended], Awaitable[None]]
"""What is to be done when a match has ended, before its room goes from those that go on."""


@final
class RoomAt(NamedTuple):
    """The room of a match that goes on, and the revision at which it is kept."""

    blob: bytes
    revision: int


@final
class NatsRooms:
    """The rooms of a cluster; each call raises StoreError when the engine refuses."""

    def __init__(self, live: KeyValues, over: KeyValues, follow: Follow) -> None:
        """Keep rooms in two buckets; `follow` does what comes with an end, and may be repeated."""
        self._live = live
        self._over = over
        self._follow = follow
        self._rooms: dict[MatchId, RoomAt] = {}
        self._watchers: Watchers[MatchId, bytes | None, int] = Watchers()
        self._past = PastPlaces()
        self._live_mirror = Mirror(live, self._take, MATCH)
        self._over_mirror = Mirror(over, self._past.take, MATCH, headers_only=True)

    def start(self) -> None:
        """Follow both buckets from now on."""
        self._live_mirror.start()
        self._over_mirror.start()

    async def close(self) -> None:
        """Follow them no longer."""
        await self._live_mirror.close()
        await self._over_mirror.close()

    async def watch(self, watcher: RoomWatcher) -> Callable[[], None]:
        """Report all rooms that go on, then each change, until the result is called."""
        await self._live_mirror.reach()
        for match, room in self._rooms.items():
            watcher(match, room.blob, room.revision)
        return self._watchers.add(watcher)

    async def put(self, match: MatchId, blob: bytes) -> None:
        """Keep the room of a match that goes on; TakenError if the match is over."""
        await self._refuse_if_over(match)
        await self._live.put(id_key(MATCH, match), blob)

    async def put_if(self, match: MatchId, blob: bytes, revision: int) -> int:
        """Keep a room in place of what was there at a revision, 0 for none; return the new one.

        TakenError if the room is not at that revision any more, or its match over.
        """
        await self._refuse_if_over(match)
        key = id_key(MATCH, match)
        if revision:
            made = await self._live.change(key, blob, revision)
        else:
            made = await self._live.create(key, blob)
        if made is None:
            raise TakenError(f"the room of {match} was changed by somebody else")
        return made

    async def at_revision(self, match: MatchId) -> RoomAt | None:
        """Return the room of a match that goes on, with its revision."""
        if not is_id(match):
            return None
        found = await self._live.look(id_key(MATCH, match))
        return None if found.value is None else RoomAt(found.value, found.revision)

    async def end(self, match: MatchId, blob: bytes, ended: Ended) -> None:
        """Keep the room of a match that is over."""
        await self._over.put(id_key(MATCH, match), blob, header_of(ended))
        await self._end_rest(match, ended)

    async def amend(self, match: MatchId, blob: bytes, was: bytes) -> bool:
        """Keep the room of a match that is over, in place of `was`; False if that is not there.

        The end of the match stays as it is; of two workers who read the same room one succeeds.
        """
        if not is_id(match):
            return False
        key = id_key(MATCH, match)
        found = await self._over.look(key)
        if found.value != was:
            return False
        made = await self._over.change(key, blob, found.revision, kept_header(found))
        return made is not None

    async def drop(self, match: MatchId) -> None:
        """Keep nothing of the room of a match."""
        key = id_key(MATCH, match)
        await self._live.clear(key)
        await self._over.clear(key)

    async def live(self) -> tuple[tuple[MatchId, bytes], ...]:
        """Return the rooms of all matches that are not over, in the order of their ids."""
        await self._reach()
        for match in [match for match in self._rooms if match in self._past.ends]:
            await self._end_rest(match, self._past.ends[match])
        rooms = sorted(self._rooms.items())
        return tuple([(match, room.blob) for match, room in rooms if match not in self._past.ends])

    async def goes_on(self, match: MatchId) -> bool:
        """Return whether there is a room of a match, and the match is not over."""
        await self._reach()
        return match in self._rooms and match not in self._past.ends

    async def is_there(self, match: MatchId) -> bool:
        """Return whether there is a room of a match, over or not."""
        await self._reach()
        return match in self._rooms or match in self._past.ends

    async def room(self, match: MatchId) -> bytes | None:
        """Return the room of a match, over or not; None if there is none."""
        if not is_id(match):
            return None
        # In this order: a match that ends meanwhile is in the second one.
        live = await self._live.look(id_key(MATCH, match))
        over = await self._over.look(id_key(MATCH, match))
        return live.value if over.value is None else over.value

    async def over(
        self, after: Place | None, most: int, account: str | None
    ) -> tuple[FinishedRoom, ...]:
        """Return the first rooms after a place, of all public matches or of one account's."""
        await self._over_mirror.reach()
        places = self._past.after(after, most, account)
        values = await values_of(self._over, [id_key(MATCH, place.match) for place in places])
        found = [(place, values.get(id_key(MATCH, place.match))) for place in places]
        return tuple([FinishedRoom(place, blob) for place, blob in found if blob is not None])

    async def over_count(self, beside: tuple[MatchId, ...]) -> int:
        """Return how many matches are over, those named left out."""
        await self._over_mirror.reach()
        return len(self._past.ends) - sum(
            match in self._past.ends for match in dict.fromkeys(beside)
        )

    async def beginning_with(self, letters: str, most: int) -> tuple[MatchId, ...]:
        """Return the first matches whose ids begin with these letters, over or not."""
        await self._reach()
        live = [match for match in self._rooms if match.startswith(letters)]
        found = dict.fromkeys((*live, *self._past.beginning_with(letters, most)))
        return tuple(sorted(found)[:most])

    async def _end_rest(self, match: MatchId, ended: Ended) -> None:
        await self._follow(match, ended)
        await self._live.clear(id_key(MATCH, match))

    async def _refuse_if_over(self, match: MatchId) -> None:
        await self._over_mirror.reach()
        if match in self._past.ends:
            raise TakenError(f"the match {match} is over")

    async def _reach(self) -> None:
        await self._live_mirror.reach()
        await self._over_mirror.reach()

    def _take(self, stored: KeyState) -> None:
        match = MatchId(stored.key.removeprefix(f"{MATCH}."))
        if stored.value is None:
            self._rooms.pop(match, None)
        else:
            self._rooms[match] = RoomAt(stored.value, stored.revision)
        self._watchers.tell(match, stored.value, stored.revision)
