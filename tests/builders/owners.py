"""Owners of one match after one another, or at once, each with its own way to the records."""

from typing import final

from builders.beats import START_MS, Ear, rated
from builders.fakeclock import FakeClock
from builders.matches import TWO, opened
from builders.memoryjournal import MemoryJournal
from builders.truths import MATCH, A, B
from sunglare_protocol.ids import Side, audience_of
from sunglare_protocol.refusals import Rejected
from sunglare_server.base.heartbeat import Outage
from sunglare_server.match.data.options import MatchOptions
from sunglare_server.match.frames import Posted
from sunglare_server.match.record import Body
from sunglare_server.match.state import Taken
from sunglare_server.runtime.inbox import Pending
from sunglare_server.runtime.journal_writer import Ownership
from sunglare_server.runtime.runner import Runner
from sunglare_server.runtime.scheduler import Scheduler


@final
class Owner:
    """One who serves the match, or has: what it showed, answered and was told of its end."""

    def __init__(self, clock: FakeClock, journal: MemoryJournal, epoch: int) -> None:
        """Own it from this epoch on, and write to `journal`; `shown` is for whoever watches it."""
        self.clock = clock
        self.journal = journal
        self.epoch = epoch
        self.is_held = True
        self.has_ended = False
        self.ears = {side: Ear(clock) for side in (A, B)}
        self.answers: list[tuple[int, object]] = []
        self.acknowledged: list[tuple[Side, int]] = []
        self.shown = (False, 0)
        ownership = Ownership(epoch, lambda: self.is_held, self._ended)
        self.runner = Runner(MATCH, journal, clock, Scheduler(clock), ownership=ownership)

    @classmethod
    async def first(cls, options: MatchOptions | None = None) -> "Owner":
        """Return the owner who opens the match, with epoch 1."""
        owner = cls(FakeClock(START_MS), MemoryJournal(), 1)
        await owner.runner.open(opened(TWO, options or rated()), owner._listen)
        return owner

    async def superseded_by(self, epoch: int, outage_ms: int = 0) -> "Owner":
        """Return another owner, who has taken the match over."""
        owner = Owner(self.clock, self.journal.shared(), epoch)
        await owner.take_over(outage_ms)
        return owner

    async def take_over(self, outage_ms: int = 0) -> None:
        """Take the match over after an outage."""
        now_ms = self.clock.now_ms()
        outage = Outage(now_ms - outage_ms, now_ms, was_parked=outage_ms == 0)
        await self.runner.recover(self._listen, outage)

    def command(self, side: Side, number: int, body: Body) -> None:
        """Send a command; `answers` gets its answer, if it gets any."""

        def answered(given: Taken | Rejected) -> None:
            self.answers.append((number, given))
            self.acknowledged += [(side, number)] if isinstance(given, Taken) else []

        self.runner.command(Pending(side, number, body, answered))

    @property
    def accepted(self) -> list[int]:
        """Return the numbers of the commands that were acknowledged."""
        return [number for number, given in self.answers if isinstance(given, Taken)]

    @property
    def heard(self) -> int:
        """Return how many messages the seats have been sent."""
        return sum(len(subscriber.came) for subscriber in self.ears.values())

    @property
    def posts(self) -> int:
        """Return how many of them were in their sequence: frames, and news of records."""
        came = [came.message for subscriber in self.ears.values() for came in subscriber.came]
        return sum(isinstance(message, Posted) and message.seq > 0 for message in came)

    def _ended(self) -> None:
        self.has_ended = True

    def _listen(self) -> None:
        for side, subscriber in self.ears.items():
            self.runner.feeds.sit(audience_of(side), subscriber)
