"""One match's task: takes its inputs, keeps its deadlines, appends before it shows.

Theory of operation. All that happens to a match goes through one inbox and one task, so it needs
no locks. Round by round the task has a `Batch` check and step what waits (states are values, so
nothing is undone), appends the records, and only then adopts the new state, answers the commands,
and queues what is to be sent. If the journal refuses, the batch is dropped unsaid.

What was appended is not yet shown. Frames are made at once, down to their bytes, and wait in the
feeds for the beat at which their window opens; the scheduler releases them before any other work.
While they wait no command is answered, and no window is closed: an answer would reveal that the
window before is over, and how long the work took. Frames that are late slip by whole beats, and a
record puts the window off as much: no side loses time, and only whole beats can be measured.

Time is the server's, kept by `MatchClock`. Outages, stops of the process and refusals of the disk
become records that put the open window off. A restart loads a snapshot, folds what follows, and
goes on once `own` is stored: see `takeover`. A slow append is a stall, for seats from `STALL_MS`.

Another owner may fence this one (`journal_writer`): it shows nothing more and lets commands go.
While its ownership is uncertain, it takes no orders, writes nothing, and frames wait as if late.

A bug in the rules ends this match alone: it stands on its last good state, its seats are informed,
every command is refused, and the log has it in full. Others get a `MatchHandle` of all this.
"""

import asyncio
import contextlib
import contextvars
from collections.abc import Callable
from typing import final

import structlog

from sunglare_protocol.ids import MatchId, Side, audience_of
from sunglare_protocol.messages.commands import Question
from sunglare_protocol.messages.replies import News, NewsKind, ResumeKind
from sunglare_protocol.orders import Order
from sunglare_protocol.refusals import Code, Rejected
from sunglare_server.base.clock import Clock, MatchClock
from sunglare_server.base.heartbeat import Outage
from sunglare_server.base.status_texts import AGAIN_TEXT, FAULT_TEXT
from sunglare_server.base.tasks import spawn
from sunglare_server.match.clock.presets import RESTART_MS, next_beat
from sunglare_server.match.data.scenario import Scenario
from sunglare_server.match.pace.absence import next_tick
from sunglare_server.match.record import Closed, Opened, OrdersGiven, Slipped
from sunglare_server.match.state import MatchState, Taken
from sunglare_server.ports.journal import Journal, JournalError
from sunglare_server.ports.rated_results import family_of
from sunglare_server.runtime.archiving import Archiving
from sunglare_server.runtime.batch import Batch, Sealed
from sunglare_server.runtime.encoded_message import EncodedMessage
from sunglare_server.runtime.feeds import Feeds
from sunglare_server.runtime.inbox import WAKE, Answers, Item, Pending, Unanswered, Way
from sunglare_server.runtime.journal_writer import (
    DuplicateAppendError,
    FencedError,
    JournalWriter,
    Ownership,
)
from sunglare_server.runtime.query_budget import PricedAnswer, QueryBudget
from sunglare_server.runtime.recovery import Loaded, sealed_again
from sunglare_server.runtime.scheduler import LATE_MS, Phase, Scheduler
from sunglare_server.runtime.seat_connections import SeatConnections
from sunglare_server.runtime.snapshots import Snapshots
from sunglare_server.runtime.stall import STALL_MS, Stall, put_off, stop_of
from sunglare_server.runtime.takeover import taken_over
from sunglare_server.runtime.turn_notifier import NotifyTurn, TurnNotifier, nobody


@final
class Runner:
    """A running or finished match: the last state on disk, its feeds, its task."""

    def __init__(
        self,
        match: MatchId,
        journal: Journal,
        clock: Clock,
        scheduler: Scheduler,
        notify_turn: NotifyTurn = nobody,
        ownership: Ownership | None = None,
    ) -> None:
        """Begin without a state; `open` or `recover` gives one.

        `notify_turn` hears whom it waits for; `slips` counts releases that slipped to a later
        beat, `started_ms` is since when it is known here, both for the operator alone; `scenario`
        is what it was opened with, whatever the data files have by now.
        """
        self.match = match
        self.started_ms = clock.now_ms()
        self.slips = 0
        self.scenario: Scenario | None = None
        self.feeds, self.over = Feeds(), asyncio.Event()
        self.archiving = Archiving(match, journal, scheduler)
        self.is_faulty = self.is_fenced = self._is_stopping = False
        self.seat_connections = SeatConnections(self._on_wake)
        self.unanswered = Unanswered()
        self._stall = Stall()
        self._snapshots = Snapshots(match, journal)
        self._journal = journal
        self._writer = JournalWriter(match, journal, ownership or Ownership())
        self.clock = self._clock = MatchClock(clock)
        self._query_budget = QueryBudget(self._clock)
        self._state: MatchState | None = None
        self._number, self._last = 0, b""
        self._inbox: list[Item] = []
        self._taking: list[Item] = []
        self._answers = Answers()
        self._filled = asyncio.Event()
        self._scheduler, self._figures = scheduler, scheduler.figures
        self._release_lag, self._timing = scheduler.release_lag, scheduler.figures.of(match)
        self._turns = TurnNotifier(match, notify_turn)
        self._member = 0
        # The beat on which the frames that wait are released, and if it is a second one.
        self._beat_ms: int | None = None
        self._has_slipped = False
        self._told_all = asyncio.Event()
        self._task: asyncio.Task[None] | None = None
        self._log = structlog.get_logger().bind(match=match)

    @property
    def state(self) -> MatchState:
        """Return the last state that is on disk."""
        if self._state is None:
            raise ValueError("the match has not been opened")
        return self._state

    async def open(self, opened: Opened, ready: Callable[[], None]) -> None:
        """Start the match with its opening record; raise `JournalError` if it can't be stored.

        `ready` is called when the feeds are there and before anything is released. Raise
        `FencedError` if another owner has opened it.
        """
        self.scenario = opened.scenario
        batch = self._batch()
        batch.put(opened, self._clock.now_ms())
        # Or what is stored by now is an earlier try.
        with contextlib.suppress(DuplicateAppendError):
            await self._store(batch)
        self._log.info("match_opened", seats=len(opened.seats))
        ready()
        self._release()
        self._go()

    async def recover(self, ready: Callable[[], None], outage: Outage | None = None) -> None:
        """Take the match over, after an `outage` or none, and serve it; see `taken_over`."""
        idle = self._scheduler.wait_idle
        found = await taken_over(self.match, self._journal, self._writer, self.clock, outage, idle)
        self._take_over(found)
        if found.is_owing:
            self._stall.owe(outage, self._clock.now_ms())
        if outage is not None:
            self.seat_connections.hold_until(self._clock.now_ms() + RESTART_MS)
        self._refuse_if_fenced()
        ready()
        self._release()
        # Not of how many records: while it runs that would show how much its seats have ordered.
        self._log.info("match_loaded")
        if self.is_told_over:
            await self._finish()
        else:
            self._go()

    def _take_over(self, loaded: Loaded) -> None:
        last = loaded.sealed[-1]
        self.scenario = loaded.scenario
        self._state, self._number, self._last = last.stepped.state, loaded.number, last.head
        self.started_ms = loaded.sealed[0].at_ms
        self.feeds = Feeds.loaded(self.match, loaded, self._scheduler.broadcaster)
        self._snapshots.take_over(loaded.kept, loaded.rings)
        self._turns.begin_with(self._state)
        self._begin_timing(self._state)

    def command(self, asked: Pending) -> None:
        """Take a command of a seat or of the operator, and answer it once it is stored."""
        has_ended = self._task is None or self._task.done()
        if has_ended or self.is_faulty or self._is_stopping or self.is_fenced:
            asked.answered(self._late(asked))
        elif self._stall.is_long or not self._writer.is_held:
            asked.answered(Rejected(code=Code.SERVER_JOURNAL))
        else:
            body, way = asked.body, None
            if isinstance(body, OrdersGiven):
                way = Way(body.window, self._clock.now_ms())
            self._put(self.unanswered.noted(asked, way))

    def ask(
        self, side: Side, kind: Question, about: Order | str | None, orders: tuple[Order, ...]
    ) -> PricedAnswer | Rejected:
        """Return the answer to a question, from the side's released view alone."""
        shown = self.feeds[audience_of(side)].shown
        answer = self._query_budget.answer(side, shown, kind, about, orders)
        self._timing.refuse(answer)
        return answer

    def note_return(self, kind: ResumeKind) -> None:
        """Note, for the operator's figures, how a client has come back to a feed."""
        self._figures.returns.note(kind.value)

    @property
    def epoch(self) -> int:
        """Return by which epoch the match is owned here."""
        return self._writer.ownership.epoch

    @property
    def is_stalled(self) -> bool:
        """Return whether nothing of it can be stored now, or that takes too long."""
        return self._stall.since_ms is not None

    @property
    def length(self) -> int:
        """Return how many records of the match are on disk."""
        return self._number

    async def stop(self) -> None:
        """End the task after the append in flight, a match that is over once it is archived."""
        self._is_stopping = True
        if self._task is not None:
            self._put(WAKE)
            self._told_all.set()
            await asyncio.wait([self._task])
        await self._snapshots.settled()
        await self.archiving.stop()
        self._scheduler.leave(self._member)

    def fence(self, why: str) -> None:
        """Give way to another owner at once: write and show nothing more, let commands go."""
        if self.is_fenced:
            return
        self.is_fenced = True
        self._log.warning("match_fenced", why=why)
        self._figures.fenced += 1
        self._figures.drop(self.match)
        self._refuse_rest()
        self.feeds.cut()
        self._scheduler.leave(self._member)
        self._told_all.set()
        self._filled.set()
        self._writer.ownership.ended()

    def _begin_timing(self, state: MatchState) -> None:
        if self.scenario is not None:
            self._timing.begin(family_of(self.scenario), on_beat=state.preset.on_beat)

    def _refuse_if_fenced(self) -> None:
        if self.is_fenced:
            raise FencedError(self._number, None)

    def _put(self, item: Item, *, first: bool = False) -> None:
        self._inbox.insert(0 if first else len(self._inbox), item)
        self._filled.set()

    def _go(self) -> None:
        self._member = self._scheduler.enter(self._on_beat, self._on_wake, self._on_overdue)
        self._set_wake()
        # A context of its own: the log lines of a match name no connection.
        fresh = contextvars.copy_context()
        fresh.run(structlog.contextvars.clear_contextvars)
        self._task = spawn(self._run(), f"match {self.match}", failed=self._failed, context=fresh)

    def _failed(self) -> None:
        """Let a match stand on its last good state whose task has failed."""
        self.is_faulty = True
        self.tell_seats(FAULT_TEXT)
        self._refuse_rest()

    async def _run(self) -> None:
        while not (self.state.is_over or self.is_faulty or self._is_stopping or self.is_fenced):
            await self._filled.wait()
            self._filled.clear()
            # A stop of the process is noticed here, before anything is found to be due.
            self._clock.now_ms()
            await self._take(self._taken())
            self._release()
            self._set_wake()
            if self._beat_ms is None and self._snapshots.has_begun:
                # What was released just now is written first.
                await asyncio.sleep(0)
                self._keep_turns()
        if self.is_faulty and not self.is_fenced:
            self.tell_seats(FAULT_TEXT)
        if self.state.is_over and not self.is_fenced:
            # The end of the match shows nowhere before the frames that show it are out.
            await self._told_all.wait()
            await self._finish()
            self._scheduler.leave(self._member)
        self._refuse_rest()

    def _keep_turns(self) -> None:
        """Keep the turns that have begun, and in memory no more of what was sent before."""
        self._snapshots.write(self.feeds.rings)
        for audience, first in self._snapshots.firsts.items():
            self.feeds[audience].forget(first)

    def _taken(self) -> list[Item]:
        """Take what waits out of the inbox; commands stay while frames wait for their beat.

        An answer given then would reveal that the window is closed, and how long the work took.
        """
        waiting, self._inbox = self._inbox, []
        if self._beat_ms is not None:
            self._inbox = [item for item in waiting if isinstance(item, Pending)]
            waiting = [item for item in waiting if not isinstance(item, Pending)]
        self._taking = waiting
        return waiting

    async def _take(self, waiting: list[Item]) -> None:
        """Step what waits and store it as one batch; what moves the clock stays if refused."""
        batch = self._batch()
        answers: list[Taken | Rejected] = []
        try:
            self._fill(batch, waiting, answers)
        except Exception:  # noqa: BLE001 - logged in full
            # A bug ends this match, never the server; what was stepped before it is good.
            self._log.exception("match_rules_failed")
            self.is_faulty = True
        is_stored = await self._stored(batch)
        if self.is_fenced:
            return
        if not is_stored:
            answers = []
            self._inbox[:0] = [slip for slip in waiting if isinstance(slip, Slipped)]
        missing = Code.MATCH_FAULT if self.is_faulty else Code.SERVER_JOURNAL
        asked = [item for item in waiting if isinstance(item, Pending)]
        for one in asked:
            if one.way is not None:
                one.way.stored_ms = max(one.way.taken_ms, self._timing.stored_ms)
        answers += [Rejected(code=missing)] * (len(asked) - len(answers))
        self._answers.add(zip(asked, answers, strict=True))
        self._taking = []

    def _fill(self, batch: Batch, waiting: list[Item], answers: list[Taken | Rejected]) -> None:
        """Check and step what waits; `answers` gets one for each command, as far as it goes."""
        now_ms = self._clock.now_ms()
        self._note_lines(batch, now_ms)
        for item in waiting:
            if isinstance(item, Pending):
                if item.way is not None:
                    item.way.taken_ms = now_ms
                shown = None if item.side is None else self.feeds[audience_of(item.side)].shown
                answers.append(batch.take(item, now_ms, shown))
            elif isinstance(item, Slipped):
                batch.slip(item, now_ms)
            # A window that has not been shown yet does not close, however busy the server is.
            if self._beat_ms is None:
                batch.close_due_windows(now_ms)
        if self._beat_ms is None:
            batch.tick(now_ms)

    def _note_lines(self, batch: Batch, now_ms: int) -> None:
        """Put the window off for as long as nothing could be stored; note who came and went."""
        self._stall.make_up(batch, self.state, self._clock)
        for changed in self.seat_connections.changes(self.state, now_ms):
            batch.put(changed, now_ms)

    def _batch(self) -> Batch:
        return Batch(self.match, self._state, self._number, self._last, self.epoch)

    async def _stored(self, batch: Batch) -> bool:
        """Append the batch and adopt it; return False, and drop it, if the journal refuses."""
        if not batch.sealed:
            return True
        try:
            await self._store(batch)
        except FencedError as error:
            self.fence(str(error))
        except JournalError as error:
            if not self.is_fenced and self._stall.note_refusal(self._clock.now_ms()):
                self._log.error("append_refused", why=error.why, fatal=error.fatal)
                self.tell_seats(Code.SERVER_JOURNAL.value)
        else:
            if self._stall.end():
                self._log.info("journal_recovered")
                self.tell_seats(AGAIN_TEXT)
            return True
        return False

    async def _store(self, batch: Batch) -> None:
        blobs = tuple(sealed.blob for sealed in batch.sealed)
        beat_ms = self._beat_ms
        try:
            lasted_ms = await self._write(blobs)
        except DuplicateAppendError as earlier:
            self._adopt_earlier(earlier)
            raise
        self._refuse_if_fenced()
        for sealed in batch.sealed:
            self._adopt(sealed)
        # Frames that were not ready on their beat wait for the next one.
        now_ms = self._clock.now_ms()
        if self._beat_ms in (None, beat_ms):
            self._make_up_for(self._lost_ms(now_ms - lasted_ms, now_ms), batch)
        elif now_ms > self._beat_ms:
            self._slip(self._beat_ms, now_ms)

    def _lost_ms(self, since_ms: int, now_ms: int) -> int:
        """Return how much of the open window has passed since then: nothing where it stands."""
        return self.state.elapsed_ms(now_ms) - self.state.elapsed_ms(since_ms)

    def _make_up_for(self, lost_ms: int, batch: Batch) -> None:
        """Put the window off by what was lost of it while a batch was stored.

        Not by what it took to store that, or nothing else would be stored where that is slow.
        """
        if lost_ms > 0 and not batch.is_slip:
            self._put(put_off(self.state.standing.window, lost_ms), first=True)

    async def _write(self, blobs: tuple[bytes, ...]) -> int:
        """Append them; return the ms that took if it was too long, else 0."""
        on_beat = self._state is not None and self._state.preset.on_beat
        began_ms = self._clock.now_ms()
        self._stall.begin(began_ms, on_beat=on_beat)
        self._await_append()
        try:
            with self._scheduler.broadcaster.quiet():
                await self._writer.write(self._number + 1, blobs)
        finally:
            ended_ms = self._clock.now_ms()
            lasted_ms = self._stall.note_done(ended_ms)
        self._timing.stored_ms = ended_ms
        self._figures.stored.note(ended_ms - began_ms)
        return lasted_ms

    def _adopt_earlier(self, earlier: DuplicateAppendError) -> None:
        """Go on from what was stored after all; its commands were refused and may come again."""
        before = earlier.before
        for blob in earlier.blobs:
            self._adopt(sealed_again(self._state, before, blob, self._number + 1))
            before = blob

    def _adopt(self, sealed: Sealed) -> None:
        """Make a stored record's state the match's, and queue what it gives out."""
        self._snapshots.note(self._number + 1, self._state, sealed)
        self._state = sealed.stepped.state
        self._number += 1
        self._last = sealed.head
        if not self.feeds:
            self.feeds = Feeds.of(self.match, self._state, self._scheduler.broadcaster)
            self._begin_timing(self._state)
        self.feeds.queue(sealed)
        self._timing.steps.note(sealed.took_ms)
        if sealed.shows_frame:
            self._timing.closed_ms.append(sealed.at_ms)
        if sealed.shows_frame and self._state.preset.on_beat:
            self._beat_ms = self._state.opened_ms

    @property
    def is_told_over(self) -> bool:
        """Return whether the match is over and all audiences have its end."""
        return self.state.is_over and self.feeds.are_empty

    def _release(self) -> None:
        """Release what is due; frames that have missed their beat wait for the next one."""
        now_ms, beat_ms = self._clock.now_ms(), self._beat_ms
        self._timing.now_ms, is_held = now_ms, self._writer.is_held
        if not is_held:
            self._hold_back(now_ms)
        elif beat_ms is not None and now_ms >= beat_ms:
            # Once only, or a server that is always busy would never release anything.
            if now_ms > beat_ms + LATE_MS and not self._has_slipped:
                self._slip(beat_ms, now_ms)
            else:
                self._release_lag.note(now_ms - beat_ms)
                self._beat_ms, self._has_slipped = None, False
                # What is sent now is written first, of all matches of this beat: whatever they
                # then do is for the next round of the loop.
                asyncio.get_running_loop().call_soon(self._filled.set)
        if self._beat_ms is None:
            # One to a command that came with the close waits for the beat as well.
            self._answers.give(self._timing.answer)
        self.feeds.release(now_ms, self.state)
        self._turns.note(self.feeds.told)
        if self._beat_ms is None and is_held and (self._timing.closed_ms or self._timing.accepted):
            told = self.feeds.told
            self._timing.show(None if told is None or told.is_over else told.standing.window)
        if self.is_told_over:
            self._told_all.set()

    def _hold_back(self, now_ms: int) -> None:
        """Let what waits wait for the next beat: another owner may be showing it by now."""
        self.feeds.postpone(next_beat(now_ms + 1))
        self._has_slipped = False

    def _slip(self, beat_ms: int, now_ms: int) -> None:
        """Let the frames that wait slip to the next beat, and their window open that much later.

        Nothing but whole beats may show how long the work took.
        """
        to_ms = next_beat(now_ms + 1)
        self.feeds.postpone(to_ms)
        self._beat_ms, self._has_slipped = to_ms, True
        self._release_lag.slips += 1
        if not self.slips:
            self._log.warning("release_slipped", by_ms=to_ms - beat_ms)
        self.slips += 1
        # Before whatever waits: the window must be put off before it can be closed.
        self._put(Slipped(window=self.state.standing.window, by_ms=to_ms - beat_ms), first=True)

    def stood(self, ms: int) -> None:
        """Put the open window off after a stop of the process, if that was long for it."""
        if self._beat_ms is None and (slipped := stop_of(self.state, ms)) is not None:
            self._put(slipped, first=True)

    def _on_beat(self) -> None:
        self._release()
        self._set_wake()

    def _on_wake(self) -> None:
        self._put(WAKE)

    def _on_overdue(self) -> None:
        """Inform the seats if the append under way takes too long, and refuse who waits for it."""
        if self._stall.note_long(self._clock.now_ms()):
            self._log.error("append_slow", ms=STALL_MS)
            self.tell_seats(Code.SERVER_JOURNAL.value)
        if self._stall.is_long:
            self._refuse_waiting()
        # Or this was the time of an append before.
        self._await_append()

    def _await_append(self) -> None:
        overdue_ms = self._clock.server_ms(self._stall.patience_ms)
        self._scheduler.set(self._member, Phase.OVERDUE, overdue_ms)

    def _refuse_waiting(self) -> None:
        """Refuse the commands that came while an append is under way that takes too long."""
        waiting, self._inbox = self._inbox, []
        for item in waiting:
            if isinstance(item, Pending):
                item.answered(Rejected(code=Code.SERVER_JOURNAL))
            else:
                self._inbox.append(item)

    def _set_wake(self) -> None:
        """Be rung when a frame is to be released, the window is due, or a pause ends."""
        release_ms = self._clock.server_ms(self.feeds.next_release_ms(self.state))
        self._scheduler.set(self._member, Phase.RELEASE, release_ms)
        self._scheduler.set(self._member, Phase.WAKE, self.due_ms)

    @property
    def due_ms(self) -> int | None:
        """Return when, by the server's clock, it goes on by itself; None before a beat."""
        if self._stall.retry_ms is not None:
            return self._clock.server_ms(self._stall.retry_ms)
        due_ms = self.state.due_ms if self._beat_ms is None else None
        tick_ms, _ = next_tick(self.state) or (None, None)
        times = (due_ms, tick_ms, self.seat_connections.wake_ms(self._clock.now_ms()))
        first_ms = min([time_ms for time_ms in times if time_ms is not None], default=None)
        return self._clock.server_ms(first_ms)

    @property
    def is_idle(self) -> bool:
        """Return whether the match has no followers and nothing waits in it for a seat."""
        is_still = self._beat_ms is None and not (self._inbox or self._answers)
        return is_still and not self.is_faulty and not self.state.is_over and self.feeds.are_idle

    def _refuse_rest(self) -> None:
        if self._is_stopping or self.is_fenced:
            # Nor may an answer that waits for the beat be given.
            self._answers.change(self._late)
        asked = [item for item in (*self._taking, *self._inbox) if isinstance(item, Pending)]
        self._answers.add((late, self._late(late)) for late in asked)
        self._taking, self._inbox = [], []
        self._answers.give(self._timing.answer)

    def _late(self, asked: Pending) -> Taken | Rejected:
        """Return the answer to a command that comes too late; a repeated one's is its first."""
        if self._is_stopping or self.is_fenced:
            # Whatever else could be said might reveal a window whose frame is not out.
            return Rejected(code=Code.SERVER_CLOSING)
        if self.is_faulty:
            return Rejected(code=Code.MATCH_FAULT)
        if asked.side is None:
            return Rejected(code=Code.MATCH_OVER)
        return self._batch().late(
            asked, self._clock.now_ms(), self.feeds[audience_of(asked.side)].shown
        )

    async def _finish(self) -> None:
        """Write the closing record, archive the match, note it as over; or the next start does."""
        batch = self._batch()
        if not self.state.is_closed:
            batch.put(Closed(), self._clock.now_ms())
            await self._stored(batch)
        if self.is_fenced or (archive := await self.archiving.archive()) is None:
            return
        try:
            await self._journal.finish(self.match, archive)
        except JournalError as error:
            self._log.error("journal_finish_failed", why=error.why)
        self._log.info("match_over", records=self._number, slips=self.slips)
        self._figures.publish(self.match)
        self.over.set()
        self.archiving.analyse()

    def tell_seats(self, text: str) -> None:
        """Send the seats a text outside their sequence."""
        news = News(match=self.match, seq=0, kind=NewsKind.SERVER, text=text)
        self.feeds.tell_seats(EncodedMessage(news))
