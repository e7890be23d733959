"""Matches that go on and can't: listed with why, adjourned, saved as they lie, deleted."""

import base64
import json
import stat
from pathlib import Path

import pytest

from builders.damage import changed, two_matches
from builders.operators import asked, typed
from builders.players import started
from builders.servers import running_app
from builders.venues import Venue
from builders.wires import met
from sunglare_protocol.ids import MatchId
from sunglare_protocol.messages import Chat, Ending, Info
from sunglare_protocol.refusals import Code
from sunglare_server.app import App
from sunglare_server.match.record import ChatSaid, Record, WindowDue
from sunglare_server.match.state import MatchState, Stepped
from sunglare_server.match.step import step
from sunglare_server.ops.control.answers import MatchRow
from sunglare_server.ops.control.requests import MatchesAsked
from sunglare_server.ops.repair.database_check import check_file
from sunglare_server.ports.rooms import Room
from sunglare_server.runtime import batch, recovery

Capsys = pytest.CaptureFixture[str]

BUG = "boom"
STRANGE = "m" * 26


def plant(patch: pytest.MonkeyPatch) -> None:
    """Let the rules fail on a word."""

    def failing(state: MatchState | None, record: Record) -> Stepped:
        if isinstance(record.b, ChatSaid) and record.b.text == BUG:
            raise ZeroDivisionError
        return step(state, record)

    patch.setattr(batch, "step", failing)


def plant_in_loading(patch: pytest.MonkeyPatch, match: str) -> None:
    """Let the rules fail on a match that is loaded."""

    def failing(state: MatchState | None, record: Record) -> Stepped:
        if record.m == match and record.n > 1:
            raise ZeroDivisionError
        return step(state, record)

    patch.setattr(recovery, "step", failing)


async def listed(app: App) -> tuple[MatchRow, ...]:
    """Return the matches in quarantine."""
    return (await asked(app, MatchesAsked(quarantined=True))).matches or ()


async def row_of(app: App, match: str) -> MatchRow:
    """Return the row of a match, over or not."""
    rows = (await asked(app, MatchesAsked(over=True))).matches or ()
    return next(row for row in rows if row.match == match)


async def test_a_match_that_a_bug_has_stopped_is_adjourned_on_its_last_good_state(
    venue: Venue, capsys: Capsys, monkeypatch: pytest.MonkeyPatch
) -> None:
    plant(monkeypatch)
    anna, boris, clara, dana = await venue.named("anna", "boris", "clara", "dana")
    left, right = await started([anna, boris])
    sound = (await started([clara, dana]))[0]
    assert await left.talker.code(Chat, match=left.match, text=BUG) is Code.MATCH_FAULT
    (row,) = await listed(venue.app)
    assert (row.match, row.state, row.why is not None) == (left.match, "fault", True)
    assert BUG not in str(row.why)
    printed = (await typed(capsys, venue.app, "matches", "--quarantined")).out
    assert f"{left.match}: a bug has stopped it" in printed
    done = await typed(capsys, venue.app, "adjourn", left.match)
    assert (done.code, done.out) == (0, f"{left.match} is adjourned, without a winner\n")
    assert await anna.wait_closed() == 1012
    async with met(venue.app.url, token=boris.token) as back:
        over = await (await right.resume(back, as_account=True)).over()
    assert over.result.ending is Ending.ADJOURNED
    assert await listed(venue.app) == ()
    assert (await row_of(venue.app, sound.match)).state == "running"


async def test_a_match_that_meets_its_bug_again_as_it_is_loaded_is_adjourned_all_the_same(
    venue: Venue, capsys: Capsys, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = await venue.still()
    left, right = await venue.duel()

    def failing(state: MatchState | None, record: Record) -> Stepped:
        if isinstance(record.b, WindowDue):
            raise ZeroDivisionError
        return step(state, record)

    monkeypatch.setattr(batch, "step", failing)
    await clock.run_for(3_600_000)
    (row,) = await listed(venue.app)
    assert row.match == left.match
    done = await typed(capsys, venue.app, "adjourn", left.match)
    assert done.out.startswith(f"{left.match} is adjourned, without a winner")
    assert (await row_of(venue.app, left.match)).state == "over"
    monkeypatch.undo()
    async with met(venue.app.url, token=right.talker.token) as back:
        over = await (await right.resume(back, as_account=True)).over()
        assert over.result.ending is Ending.ADJOURNED


async def damaged(folder: Path) -> tuple[str, str]:
    """Have two matches in a file, the first with a record that is damaged; return their ids."""
    bad, good = await two_matches(folder)
    changed(
        folder / "journal.db",
        "UPDATE record SET blob = ? WHERE match = ? AND n = 2",
        b"no record at all",
        bad[0].match,
    )
    return bad[0].match, good[0].match


async def test_a_match_with_damaged_records_is_noted_as_over_and_they_stay(
    tmp_path: Path, capsys: Capsys
) -> None:
    bad, good = await damaged(tmp_path)
    async with running_app(tmp_path) as app, met(app.url) as eve:
        await eve.ask(Info, match=bad)
        await app.lobby.matches.handle_of(app.lobby.rooms[bad])  # type: ignore[index]
        (row,) = await listed(app)
        assert (row.match, "record 2" in str(row.why)) == (bad, True)
        done = await typed(capsys, app, "adjourn", bad)
        assert done.out == (
            f"{bad} is noted as over, without a winner; its records are damaged and stay as they"
            " are\n"
        )
        assert (await row_of(app, bad)).state == "over"
        assert (await row_of(app, good)).state != "over"
        # Nobody can see what it was, but it does not go on either.
        room = await app.lobby.registry.find(MatchId(bad))
        assert isinstance(room, Room)
        assert await app.lobby.matches.handle_of(room) is None
        assert await listed(app) == ()
    async with running_app(tmp_path) as app:
        assert (await row_of(app, bad)).state == "over"
        assert await listed(app) == ()


async def test_a_match_that_no_start_can_fold_is_ended_behind_its_records(
    tmp_path: Path, capsys: Capsys, monkeypatch: pytest.MonkeyPatch
) -> None:
    bad, _ = await two_matches(tmp_path)
    match, count = bad[0].match, 0
    with monkeypatch.context() as patch:
        plant_in_loading(patch, match)
        async with running_app(tmp_path) as app:
            await app.lobby.matches.handle_of(app.lobby.rooms[match])
            assert [row.match for row in await listed(app)] == [match]
            count = await app.storage.journal.last(match)
            done = await typed(capsys, app, "adjourn", match)
            assert done.out.endswith("without a winner; nothing of it was folded\n")
            assert await app.storage.journal.last(match) == count + 2
    assert [found.fault for found in check_file(tmp_path / "journal.db") if found.fault] == []
    async with running_app(tmp_path) as app, met(app.url, token=bad[1].talker.token) as back:
        assert (await row_of(app, match)).state == "over"
        over = await (await bad[1].resume(back, as_account=True)).over()
        assert over.result.ending is Ending.ADJOURNED


async def test_the_records_of_a_match_are_saved_as_they_lie(
    tmp_path: Path, capsys: Capsys
) -> None:
    bad, _ = await damaged(tmp_path)
    out = tmp_path / "bad.jsonl"
    async with running_app(tmp_path) as app:
        count = await app.storage.journal.last(app.lobby.rooms[bad].match)  # type: ignore[index]
        done = await typed(capsys, app, "export", bad, str(out))
        assert done.out == f"{out}: {count} records of {bad}, as they lie\n"
        again = await typed(capsys, app, "export", bad, str(out))
        assert (again.code, "File exists" in again.err) == (1, True)
        none = await typed(capsys, app, "export", STRANGE, str(tmp_path / "none"))
        assert (none.code, "no record of" in none.err) == (1, True)
    lines = [json.loads(line) for line in out.read_text(encoding="utf-8").splitlines()]
    assert [line["n"] for line in lines] == list(range(1, count + 1))
    assert base64.b64decode(lines[1]["record"]) == b"no record at all"
    assert stat.S_IMODE(out.stat().st_mode) == 0o600


async def test_a_match_in_quarantine_is_deleted_by_its_whole_id_alone(
    tmp_path: Path, capsys: Capsys
) -> None:
    bad, good = await damaged(tmp_path)
    async with running_app(tmp_path) as app:
        await app.lobby.matches.handle_of(app.lobby.rooms[bad])  # type: ignore[index]
        short = await typed(capsys, app, "drop", bad[:8])
        assert (short.code, bad in short.err) == (1, True)
        fine = await typed(capsys, app, "drop", good)
        assert (fine.code, "not in quarantine" in fine.err) == (1, True)
        assert len(await listed(app)) == 1
        done = await typed(capsys, app, "drop", bad)
        assert done.out == f"{bad} is deleted, with all that was kept of it\n"
        assert await listed(app) == ()
    faults = [found.fault for found in check_file(tmp_path / "journal.db") if found.fault]
    assert faults == []
    async with running_app(tmp_path) as app:
        assert [room.match for room in app.lobby.rooms.values()] == [good]


async def test_a_match_whose_room_is_damaged_can_be_deleted_too(
    tmp_path: Path, capsys: Capsys
) -> None:
    bad, _ = await two_matches(tmp_path)
    match = bad[0].match
    path = tmp_path / "journal.db"
    changed(path, "UPDATE room SET blob = ? WHERE match = ?", b"no room", match)
    async with running_app(tmp_path) as app:
        (row,) = await listed(app)
        assert (row.match, row.why) == (match, "its room is missing or damaged")
        done = await typed(capsys, app, "drop", match)
        assert (done.code, done.out.endswith("with all that was kept of it\n")) == (0, True)
        assert await listed(app) == ()
