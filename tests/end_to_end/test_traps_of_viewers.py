"""Who must never see what, over real sockets: strangers, spectators, seats, old connections."""

import asyncio
import contextlib
import itertools
from collections.abc import AsyncIterator
from typing import final

import pytest
from websockets.client import ClientProtocol
from websockets.frames import Frame as Fragment
from websockets.frames import Opcode
from websockets.typing import Subprotocol
from websockets.uri import parse_uri

from builders.players import Player, all_ready, created, play_on, seated, started
from builders.venues import Venue
from builders.watchers import OPEN, watch
from builders.wires import WAIT_S, Talker, plain_line
from sunglare_protocol.codec import Form, encode_client
from sunglare_protocol.ids import OMNI, PUBLIC, MatchId, Side, audience_of
from sunglare_protocol.messages import (
    Ask,
    Chat,
    ClientMessage,
    FetchRecord,
    Forget,
    Frame,
    GiveOrders,
    Hello,
    Join,
    Leave,
    News,
    OfferDraw,
    Pong,
    Question,
    Ready,
    Refused,
    Resign,
    Resume,
    Resumed,
    Seated,
    Watch,
)
from sunglare_protocol.refusals import Code
from sunglare_protocol.views import TruthView, View

NORMAL = 1000


@final
class Stubborn:
    """A connection that goes on talking whatever the server says, its close included."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Speak over a connection whose handshake is done."""
        self._reader = reader
        self._writer = writer

    def say(self, message: ClientMessage) -> None:
        """Send a message."""
        data = encode_client(message, Form.PACKED)
        self._writer.write(Fragment(Opcode.BINARY, data).serialize(mask=True))

    async def hears(self, word: bytes) -> None:
        """Read until this word comes."""
        async with asyncio.timeout(WAIT_S):
            await self._reader.readuntil(word)


@contextlib.asynccontextmanager
async def stubborn(url: str) -> AsyncIterator[Stubborn]:
    """Open a connection that does not heed the close of the server, and say hello."""
    protocol = ClientProtocol(parse_uri(url), subprotocols=[Subprotocol(Form.PACKED.value)])
    protocol.send_request(protocol.connect())
    async with plain_line(url, b"".join(protocol.data_to_send())) as line:
        talker = Stubborn(*line)
        await talker.hears(b"\r\n\r\n")
        talker.say(Hello(id=1, v=1))
        await talker.hears(b"welcome")
        yield talker


def truths(talker: Talker, start: int = 0) -> list[TruthView]:
    """Return the truth that came since message number `start`."""
    frames = talker.every(Frame, start)
    return [frame.view for frame in frames if isinstance(frame.view, TruthView)]


async def taken(talker: Talker, player: Player) -> Player:
    """Take the seat of `player` with its ticket, as another account, over another connection."""
    wish = {"match": player.match, "ticket": player.ticket, "have": 0}
    resumed = await talker.expect(Resumed, Resume, **wish)
    talker.ids = itertools.count(resumed.last_id + 1000)
    return Player(talker, resumed, player.posts)


async def test_whoever_takes_a_seat_by_its_ticket_never_goes_on_seeing_the_truth(
    venue: Venue,
) -> None:
    anna, boris, spy = await venue.some(3)
    players = await started([anna, boris], options=OPEN)
    await watch(spy, players[0].match, OMNI)
    await spy.came(Frame)
    assert len(truths(spy)) == 1
    back = await taken(spy, players[0])
    await play_on([back, players[1]], 3)
    assert len(truths(spy)) == 1


@pytest.mark.parametrize("device", ["same connection", "another connection"])
async def test_whoever_holds_a_seat_by_its_ticket_never_gets_to_watch_the_truth(
    venue: Venue, device: str
) -> None:
    anna, boris, spy = await venue.some(3)
    twin = await venue.one(token=spy.token)
    players = await started([anna, boris], options=OPEN)
    await taken(spy, players[0])
    watcher = spy if device == "same connection" else twin
    told = await watcher.fault(Watch, match=players[0].match, feed=OMNI)
    assert told == (Code.FEED_CLOSED, "$.feed")


async def test_a_connection_whose_seat_another_has_taken_never_speaks_for_it_again(
    venue: Venue,
) -> None:
    boris, later = await venue.some(2)
    async with stubborn(venue.app.url) as old:
        match = await created(boris)
        right = await seated(boris, match, "B")
        old.say(Join(id=2, match=match, side=Side("A")))
        await old.hears(b"seated")
        old.say(Ready(id=3, match=match))
        await all_ready([right])
        ticket = await venue.app.lobby.tickets.issue(match, right.newest.view.stage.sides[0])
        back = await later.expect(Resumed, Resume, match=match, ticket=ticket, have=0)
        assert back.side == "A"
        await old.hears(b"seat/taken")
        for message in (
            Chat(id=50, match=match, text="from the grave"),
            OfferDraw(id=51, match=match),
            Resign(id=52, match=match),
        ):
            old.say(message)
        left = Player(later, back)
        await left.frame()
        await play_on([left, right], 2)
        heard = [post for post in (*left.posts, *right.posts) if isinstance(post, News)]
    assert heard == []


async def test_a_socket_without_hello_or_seat_is_never_sent_a_byte_of_a_match(
    venue: Venue,
) -> None:
    anna, boris = await venue.some(2)
    silent = await venue.unknown()
    stranger, claimant = await venue.some(2)
    players = await started([anna, boris])
    match, before = players[0].match, len(stranger.raw)
    # While the claim of a seat is dealt with and refused, the others are sent frames.
    claims = [Resume(id=100 + n, match=match, ticket=f"{n:043d}", have=0) for n in range(20)]
    playing = asyncio.create_task(play_on(players, 6))
    for claim in claims:
        await claimant.send(claim)
    await playing
    await claimant.ping()
    for claim in claims:
        answers = [m for m in claimant.messages if getattr(m, "id", 0) == claim.id]
        assert [type(answer) for answer in answers] == [Refused]
    await silent.ping()
    await stranger.ping()
    assert [type(message) for message in silent.messages] == [Pong]
    assert len(stranger.raw) == before + 1
    assert claimant.posts(match) == []


async def test_no_receiver_is_ever_sent_the_view_of_another(venue: Venue) -> None:
    host, public, omni, *talkers = await venue.some(7)
    match = await created(host, scenario="four-corners", options=OPEN)
    players = [await seated(talker, match) for talker in talkers]
    await watch(public, match, PUBLIC)
    await watch(omni, match, OMNI)
    await all_ready(players)
    await play_on(players, 8)
    receivers = {audience_of(player.side): player.talker for player in players} | {PUBLIC: public}
    for audience, talker in receivers.items():
        shown = talker.every(Frame)
        await talker.ping()
        assert len(shown) >= 8
        for frame in shown:
            assert isinstance(frame.view, View)
            assert frame.view.audience == audience
    await omni.wait_for(lambda message: isinstance(message, Frame) and message.seq >= 8)
    assert len(truths(omni)) >= 8


PROBES: dict[str, tuple[type[ClientMessage], dict[str, object], Code]] = {
    "orders": (GiveOrders, {"window": "1.plot", "rev": 9}, Code.SEAT_NONE),
    "ask": (Ask, {"kind": Question.LOOK}, Code.SEAT_NONE),
    "resign": (Resign, {}, Code.SEAT_NONE),
    "chat": (Chat, {"text": "hello"}, Code.SEAT_NONE),
    "draw": (OfferDraw, {}, Code.SEAT_NONE),
    "record": (FetchRecord, {}, Code.RECORD_SEALED),
    "own feed of A": (Watch, {"feed": "A"}, Code.FEED_CLOSED),
    "own feed of B": (Watch, {"feed": "B"}, Code.FEED_CLOSED),
    "the truth": (Watch, {"feed": OMNI}, Code.FEED_CLOSED),
    "join": (Join, {}, Code.MATCH_STARTED),
    "leave": (Leave, {}, Code.MATCH_STARTED),
    "resume": (Resume, {"ticket": "A"}, Code.TICKET_BAD),
}


async def test_a_stranger_never_gets_at_a_seat_of_a_running_match(venue: Venue) -> None:
    anna, boris = await venue.some(2)
    players = await started([anna, boris])
    for what, (kind, fields, code) in PROBES.items():
        stranger = await venue.one()
        start = len(stranger.raw)
        assert await stranger.code(kind, match=players[0].match, **fields) is code, what
        await play_on(players, 2)
        await stranger.ping()
        assert len(stranger.raw) == start + 2, what


async def test_a_seat_is_never_taken_twice_however_many_come_at_once(venue: Venue) -> None:
    host, *talkers = await venue.some(9)
    match = await created(host)
    answers = await asyncio.gather(*(talker.ask(Join, match=match) for talker in talkers))
    sides = [answer.side for answer in answers if isinstance(answer, Seated)]
    codes = [answer.code for answer in answers if isinstance(answer, Refused)]
    assert sorted(sides) == ["A", "B"]
    assert codes == [Code.SEAT_TAKEN] * 6


async def test_a_name_never_opens_a_seat(venue: Venue) -> None:
    left, right = await venue.duel(names=("anna", "boris"))
    await play_on([left, right], 2)
    await left.talker.accepted(Forget)
    other = await venue.one("anna")
    assert await other.code(FetchRecord, match=left.match) is Code.RECORD_SEALED
    assert await other.code(Ask, match=left.match, kind=Question.LOOK) is Code.SEAT_NONE
    assert other.posts(left.match) == []


async def test_nothing_of_a_match_ever_comes_before_the_answer_to_resume(venue: Venue) -> None:
    anna, boris, later = await venue.some(3)
    left, right = await started([anna, boris])
    have = left.seen
    await right.chat(3)
    saying = asyncio.create_task(right.chat(20))
    back = await left.resume(later, have=have)
    await saying
    await back.caught_up(right.seen)
    first = [type(message).__name__ for message in later.messages[:2]]
    numbers = [post.seq for post in later.posts(MatchId(left.match))]
    assert first == ["Welcome", "Resumed"]
    assert numbers == list(range(have + 1, right.seen + 1))


async def test_whoever_is_forgotten_never_goes_on_over_another_connection(venue: Venue) -> None:
    anna, boris = await venue.some(2)
    thief = await venue.one(token=anna.token)
    watcher = await venue.one(token=anna.token)
    left, right = await started([anna, boris])
    await watch(watcher, left.match, PUBLIC)
    assert await thief.record(left.match) != b""
    await anna.accepted(Forget)
    for talker in (anna, thief, watcher):
        assert await talker.wait_closed() == NORMAL
        assert talker.farewell is Code.HELLO_TOKEN
    heard = len(watcher.raw)
    await right.chat(1)
    assert len(watcher.raw) == heard


async def test_whoever_has_resigned_never_sees_more_than_before(venue: Venue) -> None:
    players = await venue.four(options=OPEN)
    await play_on(players, 3)
    gone, *left = players
    await gone.resign()
    for device in (gone.talker, await venue.one(token=gone.talker.token)):
        assert await device.code(Watch, match=gone.match, feed=OMNI) is Code.FEED_CLOSED
    start = len(gone.talker.messages)
    await play_on_without(gone, left, 5)
    await gone.talker.ping()
    shown = [frame.view for frame in gone.talker.every(Frame, start)]
    assert len(shown) >= 5
    assert {view.audience for view in shown if isinstance(view, View)} == {audience_of(gone.side)}
    assert not [view for view in shown if isinstance(view, TruthView)]


async def play_on_without(gone: Player, left: list[Player], windows: int) -> None:
    """Let so many windows go by that wait for those who are left alone."""
    for _ in range(windows):
        window = left[0].newest.window
        for player in left:
            await player.reached(window)
        for player in [one for one in left if one.is_asked]:
            await player.orders()
        for player in (*left, gone):
            await player.frame(beside=window)
