"""The health of what stores: whether writes are acknowledged, and for how long one was not.

Theory of operation. Each write names the place to which it goes, as the database or one stream of
an engine. A place is well again with the first write that it acknowledges. One that refuses, as a
full disk does, stores nothing from then on; one that does not answer is given `UNANSWERED_MS`, in
which an engine may elect another leader. Where nothing is written, the beats of a lease show the
same: they are stored like anything else. A worker with matches waits no longer for a beat than for
a write: without beats what they are to store is held back, here or at gateways.

A failed write may never be tried again, so its place does not count for ever: once others have
acknowledged something `FORGOTTEN_MS` after its last failure, it is forgotten. Where no other one
writes, `wants_probe` asks for a write.
"""

import asyncio
import contextlib
import enum
from collections.abc import Callable, Iterator
from typing import final

from sunglare_server.base.storage_errors import MediumError

UNANSWERED_MS = 3_500
"""OWN: a write that was not acknowledged for so long, over all its tries, is not stored."""

BEATLESS_MS = 10_000
"""OWN: where there are no matches, beats may be missing for so long, as in an election."""

FORGOTTEN_MS = 10_000
"""OWN: a failure that is not repeated for so long is forgotten while other writes are stored."""

NOTHING_STORED = "nothing can be stored"
"""Why a server is not ready then: no more is said, for it is read by strangers."""


class WriteOutcome(enum.Enum):
    """How a write ended that raised an error."""

    ANSWERED = "answered"
    """The medium works and did not take this one, for a reason of its own."""

    REFUSED = "refused"
    UNANSWERED = "unanswered"


@final
class _Place:
    """Where writes go to."""

    def __init__(self, since_ms: float) -> None:
        """Begin with the first write."""
        self.under_way = 0
        # Since when no write was acknowledged, though there were some.
        self.since_ms = since_ms
        self.failed_ms: float | None = None
        self.is_refused = False

    def is_unable(self, now_ms: float) -> bool:
        return self.is_refused or now_ms - self.since_ms >= UNANSWERED_MS


@final
class WriteHealth:
    """Notes how writes end; times are of one monotonic clock, in ms, and given by the caller."""

    def __init__(self) -> None:
        """Begin well, without any write."""
        self._places: dict[str, _Place] = {}
        self._beat_ms: float | None = None
        self._every_ms = 0.0

    def begin(self, place: str, now_ms: float) -> None:
        """Note that a write to a place begins."""
        self._places.setdefault(place, _Place(now_ms)).under_way += 1

    def stored(self, place: str, now_ms: float) -> None:
        """Note that a place has acknowledged a write, or has shown otherwise that it works."""
        known = self._places[place]
        known.under_way -= 1
        known.failed_ms, known.is_refused, known.since_ms = None, False, now_ms
        self._tidy(place)
        self._forget(now_ms)

    def failed(self, place: str, now_ms: float, *, is_refused: bool) -> None:
        """Note that a write was refused, or that there was no answer to it."""
        known = self._places[place]
        known.under_way -= 1
        known.failed_ms = now_ms
        known.is_refused = known.is_refused or is_refused

    def given_up(self, place: str) -> None:
        """Note that a write is awaited no more; nothing is known of it."""
        self._places[place].under_way -= 1
        self._tidy(place)

    def beat(self, now_ms: float, every_ms: float) -> None:
        """Note that a beat was stored; the next one comes after `every_ms`."""
        self._beat_ms, self._every_ms = now_ms, every_ms
        self._forget(now_ms)

    def unstored_ms(self, now_ms: float, *, has_matches: bool = False) -> int | None:
        """Return for how long something was not stored; None while all is."""
        since_ms = [known.since_ms for known in self._places.values() if known.is_unable(now_ms)]
        beatless_ms = max(UNANSWERED_MS if has_matches else BEATLESS_MS, 2 * self._every_ms)
        if self._beat_ms is not None and now_ms - self._beat_ms >= beatless_ms:
            since_ms.append(self._beat_ms)
        return int(now_ms - min(since_ms)) if since_ms else None

    def wants_probe(self) -> bool:
        """Return whether a place has failed to which nothing is being written now."""
        return any(
            known.failed_ms is not None and not known.under_way for known in self._places.values()
        )

    def _tidy(self, place: str) -> None:
        known = self._places[place]
        if not known.under_way and known.failed_ms is None:
            del self._places[place]

    def _forget(self, now_ms: float) -> None:
        self._places = {
            place: known
            for place, known in self._places.items()
            if known.under_way
            or known.failed_ms is None
            or now_ms - known.failed_ms < FORGOTTEN_MS
        }


def _loop_ms() -> float:
    return asyncio.get_running_loop().time() * 1000


def _refusing(_: MediumError) -> WriteOutcome:
    return WriteOutcome.REFUSED


@final
class Health:
    """The health of one medium, by the clock of the event loop."""

    def __init__(self, now_ms: Callable[[], float] = _loop_ms) -> None:
        """Begin well; `has_matches` says whether a beat is waited for on behalf of matches."""
        self._writes = WriteHealth()
        self._now_ms = now_ms
        self.has_matches: Callable[[], bool] = bool

    @contextlib.contextmanager
    def writing(
        self, place: str, judge: Callable[[MediumError], WriteOutcome] = _refusing
    ) -> Iterator[None]:
        """Note a write to a place and how it ends; `judge` says what an error of it means."""
        writes, now_ms = self._writes, self._now_ms
        writes.begin(place, now_ms())
        try:
            yield
        except MediumError as error:
            outcome = judge(error)
            if outcome is WriteOutcome.ANSWERED:
                writes.stored(place, now_ms())
            else:
                writes.failed(place, now_ms(), is_refused=outcome is WriteOutcome.REFUSED)
            raise
        except BaseException:
            writes.given_up(place)
            raise
        writes.stored(place, now_ms())

    def note_refusal(self, place: str) -> None:
        """Note that a place is known to take nothing, before anything is written there."""
        self._writes.begin(place, self._now_ms())
        self._writes.failed(place, self._now_ms(), is_refused=True)

    def note_beat(self, every_ms: float) -> None:
        """Note that a beat was stored; the next one comes after `every_ms`."""
        self._writes.beat(self._now_ms(), every_ms)

    @property
    def unstored_ms(self) -> int | None:
        """Return for how long something was not stored; None while all is."""
        return self._writes.unstored_ms(self._now_ms(), has_matches=self.has_matches())

    @property
    def wants_probe(self) -> bool:
        """Return whether only a write can show whether it works again."""
        return self._writes.wants_probe()

    def why(self) -> str | None:
        """Return why no new client should come, in words for strangers; None if all is well."""
        return None if self.unstored_ms is None else NOTHING_STORED
