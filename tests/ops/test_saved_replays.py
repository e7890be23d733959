"""Whoever saves a match has what every audience was sent, whenever and from whichever server."""

import asyncio
import sqlite3
import zlib
from collections.abc import Generator, Iterator
from contextlib import closing
from pathlib import Path
from typing import final

import msgpack  # type: ignore[import-untyped]
import pytest
from structlog.testing import capture_logs

from builders.archived import OPTIONS, Archived, played
from builders.memoryjournal import MemoryJournal
from builders.oldrules import raise_rules
from builders.players import all_ready, created, play_on, seated
from builders.records import link
from builders.replays import bare, packed, values_of
from builders.servers import running_app
from builders.watchers import watch
from builders.wires import met
from sunglare_arena.matchfile import DifferenceError
from sunglare_arena.unfolded import NotFoldedError
from sunglare_arena.verify import verified
from sunglare_protocol.ids import OMNI, Audience, MatchId
from sunglare_protocol.messages import Over, Resign, Resume, Watch
from sunglare_protocol.refusals import Code
from sunglare_protocol.replay.analysis import ANALYSIS, Analysis
from sunglare_protocol.replay.file import read_replay
from sunglare_server.app import App
from sunglare_server.archive import files
from sunglare_server.archive.files import layers_of
from sunglare_server.match.analysis.analysis import analysed
from sunglare_server.match.record import HASH_BYTES
from sunglare_server.match.state import MatchState
from sunglare_server.ports.journal import JournalError
from sunglare_server.ports.rooms import Room

LEAST = 24
"""A value of so many bytes stands in no two messages by chance."""


@pytest.fixture
async def archived(tmp_path: Path) -> Archived:
    """Return a match that is over."""
    return await played(tmp_path)


def check_layers(data: bytes, sent: dict[str, dict[int, bytes]]) -> None:
    """Check that a file shows to the byte what every audience was sent."""
    found = read_replay(data)
    assert found.fault == ""
    layers = found.layers.by_name
    assert layers.pop(ANALYSIS)
    assert set(layers) == set(sent)
    for audience, layer in layers.items():
        due = [bare(message) for _, message in sorted(sent[audience].items())]
        assert [packed(message) for message in layer] == due, audience


async def saved(folder: Path, match: MatchId) -> bytes:
    """Return the record file that a server gives that starts now."""
    async with running_app(folder) as app, met(app.url) as stranger:
        return await stranger.record(match)


def changed(folder: Path, statement: str) -> None:
    """Change the database of a server that does not run."""
    with closing(sqlite3.connect(folder / "journal.db")) as file:
        file.execute(statement)
        file.commit()


async def test_a_match_that_was_just_played_is_saved_with_all_that_was_sent(
    archived: Archived,
) -> None:
    assert any(b"pad" in message for message in archived.sent["A"].values())
    check_layers(archived.record, archived.sent)


async def test_a_match_is_saved_after_a_restart_to_the_same_byte(
    tmp_path: Path, archived: Archived
) -> None:
    assert await saved(tmp_path, archived.match) == archived.record


async def test_a_match_of_other_rules_is_saved_with_all_that_was_sent(
    tmp_path: Path, archived: Archived, monkeypatch: pytest.MonkeyPatch
) -> None:
    raise_rules(monkeypatch)
    data = await saved(tmp_path, archived.match)
    check_layers(data, archived.sent)
    with pytest.raises(NotFoldedError):
        verified(data)


@pytest.mark.parametrize(
    "statement",
    [
        "DELETE FROM archive",
        "UPDATE archive SET blob = x'00' WHERE part = ''",
        "UPDATE archive SET blob = x'00' WHERE part = 'A'",
        "DELETE FROM archive WHERE part = 'omni'",
    ],
    ids=[
        "was never archived",
        "has a damaged archive",
        "has a damaged layer",
        "lacks a layer",
    ],
)
async def test_a_match_that_cannot_be_read_from_the_archive_is_folded_again(
    tmp_path: Path, archived: Archived, statement: str
) -> None:
    changed(tmp_path, statement)
    with capture_logs() as lines:
        assert await saved(tmp_path, archived.match) == archived.record
    [line] = [line for line in lines if line["event"] == "archive_damaged"]
    assert (line["match"], line["made_again"]) == (archived.match, True)


async def test_a_layer_of_other_rules_that_is_damaged_is_told_by_all_who_read_it(
    tmp_path: Path, archived: Archived, monkeypatch: pytest.MonkeyPatch
) -> None:
    changed(tmp_path, "UPDATE archive SET blob = x'00' WHERE part = 'A'")
    raise_rules(monkeypatch)
    with capture_logs() as lines:
        data = await saved(tmp_path, archived.match)
    lost = [line for line in lines if line["event"] == "sent_messages_lost"]
    assert [(line["match"], line["audience"]) for line in lost] == [(archived.match, "A")]
    found = read_replay(data)
    assert found.fault == "What was sent to A is missing in it."
    assert not found.layers.by_name["A"]
    assert len(found.layers.by_name["B"]) == len(archived.sent["B"])
    with pytest.raises(DifferenceError, match="what was sent to A: nothing of it is there"):
        verified(data)


def without_its_end(blob: bytes) -> bytes:
    """Return what is archived of an audience without its last message, and with a good hash."""
    found = msgpack.unpackb(blob[HASH_BYTES:])
    *before, last = found["packed"]
    *messages, _ = msgpack.unpackb(zlib.decompress(last))
    found["packed"] = [*before, zlib.compress(msgpack.packb(messages))]
    body: bytes = msgpack.packb(found)
    return link(body) + body


@pytest.mark.parametrize("is_damaged", [True, False], ids=["damaged", "without its end"])
async def test_a_feed_of_other_rules_that_is_not_whole_is_refused_and_told_to_the_log(
    tmp_path: Path, archived: Archived, monkeypatch: pytest.MonkeyPatch, *, is_damaged: bool
) -> None:
    with closing(sqlite3.connect(tmp_path / "journal.db")) as file, file:
        [(blob,)] = file.execute("SELECT blob FROM archive WHERE part = 'A'")
        changed_blob = b"\0" if is_damaged else without_its_end(blob)
        file.execute("UPDATE archive SET blob = ? WHERE part = 'A'", (changed_blob,))
    raise_rules(monkeypatch)
    async with running_app(tmp_path) as app, met(app.url) as anna, met(app.url) as stranger:
        with capture_logs() as lines:
            refused = [
                await stranger.code(Watch, match=archived.match, feed=Audience("A")),
                await anna.code(Resume, match=archived.match, ticket=archived.ticket, have=0),
            ]
        assert refused == [Code.MATCH_FAULT] * 2
        lost = [line for line in lines if line["event"] == "sent_messages_lost"]
        assert [(line["match"], line["audience"]) for line in lost] == [(archived.match, "A")] * 2
        # What is whole is shown as ever.
        await watch(stranger, archived.match, OMNI)
        data = await stranger.record(archived.match)
    with pytest.raises(DifferenceError, match="what was sent to A"):
        verified(data)


async def test_a_match_of_other_rules_that_was_never_archived_is_saved_without_layers(
    tmp_path: Path, archived: Archived, monkeypatch: pytest.MonkeyPatch
) -> None:
    changed(tmp_path, "DELETE FROM archive")
    raise_rules(monkeypatch)
    found = read_replay(await saved(tmp_path, archived.match))
    assert (found.header["trailer"], found.layers.messages) == (False, ())


async def test_the_file_of_a_running_match_shows_its_side_what_it_was_sent(
    archived: Archived,
) -> None:
    found = read_replay(archived.early)
    assert (found.fault, found.layers.names) == ("", ("A",))
    due = [bare(archived.sent["A"][seq]) for seq in range(1, archived.seen + 1)]
    assert [packed(message.sent) for message in found.layers.messages] == due


async def test_the_file_of_a_running_match_has_nothing_that_anybody_else_was_sent(
    archived: Archived,
) -> None:
    own = {value for message in archived.sent["A"].values() for value in within(message)}
    for audience in archived.sent.keys() - {"A"}:
        foreign = {
            value for message in archived.sent[audience].values() for value in within(message)
        }
        assert foreign - own, audience
        assert not [value for value in foreign - own if value in archived.early], audience
    for name in (b"boris", b"omni", b"public"):
        assert name in archived.record
        assert name not in archived.early


async def test_before_the_end_of_a_match_there_is_no_analysis_of_it_anywhere(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[MatchState] = []

    def noted(state: MatchState, seq: int) -> Generator[None, None, Analysis]:
        made.append(state)
        return analysed(state, seq)

    monkeypatch.setattr("sunglare_server.runtime.archiving.analysed", noted)
    async with running_app(tmp_path) as app, met(app.url) as anna, met(app.url) as boris:
        match = await created(anna, options=OPTIONS)
        players = [await seated(anna, match), await seated(boris, match)]
        await all_ready(players)
        await play_on(players, 5)
        early = await anna.record(match)
        assert read_replay(early).layers.names == ("A",)
        assert ANALYSIS.encode() not in early
        assert await app.storage.journal.archived(match, ANALYSIS) is None
        await boris.refused(Watch, match=match, feed=ANALYSIS)
        assert made == []
        await boris.accepted(Resign, match=match)
        await anna.wait_for(lambda message: isinstance(message, Over))
        layers = read_replay(await anna.record(match)).layers.by_name
        shown = [sent["window"] for sent in layers[OMNI] if sent["t"] == "frame"]
        assert [sent["window"] for sent in layers[ANALYSIS]] == shown
        assert len(made) == len(shown)
        await boris.refused(Watch, match=match, feed=ANALYSIS)


DAMAGED = "UPDATE archive SET blob = x'00' WHERE part = 'analysis'"
NONE = "DELETE FROM archive WHERE part = 'analysis'"


@pytest.mark.parametrize("statement", [NONE, DAMAGED], ids=["is missing", "is damaged"])
async def test_an_analysis_that_cannot_be_read_is_made_again_and_kept(
    tmp_path: Path, archived: Archived, statement: str
) -> None:
    changed(tmp_path, statement)
    assert await saved(tmp_path, archived.match) == archived.record
    with closing(sqlite3.connect(tmp_path / "journal.db")) as file:
        found = file.execute("SELECT length(blob) > 99 FROM archive WHERE part = 'analysis'")
        assert found.fetchall() == [(1,)]


async def test_a_match_of_other_rules_that_was_not_analysed_is_saved_without(
    tmp_path: Path, archived: Archived, monkeypatch: pytest.MonkeyPatch
) -> None:
    changed(tmp_path, NONE)
    raise_rules(monkeypatch)
    with capture_logs() as lines:
        found = read_replay(await saved(tmp_path, archived.match))
    assert set(found.layers.names) == set(archived.sent)
    # That is no fault: nobody tried to fold it.
    assert not [line for line in lines if line["log_level"] in ("warning", "error")]


def within(message: bytes) -> Iterator[bytes]:
    """Yield the bytes of every longer value in a message."""
    (sent,) = values_of(message)
    waiting = [*sent.values()]
    while waiting:
        value = waiting.pop()
        if isinstance(value, dict | list):
            waiting += value.values() if isinstance(value, dict) else value
        if len(data := msgpack.packb(value)) >= LEAST:
            yield data


@final
class Makings:
    """The files that were made: of how many layers each, and whether one has begun."""

    def __init__(self) -> None:
        """Begin before the first."""
        self.layers: list[int] = []
        self.begun = asyncio.Event()

    async def layers_of(self, sent: files.SentTo, room: int) -> bytes:
        """Note the making of a file, and make it."""
        self.layers.append(len(sent))
        self.begun.set()
        return await layers_of(sent, room)


@pytest.fixture
async def makings(monkeypatch: pytest.MonkeyPatch) -> Makings:
    """Return what notes the files that are made from now on; none is kept."""
    noted = Makings()
    monkeypatch.setattr(files, "layers_of", noted.layers_of)
    monkeypatch.setattr(files, "KEPT_BYTES_MOST", 0)
    return noted


async def room_of(app: App, archived: Archived) -> Room:
    """Return the room of the match."""
    room = await app.lobby.registry.find(archived.match)
    assert isinstance(room, Room)
    return room


async def test_those_who_ask_at_once_share_one_making(
    tmp_path: Path, archived: Archived, makings: Makings
) -> None:
    async with running_app(tmp_path) as app:
        room, made = await room_of(app, archived), app.lobby.files
        found = await asyncio.gather(*[made.record(room) for _ in range(5)])
        assert set(found) == {archived.record}
        assert makings.layers == [5]
        assert await made.record(room) == archived.record
        assert makings.layers == [5, 5]


async def test_who_waits_gets_the_file_though_the_one_who_asked_first_goes(
    tmp_path: Path, archived: Archived, makings: Makings
) -> None:
    async with running_app(tmp_path) as app:
        room, made = await room_of(app, archived), app.lobby.files
        first, second = [asyncio.create_task(made.record(room)) for _ in range(2)]
        await makings.begun.wait()
        first.cancel()
        assert await second == archived.record
        assert (first.cancelled(), makings.layers) == (True, [5])


async def test_a_file_is_made_once_for_those_who_ask_one_after_the_other(
    tmp_path: Path, archived: Archived, makings: Makings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(files, "KEPT_BYTES_MOST", 1 << 20)
    async with running_app(tmp_path) as app, met(app.url) as anna, met(app.url) as boris:
        assert await anna.record(archived.match) == archived.record
        assert await boris.record(archived.match) == archived.record
        assert makings.layers == [5]


async def test_who_asks_deals_with_a_journal_that_cannot_be_read_and_the_log_has_no_fault(
    tmp_path: Path, archived: Archived
) -> None:
    journal = MemoryJournal()
    await journal.close()
    async with running_app(tmp_path) as app:
        room = await room_of(app, archived)
        made = files.Files(app.lobby.matches, app.lobby.accounts, journal)
        with capture_logs() as lines, pytest.raises(JournalError):
            await made.record(room)
    assert lines == []


async def test_a_file_has_the_names_by_which_people_go_by_now(
    tmp_path: Path, archived: Archived, makings: Makings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(files, "KEPT_BYTES_MOST", 1 << 20)
    async with running_app(tmp_path) as app, met(app.url) as stranger:
        before = read_replay(await stranger.record(archived.match)).header["names"]
        async with met(app.url, "another", token=archived.token):
            after = read_replay(await stranger.record(archived.match)).header["names"]
    assert (before["A"], after) == ("anna", {**before, "A": "another"})
    assert makings.layers == [5, 5]


async def test_layers_that_would_be_too_large_lose_the_oldest_and_are_good_all_the_same(
    tmp_path: Path, archived: Archived, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = read_replay(archived.record).layers
    monkeypatch.setattr(files, "LAYER_BYTES_MOST", 6_000)
    data = await saved(tmp_path, archived.match)
    cut = read_replay(data).layers
    assert len(cut.messages) < len(whole.messages)
    assert set(cut.by_name) == set(archived.sent) >= {OMNI}
    for audience, layer in cut.by_name.items():
        assert layer, audience
        assert layer == whole.by_name[audience][-len(layer) :]
    assert any(line.startswith("frames ") for line in verified(data))
