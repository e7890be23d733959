"""How much may be played at once, over the wire: seats, house bots on the ladder, waits."""

import asyncio
from typing import Any

import pytest

from builders.players import SCENARIO, Player, created, seated, started
from builders.ratedmatches import WAIT_S
from builders.ratedresults import CERES
from builders.venues import Venue
from builders.wires import Talker
from sunglare_protocol.ids import MatchId
from sunglare_protocol.messages import (
    AddBot,
    Create,
    Created,
    Join,
    Leave,
    Queued,
    QuickMatch,
    Refused,
    Rematch,
    Resume,
    Resumed,
    Seated,
    Unquick,
)
from sunglare_protocol.refusals import SENTENCES, Code
from sunglare_server.app import App
from sunglare_server.matchmaking.queue import SILENT_MS

BEHIND: dict[str, Any] = {"trusted_proxy": ("127.0.0.1",)}
ONE, OTHER = "198.51.100.1", "2001:db8::7"
RATED: dict[str, Any] = {"scenario": SCENARIO, "rated": True, "options": {"clock": "standard"}}


async def sitting(venue: Venue, number: int, **wish: Any) -> list[Talker]:
    """Return the lines of one account that sits in so many rooms, and one more of its lines."""
    first = await venue.one("Anna")
    lines = [first, *[await venue.one(token=first.token) for _ in range(number)]]
    for line in lines[:-1]:
        await seated(line, await created(line, **wish))
    return lines


async def waits(talker: Talker) -> bool:
    return (await talker.expect(Queued, QuickMatch, family=CERES)).match is None


async def test_an_account_sits_in_so_many_matches_and_no_more(venue: Venue) -> None:
    await venue.open(seats_per_account=2)
    _, _, more = await sitting(venue, 2)
    boris = await venue.one("Boris")
    match = await created(boris)
    refused = await more.refused(Join, match=match)
    assert (refused.code, refused.text) == (Code.SEAT_MANY, SENTENCES[Code.SEAT_MANY])
    await seated(boris, match)


async def test_whoever_gives_a_seat_back_may_take_another(venue: Venue) -> None:
    await venue.open(seats_per_account=1)
    held, more = await sitting(venue, 1)
    match = await created(await venue.one())
    assert await more.code(Join, match=match) is Code.SEAT_MANY
    await held.accepted(Leave, match=held.every(Seated)[0].match)
    await seated(more, match)


async def test_a_match_that_is_over_counts_no_more(venue: Venue) -> None:
    app = await venue.open(seats_per_account=1)
    anna, boris = await venue.named("Anna", "Boris")
    players = await started([anna, boris])
    other = await created(await venue.one())
    again = await venue.one(token=anna.token)
    assert await again.code(Join, match=other) is Code.SEAT_MANY
    await ended(app, boris, players[0])
    await seated(again, other)


async def ended(app: App, loser: Talker, winner: Player) -> None:
    """Have somebody give up, and wait until the end is on disk and the room is gone."""
    await loser.resign(winner.match)
    await winner.over()
    async with asyncio.timeout(WAIT_S):
        while winner.match in app.lobby.rooms:  # noqa: ASYNC110
            await asyncio.sleep(0.01)


async def test_a_seat_of_a_match_that_runs_is_taken_again_by_whoever_may_sit_in_no_other(
    venue: Venue,
) -> None:
    await venue.open(seats_per_account=1)
    players = await venue.duel()
    match = players[0].match
    again, once_more = [await venue.one(token=players[0].talker.token) for _ in range(2)]
    await again.expect(Resumed, Resume, match=match, ticket=players[0].ticket, have=0)
    await once_more.expect(Resumed, Join, match=match)


async def test_a_rematch_that_one_has_wished_is_no_seat_until_it_is_taken(venue: Venue) -> None:
    app = await venue.open(seats_per_account=1)
    anna, boris = await venue.named("Anna", "Boris")
    players = await started([anna, boris])
    await ended(app, boris, players[0])
    for talker in (anna, boris):
        await talker.accepted(Rematch, match=players[0].match)
    again = await venue.one(token=anna.token)
    await seated(again, await created(again))


async def test_whoever_may_sit_in_no_other_match_does_not_wait_for_one(venue: Venue) -> None:
    await venue.open(seats_per_account=1)
    _, more = await sitting(venue, 1)
    assert await more.code(QuickMatch, family=CERES) is Code.SEAT_MANY


async def rated(talker: Talker) -> MatchId:
    """Open a rated room."""
    return (await talker.expect(Created, Create, **RATED)).match


async def bot_code(talker: Talker, match: MatchId, name: str) -> Code:
    return await talker.code(AddBot, match=match, name=name)


async def test_so_many_house_bots_play_on_the_ladder_and_no_more(venue: Venue) -> None:
    await venue.open(bots=("lurker", "random"), rated_bots=1)
    anna, boris = await venue.named("Anna", "Boris")
    first, second = await rated(anna), await rated(boris)
    await anna.accepted(AddBot, match=first, name="lurker")
    assert await bot_code(boris, second, "lurker") is Code.RATED_BOTS
    unrated = await created(boris)
    await boris.accepted(AddBot, match=unrated, name="lurker")
    await anna.accepted(Leave, match=first)
    await boris.accepted(AddBot, match=second, name="random")


@pytest.mark.parametrize("bound", ["rated_bots", "bots_at_once"])
async def test_whoever_waits_while_no_house_bot_may_be_seated_waits_on(
    venue: Venue, bound: str
) -> None:
    clock = await venue.still(bots=("lurker",), quick_bots_s=1, **{bound: 1})
    anna, boris = await venue.named("Anna", "Boris")
    match = await rated(anna)
    await anna.accepted(AddBot, match=match, name="lurker")
    assert await waits(boris)
    clock.advance(SILENT_MS)
    assert await waits(boris)
    carl = await venue.one("Carl")
    assert not await waits(carl)
    assert not await waits(boris)


async def test_so_many_wait_for_a_quick_match_and_no_more(venue: Venue) -> None:
    await venue.still(quick_waiting=1)
    anna, boris = await venue.named("Anna", "Boris")
    assert await waits(anna)
    assert await boris.code(QuickMatch, family="redondo") is Code.QUICK_MANY
    assert await waits(anna)
    await anna.accepted(Unquick)
    assert await waits(boris)


async def test_the_accounts_of_one_address_share_its_waits(venue: Venue) -> None:
    clock = await venue.still(quick_per_address=1, **BEHIND)
    anna, boris, clara = [await venue.one(address=address) for address in (ONE, ONE, OTHER)]
    assert await waits(anna)
    assert await boris.code(QuickMatch, family="redondo") is Code.ADDRESS_QUICK
    assert (await clara.expect(Queued, QuickMatch, family="redondo")).match is None
    clock.advance(SILENT_MS + 1)
    assert await waits(boris)


async def test_waits_that_are_asked_for_at_once_are_counted_each(venue: Venue) -> None:
    await venue.still(quick_waiting=2)
    crowd = await venue.some(5)
    families = (CERES, "redondo", "picket-line", "four-corners", "blip-parade")
    asked = [
        talker.ask(QuickMatch, family=family)
        for talker, family in zip(crowd, families, strict=True)
    ]
    codes = [told.code for told in await asyncio.gather(*asked) if isinstance(told, Refused)]
    assert codes == [Code.QUICK_MANY] * 3
