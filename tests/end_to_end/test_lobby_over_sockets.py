"""The lobby over real sockets: rooms and seats, options, entropy, hosts that are gone."""

import asyncio
import contextlib
import hashlib
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from builders.players import SCENARIO, Player, created, seated
from builders.records import read_record
from builders.servers import running_app
from builders.wires import WAIT_S, Talker, dialled, met
from sunglare_protocol.ids import MatchId, Side
from sunglare_protocol.messages import (
    AddBot,
    Create,
    Created,
    Info,
    Join,
    Leave,
    ListMatches,
    Matches,
    MatchInfo,
    News,
    Ping,
    Pong,
    Ready,
    Resign,
    Resume,
    Reveal,
    RoomState,
    Seated,
    SeatState,
    ServerMessage,
)
from sunglare_protocol.refusals import Code
from sunglare_server.app import App
from sunglare_server.host.clock import FakeClock

NORMAL = 1000
NOWHERE = MatchId("a" * 26)
A, B = Side("A"), Side("B")
MINUTE_MS = 60_000


@pytest.fixture
async def app(tmp_path: Path) -> AsyncIterator[App]:
    async with running_app(tmp_path) as running:
        yield running


async def listed(talker: Talker) -> Matches:
    """Return the list of matches."""
    return await talker.expect(Matches, ListMatches)


async def info(talker: Talker, match: MatchId) -> MatchInfo:
    """Return what is told of a match."""
    return await talker.expect(MatchInfo, Info, match=match)


def is_news(text: str) -> Callable[[ServerMessage], bool]:
    """Return what tells news of this text from the rest."""
    return lambda message: isinstance(message, News) and message.text == text


async def test_a_room_is_listed_told_of_and_named(app: App) -> None:
    async with met(app.url, "anna") as anna, met(app.url, "boris") as boris:
        match = await created(anna, title="  A quiet e\u0301vening ")
        (line,) = (await listed(boris)).open
        told = await info(boris, match)
    assert line.title == "A quiet \u00e9vening"
    assert (line.match, line.scenario, line.state) == (match, SCENARIO, RoomState.LOBBY)
    assert line.clock == "test"
    assert [seat.state for seat in line.seats] == [SeatState.FREE, SeatState.FREE]
    assert told.line == line
    assert (told.card.name, told.card.sides) == (SCENARIO, (A, B))
    assert told.card.options["clock"] == "test"
    assert set(told.card.zones) == {A, B}


async def test_a_private_room_is_found_by_its_code_alone(app: App) -> None:
    async with met(app.url) as anna, met(app.url) as boris:
        room = await anna.expect(Created, Create, scenario=SCENARIO, private=True)
        assert room.code is not None
        everything = await listed(boris)
        assert (everything.open, everything.running, everything.mine) == ((), (), ())
        wrong = await boris.refused(Join, code="nocode")
        assert (wrong.code, wrong.at) == (Code.MATCH_UNKNOWN, "$.code")
        taken = await boris.expect(Seated, Join, code=room.code)
        assert (taken.match, taken.side) == (room.match, A)
        assert [line.match for line in (await listed(anna)).mine] == [room.match]
        assert [line.match for line in (await listed(boris)).mine] == [room.match]
        assert (await listed(boris)).open == ()


async def test_seats_are_taken_once_and_the_match_starts_when_all_are_ready(app: App) -> None:
    async with met(app.url, "anna") as anna, met(app.url) as boris, met(app.url) as third:
        match = await created(anna)
        left = await seated(anna, match, "B")
        assert left.side == B
        taken = await boris.refused(Join, match=match, side="B")
        assert (taken.code, taken.at, taken.choices) == (Code.SEAT_TAKEN, "$.side", (A,))
        assert await boris.code(Join, match=match, side="C") is Code.SEAT_TAKEN
        await anna.accepted(Ready, match=match)
        right = await seated(boris, match)
        assert right.side == A
        assert await third.code(Join, match=match) is Code.SEAT_TAKEN
        assert await third.code(Ready, match=match) is Code.SEAT_NONE
        await anna.accepted(Ready, match=match, on=False)
        await boris.accepted(Ready, match=match)
        assert [seat.ready for seat in (await info(third, match)).line.seats] == [True, False]
        assert (await info(anna, match)).line.your_turn
        await anna.accepted(Ready, match=match)
        for player in (left, right):
            assert (await player.frame()).seq == 1
        assert await third.code(Join, match=match) is Code.MATCH_STARTED
        assert await anna.code(Leave, match=match) is Code.MATCH_STARTED
        assert await anna.code(Ready, match=match) is Code.MATCH_STARTED
        told = [message.text for message in anna.messages if isinstance(message, News)]
        (line,) = (await listed(third)).running
    assert told == ["ready", "joined", "not ready", "ready", "ready"]
    assert (line.match, line.state) == (match, RoomState.RUNNING)


async def test_who_leaves_gives_up_seat_and_ticket_and_may_come_again(app: App) -> None:
    async with met(app.url) as anna, met(app.url) as boris, met(app.url) as thief:
        match = await created(anna)
        first = await seated(anna, match, "A")
        await anna.accepted(Leave, match=match)
        second = await seated(boris, match, "A")
        for talker in (anna, thief):
            refused = await talker.refused(Resume, match=match, ticket=first.ticket)
            assert refused.code is Code.TICKET_BAD
        again = await seated(anna, match, "B")
        await anna.accepted(Ready, match=match)
        await boris.accepted(Ready, match=match)
        assert (await again.frame()).view.stage == (await second.frame()).view.stage


async def test_a_host_without_a_seat_closes_the_room_by_leaving(app: App) -> None:
    async with met(app.url) as anna, met(app.url) as boris, met(app.url) as third:
        match = await created(anna)
        await seated(boris, match)
        assert await third.code(Leave, match=match) is Code.SEAT_NONE
        await anna.accepted(Leave, match=match)
        await boris.wait_for(is_news("closed"))
        assert await boris.code(Info, match=match) is Code.MATCH_UNKNOWN
        assert (await listed(third)).open == ()


async def test_whose_room_was_closed_may_sit_elsewhere(app: App) -> None:
    async with met(app.url) as anna, met(app.url) as boris:
        match = await created(anna)
        await seated(boris, match)
        await anna.accepted(Leave, match=match)
        await boris.wait_for(is_news("closed"))
        assert (await seated(boris, await created(anna))).side == A


async def test_a_server_holds_no_more_matches_than_it_may(tmp_path: Path) -> None:
    async with running_app(tmp_path, matches=2) as app, met(app.url) as anna:
        match = await created(anna)
        await created(anna)
        assert await anna.code(Create, scenario=SCENARIO) is Code.SERVER_FULL
        await anna.accepted(Leave, match=match)
        await created(anna)


@pytest.mark.parametrize("kind", [Info, Join, Ready, Leave])
async def test_what_is_no_match_is_unknown(app: App, kind: type) -> None:
    async with met(app.url) as anna:
        refused = await anna.refused(kind, match=NOWHERE)
    assert (refused.code, refused.at) == (Code.MATCH_UNKNOWN, "$.match")


async def test_scenarios_options_and_bots_are_refused_by_name(app: App) -> None:
    async with met(app.url) as anna:
        scenario = await anna.refused(Create, scenario="chess")
        assert (scenario.code, scenario.at) == (Code.SCENARIO_UNKNOWN, "$.scenario")
        assert SCENARIO in scenario.choices
        option = await anna.refused(Create, scenario=SCENARIO, options={"cheats": True})
        assert (option.code, option.at) == (Code.OPTION_UNKNOWN, "$.options.cheats")
        assert "clock" in option.choices
        for name, value in (
            ("clock", "sundial"),
            ("clock", 5),
            ("omni_delay_turns", -1),
            ("omni_delay_s", "soon"),
            ("omni_delay_turns", True),
        ):
            fault = await anna.refused(Create, scenario=SCENARIO, options={name: value})
            assert (fault.code, fault.at) == (Code.OPTION_VALUE, f"$.options.{name}")
        match = await created(anna)
        assert await anna.code(AddBot, match=match, name="nobody") is Code.BOT_UNKNOWN
        assert (await listed(anna)).open[0].match == match


# --- entropy


def labelled(label: bytes, *parts: bytes) -> bytes:
    """Return the hash of a label and its parts, each preceded by its length in 8 bytes."""
    counted = [len(part).to_bytes(8, "big") + part for part in (label, *parts)]
    return hashlib.blake2b(b"".join(counted), digest_size=32).digest()


async def pledged(talker: Talker, match: MatchId, entropy: bytes) -> Seated:
    """Take a seat with a pledge of this entropy."""
    pledge = labelled(b"sunglare pledge", entropy).hex()
    return await talker.expect(Seated, Join, match=match, pledge=pledge)


async def test_a_match_waits_for_the_entropy_that_was_pledged(app: App) -> None:
    ours, theirs = b"a" * 32, b"b" * 16
    async with met(app.url) as anna, met(app.url) as boris:
        match = await created(anna)
        left = await pledged(anna, match, ours)
        right = await pledged(boris, match, theirs)
        assert left.commitment == right.commitment
        for talker in (anna, boris):
            await talker.accepted(Ready, match=match)
        for talker in (anna, boris):
            await talker.wait_for(is_news("reveal"))
        for wrong in (theirs.hex(), "", "no digits", "00" * 64):
            refused = await anna.refused(Reveal, match=match, entropy=wrong)
            assert (refused.code, refused.at) == (Code.SEAT_PLEDGE, "$.entropy")
        await anna.accepted(Reveal, match=match, entropy=ours.hex())
        await boris.accepted(Reveal, match=match, entropy=theirs.hex())
        player = Player(anna, left)
        await player.frame()
        await anna.accepted(Resign, match=match)
        over = await player.over()
        opened = read_record(await anna.record(match)).maps[0]["b"]
    seed = bytes.fromhex(over.seed)
    assert [seat["entropy"] for seat in opened["seats"]] == [ours, theirs]
    assert opened["server_seed"] == seed
    assert left.commitment == labelled(b"sunglare commitment", seed).hex()


async def test_who_pledged_nothing_has_nothing_to_reveal(app: App) -> None:
    async with met(app.url) as anna:
        match = await created(anna)
        await seated(anna, match)
        assert await anna.code(Reveal, match=match, entropy="00") is Code.SEAT_PLEDGE


# --- beside the game


@pytest.mark.parametrize(
    ("path", "status", "body"),
    [
        ("/healthz", b"200", b"ok\n"),
        ("/healthz?verbose", b"200", b"ok\n"),
        ("/", b"404", b"The game is played at /play.\n"),
        ("/play/../etc/passwd", b"404", b"The game is played at /play.\n"),
    ],
)
async def test_plain_requests_get_health_and_nothing_else(
    app: App, path: str, status: bytes, body: bytes
) -> None:
    where = urlsplit(app.url)
    reader, writer = await asyncio.open_connection(where.hostname, where.port)
    writer.write(f"GET {path} HTTP/1.1\r\nHost: here\r\n\r\n".encode())
    async with asyncio.timeout(WAIT_S):
        answer = await reader.read()
    writer.close()
    with contextlib.suppress(ConnectionError):
        await writer.wait_closed()
    assert answer.split()[1] == status
    assert answer.endswith(b"\r\n\r\n" + body)
    assert b"websockets" not in answer


async def test_ping_tells_the_time_of_the_server(tmp_path: Path) -> None:
    clock = FakeClock(1_234_567)
    async with running_app(tmp_path, clock) as app, dialled(app.url) as talker:
        assert (await talker.expect(Pong, Ping)).time_ms == 1_234_567
