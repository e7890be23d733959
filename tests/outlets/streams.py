"""What comes to whom by itself or on coming back: checks of the outlet matrix."""

import io
import itertools
from collections.abc import Awaitable, Callable
from typing import Any

import msgpack  # type: ignore[import-untyped]
from msgspec.structs import replace

from builders.players import Player
from builders.records import read_record
from builders.wires import Talker
from outlets.matrix import Gives
from outlets.places import SCENARIO, SIDES, as_heard
from outlets.visit import Visit
from sunglare_protocol.codec import Form, encode_server
from sunglare_protocol.ids import Audience, MatchId, content_of
from sunglare_protocol.messages import (
    Accepted,
    Bye,
    Frame,
    News,
    Over,
    Ping,
    Pong,
    Refused,
    Resumed,
    ServerMessage,
    Watching,
    commands,
)
from sunglare_protocol.refusals import Code
from sunglare_server.ports.cards import class_cards

SUPERSEDED = 4001
NOWHERE = MatchId("z" * 26)
BAD_TICKET = "x" * 43


async def check_stream(visit: Visit) -> None:
    """Check the frames that came by themselves since the connection was made."""
    async with visit.talking() as talker:
        came = list(talker.messages)
    shown = [message for message in came if isinstance(message, Frame)]
    if visit.gives is Gives.EMPTY:
        assert not shown
        return
    await visit.check_frames(came)
    assert [frame.seq for frame in shown] == sorted({frame.seq for frame in shown})


async def check_end(visit: Visit) -> None:
    """Check that the end came if it may, alike for everybody."""
    async with visit.talking() as talker:
        came = [message for message in talker.messages if isinstance(message, Over)]
    ends = {encode_server(over, Form.PACKED) for over in came}
    if visit.gives is Gives.EMPTY:
        assert not ends
        return
    sent = (await visit.place.sent(visit.audience)).values()
    assert ends == set(list(sent)[-1:])


async def check_news(visit: Visit) -> None:
    """Let B speak, or be ready before the start, and check who hears of it."""
    place = visit.place
    speaker, text = place.players["B"].talker, f"to {visit.audience}"
    async with visit.talking() as talker:
        start = len(talker.messages)
        if place.has_started:
            await speaker.ask(commands.Chat, match=place.match, text=text)
            place.said_after_end += [text] if place.state.is_over else []
        else:
            text = "ready"
            await speaker.accepted(commands.Ready, match=place.match)
        await talker.expect(Pong, Ping)
        heard = [message for message in talker.messages[start:] if isinstance(message, News)]
    if not place.has_started:
        await speaker.accepted(commands.Ready, match=place.match, on=False)
    assert [(news.text, news.side) for news in heard] == (
        [] if visit.gives is Gives.EMPTY else [(text, SIDES["B"])]
    )


async def check_draw_offer(visit: Visit) -> None:
    """Let another seat offer a draw, and check that this is heard by nobody."""
    place = visit.place
    others = [audience for audience in ("B", "A", "out") if audience != visit.audience]
    seated = [seat for seat in others if not (place.stage == "dropped" and seat == "A")]
    other = place.players[seated[0]].talker
    await _done_unheard(
        visit,
        lambda: other.accepted(commands.OfferDraw, match=place.match),
        lambda: other.accepted(commands.OfferDraw, match=place.match, on=False),
    )


async def check_staging(visit: Visit) -> None:
    """Let another seat give orders that it has not locked: nobody hears of them."""
    place = visit.place
    wanted = ("A",) if place.stage == "scan" else ("B", "A")
    other = place.players[next(side for side in wanted if side != visit.audience)]
    given = place.state.staged[other.side].orders
    await _done_unheard(visit, lambda: other.orders(*given, lock=False))


async def _done_unheard(visit: Visit, *deeds: Callable[[], Awaitable[ServerMessage]]) -> None:
    """Do something at another seat; nothing may come of it."""
    async with visit.talking() as talker:
        start = len(talker.messages)
        for deed in deeds:
            assert isinstance(await deed(), Accepted)
        await talker.expect(Pong, Ping)
        assert [type(message) for message in talker.messages[start:]] == [Pong]


async def check_snapshot(visit: Visit) -> None:
    """Come back to the seat over a fresh connection with nothing kept: a whole own picture."""
    place = visit.place
    if visit.is_refused:
        await visit.asked(commands.Resume, match=place.match, ticket=BAD_TICKET)
        return
    await _take_over(visit)


async def check_supersession(visit: Visit) -> None:
    """Take the seat over: the older connection hears of that, and what it was sent before."""
    old = visit.place.talkers[visit.audience]
    start = len(old.messages)
    await _take_over(visit)
    assert await old.wait_closed() == SUPERSEDED
    assert old.ending == (SUPERSEDED, "superseded")
    (told,) = old.messages[start:]
    assert isinstance(told, Bye)
    assert told.code is Code.SEAT_TAKEN
    visit.heard.append(told)


async def check_account(visit: Visit) -> None:
    """Come back to the own seat without a ticket; where there is none, as where is no match."""
    place = visit.place
    if not visit.is_refused:
        await _take_over(visit, as_account=True)
        return
    told = await visit.asked(commands.Resume, match=place.match)
    if visit.gives is not Code.SEAT_NONE:
        return
    nowhere = await visit.asked(commands.Resume, match=NOWHERE)
    assert isinstance(told, Refused)
    assert nowhere == replace(told, id=getattr(nowhere, "id", 0))


async def come_back_by_joining(visit: Visit) -> None:
    """Join the match whose seat the account has, and check all that comes then."""
    place = visit.place
    talker = await place.met(visit.audience)
    start = len(talker.messages)
    resumed = await talker.expect(Resumed, commands.Join, match=place.match)
    await _check_return(visit, talker, start)
    talker.ids = itertools.count(resumed.last_id + 1)
    await place.seat_again(visit.audience, talker, Player(talker, resumed))


async def _take_over(visit: Visit, *, as_account: bool = False) -> None:
    """Take the seat over and check all that comes then."""
    place = visit.place
    seen = visit.player.posts[-1].seq if visit.player.posts else 0
    talker = await place.met(visit.audience)
    start = len(talker.messages)
    back = await visit.player.resume(talker, have=seen + 1000, as_account=as_account)
    await _check_return(visit, talker, start)
    await place.seat_again(visit.audience, talker, back)


async def _check_return(visit: Visit, talker: Talker, start: int) -> None:
    """Check what came since message number `start` to who came back."""
    place, side = visit.place, SIDES[visit.audience]
    await talker.expect(Pong, Ping)
    came = [message for message in talker.messages[start:] if not isinstance(message, Pong)]
    visit.heard += came
    # Every seat that comes is told who may watch the truth: in these matches their host. After
    # the end everybody may.
    told = [message for message in came if isinstance(message, News) and not message.seq]
    is_over = place.has_started and place.state.is_over
    due = place.said_after_end if is_over else [f"truth {place.names['omni']}"]
    assert [news.text for news in told] == due
    came = [message for message in came if message not in told]
    resumed = came[0]
    assert isinstance(resumed, Resumed)
    staged = place.state.staged.get(side) if place.has_started else None
    assert resumed.side == side
    assert resumed.orders == (() if staged is None else staged.orders)
    assert resumed.rev == (0 if staged is None else staged.rev)
    assert resumed.locked == (staged is not None and staged.locked)
    assert resumed.classes == class_cards(place.scenario, side)
    if not place.has_started:
        assert len(came) == 1
        return
    assert resumed.window == (None if is_over else place.state.standing.window)
    assert resumed.seq == place.state.seqs[as_heard(visit.audience)]
    await visit.check_frames(came)


async def check_record(visit: Visit) -> None:
    """Fetch the record: own frames before the end, all of it after."""
    place = visit.place
    if visit.is_refused:
        await visit.asked(commands.FetchRecord, match=place.match)
        return
    async with visit.talking() as talker:
        data = await talker.record(place.match)
    if visit.gives is Gives.TRUTH:
        assert read_record(data).blobs == list(await place.runner.archiving.records())
        return
    sent = (await place.sent(visit.audience)).values() if place.has_started else ()
    header, *own = _values(data)
    assert (header["format"], header["audience"]) == ("sunglare-frames", as_heard(visit.audience))
    assert own == list(sent)


def _values(data: bytes) -> list[Any]:
    return list(msgpack.Unpacker(io.BytesIO(data), max_buffer_size=len(data)))


def watching(feed: Audience) -> Callable[[Visit], Awaitable[None]]:
    """Return a check of a feed, followed over a fresh connection of the same account."""

    async def check(visit: Visit) -> None:
        place = visit.place
        async with visit.talking(fresh=True) as talker:
            start = len(talker.messages)
            # Spectators of a private match have been given its code.
            code = place.code if visit.audience == "public" else None
            wish = {"match": place.match, "feed": feed, "code": code}
            told = visit.judged(await talker.ask(commands.Watch, **wish))
            await talker.expect(Pong, Ping)
            came = [
                message for message in talker.messages[start:] if not isinstance(message, Pong)
            ]
        if visit.is_refused:
            assert came == [told]
            return
        assert isinstance(told, Watching)
        assert told.feed == feed
        assert told.card.name == SCENARIO
        if not place.has_started:
            assert came == [told]
            return
        if visit.gives is Gives.EMPTY:
            assert came == [told]
            return
        # Of a match that goes on they belong to its sequence.
        outside = [one for one in came if isinstance(one, News) and not one.seq]
        assert [news.text for news in outside] == place.said_after_end
        watched = Visit(place, content_of(feed), visit.gives)
        await watched.check_frames(came)

    return check
