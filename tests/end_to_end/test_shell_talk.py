"""What a connection holds of matches: its seat, its feeds, its questions, over real sockets."""

import io
from functools import partial
from pathlib import Path

import msgpack  # type: ignore[import-untyped]
import pytest

from builders.fakeserver import until
from builders.players import all_ready, created, seated, started
from builders.servers import running_app
from builders.wires import met
from sunglare_protocol.ids import OMNI, PUBLIC, Audience, MatchId
from sunglare_protocol.messages import (
    Chat,
    FetchRecord,
    Frame,
    Leave,
    Over,
    Piece,
    Ping,
    Pong,
    Resign,
    Resume,
    Watch,
    Watching,
)
from sunglare_protocol.refusals import Code
from sunglare_protocol.text import CHAT_MOST
from sunglare_server.host.listeners import Listeners
from sunglare_server.host.parcel import Sink
from sunglare_server.net.match_talk import PIECE_BYTES
from sunglare_server.net.outbox import Outbox


@pytest.fixture
def sinks(monkeypatch: pytest.MonkeyPatch) -> list[Outbox]:
    """Return the outboxes that come to hold something, in their order."""
    noted: list[Outbox] = []
    attach = Listeners.attach

    def noting(at: Listeners, match: MatchId, audience: Audience, sink: Sink, who: str) -> None:
        assert isinstance(sink, Outbox)
        noted.append(sink)
        attach(at, match, audience, sink, who)

    monkeypatch.setattr(Listeners, "attach", noting)
    return noted


@pytest.fixture
def waits(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Return a list that grows whenever somebody waits for an outbox to be drained."""
    noted: list[int] = []
    drained = Outbox.drained

    async def noting(at: Outbox) -> None:
        noted.append(1)
        await drained(at)

    monkeypatch.setattr(Outbox, "drained", noting)
    return noted


async def test_who_sits_elsewhere_holds_the_seat_before_no_more(tmp_path: Path) -> None:
    async with running_app(tmp_path) as app, met(app.url) as anna, met(app.url) as boris:
        players = await started([anna, boris])
        first = players[0].match
        await boris.accepted(Resign, match=first)
        for player in players:
            await player.over()
        await until(lambda: not app.lobby.goes_on(first))
        second = await created(anna)
        listeners = app.lobby.matches.listeners
        assert listeners.count(first) == 2
        await seated(anna, second)
        assert (listeners.count(first), listeners.count(second)) == (1, 1)
        assert await anna.code(Chat, match=first, text="still here") is Code.SEAT_NONE


async def test_an_outbox_is_that_of_a_seat_only_while_there_is_one(
    tmp_path: Path, sinks: list[Outbox]
) -> None:
    async with running_app(tmp_path) as app, met(app.url) as anna:
        match = await created(anna)
        await anna.expect(Watching, Watch, match=match, feed=PUBLIC)
        assert not sinks[-1].is_seated
        await seated(anna, match)
        assert sinks[-1].is_seated
        await anna.accepted(Leave, match=match)
        assert sinks[-1].is_seated
        await anna.accepted(Leave, match=match)
        assert not sinks[-1].is_seated
        assert app.lobby.matches.listeners.count(match) == 0


async def test_who_watches_in_public_may_sit_too_and_hears_both(tmp_path: Path) -> None:
    async with running_app(tmp_path) as app, met(app.url) as anna, met(app.url) as boris:
        match = await created(anna)
        await anna.expect(Watching, Watch, match=match, feed=PUBLIC)
        players = [await seated(anna, match), await seated(boris, match)]
        await all_ready(players)
        await anna.wait_for(lambda message: isinstance(message, Frame) and is_of(message, PUBLIC))
        await anna.wait_for(lambda message: isinstance(message, Frame) and is_of(message, "A"))
        assert not any(
            is_of(message, PUBLIC) for message in boris.messages if isinstance(message, Frame)
        )


def is_of(frame: Frame, audience: str) -> bool:
    """Return whose view a frame shows."""
    return getattr(frame.view, "audience", OMNI) == audience


async def test_who_sits_down_watches_the_truth_no_more_and_can_leave_the_seat(
    tmp_path: Path,
) -> None:
    wish = {"clock": "test", "truth_feed": "yes", "omni_delay_turns": 0, "omni_delay_s": 0}
    async with running_app(tmp_path) as app, met(app.url) as anna:
        match = await created(anna, options=wish)
        await anna.expect(Watching, Watch, match=match, feed=OMNI)
        await seated(anna, match)
        assert app.lobby.matches.listeners.count(match) == 1
        await anna.accepted(Leave, match=match)
        assert app.lobby.rooms[match].seats == ()


async def test_who_watches_another_feed_of_a_match_watches_that_alone(tmp_path: Path) -> None:
    wish = {"clock": "test", "truth_feed": "yes", "omni_delay_turns": 0, "omni_delay_s": 0}
    async with running_app(tmp_path) as app, met(app.url) as anna, met(app.url) as boris:
        match = await created(boris, options=wish)
        await boris.expect(Watching, Watch, match=match, feed=OMNI)
        await boris.expect(Watching, Watch, match=match, feed=PUBLIC)
        async with met(app.url) as clara:
            await all_ready([await seated(anna, match), await seated(clara, match)])
            await boris.wait_for(lambda message: isinstance(message, Frame))
            await clara.accepted(Resign, match=match)
            await boris.wait_for(lambda message: isinstance(message, Over))
            shown = [message for message in boris.messages if isinstance(message, Frame)]
            assert all(is_of(frame, PUBLIC) for frame in shown)
        await boris.accepted(Leave, match=match)
        assert await boris.code(Leave, match=match) is Code.MATCH_STARTED


async def test_a_connection_that_ends_lets_go_of_seat_and_feeds(tmp_path: Path) -> None:
    async with running_app(tmp_path) as app, met(app.url) as boris:
        match = await created(boris)
        other = await created(boris)
        listeners = app.lobby.matches.listeners
        async with met(app.url) as anna:
            await seated(anna, match)
            for named in (match, other):
                await anna.expect(Watching, Watch, match=named, feed=PUBLIC)
            assert (listeners.count(match), listeners.count(other)) == (1, 1)
        await until(lambda: not listeners.count(match) and not listeners.count(other))


async def test_before_the_start_nothing_is_ordered_asked_or_saved(tmp_path: Path) -> None:
    async with running_app(tmp_path) as app, met(app.url) as anna, met(app.url) as boris:
        match = await created(anna)
        await seated(anna, match)
        assert await anna.code(Chat, match=match, text="hello") is Code.MATCH_NOT_STARTED
        head, *frames = list(msgpack.Unpacker(io.BytesIO(await anna.record(match))))
        assert (head["audience"], head["frames"], frames) == ("A", 0, [])
        refused = await boris.refused(FetchRecord, match=match)
        assert (refused.code, refused.at) == (Code.RECORD_SEALED, "$")
        refused = await boris.refused(Chat, match=match, text="hello")
        assert (refused.code, refused.at) == (Code.SEAT_NONE, "$.match")
        refused = await anna.refused(Watch, match=match, feed="B")
        assert (refused.code, refused.at) == (Code.FEED_UNKNOWN, "$.feed")
        assert refused.choices == (PUBLIC, OMNI)


async def test_a_file_comes_in_pieces_that_join_from_any_byte_on(
    tmp_path: Path, waits: list[int]
) -> None:
    assert PIECE_BYTES == 65_536
    async with running_app(tmp_path) as app, met(app.url) as anna, met(app.url) as boris:
        players = await started([anna, boris])
        match = players[0].match
        await players[0].chat(230, "x" * CHAT_MOST)
        waits.clear()
        whole = await anna.record(match)
        assert len(whole) > PIECE_BYTES
        pieces = [message for message in anna.messages if isinstance(message, Piece)]
        assert [len(part.data) for part in pieces[:-1]] == [PIECE_BYTES] * (len(pieces) - 1)
        assert [part.from_byte for part in pieces] == [
            PIECE_BYTES * number for number in range(len(pieces))
        ]
        # One for the message itself, one for each piece.
        await until(lambda: len(waits) == 1 + len(pieces))
        assert [part.last for part in pieces] == [False] * (len(pieces) - 1) + [True]
        for start in (1, PIECE_BYTES, len(whole) - PIECE_BYTES, len(whole), len(whole) + 9):
            piece = await anna.expect(Piece, FetchRecord, match=match, from_byte=start)
            assert (piece.from_byte, piece.match) == (start, match)
            assert piece.data == whole[start : start + PIECE_BYTES]
            assert piece.last == (start + PIECE_BYTES >= len(whole))
            await anna.wait_for(partial(_is_last, piece.id))


def _is_last(number: int, message: object) -> bool:
    return isinstance(message, Piece) and message.id == number and message.last


async def test_a_mute_of_another_is_told_by_no_refusal(tmp_path: Path) -> None:
    async with running_app(tmp_path) as app, met(app.url) as anna, met(app.url) as boris:
        mine, theirs = await created(anna), await created(boris)
        await seated(anna, mine)
        await seated(boris, theirs)
        app.lobby.decrees.mute(app.lobby.rooms[theirs].seats[0].account, on=True)
        # Boris sits in the other match where Anna does in hers.
        assert await anna.code(Chat, match=theirs, text="x") is Code.SEAT_NONE
        assert await boris.code(Chat, match=theirs, text="x") is Code.CHAT_MUTED
        # Nor where he takes the seat that she has left.
        await anna.accepted(Leave, match=mine)
        await boris.accepted(Leave, match=theirs)
        await seated(boris, mine, "A")
        assert await anna.code(Chat, match=mine, text="x") is Code.SEAT_NONE


async def test_a_command_has_its_answer_before_the_next_message_is_looked_at(
    tmp_path: Path,
) -> None:
    async with running_app(tmp_path) as app, met(app.url) as anna, met(app.url) as boris:
        match = (await started([anna, boris]))[0].match
        numbers = [next(anna.ids) for _ in range(6)]
        for number in numbers:
            is_command = number % 2 == numbers[0] % 2
            await anna.send(
                Chat(id=number, match=match, text="x") if is_command else Ping(id=number)
            )
        await anna.wait_for(lambda message: getattr(message, "id", None) == numbers[-1])
        answered = [getattr(message, "id", None) for message in anna.messages]
        assert [answer_id for answer_id in answered if answer_id in numbers] == numbers


async def test_a_seat_of_a_match_that_cannot_be_had_is_told_so(tmp_path: Path) -> None:
    async with running_app(tmp_path) as app, met(app.url) as anna, met(app.url) as boris:
        match = (await started([anna, boris]))[0].match
        runner = app.lobby.matches.runners.pop(match)
        assert await anna.code(Chat, match=match, text="x") is Code.MATCH_FAULT
        app.lobby.matches.runners[match] = runner
        await anna.accepted(Chat, match=match, text="x")


async def test_words_that_are_unfit_are_refused_before_the_match_hears_of_them(
    tmp_path: Path,
) -> None:
    async with running_app(tmp_path) as app, met(app.url) as anna, met(app.url) as boris:
        match = (await started([anna, boris]))[0].match
        length = app.lobby.matches.runners[match].length
        for text in ("", "x" * (CHAT_MOST + 1)):
            refused = await anna.refused(Chat, match=match, text=text)
            assert (refused.code, refused.at) == (Code.TEXT_UNFIT, "$.text")
        assert app.lobby.matches.runners[match].length == length
        await anna.accepted(Chat, match=match, text="x" * CHAT_MOST)


async def test_a_connection_holds_one_seat_and_one_only(tmp_path: Path) -> None:
    async with running_app(tmp_path) as app, met(app.url) as anna, met(app.url) as boris:
        match = await created(anna)
        player = await seated(anna, match)
        await seated(boris, match)
        for talker in (anna, boris):
            refused = await talker.refused(Resume, match=match, ticket=player.ticket)
            assert refused.code is Code.SEAT_ONE


async def test_own_frames_are_those_of_the_seat_that_is_held_by_whose_ticket_ever(
    tmp_path: Path,
) -> None:
    async with running_app(tmp_path) as app, met(app.url) as boris, met(app.url) as clara:
        async with met(app.url) as anna:
            players = await started([anna, boris])
        match, other = players[0].match, await created(clara)
        await seated(clara, other)
        assert await clara.code(FetchRecord, match=match) is Code.RECORD_SEALED
        await clara.accepted(Leave, match=other)
        await players[0].resume(clara)
        async with met(app.url, token=anna.token) as again:
            for talker, audience in ((clara, "A"), (again, "A"), (boris, "B")):
                head, *_ = list(msgpack.Unpacker(io.BytesIO(await talker.record(match))))
                assert (head["audience"], head["match"]) == (audience, match)


async def test_who_takes_a_seat_by_a_ticket_sees_the_truth_nowhere_any_more(
    tmp_path: Path,
) -> None:
    wish = {"clock": "test", "truth_feed": "yes", "omni_delay_turns": 0, "omni_delay_s": 0}
    async with running_app(tmp_path) as app, met(app.url) as clara, met(app.url) as boris:
        match = await created(clara, options=wish)
        async with met(app.url) as anna:
            players = [await seated(anna, match), await seated(boris, match)]
            await all_ready(players)
        listeners = app.lobby.matches.listeners
        await clara.expect(Watching, Watch, match=match, feed=OMNI)
        await until(lambda: listeners.count(match) == 2)
        async with met(app.url, token=clara.token) as second:
            await players[0].resume(second)
            assert listeners.count(match) == 2
            assert await clara.code(Watch, match=match, feed=OMNI) is Code.FEED_CLOSED


async def test_a_command_that_comes_as_the_server_ends_gets_no_answer_to_be_mistaken_for_its_own(
    tmp_path: Path,
) -> None:
    async with running_app(tmp_path) as app, met(app.url) as anna, met(app.url) as boris:
        match = (await started([anna, boris]))[0].match
        await app.lobby.matches.runners[match].stop()
        number = next(anna.ids)
        await anna.send(Chat(id=number, match=match, text="x"))
        await anna.expect(Pong, Ping)
        assert number not in [getattr(message, "id", None) for message in anna.messages]


async def test_who_watches_is_told_how_far_the_feed_lags(tmp_path: Path) -> None:
    wish = {"clock": "test", "truth_feed": "yes", "omni_delay_turns": 2, "omni_delay_s": 7}
    async with running_app(tmp_path) as app, met(app.url) as anna:
        assert app.url.endswith("/play")
        match = await created(anna, options=wish)
        truth = await anna.expect(Watching, Watch, match=match, feed=OMNI)
        assert (truth.delay_turns, truth.delay_s, truth.feed) == (2, 7, OMNI)
        public = await anna.expect(Watching, Watch, match=match, feed=PUBLIC)
        assert (public.delay_turns, public.delay_s, public.match) == (0, 0, match)
        for kind in (Watch, FetchRecord):
            refused = await anna.refused(kind, match=NOWHERE, **FEEDS.get(kind, {}))
            assert (refused.code, refused.at) == (Code.MATCH_UNKNOWN, "$.match")


FEEDS: dict[type, dict[str, str]] = {Watch: {"feed": PUBLIC}}
NOWHERE = MatchId("a" * 26)
