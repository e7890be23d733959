"""A finished match is archived with its end, and given out by programs of other rules."""

import asyncio
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from builders.archived import played
from builders.beats import Hall
from builders.fakeclock import FakeClock
from builders.memoryjournal import MemoryJournal
from builders.oldrules import raise_rules
from builders.players import SCENARIO
from builders.records import link, read_record
from builders.runners import loaded_runner
from builders.servers import running_app
from builders.truths import MATCH
from builders.venues import Venue
from builders.verified import finished
from builders.watchers import watch
from builders.wires import met
from sunglare_arena.verify import main as verify
from sunglare_protocol.codec import Form, decode_server
from sunglare_protocol.ids import OMNI, PUBLIC
from sunglare_protocol.messages import (
    Frame,
    Leave,
    Over,
    Resume,
    Resumed,
    ResumeKind,
)
from sunglare_protocol.refusals import Code
from sunglare_protocol.replay.layers import Message, read_layers, written
from sunglare_server.match.data.options import MatchOptions
from sunglare_server.match.record import Resigned
from sunglare_server.ports.journal import Archive, Journal, JournalError
from sunglare_server.ports.rooms import Room
from sunglare_server.runtime import archive
from sunglare_server.runtime.archive import SUMMARY, read_sent, read_summary
from sunglare_server.runtime.archiving import Archiving, archive_of
from sunglare_server.runtime.runner import Runner
from sunglare_server.runtime.scheduler import Scheduler
from sunglare_server.sqlite.database import Database
from sunglare_server.sqlite.journal import SqliteJournal

START_MS = 5_000_000


async def test_every_audience_is_archived_byte_for_byte(tmp_path: Path) -> None:
    match, sent, *_ = await played(tmp_path)
    async with running_app(tmp_path) as app:
        journal = app.storage.journal
        for audience, messages in sent.items():
            kept = read_sent(await journal.archived(match, audience))
            assert {message.seq: message.data for message in kept} == messages, audience
            assert [message.seq for message in kept] == list(range(1, len(kept) + 1))
        assert match not in await journal.matches()


async def test_a_later_program_shows_what_is_archived(
    venue: Venue, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    match, sent, ticket, last, *_ = await played(tmp_path)
    raise_rules(monkeypatch)
    app = await venue.open()
    for feed in (PUBLIC, OMNI):
        async with met(app.url) as late, met(app.url) as back:
            watching = await watch(late, match, feed)
            assert watching.card.name == SCENARIO
            await late.came(Over)
            newest = [n for n, data in sent[feed].items() if is_frame(data)][-1]
            assert late.sequence(match) == {n: sent[feed][n] for n in sent[feed] if n >= newest}
            await watch(back, match, feed, have=2)
            await back.came(Over)
            assert back.sequence(match) == {n: sent[feed][n] for n in sent[feed] if n > 2}
            await back.leave(match)
            assert await back.code(Leave, match=match) is Code.MATCH_STARTED
    line = await venue.one()
    seat = await line.expect(Resumed, Resume, match=match, ticket=ticket, have=last - 2)
    await line.came(Over)
    assert line.sequence(match) == {n: sent["A"][n] for n in (last - 1, last)}
    assert (seat.side, seat.kind, bool(seat.classes)) == ("A", ResumeKind.EXACT, True)


async def test_the_record_of_a_later_program_is_checked_with_its_frames(
    venue: Venue,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    match, sent, *_ = await played(tmp_path)
    raise_rules(monkeypatch)
    stranger = await venue.one()
    data = await stranger.record(match)
    saved = tmp_path / "match.sgr"
    saved.write_bytes(data)
    assert verify([str(saved)]) == 2
    said = capsys.readouterr()
    assert "NOT FOLDED" in said.err
    for audience, messages in sent.items():
        count = sum(map(is_frame, messages.values()))
        assert f"{audience} {count} of {count}" in said.out
    file = read_record(data)
    head, layers = data[: -len(file.layers)], read_layers(file.layers)
    place = next(n for n, message in enumerate(layers.messages) if message.sent["t"] == "frame")
    name, frame = layers.messages[place]
    for forged in (frame | {"window": "1.slot"}, {}, frame | {"seq": 2}):
        changed = [*layers.messages]
        changed[place] = Message(name, forged)
        saved.write_bytes(head + written(layers._replace(messages=tuple(changed))))
        assert verify([str(saved)]) == 1
        assert "frame" in capsys.readouterr().out


async def test_the_program_of_its_rules_folds_the_record_that_a_later_one_gave(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    match, *_ = await played(tmp_path)
    with pytest.MonkeyPatch.context() as patch:
        raise_rules(patch)
        async with running_app(tmp_path) as app, met(app.url) as stranger:
            data = await stranger.record(match)
    saved = tmp_path / "match.sgr"
    saved.write_bytes(data)
    assert verify([str(saved)]) == 0, capsys.readouterr()


async def kept(journal: MemoryJournal, blobs: tuple[bytes, ...]) -> MemoryJournal:
    """Return the journal with these records of a match."""
    await journal.append(MATCH, 1, blobs)
    return journal


def runner_on(journal: Journal) -> Runner:
    """Return a runner that can take up the match of a journal."""
    clock = FakeClock(START_MS)
    return Runner(MATCH, journal, clock, Scheduler(clock))


@pytest.mark.parametrize("closed", [True, False], ids=["closed", "not closed"])
async def test_a_match_that_ended_and_was_not_archived_is_archived_by_the_next_start(
    *, closed: bool
) -> None:
    match = finished()
    journal = await kept(MemoryJournal(), match.journal[: None if closed else -1])
    await runner_on(journal).recover(lambda: None, None)
    assert await journal.matches() == ()
    for audience, messages in match.sent.items():
        told = {sent.seq: sent.data for sent in read_sent(await journal.archived(MATCH, audience))}
        assert list(told) == list(range(1, len(messages) + 1))
        # A rig knows no hashes of records, of which the last message tells one.
        assert list(told.values())[:-1] == [bytes(message) for message in messages[:-1]]


async def test_the_archive_is_stored_with_the_end_or_neither_is(tmp_path: Path) -> None:
    database = await Database.open(tmp_path / "journal.db")
    journal = SqliteJournal(database)
    unfit: Archive = (("A", b"1"), ("B", None))  # type: ignore[assignment]
    with pytest.raises(JournalError):
        await journal.finish(MATCH, unfit)
    assert await journal.archived(MATCH, "A") is None
    assert await database.query("SELECT * FROM finished") == []
    await database.close()


async def test_a_server_that_stops_archives_what_is_over_first() -> None:
    hall = await Hall.opened(MatchOptions(clock="test"))
    runner = hall.runner
    hall.command(hall.runner.state.standing.sides[0], Resigned())
    while not hall.answers:
        await hall.clock.run_for(100)
    await runner.stop()
    assert await hall.journal.matches() == ()
    assert read_summary(await hall.journal.archived(runner.match, SUMMARY)) is not None


async def test_a_load_that_is_broken_off_leaves_it_to_the_next() -> None:
    journal = await kept(MemoryJournal(), finished().journal)
    runner, begun = runner_on(journal), asyncio.Event()
    loading = asyncio.create_task(runner.recover(begun.set, None))
    await begun.wait()
    await runner.stop()
    await loading
    assert not runner.over.is_set()
    assert await journal.matches() == (MATCH,)
    again = runner_on(journal)
    await again.recover(lambda: None, None)
    assert again.over.is_set()
    assert await journal.matches() == ()


async def test_a_match_whose_end_was_never_noted_is_taken_up_though_its_room_is_over(
    venue: Venue, tmp_path: Path
) -> None:
    match, sent, *_ = await played(tmp_path)
    with closing(sqlite3.connect(tmp_path / "journal.db")) as file:
        file.execute("DELETE FROM finished")
        file.execute("DELETE FROM archive")
        file.commit()
    app = await venue.open()
    room = await app.lobby.registry.find(match)
    assert isinstance(room, Room)
    runner = await loaded_runner(app.lobby.matches, room)
    assert runner is not None
    async with asyncio.timeout(10):
        await runner.over.wait()
    again = read_sent(await app.storage.journal.archived(match, "A"))
    assert {message.seq: message.data for message in again} == sent["A"]


async def test_what_cannot_be_archived_is_over_all_the_same(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async def fails(_: Archiving) -> Archive:
        raise RuntimeError("planted")

    journal = await kept(MemoryJournal(), finished().journal)
    monkeypatch.setattr(Archiving, "_made", fails)
    runner = runner_on(journal)
    await runner.recover(lambda: None, None)
    assert runner.over.is_set()
    assert await journal.matches() == ()
    assert await journal.archived(MATCH, SUMMARY) is None


async def test_an_archive_is_bounded_and_loses_the_oldest_first(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    records = finished().journal
    whole = await archive_of(MATCH, records)
    monkeypatch.setattr(archive, "SEGMENT_BYTES", 20_000)
    monkeypatch.setattr(archive, "AUDIENCE_BYTES_MOST", 3_000)
    cut = await archive_of(MATCH, records)
    for (audience, blob), (_, full) in zip(cut[1:], whole[1:], strict=True):
        some, every = read_sent(blob), read_sent(full)
        assert some == every[-len(some) :], audience
        assert 0 < len(some) < len(every)
        assert len(blob) < 3_000 + 100


@pytest.mark.parametrize("place", [0, 20, -1])
async def test_a_damaged_part_is_no_part(place: int) -> None:
    parts = await archive_of(MATCH, finished().journal)
    for name, blob in parts:
        flipped = bytearray(blob)
        flipped[place] ^= 1
        found = read_sent(bytes(flipped)) if name else read_summary(bytes(flipped))
        assert not found


async def test_the_summary_says_what_the_record_file_says() -> None:
    match = finished()
    (name, blob), *_ = await archive_of(MATCH, match.journal)
    summary, file = read_summary(blob), read_record(match.data)
    assert (name, summary is not None) == (SUMMARY, True)
    assert summary is not None
    assert summary.trailer is not None
    assert summary.result.ending.value == file.header["ending"]
    assert [chain.hash for chain in summary.trailer.chains[OMNI]] == [
        linked[-1] for linked in file.trailer["chains"][OMNI]
    ]
    ended = next(n for n, record in enumerate(file.maps, 1) if record["k"] == "close") - 1
    assert summary.head == link(file.blobs[ended - 1])


def is_frame(data: bytes) -> bool:
    """Return whether a message is a frame."""
    return isinstance(decode_server(data, Form.PACKED), Frame)
