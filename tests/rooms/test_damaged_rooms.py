"""A damaged room stops its own match and no other, and the server starts; so with other rows."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from random import Random

import msgspec
import pytest
from structlog.testing import capture_logs

from builders.damage import changed, flipped, two_matches
from builders.players import Player, created, play_on, seated, started
from builders.runners import runners_of
from builders.servers import running_app
from builders.wires import Talker, met
from sunglare_protocol.ids import PUBLIC, MatchId
from sunglare_protocol.messages import (
    AddBot,
    FetchRecord,
    Info,
    Join,
    ListMatches,
    Matches,
    Ready,
    Resign,
    Resume,
    Watch,
)
from sunglare_protocol.refusals import Code
from sunglare_server.match.data.options import MatchOptions
from sunglare_server.match.record import HASH_BYTES
from sunglare_server.ops.control.commands import operate
from sunglare_server.ports.rooms import (
    HASHED,
    Room,
    RoomError,
    RoomSeat,
    packed_room,
    unpacked_room,
)

FLIPS = 6
MATCH = MatchId("a" * 26)
NOT_ITS_HASH = "its bytes do not have the hash that was stored with them"
NOT_UTF_8 = b"\xff\xfe"

ROOM = Room(
    match=MATCH,
    scenario="shadow-of-ceres",
    sides=("A", "B"),  # type: ignore[arg-type]
    options=MatchOptions(clock="test"),
    host="somebody",
    server_seed=bytes(32),
    title="Sunday",
    seats=(RoomSeat(side="A", account="somebody", is_ready=True),),  # type: ignore[arg-type]
)


def rooms(path: Path) -> dict[str | bytes, bytes]:
    """Return the rooms in a closed file, as they are stored."""
    with closing(sqlite3.connect(path)) as file:
        file.text_factory = bytes
        found = file.execute("SELECT match, CAST(blob AS BLOB) FROM room").fetchall()
    return {bytes(match).decode(errors="replace"): blob for match, blob in found}


def put(path: Path, match: MatchId, blob: bytes) -> None:
    """Put other bytes in the place of a room."""
    changed(path, "UPDATE room SET blob = ? WHERE match = ?", blob, match)


@contextmanager
def faults_told(*told: tuple[str, MatchId, str]) -> Iterator[None]:
    """Require of the block that the server logs just these errors: event, match and reason."""
    with capture_logs() as lines:
        yield
    errors = [line for line in lines if line["log_level"] == "error"]
    assert [(error["event"], error["match"], error["why"]) for error in errors] == list(told)


async def hears(talker: Talker, match: MatchId) -> set[Code]:
    """Return what somebody without a seat hears of a match, whatever is asked."""
    return {
        await talker.code(Info, match=match),
        await talker.code(Watch, match=match, feed=PUBLIC),
        await talker.code(Join, match=match),
        await talker.code(FetchRecord, match=match),
    }


async def comes_back(talker: Talker, player: Player, ticket: str | None = None) -> Code:
    """Return why a player is not let back to the seat."""
    fields = {"match": player.match, "ticket": ticket or player.ticket, "have": player.seen}
    return await talker.code(Resume, **fields)


# The stored form


def test_a_room_is_read_as_it_was_stored() -> None:
    assert unpacked_room(packed_room(ROOM), MATCH) == ROOM


def test_every_flipped_bit_of_a_stored_room_is_found() -> None:
    blob = packed_room(ROOM)
    for bit in range(len(blob) * 8):
        with pytest.raises(RoomError):
            unpacked_room(flipped(blob, bit), MATCH)


@pytest.mark.parametrize("length", [0, 1, HASH_BYTES, HASH_BYTES + 1])
def test_a_room_that_was_cut_off_is_found(length: int) -> None:
    with pytest.raises(RoomError):
        unpacked_room(packed_room(ROOM)[:length], MATCH)


def test_a_room_of_another_match_is_named() -> None:
    with pytest.raises(RoomError, match=f"it is the room of {MATCH}") as found:
        unpacked_room(packed_room(ROOM), MatchId("b" * 26))
    assert found.value.of == MATCH


def test_a_room_without_a_hash_is_read_as_it_is() -> None:
    assert unpacked_room(msgspec.msgpack.encode(ROOM), MATCH) == ROOM


# The server


async def test_a_server_starts_without_the_match_of_a_damaged_room_and_all_others_go_on(
    path: Path, tmp_path: Path
) -> None:
    bad, good = await two_matches(tmp_path)
    match, whole = bad[0].match, rooms(path)[bad[0].match]
    for bit in Random(1).sample(range(8, len(whole) * 8), FLIPS):
        spoiled = flipped(whole, bit)
        put(path, match, spoiled)
        with faults_told(("room_unreadable", match, NOT_ITS_HASH)):
            async with running_app(tmp_path) as app, met(app.url) as one, met(app.url) as two:
                assert await hears(one, match) == {Code.MATCH_FAULT}
                assert await comes_back(one, bad[0]) is Code.MATCH_FAULT
                assert await comes_back(one, bad[1], "x" * 26) is Code.TICKET_BAD
                good = [await good[0].resume(one), await good[1].resume(two)]
                await play_on(good, 1)
        assert rooms(path)[match] == spoiled
    put(path, match, whole)
    async with running_app(tmp_path) as app, met(app.url) as one, met(app.url) as two:
        await play_on([await bad[0].resume(one), await bad[1].resume(two)], 1)


async def test_where_no_match_had_begun_there_is_none(path: Path, tmp_path: Path) -> None:
    async with running_app(tmp_path) as app, met(app.url) as anna:
        match, other = await created(anna), await created(anna)
        await seated(anna, other)
    spoiled = flipped(rooms(path)[match], 333)
    put(path, match, spoiled)
    with faults_told(("room_unreadable", match, NOT_ITS_HASH)):
        async with running_app(tmp_path) as app, met(app.url) as boris:
            assert await hears(boris, match) == {Code.MATCH_UNKNOWN}
            listed = await boris.expect(Matches, ListMatches)
            assert [line.match for line in listed.open] == [other]
            await seated(boris, other)
    assert rooms(path)[match] == spoiled


async def test_the_record_of_a_finished_match_is_not_given_out_without_its_room(
    path: Path, tmp_path: Path
) -> None:
    async with running_app(tmp_path) as app, met(app.url) as anna, met(app.url) as boris:
        players = await started([anna, boris])
        match = players[0].match
        await anna.accepted(Resign, match=match)
        await players[1].over()
        await runners_of(app.lobby.matches)[match].over.wait()
    put(path, match, flipped(rooms(path)[match], 333))
    with faults_told(("room_unreadable", match, NOT_ITS_HASH)):
        async with running_app(tmp_path) as app, met(app.url) as one:
            assert await hears(one, match) == {Code.MATCH_FAULT}


@pytest.mark.parametrize("key", [b"z" * 26, NOT_UTF_8], ids=["another", "no text"])
async def test_a_room_under_an_id_that_is_not_its_own_is_damaged(
    path: Path, tmp_path: Path, key: bytes
) -> None:
    bad, good = await two_matches(tmp_path)
    match = bad[0].match
    changed(path, "UPDATE room SET match = CAST(? AS TEXT) WHERE match = ?", key, match)
    stored = rooms(path)
    named = MatchId(key.decode(errors="backslashreplace"))
    with faults_told(("room_unreadable", named, f"it is the room of {match}")):
        async with running_app(tmp_path) as app, met(app.url) as one, met(app.url) as two:
            assert await hears(one, match) == {Code.MATCH_FAULT}
            assert await hears(one, named) == {Code.MATCH_UNKNOWN}
            await play_on([await good[0].resume(one), await good[1].resume(two)], 1)
    assert rooms(path) == stored


async def test_a_room_whose_kind_of_value_was_damaged_is_read_by_its_bytes(
    path: Path, tmp_path: Path
) -> None:
    _, good = await two_matches(tmp_path)
    changed(path, "UPDATE room SET blob = CAST(blob AS TEXT) WHERE match = ?", good[0].match)
    with faults_told():
        async with running_app(tmp_path) as app, met(app.url) as one, met(app.url) as two:
            await play_on([await good[0].resume(one), await good[1].resume(two)], 1)


async def test_a_room_of_an_older_version_is_taken_up_and_gets_a_hash_when_it_changes(
    path: Path, tmp_path: Path
) -> None:
    async with running_app(tmp_path) as app, met(app.url) as anna:
        old, spoiled = await created(anna), await created(anna)
    for match in (old, spoiled):
        plain = rooms(path)[match][len(HASHED) + HASH_BYTES :]
        put(path, match, plain if match == old else plain[:-1])
    why = "not a room of this server: Input data was truncated"
    with faults_told(("room_unreadable", spoiled, why)):
        async with running_app(tmp_path) as app, met(app.url) as boris:
            await seated(boris, old)
    assert unpacked_room(rooms(path)[old], old).seats
    assert rooms(path)[old].startswith(HASHED)


# Other rows


async def test_a_damaged_name_is_shown_as_it_can_be_read(path: Path, tmp_path: Path) -> None:
    async with running_app(tmp_path) as app, met(app.url, "Anna") as anna:
        match = await created(anna)
        await seated(anna, match)
    changed(path, "UPDATE person SET name = CAST(? AS TEXT) WHERE name = 'Anna'", b"Ann\xe1")
    async with running_app(tmp_path) as app, met(app.url) as boris:
        (line,) = (await boris.expect(Matches, ListMatches)).open
        assert line.seats[0].name == "Ann\\xe1"
        await seated(boris, match)


async def test_a_damaged_ticket_keeps_neither_server_nor_house_bot_away(
    path: Path, tmp_path: Path
) -> None:
    async with running_app(tmp_path, bots=("random",)) as app, met(app.url) as anna:
        match = await created(anna)
        await anna.accepted(AddBot, match=match, name="random", side="B")
        player = await seated(anna, match, "A")
        await anna.accepted(Ready, match=match)
        await player.frame()
    sql = "UPDATE ticket SET hash = CAST(? AS TEXT) WHERE side = 'B' AND match = ?"
    changed(path, sql, NOT_UTF_8, match)
    with faults_told():
        async with running_app(tmp_path, bots=("random",)) as app, met(app.url) as one:
            player = await player.resume(one)
            window = player.newest.window
            await player.orders()
            await player.frame(window)


# The check


async def test_the_check_names_damaged_rooms(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "journal.db"
    async with running_app(tmp_path) as app, met(app.url) as anna, met(app.url) as boris:
        waiting = await created(anna)
        running = (await started([anna, boris]))[0].match
    assert operate(["check", str(path)]) == 0
    for match in (waiting, running):
        put(path, match, flipped(rooms(path)[match], 333))
    before = path.read_bytes()
    capsys.readouterr()
    assert operate(["check", str(path)]) == 1
    *faults, last = capsys.readouterr().out.splitlines()
    why = f"its room is damaged: {NOT_ITS_HASH}"
    assert faults == [f"FAULT       {match}: {why}" for match in sorted((waiting, running))]
    assert last.endswith("2 matches, 1 records, 2 of them with a fault")
    assert path.read_bytes() == before


async def test_the_check_goes_on_past_an_id_that_is_no_text(
    path: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (player, _), _ = await two_matches(tmp_path)
    for table in ("room", "record"):
        with closing(sqlite3.connect(path)) as file, file:
            sql = f"UPDATE {table} SET match = CAST(? AS TEXT) WHERE match = ?"  # noqa: S608 - our own tables
            file.execute(sql, (NOT_UTF_8, player.match))
    capsys.readouterr()
    assert operate(["check", str(path)]) == 1
    told = capsys.readouterr().out.splitlines()
    assert told[0] == "FAULT       \\xff\\xfe: record 1 is missing"
    assert len(told) == 2
