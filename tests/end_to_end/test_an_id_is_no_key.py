"""The id of a private match opens nothing: it takes its code, a seat, a ticket or a grant."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from builders.commandlines import sunglare
from builders.players import (
    Player,
    all_ready,
    finished,
    opened,
    play_on,
    rematch_of,
    seated,
)
from builders.venues import Venue
from builders.watchers import OPEN
from builders.wires import Kind, Talker
from sunglare_protocol.codec import Form, encode_server
from sunglare_protocol.ids import OMNI, PUBLIC, MatchId, Side
from sunglare_protocol.messages import (
    AddBot,
    Create,
    Created,
    FetchRecord,
    From,
    GrantFeed,
    Info,
    Join,
    Leave,
    Listing,
    MatchInfo,
    Ready,
    Rematch,
    Report,
    Resign,
    Resume,
    Reveal,
    RevokeFeed,
    Seated,
    Watch,
    Watching,
)
from sunglare_protocol.refusals import Code

UNKNOWN = MatchId("a" * 26)
WRONG = "wrongs"
OF_A = str(Side("A"))


def asked_about(match: MatchId, code: str | None) -> Iterator[tuple[Kind, dict[str, Any]]]:
    """Yield every message that names a match, each with the code where it can show one."""
    shown = {"match": match, "code": code}
    yield Info, shown
    yield Join, shown
    yield Join, {**shown, "side": "B"}
    yield FetchRecord, shown
    for feed in (PUBLIC, OMNI, OF_A):
        yield Watch, {**shown, "feed": feed}
    yield Create, {"origin": From(match=match, turn=1, code=code)}
    yield Create, {"origin": From(match=match, turn=1, code=code), "rated": True}
    if code is None:
        yield from _without_codes(match)


def _without_codes(match: MatchId) -> Iterator[tuple[Kind, dict[str, Any]]]:
    yield Resume, {"match": match}
    yield Resume, {"match": match, "ticket": "no ticket"}
    for kind in (Leave, Ready, Rematch, Resign):
        yield kind, {"match": match}
    yield Reveal, {"match": match, "entropy": "00"}
    yield AddBot, {"match": match, "name": "random"}
    yield Report, {"match": match, "side": "A", "text": "a word"}
    for granting in (GrantFeed, RevokeFeed):
        yield granting, {"match": match, "name": "nobody here"}


async def answers(talker: Talker, match: MatchId, code: str | None) -> list[bytes]:
    """Return the bytes of the refusals of all that can be asked about a match."""
    told = [await talker.refused(kind, **fields) for kind, fields in asked_about(match, code)]
    return [encode_server(replace(one, id=0), Form.PACKED) for one in told]


async def at_stage(venue: Venue, stage: str) -> tuple[Created, Talker, list[Player]]:
    """Return a private match in its lobby, while it runs, or once it is over, with its host."""
    await venue.open(guesses=1000, bots=("random",))
    host, *talkers = await venue.some(3)
    room = await opened(host, private=True)
    players = [await seated(talker, room.match, code=room.code) for talker in talkers]
    if stage != "lobby":
        await all_ready(players)
    if stage == "over":
        await play_on(players, 2)
        await finished(players)
    return room, host, players


@pytest.mark.parametrize("stage", ["lobby", "running", "over"])
async def test_a_private_match_is_refused_to_a_stranger_in_the_bytes_of_an_unknown_one(
    venue: Venue, stage: str
) -> None:
    room, _, _ = await at_stage(venue, stage)
    stranger = await venue.one()
    for code in (None, WRONG):
        assert await answers(stranger, room.match, code) == await answers(stranger, UNKNOWN, code)
    assert (await stranger.listed()).mine == ()


@pytest.mark.parametrize("stage", ["lobby", "running", "over"])
async def test_the_id_with_the_code_shows_a_private_match(venue: Venue, stage: str) -> None:
    room, _, _ = await at_stage(venue, stage)
    guest = await venue.one()
    shown = {"match": room.match, "code": room.code}
    assert (await guest.expect(MatchInfo, Info, **shown)).line.match == room.match
    other = await venue.one()
    assert (await other.expect(Watching, Watch, feed=PUBLIC, **shown)).match == room.match
    # A connection that has shown a right need not show it again.
    assert (await other.info(room.match)).line.match == room.match
    await other.accepted(Leave, match=room.match)
    if stage != "over":
        assert await guest.code(FetchRecord, **shown) is Code.RECORD_SEALED
        return
    third = await venue.one()
    assert await third.record(room.match, room.code)
    on = From(match=room.match, turn=1, code=room.code)
    fourth = await venue.one()
    # What is shown of it would show the match before.
    again = await fourth.expect(Created, Create, origin=on)
    assert again.code not in (None, room.code)
    assert await guest.fault(Info, match=again.match) == (Code.MATCH_UNKNOWN, "$.match")
    assert [line.match for line in (await guest.listed(Listing.OPEN)).open] == []


@pytest.mark.parametrize("stage", ["lobby", "running", "over"])
async def test_the_host_and_the_seats_of_a_private_match_need_no_code(
    venue: Venue, stage: str
) -> None:
    room, host, players = await at_stage(venue, stage)
    for token in (host.token, *(player.talker.token for player in players)):
        again = await venue.one(token=token)
        assert (await again.info(room.match)).line.match == room.match
        await again.expect(Watching, Watch, match=room.match, feed=PUBLIC)
        if stage == "over":
            assert await again.record(room.match)


async def test_a_ticket_shows_the_match_to_another_account_and_a_grant_until_it_is_taken_back(
    venue: Venue,
) -> None:
    host, anna, boris, other, guest = await venue.named("host", "anna", "boris", "other", "guest")
    room = await opened(host, private=True, options=OPEN)
    players = [await seated(one, room.match, code=room.code) for one in (anna, boris)]
    await all_ready(players)
    await players[0].resume(other)
    assert (await other.info(room.match)).line.match == room.match
    same = await venue.one(token=other.token)
    assert (await same.info(room.match)).line.match == room.match
    await host.accepted(GrantFeed, match=room.match, name="guest", feed=OMNI)
    assert (await guest.info(room.match)).line.match == room.match
    await host.accepted(RevokeFeed, match=room.match, name="guest", feed=OMNI)
    assert await guest.fault(Info, match=room.match) == (Code.MATCH_UNKNOWN, "$.match")


async def test_the_code_beside_a_known_id_cannot_be_tried_at_will(venue: Venue) -> None:
    await venue.still(guesses=4)
    host, guesser = await venue.some(2)
    room = await opened(host, private=True)
    shown = {"match": room.match, "code": WRONG}
    on = From(match=room.match, turn=1, code=WRONG)
    assert await guesser.code(Info, **shown) is Code.MATCH_UNKNOWN
    assert await guesser.code(Watch, feed=PUBLIC, **shown) is Code.MATCH_UNKNOWN
    assert await guesser.code(FetchRecord, **shown) is Code.MATCH_UNKNOWN
    assert await guesser.code(Create, origin=on) is Code.MATCH_UNKNOWN
    right = {"match": room.match, "code": room.code}
    for kind, fields in ((Info, {}), (Join, {}), (FetchRecord, {}), (Watch, {"feed": PUBLIC})):
        assert (await guesser.refused(kind, **right, **fields)).retry_ms > 0


async def test_a_rematch_has_the_code_which_alone_leads_to_the_newest_match(venue: Venue) -> None:
    room, _, players = await at_stage(venue, "over")
    match = await rematch_of(players)
    guest = await venue.one()
    shown = {"match": match, "code": room.code}
    assert (await guest.expect(MatchInfo, Info, **shown)).line.match == match
    taken = await players[0].talker.expect(Seated, Join, code=room.code)
    assert (taken.match, taken.rated) == (match, False)
    # The one before is opened by its id and the code.
    assert await guest.record(room.match, room.code)
    assert [line.match for line in (await guest.listed(Listing.OPEN)).open] == []


async def test_the_terminal_takes_the_code_of_a_private_match_for_all_that_it_shows(
    venue: Venue, tmp_path: Path
) -> None:
    room, _, _ = await at_stage(venue, "over")
    assert room.code is not None
    where = ("--url", venue.app.url)
    code = ("--code", room.code)
    for command in (("watch", room.match, "--plain"), ("replay", room.match, "--plain")):
        refused = await sunglare(*command, *where, home=tmp_path)
        assert (refused.code, refused.out) == (1, "")
        assert "No such match" in refused.err
        told = await sunglare(*command, *where, *code, home=tmp_path)
        assert (told.code, told.err) == (0, "")
        assert "THE END" in told.out
