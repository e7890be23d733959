"""Another token for an account, over real sockets: the old one opens nothing, nor what it gave."""

import asyncio
from collections.abc import Sequence

from builders.players import Player, play_on
from builders.venues import Venue
from builders.wires import Talker, dialled
from sunglare_protocol.messages import (
    PROTOCOL_VERSION,
    Accepted,
    Bye,
    Hello,
    Listing,
    Renew,
    Resume,
    Resumed,
)
from sunglare_protocol.refusals import Code
from sunglare_server.app import App
from sunglare_server.ports.store import hash_of

NEW = "n" * 43
ORDINARY = 1000


async def renewed(talker: Talker, token: str = NEW) -> None:
    """Give an account another token, with which its connections end."""
    await talker.accepted(Renew, token_hash=hash_of(token))
    assert await ends(talker) is Code.HELLO_TOKEN


async def ends(talker: Talker) -> Code:
    """Wait for the end of a connection, and return what its farewell said."""
    assert await talker.wait_closed() == ORDINARY
    assert isinstance(talker.messages[-1], Bye)
    return talker.messages[-1].code


async def refusal(url: str, token: str) -> Code:
    """Return why nobody is let in by a token."""
    async with dialled(url) as stranger:
        return await stranger.code(Hello, v=PROTOCOL_VERSION, token=token)


async def ended_duel(venue: Venue) -> Sequence[Player]:
    """Return the seats of a match that is over and stored."""
    anna, boris = await venue.duel()
    await anna.resign()
    for player in (anna, boris):
        await player.over()
    async with asyncio.timeout(10):
        while anna.match in venue.app.lobby.rooms:  # noqa: ASYNC110 - nothing tells of it
            await asyncio.sleep(0.01)
    return anna, boris


async def test_the_new_token_is_the_account_and_the_old_one_is_nobody(venue: Venue) -> None:
    anna = await venue.one("anna")
    await renewed(anna)
    assert anna.messages[-2] == Accepted(id=anna.messages[-2].id)  # type: ignore[union-attr]
    assert await refusal(venue.app.url, anna.token) is Code.HELLO_TOKEN
    again = await venue.one(token=NEW)
    assert again.welcome is not None
    assert again.welcome.name == "anna"


async def test_every_other_connection_of_the_account_ends_and_no_one_elses(venue: Venue) -> None:
    anna, boris = await venue.named("anna", "boris")
    others = [await venue.one(token=anna.token) for _ in range(3)]
    await renewed(anna)
    assert [await ends(other) for other in others] == [Code.HELLO_TOKEN] * 3
    await boris.listed(Listing.MINE)


async def test_the_tickets_of_its_seats_open_nothing_and_the_account_has_them(
    venue: Venue,
) -> None:
    past, _ = await ended_duel(venue)
    live, foe = await venue.duel()
    for player in (past, live):
        thief = await venue.one()
        token = NEW + player.match
        await renewed(player.talker, token)
        shown = {"match": player.match, "ticket": player.ticket}
        assert await thief.fault(Resume, **shown) == (Code.TICKET_BAD, "$.ticket")
        again = await venue.one(token=token)
        taken = await again.expect(Resumed, Resume, match=player.match)
        assert taken.side == player.side
        # The ticket that comes with that is good.
        third = await venue.one()
        await third.expect(Resumed, Resume, match=player.match, ticket=taken.ticket)
    # The other seat keeps its own.
    assert (await foe.resume(await venue.one())).side == foe.side


async def test_a_connection_that_holds_its_seat_by_a_ticket_is_ended(venue: Venue) -> None:
    anna, boris = await venue.duel()
    await play_on([anna, boris], 2)
    owner = await venue.one(token=anna.talker.token)
    thief = await venue.one()
    await anna.resume(thief)
    await renewed(owner)
    assert await ends(thief) is Code.TICKET_BAD
    again = await venue.one(token=NEW)
    assert (await again.expect(Resumed, Resume, match=anna.match)).side == anna.side


async def test_asking_again_with_the_same_hash_changes_nothing(venue: Venue) -> None:
    anna = await venue.one("anna")
    await renewed(anna)
    other = await venue.one(token=NEW)
    await renewed(await venue.one(token=NEW))
    await other.listed(Listing.MINE)
    assert (await venue.one(token=NEW)).token == NEW


async def test_a_hash_that_is_another_accounts_is_refused_and_nothing_ends(venue: Venue) -> None:
    anna, boris = await venue.named("anna", "boris")
    refused = await anna.fault(Renew, token_hash=hash_of(boris.token))
    assert refused == (Code.HELLO_TOKEN, "$.token_hash")
    await venue.one(token=anna.token)
    for wrong in ("", "x" * 64, hash_of(NEW).upper(), NEW):
        fault = await anna.fault(Renew, token_hash=wrong)
        assert fault == (Code.MESSAGE_MALFORMED, "$.token_hash")


async def test_while_nothing_can_be_written_the_old_token_stays_good(venue: Venue) -> None:
    anna = await venue.one("anna")
    await writes(venue.app, on=False)
    assert await anna.code(Renew, token_hash=hash_of(NEW)) is Code.SERVER_JOURNAL
    await writes(venue.app, on=True)
    assert (await venue.one(token=anna.token)).token == anna.token
    await renewed(anna)


async def test_a_new_token_outlives_the_server(venue: Venue) -> None:
    anna = await venue.one("anna")
    await renewed(anna)
    await venue.close()
    again = await venue.one(token=NEW)
    assert again.welcome is not None
    assert again.welcome.name == "anna"
    assert await refusal(venue.app.url, anna.token) is Code.HELLO_TOKEN


async def writes(app: App, *, on: bool) -> None:
    """Let the database take writes, or refuse each as a full disk would."""
    assert app.storage.database is not None
    await app.storage.database.query(f"PRAGMA query_only = {'OFF' if on else 'ON'}")
