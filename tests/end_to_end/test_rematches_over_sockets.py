"""Wishes for a rematch: they stand with the match that is over, and lead to one room."""

import asyncio
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from builders.fakeserver import until
from builders.players import Player, created, finished, play_on, seated, started
from builders.players import all_ready as get_going
from builders.servers import ServerProcess, server_process
from builders.venues import Venue
from builders.wires import Talker, met
from sunglare_protocol.ids import PUBLIC, MatchId, Side
from sunglare_protocol.messages import (
    From,
    Info,
    Join,
    Leave,
    MatchInfo,
    News,
    NewsKind,
    Rematch,
    Resume,
    Resumed,
    Seated,
    Watch,
    Watching,
)
from sunglare_protocol.refusals import Code
from sunglare_protocol.text import CODE_NEWS, REMATCH_NEWS, WISH_NEWS, WISH_NOT_NEWS
from sunglare_server.ports.rooms import Room
from sunglare_server.rooms.terms import CODE_LETTERS

A, B = Side("A"), Side("B")


async def over(venue: Venue, **fields: Any) -> list[Player]:
    """Return the two seats of a match that is over."""
    players = await venue.duel(**fields)
    await finished(players)
    return players


def told(talker: Talker, match: MatchId) -> list[str]:
    """Return what the server has told a connection of a match, outside its sequence."""
    return [
        f"{news.side or '-'} {news.text}"
        for news in talker.every(News)
        if (news.match, news.seq, news.kind) == (match, 0, NewsKind.SERVER)
    ]


async def rooms(talker: Talker) -> list[MatchId]:
    """Return the matches that wait for players, as everybody is told."""
    return [line.match for line in (await talker.listed()).open]


async def named(talker: Talker, match: MatchId) -> MatchId:
    """Return the next match, which `info` names."""
    following = (await talker.info(match)).next
    assert following is not None
    return following


async def back(talker: Talker, match: MatchId, **fields: object) -> Resumed:
    """Take the own seat in a match again."""
    return await talker.expect(Resumed, Resume, match=match, **fields)


async def watching(talker: Talker, match: MatchId, code: str | None = None) -> None:
    """Watch what the public may see of a match; `code` is that of a private one."""
    await talker.expect(Watching, Watch, match=match, feed=PUBLIC, code=code)


# --- wishes


async def test_a_wish_is_told_to_all_and_again_to_whoever_comes(venue: Venue) -> None:
    anna, boris = await over(venue)
    early, late = await venue.some(2)
    await watching(early, anna.match)
    await anna.accepted(Rematch)
    for talker in (anna.talker, boris.talker, early):
        await talker.told(WISH_NEWS)
    await watching(late, anna.match)
    await late.told(WISH_NEWS)
    again = await venue.one(token=boris.talker.token)
    await back(again, anna.match)
    await again.told(WISH_NEWS)
    assert told(again, anna.match) == [f"A {WISH_NEWS}"]
    heard = await late.info(anna.match)
    assert (heard.rematch, heard.next) == ((A,), None)


async def test_a_second_wish_of_the_same_account_changes_nothing(venue: Venue) -> None:
    anna, boris = await over(venue)
    for _ in range(3):
        await anna.accepted(Rematch)
    twin = await venue.one(token=anna.talker.token)
    await twin.accepted(Rematch, match=anna.match)
    await boris.talker.ping()
    assert told(boris.talker, anna.match) == [f"A {WISH_NEWS}"]
    assert await rooms(boris.talker) == []


async def test_a_wish_that_is_taken_back_is_met_by_nobody(venue: Venue) -> None:
    anna, boris = await over(venue)
    await anna.accepted(Rematch)
    await anna.accepted(Rematch, on=False)
    await boris.talker.told(WISH_NOT_NEWS)
    assert (await boris.talker.info(anna.match)).rematch == ()
    await boris.accepted(Rematch)
    await boris.talker.ping()
    assert await rooms(boris.talker) == []
    # What nobody wished may be taken back as well.
    await anna.accepted(Rematch, on=False)
    assert (await boris.talker.info(anna.match)).rematch == (B,)
    await anna.accepted(Rematch)
    await boris.talker.told(f"{REMATCH_NEWS}{await named(boris.talker, anna.match)}")


async def test_only_seats_of_a_match_that_is_over_wish(venue: Venue) -> None:
    anna, boris = await venue.duel()
    stranger = await venue.one()
    assert await anna.code(Rematch) is Code.MATCH_STARTED
    await finished([anna, boris])
    for on in (True, False):
        assert await stranger.code(Rematch, match=anna.match, on=on) is Code.SEAT_NONE
    assert (await stranger.info(anna.match)).rematch == ()


async def test_whose_line_is_cut_learns_of_the_room_by_coming_back(venue: Venue) -> None:
    anna, boris = await over(venue)
    await anna.accepted(Rematch)
    anna.talker.socket.transport.abort()
    await anna.talker.wait_closed()
    await boris.accepted(Rematch)
    (match,) = await rooms(boris.talker)
    again = await venue.one(token=anna.talker.token)
    await back(again, anna.match)
    await again.told(f"{REMATCH_NEWS}{match}")
    await again.accepted(Rematch, match=anna.match)
    await again.told(f"{REMATCH_NEWS}{match}", times=2)
    assert await rooms(again) == [match]
    assert (await seated(again, match)).side == B


async def test_whoever_wishes_without_a_seat_in_hand_is_answered_with_the_room(
    venue: Venue,
) -> None:
    anna, boris = await over(venue)
    await boris.accepted(Rematch)
    again = await venue.one(token=anna.talker.token)
    await again.accepted(Rematch, match=anna.match)
    match = await named(again, anna.match)
    assert told(again, anna.match) == [f"- {REMATCH_NEWS}{match}"]


async def test_double_wishes_at_once_open_one_room(venue: Venue) -> None:
    players = await over(venue)
    tokens = [player.talker.token for player in players for _ in range(4)]
    devices = [await venue.one(token=token) for token in tokens]
    match = players[0].match
    await asyncio.gather(*(device.accepted(Rematch, match=match) for device in devices))
    (opened,) = await rooms(devices[0])
    assert await named(devices[0], match) == opened
    for device in devices:
        await device.accepted(Rematch, match=match)
    assert await rooms(devices[0]) == [opened]


async def test_spectators_are_told_the_next_match_at_once_and_when_they_come(
    venue: Venue,
) -> None:
    players = await over(venue)
    early, late = await venue.some(2)
    await watching(early, players[0].match)
    for player in players:
        await player.accepted(Rematch)
    match = await named(early, players[0].match)
    await watching(late, players[0].match)
    for talker in (early, late):
        await talker.told(f"{REMATCH_NEWS}{match}")
        await watching(talker, match)
    assert (await late.info(players[0].match)).rematch == ()


async def test_a_room_that_was_closed_may_be_wished_again(venue: Venue) -> None:
    anna, boris = await over(venue)
    old = anna.match
    for player in (anna, boris):
        await player.accepted(Rematch)
    first = await named(anna.talker, old)
    again = [await venue.one(token=player.talker.token) for player in (anna, boris)]
    # The host frees the seat that was kept, and then closes the room.
    for _ in range(2):
        await again[0].accepted(Leave, match=first)
    closed = await anna.talker.info(old)
    assert (closed.next, closed.rematch) == (None, ())
    await anna.accepted(Rematch)
    assert await rooms(anna.talker) == []
    await boris.accepted(Rematch)
    second = await named(anna.talker, old)
    assert second != first
    assert await rooms(anna.talker) == [second]


async def test_the_next_match_stays_named_while_it_is_played_and_when_it_is_over(
    venue: Venue,
) -> None:
    old = await over(venue)
    for player in old:
        await player.accepted(Rematch)
    match = await named(old[0].talker, old[0].match)
    players = [await seated(player.talker, match) for player in (old[1], old[0])]
    await get_going(players)
    assert await named(old[0].talker, old[0].match) == match
    await finished(players)
    assert await named(old[0].talker, old[0].match) == match
    assert await rooms(old[0].talker) == []


# --- seats by ticket


async def test_whoever_holds_a_seat_by_its_ticket_wishes_for_it_and_sits_in_the_rematch(
    venue: Venue,
) -> None:
    anna, boris = await venue.duel()
    guest = await anna.resume(await venue.one())
    await finished([guest, boris])
    await guest.accepted(Rematch)
    assert (await boris.talker.info(anna.match)).rematch == (A,)
    await boris.accepted(Rematch)
    match = await named(boris.talker, anna.match)
    await guest.talker.told(f"{REMATCH_NEWS}{match}")
    players = [await seated(boris.talker, match), await seated(guest.talker, match)]
    assert [player.side for player in players] == [A, B]
    await get_going(players)


async def test_the_account_of_a_seat_comes_before_who_holds_it_by_ticket(venue: Venue) -> None:
    anna, boris = await venue.duel()
    guest = await anna.resume(await venue.one())
    await finished([guest, boris])
    own = await venue.one(token=anna.talker.token)
    await guest.accepted(Rematch)
    await own.accepted(Rematch, match=anna.match)
    await guest.accepted(Rematch)
    await boris.accepted(Rematch)
    match = await named(boris.talker, anna.match)
    assert await guest.talker.code(Join, match=match) is Code.SEAT_TAKEN
    assert (await seated(own, match)).side == B


async def test_one_guest_with_both_seats_has_one_in_the_rematch(venue: Venue) -> None:
    anna, boris = await venue.duel()
    token = (guest := await venue.one()).token
    hands = [await anna.resume(guest), await boris.resume(await venue.one(token=token))]
    await finished(hands)
    for hand in hands:
        await hand.accepted(Rematch)
    match = await named(guest, anna.match)
    assert (await guest.expect(Seated, Join, match=match)).side == B
    own = await venue.one(token=boris.talker.token)
    assert (await own.expect(Seated, Join, match=match)).side == A


# --- private matches, and those that are played on


async def test_a_private_rematch_has_the_code_of_the_match_which_is_told_to_who_had_a_seat(
    venue: Venue,
) -> None:
    anna, boris = await over(venue, private=True)
    early, late, stranger = await venue.some(3)
    before = await venue.app.lobby.registry.find(anna.match)
    assert isinstance(before, Room)
    code = before.code
    await watching(early, anna.match, code)
    for player in (anna, boris):
        await player.accepted(Rematch)
    match = await named(anna.talker, anna.match)
    assert await rooms(stranger) == []
    assert venue.app.lobby.rooms[match].code == code
    await watching(late, anna.match, code)
    again = await venue.one(token=anna.talker.token)
    await back(again, anna.match)
    for talker in (anna.talker, boris.talker, again):
        await talker.told(f"{REMATCH_NEWS}{match}")
        texts = told(talker, anna.match)
        assert texts[-2:] == [f"- {CODE_NEWS}{code}", f"- {REMATCH_NEWS}{match}"]
    for talker in (early, late):
        await talker.told(f"{REMATCH_NEWS}{match}")
        assert not any(CODE_NEWS in text for text in told(talker, anna.match))
    assert (await boris.talker.expect(Seated, Join, code=code)).match == match


async def test_the_rematch_of_a_match_with_a_code_of_six_letters_has_another_one(
    venue: Venue,
) -> None:
    anna, boris = await venue.duel(private=True)
    waiting = venue.app.lobby.rooms
    waiting[anna.match] = replace(waiting[anna.match], code="k7q2zz")
    stranger, late = await venue.some(2)
    shown = {"match": anna.match, "code": "K7Q2ZZ"}
    assert (await stranger.expect(MatchInfo, Info, **shown)).line.match == anna.match
    await finished([anna, boris])
    await until(lambda: anna.match not in waiting)
    assert await late.code(Info, **shown) is Code.MATCH_UNKNOWN
    assert (await boris.talker.info(anna.match)).line.match == anna.match
    for player in (anna, boris):
        await player.accepted(Rematch)
    match = await named(anna.talker, anna.match)
    code = venue.app.lobby.rooms[match].code
    assert code is not None
    assert len(code) == CODE_LETTERS + 1
    assert f"- {CODE_NEWS}{code}" in told(anna.talker, anna.match)
    assert (await boris.talker.expect(Seated, Join, code=code)).match == match


async def test_the_rematch_of_a_match_that_was_played_on_begins_where_that_did(
    venue: Venue,
) -> None:
    first = await venue.duel()
    while first[0].view.stage.turn < 2:
        await play_on(first, 1)
    await finished(first)
    origin = From(match=first[0].match, turn=2)
    again = await created(first[0].talker, scenario="", origin=origin)
    second = [await seated(player.talker, again) for player in first]
    await get_going(second)
    assert second[0].newest.window == "2.plot"
    await finished(second)
    # Its own record has all that it needs.
    await venue.app.storage.store.drop_room(first[0].match)
    for player in second:
        await player.accepted(Rematch)
    match = await named(second[0].talker, again)
    line = (await second[0].talker.info(match)).line
    assert line.origin is not None
    assert (line.origin.match, line.origin.turn) == (first[0].match, 2)
    third = [await seated(player.talker, match) for player in reversed(second)]
    await get_going(third)
    assert third[0].newest.window == "2.plot"
    assert third[0].side == A


# --- restarts


async def ended_at(server: ServerProcess) -> tuple[list[str], MatchId]:
    """Return the tokens of two who have played a match to its end, the first of whom wishes."""
    async with met(server.url) as anna, met(server.url) as boris:
        players = await started([anna, boris])
        await finished(players)
        await players[0].accepted(Rematch)
        return [anna.token, boris.token], players[0].match


@pytest.mark.parametrize("is_killed", [True, False], ids=["killed", "ended"])
async def test_a_wish_outlives_the_server(tmp_path: Path, is_killed: bool) -> None:
    with server_process(tmp_path) as server:
        (first, second), match = await ended_at(server)
        server.kill() if is_killed else server.terminate()
        server.start()
        async with met(server.url, token=second) as boris:
            await back(boris, match)
            await boris.told(WISH_NEWS)
            await boris.accepted(Rematch, match=match)
            following = await named(boris, match)
            await boris.told(f"{REMATCH_NEWS}{following}")
        server.kill() if is_killed else server.terminate()
        server.start()
        async with met(server.url, token=first) as anna:
            await back(anna, match)
            await anna.told(f"{REMATCH_NEWS}{following}")
            await anna.accepted(Rematch, match=match)
            assert await rooms(anna) == [following]
            assert (await seated(anna, following)).side == B
