"""Chat after the end of a match: open for a while, kept with its room, and in no record."""

from pathlib import Path

import pytest
from structlog.testing import capture_logs

from builders.operators import asked, typed
from builders.players import Player, finished
from builders.venues import Venue
from builders.wires import Talker
from sunglare_protocol.ids import PUBLIC, Audience, Side
from sunglare_protocol.messages import Chat, Mute, News, NewsKind, Report, Watch
from sunglare_protocol.refusals import Code
from sunglare_server.ops.control.requests import ReportsAsked
from sunglare_server.ports.store import StoreError

A, B = Side("A"), Side("B")
TEN_MINUTES_MS = 600_000
LINES_MOST = 20
Capsys = pytest.CaptureFixture[str]


def said(talker: Talker) -> list[tuple[Side | None, str, int]]:
    """Return the chat that has come: who spoke, what was said, and its number."""
    news = [one for one in talker.messages if isinstance(one, News)]
    return [(one.side, one.text, one.seq) for one in news if one.kind is NewsKind.CHAT]


async def ended(venue: Venue) -> list[Player]:
    """Return two whose match is over, by resignation."""
    players = await venue.duel(names=("Anna", "Boris"))
    await finished(players)
    return players


async def test_seats_and_spectators_hear_it_outside_the_sequence_and_no_record_has_it(
    venue: Venue,
) -> None:
    anna, boris = await ended(venue)
    eve = await venue.one()
    await eve.ask(Watch, match=anna.match, feed=PUBLIC)
    before = await anna.talker.record(anna.match)
    await anna.accepted(Chat, text="gg")
    await boris.accepted(Chat, text="how did you see me?")
    for talker in (anna.talker, boris.talker, eve):
        await talker.ping()
        assert said(talker) == [(A, "gg", 0), (B, "how did you see me?", 0)]
    assert await anna.talker.record(anna.match) == before


async def test_whoever_comes_hears_what_was_said_also_after_a_restart(venue: Venue) -> None:
    anna, boris = await ended(venue)
    await anna.accepted(Chat, text="gg")
    token, match, ticket = boris.talker.token, boris.match, boris.ticket
    await venue.close()
    again = await venue.one(token=token)
    back = Player(again, boris.taken)
    back.ticket = ticket
    back = await back.resume(again, 0)
    eve = await venue.one()
    await eve.ask(Watch, match=match, feed=PUBLIC)
    await back.accepted(Chat, text="well played")
    for talker in (again, eve):
        await talker.ping()
        assert said(talker) == [(A, "gg", 0), (B, "well played", 0)]


async def test_a_command_that_is_repeated_is_said_once(venue: Venue) -> None:
    anna, boris = await ended(venue)
    first = await anna.accepted(Chat, text="gg")
    await anna.talker.send(Chat(id=first.id, match=anna.match, text="gg"))
    await anna.accepted(Chat, text="bye")
    await boris.talker.ping()
    assert [text for _, text, _ in said(boris.talker)] == ["gg", "bye"]


async def test_a_seat_that_has_muted_the_speaker_still_does_not_hear_it(venue: Venue) -> None:
    players = await venue.duel()
    anna, boris = players
    eve = await venue.one()
    await boris.accepted(Mute, side=A)
    await finished(players)
    await eve.ask(Watch, match=anna.match, feed=Audience("B"))
    await anna.accepted(Chat, text="gg")
    for talker in (boris.talker, eve):
        await talker.ping()
        assert said(talker) == []
    later = await boris.resume(await venue.one(token=boris.talker.token), 0)
    await later.talker.ping()
    assert said(later.talker) == []


async def test_it_is_closed_after_ten_minutes(venue: Venue) -> None:
    clock = await venue.still()
    anna, _ = await ended(venue)
    await anna.accepted(Chat, text="gg")
    clock.advance(TEN_MINUTES_MS - 1)
    await anna.accepted(Chat, text="still here?")
    clock.advance(1)
    assert await anna.code(Chat, text="hello?") is Code.MATCH_OVER


async def test_each_seat_says_so_many_lines(venue: Venue) -> None:
    anna, boris = await ended(venue)
    for number in range(LINES_MOST):
        await anna.accepted(Chat, text=f"line {number}")
    refused = await anna.talker.refused(Chat, match=anna.match, text="one more")
    assert refused.code is Code.MATCH_OVER
    assert str(LINES_MOST) in refused.text
    await boris.accepted(Chat, text="quiet, please")


async def test_no_stranger_and_nobody_whom_the_operator_has_muted_says_a_word(
    venue: Venue, capsys: Capsys
) -> None:
    anna, boris = await ended(venue)
    eve = await venue.one("Eve")
    assert await eve.code(Chat, match=anna.match, text="me too") is Code.SEAT_NONE
    await typed(capsys, venue.app, "mute", "Anna", "--reason", "shouting")
    assert await anna.code(Chat, text="gg") is Code.CHAT_MUTED
    lent = await anna.resume(eve, 0)
    assert await lent.code(Chat, text="gg") is Code.CHAT_MUTED
    await boris.talker.ping()
    assert said(boris.talker) == []


async def test_no_chat_is_taken_from_a_muted_address_in_a_match_or_after_it(
    venue: Venue, capsys: Capsys
) -> None:
    running = await venue.duel()
    anna, _ = await ended(venue)
    await typed(capsys, venue.app, "mute", "--address", "127.0.0.1")
    for player in (running[0], anna):
        assert await player.code(Chat, text="gg") is Code.CHAT_MUTED


async def test_a_ban_of_the_account_silences_its_seat_whoever_holds_it(
    venue: Venue, capsys: Capsys
) -> None:
    anna, boris = await ended(venue)
    lent = await anna.resume(await venue.one("Eve"), 0)
    await typed(capsys, venue.app, "ban", "Anna")
    assert await lent.code(Chat, text="gg") is Code.OPERATOR_BANNED
    await boris.accepted(Chat, text="gg")


async def test_where_nothing_can_be_stored_it_is_refused_and_said_to_nobody(
    venue: Venue, monkeypatch: pytest.MonkeyPatch
) -> None:
    anna, boris = await ended(venue)

    async def refuses(*_: object) -> bool:
        raise StoreError("the disk is full")

    monkeypatch.setattr(venue.app.storage.store, "amend_room", refuses)
    with capture_logs() as lines:
        assert await anna.code(Chat, text="gg") is Code.SERVER_JOURNAL
    (line,) = [line for line in lines if line["event"] == "store_refused"]
    assert (line["why"], line["fatal"]) == ("the disk is full", False)
    await boris.talker.ping()
    assert said(boris.talker) == []


async def test_a_report_shows_it_behind_what_was_said_in_the_match(
    venue: Venue, capsys: Capsys, tmp_path: Path
) -> None:
    players = await venue.duel(names=("Anna", "Boris"))
    anna, boris = players
    await boris.accepted(Chat, text="you lot")
    await finished(players)
    await boris.accepted(Chat, text="cheats, all of you")
    await anna.accepted(Report, side=B, text="insults us")
    reports = (await asked(venue.app, ReportsAsked())).reports
    assert reports is not None
    (row,) = reports
    assert [(word.side, word.text) for word in row.said] == [
        (B, "you lot"),
        (B, "cheats, all of you"),
    ]
    file = tmp_path / "boris.json"
    await typed(capsys, venue.app, "export-person", "Boris", str(file))
    assert "cheats, all of you" in file.read_text()
