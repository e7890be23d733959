"""A seat belongs to an account: whoever has the token comes back, with or without a ticket."""

import itertools
import shutil
from pathlib import Path

import msgspec
import pytest

from builders.fakeclock import FakeClock
from builders.operators import asked
from builders.players import OPTIONS, Player, created, play_on, seated, started
from builders.runners import runners_of
from builders.venues import Venue
from builders.wires import Talker, met
from sunglare_protocol.ids import MatchId, Side
from sunglare_protocol.messages import (
    Accepted,
    Chat,
    Create,
    Created,
    FetchRecord,
    Frame,
    Info,
    Join,
    Refused,
    Rematch,
    Resume,
    Resumed,
    ResumeKind,
    ServerMessage,
)
from sunglare_protocol.refusals import Code
from sunglare_server.app import App
from sunglare_server.ops.control.requests import Kick, Prune
from sunglare_server.rooms.tickets import TICKET_MS

DAY_MS = 86_400_000
START_MS = 1_000 * DAY_MS
NOWHERE = MatchId("z" * 26)


def nameless(answer: ServerMessage) -> Refused:
    """Return a refusal without the number of the command, which is the asker's own."""
    assert isinstance(answer, Refused), answer
    return msgspec.structs.replace(answer, id=0)


async def back(talker: Talker, match: MatchId, **fields: object) -> Resumed:
    """Take the own seat in a match again."""
    taken = await talker.expect(Resumed, Resume, match=match, **fields)
    talker.ids = itertools.count(taken.last_id + 1)
    return taken


async def writes(app: App, *, on: bool) -> None:
    """Let the database take writes, or refuse each as a full disk would."""
    assert app.storage.database is not None
    await app.storage.database.query(f"PRAGMA query_only = {'OFF' if on else 'ON'}")


# --- without a ticket


async def test_whoever_has_the_token_takes_the_seat_without_a_ticket(venue: Venue) -> None:
    anna, boris = await venue.duel()
    await play_on([anna, boris], 3)
    async with met(venue.app.url, token=anna.talker.token) as later:
        taken = await back(later, anna.match, have=anna.seen)
        assert (taken.side, taken.kind) == (anna.side, ResumeKind.EXACT)
        assert taken.ticket is not None
        await play_on([Player(later, taken, anna.posts), boris], 2)
        assert await anna.talker.wait_closed() == 4001
    other = await venue.one()
    by_ticket = await back(other, anna.match, ticket=taken.ticket)
    assert by_ticket.side == anna.side


async def test_a_seat_in_the_lobby_is_taken_again_without_a_ticket(venue: Venue) -> None:
    anna, boris = await venue.some(2)
    match = await created(anna)
    await seated(anna, match)
    await seated(boris, match)
    later = await venue.one(token=anna.token)
    assert (await back(later, match)).side == "A"
    assert await later.code(Join, match=match) is Code.SEAT_ONE
    await later.ready(match)
    await boris.ready(match)
    await later.came(Frame)


async def test_a_match_without_an_own_seat_is_refused_like_one_that_there_is_not(
    venue: Venue,
) -> None:
    anna, boris = await venue.duel()
    ended = anna.match
    await boris.talker.resign(ended)
    await anna.over()
    host, guest, stranger = await venue.some(3)
    waiting = await created(host, private=True)
    running = (await started([host, guest]))[0].match
    answers = [
        nameless(await stranger.ask(Resume, match=match, **fields))
        for fields in ({}, {"have": 7})
        for match in (NOWHERE, waiting, running, ended)
    ]
    assert (answers[0].code, answers[0].at) == (Code.SEAT_NONE, "$.match")
    assert answers == [answers[0]] * len(answers)


async def test_a_seat_that_is_kept_for_somebody_has_to_be_joined(venue: Venue) -> None:
    anna, boris = await venue.duel()
    await anna.resign()
    await boris.over()
    for player in (anna, boris):
        await player.talker.accepted(Rematch, match=anna.match)
    (match,) = [other for other in venue.app.lobby.rooms if other != anna.match]
    later = await venue.one(token=anna.talker.token)
    assert await later.code(Resume, match=match) is Code.SEAT_NONE
    assert (await seated(later, match)).side == "B"


# --- by joining


async def test_who_joins_a_started_match_again_has_resumed_his_seat(venue: Venue) -> None:
    app = await venue.open()
    anna, boris = await venue.duel()
    await play_on([anna, boris], 2)
    token = anna.talker.token
    for wish in ({}, {"side": Side("A")}, {"pledge": "0" * 64}):
        async with met(app.url, token=token) as later:
            taken = await later.expect(Resumed, Join, match=anna.match, **wish)
            assert taken.side == "A"
            await later.came(Frame)
    async with met(app.url, token=token) as later:
        wrong = await later.refused(Join, match=anna.match, side="B")
        assert (wrong.code, wrong.at, wrong.choices) == (Code.SEAT_TAKEN, "$.side", ())
        assert await boris.talker.code(Join, match=anna.match) is Code.SEAT_ONE
    stranger = await venue.one()
    for side in ("A", "B", None):
        assert await stranger.code(Join, match=anna.match, side=side) is Code.MATCH_STARTED


async def test_who_joins_by_the_code_of_a_started_match_has_resumed_his_seat(venue: Venue) -> None:
    anna, boris = await venue.some(2)
    wish = {"scenario": "shadow-of-ceres", "options": OPTIONS, "private": True}
    room = await anna.expect(Created, Create, **wish)
    for talker in (anna, boris):
        await seated(talker, room.match, code=room.code)
        await talker.ready(room.match)
    await boris.came(Frame)
    later = await venue.one(token=boris.token)
    assert (await later.expect(Resumed, Join, code=room.code)).side == "B"


# --- while nothing can be written


async def test_while_nothing_can_be_written_everybody_comes_back(venue: Venue, app: App) -> None:
    anna, boris = await venue.duel()
    await play_on([anna, boris], 2)
    await writes(app, on=False)
    for fields in ({"ticket": anna.ticket}, {}, {"ticket": anna.ticket}):
        async with met(app.url, token=anna.talker.token) as later:
            taken = await back(later, anna.match, have=anna.seen, **fields)
            assert (taken.side, taken.ticket) == (anna.side, None)
    async with met(app.url, token=anna.talker.token) as later:
        joined = await later.expect(Resumed, Join, match=anna.match)
        assert joined.ticket is None
        later.ids = itertools.count(joined.last_id + 1)
        assert await later.code(Chat, match=anna.match, text="hello") is Code.SERVER_JOURNAL
    await writes(app, on=True)
    later = await venue.one(token=anna.talker.token)
    taken = await back(later, anna.match, ticket=anna.ticket)
    assert taken.ticket is not None
    player = Player(later, taken)
    await player.frame()
    await play_on([player, boris], 1)


# --- how long tickets last


async def test_a_ticket_lasts_as_long_as_its_match_and_thirty_days_more(venue: Venue) -> None:
    clock = FakeClock(START_MS)
    app = await venue.open(clock)
    anna, boris = await venue.duel()
    clock.advance(400 * DAY_MS)
    assert (await asked(app, Prune(days=0))).done == "deleted 0 of 0 finished matches"
    async with met(app.url) as other:
        ticket = (await back(other, anna.match, ticket=anna.ticket)).ticket
    await boris.talker.resign(anna.match)
    await boris.over()
    await runners_of(app.lobby.matches)[anna.match].over.wait()
    for passed_ms in (0, TICKET_MS - 1):
        clock.advance(passed_ms)
        await asked(app, Prune(days=36_500))
        async with met(app.url) as other:
            assert (await back(other, anna.match, ticket=ticket)).side == anna.side
    clock.advance(1)
    later = await venue.one(token=anna.talker.token)
    assert await later.code(Resume, match=anna.match, ticket=ticket) is Code.TICKET_BAD
    taken = await back(later, anna.match)
    assert (taken.side, taken.ticket) == (anna.side, None)


async def test_the_tickets_of_older_servers_last_as_long_as_their_match(venue: Venue) -> None:
    clock = FakeClock(START_MS)
    app = await venue.open(clock)
    anna, _ = await venue.duel()
    assert app.storage.database is not None
    await app.storage.database.query("UPDATE ticket SET expires_ms = ?", (START_MS + TICKET_MS,))
    clock.advance(TICKET_MS + DAY_MS)
    await asked(app, Prune(days=0))
    other = await venue.one()
    assert (await back(other, anna.match, ticket=anna.ticket)).side == anna.side


# --- backups, forgetting, removal


async def test_a_restore_from_a_backup_locks_nobody_out_whose_token_it_knows(
    venue: Venue, tmp_path: Path
) -> None:
    journal, kept = tmp_path / "journal.db", tmp_path / "kept.db"
    anna, boris = await venue.duel()
    await play_on([anna, boris], 2)
    seen = anna.seen
    await venue.close()
    shutil.copy(journal, kept)
    for _ in range(2):
        later = await venue.one(token=anna.talker.token)
        anna.ticket = (await back(later, anna.match, ticket=anna.ticket)).ticket or ""
    await venue.close()
    shutil.copy(kept, journal)
    later, other = [await venue.one(token=one.talker.token) for one in (anna, boris)]
    assert await later.code(Resume, match=anna.match, ticket=anna.ticket) is Code.TICKET_BAD
    assert (await back(later, anna.match, have=seen)).side == anna.side
    assert (await other.expect(Resumed, Join, match=anna.match)).side == boris.side


async def test_who_was_removed_does_not_come_back_by_the_account(venue: Venue) -> None:
    app = await venue.open()
    anna, *_ = await venue.four()
    match = anna.match
    await asked(app, Kick(match=match, side=anna.side))
    async with met(app.url, token=anna.talker.token) as later:
        assert await later.code(Resume, match=match, ticket=anna.ticket) is Code.TICKET_BAD
        assert await later.code(Resume, match=match) is Code.SEAT_NONE
        assert await later.code(Join, match=match) is Code.MATCH_STARTED
    await venue.close()
    later = await venue.one(token=anna.talker.token)
    assert await later.code(Resume, match=match) is Code.SEAT_NONE


@pytest.mark.parametrize("kind", [Info, FetchRecord])
async def test_a_seat_that_is_taken_again_after_the_end_shows_the_end(
    venue: Venue, kind: type[Info | FetchRecord]
) -> None:
    anna, boris = await venue.duel()
    await boris.talker.resign(anna.match)
    end = await anna.over()
    await runners_of(venue.app.lobby.matches)[anna.match].over.wait()
    later = await venue.one(token=anna.talker.token)
    taken = await back(later, anna.match)
    assert (taken.window, taken.rev, taken.locked) == (None, 0, False)
    assert await Player(later, taken).over() == end
    assert not isinstance(await later.ask(kind, match=anna.match), Accepted | Refused)
