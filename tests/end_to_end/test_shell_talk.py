"""What a connection holds of matches: its seat, its feeds, its questions, over real sockets."""

import io
from collections.abc import Callable
from functools import partial

import msgpack  # type: ignore[import-untyped]
import pytest

from builders.fakeserver import until
from builders.players import all_ready, created, finished, seated, started
from builders.runners import runners_of
from builders.venues import Venue
from builders.watchers import OPEN, watch
from builders.wires import met
from sunglare_protocol.ids import OMNI, PUBLIC, Audience, MatchId
from sunglare_protocol.messages import (
    Ask,
    Chat,
    FetchRecord,
    Frame,
    Leave,
    OfferDraw,
    Over,
    Piece,
    Question,
    Resume,
    Watch,
)
from sunglare_protocol.refusals import Code
from sunglare_protocol.text import CHAT_MOST
from sunglare_server.api.record_chunks import PIECE_BYTES
from sunglare_server.app import App
from sunglare_server.gateway.outbox import Outbox
from sunglare_server.ports.sanctions import SanctionKind
from sunglare_server.runtime.encoded_message import Subscriber
from sunglare_server.runtime.subscriptions import Subscriptions

Attach = Callable[[Subscriptions, MatchId, Audience, Subscriber, str, str | None], None]


@pytest.fixture
def subscribers(monkeypatch: pytest.MonkeyPatch) -> list[Outbox]:
    """Return the outboxes that come to hold something, in their order."""
    noted: list[Outbox] = []
    for name in ("sit", "watch"):
        monkeypatch.setattr(Subscriptions, name, _noting(getattr(Subscriptions, name), noted))
    return noted


def _noting(attach: Attach, noted: list[Outbox]) -> Attach:
    """Return what attaches a sink and notes it."""

    def attached(
        at: Subscriptions,
        match: MatchId,
        audience: Audience,
        subscriber: Subscriber,
        who: str,
        place: str | None,
    ) -> None:
        assert isinstance(subscriber, Outbox)
        noted.append(subscriber)
        attach(at, match, audience, subscriber, who, place)

    return attached


@pytest.fixture
def waits(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Return a list that grows whenever somebody waits for an outbox to be drained."""
    noted: list[int] = []
    drained = Outbox.drained

    async def noting(at: Outbox) -> bool:
        noted.append(1)
        return await drained(at)

    monkeypatch.setattr(Outbox, "drained", noting)
    return noted


async def test_who_sits_elsewhere_holds_the_seat_before_no_more(venue: Venue, app: App) -> None:
    players = await venue.duel()
    anna, first = players[0].talker, players[0].match
    await finished(players)
    await until(lambda: not app.lobby.match_service.goes_on(first))
    second = await created(anna)
    subscriptions = app.lobby.matches.subscriptions
    assert subscriptions.count(first) == 2
    await seated(anna, second)
    assert (subscriptions.count(first), subscriptions.count(second)) == (1, 1)
    assert await anna.code(Chat, match=first, text="still here") is Code.SEAT_NONE


async def test_an_outbox_is_that_of_a_seat_only_while_there_is_one(
    venue: Venue, subscribers: list[Outbox]
) -> None:
    anna = await venue.one()
    match = await created(anna)
    await watch(anna, match, PUBLIC)
    assert not subscribers[-1].is_seated
    await seated(anna, match)
    assert subscribers[-1].is_seated
    await anna.leave(match)
    assert subscribers[-1].is_seated
    await anna.leave(match)
    assert not subscribers[-1].is_seated
    assert venue.app.lobby.matches.subscriptions.count(match) == 0


async def test_who_watches_in_public_may_sit_too_and_hears_both(venue: Venue) -> None:
    anna, boris = await venue.some(2)
    match = await created(anna)
    await watch(anna, match, PUBLIC)
    players = [await seated(anna, match), await seated(boris, match)]
    await all_ready(players)
    for audience in (PUBLIC, "A"):
        await anna.wait_for(partial(is_of, audience))
    assert not any(is_of(PUBLIC, frame) for frame in boris.every(Frame))


def is_of(audience: str, message: object) -> bool:
    """Return whether a message is a frame with the view of an audience."""
    return isinstance(message, Frame) and getattr(message.view, "audience", OMNI) == audience


async def test_who_sits_down_watches_the_truth_no_more_and_can_leave_the_seat(
    venue: Venue,
) -> None:
    anna = await venue.one()
    match = await created(anna, options=OPEN)
    await watch(anna, match, OMNI)
    await seated(anna, match)
    assert venue.app.lobby.matches.subscriptions.count(match) == 1
    await anna.leave(match)
    assert venue.app.lobby.rooms[match].seats == ()


async def test_who_watches_another_feed_of_a_match_watches_that_alone(venue: Venue) -> None:
    anna, boris = await venue.some(2)
    match = await created(boris, options=OPEN)
    await watch(boris, match, OMNI)
    await watch(boris, match, PUBLIC)
    async with met(venue.app.url) as clara:
        await all_ready([await seated(anna, match), await seated(clara, match)])
        await boris.came(Frame)
        await clara.resign(match)
        await boris.came(Over)
        assert all(is_of(PUBLIC, frame) for frame in boris.every(Frame))
    await boris.leave(match)
    assert await boris.code(Leave, match=match) is Code.MATCH_STARTED


async def test_a_connection_that_ends_lets_go_of_seat_and_feeds(venue: Venue, app: App) -> None:
    boris = await venue.one()
    match = await created(boris)
    other = await created(boris)
    subscriptions = app.lobby.matches.subscriptions
    async with met(app.url) as anna:
        await seated(anna, match)
        for named in (match, other):
            await watch(anna, named, PUBLIC)
        assert (subscriptions.count(match), subscriptions.count(other)) == (1, 1)
    await until(lambda: not subscriptions.count(match) and not subscriptions.count(other))


async def test_before_the_start_nothing_is_ordered_asked_or_saved(venue: Venue) -> None:
    anna, boris = await venue.some(2)
    match = await created(anna)
    await seated(anna, match)
    assert await anna.code(Chat, match=match, text="hello") is Code.MATCH_NOT_STARTED
    head, *frames = list(msgpack.Unpacker(io.BytesIO(await anna.record(match))))
    assert (head["audience"], head["frames"], frames) == ("A", 0, [])
    assert await boris.fault(FetchRecord, match=match) == (Code.RECORD_SEALED, "$")
    assert await boris.fault(Chat, match=match, text="hello") == (Code.SEAT_NONE, "$.match")
    refused = await anna.refused(Watch, match=match, feed="B")
    assert (refused.code, refused.at) == (Code.FEED_CLOSED, "$.feed")


async def test_a_file_comes_in_pieces_that_join_from_any_byte_on(
    venue: Venue, waits: list[int]
) -> None:
    assert PIECE_BYTES == 65_536
    anna, _ = await venue.duel()
    match = anna.match
    await anna.chat(230, "x" * CHAT_MOST)
    waits.clear()
    whole = await anna.talker.record(match)
    assert len(whole) > PIECE_BYTES
    pieces = anna.talker.every(Piece)
    assert [len(part.data) for part in pieces[:-1]] == [PIECE_BYTES] * (len(pieces) - 1)
    assert [part.from_byte for part in pieces] == [
        PIECE_BYTES * number for number in range(len(pieces))
    ]
    # One for the message itself, one for each piece.
    await until(lambda: len(waits) == 1 + len(pieces))
    assert [part.last for part in pieces] == [False] * (len(pieces) - 1) + [True]
    for start in (1, PIECE_BYTES, len(whole) - PIECE_BYTES, len(whole), len(whole) + 9):
        piece = await anna.talker.expect(Piece, FetchRecord, match=match, from_byte=start)
        assert (piece.from_byte, piece.match) == (start, match)
        assert piece.data == whole[start : start + PIECE_BYTES]
        assert piece.last == (start + PIECE_BYTES >= len(whole))
        await anna.talker.wait_for(partial(_is_last, piece.id))


def _is_last(number: int, message: object) -> bool:
    return isinstance(message, Piece) and message.id == number and message.last


async def test_a_mute_of_another_is_told_by_no_refusal(venue: Venue) -> None:
    anna, boris = await venue.some(2)
    mine, theirs = await created(anna), await created(boris)
    await seated(anna, mine)
    await seated(boris, theirs)
    account = venue.app.lobby.rooms[theirs].seats[0].account
    await venue.app.lobby.policy.keep(SanctionKind.MUTE, account)
    # Boris sits in the other match where Anna does in hers.
    assert await anna.code(Chat, match=theirs, text="x") is Code.SEAT_NONE
    assert await boris.code(Chat, match=theirs, text="x") is Code.CHAT_MUTED
    # Nor where he takes the seat that she has left.
    await anna.leave(mine)
    await boris.leave(theirs)
    await seated(boris, mine, "A")
    assert await anna.code(Chat, match=mine, text="x") is Code.SEAT_NONE


async def test_a_command_has_its_answer_before_the_next_message_is_looked_at(venue: Venue) -> None:
    anna, _ = await venue.duel()
    match = anna.match
    numbers = [next(anna.talker.ids) for _ in range(6)]
    for number in numbers:
        is_command = number % 2 == numbers[0] % 2
        chat = Chat(id=number, match=match, text="x")
        ask = Ask(id=number, match=match, kind=Question.LEGAL)
        await anna.talker.send(chat if is_command else ask)
    await anna.talker.wait_for(lambda message: getattr(message, "id", None) == numbers[-1])
    answered = [getattr(message, "id", None) for message in anna.talker.messages]
    assert [answer_id for answer_id in answered if answer_id in numbers] == numbers


async def test_who_still_sits_in_a_match_that_is_over_is_told_so(venue: Venue) -> None:
    anna, boris = await venue.duel()
    await finished([anna, boris])
    await until(lambda: anna.match not in venue.app.lobby.rooms)
    assert await anna.code(OfferDraw) is Code.MATCH_OVER


async def test_a_seat_of_a_match_that_cannot_be_had_is_told_so(venue: Venue) -> None:
    anna, _ = await venue.duel()
    match = anna.match
    runner = runners_of(venue.app.lobby.matches).pop(match)
    assert await anna.code(Chat, text="x") is Code.MATCH_FAULT
    runners_of(venue.app.lobby.matches)[match] = runner
    await anna.accepted(Chat, text="x")


async def test_words_that_are_unfit_are_refused_before_the_match_hears_of_them(
    venue: Venue,
) -> None:
    anna, _ = await venue.duel()
    match = anna.match
    length = runners_of(venue.app.lobby.matches)[match].length
    for text in ("", "x" * (CHAT_MOST + 1)):
        assert await anna.fault(Chat, text=text) == (Code.TEXT_UNFIT, "$.text")
    assert runners_of(venue.app.lobby.matches)[match].length == length
    await anna.accepted(Chat, text="x" * CHAT_MOST)


async def test_a_connection_holds_one_seat_and_one_only(venue: Venue) -> None:
    anna, boris = await venue.some(2)
    match = await created(anna)
    player = await seated(anna, match)
    await seated(boris, match)
    for talker in (anna, boris):
        assert await talker.code(Resume, match=match, ticket=player.ticket) is Code.SEAT_ONE


async def test_own_frames_are_those_of_the_seat_that_is_held_by_whose_ticket_ever(
    venue: Venue,
) -> None:
    boris, clara = await venue.some(2)
    async with met(venue.app.url) as anna:
        players = await started([anna, boris])
    match, other = players[0].match, await created(clara)
    await seated(clara, other)
    assert await clara.code(FetchRecord, match=match) is Code.RECORD_SEALED
    await clara.leave(other)
    await players[0].resume(clara)
    again = await venue.one(token=anna.token)
    for talker, audience in ((clara, "A"), (again, "A"), (boris, "B")):
        head, *_ = list(msgpack.Unpacker(io.BytesIO(await talker.record(match))))
        assert (head["audience"], head["match"]) == (audience, match)


async def test_who_takes_a_seat_by_a_ticket_sees_the_truth_nowhere_any_more(venue: Venue) -> None:
    app = await venue.open()
    clara, boris = await venue.some(2)
    match = await created(clara, options=OPEN)
    async with met(app.url) as anna:
        players = [await seated(anna, match), await seated(boris, match)]
        await all_ready(players)
    subscriptions = app.lobby.matches.subscriptions
    await watch(clara, match, OMNI)
    await until(lambda: subscriptions.count(match) == 2)
    second = await venue.one(token=clara.token)
    await players[0].resume(second)
    assert subscriptions.count(match) == 2
    assert await clara.code(Watch, match=match, feed=OMNI) is Code.FEED_CLOSED


async def test_a_command_that_comes_as_the_server_ends_gets_no_answer_to_be_mistaken_for_its_own(
    venue: Venue,
) -> None:
    anna, _ = await venue.duel()
    match = anna.match
    await runners_of(venue.app.lobby.matches)[match].stop()
    number = next(anna.talker.ids)
    await anna.talker.send(Chat(id=number, match=match, text="x"))
    await anna.talker.ping()
    assert number not in [getattr(message, "id", None) for message in anna.talker.messages]


async def test_who_watches_is_told_how_far_the_feed_lags(venue: Venue) -> None:
    wish = {**OPEN, "omni_delay_turns": 2, "omni_delay_s": 7}
    anna = await venue.one()
    assert venue.app.url.endswith("/play")
    match = await created(anna, options=wish)
    truth = await watch(anna, match, OMNI)
    assert (truth.delay_turns, truth.delay_s, truth.feed) == (2, 7, OMNI)
    public = await watch(anna, match, PUBLIC)
    assert (public.delay_turns, public.delay_s, public.match) == (0, 0, match)
    for kind in (Watch, FetchRecord):
        told = await anna.fault(kind, match=NOWHERE, **FEEDS.get(kind, {}))
        assert told == (Code.MATCH_UNKNOWN, "$.match")


FEEDS: dict[type, dict[str, str]] = {Watch: {"feed": PUBLIC}}
NOWHERE = MatchId("a" * 26)
