"""Coming back to a seat over real sockets: tickets, missed messages, repeated commands."""

import contextlib
import sqlite3
from collections.abc import AsyncIterator
from pathlib import Path

import msgspec
import pytest

from builders.players import OPTIONS, SCENARIO, Player, created, play_on, seated, started
from builders.records import folded, read_record
from builders.servers import running_app
from builders.wires import Talker, met
from sunglare_protocol.codec import Form, decode_server
from sunglare_protocol.ids import PUBLIC, MatchId, audience_of
from sunglare_protocol.messages import (
    Accepted,
    Bye,
    Chat,
    Create,
    Created,
    GiveOrders,
    Join,
    News,
    NewsKind,
    Refused,
    Resign,
    Resume,
    Resumed,
    ResumeKind,
    Watch,
)
from sunglare_protocol.refusals import Code

SUPERSEDED = 4001
RING = 256
OUTBOX_BYTES = 256 * 1024


@contextlib.asynccontextmanager
async def duel(folder: Path) -> AsyncIterator[tuple[str, Player, Player]]:
    """Run a server with a match of two seats; give its address and the players."""
    async with (
        running_app(folder) as app,
        met(app.url, "anna") as anna,
        met(app.url, "boris") as boris,
    ):
        first, second = await started([anna, boris])
        yield app.url, first, second


async def test_a_cut_line_is_resumed_with_exactly_what_it_missed(tmp_path: Path) -> None:
    async with duel(tmp_path) as (url, anna, boris), met(url) as twin, met(url) as later:
        await play_on([anna, boris], 2)
        cut_at = anna.seen
        await anna.talker.cut()
        steady = await anna.resume(twin)
        await play_on([steady, boris], 6)
        await boris.chat(3)
        await play_on([steady, boris], 1)
        await steady.caught_up(boris.seen)
        uncut = steady.talker.sequence(steady.match)
        back = await steady.resume(later, have=cut_at)
        await back.caught_up(boris.seen)
        missed = back.talker.sequence(back.match)
        assert isinstance(back.taken, Resumed)
        assert back.taken.kind is ResumeKind.EXACT
        assert list(missed) == list(range(cut_at + 1, boris.seen + 1))
        assert missed == uncut
        await back.talker.accepted(Resign, match=back.match)
        await back.over()
        whole = {**anna.talker.sequence(anna.match), **back.talker.sequence(back.match)}
        file = read_record(await back.talker.record(back.match))
    assert folded(file, audience_of(anna.side)) == {audience_of(anna.side): whole}


@pytest.mark.parametrize("lines", [0, 1, 64, 65, 256])
async def test_up_to_256_missed_messages_come_again(tmp_path: Path, lines: int) -> None:
    async with duel(tmp_path) as (url, anna, boris), met(url) as later:
        have = anna.seen
        await anna.talker.cut()
        await boris.chat(lines)
        back = await anna.resume(later, have=have)
        assert isinstance(back.taken, Resumed)
        assert back.taken.kind is ResumeKind.EXACT
        await boris.chat(1)
        await back.caught_up(boris.seen)
        missed = back.talker.sequence(back.match)
        there = boris.talker.sequence(boris.match)
    assert missed == {seq: data for seq, data in there.items() if seq > have}


async def test_more_bytes_than_an_outbox_holds_come_again_at_once(tmp_path: Path) -> None:
    async with duel(tmp_path) as (url, anna, boris), met(url) as later:
        have = anna.seen
        await anna.talker.cut()
        await boris.chat(RING, "\N{ROCKET}" * 300)
        back = await anna.resume(later, have=have)
        await back.caught_up(boris.seen)
        again = back.talker.sequence(back.match)
    assert len(again) == RING
    assert sum(map(len, again.values())) > OUTBOX_BYTES


async def test_who_has_missed_more_than_the_ring_holds_gets_one_keyframe(tmp_path: Path) -> None:
    async with duel(tmp_path) as (url, anna, boris), met(url) as later:
        await play_on([anna, boris], 3)
        have, newest = anna.seen, anna.newest
        await anna.talker.cut()
        await boris.chat(RING + 1)
        back = await anna.resume(later, have=have)
        assert isinstance(back.taken, Resumed)
        assert back.taken.kind is ResumeKind.RESET
        keyframe = await back.frame()
        assert keyframe.view == newest.view
        assert keyframe.window == newest.window
        assert back.talker.posts(back.match) == [keyframe]
        await boris.chat(1)
        await back.caught_up(boris.seen)
        follows = back.talker.sequence(back.match)
    assert list(follows) == [keyframe.seq, keyframe.seq + 1]
    assert keyframe.seq == have + RING + 1


async def test_a_have_that_lies_ahead_gets_one_keyframe(tmp_path: Path) -> None:
    async with duel(tmp_path) as (url, anna, _), met(url) as later:
        back = await anna.resume(later, have=anna.seen + 5)
        assert isinstance(back.taken, Resumed)
        assert back.taken.kind is ResumeKind.RESET
        keyframe = await back.frame()
    assert keyframe.seq == anna.seen
    assert keyframe.view == anna.newest.view


async def test_who_comes_back_after_the_end_hears_of_the_end(tmp_path: Path) -> None:
    async with duel(tmp_path) as (url, anna, boris), met(url) as later, met(url) as latest:
        have = anna.seen
        await anna.talker.cut()
        await boris.talker.accepted(Resign, match=boris.match)
        end = await boris.over()
        back = await anna.resume(later, have=have)
        assert await back.over() == end
        latecomer = await back.resume(latest, have=end.seq + 1)
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


async def test_a_ticket_stays_good_until_the_next_one_is_used(tmp_path: Path) -> None:
    async with duel(tmp_path) as (url, anna, _):
        first = anna.ticket
        second = await opened(url, anna, first)
        again = await opened(url, anna, first)
        assert second is not None
        assert again is not None
        assert len({first, second, again}) == 3
        third = await opened(url, anna, again)
        assert third is not None
        assert await opened(url, anna, first) is None
        assert await opened(url, anna, again) is not None


async def test_bad_tickets_are_all_refused_alike(tmp_path: Path) -> None:
    async with duel(tmp_path) as (url, anna, boris), met(url) as other, met(url) as thief:
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


async def test_a_ticket_opens_only_the_seat_it_was_given_for(tmp_path: Path) -> None:
    async with duel(tmp_path) as (url, anna, boris), met(url) as talker:
        answer = await resumes(talker, anna, boris.ticket)
    assert isinstance(answer, Resumed)
    assert answer.side == boris.side


async def test_the_newer_connection_supersedes_the_older_one(tmp_path: Path) -> None:
    async with duel(tmp_path) as (url, anna, boris), met(url) as later:
        back = await anna.resume(later)
        assert await anna.talker.wait_closed() == SUPERSEDED
        last = anna.talker.messages[-1]
        assert isinstance(last, Bye)
        assert last.code is Code.SEAT_TAKEN
        await play_on([back, boris], 2)


async def test_a_connection_holds_one_seat(tmp_path: Path) -> None:
    async with duel(tmp_path) as (_, anna, boris):
        assert (
            await anna.talker.code(Resume, match=boris.match, ticket=boris.ticket) is Code.SEAT_ONE
        )
        other = await created(boris.talker)
        assert await boris.talker.code(Join, match=other) is Code.SEAT_ONE


async def test_a_repeated_command_gets_its_first_answer_and_counts_once(tmp_path: Path) -> None:
    async with duel(tmp_path) as (url, anna, boris), met(url) as later:
        window = anna.newest
        first = await anna.orders(id=40)
        said = await anna.talker.ask(Chat, match=anna.match, text="once", id=41)
        await boris.orders()
        await anna.frame(beside=window.window)
        again = await anna.talker.ask(
            GiveOrders, match=anna.match, window=window.window, rev=1, lock=True, id=40
        )
        back = await anna.resume(later)
        assert isinstance(back.taken, Resumed)
        assert back.taken.last_id == 41
        thrice = await back.talker.ask(Chat, match=anna.match, text="other words", id=41)
        await back.talker.accepted(Chat, match=anna.match, text="the last")
        await boris.talker.wait_for(
            lambda message: isinstance(message, News) and message.text == "the last"
        )
        heard = [post.text for post in boris.talker.posts(boris.match) if isinstance(post, News)]
    assert first == again == Accepted(id=40, window=window.window, rev=1)
    assert said == thrice == Accepted(id=41)
    assert heard == ["once", "the last"]


async def test_a_command_id_that_was_never_taken_and_lies_behind_is_stale(tmp_path: Path) -> None:
    async with duel(tmp_path) as (_, anna, __):
        await anna.talker.ask(Chat, match=anna.match, text="first", id=50)
        late = await anna.talker.refused(Chat, match=anna.match, text="second", id=49)
    assert late.code is Code.MESSAGE_STALE
    assert late.id == 49


async def test_a_refused_command_may_be_given_again_with_its_id(tmp_path: Path) -> None:
    async with duel(tmp_path) as (_, anna, __):
        refused = await anna.talker.ask(Chat, match=anna.match, text="\u202e", id=60)
        taken = await anna.talker.ask(Chat, match=anna.match, text="better", id=60)
    assert isinstance(refused, Refused)
    assert taken == Accepted(id=60)


async def test_a_restart_changes_nothing_but_the_time_for_those_who_come_back(
    tmp_path: Path,
) -> None:
    async with duel(tmp_path) as (_, anna, boris):
        await play_on([anna, boris], 7)
        await boris.chat(2)
        window = anna.newest.window
        asked = anna if anna.is_asked else boris
        staged = await asked.orders(lock=False, id=90)
        await anna.caught_up(boris.seen)
        before = anna.talker.sequence(anna.match)
    async with running_app(tmp_path) as app, met(app.url) as first, met(app.url) as second:
        left = await anna.resume(first, have=0)
        right = await boris.resume(second)
        assert isinstance(left.taken, Resumed)
        assert left.taken.kind is ResumeKind.EXACT
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
        assert isinstance(here.taken, Resumed)
        assert isinstance(staged, Accepted)
        assert here.taken.last_id == 90
        assert here.taken.rev == staged.rev
        assert not here.taken.locked
        again = await here.talker.ask(
            GiveOrders, match=here.match, window=window, rev=1, lock=True, id=90
        )
        assert again == staged


async def test_nobody_can_come_back_to_a_match_whose_records_are_damaged(tmp_path: Path) -> None:
    async with duel(tmp_path) as (_, anna, boris):
        await play_on([anna, boris], 2)
    with contextlib.closing(sqlite3.connect(tmp_path / "journal.db")) as connection, connection:
        connection.execute("UPDATE record SET blob = x'c1' WHERE n = 4")
        connection.execute("DELETE FROM snapshot")
    async with running_app(tmp_path) as app, met(app.url) as first, met(app.url, "new") as other:
        refused = await first.refused(Resume, match=anna.match, ticket=anna.ticket, have=anna.seen)
        assert refused.code is Code.MATCH_FAULT
        watched = await other.refused(Watch, match=anna.match, feed=PUBLIC)
        assert watched.code is Code.MATCH_FAULT
        # The server goes on with all others.
        await other.expect(Created, Create, scenario=SCENARIO, options=OPTIONS)
