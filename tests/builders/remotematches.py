"""A worker and its gateways on a road in memory: a real lobby, real matches, a clock that stands.

Every line of a gateway keeps what it is sent, and a tap in the worker's own process keeps what
the same feed gave out there, so that the two can be compared byte by byte.
"""

import asyncio
import contextlib
import itertools
from collections.abc import AsyncIterator, Callable
from random import Random
from typing import Any, TypeVar, final

from builders.data import shipped
from builders.fakeclock import FakeClock
from builders.loops import settle
from builders.memoryjournal import MemoryJournal
from builders.memorytransport import MemoryNetwork, MemoryTransport, Weather
from builders.openlimits import ROOMY
from builders.remotepeers import Peer, Tap
from builders.runners import runners_of
from simulation.disk import Disk
from simulation.diskratings import disk_storage
from sunglare_protocol import messages
from sunglare_protocol.codec import Form, decode_server
from sunglare_protocol.ids import Audience, MatchId, Side, audience_of
from sunglare_protocol.messages import Bye, ServerMessage
from sunglare_protocol.refusals import Code
from sunglare_server.accounts.accounts import Accounts
from sunglare_server.accounts.webhooks import Webhooks
from sunglare_server.api.port import Immediate
from sunglare_server.base.entropy import SeededEntropy
from sunglare_server.base.library import Library
from sunglare_server.config import Settings
from sunglare_server.gateway.remote.service import RemoteService
from sunglare_server.gateway.remote.session import RemoteSession
from sunglare_server.housebots.housebots import HouseBots, Offer
from sunglare_server.lobby.lobby import Lobby
from sunglare_server.match.record import OrdersGiven
from sunglare_server.ports.secret_store import ProcessSecrets
from sunglare_server.ports.store import Store
from sunglare_server.rooms.quotas import RoomLimits
from sunglare_server.runtime.inbox import Pending
from sunglare_server.sqlite.storage import Storage
from sunglare_server.transport.subjects import Trust
from sunglare_server.worker.rpc_server import RpcServer
from sunglare_server.worker.signed_claims import SignedClaims

SCENARIO = "shadow-of-ceres"
A, B = Side("A"), Side("B")

ANSWER_MS = 60_000
"""So long an answer is waited for by the clock of the test."""

STEP_MS = 10

WINDOW_MS = 300
"""By when the frames of a window have come that all have locked, where nothing harms them."""

Wanted = TypeVar("Wanted", bound=ServerMessage)


class _AtOnce(Random):
    """What a disk is made of that takes no time."""

    def uniform(self, a: float, b: float) -> float:  # noqa: ARG002 - of a disk
        return 0.0


@final
class Person:
    """Somebody at a line of a gateway, who says one thing after the other."""

    def __init__(self, yonder: "RemoteMatches", gate: "Gate", address: str | None) -> None:
        self.peer = Peer()
        self.gate = gate
        self.talk: RemoteSession = gate.service.receive(self.peer, address, address)
        self.ids = itertools.count(1)
        self._yonder = yonder
        yonder.people.append(self)

    async def ask(self, kind: Any, /, **fields: object) -> ServerMessage:
        """Say something and return its answer, for which the clock goes on if it must."""
        message = kind(**{"id": next(self.ids), **fields})
        start = len(self.peer.came)
        await self._yonder.until(lambda: self.talk.is_settled, "the line is free")
        if isinstance(message, Immediate):
            answer = self.talk.answer_now(message)
        else:
            work = asyncio.ensure_future(self.talk.answer(message))
            await self._yonder.until(work.done, f"an answer to {kind.__name__}")
            answer = work.result()
        if answer is not None:
            self.peer.say(answer)
        await self._yonder.until(
            lambda: self._answer(start, message.id) is not None or self.peer.farewell is not None,
            f"an answer to {kind.__name__}",
        )
        found = self._answer(start, message.id)
        assert found is not None, self.peer.farewell
        return found

    async def expect(self, wanted: type[Wanted], kind: Any, /, **fields: object) -> Wanted:
        """Do what `ask` does; the answer must be a `wanted`."""
        answer = await self.ask(kind, **fields)
        assert isinstance(answer, wanted), answer
        return answer

    async def accepted(self, kind: Any, /, **fields: object) -> None:
        """Do what `ask` does; the command must be accepted."""
        await self.expect(messages.Accepted, kind, **fields)

    async def greet(self, name: str | None = None, token: str | None = None) -> messages.Welcome:
        """Say hello."""
        hello: dict[str, object] = {"v": messages.PROTOCOL_VERSION, "name": name, "token": token}
        return await self.expect(messages.Welcome, messages.Hello, **hello)

    def hang_up(self) -> None:
        """End the line, as its peer wishes."""
        self.talk.end(deliberate=True)
        self.peer.dismiss(Bye(code=Code.SERVER_CLOSING, text=""), 1000)

    def _answer(self, start: int, command: int) -> ServerMessage | None:
        found = (decode_server(data, Form.PACKED) for data in self.peer.came[start:])
        return next((one for one in found if getattr(one, "id", None) == command), None)


@final
class Gate:
    """A gateway on the road."""

    def __init__(self, yonder: "RemoteMatches", name: str, trust: Trust) -> None:
        self.name = name
        self.carrier: MemoryTransport = yonder.road.carrier(name, is_steady=False)
        self.service = RemoteService(self.carrier, name, trust, yonder.clock, generation=1)
        self._yonder = yonder

    async def one(self, name: str | None = None, **fields: Any) -> Person:
        """Return somebody who has said hello."""
        person = Person(self._yonder, self, fields.pop("address", None))
        await person.greet(name, **fields)
        return person


@final
class RemoteMatches:
    """A worker called `w` with its lobby, its gateways, and the road between them."""

    def __init__(
        self,
        clock: FakeClock,
        road: MemoryNetwork,
        lobby: Lobby,
        store: Store,
        journal: MemoryJournal,
    ) -> None:
        self.clock = clock
        self.road = road
        self.lobby = lobby
        self.gates: list[Gate] = []
        self.people: list[Person] = []
        self._numbers = itertools.count(1_000)
        self.carrier = road.carrier("w")
        self.store = store
        self.journal = journal
        self.secrets = ProcessSecrets()
        self.seals = SignedClaims(self.secrets, store, clock, SeededEntropy(b"seals"))
        self.reception = RpcServer(lobby, clock, self.carrier, self.seals, "w", "w")

    async def gate(self, name: str, trust: Trust = Trust.PLAYERS) -> Gate:
        """Open another gateway."""
        gate = Gate(self, name, trust)
        self.gates.append(gate)
        await gate.service.open()
        await self.rest()
        return gate

    async def rest(self) -> None:
        """Let everybody do what can be done without time."""
        await settle(40)

    async def go_on(self, ms: int) -> None:
        """Let so much time go by; whoever is woken has done its work before it goes on."""
        end_ms = self.clock.now_ms() + ms
        await self.rest()
        while (due_ms := self.clock.next_due_ms()) is not None and due_ms <= end_ms:
            self.clock.advance(due_ms - self.clock.now_ms())
            await self.rest()
        self.clock.advance(end_ms - self.clock.now_ms())
        await self.rest()

    async def play(self, match: MatchId, windows: int = 4) -> None:
        """Let both seats lock no orders in so many windows, at the worker itself."""
        for _ in range(windows):
            for side in (A, B):
                self.command(match, side)
            await self.go_on(WINDOW_MS)

    async def until(self, holds: Callable[[], bool], what: str) -> None:
        """Let time go by until something holds; fail if it does not for long."""
        end_ms = self.clock.now_ms() + ANSWER_MS
        await self.rest()
        while not holds():
            assert self.clock.now_ms() < end_ms, f"in vain: {what}"
            due_ms = self.clock.next_due_ms()
            now_ms = self.clock.now_ms()
            self.clock.advance(STEP_MS if due_ms is None else min(STEP_MS, due_ms - now_ms))
            await self.rest()

    def tap(self, match: MatchId, feed: Audience) -> Tap:
        """Return what keeps all that a feed gives out from now on, in the worker's process."""
        tap = Tap()
        self.lobby.matches.subscriptions.watch(match, feed, tap, "tap")
        return tap

    async def room(self, host: Person, scenario: str = SCENARIO, **options: Any) -> MatchId:
        """Have a room opened."""
        wish = {"clock": "test", **options}
        made = await host.expect(
            messages.Created, messages.Create, scenario=scenario, options=wish
        )
        return made.match

    async def duel(self, *people: Person, **options: Any) -> MatchId:
        """Start a match of two."""
        match = await self.room(people[0], **options)
        for person, side in zip(people, (A, B), strict=True):
            await person.expect(messages.Seated, messages.Join, match=match, side=side)
        for person in people:
            await person.accepted(messages.Ready, match=match)
        await self.until(lambda: self.lobby.matches.handle(match) is not None, "a start")
        await self.until(lambda: self.newest(match, A) > 0, "the first frames")
        return match

    def newest(self, match: MatchId, side: Side) -> int:
        """Return the number of what was released last to a side."""
        handle = self.lobby.matches.handle(match)
        return 0 if handle is None else handle.newest(audience_of(side))

    def command(self, match: MatchId, side: Side) -> None:
        """Lock no orders for a side, at the worker itself, where nothing can come between."""
        runner = runners_of(self.lobby.matches)[match]
        if runner.state.is_over or side not in runner.state.standing.sides:
            return
        number = next(self._numbers)
        window = runner.state.standing.window
        given = OrdersGiven(window=window, rev=number, orders=(), lock=True)
        runner.command(Pending(side, number, given, lambda _: None))

    async def close(self) -> None:
        """End everything in the order of a real end."""
        self.reception.stop_answering()
        for gate in self.gates:
            await gate.service.close()
        stopping = asyncio.ensure_future(self.lobby.stop())
        await self.until(stopping.done, "the end of the lobby")
        stopping.result()
        closing = asyncio.ensure_future(self.reception.close())
        await self.until(closing.done, "the end of the reception")
        await self.rest()


async def _lobby(clock: FakeClock, library: Library, storage: Storage) -> Lobby:
    entropy, settings = SeededEntropy(b"yonder"), Settings(bots=())
    bots = HouseBots(Offer((), settings.bots_at_once, settings.bots_per_address, {}))
    accounts = Accounts(storage.store, entropy, ())
    await accounts.load()
    lobby = Lobby(
        library,
        storage.store,
        storage.journal,
        accounts,
        bots,
        clock,
        entropy,
        RoomLimits(ROOMY),
        Webhooks(storage.store, clock, None),
        storage.ratings,
    )
    await lobby.load()
    return lobby


@contextlib.asynccontextmanager
async def yonder(
    weather: Weather | None = None, library: Library | None = None
) -> AsyncIterator[RemoteMatches]:
    """Run a worker on a road with this weather, which begins fair."""
    clock, journal = FakeClock(1_000_000), MemoryJournal()
    road = MemoryNetwork(clock)
    storage = (await disk_storage(Disk(_AtOnce(0))))._replace(journal=journal)
    lobby = await _lobby(clock, library or shipped(), storage)
    made = RemoteMatches(clock, road, lobby, storage.store, journal)
    await made.reception.open()
    await made.reception.own_all()
    if weather is not None:
        road.weather = weather
    try:
        yield made
    finally:
        road.weather = Weather()
        await made.close()
