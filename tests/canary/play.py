"""Matches played over real sockets with ears at every outlet; see `ears`."""

import asyncio
import itertools
from random import Random
from typing import final

from builders.players import Player
from builders.questions import Asked, asked, unheld
from builders.randomplayer import random_orders
from builders.runners import runners_of
from builders.wires import Talker, dialled, met
from canary.ears import RANGE, UNUSUAL_FROM, Ear
from canary.grants import Grants
from canary.world import THE_LOG, World
from sunglare_protocol.codec import Form
from sunglare_protocol.ids import OMNI, PUBLIC, Handle, MatchId, Side, audience_of
from sunglare_protocol.messages import (
    Accepted,
    Ask,
    Chat,
    Create,
    Created,
    FetchRecord,
    GiveOrders,
    Info,
    Join,
    ListMatches,
    Mute,
    Question,
    Ready,
    Resume,
    Reveal,
    Seated,
    Watch,
)
from sunglare_protocol.orders import Fire
from sunglare_protocol.seals import pledge
from sunglare_protocol.views import View
from sunglare_rules.advice.check.check import check
from sunglare_server.match.data.scenario import Scenario
from sunglare_server.match.state import MatchState
from sunglare_server.ports.store import hash_of

QUESTIONS = 6
"""How many questions a seat asks in a window."""

HANDLES_AHEAD = 3
"""So many handles that an audience has not been given yet are watched for as well."""

EVERYBODY = "*"

LATE_TRUTH: dict[str, str | int] = {"truth_feed": "yes", "omni_delay_turns": 1, "omni_delay_s": 0}
"""The truth is watched as early as anybody may who does not see it at once."""


@final
class Game:
    """One match on a server, with an ear for each seat, its host's truth feed and the public."""

    def __init__(self, world: World, scenario: Scenario, *, private: bool) -> None:
        """Prepare a match; `open` begins it."""
        self.world = world
        self.scenario = scenario
        self.private = private
        self.grants = Grants(scenario.name, world.vault.words)
        self.players: dict[Side, Player] = {}
        self.ears: dict[str, Ear] = {}
        self.match = MatchId("")
        self._rng = Random(scenario.name)
        # Another question must not make another match.
        self._asking = Random(f"{scenario.name}/asking")
        self._ids = itertools.count()
        self._place = len(world.subscriptions)
        world.subscriptions.append(self.listen)

    def name(self, audience: str) -> str:
        """Return the name under which an audience of this match listens."""
        return f"{self.scenario.name} {audience}"

    @property
    def _members(self) -> tuple[str, ...]:
        return tuple(self.name(member) for member in (*self.scenario.sides, PUBLIC, OMNI))

    @property
    def _readers(self) -> tuple[str, ...]:
        """Return who may read the title of the room and the names of those in it."""
        return self._members if self.private else (EVERYBODY,)

    @property
    def state(self) -> MatchState:
        """Return the state of the match."""
        return runners_of(self.world.app.lobby.matches)[self.match].state

    async def open(self, **options: str | int) -> None:
        """Create the room, seat everybody with entropy of their own, and start."""
        host = await self._met(OMNI)
        code = await self._create(host, options)
        entropies = {side: self._rng.randbytes(24) for side in self.scenario.sides}
        for side, entropy in entropies.items():
            await self._join(side, entropy, code)
        await self._watch(PUBLIC, await self._met(PUBLIC))
        await self._watch(OMNI, host)
        await self.world.listen()
        for player in self.players.values():
            await player.talker.accepted(Ready, match=self.match)
        for side, player in self.players.items():
            await player.talker.accepted(Reveal, match=self.match, entropy=entropies[side].hex())
        for player in self.players.values():
            await player.frame()
        self.world.vault.keep("match seed", self.state.seed)
        first, last = self._ends
        await last.talker.accepted(Mute, match=self.match, side=first.side)
        await self.listen()

    async def _create(self, host: Talker, options: dict[str, str | int]) -> dict[str, str]:
        """Open the room and return by what it is joined."""
        vault = self.world.vault
        room = await host.expect(
            Created,
            Create,
            scenario=self.scenario.name,
            title=vault.say("title", *self._readers),
            private=self.private,
            options={"clock": "test", **LATE_TRUTH, **options},
        )
        self.match = room.match
        vault.keep("server seed", self.world.app.lobby.rooms[room.match].server_seed)
        if room.code is None:
            return {"match": room.match}
        vault.keep("code of a private room", room.code, *self._members)
        vault.keep("id of a private room", room.match, *self._members, THE_LOG)
        return {"code": room.code}

    async def _join(self, side: Side, entropy: bytes, code: dict[str, str]) -> None:
        """Seat a new account at a side with a pledge of this entropy."""
        talker = await self._met(side)
        pledged = pledge(entropy)
        taken = await talker.expect(Seated, Join, side=side, pledge=pledged, **code)
        self._sit(Player(talker, taken))
        self.world.vault.keep(f"entropy of {side}", entropy)
        # Pledges are told to everybody in the room; what was pledged is sealed until the end.
        self.world.vault.keep(f"pledge of {side}", pledged, *self._members)

    async def play(self, windows: int) -> None:
        """Play so many windows with random orders, and check everything after each."""
        for number in range(windows):
            if self.state.is_over:
                return
            if number % 4 == 3:
                await self._use_side_doors()
            for player in self._asked():
                await self._bother(player)
                await self._give(player, lock=False)
            if number % 5 == 4:
                await self._come_back(self._rng.choice(list(self.players)))
            await self.listen()
            await self._close()
            await self.world.listen()

    async def listen(self) -> None:
        """Take in what everybody has learned, and check what everybody was sent.

        After the end everything is open.
        """
        if self.match not in runners_of(self.world.app.lobby.matches) or self.state.is_over:
            return
        self.grants.learn(self.state)
        if self.state.standing.turn > 1:
            self.grants.show_truth()
        self.world.vault.handles.update(self._handles())
        await asyncio.gather(*[subscriber.listen() for subscriber in self.ears.values()])

    def _handles(self) -> dict[str, frozenset[bytes]]:
        return {
            self.name(audience): frozenset(
                self.state.dice.token(audience, number).encode()
                for number in range(intel.handles + HANDLES_AHEAD)
            )
            for audience, intel in self.state.intel.items()
        }

    def _asked(self) -> list[Player]:
        return [player for player in self.players.values() if player.is_asked]

    async def _close(self) -> None:
        """Lock the orders of all seats and wait for the frames of the next window."""
        window = self.state.standing.window
        for player in self._asked():
            await self._give(player, lock=True)
        for player in self.players.values():
            await player.frame(beside=window)

    async def _give(self, player: Player, *, lock: bool) -> None:
        view = player.newest.view
        assert isinstance(view, View)
        orders = random_orders(self._rng, view)
        if check(view, orders) is not None:
            orders = ()
        rev = self._number(player.side) + next(self._ids)
        answer = await player.orders(*orders, lock=lock, rev=rev)
        assert isinstance(answer, Accepted), answer

    async def _bother(self, player: Player) -> None:
        """Ask what may be asked, and what may not: about foreign words, handles and pieces."""
        view, talker = player.newest.view, player.talker
        assert isinstance(view, View)
        known = list(asked(view, self._asking))
        chosen = self._asking.sample(known, min(len(known), QUESTIONS))
        handles = self._foreign_handles(player)
        foreign = self._asking.choice([*self.world.vault.words.known, *handles])
        for question in (*chosen, Asked(Question.LOOK, foreign), Asked(Question.LEGAL)):
            await talker.ask(Ask, match=self.match, **question._asdict())
        for ship in view.own[:1]:
            weapon = ship.weapons[0].id if ship.weapons else "B1"
            wrong = Fire(ship=ship.id, weapon=weapon, at=handles[-1])
            window, rev = player.newest.window, self._number(player.side) + next(self._ids)
            await talker.ask(
                GiveOrders, match=self.match, window=window, rev=rev, orders=(wrong,), lock=False
            )

    def _foreign_handles(self, player: Player) -> tuple[Handle, ...]:
        return unheld(self.state, audience_of(player.side))

    async def _use_side_doors(self) -> None:
        """Chat, fetch own frames, read the lists; then the same as people without a seat."""
        first, last = self._ends
        for player in self.players.values():
            deaf = self.name(last.side) if player is first else ""
            heard_by = [member for member in self._members if member != deaf]
            word = self.world.vault.say("chat", *heard_by)
            await player.talker.accepted(Chat, match=self.match, text=f"I say {word}")
            await player.talker.record(self.match)
            await player.talker.ask(ListMatches)
            await player.talker.ask(Info, match=self.match)
            await player.talker.ask(Watch, match=self.match, feed=OMNI)
        async with dialled(self.world.app.url) as silent:
            subscriber = Ear("somebody who never said hello", self.world.vault, silent)
            for talker in (*self._without_seats, silent):
                await self._try_doors(talker)
            await subscriber.listen()

    async def _try_doors(self, talker: Talker) -> None:
        """Ask for everything that is not for somebody without a seat, and for what is."""
        await talker.ask(ListMatches)
        if talker in self._without_seats[1:] or not self.private:
            await talker.ask(Info, match=self.match)
        for kind, fields in (
            (FetchRecord, {}),
            (Resume, {"ticket": "x" * 43}),
            (Ask, {"kind": Question.LEGAL}),
            (GiveOrders, {"window": self.state.standing.window, "rev": 1}),
            (Watch, {"feed": "A"}),
        ):
            await talker.ask(kind, match=self.match, **fields)

    @property
    def _without_seats(self) -> list[Talker]:
        """Return the stranger, and those who follow the truth and the public feed."""
        ears = (self.world.stranger, self.ears[OMNI], self.ears[PUBLIC])
        return [subscriber.talker for subscriber in ears if subscriber.talker is not None]

    @property
    def _ends(self) -> tuple[Player, Player]:
        """Return the first player and the last, who will not hear the first one's chat."""
        players = list(self.players.values())
        return players[0], players[-1]

    async def _come_back(self, side: Side) -> None:
        """Take a seat again, its line cut or not, now and then from the very beginning."""
        before, subscriber = self.players[side], self.ears[side]
        if self._rng.random() < 0.5:
            await subscriber.listen()
            await before.talker.cut()
        have = self._rng.choice([0, before.seen, before.seen + 1])
        talker = await self._met(side, token=before.talker.token)
        back = await before.resume(talker, have=have)
        await back.frame()
        self._sit(back)
        await before.talker.wait_closed()
        subscriber.take_in()

    def _sit(self, player: Player) -> None:
        self.players[player.side] = player
        self.world.vault.keep(f"ticket of {player.side}", player.ticket, self.name(player.side))
        self.world.vault.keep(f"hash of the ticket of {player.side}", hash_of(player.ticket))

    async def _watch(self, feed: str, talker: Talker) -> None:
        await talker.ask(Watch, match=self.match, feed=feed)

    def _number(self, audience: str) -> int:
        """Return where the unusual numbers of an audience begin."""
        place = [*self.scenario.sides, PUBLIC, OMNI].index(Side(audience))
        return UNUSUAL_FROM + RANGE * (10 * self._place + place)

    async def _met(self, audience: str, token: str | None = None) -> Talker:
        """Return a new connection of somebody, with an ear; A's is compact, B's speaks JSON."""
        vault, name = self.world.vault, self.name(audience)
        form = {"A": Form.COMPACT, "B": Form.JSON}.get(audience, Form.PACKED)
        wanted = None if token is not None else vault.say("player", *self._readers)
        talker = await self.world.stack.enter_async_context(
            met(self.world.app.url, wanted, token=token, form=form)
        )
        number = self._number(audience)
        talker.ids = itertools.count(number)
        self.ears[audience] = Ear(
            name, vault, talker, self.grants, audience, numbers=number // RANGE
        )
        vault.keep(f"token of {name}", talker.token, name)
        vault.keep(f"hash of the token of {name}", hash_of(talker.token))
        return talker


async def add_game(
    world: World, scenario: Scenario, *, private: bool, **options: str | int
) -> Game:
    """Open a match on the server."""
    game = Game(world, scenario, private=private)
    await game.open(**options)
    return game
