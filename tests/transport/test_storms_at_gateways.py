"""People come, go, grant and take back while the road loses things, and nobody holds too much."""

from collections.abc import Awaitable

from hypothesis import given
from hypothesis import strategies as st

from builders.memorytransport import Harm, Weather
from builders.remotematches import A, B, Gate, Person, RemoteMatches, yonder
from sunglare_protocol import messages
from sunglare_protocol.ids import PUBLIC, MatchId, audience_of
from sunglare_server.gateway.remote.rpc_client import FaultError

OF_A = audience_of(A)

CALM_MS = 40_000
"""By when a road is calm again and every line is back."""

SEATS = ("ann", "bob")

DEEDS = ("play", "cut", "revoke", "grant", "watch", "public", "resume", "hang up", "info", "chat")


class Storm:
    """A match at two gateways, whose people do one thing after the other."""

    def __init__(self, y: RemoteMatches) -> None:
        self.y = y
        self.match = MatchId("")
        self.people: dict[str, Person] = {}
        self.tokens: dict[str, str] = {}
        self.gates: list[Gate] = []

    async def begin(self) -> None:
        """Start a match of ann and bob, whom eve and zoe may watch."""
        self.gates = [await self.y.gate("near"), await self.y.gate("far")]
        for number, name in enumerate((*SEATS, "eve", "zoe")):
            person = self.people[name] = await self.gates[number % 2].one(name)
            welcome = await_welcome(person)
            self.tokens[name] = welcome.token
        self.match = await self.y.duel(self.people["ann"], self.people["bob"])

    async def do(self, deed: str, who: str, gate: int) -> None:
        """Have somebody do something, which may be refused or find nobody who answers."""
        person = self.people[who]
        match deed:
            case "play":
                await self.y.play(self.match, 1)
            case "cut":
                self.gates[gate].carrier.cut()
                await self.y.go_on(300)
                self.gates[gate].carrier.mend()
            case "revoke" | "grant":
                kind = messages.RevokeFeed if deed == "revoke" else messages.GrantFeed
                await self._tried(
                    self.people["ann"].ask(kind, match=self.match, name="eve", feed=OF_A)
                )
            case "watch" | "public" if who not in SEATS:
                feed = OF_A if deed == "watch" else PUBLIC
                await self._tried(person.ask(messages.Watch, match=self.match, feed=feed))
            case "resume":
                await self._again(who, gate)
            case "hang up":
                person.hang_up()
                await self._again(who, gate)
            case "chat":
                await self._tried(person.ask(messages.Chat, match=self.match, text="well"))
            case _:
                await self._tried(person.ask(messages.Info, match=self.match))

    async def _again(self, who: str, gate: int) -> None:
        """Have somebody come over another line and take up what was theirs."""
        fresh = Person(self.y, self.gates[gate], None)
        hello = {"v": messages.PROTOCOL_VERSION, "token": self.tokens[who], "name": None}
        if not isinstance(await self._tried(fresh.ask(messages.Hello, **hello)), messages.Welcome):
            return
        self.people[who] = fresh
        if who in SEATS:
            await self._tried(fresh.ask(messages.Resume, match=self.match))

    async def _tried(self, asked: Awaitable[messages.ServerMessage]) -> object:
        """Return the answer; None for a line that ends meanwhile."""
        try:
            return await asked
        except (AssertionError, FaultError):
            return None

    def check(self) -> None:
        """Check that no line of a gateway holds anything that it does not hold at the worker."""
        for person in self._lines():
            context, now_ms = person.talk.context, self.y.clock.now_ms()
            there = set(self.y.reception.sessions.of(context, now_ms).local_session.holdings)
            here = {(match, feed, one.is_seat) for (match, feed), one in person.talk.holds.items()}
            # Of what was done and whose answer was lost the worker alone knows.
            assert here <= there
        seated = [line for line in self._lines() if line.peer.is_seated]
        assert len(seated) <= len(SEATS)

    def _lines(self) -> list[Person]:
        return [one for one in self.y.people if one.peer.farewell is None]

    async def check_frames(self) -> None:
        """Check that the next frames come to those who hold their feed, and to nobody else."""
        feeds = (OF_A, audience_of(B), PUBLIC)
        taps = {feed: self.y.tap(self.match, feed) for feed in feeds}
        lines = self._lines()
        before = [len(line.peer.posts(self.match)) for line in lines]
        await self.y.play(self.match, 2)
        for line, start in zip(lines, before, strict=True):
            held = [feed for _, feed in line.talk.holds]
            shown = taps[held[0]].posts(self.match) if held else []
            posts = line.peer.posts(self.match)
            assert len(held) <= 1
            assert posts[len(posts) - len(shown) :] == shown
            # A post that was lost behind all others comes with the next.
            assert held or len(posts) == start


def await_welcome(person: Person) -> messages.Welcome:
    """Return how somebody was welcomed."""
    return next(one for one in person.peer.messages if isinstance(one, messages.Welcome))


ACTS = st.lists(
    st.tuples(st.sampled_from(DEEDS), st.sampled_from((*SEATS, "eve", "zoe")), st.integers(0, 1)),
    min_size=1,
    max_size=12,
)


HARMS = (Harm.NONE, Harm.NONE, Harm.LOST, Harm.UNANSWERED, Harm.CUT)
"""No request is so late that it comes behind those of a newer connection of its gateway."""


@given(acts=ACTS, harms=st.lists(st.sampled_from(HARMS), max_size=60))
async def test_after_any_storm_no_line_holds_more_than_its_rights_and_all_of_that_comes(
    acts: list[tuple[str, str, int]], harms: list[Harm]
) -> None:
    async with yonder() as y:
        storm = Storm(y)
        await storm.begin()
        y.road.weather = Weather(harms)
        for act in acts:
            await storm.do(*act)
        y.road.weather = Weather()
        await y.go_on(CALM_MS)
        storm.check()
        await storm.check_frames()
