"""The operator's commands against a running server: who hears of them, and what they change."""

import asyncio
from pathlib import Path

import msgspec
import pytest

from builders.operators import asked, typed
from builders.players import created, play_on, seated, started
from builders.venues import Venue
from builders.watchers import watch
from builders.wires import WAIT_S, Talker, met
from sunglare_protocol.ids import PUBLIC, MatchId, Side
from sunglare_protocol.messages import AskPause, Chat, Create, Ending, Info, News, NewsKind, Resume
from sunglare_protocol.refusals import Code
from sunglare_server.app import App
from sunglare_server.ops.control.answers import MatchRow
from sunglare_server.ops.control.requests import Drain, MatchesAsked, StatusAsked

A, B = Side("A"), Side("B")

Capsys = pytest.CaptureFixture[str]


def server_news(talker: Talker) -> list[str]:
    """Return what the server has told a connection outside any sequence."""
    news = talker.every(News)
    return [told.text for told in news if told.kind is NewsKind.SERVER and not told.seq]


async def row_of(app: App, match: str) -> MatchRow:
    """Return the row of a match."""
    rows = (await asked(app, MatchesAsked(over=True))).matches or ()
    (row,) = (row for row in rows if row.match == match)
    return row


async def test_a_word_of_the_operator_reaches_the_seats_of_one_match_or_all(
    venue: Venue, capsys: Capsys
) -> None:
    anna, boris, clara, dana = await venue.named("anna", "boris", "clara", "dana")
    left, _ = await started([anna, boris])
    waiting = await seated(clara, await created(clara))
    await watch(dana, left.match, PUBLIC)
    done = await typed(capsys, venue.app, "say", "back", "at nine", "--match", left.match)
    assert (done.code, done.out) == (0, "told 1 match\n")
    assert (await typed(capsys, venue.app, "say", "one more")).out == "told 2 matches\n"
    for talker in (anna, boris, clara):
        await talker.told("operator: one more")
    assert server_news(anna) == ["operator: back at nine", "operator: one more"]
    assert server_news(clara) == ["operator: one more"]
    await left.accepted(Chat, text="bye")
    await dana.told("bye")
    assert server_news(dana) == []
    assert waiting.match != left.match


@pytest.mark.parametrize("text", ["", "two\nlines", "x" * 291, "\u202eback"])
async def test_a_word_that_no_player_might_say_is_refused(
    app: App, capsys: Capsys, text: str
) -> None:
    done = await typed(capsys, app, "say", text)
    assert (done.code, done.out) == (1, "")
    assert "one line of 1 to 290 plain characters" in done.err


async def test_a_match_that_the_operator_pauses_waits_for_the_operator(
    venue: Venue, app: App, capsys: Capsys
) -> None:
    anna, boris = await venue.duel(names=("anna", "boris"))
    match = anna.match
    assert (await typed(capsys, app, "pause", match[:6])).code == 0
    await boris.talker.told("operator: the match is paused")
    await anna.accepted(AskPause, on=False)
    assert (await row_of(app, match)).state == "held"
    again = await typed(capsys, app, "pause", match)
    assert (again.code, again.err) == (1, f"sunglare-server: {match} is paused already\n")
    assert (await typed(capsys, app, "resume", match)).code == 0
    assert (await row_of(app, match)).state == "running"
    await play_on([anna, boris], 1)
    texts = [post.text for post in boris.posts if isinstance(post, News)]
    assert texts == ["paused", "over"]
    assert (await typed(capsys, app, "resume", match)).code == 1


async def test_an_adjourned_match_has_no_winner(venue: Venue, capsys: Capsys) -> None:
    anna, boris = await venue.duel(names=("anna", "boris"))
    assert (await typed(capsys, venue.app, "adjourn", anna.match)).code == 0
    for player in (anna, boris):
        over = await player.over()
        assert (over.result.ending, over.result.winner) == (Ending.ADJOURNED, None)
    late = await typed(capsys, venue.app, "adjourn", anna.match)
    assert late.code == 1
    assert late.err == f"sunglare-server: {anna.match} is over, not running\n"


async def kicked(talker: Talker) -> None:
    """Wait until a connection has been ended by the operator."""
    assert await talker.wait_closed() == 1008
    assert talker.farewell is Code.OPERATOR_KICKED


async def test_a_person_who_is_kicked_loses_every_seat_and_may_not_resume(
    venue: Venue, app: App, capsys: Capsys
) -> None:
    anna, boris = await venue.named("Anna", "boris")
    elsewhere = await venue.one("Anna", token=anna.token)
    left, right = await started([anna, boris])
    waiting = await seated(elsewhere, await created(elsewhere))
    done = await typed(capsys, app, "kick", "anna")
    assert done.out == "anna: 2 seats cleared, all connections ended\n"
    await kicked(anna)
    await kicked(elsewhere)
    over = await right.over()
    assert (over.result.ending, over.result.winner) == (Ending.RESIGNED, B)
    assert "operator: A was removed and gives up" in server_news(boris)
    async with met(app.url, token=anna.token) as back:
        ticket = {"match": left.match, "ticket": left.ticket, "have": 0}
        assert await back.code(Resume, **ticket) is Code.TICKET_BAD
        assert await back.code(Info, match=waiting.match) is Code.MATCH_UNKNOWN
    assert (await typed(capsys, app, "kick", "nobody")).code == 1


async def test_a_seat_is_cleared_whoever_holds_it_and_the_others_play_on(
    venue: Venue, capsys: Capsys
) -> None:
    anna, boris, clara, dana, emil = await venue.named("anna", "boris", "clara", "dana", "emil")
    talkers = [anna, boris, clara, dana]
    players = await started(talkers, scenario="four-corners")
    # The seat of anna is held by emil, who was given her ticket.
    held = await players[0].resume(emil)
    done = await typed(capsys, venue.app, "kick", "--match", held.match, "--side", "A")
    assert done.out == f"{held.match}: the seat A is cleared\n"
    await kicked(emil)
    await play_on(players[1:], 1)
    empty = await typed(capsys, venue.app, "kick", "--match", held.match, "--side", "E")
    assert "no player has side E" in empty.err


async def test_a_seat_in_a_room_is_free_again_after_a_kick(venue: Venue, capsys: Capsys) -> None:
    anna, boris, clara = await venue.named("anna", "boris", "clara")
    match = await created(anna)
    await seated(anna, match)
    await seated(boris, match)
    assert (await typed(capsys, venue.app, "kick", "--match", match, "--side", "B")).code == 0
    await kicked(boris)
    await seated(clara, match, "B")


@pytest.mark.parametrize("words", [(), ("anna", "--match", "x"), ("--side", "A")])
async def test_a_kick_names_a_person_or_a_seat(
    app: App, capsys: Capsys, words: tuple[str, ...]
) -> None:
    done = await typed(capsys, app, "kick", *words)
    assert "an account's name, or both a match and a side" in done.err


async def test_a_muted_person_is_not_heard_by_whichever_seat_until_unmuted(
    venue: Venue, capsys: Capsys
) -> None:
    anna, boris, clara = await venue.named("anna", "boris", "clara")
    left, right = await started([anna, boris])
    assert (await typed(capsys, venue.app, "mute", "ANNA")).out == "ANNA is muted\n"
    assert await anna.code(Chat, match=left.match, text="ha") is Code.CHAT_MUTED
    await boris.accepted(Chat, match=left.match, text="well")
    # Her ticket does not let another speak for her either.
    again = await left.resume(clara)
    assert await clara.code(Chat, match=left.match, text="ha") is Code.CHAT_MUTED
    await play_on([again, right], 1)
    await typed(capsys, venue.app, "unmute", "anna")
    await clara.accepted(Chat, match=left.match, text="sorry")
    await boris.told("sorry")
    assert [post.text for post in right.posts if isinstance(post, News)] == ["well", "sorry"]


async def test_a_draining_server_begins_no_match_and_ends_after_the_last_one(
    venue: Venue, app: App, capsys: Capsys
) -> None:
    anna, boris, clara, dana = await venue.named("anna", "boris", "clara", "dana")
    players = await started([anna, boris])
    room = await created(clara)
    waiting = [await seated(clara, room), await seated(dana, room)]
    done = await typed(capsys, app, "drain")
    assert done.out == "no match begins any more; the server ends after 1 match\n"
    assert await boris.code(Create, scenario="shadow-of-ceres") is Code.SERVER_CLOSING
    for player in waiting:
        await player.talker.ready(room)
    await play_on(players, 1)
    standing = (await asked(app, StatusAsked())).standing
    assert standing is not None
    assert standing.state == "draining"
    assert (standing.matches["waiting"], standing.matches["running"]) == (1, 1)
    assert not app.operator.drained.is_set()
    await anna.resign(players[0].match)
    async with asyncio.timeout(WAIT_S):
        await app.operator.drained.wait()


async def test_a_drain_can_end_the_server_at_once(venue: Venue) -> None:
    anna, boris = await venue.some(2)
    await started([anna, boris])
    await asked(venue.app, Drain(now=True))
    async with asyncio.timeout(WAIT_S):
        await venue.app.operator.drained.wait()


async def test_a_room_that_was_ready_while_the_server_drained_starts_with_the_next(
    venue: Venue,
) -> None:
    app = await venue.open()
    anna, boris = await venue.some(2)
    room = await created(anna)
    players = [await seated(anna, room), await seated(boris, room)]
    app.lobby.policy.is_draining = True
    for player in players:
        await player.talker.ready(room)
    await venue.close()
    talker = await venue.one()
    again = await players[0].resume(talker, 0)
    await again.frame()


async def test_the_operator_is_shown_who_plays_where_and_nothing_of_the_play(
    venue: Venue, app: App, capsys: Capsys
) -> None:
    anna, boris, clara = await venue.named("anna", "boris", "clara")
    players = await started([anna, boris])
    match = players[0].match
    await play_on(players, 2)
    await created(clara, private=True)
    await watch(clara, match, PUBLIC)
    row = await row_of(app, match)
    assert (row.scenario, row.state, row.clock) == ("shadow-of-ceres", "running", "test")
    assert [(seat.side, seat.name) for seat in row.seats] == [(A, "anna"), (B, "boris")]
    assert (row.listeners, row.slips, row.private) == (3, 0, False)
    printed = (await typed(capsys, app, "matches")).out
    assert len(printed.splitlines()) == 3
    assert "A anna, B boris" in printed
    assert "waiting, private" in printed
    status = (await typed(capsys, app, "status")).out
    assert "matches     1 waiting, 1 running\n" in status
    assert "people      3 connections" in status
    for hidden in (app.lobby.rooms[MatchId(match)].server_seed.hex(), players[0].ticket):
        assert hidden not in printed + status + (await typed(capsys, app, "matches", "--json")).out
    fields = {field.name for field in msgspec.structs.fields(MatchRow)}
    assert not fields & {"turn", "phase", "window", "records", "locked", "winner", "result"}


async def test_a_finished_match_is_listed_only_if_asked(venue: Venue, capsys: Capsys) -> None:
    anna, _ = await venue.duel()
    await anna.resign()
    await anna.over()
    assert (await typed(capsys, venue.app, "matches")).out == "no matches\n"
    assert anna.match in (await typed(capsys, venue.app, "matches", "--over")).out


async def test_a_match_is_named_by_letters_that_only_its_id_begins_with(
    app: App, capsys: Capsys
) -> None:
    done = await typed(capsys, app, "pause", "abc")
    assert done.code == 1
    assert "0 matches have an id that begins with 'abc'" in done.err


async def test_without_a_server_a_command_says_where_it_looked(
    venue: Venue, tmp_path: Path, capsys: Capsys
) -> None:
    app = await venue.open()
    await venue.close()
    done = await typed(capsys, app, "status")
    assert done.code == 1
    assert done.err.startswith(f"sunglare-server: no server answers at {tmp_path}/journal.db.ctl:")
