"""The lease of one worker at the simulated engine: a beat of each worker, an entry of each match.

It is a model of the real one and as strict: who is not heard of for the time to live, by the own
clock, is gone; who does not hear its own beats can't tell that of others, and takes no orders.
"""

import asyncio
import contextlib
from collections import Counter
from collections.abc import Callable, Iterator
from random import Random
from typing import final

from simulation.workers.engine import Entry, Line, NotNextError
from sunglare_protocol.ids import MatchId
from sunglare_server.base.tasks import spawn
from sunglare_server.ports.lease import RENEWED_PART, LeaseError, Lost

TTL_S = 2.0
"""How long a lease lives after the last beat."""

BEATS = 5
"""How many beats there are in the time to live."""

OFFER_S = (0.0, 0.4)
"""How much later than another one a worker tries to claim what is free."""

GONE = "-"
"""Who holds a match that is over."""

TRIES_MOST = 5
"""How often a claim is tried when others write as well."""


@final
class SimLease:
    """Claims, renews and gives back the matches of the worker whose life is called `holder`."""

    def __init__(self, line: Line, holder: str, rng: Random) -> None:
        """Own nothing yet."""
        self.holder = holder
        self.entries: dict[MatchId, Entry] = dict(line.engine.entries)
        self._line = line
        self._rng = rng
        self._owned: dict[MatchId, int] = {}
        self._sent: dict[int, float] = {}
        self._heard = {one: (beat, _now_s()) for one, beat in line.engine.beats.items()}
        self._renewed_s = -TTL_S
        self._count = 0
        self._offered: dict[MatchId, float] = {}
        # Matches whose lease is being changed.
        self._busy: Counter[MatchId] = Counter()
        self._lost: Lost = _unheard
        self._free: Callable[[MatchId], None] = _unheard

    async def claim(self, match: MatchId) -> int | None:
        """Own a match; see the port."""
        with self._changing(match):
            return await self._claimed(match)

    async def _claimed(self, match: MatchId) -> int | None:
        for _ in range(TRIES_MOST):
            if match in self._owned:
                return self._owned[match]
            entry = await self._entry(match)
            if entry is not None and entry.holder == self.holder:
                return self._own(match, entry.revision)
            is_held = entry is not None and entry.holder not in ("", GONE)
            if entry is not None and is_held and not await self._is_gone(entry.holder):
                return None
            try:
                revision = await self._hold(match, self.holder, entry.revision if entry else 0)
            except NotNextError:
                continue
            return self._own(match, revision)
        raise LeaseError("others go on writing")

    async def release(self, match: MatchId) -> None:
        """Own a match no more, so that others may claim it."""
        epoch = self._owned.pop(match, None)
        if epoch is not None:
            await self._give_up(match, epoch)

    async def drop(self, match: MatchId) -> None:
        """Own a match no more that is over, and have nobody take it over."""
        epoch = self._owned.pop(match, None)
        if epoch is not None:
            await self._give_up(match, epoch, GONE)

    def is_held(self, match: MatchId) -> bool:
        """Return whether a match is owned and the own beats were heard in time."""
        return match in self._owned and self._is_renewed

    def on_lost(self, lost: Lost) -> None:
        """Tell of each match that another one has taken."""
        self._lost = lost

    def on_free(self, free: Callable[[MatchId], None]) -> None:
        """Tell of each match that nobody holds who lives."""
        self._free = free

    def hear(self, match: MatchId, entry: Entry) -> None:
        """Hear who holds a match."""
        self.entries[match] = entry
        epoch = self._owned.get(match)
        if epoch is not None and entry.revision > epoch and entry.holder != self.holder:
            del self._owned[match]
            self._lost(match)

    def hear_beat(self, holder: str, count: int) -> None:
        """Hear a beat."""
        self._heard[holder] = (count, _now_s())
        if holder == self.holder:
            self._renewed_s = max(self._renewed_s, self._sent.pop(count, self._renewed_s))

    async def beat(self) -> None:
        """Beat for ever, and look what is free."""
        while True:
            self._count += 1
            self._sent[self._count] = _now_s()
            spawn(self._beat_once(self._count), "a beat")
            self._offer_all()
            await asyncio.sleep(TTL_S / BEATS)

    @property
    def _is_renewed(self) -> bool:
        return _now_s() - self._renewed_s <= RENEWED_PART * TTL_S

    async def _beat_once(self, count: int) -> None:
        engine = self._line.engine
        try:
            await self._line.call("beat", lambda: engine.beat(self.holder, count), LeaseError)
        except LeaseError:
            return

    async def _is_gone(self, holder: str) -> bool:
        engine = self._line.engine
        newest = await self._line.call("beat_of", lambda: engine.beat_of(holder), LeaseError)
        return self._heard.get(holder, (0, 0.0))[0] == newest and self._is_silent(holder)

    def _is_silent(self, holder: str) -> bool:
        heard_s = self._heard.setdefault(holder, (0, _now_s()))[1]
        return self._is_renewed and _now_s() - heard_s > TTL_S

    def _own(self, match: MatchId, epoch: int) -> int | None:
        known = self.entries.get(match)
        if known is not None and known.revision > epoch and known.holder != self.holder:
            return None
        self._owned[match] = epoch
        return epoch

    def _offer_all(self) -> None:
        for match, entry in tuple(self.entries.items()):
            if entry.holder == self.holder and match not in self._owned and not self._busy[match]:
                # It could not be given up when that was tried.
                spawn(self._give_up(match, entry.revision), "a lease", awaited=(LeaseError,))
            if entry.holder == GONE:
                continue
            is_free = not entry.holder or self._is_silent(entry.holder)
            if match not in self._owned and is_free and self._offered.get(match, 0) < _now_s():
                self._offered[match] = _now_s() + TTL_S
                spawn(self._offer(match), "an offer")

    async def _give_up(self, match: MatchId, epoch: int, holder: str = "") -> None:
        with self._changing(match), contextlib.suppress(NotNextError):
            await self._hold(match, holder, epoch)

    @contextlib.contextmanager
    def _changing(self, match: MatchId) -> Iterator[None]:
        self._busy[match] += 1
        try:
            yield
        finally:
            self._busy[match] -= 1

    async def _offer(self, match: MatchId) -> None:
        await asyncio.sleep(self._rng.uniform(*OFFER_S))
        self._free(match)

    async def _entry(self, match: MatchId) -> Entry | None:
        engine = self._line.engine
        return await self._line.call("entry", lambda: engine.entry(match), LeaseError)

    async def _hold(self, match: MatchId, holder: str, after: int) -> int:
        engine = self._line.engine
        return await self._line.call(
            "hold", lambda: engine.hold(match, holder, after), LeaseError, may_fail=True
        )


def _now_s() -> float:
    return asyncio.get_running_loop().time()


def _unheard(match: MatchId) -> None:
    del match
