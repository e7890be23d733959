"""One match's task: takes its inputs, keeps its deadlines, appends before it shows."""

import asyncio
import contextvars
from collections.abc import Callable
from typing import final

import structlog

from sunglare_protocol.answers import AnswerBody
from sunglare_protocol.commands import Question
from sunglare_protocol.ids import MatchId, Side, audience_of
from sunglare_protocol.orders import Order
from sunglare_protocol.refusals import Code, Rejected
from sunglare_protocol.replies import News, NewsKind
from sunglare_server.host.accounting import Accounting
from sunglare_server.host.batch import Batch, Sealed
from sunglare_server.host.bell import Bell, Ring
from sunglare_server.host.clock import Clock, MatchClock
from sunglare_server.host.feeds import Feeds
from sunglare_server.host.inbox import WAKE, Answered, Asked, Item
from sunglare_server.host.journal import Journal, JournalError
from sunglare_server.host.parcel import Parcel
from sunglare_server.host.questions import Questions
from sunglare_server.host.recovery import Loaded, load
from sunglare_server.host.snapshots import Snapshots, starts_turn
from sunglare_server.match.clocks import next_beat
from sunglare_server.match.phases import Standing
from sunglare_server.match.record import Adjourned, Body, Closed, Opened, Slipped
from sunglare_server.match.state import MatchState, Taken

PAUSE_MOST_MS = 5 * 60_000
"""A pause ends by itself after this long."""

LATE_MS = 50
"""OWN: frames that the loop releases later than this after their beat wait for the next one."""

FAULT_TEXT = "server/fault"
"""All that the seats hear of a fault of ours."""


@final
class Runner:
    """A running or finished match: the last state on disk, its feeds, its task."""

    def __init__(self, match: MatchId, journal: Journal, clock: Clock, bell: Bell) -> None:
        """Begin without a state; `open` or `recover` gives one.

        `bell` is that of all matches of the server; `slips` counts the releases that it or the
        work of a window let slip to a later beat, for the log alone.
        """
        self.match = match
        self.slips = 0
        self.feeds = Feeds()
        self.accounting = Accounting(match, journal)
        self.over = asyncio.Event()
        self.is_faulty = False
        self._questions = Questions()
        self._snapshots = Snapshots(match, journal)
        self._turns: list[tuple[int, Sealed]] = []
        self._journal = journal
        self.clock = self._clock = MatchClock(clock)
        self._state: MatchState | None = None
        self._number = 0
        self._last = b""
        self._grace_ms = 0
        self._is_stopping = False
        self._inbox: list[Item] = []
        self._answers: list[tuple[Asked, Taken | Rejected]] = []
        self._filled = asyncio.Event()
        self._bell = bell
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

        `ready` is called when the feeds are there and before anything is released.
        """
        batch = Batch(self.match, None, 0, b"")
        batch.put(opened, self._clock.now_ms())
        await self._store(batch)
        self._log.info("match opened", seats=len(opened.seats))
        ready()
        self._release()
        self._go()

    async def recover(self, ready: Callable[[], None], began_ms: int) -> None:
        """Load the match from its records; raise `RecordError` if they can't be used.

        `began_ms` is when the server began.
        """
        loaded = await load(self.match, self._journal, self._bell.lull)
        self._take_over(loaded)
        state = self.state
        if self._clock.begin_at(loaded.sealed[-1].at_ms):
            began_ms = self._clock.now_ms()
        if state.opened_ms < began_ms:
            # Nobody is charged for the time the server was away: the window starts anew.
            whole_ms = state.preset.base_ms(state.standing.phase)
            self._grace_ms = max(0, began_ms + whole_ms - state.closes_ms)
        ready()
        self._release()
        self._log.info("match loaded", records=self._number)
        if self.is_told_over:
            await self._finish()
        else:
            self._go()

    def _take_over(self, loaded: Loaded) -> None:
        last = loaded.sealed[-1]
        self._state, self._number, self._last = last.stepped.state, loaded.number, last.head
        self.feeds = Feeds.loaded(self.match, loaded)
        for number, state in loaded.kept:
            self._snapshots.know(number, state)

    def command(self, side: Side, command: int, body: Body, answered: Answered) -> None:
        """Take a seat's command; call `answered` with the answer, once it is stored."""
        asked = Asked(side, command, body, answered)
        if self.is_faulty or self._task is None or self._task.done():
            answered(self._late(asked))
        else:
            self._put(asked)

    def ask(self, side: Side, kind: Question, about: Order | str | None) -> AnswerBody | Rejected:
        """Return the answer to a question, from the side's released view alone."""
        return self._questions.answer(side, self.feeds[audience_of(side)].shown, kind, about)

    def awaits(self, side: Side) -> bool:
        """Return whether the window that `side` was shown waits for it."""
        released = self.feeds[audience_of(side)].released
        is_shown = released is not None and released.standing.window == self.state.standing.window
        return is_shown and not self.state.is_over and self.state.awaits(side)

    def shown_standing(self, side: Side) -> Standing | None:
        """Return where the match stood in the last frame that `side` was sent."""
        released = self.feeds[audience_of(side)].released
        return None if released is None else released.standing

    async def records(self) -> tuple[bytes, ...]:
        """Return the stored records."""
        return await self._journal.read(self.match)

    async def adjourn(self) -> None:
        """End the match without a winner."""
        self._put(Adjourned())

    async def stop(self) -> None:
        """End the task after the append in flight; a later `recover` goes on from there."""
        self._is_stopping = True
        if self._task is not None:
            self._put(WAKE)
            self._told_all.set()
            await asyncio.wait([self._task])
        await self._snapshots.settled()
        self.accounting.cancel()
        self._bell.leave(self._member)

    def _put(self, item: Item) -> None:
        self._inbox.append(item)
        self._filled.set()

    def _go(self) -> None:
        self._member = self._bell.enter(self._on_beat, self._on_wake)
        self._set_bell()
        # A context of its own: the log lines of a match name no connection.
        fresh = contextvars.copy_context()
        fresh.run(structlog.contextvars.clear_contextvars)
        self._task = asyncio.create_task(self._run(), name=f"match {self.match}", context=fresh)

    async def _run(self) -> None:
        while not (self.state.is_over or self.is_faulty or self._is_stopping):
            await self._filled.wait()
            self._filled.clear()
            await self._take(self._taken())
            self._release()
            self._set_bell()
            self._keep_snapshots()
        if self.is_faulty:
            self.tell_seats(FAULT_TEXT)
        if self.state.is_over:
            # Nobody finds out that the match is over before the frames that show it are out.
            await self._told_all.wait()
            await self._finish()
            self._bell.leave(self._member)
        self._refuse_rest()

    def _taken(self) -> list[Item]:
        """Take what waits out of the inbox; commands stay while frames wait for their beat.

        An answer given then would tell that the window is closed, and how long the work took.
        """
        waiting, self._inbox = self._inbox, []
        if self._beat_ms is not None:
            self._inbox = [item for item in waiting if isinstance(item, Asked)]
            waiting = [item for item in waiting if not isinstance(item, Asked)]
        return waiting

    async def _take(self, waiting: list[Item]) -> None:
        """Step what waits as one batch and store it; `_release` shows and answers it."""
        batch = Batch(self.match, self.state, self._number, self._last)
        answers: list[Taken | Rejected] = []
        try:
            self._fill(batch, waiting, answers)
        except Exception:  # noqa: BLE001 - told in full to the log
            # A bug ends this match, never the server; what was stepped before it is good.
            self._log.exception("the rules failed; the match stands on its last good state")
            self.is_faulty = True
        if not await self._stored(batch):
            answers = []
        missing = Code.MATCH_FAULT if self.is_faulty else Code.SERVER_JOURNAL
        asked = [item for item in waiting if isinstance(item, Asked)]
        answers += [Rejected(code=missing)] * (len(asked) - len(answers))
        self._answers += zip(asked, answers, strict=True)

    def _give_answers(self) -> None:
        while self._answers:
            each, given = self._answers.pop(0)
            each.answered(given)

    def _fill(self, batch: Batch, waiting: list[Item], answers: list[Taken | Rejected]) -> None:
        """Check and step what waits; `answers` gets one for each command, as far as it goes."""
        now_ms = self._clock.now_ms()
        for item in waiting:
            if isinstance(item, Asked):
                shown = self.feeds[audience_of(item.side)].shown
                answers.append(batch.command(item.side, item.command, item.body, now_ms, shown))
            elif isinstance(item, Adjourned) and not batch.is_over:
                batch.put(item, now_ms)
            elif isinstance(item, Slipped):
                batch.slip(item, now_ms)
            # A window that has not been shown yet does not close, however busy the server is.
            if self._beat_ms is None:
                batch.close_due_windows(now_ms, self._grace_ms)
        if not batch.is_over:
            batch.end_long_pause(now_ms, PAUSE_MOST_MS)

    async def _stored(self, batch: Batch) -> bool:
        """Append the batch and adopt it; return False, and drop it, if the journal refuses."""
        if not batch.sealed:
            return True
        try:
            await self._store(batch)
        except JournalError as error:
            self._log.error("the journal refused an append", why=error.why, fatal=error.fatal)
            return False
        return True

    async def _store(self, batch: Batch) -> None:
        blobs = tuple(sealed.blob for sealed in batch.sealed)
        await self._journal.append(self.match, self._number + 1, blobs)
        window = None if self._state is None else self._state.standing.window
        beat_ms = self._beat_ms
        for sealed in batch.sealed:
            self._adopt(sealed)
        if self.state.standing.window != window:
            self._grace_ms = 0
        # Frames that were not ready on their beat wait for the next one.
        now_ms = self._clock.now_ms()
        if self._beat_ms not in (None, beat_ms) and now_ms > self._beat_ms:
            self._slip(self._beat_ms, now_ms)

    def _adopt(self, sealed: Sealed) -> None:
        """Make a stored record's state the match's, and queue what it gives out."""
        if starts_turn(self._state, sealed):
            self._turns.append((self._number + 1, sealed))
        self._state = sealed.stepped.state
        self._number += 1
        self._last = sealed.head
        if not self.feeds:
            self.feeds = Feeds.of(self.match, self._state)
        self.feeds.hold(sealed)
        if sealed.shows_frame and self._state.preset.rated:
            self._beat_ms = self._state.opened_ms

    def _keep_snapshots(self) -> None:
        """Keep the turns that have begun, once everybody has been shown them."""
        while self._turns and self._beat_ms is None:
            self._snapshots.keep(*self._turns.pop(0))

    @property
    def is_told_over(self) -> bool:
        """Return whether the match is over and everybody has been told."""
        return self.state.is_over and self.feeds.are_empty

    def _release(self) -> None:
        """Release what is due; frames that have missed their beat wait for the next one."""
        now_ms, beat_ms = self._clock.now_ms(), self._beat_ms
        if beat_ms is not None and now_ms >= beat_ms:
            # Once only, or a server that is always busy would never release anything.
            if now_ms > beat_ms + LATE_MS and not self._has_slipped:
                self._slip(beat_ms, now_ms)
            else:
                self._bell.tally.note(now_ms - beat_ms)
                self._beat_ms, self._has_slipped = None, False
                self._filled.set()
        if self._beat_ms is None:
            # One to a command that came with the close waits for the beat as well.
            self._give_answers()
        self.feeds.release(now_ms, self.state)
        if self.is_told_over:
            self._told_all.set()

    def _slip(self, beat_ms: int, now_ms: int) -> None:
        """Let the frames that wait slip to the next beat, and their window open that much later.

        Nothing but whole beats may tell how long the work took.
        """
        to_ms = next_beat(now_ms + 1)
        self.feeds.postpone(to_ms)
        self._beat_ms, self._has_slipped = to_ms, True
        self._bell.tally.slips += 1
        if not self.slips:
            self._log.warning("a release slipped", by_ms=to_ms - beat_ms)
        self.slips += 1
        # Before whatever waits: the window must be put off before it can be closed.
        window = self.state.standing.window
        self._inbox.insert(0, Slipped(window=window, by_ms=to_ms - beat_ms))
        self._filled.set()

    def _on_beat(self) -> None:
        self._release()
        self._set_bell()

    def _on_wake(self) -> None:
        self._put(WAKE)

    def _set_bell(self) -> None:
        """Be rung when a frame is to be released, the window is due, or a pause ends."""
        releases = map(self._clock.server_ms, self.feeds.next_releases_ms(self.state))
        self._bell.set_first(self._member, Ring.RELEASE, releases)
        self._bell.set_first(self._member, Ring.WAKE, [self.due_ms])

    @property
    def due_ms(self) -> int | None:
        """Return when, by the server's clock, it goes on by itself; None before a beat."""
        state = self.state
        paused_ms = state.table.paused_ms
        if paused_ms is not None:
            return self._clock.server_ms(paused_ms + PAUSE_MOST_MS)
        due_ms = state.due_ms if self._beat_ms is None else None
        if due_ms is not None:
            due_ms += self._grace_ms if due_ms == state.closes_ms else 0
        return self._clock.server_ms(due_ms)

    @property
    def is_idle(self) -> bool:
        """Return whether nobody follows the match and nothing waits in it for a seat."""
        is_still = self._beat_ms is None and not (self._inbox or self._answers)
        return is_still and not self.is_faulty and not self.state.is_over and self.feeds.are_idle

    def _refuse_rest(self) -> None:
        asked = [item for item in self._inbox if isinstance(item, Asked)]
        self._answers += [(each, self._late(each)) for each in asked]
        self._inbox = []
        self._give_answers()

    def _late(self, asked: Asked) -> Taken | Rejected:
        """Return the answer to a command that comes too late; a repeated one's is its first."""
        if self.is_faulty:
            return Rejected(code=Code.MATCH_FAULT)
        batch = Batch(self.match, self.state, self._number, self._last)
        shown = self.feeds[audience_of(asked.side)].shown
        given = batch.command(asked.side, asked.command, asked.body, self._clock.now_ms(), shown)
        return Rejected(code=Code.SERVER_CLOSING) if batch.sealed else given

    async def _finish(self) -> None:
        """Write the closing record and mark the match as over in the journal."""
        batch = Batch(self.match, self.state, self._number, self._last)
        if not self.state.is_closed:
            batch.put(Closed(), self._clock.now_ms())
            await self._stored(batch)
        try:
            await self._journal.finish(self.match)
        except JournalError as error:
            # The closing record says it too: a recovery finishes the match again.
            self._log.error("the journal did not note the end", why=error.why)
        self._log.info("match over", records=self._number, slips=self.slips)
        self.over.set()

    def tell_seats(self, text: str) -> None:
        """Tell the seats something outside their sequence."""
        news = News(match=self.match, seq=0, kind=NewsKind.SERVER, text=text)
        self.feeds.tell_seats(Parcel(news))
