"""The subcommands against a scripted server: what they ask for, show, save and return."""

import os
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from websockets.asyncio.server import ServerConnection, serve
from websockets.typing import Subprotocol

from builders.commandlines import SOURCES, sunglare
from builders.terminals import BOARD, CARD, MATCH, A, B, frame, over, stage, view
from sunglare_client.link.private_server import ChildError, child_server
from sunglare_protocol.codec import Form, decode_client, encode_server
from sunglare_protocol.ids import OMNI
from sunglare_protocol.messages import (
    PROTOCOL_VERSION,
    Accepted,
    ClientMessage,
    Create,
    Created,
    FetchRecord,
    GiveOrders,
    GrantFeed,
    Hello,
    Info,
    Join,
    Limits,
    Listing,
    ListMatches,
    Matches,
    MatchInfo,
    MatchLine,
    Piece,
    Ready,
    Refused,
    Report,
    Resume,
    RevokeFeed,
    RoomState,
    Seated,
    SeatInfo,
    SeatState,
    ServerMessage,
    SetWebhook,
    Watch,
    Watching,
    Welcome,
)
from sunglare_protocol.refusals import SENTENCES, Code
from sunglare_protocol.views import TruthView
from sunglare_protocol.words.ladder import Phase

LINE = MatchLine(
    match=MATCH,
    scenario="shadow-of-ceres",
    state=RoomState.RUNNING,
    seats=(
        SeatInfo(side=A, state=SeatState.ACCOUNT, name="anna"),
        SeatInfo(side=B, state=SeatState.BOT, name="scout"),
    ),
    clock="standard",
    turn=4,
)
LIMITS = Limits(message_bytes=32768, orders=512, name=24, chat=300)


def answers(message: ClientMessage) -> tuple[ServerMessage, ...]:
    """Return what a server of one match says to a message."""
    match message:
        case Hello():
            return (
                Welcome(
                    id=message.id,
                    v=PROTOCOL_VERSION,
                    name="anna",
                    token=message.token or "fresh",
                    time_ms=0,
                    limits=LIMITS,
                ),
            )
        case Create():
            return (Created(id=message.id, match=MATCH),)
        case Join():
            return (_seated(message),)
        case Resume():
            code = Code.SEAT_NONE
            return (Refused(id=message.id, code=code, text=SENTENCES[code]),)
        case Ready():
            return (Accepted(id=message.id), frame(1, view()))
        case GiveOrders():
            taken = Accepted(id=message.id, window=message.window, rev=message.rev)
            return (taken, over(2)) if message.lock else (taken,)
        case _:
            return _reports(message)


def _seated(join: Join) -> Seated:
    return Seated(id=join.id, match=MATCH, side=A, ticket="ticket", commitment="", card=CARD)


def _reports(message: ClientMessage) -> tuple[ServerMessage, ...]:
    match message:
        case Info():
            return (MatchInfo(id=message.id, line=LINE, card=CARD),)
        case ListMatches():
            return (Matches(id=message.id, running=(LINE,)),)
        case FetchRecord():
            first = Piece(id=message.id, match=MATCH, from_byte=0, data=b"abc")
            return (first, Piece(id=message.id, match=MATCH, from_byte=3, data=b"de", last=True))
        case Watch(feed="A"):
            watching = Watching(id=message.id, match=MATCH, feed=message.feed, card=CARD)
            return (watching, frame(1, view()), over(2))
        case Watch():
            seen = TruthView(stage=stage(Phase.ENGAGE), board=BOARD)
            watching = Watching(id=message.id, match=MATCH, feed=OMNI, card=CARD)
            return (watching, frame(1, seen), over(2))
        case _:
            return (Accepted(id=message.id),)


@asynccontextmanager
async def serving(
    reply: Callable[[ClientMessage], tuple[ServerMessage, ...]],
    cuts: Callable[[list[ClientMessage]], bool] = lambda _: False,
) -> AsyncIterator[tuple[str, list[ClientMessage]]]:
    """Serve scripted answers; give the address and the messages that came.

    `cuts` says whether the line breaks off once the last of what came is answered.
    """
    heard: list[ClientMessage] = []

    async def talk(socket: ServerConnection) -> None:
        async for data in socket:
            message = decode_client(data, Form.PACKED)
            heard.append(message)
            for answer in reply(message):
                await socket.send(encode_server(answer, Form.PACKED))
            if cuts(heard):
                socket.transport.abort()

    protocols = [Subprotocol(Form.PACKED.value)]
    async with serve(talk, "127.0.0.1", 0, subprotocols=protocols, compression=None) as server:
        port = next(iter(server.sockets)).getsockname()[1]
        yield f"ws://127.0.0.1:{port}", heard


async def test_a_match_is_opened_and_played_from_a_pipe(tmp_path: Path) -> None:
    async with serving(answers) as (url, heard):
        done = await sunglare(
            "play", "--url", url, "--plain", home=tmp_path, typed="turn S1 +1\nready\n"
        )
    assert done.code == 0, done.err
    assert "Shadow of Ceres" in done.out
    assert "you are side A" in done.out
    assert "S1 Kite" in done.out
    assert "A (anna) wins" in done.out
    locked = [message for message in heard if isinstance(message, GiveOrders) and message.lock]
    assert [order.ship for order in locked[0].orders] == ["S1"]


async def test_the_token_of_the_first_visit_is_shown_on_the_second(tmp_path: Path) -> None:
    async with serving(answers) as (url, heard):
        await sunglare("matches", "--url", url, home=tmp_path)
        await sunglare("matches", "--url", url, home=tmp_path)
    assert [message.token for message in heard if isinstance(message, Hello)] == [None, "fresh"]


async def test_the_matches_are_listed_with_who_sits_where(tmp_path: Path) -> None:
    async with serving(answers) as (url, _):
        done = await sunglare("matches", "--url", url, home=tmp_path)
    assert done.code == 0
    assert f"{MATCH}  shadow-of-ceres  standard  turn 4  A anna, B scout (bot)" in done.out
    assert done.out.count("none") == 2


async def test_a_list_that_goes_on_says_how_to_read_on(tmp_path: Path) -> None:
    def paged(message: ClientMessage) -> tuple[ServerMessage, ...]:
        if not isinstance(message, ListMatches):
            return answers(message)
        if message.after == "later":
            return (Matches(id=message.id, over=(LINE,)),)
        return (Matches(id=message.id, over=(LINE,), more={Listing.OVER: "later"}),)

    async with serving(paged) as (url, heard):
        words = ("matches", "--which", "over", "--url", url)
        done = await sunglare(*words, home=tmp_path)
        rest = await sunglare(*words, "--after", "later", home=tmp_path)
    assert done.out.splitlines()[0] == "over:"
    assert done.out.endswith("  more: sunglare matches --which over --after later\n")
    assert "more" not in rest.out
    asked = [
        (command.which, command.after) for command in heard if isinstance(command, ListMatches)
    ]
    assert asked == [(Listing.OVER, None), (Listing.OVER, "later")]


async def test_a_match_is_found_by_how_its_id_begins_on_later_pages_too(tmp_path: Path) -> None:
    def paged(message: ClientMessage) -> tuple[ServerMessage, ...]:
        if not isinstance(message, ListMatches):
            return answers(message)
        if message.which is not Listing.OVER:
            return (Matches(id=message.id),)
        if message.after is None:
            return (Matches(id=message.id, more={Listing.OVER: "later"}),)
        return (Matches(id=message.id, over=(LINE,)),)

    async with serving(paged) as (url, heard):
        words = ("record", MATCH[:4], "--out", "match.sgr", "--url", url)
        done = await sunglare(*words, home=tmp_path)
    assert done.code == 0, done.err
    assert [command.match for command in heard if isinstance(command, FetchRecord)] == [MATCH]


async def test_a_feed_is_followed_to_the_end(tmp_path: Path) -> None:
    async with serving(answers) as (url, heard):
        done = await sunglare("watch", MATCH, "--feed", "omni", "--url", url, home=tmp_path)
    assert done.code == 0, done.err
    assert "-- turn 4 of 20: ENGAGE" in done.out
    assert "THE END" in done.out
    assert [message.feed for message in heard if isinstance(message, Watch)] == [OMNI]


async def test_the_view_of_a_side_is_shown_as_its_seat_sees_it(tmp_path: Path) -> None:
    async with serving(answers) as (url, heard):
        done = await sunglare("watch", MATCH, "--feed", "A", "--url", url, home=tmp_path)
    assert done.code == 0, done.err
    assert "own ships:" in done.out
    assert [message.feed for message in heard if isinstance(message, Watch)] == ["A"]


@pytest.mark.parametrize(("words", "feed"), [(("Anna",), OMNI), (("Anna", "A"), "A")])
async def test_a_feed_is_granted_and_taken_back(
    tmp_path: Path, words: tuple[str, ...], feed: str
) -> None:
    async with serving(answers) as (url, heard):
        for verb, said in (
            ("grant", f"may watch {feed}"),
            ("revoke", f"may watch {feed} no more"),
        ):
            done = await sunglare(verb, MATCH, *words, "--url", url, home=tmp_path)
            assert done.out == f"Anna {said}; all seats are informed\n", done.err
    told = [message for message in heard if isinstance(message, GrantFeed | RevokeFeed)]
    assert [(type(message), message.name, message.feed) for message in told] == [
        (GrantFeed, "Anna", feed),
        (RevokeFeed, "Anna", feed),
    ]


async def test_a_side_is_reported_to_the_operator(tmp_path: Path) -> None:
    async with serving(answers) as (url, heard):
        words = ("report", MATCH, "B", "insults", "all of us")
        done = await sunglare(*words, "--url", url, home=tmp_path)
        wrong = await sunglare("report", MATCH, "7", "x", "--url", url, home=tmp_path)
    assert done.out == "the operator is told of B, and nobody else\n", done.err
    assert (wrong.code, wrong.out) == (2, "")
    [told] = [message for message in heard if isinstance(message, Report)]
    assert (told.match, told.side, told.text) == (MATCH, B, "insults all of us")


async def test_a_webhook_is_named_and_taken_back(tmp_path: Path) -> None:
    async with serving(answers) as (url, heard):
        begin = ("account", "webhook", "--url", url)
        named = await sunglare(*begin, "https://a.example.org/x", home=tmp_path)
        off = await sunglare(*begin, "--off", home=tmp_path)
        for wrong in ((), ("https://a.example.org/", "--off")):
            assert (await sunglare(*begin, *wrong, home=tmp_path)).code == 2
    assert "this address" in named.out, named.err
    assert "no address any more" in off.out, off.err
    told = [message.url for message in heard if isinstance(message, SetWebhook)]
    assert told == ["https://a.example.org/x", None]


async def test_a_record_is_saved_whole(tmp_path: Path) -> None:
    async with serving(answers) as (url, _):
        done = await sunglare("record", MATCH, "--out", "match.sgr", "--url", url, home=tmp_path)
        piped = await sunglare("record", MATCH, "--out", "-", "--url", url, home=tmp_path)
    assert done.code == 0, done.err
    assert (tmp_path / "match.sgr").read_bytes() == b"abcde"
    assert "5 bytes" in done.out
    assert piped == (0, "abcde", "")
    assert not (tmp_path / "-").exists()


async def test_a_refusal_is_exit_code_1_and_one_sentence(tmp_path: Path) -> None:
    def refusing(message: ClientMessage) -> tuple[ServerMessage, ...]:
        if isinstance(message, Hello):
            return answers(message)
        code = Code.MATCH_UNKNOWN
        return (Refused(id=message.id, code=code, text=SENTENCES[code]),)

    async with serving(refusing) as (url, _):
        done = await sunglare("play", "--match", "nowhere", "--url", url, home=tmp_path)
    assert done.code == 1
    assert done.err == f"sunglare: {SENTENCES[Code.MATCH_UNKNOWN]}\n"


async def test_a_bot_plays_as_the_one_it_was_told_to_be(tmp_path: Path) -> None:
    async with serving(answers) as (url, heard):
        words = ("bot", "run", "lurker", "--match", MATCH, "--side", "A", "--url", url)
        done = await sunglare(*words, home=tmp_path, token="house")
    assert done.code == 0, done.err
    assert [message.token for message in heard if isinstance(message, Hello)] == ["house"]
    assert any(isinstance(message, GiveOrders) for message in heard)


def stub_server(folder: Path, program: str) -> None:
    """Write a program that is run for the server where `PYTHONPATH` has the folder first."""
    package = folder / "sunglare_server"
    package.mkdir(parents=True)
    (package / "__init__.py").write_text("")
    (package / "__main__.py").write_text(program)


@asynccontextmanager
async def scripted_server(folder: Path) -> AsyncIterator[str]:
    """Serve scripted answers, and have a stub in `folder` print where.

    Yield the `PYTHONPATH` with which a client starts the stub.
    """
    async with serving(answers) as (url, _):
        program = f"import signal\nprint('listening on {url}/play', flush=True)\nsignal.pause()\n"
        stub_server(folder, program)
        yield os.pathsep.join((str(folder), SOURCES))


async def test_the_demonstration_ends_by_itself_and_saves_the_record(tmp_path: Path) -> None:
    async with scripted_server(tmp_path) as path:
        done = await sunglare("demo", home=tmp_path, path=path)
    assert done.code == 0, done.err
    for words in ("scout and lurker", "Shadow of Ceres", "-- turn 4", "THE END", "make play"):
        assert words in done.out
    newest = tmp_path / ".demo" / "match.sgr"
    named = tmp_path / ".demo" / f"shadow-of-ceres-{MATCH[:8]}.sgr"
    assert newest.read_bytes() == named.read_bytes() == b"abcde"
    assert all(line.isprintable() for line in done.out.splitlines())


async def test_a_private_server_is_stopped_when_it_is_left(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = (
        "import pathlib, signal, sys\n"
        "def end(*_):\n"
        "    pathlib.Path('ended').touch()\n"
        "    sys.exit()\n"
        "signal.signal(signal.SIGTERM, end)\n"
        "pathlib.Path('told').write_text(' '.join(sys.argv[1:]))\n"
        "print('listening on ws://127.0.0.1:9/play', flush=True)\n"
        "signal.pause()\n"
    )
    stub_server(tmp_path, program)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    async with child_server(tmp_path / "data") as url:
        assert url == "ws://127.0.0.1:9/play"
    told = (tmp_path / "told").read_text()
    assert "--port 0" in told
    assert f"--journal {tmp_path / 'data' / 'journal.db'}" in told
    assert (tmp_path / "ended").exists()


async def test_a_private_server_that_fails_says_why(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stub_server(tmp_path, "import sys\nsys.exit('the disk is full')\n")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    with pytest.raises(ChildError, match="the disk is full"):
        async with child_server(tmp_path / "data"):
            raise AssertionError("it never listened")
