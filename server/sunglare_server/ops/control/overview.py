"""Rows of `status` and `matches`: counts, ids, states and ages, nothing hidden."""

import asyncio
import os
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import NamedTuple, Protocol, final, runtime_checkable

import msgspec

from sunglare_protocol import __version__
from sunglare_protocol.ids import MatchId
from sunglare_protocol.messages.replies import RoomState
from sunglare_server.base.clock import Clock
from sunglare_server.base.storage_errors import MediumError
from sunglare_server.gateway.gateway import Gateway
from sunglare_server.lobby.lobby import Lobby
from sunglare_server.ops.control.answers import CopyLine, EnginesLine, MatchRow, SeatLine, Status
from sunglare_server.ops.control.scheduled_shutdown import TimedEnd
from sunglare_server.ops.metrics.memory import in_mib, memory_bytes
from sunglare_server.ports.audit_log import AuditLog, InMemoryAuditLog
from sunglare_server.ports.journal import Journal
from sunglare_server.ports.rooms import Room
from sunglare_server.ports.sanctions import SanctionKind
from sunglare_server.runtime.match_handle import MatchHandle
from sunglare_server.sqlite.damaged_table_names import PARTS
from sunglare_server.sqlite.damaged_tables import SetAside
from sunglare_server.sqlite.database import Database
from sunglare_server.sqlite.replication import Copier, CopyStanding
from sunglare_server.sqlite.storage import Erase
from sunglare_server.worker.rpc_server import RpcServer

COUNT_S = 1.0
"""OWN: how long the store may take to count matches that are over."""

STATES = ("waiting", "running", "paused", "held", "fault", "idle", "over")
"""The states of a match as the operator sees them: `held` is paused by the operator, `fault`
stopped by a bug, `idle` running but not in memory: it has no followers, or it can't be read.
"""


CANNOT_STORE = "cannot store"
"""The state of a server that can store nothing, or not all, whatever else it does."""


@runtime_checkable
class Counts(Protocol):
    """What a journal knows of itself: the records that it stored, the appends that it did not."""

    appended: int
    refused: int


@runtime_checkable
class Queued(Protocol):
    """A journal that knows how many appends are under way."""

    @property
    def queue(self) -> int:
        """Return how many."""
        ...


@final
class Signs(NamedTuple):
    """What a worker knows of its engine: the age of its last beat in ms, what did not come."""

    beat_age_ms: float
    gaps: int


@final
class Installation(msgspec.Struct, frozen=True):
    """The parts of a running server that the operator's tools look at.

    Where there is no `database` at a `path`, `medium` names what keeps everything instead.
    `is_shared`: other workers keep theirs there too, and take its matches over when it ends;
    `signs` says how the engine is heard then, and `engines` which of its servers are there, None
    before that is known. `idle_bytes` is its memory without any match.
    """

    lobby: Lobby
    gateway: Gateway
    journal: Journal
    clock: Clock
    started_ms: int
    url: str
    end: TimedEnd
    reload: Callable[[], Awaitable[str]]
    database: Database | None = None
    path: Path | None = None
    medium: str = "memory"
    is_shared: bool = False
    rpc_server: RpcServer | None = None
    signs: Callable[[], Signs] | None = None
    engines: Callable[[], EnginesLine | None] | None = None
    idle_bytes: int = 0
    copier: Copier | None = None
    erase: Erase | None = None
    aside: SetAside | None = None
    audit_log: AuditLog = msgspec.field(default_factory=InMemoryAuditLog)

    @property
    def set_aside(self) -> tuple[str, ...]:
        """Return what is set aside as damaged, or has entries that can't be read."""
        known = () if self.aside is None else self.aside.names
        unread = ("bans",) if self.lobby.policy.unread else ()
        return tuple([name for name in PARTS if name in known or name in unread])

    def aside_of(self, name: str) -> tuple[str, ...]:
        """Return the name again if that is set aside."""
        return tuple([one for one in self.set_aside if one == name])

    @property
    def connections(self) -> int:
        """Return how many connections there are, here and at gateways."""
        afar = 0 if self.rpc_server is None else len(self.rpc_server.sessions)
        return self.gateway.connections + afar

    @property
    def handles(self) -> tuple[MatchHandle, ...]:
        """Return the matches in memory."""
        return self.lobby.matches.handles

    def handle(self, match: MatchId) -> MatchHandle | None:
        """Return a match if it is in memory."""
        return self.lobby.matches.handle(match)


def state_of(room: Room, handle: MatchHandle | None) -> str:
    """Return the state of a match, one of `STATES`."""
    if room.state is not RoomState.RUNNING:
        return "over" if room.state is RoomState.OVER else "waiting"
    if handle is None:
        return "idle"
    if handle.is_faulty:
        return "fault"
    # A result that has not been shown yet is not shown here either.
    if handle.is_told_over:
        return "over"
    return handle.pause or "running"


async def counts(site: Installation) -> dict[str, int]:
    """Return how many matches there are in each state.

    How many are over is left out where the store does not answer within `COUNT_S`.
    """
    found = dict.fromkeys(STATES, 0)
    for room in site.lobby.rooms.values():
        found[state_of(room, site.handle(room.match))] += 1
    try:
        async with asyncio.timeout(COUNT_S):
            # One that has just ended may be in memory and in the archive.
            found["over"] += await site.lobby.past.count(tuple(site.lobby.rooms))
    except (TimeoutError, MediumError):
        # The standing has a field for a failing store, and must not wait for it.
        del found["over"]
    return found


async def status(site: Installation) -> Status:
    """Return how the server is doing."""
    release_lag, database = site.lobby.matches.scheduler.release_lag, site.database
    appended, refused = _written(site.journal)
    unstored_ms = site.lobby.health.unstored_ms
    return Status(
        version=__version__,
        url=site.url,
        pid=os.getpid(),
        state=_state(site, unstored_ms),
        uptime_s=(site.clock.now_ms() - site.started_ms) // 1000,
        connections=site.connections,
        matches=await counts(site),
        records=appended,
        commits=0 if database is None else database.commits,
        refused_appends=refused,
        queue=_queue(site),
        releases=release_lag.releases,
        slips=release_lag.slips,
        latest_ms=release_lag.latest_ms,
        muted=site.lobby.policy.count(SanctionKind.MUTE),
        banned=site.lobby.policy.count(SanctionKind.BAN),
        memory_bytes=memory_bytes(),
        journal=site.medium if site.path is None else str(site.path.absolute()),
        journal_bytes=_journal_bytes(site.path),
        has_file=database is not None,
        set_aside=site.set_aside,
        ends_s=site.end.left_s,
        copy=None if site.copier is None else _copy_line(site.copier.standing),
        unstored_s=None if unstored_ms is None else unstored_ms // 1000,
        engines=None if site.engines is None else site.engines(),
    )


def _state(site: Installation, unstored_ms: int | None) -> str:
    if unstored_ms is not None:
        return CANNOT_STORE
    return "draining" if site.lobby.policy.is_draining else "serving"


def _copy_line(standing: CopyStanding) -> CopyLine:
    behind_ms = standing.behind_ms
    return CopyLine(
        path=str(standing.path.absolute()),
        behind_s=None if behind_ms is None else behind_ms // 1000,
        error=standing.why,
    )


def _written(journal: Journal) -> tuple[int, int]:
    """Return how many records were appended and how many appends refused, as far as is known."""
    return (journal.appended, journal.refused) if isinstance(journal, Counts) else (0, 0)


def _queue(site: Installation) -> int:
    if site.database is not None:
        return site.database.queue
    return site.journal.queue if isinstance(site.journal, Queued) else 0


def _journal_bytes(path: Path | None) -> int:
    if path is None:
        return 0
    return in_mib(_size(path) + _size(path.with_name(f"{path.name}-wal")))


async def rows(site: Installation, *, over: bool) -> tuple[MatchRow, ...]:
    """Return a row for each match, for those that have ended only if asked."""
    shown = [room for room in site.lobby.rooms.values() if over or _is_alive(site, room)]
    if over:
        known = dict(site.lobby.rooms)
        shown += [room for room in await site.lobby.past.rooms() if room.match not in known]
    accounts = tuple({seat.account: None for room in shown for seat in room.seats})
    names = await site.lobby.accounts.names(accounts)
    return tuple([_row(site, room, names) for room in shown])


def _is_alive(site: Installation, room: Room) -> bool:
    return state_of(room, site.handle(room.match)) != "over"


def _row(site: Installation, room: Room, names: dict[str, str]) -> MatchRow:
    handle = site.handle(room.match)
    age_ms = None if handle is None else site.clock.now_ms() - handle.started_ms
    seats = [
        SeatLine(side=seat.side, name=seat.bot or names[seat.account], bot=seat.is_of_bot)
        for seat in room.seats
    ]
    return MatchRow(
        match=room.match,
        scenario=room.scenario,
        state=state_of(room, handle),
        clock=room.options.clock,
        private=room.code is not None,
        seats=tuple(seats),
        age_s=None if age_ms is None else age_ms // 1000,
        listeners=site.lobby.matches.subscriptions.count(room.match),
        slips=0 if handle is None else handle.slips,
    )


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except OSError:
        return 0
