"""A seat belongs to an account: whoever has the token comes back, with or without a ticket."""

import contextlib
import itertools
import shutil
from collections.abc import AsyncIterator
from pathlib import Path

import msgspec
import pytest

from builders.operators import asked
from builders.players import OPTIONS, Player, created, play_on, seated, started
from builders.servers import running_app
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
    Ready,
    Refused,
    Rematch,
    Resign,
    Resume,
    Resumed,
    ResumeKind,
    ServerMessage,
)
from sunglare_protocol.refusals import Code
from sunglare_server.app import App
from sunglare_server.host.clock import FakeClock
from sunglare_server.host.tickets import TICKET_MS
from sunglare_server.ops.requests import Kick, Prune

DAY_MS = 86_400_000
START_MS = 1_000 * DAY_MS
NOWHERE = MatchId("z" * 26)


def nameless(answer: ServerMessage) -> Refused:
    """Return a refusal without the number of the command, which is the asker's own."""
    assert isinstance(answer, Refused), answer
    return msgspec.structs.replace(answer, id=0)


@contextlib.asynccontextmanager
async def duel(
    folder: Path, clock: FakeClock | None = None
) -> AsyncIterator[tuple[App, Player, Player]]:
    """Run a server with a match of two seats."""
    async with (
        running_app(folder, clock) as app,
        met(app.url, "anna") as anna,
        met(app.url, "boris") as boris,
    ):
        first, second = await started([anna, boris])
        yield app, first, second


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


async def test_whoever_has_the_token_takes_the_seat_without_a_ticket(tmp_path: Path) -> None:
    async with duel(tmp_path) as (app, anna, boris):
        await play_on([anna, boris], 3)
        async with met(app.url, token=anna.talker.token) as later:
            taken = await back(later, anna.match, have=anna.seen)
            assert (taken.side, taken.kind) == (anna.side, ResumeKind.EXACT)
            assert taken.ticket is not None
            await play_on([Player(later, taken, anna.posts), boris], 2)
            assert await anna.talker.wait_closed() == 4001
        async with met(app.url) as other:
            by_ticket = await back(other, anna.match, ticket=taken.ticket)
            assert by_ticket.side == anna.side


async def test_a_seat_in_the_lobby_is_taken_again_without_a_ticket(tmp_path: Path) -> None:
    async with running_app(tmp_path) as app, met(app.url) as anna, met(app.url) as boris:
        match = await created(anna)
        await seated(anna, match)
        await seated(boris, match)
        async with met(app.url, token=anna.token) as later:
            assert (await back(later, match)).side == "A"
            assert await later.code(Join, match=match) is Code.SEAT_ONE
            await later.accepted(Ready, match=match)
            await boris.accepted(Ready, match=match)
            await later.wait_for(lambda message: isinstance(message, Frame))


async def test_a_match_without_an_own_seat_is_refused_like_one_that_there_is_not(
    tmp_path: Path,
) -> None:
    async with duel(tmp_path) as (app, anna, boris):
        ended = anna.match
        await boris.talker.accepted(Resign, match=ended)
        await anna.over()
        async with met(app.url) as host, met(app.url) as guest, met(app.url) as stranger:
            waiting = await created(host, private=True)
            running = (await started([host, guest]))[0].match
            answers = [
                nameless(await stranger.ask(Resume, match=match, **fields))
                for fields in ({}, {"have": 7})
                for match in (NOWHERE, waiting, running, ended)
            ]
            assert (answers[0].code, answers[0].at) == (Code.SEAT_NONE, "$.match")
            assert answers == [answers[0]] * len(answers)


async def test_a_seat_that_is_kept_for_somebody_has_to_be_joined(tmp_path: Path) -> None:
    async with duel(tmp_path) as (app, anna, boris):
        await anna.talker.accepted(Resign, match=anna.match)
        await boris.over()
        for player in (anna, boris):
            await player.talker.accepted(Rematch, match=anna.match)
        (match,) = [other for other in app.lobby.rooms if other != anna.match]
        async with met(app.url, token=anna.talker.token) as later:
            assert await later.code(Resume, match=match) is Code.SEAT_NONE
            assert (await seated(later, match)).side == "B"


# --- by joining


async def test_who_joins_a_started_match_again_has_resumed_his_seat(tmp_path: Path) -> None:
    async with duel(tmp_path) as (app, anna, boris):
        await play_on([anna, boris], 2)
        token = anna.talker.token
        for wish in ({}, {"side": Side("A")}, {"pledge": "0" * 64}):
            async with met(app.url, token=token) as later:
                taken = await later.expect(Resumed, Join, match=anna.match, **wish)
                assert taken.side == "A"
                await later.wait_for(lambda message: isinstance(message, Frame))
        async with met(app.url, token=token) as later:
            wrong = await later.refused(Join, match=anna.match, side="B")
            assert (wrong.code, wrong.at, wrong.choices) == (Code.SEAT_TAKEN, "$.side", ())
            stranger = await boris.talker.refused(Join, match=anna.match)
            assert stranger.code is Code.SEAT_ONE
        async with met(app.url) as stranger_talker:
            for side in ("A", "B", None):
                refused = await stranger_talker.code(Join, match=anna.match, side=side)
                assert refused is Code.MATCH_STARTED


async def test_who_joins_by_the_code_of_a_started_match_has_resumed_his_seat(
    tmp_path: Path,
) -> None:
    async with running_app(tmp_path) as app, met(app.url) as anna, met(app.url) as boris:
        wish = {"scenario": "shadow-of-ceres", "options": OPTIONS, "private": True}
        room = await anna.expect(Created, Create, **wish)
        for talker in (anna, boris):
            await seated(talker, room.match)
            await talker.accepted(Ready, match=room.match)
        await boris.wait_for(lambda message: isinstance(message, Frame))
        async with met(app.url, token=boris.token) as later:
            assert (await later.expect(Resumed, Join, code=room.code)).side == "B"


# --- while nothing can be written


async def test_while_nothing_can_be_written_everybody_comes_back(tmp_path: Path) -> None:
    async with duel(tmp_path) as (app, anna, boris):
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
            chat = await later.refused(Chat, match=anna.match, text="hello")
            assert chat.code is Code.SERVER_JOURNAL
        await writes(app, on=True)
        async with met(app.url, token=anna.talker.token) as later:
            taken = await back(later, anna.match, ticket=anna.ticket)
            assert taken.ticket is not None
            player = Player(later, taken)
            await player.frame()
            await play_on([player, boris], 1)


# --- how long tickets last


async def test_a_ticket_lasts_as_long_as_its_match_and_thirty_days_more(tmp_path: Path) -> None:
    clock = FakeClock(START_MS)
    async with duel(tmp_path, clock) as (app, anna, boris):
        clock.advance(400 * DAY_MS)
        assert (await asked(app, Prune(days=0))).done == "deleted 0 of 0 finished matches"
        async with met(app.url) as other:
            ticket = (await back(other, anna.match, ticket=anna.ticket)).ticket
        await boris.talker.accepted(Resign, match=anna.match)
        await boris.over()
        await app.lobby.matches.runners[anna.match].over.wait()
        for passed_ms in (0, TICKET_MS - 1):
            clock.advance(passed_ms)
            await asked(app, Prune(days=36_500))
            async with met(app.url) as other:
                assert (await back(other, anna.match, ticket=ticket)).side == anna.side
        clock.advance(1)
        async with met(app.url, token=anna.talker.token) as later:
            assert await later.code(Resume, match=anna.match, ticket=ticket) is Code.TICKET_BAD
            taken = await back(later, anna.match)
            assert (taken.side, taken.ticket) == (anna.side, None)


async def test_the_tickets_of_older_servers_last_as_long_as_their_match(tmp_path: Path) -> None:
    clock = FakeClock(START_MS)
    async with duel(tmp_path, clock) as (app, anna, _):
        assert app.storage.database is not None
        await app.storage.database.query(
            "UPDATE ticket SET expires_ms = ?", (START_MS + TICKET_MS,)
        )
        clock.advance(TICKET_MS + DAY_MS)
        await asked(app, Prune(days=0))
        async with met(app.url) as other:
            assert (await back(other, anna.match, ticket=anna.ticket)).side == anna.side


# --- backups, forgetting, removal


async def test_a_restore_from_a_backup_locks_nobody_out_whose_token_it_knows(
    tmp_path: Path,
) -> None:
    journal, kept = tmp_path / "journal.db", tmp_path / "kept.db"
    async with duel(tmp_path) as (_, anna, boris):
        await play_on([anna, boris], 2)
        seen = anna.seen
    shutil.copy(journal, kept)
    async with running_app(tmp_path) as app:
        for _ in range(2):
            async with met(app.url, token=anna.talker.token) as later:
                anna.ticket = (await back(later, anna.match, ticket=anna.ticket)).ticket or ""
    shutil.copy(kept, journal)
    async with running_app(tmp_path) as app, met(app.url, token=anna.talker.token) as later:
        assert await later.code(Resume, match=anna.match, ticket=anna.ticket) is Code.TICKET_BAD
        taken = await back(later, anna.match, have=seen)
        assert taken.side == anna.side
        async with met(app.url, token=boris.talker.token) as other:
            assert (await other.expect(Resumed, Join, match=anna.match)).side == boris.side


async def test_who_was_removed_does_not_come_back_by_the_account(tmp_path: Path) -> None:
    async with contextlib.AsyncExitStack() as stack:
        app = await stack.enter_async_context(running_app(tmp_path))
        talkers = [await stack.enter_async_context(met(app.url)) for _ in range(4)]
        players = await started(talkers, scenario="four-corners")
        anna, match = players[0], players[0].match
        await asked(app, Kick(match=match, side=anna.side))
        async with met(app.url, token=anna.talker.token) as later:
            assert await later.code(Resume, match=match, ticket=anna.ticket) is Code.TICKET_BAD
            assert await later.code(Resume, match=match) is Code.SEAT_NONE
            assert await later.code(Join, match=match) is Code.MATCH_STARTED
    async with running_app(tmp_path) as app, met(app.url, token=anna.talker.token) as later:
        assert await later.code(Resume, match=match) is Code.SEAT_NONE


@pytest.mark.parametrize("kind", [Info, FetchRecord])
async def test_a_seat_that_is_taken_again_after_the_end_shows_the_end(
    tmp_path: Path, kind: type[Info | FetchRecord]
) -> None:
    async with duel(tmp_path) as (app, anna, boris):
        await boris.talker.accepted(Resign, match=anna.match)
        end = await anna.over()
        await app.lobby.matches.runners[anna.match].over.wait()
        async with met(app.url, token=anna.talker.token) as later:
            taken = await back(later, anna.match)
            assert (taken.window, taken.rev, taken.locked) == (None, 0, False)
            assert await Player(later, taken).over() == end
            assert not isinstance(await later.ask(kind, match=anna.match), Accepted | Refused)
