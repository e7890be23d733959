"""One run of the queue: people who want a quick match, at workers to which something happens.

Whoever asks and asks again, and is ready when he has a seat, gets a match, whatever befalls who
keeps the queue. And from the moment on at which he is told that he waits, his place is kept.
"""

import asyncio
import itertools
from collections import Counter
from random import Random
from typing import Any, NamedTuple, final

from structlog.testing import capture_logs

from builders.memorytransport import Weather
from builders.ratedresults import CERES
from simulation.workers.people import LostError, RefusalError, Wire
from simulation.workers.scenario import SIDES, is_fault
from simulation.workers.worker import Worker
from simulation.workers.yard import Yard
from sunglare_protocol import messages
from sunglare_protocol.ids import MatchId
from sunglare_protocol.messages.replies import RoomState, ServerMessage
from sunglare_protocol.refusals import Code
from sunglare_server.matchmaking.queue_store import QUEUE
from sunglare_server.matchmaking.rooms import BARRED_MS

PEOPLE = 4
"""How many want a match of two."""

RUN_S = 900.0
"""By then all have one: two minutes are what a deserter waits."""

LATE_S = 8.0
"""Who was not answered for longer may have lost his place: clocks of workers differ."""

DESERTS = 0.15
"""How often somebody who has a seat gives it back, or leaves it there."""

AGAIN_S = (1.0, 2.0)
"""Between how many seconds pass until somebody asks again."""


class LeftError(Exception):
    """The seat is no more: one has to wait again."""


@final
class Outcome(NamedTuple):
    """What a run came to: what is wrong, who plays where, and what happened how often."""

    faults: tuple[str, ...]
    matches: dict[str, MatchId]
    reached: Counter[str]


@final
class Waiting:
    """Somebody who wants a quick match, and what is wrong with how it went."""

    def __init__(self, name: str, yard: Yard, rng: Random) -> None:
        """Want one as `name`."""
        self.name = name
        self.match: MatchId | None = None
        self.complaints: list[str] = []
        self.reached: Counter[str] = Counter()
        self._yard = yard
        self._rng = rng
        self._ids = itertools.count(1)
        self._token: str | None = None
        self._called = ""
        self._wire: Wire | None = None
        self._since_ms: int | None = None
        self._told_s = 0.0

    async def play(self) -> None:
        """Ask until there is a match that has begun with him in it."""
        seat: MatchId | None = None
        while self.match is None:
            try:
                seat = seat or await self._taken_or_not(await self._found())
                self.match = await self._begun(seat)
            except LostError:
                self.reached["lost"] += 1
                await self._wait()
            except LeftError:
                seat = None
                self.reached["left"] += 1
                await self._wait()

    async def _found(self) -> MatchId:
        """Ask for a match until there is one."""
        while True:
            told = await self._ask(messages.QuickMatch, family=CERES, rated=False)
            if isinstance(told, messages.Queued) and told.match is not None:
                self._since_ms = None
                return told.match
            if isinstance(told, messages.Queued):
                await self._note_place()
            elif is_refused(told, Code.QUICK_BARRED):
                self.reached["barred"] += 1
                self._since_ms = None
                await asyncio.sleep(BARRED_MS / 1000)
            elif not is_refused(told, Code.SERVER_JOURNAL):
                self.complaints.append(f"{self.name} may not wait: {told}")
            await self._wait()

    async def _note_place(self) -> None:
        """Compare the place that is kept with the one that was told before."""
        now_s = asyncio.get_running_loop().time()
        account = await self._yard.engine.name_taken(self._called)
        wait = None if account is None else await self._yard.engine.waits.look(account)
        self.reached["waits"] += 1
        before_ms, is_late = self._since_ms, now_s - self._told_s > LATE_S
        # Without one he is put together in this moment; and perhaps parted again.
        self._since_ms = None if wait is None or wait.barred_ms else wait.since_ms
        self._told_s = now_s
        if None not in (before_ms, self._since_ms) and not is_late and before_ms != self._since_ms:
            self.complaints.append(f"{self.name} has lost his place in the queue")

    async def _taken_or_not(self, match: MatchId) -> MatchId:
        """Return the match in which a seat is kept, unless it is not to be taken."""
        if self._rng.random() < DESERTS:
            self.reached["deserts"] += 1
            if self._rng.random() < 0.5:
                await self._ask(messages.Leave, match=match)
            raise LeftError
        return match

    async def _begun(self, match: MatchId) -> MatchId:
        """Take the seat, be ready, and return once the match has begun."""
        await self._sit(match)
        while True:
            told = await self._ask(messages.Info, match=match)
            if isinstance(told, messages.MatchInfo) and told.line.state is not RoomState.LOBBY:
                return match
            if is_refused(told, Code.MATCH_UNKNOWN):
                raise LeftError
            await self._ask(messages.Ready, match=match)
            await self._wait()

    async def _sit(self, match: MatchId) -> None:
        while True:
            told = await self._ask(messages.Join, match=match)
            if isinstance(told, messages.Seated | messages.Resumed):
                return
            if is_refused(told, Code.SEAT_YOURS) or is_refused(told, Code.SEAT_ONE):
                # An earlier answer was lost.
                return
            if not is_refused(told, Code.SERVER_JOURNAL):
                raise LeftError
            await self._wait()

    async def _ask(self, kind: Any, **fields: object) -> ServerMessage:
        """Say something on a line that stands; LostError if that ends."""
        wire = await self._line()
        return await wire.ask(kind(id=next(self._ids), **fields))

    async def _line(self) -> Wire:
        if self._wire is None or self._wire.is_closed:
            wire = Wire(self._yard.desk)
            hello = messages.Hello(
                id=next(self._ids),
                v=messages.PROTOCOL_VERSION,
                token=self._token,
            )
            try:
                welcome = await wire.expect(messages.Welcome, hello)
            except RefusalError as refusal:
                wire.hang_up()
                if refusal.refused.code is not Code.SERVER_JOURNAL:
                    self.complaints.append(f"{self.name} was not let in: {refusal}")
                raise LostError from None
            self._token, self._called, self._wire = welcome.token, welcome.name, wire
        return self._wire

    async def _wait(self) -> None:
        await asyncio.sleep(self._rng.uniform(*AGAIN_S))


def is_refused(told: ServerMessage, code: Code) -> bool:
    """Return whether an answer is a refusal for this reason."""
    return isinstance(told, messages.Refused) and told.code is code


@final
class QueueRun:
    """A run and what it is made of, all of it drawn from its seed."""

    def __init__(self, seed: int) -> None:
        """Begin nothing yet."""
        self._rng = Random(f"{seed}/queue")
        self._yard = Yard(self._rng)

    async def played(self) -> Outcome:
        """Let everybody get a match, and return what there is to judge."""
        with capture_logs() as logs:
            await self._yard.open()
            people = [
                Waiting(f"person {n}", self._yard, Random(self._rng.getrandbits(64)))
                for n in range(PEOPLE)
            ]
            ends = [self._yard.at_gate(one.play()) for one in people]
            reached, failures = await self._yard.troubled(self, ends, RUN_S)
        faults = [*failures, *[f"{line}" for line in logs if is_fault(line)]]
        for end, one in zip(ends, people, strict=True):
            faults += one.complaints
            if end.done() and not end.cancelled() and end.exception() is not None:
                faults.append(f"{one.name}: {end.exception()!r}")
            reached += one.reached
        faults += [f"{one.name} has no match" for one in people if one.match is None]
        matches = {one.name: one.match for one in people if one.match is not None}
        faults += [
            f"{match} has begun with {number}"
            for match, number in Counter(matches.values()).items()
            if number != len(SIDES)
        ]
        return Outcome(tuple(faults), matches, reached)

    def workers_now(self) -> list[Worker]:
        """Return the workers that live."""
        return self._yard.workers_now()

    def owner(self) -> Worker | None:
        """Return who keeps the queue, if that one lives."""
        return self._yard.owner(QUEUE)

    def shake(self, weather: Weather) -> None:
        """Have this weather on the road."""
        self._yard.shake(weather)

    def haunt(self) -> None:
        """Do nothing: nothing is shown of a queue."""
