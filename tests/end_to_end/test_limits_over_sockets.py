"""Limits of what a connection, an address and an account may do: each is told, and holds."""

import asyncio
from typing import Any

import pytest

from builders.players import SCENARIO, created, seated, started
from builders.venues import Venue
from builders.wires import WAIT_S, Kind, Talker, dialled
from sunglare_client import Seat, connect
from sunglare_protocol.messages import (
    PROTOCOL_VERSION,
    Accepted,
    AddBot,
    Bye,
    Create,
    Created,
    Forget,
    Hello,
    Info,
    Join,
    Leave,
    ListMatches,
    Ping,
    Pong,
    Refused,
    Rematch,
    Resume,
    Resumed,
    Seated,
    Welcome,
)
from sunglare_protocol.refusals import Code
from sunglare_server.gateway.rate_limits import BURST_S, COSTS, HINT_STEP_MS, OFFENCES

POLICY = 1008
NOW_MS = 1_000_000


async def too_soon(talker: Talker, kind: Kind, /, **fields: object) -> int:
    """Check that a command came too soon and return after how many ms it may come again."""
    refused = await talker.refused(kind, **fields)
    assert (refused.code, refused.at) == (Code.MESSAGE_BUSY, "$")
    assert refused.retry_ms > 0
    assert refused.retry_ms % HINT_STEP_MS == 0
    return refused.retry_ms


async def test_one_message_too_many_is_refused_and_taken_after_the_wait_that_was_told(
    venue: Venue,
) -> None:
    clock = await venue.still(message_rate=2)
    talker = await venue.one()
    for _ in range(2 * BURST_S - 1):
        await talker.ping()
    wait_ms = await too_soon(talker, Ping)
    assert wait_ms == 500
    clock.advance(wait_ms - 1)
    await too_soon(talker, Ping)
    clock.advance(1)
    await talker.ping()


async def test_whoever_goes_on_with_too_many_messages_is_closed(venue: Venue) -> None:
    await venue.still(message_rate=1)
    other, talker = await venue.some(2)
    for number in range(BURST_S + OFFENCES.burst):
        await talker.send(Ping(id=number + 2))
    assert await talker.wait_closed() == POLICY
    assert talker.farewell is Code.MESSAGE_BUSY
    assert len(talker.every(Refused)) == OFFENCES.burst + 1
    await other.ping()


async def test_a_client_that_waits_as_it_is_told_is_never_closed(venue: Venue) -> None:
    clock = await venue.still(message_rate=1)
    talker = await venue.one()
    for _ in range(OFFENCES.burst + BURST_S):
        if isinstance(refused := await talker.ask(Ping), Refused):
            clock.advance(refused.retry_ms)
            await talker.ping()


async def test_what_makes_more_work_costs_more(venue: Venue) -> None:
    cost = COSTS[ListMatches]
    clock = await venue.still(message_rate=cost)
    talker = await venue.one()
    for _ in range(BURST_S):
        await talker.listed()
    await too_soon(talker, Ping)
    clock.advance(1_000)
    await talker.listed()
    await too_soon(talker, Ping)


async def test_the_connections_of_one_address_share_what_it_may_send(venue: Venue) -> None:
    clock = await venue.still(address_rate=4)
    first, second = await venue.some(2)
    for _ in range(2 * BURST_S - 1):
        await first.ping()
        await second.ping()
    await too_soon(first, Ping)
    await too_soon(second, Ping)
    clock.advance(250)
    await second.ping()
    await too_soon(first, Ping)


async def test_malformed_messages_count_as_well(venue: Venue) -> None:
    await venue.still(message_rate=1)
    talker = await venue.unknown()
    for _ in range(BURST_S + 1):
        await talker.send_raw(b"\xc1")
    codes = [(await talker.nth(number, Refused)).code for number in range(BURST_S + 1)]
    assert codes == [Code.MESSAGE_MALFORMED] * BURST_S + [Code.MESSAGE_BUSY]


async def test_codes_of_private_matches_cannot_be_tried_at_will(venue: Venue) -> None:
    clock = await venue.still(guesses=3)
    host, guesser = await venue.some(2)
    made = await host.expect(Created, Create, scenario=SCENARIO, private=True)
    for number in range(3):
        assert await guesser.code(Join, code=f"wrong{number}") is Code.MATCH_UNKNOWN
    # Right or wrong makes no difference any more.
    assert await too_soon(guesser, Join, code=made.code) == 20_000
    assert await too_soon(guesser, Join, code="wrong") == 20_000
    clock.advance(20_000)
    await guesser.expect(Seated, Join, code=made.code)


async def test_an_account_guesses_no_more_codes_from_many_addresses_than_from_one(
    venue: Venue,
) -> None:
    clock = await venue.still(guesses=3, **BEHIND)
    host = await venue.one()
    made = await host.expect(Created, Create, scenario=SCENARIO, private=True)
    first = await venue.one(address="2001:db8::1")
    lines = [
        await venue.one(token=first.token, address=f"2001:db8:0:{number}::1")
        for number in range(1, 4)
    ]
    for line in lines:
        assert await line.code(Join, code="wrong") is Code.MATCH_UNKNOWN
    assert await too_soon(lines[0], Join, code=made.code) == 20_000
    # Another account at the same address has guessed nothing.
    other = await venue.one(address="2001:db8:0:1::2")
    taken = await other.expect(Seated, Join, code=made.code)
    await other.leave(taken.match)
    clock.advance(20_000)
    await lines[0].expect(Seated, Join, code=made.code)


async def test_right_codes_are_no_guesses(venue: Venue) -> None:
    await venue.still(guesses=1)
    host = await venue.one()
    made = await host.expect(Created, Create, scenario=SCENARIO, private=True)
    for _ in range(4):
        await host.expect(Seated, Join, code=made.code)
        await host.leave(made.match)


async def test_a_code_beside_an_open_match_is_not_looked_at(venue: Venue) -> None:
    host, guesser = await venue.some(2)
    private = await host.expect(Created, Create, scenario=SCENARIO, private=True)
    public = await created(guesser)
    taken = await guesser.expect(Seated, Join, match=public, code=private.code)
    assert taken.match == public


async def test_wrong_tokens_end_the_connection_and_right_ones_are_welcome_all_the_time(
    venue: Venue,
) -> None:
    await venue.still(guesses=2)
    anna = await venue.one()
    async with dialled(venue.app.url) as guesser:
        for number in range(2):
            wrong: dict[str, Any] = {"v": PROTOCOL_VERSION, "token": f"wrong {number}"}
            assert await guesser.code(Hello, **wrong) is Code.HELLO_TOKEN
        await guesser.send(Hello(id=9, v=PROTOCOL_VERSION, token="wrong again"))
        assert await guesser.wait_closed() == POLICY
        assert isinstance(guesser.messages[-1], Bye)
    again = await venue.one(token=anna.token)
    await again.ping()


async def test_wrong_tickets_end_the_connection_and_right_ones_open_the_seat(venue: Venue) -> None:
    await venue.still(guesses=2)
    anna = await venue.one()
    player = await seated(anna, await created(anna))
    thief, back = await venue.some(2)
    for number in range(2):
        wrong = {"match": player.match, "ticket": f"wrong {number}"}
        assert await thief.code(Resume, **wrong) is Code.TICKET_BAD
    await thief.send(Resume(id=9, match=player.match, ticket="wrong again"))
    assert await thief.wait_closed() == POLICY
    await back.expect(Resumed, Resume, match=player.match, ticket=player.ticket)


async def test_one_address_makes_only_so_many_people_and_matches(venue: Venue) -> None:
    clock = await venue.still(openings=2)
    anna = await venue.one()
    other = await venue.unknown()
    await created(anna)
    assert await too_soon(anna, Create, scenario=SCENARIO) == 30_000
    assert await too_soon(other, Hello, v=PROTOCOL_VERSION) == 30_000
    await other.expect(Welcome, Hello, v=PROTOCOL_VERSION, token=anna.token)
    clock.advance(30_000)
    await created(anna)


async def test_a_person_has_only_so_many_open_matches(venue: Venue) -> None:
    await venue.open(matches_per_account=2)
    anna, boris = await venue.some(2)
    first, _ = [await created(anna) for _ in range(2)]
    assert await anna.code(Create, scenario=SCENARIO) is Code.MATCH_MANY
    await created(boris)
    await anna.leave(first)
    await created(anna)


BEHIND: dict[str, Any] = {"trusted_proxy": ("127.0.0.1",)}
ONE, OTHER = "198.51.100.1", "2001:db8::7"


async def test_the_accounts_of_one_address_share_its_open_matches(venue: Venue) -> None:
    await venue.open(rooms_per_address=2, **BEHIND)
    anna, boris, clara = [await venue.one(address=address) for address in (ONE, ONE, OTHER)]
    first, _ = await created(anna), await created(boris)
    assert await boris.code(Create, scenario=SCENARIO) is Code.ADDRESS_MATCHES
    await created(clara)
    await anna.leave(first)
    await created(boris)


async def test_one_address_cannot_fill_the_server(venue: Venue) -> None:
    await venue.open(matches=6, rooms_per_address=3, **BEHIND)
    crowd = await venue.some(5, address=ONE)
    codes = [
        await talker.code(Create, scenario=SCENARIO)
        for talker in crowd
        if isinstance(await talker.ask(Create, scenario=SCENARIO), Refused)
    ]
    assert codes == [Code.ADDRESS_MATCHES] * 2
    await created(await venue.one(address=OTHER))


async def test_a_running_match_counts_for_the_address_that_opened_it_until_it_is_over(
    venue: Venue,
) -> None:
    app = await venue.open(rooms_per_address=1, **BEHIND)
    anna, boris = [await venue.one(address=address) for address in (ONE, OTHER)]
    left, _ = await started([anna, boris])
    assert await anna.code(Create, scenario=SCENARIO) is Code.ADDRESS_MATCHES
    await created(boris)
    await anna.resign(left.match)
    await left.over()
    # The room goes once the end is on disk.
    async with asyncio.timeout(WAIT_S):
        while left.match in app.lobby.rooms:  # noqa: ASYNC110
            await asyncio.sleep(0.01)
    await created(anna)


async def test_a_rematch_counts_for_the_address_whose_wish_was_the_last(venue: Venue) -> None:
    await venue.open(rooms_per_address=1, **BEHIND)
    anna, boris = [await venue.one(address=address) for address in (ONE, OTHER)]
    left, _ = await started([anna, boris])
    await anna.resign(left.match)
    await left.over()
    await anna.accepted(Rematch, match=left.match)
    await boris.accepted(Rematch, match=left.match)
    assert await boris.code(Create, scenario=SCENARIO) is Code.ADDRESS_MATCHES
    await created(anna)


async def test_the_accounts_of_one_address_share_its_house_bots(venue: Venue) -> None:
    await venue.open(bots=("lurker",), bots_per_address=1, **BEHIND)
    anna, boris, clara = [await venue.one(address=address) for address in (ONE, ONE, OTHER)]
    rooms = {talker: await created(talker) for talker in (anna, boris, clara)}
    bot = {"name": "lurker"}
    await anna.accepted(AddBot, match=rooms[anna], **bot)
    assert await boris.code(AddBot, match=rooms[boris], **bot) is Code.ADDRESS_BOTS
    await clara.accepted(AddBot, match=rooms[clara], **bot)


async def test_house_bots_asked_for_at_once_are_counted_before_they_run(venue: Venue) -> None:
    await venue.open(bots=("lurker",), bots_per_address=2)
    crowd = await venue.some(4)
    rooms = [await created(talker) for talker in crowd]
    asked = [t.ask(AddBot, match=m, name="lurker") for t, m in zip(crowd, rooms, strict=True)]
    answers = await asyncio.gather(*asked)
    codes = [answer.code for answer in answers if isinstance(answer, Refused)]
    assert codes == [Code.ADDRESS_BOTS] * 2


async def test_the_account_of_a_house_bot_counts_as_one_that_its_asker_made(venue: Venue) -> None:
    await venue.still(bots=("lurker",), openings=2)
    anna = await venue.one()
    match = await created(anna)
    assert await too_soon(anna, AddBot, match=match, name="lurker") == 30_000


async def test_whoever_is_told_to_wait_learns_nothing_of_a_match(venue: Venue) -> None:
    await venue.still(message_rate=1)
    host, talker = await venue.some(2)
    match = await created(host)
    for _ in range(BURST_S - 1):
        await talker.ping()
    told = [await talker.refused(Info, match=named) for named in (match, "nowhere")]
    told += [await talker.refused(Join, match=match), await talker.refused(Forget)]
    assert len({(said.code, said.text, said.at, said.retry_ms) for said in told}) == 1


async def test_our_client_waits_and_sends_again_by_itself(venue: Venue) -> None:
    app = await venue.open(message_rate=4)
    async with await connect(app.url) as connection:
        pongs = [await connection.expect(Pong, Ping) for _ in range(4 * BURST_S + 2)]
        assert len({pong.id for pong in pongs}) == len(pongs)


async def test_a_seat_of_our_library_gets_everything_through(venue: Venue) -> None:
    app = await venue.open(message_rate=4)
    host = await venue.one()
    async with (
        await connect(app.url) as connection,
        await Seat.join(connection, match=await created(host)) as seat,
    ):
        for _ in range(2 * BURST_S):
            await seat.ready()
            await seat.ready(on=False)


async def test_no_more_house_bots_run_than_the_server_may_start(venue: Venue) -> None:
    await venue.open(bots=("lurker",), bots_at_once=0)
    anna = await venue.one()
    match = await created(anna)
    assert await anna.code(AddBot, match=match, name="lurker") is Code.BOT_MANY
    assert await anna.code(AddBot, match=match, name="nobody") is Code.BOT_UNKNOWN
    # The seat is still free.
    await seated(anna, match)


@pytest.mark.parametrize("field", ["message_rate", "address_rate"])
async def test_a_limit_of_one_a_second_still_lets_a_match_be_joined(
    venue: Venue, field: str
) -> None:
    wish: dict[str, Any] = {field: 1}
    clock = await venue.still(**wish)
    anna = await venue.one()
    clock.advance(60_000)
    match = await created(anna)
    clock.advance(60_000)
    player = await seated(anna, match)
    clock.advance(60_000)
    await anna.expect(Accepted, Leave, match=player.match)
