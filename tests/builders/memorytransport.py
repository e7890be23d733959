"""A road in memory between gateways and workers, on which whatever may go wrong can be made to.

It keeps the promises of the port and no more: what one publishes under a subject comes in order,
and what comes under several subjects may be mixed up. What the weather does to a post or a request
is told by a list, so that a test can draw it, and a failing one gets shorter by itself.
"""

import asyncio
import enum
from collections import deque
from collections.abc import Callable, Iterable
from random import Random
from typing import NamedTuple, final

from sunglare_server.base.clock import Clock
from sunglare_server.base.tasks import spawn
from sunglare_server.transport.socket_frames import matches
from sunglare_server.transport.transport import NoResponderError, Serve, Stop, Take, TransportError

LATE_MS = (10, 150, 900)
"""How late something may be that is delayed."""


@final
class Harm(enum.Enum):
    """What happens to a post or a request on its way."""

    NONE = "it comes at once"
    LATE = "it comes a little late"
    LATER = "it comes late"
    LATEST = "it comes very late"
    LOST = "it never comes; of a request nothing is done"
    UNANSWERED = "a request is done and its answer lost; a post comes"
    CUT = "the gateway's connection is lost with it, and comes back by itself"


_LATE = {Harm.LATE: LATE_MS[0], Harm.LATER: LATE_MS[1], Harm.LATEST: LATE_MS[2]}

AWAY_MS = 400
"""How long a connection is lost that was cut by the weather."""

LOST_S = 1.0
"""So long a request is waited for at most whose answer is lost, whatever was asked for."""


@final
class Weather:
    """What happens to one thing after the other; when that is told, all is well."""

    def __init__(self, harms: Iterable[Harm] = ()) -> None:
        """Begin with the first."""
        self._harms = deque(harms)

    @classmethod
    def of_seed(cls, seed: int, number: int = 200) -> "Weather":
        """Return a weather in which so many things may be harmed."""
        kinds = list(Harm)
        weights = [6 if kind is Harm.NONE else 1 for kind in kinds]
        return cls(Random(seed).choices(kinds, weights, k=number))

    def add(self, harm: Harm) -> None:
        """Harm one thing more."""
        self._harms.append(harm)

    def next(self) -> Harm:
        """Return what happens to the next thing."""
        return self._harms.popleft() if self._harms else Harm.NONE


@final
class Posted(NamedTuple):
    """What was published, by whom and when."""

    publisher: str
    subject: str
    data: bytes
    at_ms: int


@final
class _Lane:
    """What is on its way from one publisher to one subscription under one subject."""

    def __init__(self) -> None:
        self.waiting: deque[tuple[int, int, str, bytes]] = deque()
        self.last_ms = 0
        self.is_moving = False


@final
class MemoryNetwork:
    """Where everybody meets; `heed` says whose things the weather harms."""

    def __init__(self, clock: Clock, weather: Weather | None = None) -> None:
        """Begin with nobody."""
        self.clock = clock
        self.weather = weather or Weather()
        self.heed: Callable[[str], bool] = lambda _: True
        self.posted: list[Posted] = []
        self.asked: list[tuple[str, str, bytes]] = []
        self.answered: list[tuple[str, bytes]] = []
        self.carriers: list[MemoryTransport] = []
        self.turns: dict[tuple[str, str], int] = {}

    def carrier(self, name: str, *, is_steady: bool = True) -> "MemoryTransport":
        """Return another end; one that is not `is_steady` may be cut off by the weather."""
        made = MemoryTransport(self, name, is_steady=is_steady)
        self.carriers.append(made)
        return made

    def posted_to(self, *words: str) -> list[bytes]:
        """Return what was published under a subject of these words."""
        return [post.data for post in self.posted if post.subject == ".".join(words)]

    def harm_to(self, subject: str) -> Harm:
        """Return what happens to something under a subject."""
        return self.weather.next() if self.heed(subject) else Harm.NONE

    def server_of(self, subject: str) -> "tuple[MemoryTransport, Serve] | None":
        """Return who answers next for a subject, and how: of a group one after the other."""
        able = [
            (carrier, serve)
            for carrier in self.carriers
            if carrier.is_up
            for pattern, _, serve in carrier.serving.values()
            if matches(pattern, subject)
        ]
        if not able:
            return None
        key = ("", subject.rpartition(".")[0])
        self.turns[key] = self.turns.get(key, -1) + 1
        return able[self.turns[key] % len(able)]


@final
class MemoryTransport:
    """One end of the road in memory."""

    def __init__(self, road: MemoryNetwork, name: str, *, is_steady: bool) -> None:
        """Be connected."""
        self.name = name
        self.is_steady = is_steady
        self.serving: dict[int, tuple[str, str, Serve]] = {}
        self._taking: dict[int, tuple[str, Take]] = {}
        self._lanes: dict[tuple[str, int, str], _Lane] = {}
        self._waiting: dict[asyncio.Future[bytes], None] = {}
        self._told: list[Callable[[bool], None]] = []
        self._road = road
        self._count = 0
        self._life = 1
        self._is_up = True
        self._is_closed = False
        self._is_mute = False
        self._flows = asyncio.Event()
        self._flows.set()

    @property
    def is_up(self) -> bool:
        """Return whether there is a connection."""
        return self._is_up

    async def request(self, subject: str, data: bytes, wait_s: float) -> bytes:
        """Return the answer; see the port for the errors."""
        if not self._is_up:
            raise NoResponderError("there is no connection")
        found = self._road.server_of(subject)
        if found is None:
            raise NoResponderError(f"nobody serves {subject}")
        self._road.asked.append((self.name, subject, data))
        answer: asyncio.Future[bytes] = asyncio.get_running_loop().create_future()
        self._waiting[answer] = None
        harm = self._road.harm_to(subject)
        work = spawn(self._bring(answer, found[1], subject, data, harm), "a request on its way")
        wait_s = min(wait_s, LOST_S) if harm in (Harm.LOST, Harm.UNANSWERED) else wait_s
        patience = spawn(self._lose(answer, subject, wait_s), "the patience of who asks")
        try:
            return await answer
        finally:
            patience.cancel()
            self._waiting.pop(answer, None)
            del work

    async def serve(self, subject: str, answer: Serve, group: str = "") -> Stop:
        """Answer requests, one after the other with the rest of a group."""
        number = self._next()
        self.serving[number] = (subject, group, answer)
        return lambda: self.serving.pop(number, None) and None

    async def subscribe(self, subject: str, take: Take) -> Stop:
        """Take what is published from now on."""
        number = self._next()
        self._taking[number] = (subject, take)
        return lambda: self._taking.pop(number, None) and None

    def publish(self, subject: str, data: bytes) -> None:
        """Send to all who want it; nobody hears it while there is no connection."""
        if not self._is_up or self._is_mute:
            return
        now_ms = self._road.clock.now_ms()
        self._road.posted.append(Posted(self.name, subject, data, now_ms))
        for other in tuple(self._road.carriers):
            other.hear(self.name, subject, data)

    def when_changed(self, tell: Callable[[bool], None]) -> None:
        """Call `tell` whenever the connection is lost or there again."""
        self._told.append(tell)

    async def close(self) -> None:
        """Be connected no more."""
        self._is_closed = True
        self.cut()
        if self in self._road.carriers:
            self._road.carriers.remove(self)

    def hear(self, publisher: str, subject: str, data: bytes) -> None:
        """Have a post on its way to whoever subscribed here."""
        for number, (pattern, _) in tuple(self._taking.items()):
            if self._is_up and matches(pattern, subject):
                self._send_on(publisher, number, subject, data)

    def cut(self) -> None:
        """Lose the connection: what is on its way here, and the answers that are waited for."""
        if not self._is_up:
            return
        self._is_up = False
        self._life += 1
        for answer in tuple(self._waiting):
            if not answer.done():
                answer.set_exception(TransportError("the connection was lost"))
        self._tell()

    def mend(self) -> None:
        """Have a connection again."""
        if not self._is_up and not self._is_closed:
            self._is_up = True
            self._tell()

    def mute(self) -> None:
        """Publish nothing any more, as a process that stands still."""
        self._is_mute = True

    def unmute(self) -> None:
        """Publish again."""
        self._is_mute = False

    def hold_up(self) -> None:
        """Be slow: take no post until it is to `go_on`; nothing of it is lost."""
        self._flows.clear()

    def go_on(self) -> None:
        """Take what has come meanwhile."""
        self._flows.set()

    def _next(self) -> int:
        self._count += 1
        return self._count

    def _tell(self) -> None:
        for tell in tuple(self._told):
            tell(self._is_up)

    def _send_on(self, publisher: str, number: int, subject: str, data: bytes) -> None:
        harm = self._road.harm_to(subject)
        if harm is Harm.CUT and not self.is_steady:
            self.cut()
            spawn(self._come_back(), "a connection that comes back")
            return
        if harm is Harm.LOST and not self.is_steady:
            return
        lane = self._lanes.setdefault((publisher, number, subject), _Lane())
        lane.last_ms = max(lane.last_ms, self._road.clock.now_ms() + _LATE.get(harm, 0))
        lane.waiting.append((lane.last_ms, self._life, subject, data))
        if not lane.is_moving:
            lane.is_moving = True
            spawn(self._move(lane, number), "posts on their way")

    async def _move(self, lane: _Lane, number: int) -> None:
        while lane.waiting:
            due_ms, life, subject, data = lane.waiting.popleft()
            await self._road.clock.sleep_until_ms(due_ms)
            await self._flows.wait()
            known = self._taking.get(number)
            if known is not None and self._is_up and life == self._life:
                known[1](subject, data)
        lane.is_moving = False

    async def _come_back(self) -> None:
        await self._road.clock.sleep_until_ms(self._road.clock.now_ms() + AWAY_MS)
        self.mend()

    async def _bring(
        self, answer: asyncio.Future[bytes], serve: Serve, subject: str, data: bytes, harm: Harm
    ) -> None:
        if harm is Harm.LOST:
            return
        now_ms = self._road.clock.now_ms()
        await self._road.clock.sleep_until_ms(now_ms + _LATE.get(harm, 0))
        if harm is Harm.CUT and not self.is_steady:
            spawn(self._come_back(), "a connection that comes back")
            self.cut()
        given = await serve(subject, data)
        self._road.answered.append((subject, given))
        if harm is not Harm.UNANSWERED and not answer.done():
            answer.set_result(given)

    async def _lose(self, answer: asyncio.Future[bytes], subject: str, wait_s: float) -> None:
        clock = self._road.clock
        await clock.sleep_until_ms(clock.now_ms() + round(wait_s * 1000))
        if not answer.done():
            answer.set_exception(TransportError(f"no answer from {subject} in {wait_s:g} s"))
