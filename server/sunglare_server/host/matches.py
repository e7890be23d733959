"""The matches that run: started from a full room, recovered after a restart, ended."""

import asyncio
import hashlib
from collections.abc import Callable, Coroutine
from typing import Any, final

import structlog
from msgspec.structs import replace

from sunglare_protocol.ids import MatchId
from sunglare_protocol.refusals import Code
from sunglare_protocol.replies import NewsKind, RoomState
from sunglare_server.host.bell import Bell
from sunglare_server.host.clock import Clock
from sunglare_server.host.journal import Journal, JournalError
from sunglare_server.host.library import Library
from sunglare_server.host.listeners import Listeners
from sunglare_server.host.rooms import Room
from sunglare_server.host.runner import Runner
from sunglare_server.match.record import RULES_VERSION, Opened, RecordError, Seat

FINISHED_KEPT = 32
"""How many finished matches that nobody follows stay in memory."""

_MARK_BYTES = 16

Keep = Callable[[Room], Coroutine[Any, Any, None]]
"""How a changed room is kept."""


@final
class Matches:
    """The runners of a server by match."""

    def __init__(self, library: Library, journal: Journal, clock: Clock, keep: Keep) -> None:
        """Play the scenarios of `library` and store records in `journal`."""
        self.runners: dict[MatchId, Runner] = {}
        self.listeners = Listeners(self.runners)
        self.bell = Bell(clock)
        self._library = library
        self._journal = journal
        self._clock = clock
        self._keep = keep
        self._watches: dict[MatchId, asyncio.Task[None]] = {}
        self._log = structlog.get_logger()

    async def start(self, room: Room) -> None:
        """Start the match of a room whose seats are all taken and ready."""
        runner = Runner(room.match, self._journal, self._clock, self.bell)
        try:
            await runner.open(self._opened(room), lambda: self._adopt(runner))
        except JournalError as error:
            self._log.error("a match could not be opened", match=room.match, why=error.why)
            code = Code.SERVER_JOURNAL.value
            self.listeners.tell_room(room.match, None, code, NewsKind.SERVER)
            return
        await self._keep(replace(room, state=RoomState.RUNNING))
        self._watch(room, runner)

    async def recover(self, room: Room) -> None:
        """Take up a match that ran when the server ended; a damaged one is left alone."""
        runner = Runner(room.match, self._journal, self._clock, self.bell)
        try:
            await runner.recover(lambda: self._adopt(runner))
        except (RecordError, JournalError) as error:
            self._log.error("a match could not be recovered", match=room.match, why=str(error))
            return
        except Exception:  # noqa: BLE001 - told in full to the log; the other matches go on
            self._log.exception("the rules failed on a stored match", match=room.match)
            return
        self._watch(room, runner)

    async def runner_of(self, room: Room) -> Runner | None:
        """Return the runner of a match, folding the records of one that is over; None before."""
        if room.state is RoomState.OVER and room.match not in self.runners:
            await self.recover(room)
        return self.runners.get(room.match)

    async def is_over(self, room: Room) -> bool:
        """Return whether a match has ended; wait for its last line where the end is known."""
        runner = self.runners.get(room.match)
        if runner is not None and runner.is_told_over:
            await runner.over.wait()
            return True
        return room.state is RoomState.OVER

    def tell_seats(self, match: MatchId, text: str) -> None:
        """Tell the seats of a match something outside its sequence."""
        runner = self.runners.get(match)
        if runner is not None:
            runner.tell_seats(text)

    def forget(self, match: MatchId) -> bool:
        """Drop a finished match from memory; return False if it goes on or is followed."""
        runner = self.runners.get(match)
        if self.listeners.count(match) or (runner is not None and not runner.over.is_set()):
            return False
        self.runners.pop(match, None)
        self._watches.pop(match, None)
        return True

    async def stop(self) -> None:
        """End every runner after its append in flight."""
        for watch in self._watches.values():
            watch.cancel()
        for runner in tuple(self.runners.values()):
            await runner.stop()

    def _adopt(self, runner: Runner) -> None:
        # Whoever waited in the room hears the opening frame, which is released after this.
        self.runners[runner.match] = runner
        self.listeners.attach_all(runner)

    def _opened(self, room: Room) -> Opened:
        # A seat that pledged and did not reveal is left out: its entropy stays empty.
        seats = tuple(
            Seat(side=seat.side, person=seat.person, entropy=seat.entropy, pledge=seat.pledge)
            for seat in room.seats
        )
        return Opened(
            rules=RULES_VERSION,
            scenario=self._library.scenarios[room.scenario],
            options=room.options,
            seats=tuple(_nameless(room.match, seat) for seat in seats),
            server_seed=room.server_seed,
            data_hash=self._library.data_hash,
        )

    def _watch(self, room: Room, runner: Runner) -> None:
        self._watches[room.match] = asyncio.create_task(self._end(room, runner))

    async def _end(self, room: Room, runner: Runner) -> None:
        """Note in the room that its match is over, once it is."""
        await runner.over.wait()
        if room.state is not RoomState.OVER:
            await self._keep(replace(room, state=RoomState.OVER))
        self._drop_finished()

    def _drop_finished(self) -> None:
        finished = [
            runner
            for runner in self.runners.values()
            if runner.over.is_set() and not runner.has_listeners
        ]
        for runner in finished[:-FINISHED_KEPT]:
            del self.runners[runner.match]
            del self._watches[runner.match]


def _nameless(match: MatchId, seat: Seat) -> Seat:
    """Return the seat with a mark of its person that is another one in every match.

    Everybody may read the record in the end: it tells who sat where, and nothing across matches.
    """
    mark = hashlib.blake2b(seat.person.encode(), key=match.encode(), digest_size=_MARK_BYTES)
    return replace(seat, person=mark.hexdigest())
