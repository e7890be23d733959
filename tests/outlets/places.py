"""A server with one match at each stage of the outlet matrix, and everybody who listens to it.

Its clock stands still, so that no window closes by itself.
"""

import contextlib
from collections.abc import AsyncIterator
from pathlib import Path
from random import Random
from typing import final

from builders.fakeclock import FakeClock
from builders.fakeserver import until
from builders.openlimits import OPEN
from builders.players import Player, all_ready, seated
from builders.randomplayer import random_orders
from builders.runners import runners_of
from builders.scenarios import scenarios
from builders.wires import Talker, met
from canary.words import Words, write_folder
from outlets.matrix import STAGES
from outlets.past import PLAYED_ON, SWAPPED
from sunglare_protocol.codec import Form, decode_server, encode_server
from sunglare_protocol.ids import OMNI, PUBLIC, Audience, MatchId, Side
from sunglare_protocol.messages import (
    Create,
    Created,
    Frame,
    From,
    Join,
    Origin,
    Resign,
    Seated,
    Watch,
)
from sunglare_protocol.seals import pledge
from sunglare_protocol.views import View
from sunglare_protocol.words.ladder import Phase
from sunglare_rules.advice.check.check import check
from sunglare_server.accounts.accounts import Caller
from sunglare_server.app import App
from sunglare_server.config import Settings
from sunglare_server.match import frames
from sunglare_server.match.data.scenario import Scenario
from sunglare_server.match.fog import view as fog
from sunglare_server.match.record import Past, chain, unpacked
from sunglare_server.match.state import MatchState
from sunglare_server.match.step import step
from sunglare_server.ports.rooms import Room, RoomSeat
from sunglare_server.rooms.quotas import Opener
from sunglare_server.runtime.runner import Runner

SCENARIO = "parade"
SIDES = {"A": Side("A"), "B": Side("B"), "out": Side("C")}
"""The sides of the seats by what the matrix calls them."""

OPTIONS: dict[str, str | int] = {
    "clock": "test",
    "truth_feed": "yes",
    "omni_delay_turns": 1,
    "omni_delay_s": 0,
}

_TURN = 2
_PHASES = {
    "scan": Phase.SCAN,
    "detect": Phase.DETECT,
    "engage": Phase.ENGAGE,
    "dropped": Phase.DETECT,
    "resumed": Phase.DETECT,
}


@final
class Place:
    """A match at a stage: its seats, the connections of everybody, and what should be sent.

    `names` are the people's names by audience, `tokens` theirs; A has no seat where it dropped.
    `said_after_end` is the chat of a match that is over, which all who come hear.
    """

    def __init__(self, app: App, stage: str, stack: contextlib.AsyncExitStack) -> None:
        """Prepare a match on `app`."""
        self.app = app
        self.url = app.url
        self.stage = stage
        self.match = MatchId("")
        self.code: str | None = None
        self.origin: Origin | None = None
        self.past: Past | None = None
        self.players: dict[str, Player] = {}
        self.talkers: dict[str, Talker] = {}
        self.names: dict[str, str] = {}
        self.tokens: dict[str, str] = {}
        self.said_after_end: list[str] = []
        self._stack = stack
        self._rng = Random(stage)
        self._folded: MatchState | None = None
        self._count = 0
        self._last = b""
        self._over: Room | None = None
        self._sent: dict[Audience, dict[int, bytes]] = {}

    @property
    def room(self) -> Room:
        """Return the room of the match."""
        return self._over or self.app.lobby.rooms[self.match]

    @property
    def runner(self) -> Runner:
        """Return the runner of the match, which must have started."""
        return runners_of(self.app.lobby.matches)[self.match]

    @property
    def has_started(self) -> bool:
        """Return whether the match has started."""
        return self.match in runners_of(self.app.lobby.matches)

    @property
    def state(self) -> MatchState:
        """Return the state of the match."""
        return self.runner.state

    @property
    def scenario(self) -> Scenario:
        """Return the scenario of the match."""
        return self.app.lobby.matches.library.scenarios[SCENARIO]

    def view(self, audience: str) -> View:
        """Return what an audience sees, made from its intel alone."""
        known = self.state.intel[as_heard(audience)]
        return fog.view(known, self.state.standing, self.state.board)

    def frame(self, audience: str, seq: int) -> bytes:
        """Return the frame that shows an audience the present, under this number."""
        made = frames.frame(self.match, self.state, as_heard(audience), seq)
        return encode_server(made, Form.PACKED)

    async def sent(self, audience: str) -> dict[int, bytes]:
        """Return what the stored records come to for an audience, by number."""
        for blob in (await self.runner.archiving.records())[self._count :]:
            stepped = step(self._folded, unpacked(blob, self._count + 1, self._last))
            self._folded, self._last, self._count = stepped.state, blob, self._count + 1
            for viewer in stepped.state.intel:
                lines = self._sent.setdefault(viewer, {})
                for message in frames.posted(self.match, stepped, viewer, chain(blob).hex()):
                    lines[message.seq] = encode_server(message, Form.PACKED)
        return self._sent[as_heard(audience)]

    async def shown(self, audience: str) -> View:
        """Return what the last frame sent to an audience shows."""
        sent = [decode_server(data, Form.PACKED) for data in (await self.sent(audience)).values()]
        view = [message for message in sent if isinstance(message, Frame)][-1].view
        assert isinstance(view, View)
        return view

    async def met(self, audience: str) -> Talker:
        """Return one more connection of an audience's account, or a first one."""
        talker = await self._stack.enter_async_context(
            met(self.url, None, token=self.tokens.get(audience))
        )
        self.tokens[audience] = talker.token
        assert talker.welcome is not None
        self.names[audience] = talker.welcome.name
        return talker

    async def open(self) -> None:
        """Create the room, seat and place everybody, and go on to the stage."""
        for audience in ("nobody", "bot", "public", "omni", *SIDES):
            self.talkers[audience] = await self.met(audience)
        await seat_bot(self.app, self.tokens["bot"])
        if self.stage in PLAYED_ON:
            self.origin = await self._play_before()
        await self._create()
        for audience, feed in (("public", PUBLIC), ("omni", OMNI)):
            talker = self.talkers[audience]
            await talker.ask(Watch, match=self.match, feed=feed, code=self.code)
        if self.stage == "joining":
            await self._join()
            return
        for audience in ("A", "B"):
            talker = self.talkers[audience]
            self.players[audience] = await seated(talker, self.match, audience, self.code)
        if self.stage not in ("lobby", "private", "past"):
            await self._go_on()

    async def _create(self) -> None:
        origin = self.origin
        room = await self.talkers["omni"].expect(
            Created,
            Create,
            scenario=SCENARIO if origin is None else "",
            origin=None if origin is None else From(match=origin.match, turn=origin.turn),
            private=self.stage == "private",
            options=OPTIONS,
        )
        self.match, self.code = room.match, room.code
        self.past = self.room.past

    async def _play_before(self) -> Origin:
        """Play a match over other connections, and return where this one goes on."""
        before = Place(self.app, "ended", self._stack)
        before.tokens = {
            audience: self.tokens[SWAPPED.get(audience, audience)] for audience in self.tokens
        }
        for audience in ("omni", *SIDES):
            before.talkers[audience] = await before.met(audience)
        await before._create()
        for audience in ("A", "B"):
            before.players[audience] = await seated(
                before.talkers[audience], before.match, audience
            )
        await before._go_on()
        return Origin(match=before.match, turn=_TURN + 1)

    async def seat_again(self, audience: str, talker: Talker, player: Player) -> None:
        """Put a seat that was taken again in the place of what it was; drop it where it was so."""
        self.players[audience], self.talkers[audience] = player, talker
        if self.stage == "dropped" and audience == "A":
            await self.drop()

    async def drop(self) -> None:
        """Cut A off and let the account come back without the seat."""
        await self.players["A"].talker.cut()
        self.talkers["A"] = await self.met("A")

    async def _join(self) -> None:
        for audience, side in SIDES.items():
            talker = self.talkers[audience]
            pledged = pledge(audience.encode() * 8)
            taken = await talker.expect(Seated, Join, match=self.match, side=side, pledge=pledged)
            self.players[audience] = Player(talker, taken)

    async def _go_on(self) -> None:
        """Start, let C resign, and play to the window of the stage in the second turn."""
        self.players["out"] = await seated(self.talkers["out"], self.match, SIDES["out"])
        await all_ready(self.players.values())
        await self.talkers["out"].accepted(Resign, match=self.match)
        wanted = _PHASES.get(self.stage, Phase.PLOT)
        # The truth is a turn and a movement late: before the movement it takes one turn more.
        turn = _TURN + (wanted is Phase.PLOT)
        while self.state.standing.turn < turn or not self._is_at(wanted):
            await self._play_window()
        if self.stage == "ended":
            await self._end()
            return
        for audience in ("A", "B"):
            if self.players[audience].is_asked:
                await self._give(audience, lock=False)
        if self.stage in ("dropped", "resumed"):
            await self._cut_off()

    async def _end(self) -> None:
        await self.talkers["B"].accepted(Resign, match=self.match)
        for player in self.players.values():
            await player.over()
        # The room notes the end a little after its last line is told.
        await until(lambda: self.match not in self.app.lobby.rooms)
        found = await self.app.lobby.registry.find(self.match)
        assert isinstance(found, Room)
        self._over = found

    async def _cut_off(self) -> None:
        """Drop A, who comes back to the seat with nothing kept where it has `resumed`."""
        await self.drop()
        if self.stage == "resumed":
            talker = self.talkers["A"]
            await self.seat_again("A", talker, await self.players["A"].resume(talker, have=0))
            await self.players["A"].caught_up(self.state.seqs[Audience("A")])

    def _is_at(self, phase: Phase) -> bool:
        standing = self.state.standing
        return standing.phase is phase and standing.slot_side in (None, SIDES["A"])

    async def _play_window(self) -> None:
        window = self.state.standing.window
        for audience in ("A", "B"):
            await self.players[audience].reached(window)
        for audience in ("A", "B"):
            if self.players[audience].is_asked:
                await self._give(audience, lock=True)
        for player in self.players.values():
            await player.frame(beside=window)

    async def _give(self, audience: str, *, lock: bool) -> None:
        player = self.players[audience]
        view = player.newest.view
        assert isinstance(view, View)
        orders = random_orders(self._rng, view)
        allowed = orders if check(view, orders) is None else ()
        await player.orders(*allowed, lock=lock)


async def seat_bot(app: App, token: str, scenario: str = SCENARIO) -> None:
    """Keep a seat of another, private match for an account, as that of a house bot."""
    caller = await app.lobby.accounts.hello(token, None)
    assert isinstance(caller, Caller)
    opener = Opener("somebody")
    room = await app.lobby.create(opener, scenario, {"clock": "test"}, "", private=True)
    assert isinstance(room, Room)
    seat = RoomSeat(side=SIDES["A"], account=caller.account, bot="random")
    await app.lobby.registry.keep(room.with_seat(seat))


def as_heard(audience: str) -> Audience:
    """Return the audience of the server whose view one of the matrix gets."""
    return Audience(SIDES.get(audience, audience))


@contextlib.asynccontextmanager
async def places(
    folder: Path, stages: tuple[str, ...] = STAGES
) -> AsyncIterator[dict[str, Place]]:
    """Run a server with a match at each stage; the names of everything in them are words."""
    scenario = scenarios()[SCENARIO]
    write_folder(folder / "data", (scenario,), Words("outlets"))
    settings = Settings(
        port=0, journal=folder / "journal.db", data=folder / "data", bots=(), **OPEN
    )
    app = App(settings, FakeClock(1_000_000))
    await app.start()
    try:
        async with contextlib.AsyncExitStack() as stack:
            made = {stage: Place(app, stage, stack) for stage in stages}
            for place in made.values():
                await place.open()
            yield made
    finally:
        await app.stop()
