"""The lobby over real sockets: rooms and seats, options, entropy, hosts that are gone."""

import hashlib

import pytest

from builders.fakeclock import FakeClock
from builders.players import SCENARIO, Player, created, seated
from builders.records import read_record
from builders.venues import Venue
from builders.wires import Talker, asked_plainly
from sunglare_protocol.ids import MatchId, Side
from sunglare_protocol.messages import (
    AddBot,
    Create,
    Created,
    Info,
    Join,
    Leave,
    News,
    Ping,
    Pong,
    Ready,
    Resume,
    Reveal,
    RoomState,
    Seated,
    SeatState,
)
from sunglare_protocol.refusals import Code
from sunglare_server.app import App

NORMAL = 1000
NOWHERE = MatchId("a" * 26)
A, B = Side("A"), Side("B")
MINUTE_MS = 60_000


async def test_a_room_is_listed_told_of_and_named(venue: Venue) -> None:
    anna, boris = await venue.named("anna", "boris")
    match = await created(anna, title="  A quiet e\u0301vening ")
    (line,) = (await boris.listed()).open
    told = await boris.info(match)
    assert line.title == "A quiet \u00e9vening"
    assert (line.match, line.scenario, line.state) == (match, SCENARIO, RoomState.LOBBY)
    assert line.clock == "test"
    assert [seat.state for seat in line.seats] == [SeatState.FREE, SeatState.FREE]
    assert told.line == line
    assert (told.card.name, told.card.sides) == (SCENARIO, (A, B))
    assert told.card.options["clock"] == "test"
    assert set(told.card.zones) == {A, B}


async def test_a_private_room_is_found_by_its_code_alone(venue: Venue) -> None:
    anna, boris = await venue.some(2)
    room = await anna.expect(Created, Create, scenario=SCENARIO, private=True)
    assert room.code is not None
    everything = await boris.listed()
    assert (everything.open, everything.running, everything.mine) == ((), (), ())
    assert await boris.fault(Join, code="nocode") == (Code.MATCH_UNKNOWN, "$.code")
    # As it is said over a telephone.
    spoken = room.code.replace("-", "").upper()
    taken = await boris.expect(Seated, Join, code=spoken)
    assert (taken.match, taken.side) == (room.match, A)
    assert [line.match for line in (await anna.listed()).mine] == [room.match]
    assert [line.match for line in (await boris.listed()).mine] == [room.match]
    assert (await boris.listed()).open == ()


async def test_seats_are_taken_once_and_the_match_starts_when_all_are_ready(venue: Venue) -> None:
    anna, boris, third = await venue.some(3)
    match = await created(anna)
    left = await seated(anna, match, "B")
    assert left.side == B
    taken = await boris.refused(Join, match=match, side="B")
    assert (taken.code, taken.at, taken.choices) == (Code.SEAT_TAKEN, "$.side", (A,))
    assert await boris.code(Join, match=match, side="C") is Code.SEAT_TAKEN
    await anna.ready(match)
    right = await seated(boris, match)
    assert right.side == A
    assert await third.code(Join, match=match) is Code.SEAT_TAKEN
    assert await third.code(Ready, match=match) is Code.SEAT_NONE
    await anna.accepted(Ready, match=match, on=False)
    await boris.ready(match)
    assert [seat.ready for seat in (await third.info(match)).line.seats] == [True, False]
    assert (await anna.info(match)).line.your_turn
    await anna.ready(match)
    for player in (left, right):
        assert (await player.frame()).seq == 1
    assert await third.code(Join, match=match) is Code.MATCH_STARTED
    assert await anna.code(Leave, match=match) is Code.MATCH_STARTED
    assert await anna.code(Ready, match=match) is Code.MATCH_STARTED
    told = [news.text for news in anna.every(News)]
    (line,) = (await third.listed()).running
    assert told == ["ready", "joined", "not ready", "ready", "ready"]
    assert (line.match, line.state) == (match, RoomState.RUNNING)


async def test_who_leaves_gives_up_seat_and_ticket_and_may_come_again(venue: Venue) -> None:
    anna, boris, thief = await venue.some(3)
    match = await created(anna)
    first = await seated(anna, match, "A")
    await anna.leave(match)
    second = await seated(boris, match, "A")
    for talker in (anna, thief):
        assert await talker.code(Resume, match=match, ticket=first.ticket) is Code.TICKET_BAD
    again = await seated(anna, match, "B")
    await anna.ready(match)
    await boris.ready(match)
    assert (await again.frame()).view.stage == (await second.frame()).view.stage


async def test_a_host_without_a_seat_closes_the_room_by_leaving(venue: Venue) -> None:
    anna, boris, third = await venue.some(3)
    match = await created(anna)
    await seated(boris, match)
    assert await third.code(Leave, match=match) is Code.SEAT_NONE
    await anna.leave(match)
    await boris.told("closed")
    assert await boris.code(Info, match=match) is Code.MATCH_UNKNOWN
    assert (await third.listed()).open == ()


async def test_whose_room_was_closed_may_sit_elsewhere(venue: Venue) -> None:
    anna, boris = await venue.some(2)
    match = await created(anna)
    await seated(boris, match)
    await anna.leave(match)
    await boris.told("closed")
    assert (await seated(boris, await created(anna))).side == A


async def test_a_server_holds_no_more_matches_than_it_may(venue: Venue) -> None:
    await venue.open(matches=2)
    anna = await venue.one()
    match = await created(anna)
    await created(anna)
    assert await anna.code(Create, scenario=SCENARIO) is Code.SERVER_FULL
    await anna.leave(match)
    await created(anna)


@pytest.mark.parametrize("kind", [Info, Join, Ready, Leave])
async def test_what_is_no_match_is_unknown(venue: Venue, kind: type) -> None:
    anna = await venue.one()
    assert await anna.fault(kind, match=NOWHERE) == (Code.MATCH_UNKNOWN, "$.match")


async def test_scenarios_options_and_bots_are_refused_by_name(venue: Venue) -> None:
    anna = await venue.one()
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
        told = await anna.fault(Create, scenario=SCENARIO, options={name: value})
        assert told == (Code.OPTION_VALUE, f"$.options.{name}")
    match = await created(anna)
    assert await anna.code(AddBot, match=match, name="nobody") is Code.BOT_UNKNOWN
    assert (await anna.listed()).open[0].match == match


# --- entropy


def labelled(label: bytes, *parts: bytes) -> bytes:
    """Return the hash of a label and its parts, each preceded by its length in 8 bytes."""
    counted = [len(part).to_bytes(8, "big") + part for part in (label, *parts)]
    return hashlib.blake2b(b"".join(counted), digest_size=32).digest()


async def pledged(talker: Talker, match: MatchId, entropy: bytes) -> Seated:
    """Take a seat with a pledge of this entropy."""
    pledge = labelled(b"sunglare pledge", entropy).hex()
    return await talker.expect(Seated, Join, match=match, pledge=pledge)


async def test_a_match_waits_for_the_entropy_that_was_pledged(venue: Venue) -> None:
    ours, theirs = b"a" * 32, b"b" * 16
    anna, boris = await venue.some(2)
    match = await created(anna)
    left = await pledged(anna, match, ours)
    right = await pledged(boris, match, theirs)
    assert left.commitment == right.commitment
    for talker in (anna, boris):
        await talker.ready(match)
    for talker in (anna, boris):
        await talker.told("reveal")
    for wrong in (theirs.hex(), "", "no digits", "00" * 64):
        told = await anna.fault(Reveal, match=match, entropy=wrong)
        assert told == (Code.SEAT_PLEDGE, "$.entropy")
    await anna.reveal(match, ours)
    await boris.reveal(match, theirs)
    player = Player(anna, left)
    await player.frame()
    await anna.resign(match)
    over = await player.over()
    opened = read_record(await anna.record(match)).maps[0]["b"]
    seed = bytes.fromhex(over.seed)
    assert [seat["entropy"] for seat in opened["seats"]] == [ours, theirs]
    assert opened["server_seed"] == seed
    assert left.commitment == labelled(b"sunglare commitment", seed).hex()


async def test_who_pledged_nothing_has_nothing_to_reveal(venue: Venue) -> None:
    anna = await venue.one()
    match = await created(anna)
    await seated(anna, match)
    assert await anna.code(Reveal, match=match, entropy="00") is Code.SEAT_PLEDGE


# --- beside the game


@pytest.mark.parametrize(
    ("path", "status", "body"),
    [
        ("/healthz", b"200", b"ok\n"),
        ("/healthz?verbose", b"200", b"ok\n"),
        ("/health", b"404", b"The game is played at /play.\n"),
        ("/play/../etc/passwd", b"404", b"The game is played at /play.\n"),
    ],
)
async def test_plain_requests_get_health_and_nothing_else(
    app: App, path: str, status: bytes, body: bytes
) -> None:
    answer = await asked_plainly(app.url, path)
    assert answer.split()[1] == status
    assert answer.endswith(b"\r\n\r\n" + body)
    assert b"websockets" not in answer


async def test_ping_tells_the_time_of_the_server(venue: Venue) -> None:
    clock = FakeClock(1_234_550)
    await venue.open(clock)
    talker = await venue.unknown()
    assert (await talker.expect(Pong, Ping)).time_ms == 1_234_550
