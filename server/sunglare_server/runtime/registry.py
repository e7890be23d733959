"""The matches that run: started from a full room, loaded when needed, parked, ended."""

import asyncio
import contextlib
from collections.abc import Callable, Coroutine, Iterable, Mapping
from typing import Any, final

import structlog
from msgspec.structs import replace

from sunglare_protocol.ids import Audience, MatchId
from sunglare_protocol.messages.replies import RoomState
from sunglare_protocol.refusals import Code
from sunglare_server.base.clock import Clock
from sunglare_server.base.heartbeat import Outage
from sunglare_server.base.library import Library
from sunglare_server.base.storage_errors import MediumError
from sunglare_server.base.tasks import spawn
from sunglare_server.match.data.scenario import Scenario
from sunglare_server.match.record import RULES_VERSION, RecordError, RulesError
from sunglare_server.match.state import MatchState
from sunglare_server.ports.journal import Journal, JournalError
from sunglare_server.ports.lease import ElsewhereError, Lease
from sunglare_server.ports.libraries import Libraries
from sunglare_server.ports.opening_record import opened_by, started_from
from sunglare_server.ports.rooms import PublicStanding, Room
from sunglare_server.ports.store import StoreError
from sunglare_server.runtime.encoded_message import EncodedMessage
from sunglare_server.runtime.incompatible_matches import (
    IncompatibleMatch,
    adjourn,
    incompatible_match,
)
from sunglare_server.runtime.match_handle import MatchHandle
from sunglare_server.runtime.ownership import OwnedMatches, OwnershipCallbacks
from sunglare_server.runtime.recovery import opened_with
from sunglare_server.runtime.runner import Runner
from sunglare_server.runtime.scheduler import Phase, Scheduler
from sunglare_server.runtime.subscriptions import Subscriptions
from sunglare_server.runtime.turn_notifier import NotifyTurn

FINISHED_KEPT = 32
"""How many finished matches without followers stay in memory."""

PARK_AHEAD_MS = 10 * 60_000
"""A match without followers stays in memory if it goes on by itself within this time."""

LOAD_AHEAD_MS = 5_000
"""OWN: a parked match is loaded so long before it is due."""

KEEP_AGAIN_MS = 5_000
"""OWN: a room whose end the store refused is offered to it again after so long."""

STOPPED = "a bug has stopped it; the log tells it in full"
"""What is wrong with a match that the rules have failed on."""

Keep = Callable[[Room], Coroutine[Any, Any, None]]
"""How a changed room is kept."""

Ended = Callable[[Room, Scenario | None, MatchState], Coroutine[Any, Any, None]]
"""What is done with the end of a match before its room is noted as over."""


def _hear_nothing(match: MatchId) -> None:  # noqa: ARG001 - by its type
    return


async def _note_nothing(room: Room, scenario: Scenario | None, state: MatchState) -> None:  # noqa: ARG001 - by its type
    return


@final
class Matches:
    """The runners of a server by match, loaded when they are needed and parked when not."""

    def __init__(
        self,
        library: Library,
        journal: Journal,
        clock: Clock,
        rooms: Mapping[MatchId, Room],
        keep: Keep,
        notify_turn: NotifyTurn,
        lease: Lease | None = None,
        lost: Callable[[MatchId], None] = _hear_nothing,
    ) -> None:
        """Play the scenarios of `library` and store records in `journal`.

        `rooms` are those of the server as they are now: what is kept of one follows from that,
        since it may have changed while something was waited for. `notify_turn` hears whom a match
        by correspondence waits for. `lease` says which are this server's; without one all of them.
        `lost` is called with each that is another server's now. Set by their listeners are
        `dropped`, called with each that is over and not in memory any more, and `ended`, with each
        end, again after a restart until the room is kept. `parked` are the matches that are loaded
        when they are due, or when a client comes for them.
        """
        self._runners: dict[MatchId, Runner] = {}
        self.parked: dict[MatchId, Room] = {}
        self.scheduler = Scheduler(clock)
        self.subscriptions = Subscriptions(self._runners, self.scheduler.broadcaster)
        self.libraries = Libraries(library, rooms)
        self._journal, self._clock = journal, clock
        listed = OwnershipCallbacks(self._adopt, self.give_up)
        self.ownership = OwnedMatches(lease, journal, clock, self.scheduler, notify_turn, listed)
        self._keep = keep
        self.dropped: Callable[[MatchId], None] = _hear_nothing
        self.ended: Ended = _note_nothing
        self._lost = lost
        self._notify_turn = notify_turn
        self._watches: dict[MatchId, asyncio.Task[None]] = {}
        self._rooms = rooms
        self._loading: dict[MatchId, asyncio.Task[Runner | None]] = {}
        self._leaving: dict[MatchId, asyncio.Task[None]] = {}
        self._left: dict[MatchId, PublicStanding | None] = {}
        self._damaged: dict[MatchId, str] = {}
        self._due: dict[MatchId, Room] = {}
        self._caller: asyncio.Task[None] | None = None
        self._turnstile = asyncio.Lock()
        self._outages: dict[MatchId, Outage] = {}
        self._member = 0
        self._log = structlog.get_logger()

    async def start(self, room: Room) -> Code | None:
        """Start the match of a room whose seats are all taken and ready; return why it can't be.

        With `server/journal` nothing was stored, and it may be tried again.
        """
        library = self.libraries.of(room.match)
        try:
            runner = await self.ownership.opened(room.match, opened_by(room, library))
        except RecordError as error:
            self._log.error("match_fork_failed", match=room.match, why=str(error))
            return Code.MATCH_FAULT
        except MediumError as error:
            self._log.error("match_open_failed", match=room.match, why=error.why)
            return Code.SERVER_JOURNAL
        # Its records are there: it runs, and a restart knows it by them.
        newest = self._rooms.get(room.match, room)
        running = replace(newest, state=RoomState.RUNNING, started_ms=runner.started_ms)
        await self._kept(replace(running, past=started_from(newest)))
        self._watch(runner)
        return None

    async def adjourned(self, room: Room) -> bool:
        """Return whether a match was of other rules, and is over by this: it can't be played on.

        One that can't be read or stored is left as it is, and logged.
        """
        log = self._log.bind(match=room.match)
        try:
            rules = await adjourn(room.match, self._journal, self._clock.now_ms())
        except (RecordError, JournalError) as error:
            log.error("incompatible_match_adjourn_failed", why=str(error))
            return False
        if rules is not None:
            log.warning("incompatible_match_adjourned", rules=rules, ours=RULES_VERSION)
        return rules is not None

    async def incompatible_match_of(self, room: Room) -> IncompatibleMatch | None:
        """Return what is known of a match of other rules that is over; None for any other.

        Raise `RecordError` or `JournalError` if it can't be read.
        """
        if room.match in self._runners or room.state is not RoomState.OVER:
            return None
        return await incompatible_match(room.match, self._journal)

    def take_up(self, rooms: Iterable[Room], alive_ms: int | None) -> None:
        """Take up the matches that ran when the server ended: each is loaded when it is due.

        One that was not parked is loaded soon, and at once when a client comes for it. `alive_ms`
        is the server's last stored sign of life.
        """
        now_ms = self._clock.now_ms()
        for room in rooms:
            since_ms = now_ms if alive_ms is None else alive_ms
            self._outages[room.match] = Outage(since_ms, now_ms, room.due_ms is not None)
            self.parked[room.match] = room
        self._set_wake()

    async def _runner_of(self, room: Room) -> Runner | None:
        """Return the runner of a match, loaded if it is not in memory; see `handle_of`."""
        known = self._runners.get(room.match)
        if known is not None or room.state is RoomState.LOBBY or room.match in self._damaged:
            return known
        loading = self._loading.get(room.match)
        if loading is None:
            loading = spawn(self._load(room), f"load {room.match}", awaited=(MediumError,))
            self._loading[room.match] = loading
        # Others may wait for it too, when the one who came first goes.
        return await asyncio.shield(loading)

    @property
    def library(self) -> Library:
        """Return what rooms are opened on now."""
        return self.libraries.newest

    @property
    def handles(self) -> tuple[MatchHandle, ...]:
        """Return what may be known of the matches in memory."""
        return tuple(map(MatchHandle, self._runners.values()))

    def handle(self, match: MatchId) -> MatchHandle | None:
        """Return what may be known of a match; None if it is not in memory."""
        runner = self._runners.get(match)
        return None if runner is None else MatchHandle(runner)

    def public_standing(self, match: MatchId) -> PublicStanding | None:
        """Return where the public was shown last that a match of this server stands.

        It is the same in memory, on the way out of it, and parked: the number of followers does
        not show. None if neither holds, and for a match that another server owns.
        """
        handle, room = self.handle(match), self._rooms.get(match)
        if handle is not None:
            return handle.public_standing
        parked = None if room is None else room.shown
        return self._left.get(match, parked)

    async def handle_of(self, room: Room) -> MatchHandle | None:
        """Return what may be known of a match, loaded if it is not in memory.

        None before the match has started, and if its records can't be used. Raise `MediumError`
        while it can't be read or taken over, and `ElsewhereError` if it is another server's.
        """
        runner = await self._runner_of(room)
        return None if runner is None else MatchHandle(runner)

    async def recent_messages(self, room: Room, audience: Audience) -> tuple[EncodedMessage, ...]:
        """Return what an audience was sent of a match and is still kept, the oldest first."""
        runner = await self._runner_of(room)
        if runner is None:
            return ()
        return tuple([message for _, message in runner.feeds[audience].ring])

    async def wait_analysed(self, match: MatchId) -> None:
        """Return once a match that is over and in memory is analysed; at once for any other."""
        runner = self._runners.get(match)
        if runner is not None:
            await runner.archiving.analysed()

    async def scenario_of(self, room: Room) -> Scenario | None:
        """Return what a match was opened with, which is not loaded for that.

        None if its first record can't be used, or is of other rules.
        """
        runner = self._runners.get(room.match)
        if runner is not None:
            return runner.scenario
        try:
            return await opened_with(room.match, self._journal)
        except RulesError:
            return None
        except (JournalError, RecordError) as error:
            self._log.error("match_read_failed", match=room.match, why=str(error))
            return None

    @property
    def is_loading(self) -> bool:
        """Return whether a match is on its way into memory or out of it."""
        return bool(self._loading or self._leaving or self._due)

    async def park_idle(self) -> None:
        """Put away the matches without followers that are not due for some time."""
        due_ms = self._clock.now_ms() + PARK_AHEAD_MS
        for runner in tuple(self._runners.values()):
            if runner.match not in self._watches:
                # It has come this moment, and its room is still being stored.
                continue
            if runner.is_idle and runner.due_ms is not None and runner.due_ms > due_ms:
                await self._park(runner, runner.due_ms)

    def has_ended(self, room: Room) -> bool:
        """Return whether a match has ended, with everything of its end shown and stored."""
        runner = self._runners.get(room.match)
        return room.state is RoomState.OVER or (runner is not None and runner.over.is_set())

    async def is_over(self, room: Room) -> bool:
        """Return whether a match has ended; wait for its last line where the end is known."""
        runner = self._runners.get(room.match)
        if runner is not None and runner.is_told_over:
            await runner.over.wait()
            return True
        return room.state is RoomState.OVER

    async def noted(self, match: MatchId) -> bool:
        """Return whether the room of a match that is over says so; wait a while until it does."""
        watch = self._watches.get(match)
        if watch is not None and match in self._rooms:
            until_ms = self._clock.now_ms() + KEEP_AGAIN_MS
            until = spawn(self._clock.sleep_until_ms(until_ms), f"end of {match} to be stored")
            await asyncio.wait((watch, until), return_when=asyncio.FIRST_COMPLETED)
            until.cancel()
        return match not in self._rooms

    def tell_all(self, text: str) -> None:
        """Send the seats of every match that goes on a text outside its sequence."""
        for runner in self._runners.values():
            if not runner.state.is_over:
                runner.tell_seats(text)

    def stood(self, ms: int) -> None:
        """Let no seat pay for a stop of the process of so many ms."""
        for runner in self._runners.values():
            runner.stood(ms)

    def forget(self, match: MatchId) -> bool:
        """Drop a finished match from memory; return False if it goes on or is followed."""
        runner = self._runners.get(match)
        if self.subscriptions.count(match) or (runner is not None and not runner.over.is_set()):
            return False
        for known in (self._runners, self._watches, self._damaged):
            known.pop(match, None)
        self.dropped(match)
        return True

    async def stop(self) -> None:
        """End every runner after its append in flight."""
        self.scheduler.leave(self._member)
        caller = () if self._caller is None else (self._caller,)
        for task in (*caller, *self._watches.values(), *self._loading.values()):
            task.cancel()
        waiting = (*self.parked, *self._due, *self._loading, *self._leaving)
        await asyncio.gather(*map(self._give_back, dict.fromkeys((*self._runners, *waiting))))

    async def _give_back(self, match: MatchId) -> None:
        """End the runner of a match, if it has one, and let another server have it at once."""
        if match in self._runners:
            await self._runners[match].stop()
        if match in self._leaving:
            await self._leaving[match]
        await self.ownership.release(match)

    async def _load(self, room: Room) -> Runner | None:
        try:
            # One after the other, and none before it has left.
            async with self._turnstile:
                if room.match in self._leaving:
                    await self._leaving[room.match]
                if room.state is RoomState.RUNNING and room.match not in self._rooms:
                    # It was given up since it was asked for: a claim would serve it nowhere.
                    raise ElsewhereError(room.match)
                return await self._loaded(room)
        finally:
            del self._loading[room.match]

    async def _loaded(self, room: Room) -> Runner | None:
        """Load a match; a damaged one is left alone, and logged."""
        self.parked.pop(room.match, None)
        self._due.pop(room.match, None)
        try:
            if room.state is RoomState.OVER and room.ended_ms is not None:
                runner = await self.ownership.looked_at(room.match)
            else:
                outage = self._outages.get(room.match)
                runner = await self.ownership.taken_over(room.match, outage)
        except ElsewhereError:
            self._log.info("match_owned_elsewhere", match=room.match)
            raise
        except MediumError as error:
            # Nothing is known against its records: they are read again.
            self._log.error("match_read_failed", match=room.match, why=error.why)
            self.parked[room.match] = replace(room, due_ms=self._clock.now_ms() + LOAD_AHEAD_MS)
            self._set_wake()
            raise
        except RulesError as error:
            # One that ran when the server began and could not be ended was logged then.
            why = error.why
            self._log.info("incompatible_match_not_loaded", match=room.match, why=why)
        except RecordError as error:
            why = str(error)
            self._log.error("match_recovery_failed", match=room.match, why=why)
        except Exception:  # noqa: BLE001 - logged in full; the other matches go on
            why = STOPPED
            self._log.exception("match_replay_failed", match=room.match)
        else:
            self._outages.pop(room.match, None)
            await self._unpark(room.match)
            self._watch(runner)
            # Or it has been lost by now.
            return self._runners.get(room.match)
        self._damaged[room.match] = why
        return None

    @property
    def quarantined(self) -> dict[MatchId, str]:
        """Return the matches that go on and can't, each with what is wrong with it."""
        stopped = [match for match, runner in self._runners.items() if runner.is_faulty]
        found = {**self._damaged, **dict.fromkeys(stopped, STOPPED)}
        running = {m for m, room in self._rooms.items() if room.state is RoomState.RUNNING}
        return {match: why for match, why in found.items() if match in running}

    async def put_away(self, match: MatchId) -> None:
        """Have a match loaded again when a client comes for it next, as all who follow it do."""
        self._damaged.pop(match, None)
        runner = self._runners.pop(match, None)
        if runner is not None:
            self._watches.pop(match).cancel()
            await runner.stop()
            self.ownership.leave(match)
        self.subscriptions.send_away(match)

    def give_up(self, match: MatchId) -> None:
        """Release a match that is another server's, and send away all who follow it."""
        if match in self._watches:
            self._watches.pop(match).cancel()
        for known in (self._runners, self.parked, self._due, self._outages):
            known.pop(match, None)
        self.subscriptions.send_away(match)
        self._lost(match)

    async def _unpark(self, match: MatchId) -> None:
        """Keep that a match is in memory again: it has no time to be loaded at.

        A restart must not go by a time that its windows have long passed.
        """
        room = self._rooms.get(match)
        if room is not None and room.due_ms is not None:
            await self._kept(replace(room, due_ms=None, shown=None))

    async def _kept(self, room: Room) -> bool:
        """Keep a room; return False, and log it, where the store refuses."""
        try:
            await self._keep(room)
        except StoreError as error:
            self._log.warning("room_not_stored", match=room.match, why=error.why)
            return False
        return True

    async def _park(self, runner: Runner, due_ms: int) -> None:
        match = runner.match
        # First of all, so that a client that comes for it now waits until it has left.
        del self._runners[match]
        shown = self._left[match] = runner.feeds.public_standing
        self._watches.pop(match).cancel()
        leave = self._leaving[match] = spawn(runner.stop(), f"park {match}")
        await leave
        del self._leaving[match], self._left[match]
        self.ownership.leave(match)
        if runner.is_fenced:
            return
        entries = runner.feeds.activity.entries
        parked = {"due_ms": due_ms - LOAD_AHEAD_MS, "bustle": entries, "shown": shown}
        room = replace(self._rooms[match], **parked)
        # Only a restart needs the stored time: without it, it would load the match at once.
        await self._kept(room)
        if match not in self._loading and match not in self._runners:
            self.parked[match] = room
            self._set_wake()

    def _set_wake(self) -> None:
        if self.parked and not self._member:
            self._member = self.scheduler.enter(lambda: None, self._on_due)
        first_ms = min([room.due_ms or 0 for room in self.parked.values()], default=None)
        self.scheduler.set(self._member, Phase.WAKE, first_ms)

    def _on_due(self) -> None:
        now_ms = self._clock.now_ms()
        due = {match: room for match, room in self.parked.items() if (room.due_ms or 0) <= now_ms}
        self.parked = {match: room for match, room in self.parked.items() if match not in due}
        self._due |= due
        if self._caller is None or self._caller.done():
            self._caller = spawn(self._call(), "load what is due")
        self._set_wake()

    async def _call(self) -> None:
        """Load the matches whose time has come, one at a time: who comes for one goes before."""
        while self._due:
            match, room = next(iter(self._due.items()))
            with contextlib.suppress(MediumError):
                await self._runner_of(room)
            self._due.pop(match, None)

    def _adopt(self, runner: Runner) -> None:
        # Those who waited in the room get the opening frame, which is released after this.
        self._runners[runner.match] = runner
        self.subscriptions.attach_all(runner)

    def _watch(self, runner: Runner) -> None:
        if not runner.is_fenced:
            self._watches[runner.match] = spawn(self._end(runner), f"end of {runner.match}")

    async def _end(self, runner: Runner) -> None:
        """Note in the room that its match is over, once it is."""
        await runner.over.wait()
        self.subscriptions.forget_seats(runner.match)
        room = self._rooms.get(runner.match)
        if room is not None and room.state is not RoomState.OVER:
            await self.ended(room, runner.scenario, runner.state)
            room = self._rooms.get(runner.match, room)
            over = replace(
                room,
                state=RoomState.OVER,
                ended_ms=self._clock.now_ms(),
                result=runner.state.result,
            )
            while not await self._kept(over):
                await self._clock.sleep_until_ms(self._clock.now_ms() + KEEP_AGAIN_MS)
        self._drop_finished()
        await self.ownership.drop(runner.match)

    def _drop_finished(self) -> None:
        finished = [
            runner
            for runner in self._runners.values()
            if runner.over.is_set() and not runner.feeds.have_listeners
        ]
        for runner in finished[:-FINISHED_KEPT]:
            del self._runners[runner.match]
            del self._watches[runner.match]
            self.dropped(runner.match)
