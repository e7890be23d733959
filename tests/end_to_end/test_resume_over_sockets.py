"""Coming back to a seat over real sockets: tickets, missed messages, repeated commands."""

import contextlib
import sqlite3
from pathlib import Path

import msgspec
import pytest

from builders.players import OPTIONS, SCENARIO, Player, created, play_on, seated
from builders.records import folded, read_record
from builders.venues import Venue
from builders.wires import Talker, met
from sunglare_protocol.codec import Form, decode_server
from sunglare_protocol.ids import PUBLIC, MatchId, audience_of
from sunglare_protocol.messages import (
    Accepted,
    Chat,
    Create,
    Created,
    GiveOrders,
    Join,
    News,
    NewsKind,
    Refused,
    Resume,
    Resumed,
    ResumeKind,
    Watch,
)
from sunglare_protocol.refusals import Code

SUPERSEDED = 4001
RING = 256
OUTBOX_BYTES = 256 * 1024


async def test_a_cut_line_is_resumed_with_exactly_what_it_missed(venue: Venue) -> None:
    anna, boris = await venue.duel()
    await play_on([anna, boris], 2)
    cut_at = anna.seen
    await anna.talker.cut()
    steady = await anna.resume(await venue.one())
    await play_on([steady, boris], 6)
    await boris.chat(3)
    await play_on([steady, boris], 1)
    await steady.caught_up(boris.seen)
    uncut = steady.talker.sequence(steady.match)
    back = await steady.resume(await venue.one(), have=cut_at)
    await back.caught_up(boris.seen)
    missed = back.talker.sequence(back.match)
    assert back.resumed.kind is ResumeKind.EXACT
    assert list(missed) == list(range(cut_at + 1, boris.seen + 1))
    assert missed == uncut
    await back.resign()
    await back.over()
    whole = {**anna.talker.sequence(anna.match), **back.talker.sequence(back.match)}
    file = read_record(await back.talker.record(back.match))
    assert folded(file, audience_of(anna.side)) == {audience_of(anna.side): whole}


@pytest.mark.parametrize(
    ("lines", "text"),
    [(0, ""), (1, "a line"), (64, "a line"), (65, "a line"), (RING, "\N{ROCKET}" * 300)],
    ids=["0", "1", "64", "65", "256, more bytes than an outbox holds"],
)
async def test_up_to_256_missed_messages_come_again_at_once(
    venue: Venue, lines: int, text: str
) -> None:
    anna, boris = await venue.duel()
    have = anna.seen
    await anna.talker.cut()
    await boris.chat(lines, text)
    back = await anna.resume(await venue.one(), have=have)
    assert back.resumed.kind is ResumeKind.EXACT
    if lines == RING:
        await back.caught_up(boris.seen)
        again = back.talker.sequence(back.match)
        assert len(again) == RING
        assert sum(map(len, again.values())) > OUTBOX_BYTES
    await boris.chat(1)
    await back.caught_up(boris.seen)
    missed = back.talker.sequence(back.match)
    there = boris.talker.sequence(boris.match)
    assert missed == {seq: data for seq, data in there.items() if seq > have}


async def test_who_has_missed_more_than_the_ring_holds_gets_one_keyframe(venue: Venue) -> None:
    anna, boris = await venue.duel()
    await play_on([anna, boris], 3)
    have, newest = anna.seen, anna.newest
    await anna.talker.cut()
    await boris.chat(RING + 1)
    back = await anna.resume(await venue.one(), have=have)
    assert back.resumed.kind is ResumeKind.RESET
    keyframe = await back.frame()
    assert (keyframe.view, keyframe.window) == (newest.view, newest.window)
    assert back.talker.posts(back.match) == [keyframe]
    await boris.chat(1)
    await back.caught_up(boris.seen)
    follows = back.talker.sequence(back.match)
    assert list(follows) == [keyframe.seq, keyframe.seq + 1]
    assert keyframe.seq == have + RING + 1


async def test_a_have_that_lies_ahead_gets_one_keyframe(venue: Venue) -> None:
    anna, _ = await venue.duel()
    back = await anna.resume(await venue.one(), have=anna.seen + 5)
    assert back.resumed.kind is ResumeKind.RESET
    keyframe = await back.frame()
    assert keyframe.seq == anna.seen
    assert keyframe.view == anna.newest.view


async def test_who_comes_back_after_the_end_hears_of_the_end(venue: Venue) -> None:
    anna, boris = await venue.duel()
    have = anna.seen
    await anna.talker.cut()
    await boris.resign()
    end = await boris.over()
    back = await anna.resume(await venue.one(), have=have)
    assert await back.over() == end
    latecomer = await back.resume(await venue.one(), have=end.seq + 1)
    assert await latecomer.over() == end


async def resumes(talker: Talker, player: Player, ticket: str) -> Resumed | Refused:
    """Return the answer to an attempt to take a player's seat with this ticket."""
    answer = await talker.ask(Resume, match=player.match, ticket=ticket, have=0)
    assert isinstance(answer, Resumed | Refused), answer
    return answer


async def opened(url: str, player: Player, ticket: str) -> str | None:
    """Return the next ticket if this one opens the player's seat."""
    async with met(url) as talker:
        answer = await resumes(talker, player, ticket)
        return answer.ticket if isinstance(answer, Resumed) else None


async def test_a_ticket_stays_good_until_the_next_one_is_used(venue: Venue) -> None:
    anna, _ = await venue.duel()
    url = venue.app.url
    first = anna.ticket
    second, again = [await opened(url, anna, first) for _ in range(2)]
    assert len({None, first, second, again}) == 4
    assert await opened(url, anna, again or "") is not None
    assert await opened(url, anna, first) is None
    assert await opened(url, anna, again or "") is not None


async def test_bad_tickets_are_all_refused_alike(venue: Venue) -> None:
    anna, boris = await venue.duel()
    url = venue.app.url
    other, thief = await venue.some(2)
    elsewhere = await seated(other, await created(other))
    used = anna.ticket
    second = await opened(url, anna, used)
    assert second is not None
    assert await opened(url, anna, second) is not None
    bad = [used, elsewhere.ticket, "A" * 43, "", "x" * 128]
    answers = [await resumes(thief, anna, ticket) for ticket in bad]
    nowhere = await thief.refused(Resume, match=MatchId("z" * 26), ticket=boris.ticket, have=0)
    told = [msgspec.structs.replace(answer, id=0) for answer in [*answers, nowhere]]
    assert isinstance(told[0], Refused)
    assert told[0].code is Code.TICKET_BAD
    assert told == [told[0]] * len(told)


async def test_a_ticket_opens_only_the_seat_it_was_given_for(venue: Venue) -> None:
    anna, boris = await venue.duel()
    answer = await resumes(await venue.one(), anna, boris.ticket)
    assert isinstance(answer, Resumed)
    assert answer.side == boris.side


async def test_the_newer_connection_supersedes_the_older_one(venue: Venue) -> None:
    anna, boris = await venue.duel()
    back = await anna.resume(await venue.one())
    assert await anna.talker.wait_closed() == SUPERSEDED
    assert anna.talker.farewell is Code.SEAT_TAKEN
    await play_on([back, boris], 2)


async def test_a_connection_holds_one_seat(venue: Venue) -> None:
    anna, boris = await venue.duel()
    assert await anna.talker.code(Resume, match=boris.match, ticket=boris.ticket) is Code.SEAT_ONE
    other = await created(boris.talker)
    assert await boris.talker.code(Join, match=other) is Code.SEAT_ONE


async def test_a_repeated_command_gets_its_first_answer_and_counts_once(venue: Venue) -> None:
    anna, boris = await venue.duel()
    window = anna.newest
    first = await anna.orders(id=40)
    said = await anna.talker.ask(Chat, match=anna.match, text="once", id=41)
    await boris.orders()
    await anna.frame(beside=window.window)
    again = await anna.talker.ask(
        GiveOrders, match=anna.match, window=window.window, rev=1, lock=True, id=40
    )
    back = await anna.resume(await venue.one())
    assert back.resumed.last_id == 41
    thrice = await back.talker.ask(Chat, match=anna.match, text="other words", id=41)
    await back.talker.accepted(Chat, match=anna.match, text="the last")
    await boris.talker.told("the last")
    heard = [post.text for post in boris.talker.posts(boris.match) if isinstance(post, News)]
    assert first == again == Accepted(id=40, window=window.window, rev=1)
    assert said == thrice == Accepted(id=41)
    assert heard == ["once", "the last"]


async def test_a_command_id_that_was_never_taken_and_lies_behind_is_stale(venue: Venue) -> None:
    anna, _ = await venue.duel()
    await anna.talker.ask(Chat, match=anna.match, text="first", id=50)
    # The answer has the number of the command, or it would not be known for one.
    assert await anna.code(Chat, text="second", id=49) is Code.MESSAGE_STALE


async def test_a_refused_command_may_be_given_again_with_its_id(venue: Venue) -> None:
    anna, _ = await venue.duel()
    refused = await anna.talker.ask(Chat, match=anna.match, text="\u202e", id=60)
    taken = await anna.talker.ask(Chat, match=anna.match, text="better", id=60)
    assert isinstance(refused, Refused)
    assert taken == Accepted(id=60)


async def test_a_restart_changes_nothing_but_the_time_for_those_who_come_back(
    venue: Venue,
) -> None:
    anna, boris = await venue.duel()
    await play_on([anna, boris], 7)
    await boris.chat(2)
    window = anna.newest.window
    asked = anna if anna.is_asked else boris
    staged = await asked.orders(lock=False, id=90)
    await anna.caught_up(boris.seen)
    before = anna.talker.sequence(anna.match)
    await venue.close()
    left = await anna.resume(await venue.one(), have=0)
    right = await boris.resume(await venue.one())
    assert left.resumed.kind is ResumeKind.EXACT
    await left.caught_up(max(before) + 1)
    await right.caught_up(max(before) + 1)
    after = left.talker.sequence(left.match)
    told = decode_server(after.pop(max(before) + 1), Form.PACKED)
    assert after == before
    assert isinstance(told, News)
    assert (told.kind, told.text) == (NewsKind.CLOCK, "restarted")
    # What was left of the minute, and 20 s.
    assert told.closes_ms is not None
    assert 20_000 < told.closes_ms <= 80_000
    assert right.talker.posts(right.match) == [told]
    here = left if asked is anna else right
    assert isinstance(staged, Accepted)
    there = here.resumed
    assert (there.last_id, there.rev, there.locked) == (90, staged.rev, False)
    again = await here.talker.ask(
        GiveOrders, match=here.match, window=window, rev=1, lock=True, id=90
    )
    assert again == staged


async def test_nobody_can_come_back_to_a_match_whose_records_are_damaged(
    venue: Venue, tmp_path: Path
) -> None:
    anna, boris = await venue.duel()
    await play_on([anna, boris], 2)
    await venue.close()
    with contextlib.closing(sqlite3.connect(tmp_path / "journal.db")) as connection, connection:
        connection.execute("UPDATE record SET blob = x'c1' WHERE n = 4")
        connection.execute("DELETE FROM snapshot")
    first, other = await venue.some(2)
    code = await first.code(Resume, match=anna.match, ticket=anna.ticket, have=anna.seen)
    assert code is Code.MATCH_FAULT
    assert await other.code(Watch, match=anna.match, feed=PUBLIC) is Code.MATCH_FAULT
    # The server goes on with all others.
    await other.expect(Created, Create, scenario=SCENARIO, options=OPTIONS)
