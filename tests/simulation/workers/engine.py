"""The engine that all workers share, and the line of a worker to it, on which much goes wrong."""

import asyncio
import enum
import functools
from collections import deque
from collections.abc import Awaitable, Callable
from random import Random
from typing import Any, NamedTuple, TypeVar, final

from simulation.disk import Disk
from simulation.diskratings import DiskRatings, disk_storage
from simulation.diskstorage import DiskJournal, DiskStore
from simulation.workers.places import Place
from sunglare_protocol.ids import MatchId
from sunglare_server.base.storage_errors import MediumError
from sunglare_server.matchmaking.queue_store import InMemoryQueueStore
from sunglare_server.ports.secret_store import ProcessSecrets
from sunglare_server.ports.store import Account, TakenError

PATIENCE_S = (0.2, 2.0)
"""Between how many seconds a worker waits for an answer of the engine."""

LATE_S = (0.5, 6.0)
"""How much later than it was said to have failed something is done after all."""

LATENCY_S = (0.0005, 0.01)
"""Between how many seconds something is on its way to the engine, or back."""

T = TypeVar("T")


@final
class Fate(enum.Enum):
    """What becomes of one request to the engine."""

    DONE = "done, and answered"
    REFUSED = "not done, and said to be in flight"
    LOST = "not done, and never answered"
    UNANSWERED = "done, and never answered"
    LATE = "said to have failed, and done after that"


@final
class Shelved(NamedTuple):
    """A room as it stands, and its revision."""

    blob: bytes
    revision: int


@final
class Entry(NamedTuple):
    """Who holds a match, "" for nobody, and since which revision."""

    holder: str
    revision: int


class NotNextError(MediumError):
    """Somebody else has written meanwhile."""


@final
class Engine:
    """What is kept once for all: the log, rooms, accounts, tickets, and leases."""

    def __init__(self, journal: DiskJournal, store: DiskStore, ratings: DiskRatings) -> None:
        """Keep nothing yet."""
        self.journal = journal
        self.ratings = ratings
        self.waits = InMemoryQueueStore()
        self.secrets = ProcessSecrets()
        self._store = store
        self._revision = 10
        self._rooms: dict[MatchId, int] = {}
        self._gone: dict[MatchId, None] = {}
        self.entries: dict[MatchId, Entry] = {}
        self.first_epoch = self._revision + 1
        self.beats: dict[str, int] = {}
        self.told: list[Callable[[str, Any], None]] = []
        self.place = Place("engine")

    @classmethod
    async def open(cls, rng: Random) -> "Engine":
        """Return an engine on an empty disk."""
        storage = await disk_storage(Disk(rng))
        assert isinstance(storage.journal, DiskJournal)
        assert isinstance(storage.store, DiskStore)
        assert isinstance(storage.ratings, DiskRatings)
        return cls(storage.journal, storage.store, storage.ratings)

    def __getattr__(self, name: str) -> Any:
        """Do what the store does that is not said here."""
        return getattr(self._store, name)

    async def add_account(self, account: Account) -> None:
        """Keep an account, and have all workers hear of its name."""
        await self._store.add_account(account)
        self._tell("name", (account.id, account.name))

    async def room_at_revision(self, match: MatchId) -> Shelved | None:
        """Return a room with its revision."""
        blob = await self._store.room(match)
        return (
            None
            if blob is None or match in self._gone
            else Shelved(blob, self._rooms.get(match, 0))
        )

    async def put_room_if(self, match: MatchId, blob: bytes, revision: int) -> int:
        """Keep a room in the place of that revision, 0 for none; TakenError if it is another."""
        if match in self._gone or self._rooms.get(match, 0) != revision:
            raise TakenError("another revision stands there")
        self._rooms[match] = number = self._next()
        await self._store.put_room(match, blob)
        self._tell("room", (match, blob))
        return number

    async def end_room(self, match: MatchId, *args: Any) -> None:
        """Keep what is left of a room that is over."""
        await self._store.end_room(match, *args)
        self._tell("room", (match, None))

    async def drop_room(self, match: MatchId) -> None:
        """Keep nothing of a room any more; nobody finds it from this moment on."""
        self._gone[match] = None
        await self._store.drop_room(match)
        self._tell("room", (match, None))

    async def entry(self, match: MatchId) -> Entry | None:
        """Return who holds a match."""
        return self.entries.get(match)

    async def beat_of(self, holder: str) -> int:
        """Return the number of the newest beat of a holder, 0 without any."""
        return self.beats.get(holder, 0)

    async def hold(self, match: MatchId, holder: str, after: int) -> int:
        """Write who holds a match in the place of a revision; NotNextError if it is another."""
        known = self.entries.get(match)
        if (0 if known is None else known.revision) != after:
            raise NotNextError("another revision stands there")
        self.entries[match] = Entry(holder, self._next())
        self._tell("lease", (match, self.entries[match]))
        return self.entries[match].revision

    async def beat(self, holder: str, count: int) -> None:
        """Note that a holder lives."""
        self.beats[holder] = count
        self._tell("beat", (holder, count))

    def _next(self) -> int:
        self._revision += 1
        return self._revision

    def _tell(self, kind: str, facts: Any) -> None:
        for tell in tuple(self.told):
            tell(kind, facts)


@final
class Line:
    """The line of one worker to the engine: `is_parted` while nothing gets through.

    `on_step` is called before something is done for the worker, after it, and at its answer.
    """

    def __init__(self, engine: Engine, place: Place, rng: Random) -> None:
        """Be connected; `fates` are those of the next requests that change the log or a lease."""
        self.engine = engine
        self.is_parted = False
        self.fates: deque[Fate] = deque()
        self.on_step: Callable[[str], None] = lambda _: None
        self.hear: Callable[[str, Any], None] = lambda _, __: None
        self._place = place
        self._rng = rng
        self._held: deque[tuple[str, Any]] = deque()
        engine.told.append(self._told)

    async def call(
        self,
        name: str,
        work: Callable[[], Awaitable[T]],
        error: type[MediumError],
        *,
        may_fail: bool = False,
    ) -> T:
        """Return what the engine answers; raise `error` if nothing comes, whatever was done."""
        answer: asyncio.Future[T] = asyncio.get_running_loop().create_future()
        fate = self.fates.popleft() if may_fail and self.fates else Fate.DONE
        self.engine.place.spawn(self._carry(name, answer, work, error, fate))
        return await answer

    def heal(self) -> None:
        """Let through again, what was to be heard meanwhile first."""
        self.is_parted = False
        while self._held:
            self._place.soon(self.hear, *self._held.popleft())

    def close(self) -> None:
        """Hear no more, for ever."""
        self.is_parted = True
        self.engine.told.remove(self._told)

    async def _carry(
        self,
        name: str,
        answer: "asyncio.Future[T]",
        work: Callable[[], Awaitable[T]],
        error: type[MediumError],
        fate: Fate,
    ) -> None:
        self.on_step(f"before {name}")
        await self._wait(LATENCY_S)
        if self.is_parted or fate in (Fate.LOST, Fate.LATE):
            await self._wait(PATIENCE_S)
            _fail(answer, error(f"no answer to {name}"))
            if fate is not Fate.LATE or self.is_parted:
                return
            await self._wait(LATE_S)
        if fate is Fate.REFUSED:
            _fail(answer, error("in flight"))
            return
        await self._answered(name, fate, await _outcome(work, answer), answer, error)

    async def _answered(
        self,
        name: str,
        fate: Fate,
        settle: Callable[[], None],
        answer: "asyncio.Future[T]",
        error: type[MediumError],
    ) -> None:
        self.on_step(f"after {name}")
        await self._wait(LATENCY_S)
        if self.is_parted or fate is Fate.UNANSWERED:
            await self._wait(PATIENCE_S)
            _fail(answer, error(f"no answer to {name}"))
        else:
            settle()
            self.on_step(f"at the answer to {name}")

    def _told(self, kind: str, facts: Any) -> None:
        if self.is_parted:
            self._held.append((kind, facts))
        else:
            self._place.soon(self.hear, kind, facts)

    async def _wait(self, between: tuple[float, float]) -> None:
        await asyncio.sleep(self._rng.uniform(*between))


@final
class Remote:
    """What lies at the engine, as a worker reaches it by its line."""

    def __init__(
        self, line: Line, near: object, error: type[MediumError], risky: str = ""
    ) -> None:
        """Raise `error` where nothing comes back; of `risky` ones the line draws the fate."""
        self._line, self._near, self._error, self._risky = line, near, error, risky

    async def close(self) -> None:
        """Do nothing: others go on."""

    def __getattr__(self, name: str) -> Any:
        """Return what asks the engine for that."""
        line, near, error = self._line, self._near, self._error

        async def call(*given: Any, **named: Any) -> Any:
            may_fail = name in self._risky.split()
            return await line.call(
                name, lambda: getattr(near, name)(*given, **named), error, may_fail=may_fail
            )

        return call


async def _outcome(
    work: Callable[[], Awaitable[T]], answer: "asyncio.Future[T]"
) -> Callable[[], None]:
    """Do something; return what tells of its outcome."""
    try:
        found = await work()
    except MediumError as refused:
        return functools.partial(_fail, answer, refused)
    return functools.partial(_settle, answer, found)


def _settle(answer: "asyncio.Future[T]", found: T) -> None:
    if not answer.done():
        answer.set_result(found)


def _fail(answer: "asyncio.Future[T]", error: Exception) -> None:
    if not answer.done():
        answer.set_exception(error)
