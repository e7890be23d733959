"""One match under a clock that stands still: who got what, when, and when its bytes were made."""

from typing import NamedTuple, Self, final

from builders.fakeclock import FakeClock
from builders.matches import TWO, opened
from builders.memoryjournal import MemoryJournal
from builders.truths import MATCH
from sunglare_protocol.codec import Form
from sunglare_protocol.ids import Audience, MatchId, Side, audience_of, is_of_side
from sunglare_protocol.messages import Bye, News, ServerMessage
from sunglare_protocol.refusals import Rejected
from sunglare_server.base.heartbeat import Outage
from sunglare_server.match.data.options import MatchOptions, OptionValue
from sunglare_server.match.data.scenario import Scenario
from sunglare_server.match.record import FIRST_EPOCH, Body, Opened
from sunglare_server.match.state import Taken
from sunglare_server.ports.journal import Archive, JournalError
from sunglare_server.runtime.encoded_message import EncodedMessage
from sunglare_server.runtime.inbox import Pending
from sunglare_server.runtime.journal_writer import Ownership
from sunglare_server.runtime.runner import Runner
from sunglare_server.runtime.scheduler import Scheduler
from sunglare_server.runtime.spectator_fanout import Viewer

START_MS = 1_000_000
"""A time on the beat."""


def rated(allowance_beats: int = 1, clock: str = "blitz", **others: OptionValue) -> MatchOptions:
    """Return options with a rated clock, or another one."""
    return MatchOptions(clock=clock, allowance_beats=allowance_beats, **others)  # type: ignore[arg-type]


class Came(NamedTuple):
    """A message that came, when, and its bytes."""

    at_ms: int
    message: ServerMessage
    data: bytes


@final
class Ear:
    """A sink that keeps what came, and when."""

    def __init__(self, clock: FakeClock, form: Form = Form.PACKED) -> None:
        """Listen by `clock`."""
        self.came: list[Came] = []
        self._clock = clock
        self.form = form
        self.forms = (form,)

    def put(self, encoded_message: EncodedMessage) -> None:
        """Keep a message."""
        self.came.append(
            Came(self._clock.now_ms(), encoded_message.message, encoded_message.encoded(self.form))
        )

    def let_go(self) -> None:
        """Hear that no more of a feed comes."""

    def supersede(self) -> None:
        """Do nothing: nobody takes the seat."""

    def dismiss(self, bye: Bye, code: int) -> None:
        """Do nothing: nobody is turned out."""

    def times(self, kind: type[ServerMessage]) -> list[int]:
        """Return when messages of a kind came, in ms since the start."""
        return [came.at_ms - START_MS for came in self.came if isinstance(came.message, kind)]


@final
class SlowJournal:
    """A journal in memory whose appends take as long as it is told, or are refused."""

    def __init__(self, clock: FakeClock) -> None:
        """Take no time at first."""
        self.takes_ms = 0
        self.is_full = False
        self.tried_ms: list[int] = []
        self.kept = MemoryJournal()
        self._clock = clock

    async def append(self, match: MatchId, first: int, blobs: tuple[bytes, ...]) -> None:
        """Store the blobs after a while; refuse them while the medium is full."""
        self.tried_ms.append(self._clock.now_ms())
        if self.is_full:
            raise JournalError("database or disk is full")
        await self._clock.sleep_until_ms(self._clock.now_ms() + self.takes_ms)
        await self.kept.append(match, first, blobs)

    async def read(
        self, match: MatchId, after: int = 0, most: int | None = None
    ) -> tuple[bytes, ...]:
        """Return the records."""
        return await self.kept.read(match, after, most)

    async def last(self, match: MatchId) -> int:
        """Return the number of the newest record."""
        return await self.kept.last(match)

    async def matches(self) -> tuple[MatchId, ...]:
        """Return the matches that are not finished."""
        return await self.kept.matches()

    async def finish(self, match: MatchId, archive: Archive = ()) -> None:
        """Mark a match as over and keep its archive."""
        await self.kept.finish(match, archive)

    async def archived(self, match: MatchId, part: str) -> bytes | None:
        """Return a part of the archive of a match."""
        return await self.kept.archived(match, part)

    async def keep_snapshot(self, match: MatchId, number: int, blob: bytes, least: int) -> None:
        """Keep a snapshot, at once."""
        await self.kept.keep_snapshot(match, number, blob, least)

    async def snapshots(self, match: MatchId) -> tuple[tuple[int, bytes], ...]:
        """Return the snapshots of a match."""
        return await self.kept.snapshots(match)

    async def mark_alive(self, at_ms: int) -> None:
        """Keep a sign of life, at once."""
        await self.kept.mark_alive(at_ms)

    async def alive_ms(self) -> int | None:
        """Return the last sign of life."""
        return await self.kept.alive_ms()

    async def close(self) -> None:
        """Refuse everything from now on."""
        await self.kept.close()


@final
class Hall:
    """A match of a server whose time is told by the test, with a listener for each audience."""

    def __init__(self, *audiences: str, form: Form = Form.PACKED) -> None:
        """Listen for these audiences, for those of the sides A and B at least."""
        self.clock = FakeClock(START_MS)
        self.journal = SlowJournal(self.clock)
        self.scheduler = Scheduler(self.clock)
        self.ears = {
            Audience(audience): Ear(self.clock, form) for audience in ("A", "B", *audiences)
        }
        self.answers: list[tuple[int, Taken | Rejected]] = []
        self._commands = 0
        self._epoch = FIRST_EPOCH

    @classmethod
    async def opened(
        cls, options: MatchOptions, scenario: Scenario = TWO, *, audiences: tuple[str, ...] = ()
    ) -> Self:
        """Return a hall in which the match has started."""
        hall = cls(*audiences)
        await hall.open(options, scenario)
        return hall

    async def open(self, options: MatchOptions, scenario: Scenario = TWO) -> Runner:
        """Start the match."""
        return await self.begin(opened(scenario, options))

    async def begin(self, opening: Opened) -> Runner:
        """Start a match with this opening record."""
        self.runner = Runner(MATCH, self.journal, self.clock, self.scheduler)
        await self.runner.open(opening, self._listen)
        return self.runner

    async def restart(
        self,
        outage_ms: int = 0,
        since_ms: int | None = None,
        *,
        was_parked: bool = False,
        is_alone: bool = False,
    ) -> Runner:
        """Stop the match and take it up again from its records, as a restart would.

        The server was there last at `since_ms`, without it until now; it `is_alone` if there can
        be no other.
        """
        await self.runner.stop()
        since_ms = self.clock.now_ms() if since_ms is None else since_ms
        self.clock.advance(outage_ms)
        self._epoch += 1
        ownership = Ownership(self._epoch, is_alone=is_alone)
        self.runner = Runner(MATCH, self.journal, self.clock, self.scheduler, ownership=ownership)
        outage = Outage(since_ms, self.clock.now_ms(), was_parked=was_parked)
        await self.runner.recover(self._listen, outage)
        return self.runner

    def _listen(self) -> None:
        for audience, subscriber in self.ears.items():
            if is_of_side(audience):
                self.runner.feeds.sit(audience, subscriber)
            else:
                self.runner.feeds.watch(audience, Viewer(subscriber))

    def subscriber(self, side: Side) -> Ear:
        """Return the listener of a side."""
        return self.ears[audience_of(side)]

    def told(self, side: Side) -> list[News]:
        """Return the news that a side has heard."""
        return [
            came.message for came in self.subscriber(side).came if isinstance(came.message, News)
        ]

    def command(self, side: Side, body: Body, round_trip_ms: int = 0) -> None:
        """Send a command; `answers` gets its answer with the time, in ms since the start."""
        self._commands += 1
        self.runner.command(Pending(side, self._commands, body, self._answered, round_trip_ms))

    def _answered(self, given: Taken | Rejected) -> None:
        self.answers.append((self.clock.now_ms() - START_MS, given))
