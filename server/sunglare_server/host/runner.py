"""One match's task: takes its inputs, keeps its deadlines, appends before it shows."""

import asyncio
import contextvars
from collections.abc import Callable
from typing import final

import structlog

from sunglare_protocol.answers import AnswerBody
from sunglare_protocol.commands import Question
from sunglare_protocol.ids import OMNI, PUBLIC, Audience, MatchId, Side, audience_of
from sunglare_protocol.orders import Order
from sunglare_protocol.refusals import Code, Rejected
from sunglare_protocol.replies import News, NewsKind
from sunglare_server.host.accounting import Accounting
from sunglare_server.host.batch import Batch, Sealed
from sunglare_server.host.bell import Bell, Ring
from sunglare_server.host.clock import Clock
from sunglare_server.host.feed import Feed, feeds_of
from sunglare_server.host.inbox import WAKE, Answered, Asked, Item
from sunglare_server.host.journal import Journal, JournalError
from sunglare_server.host.parcel import Parcel, Sink
from sunglare_server.host.questions import Questions
from sunglare_server.match.clocks import next_beat
from sunglare_server.match.phases import Standing
from sunglare_server.match.record import Body, Closed, Opened, Slipped, chain, unpacked
from sunglare_server.match.state import FramePost, MatchState, Taken
from sunglare_server.match.step import step

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
        self.started_ms = 0
        self.feeds: dict[Audience, Feed] = {}
        self.accounting = Accounting(match, journal)
        self.over = asyncio.Event()
        self.is_faulty = False
        self._questions = Questions()
        self._journal = journal
        self._clock = clock
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

    async def recover(self, ready: Callable[[], None]) -> None:
        """Fold the stored records; raise `RecordError` if they can't be used."""
        now_ms, before = self._clock.now_ms(), b""
        for number, blob in enumerate(await self._journal.read(self.match), 1):
            record = unpacked(blob, number, before)
            stepped = step(self._state, record)
            self._adopt(Sealed(blob, chain(blob), stepped, record.t))
            self._beat_ms = None
            before = blob
        # Nobody is charged for the time the server was away: the open window starts anew.
        state = self.state
        whole_ms = state.preset.base_ms(state.standing.phase)
        self._grace_ms = max(0, now_ms + whole_ms - state.closes_ms)
        ready()
        self._release()
        self._log.info("match recovered", records=self._number)
        if self.is_told_over:
            await self._finish()
        else:
            self._go()

    def command(self, side: Side, command: int, body: Body, answered: Answered) -> None:
        """Take a seat's command; call `answered` with the answer, once it is stored."""
        if self.is_faulty:
            answered(Rejected(code=Code.MATCH_FAULT))
        elif self._is_stopping:
            # Whatever else could be said might tell of a window whose frame is not out.
            answered(Rejected(code=Code.SERVER_CLOSING))
        elif self._task is None or self._task.done():
            batch = Batch(self.match, self.state, self._number, self._last)
            known = batch.command(side, command, body, self._clock.now_ms(), None)
            answered(Rejected(code=Code.SERVER_CLOSING) if batch.sealed else known)
        else:
            self._put(Asked(side, command, body, answered))

    def decree(self, side: Side | None, body: Body, answered: Answered) -> None:
        """Take what the operator orders, in the place of `side` or of nobody."""
        if self.is_faulty or self._task is None or self._task.done():
            answered(Rejected(code=Code.MATCH_FAULT if self.is_faulty else Code.MATCH_OVER))
        else:
            self._put(Asked(side, None, body, answered))

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

    @property
    def length(self) -> int:
        """Return how many records of the match are on disk."""
        return self._number

    @property
    def has_listeners(self) -> bool:
        """Return whether any connection follows the match."""
        return any(feed.sinks for feed in self.feeds.values())

    def attach(self, audience: Audience, sink: Sink) -> None:
        """Send what is released to `audience` to `sink` as well, from now on."""
        self.feeds[audience].attach(sink)

    def detach(self, audience: Audience, sink: Sink) -> None:
        """Send nothing more of `audience` to `sink`."""
        sinks = self.feeds[audience].sinks
        if sink in sinks:
            sinks.remove(sink)

    async def records(self) -> tuple[bytes, ...]:
        """Return the stored records."""
        return await self._journal.read(self.match)

    async def stop(self) -> None:
        """End the task after the append in flight; a later `recover` goes on from there."""
        self._is_stopping = True
        if self._task is not None:
            self._put(WAKE)
            self._told_all.set()
            await asyncio.wait([self._task])
        self.accounting.cancel()
        self._bell.leave(self._member)

    def _put(self, item: Item) -> None:
        self._inbox.append(item)
        self._filled.set()

    def _go(self) -> None:
        self._member = self._bell.enter(self._on_beat, self._on_wake)
        self._set_bell()
        # A context of its own: the log lines of a match name no connection.
        fresh = contextvars.Context()
        self._task = asyncio.create_task(self._run(), name=f"match {self.match}", context=fresh)

    async def _run(self) -> None:
        while not (self.state.is_over or self.is_faulty or self._is_stopping):
            await self._filled.wait()
            self._filled.clear()
            await self._take(self._taken())
            self._release()
            self._set_bell()
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
                shown = None if item.side is None else self.feeds[audience_of(item.side)].shown
                answers.append(batch.command(item.side, item.command, item.body, now_ms, shown))
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
        self._state = sealed.stepped.state
        self._number += 1
        self._last = sealed.head
        if not self.feeds:
            self.feeds = feeds_of(self.match, self._state)
            self.started_ms = sealed.at_ms
        if not sealed.stepped.posts:
            return
        frames = any(isinstance(post, FramePost) for post in sealed.stepped.posts)
        release_ms = self._state.opened_ms if frames else sealed.at_ms
        for feed in self.feeds.values():
            feed.hold(sealed.stepped, sealed.head.hex(), release_ms)
        if frames and self._state.preset.rated:
            self._beat_ms = release_ms

    @property
    def is_told_over(self) -> bool:
        """Return whether the match is over and everybody has been told."""
        return self.state.is_over and all(feed.is_empty for feed in self.feeds.values())

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
        for feed in self.feeds.values():
            feed.release(now_ms, self.state)
        if self.is_told_over:
            self._told_all.set()

    def _slip(self, beat_ms: int, now_ms: int) -> None:
        """Let the frames that wait slip to the next beat, and their window open that much later.

        Nothing but whole beats may tell how long the work took.
        """
        to_ms = next_beat(now_ms + 1)
        for feed in self.feeds.values():
            feed.postpone(to_ms)
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
        state = self.state
        releases = [feed.next_release_ms(state) for feed in self.feeds.values()]
        self._bell.set_first(self._member, Ring.RELEASE, releases)
        due_ms = state.due_ms if self._beat_ms is None else None
        if due_ms is not None:
            due_ms += self._grace_ms if due_ms == state.closes_ms else 0
        paused_ms = state.table.agreed_ms
        ends_ms = None if paused_ms is None else paused_ms + PAUSE_MOST_MS
        self._bell.set_first(self._member, Ring.WAKE, [due_ms, ends_ms])

    def _refuse_rest(self) -> None:
        code = Code.MATCH_FAULT if self.is_faulty else Code.MATCH_OVER
        code = Code.SERVER_CLOSING if self._is_stopping else code
        refused = Rejected(code=code)
        if self._is_stopping:
            # Nor may an answer that waits for the beat.
            self._answers = [(item, refused) for item, _ in self._answers]
        self._answers += [(item, refused) for item in self._inbox if isinstance(item, Asked)]
        self._inbox = []
        self._give_answers()

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
        parcel = Parcel(News(match=self.match, seq=0, kind=NewsKind.SERVER, text=text))
        for audience, feed in self.feeds.items():
            if audience not in (PUBLIC, OMNI):
                for sink in tuple(feed.sinks):
                    sink.put(parcel)
