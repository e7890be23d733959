"""The check of a database file: it names the first fault of each match, and finds every kind."""

import os
import sqlite3
from contextlib import closing
from pathlib import Path

import msgspec
import pytest

from builders.operators import typed
from builders.players import play_on, started
from builders.runners import runners_of
from builders.servers import running_app
from builders.venues import Venue
from builders.wires import met
from sunglare_protocol.ids import MatchId
from sunglare_server.match.record import DIGEST_EVERY, RULES_VERSION, chain
from sunglare_server.ops.control.commands import operate
from sunglare_server.ops.repair.database_check import Checked, Row, check_match

Capsys = pytest.CaptureFixture[str]
Rows = list[tuple[int, bytes]]

WINDOWS = 10
"""Windows of orders, so many that a record carries a digest."""


async def played(folder: Path) -> MatchId:
    """Play some windows of a match and stop the server; return the match."""
    async with running_app(folder) as app, met(app.url) as anna, met(app.url) as boris:
        players = await started([anna, boris])
        await play_on(players, WINDOWS)
    return players[0].match


def rows_of(path: Path) -> Rows:
    """Return the numbered records of the one match in a file."""
    with closing(sqlite3.connect(path)) as file:
        return [(n, blob) for n, blob in file.execute("SELECT n, blob FROM record ORDER BY n")]


def spoiled(path: Path, sql: str, *values: str) -> None:
    """Change a file as another program might."""
    with closing(sqlite3.connect(path, isolation_level=None)) as file:
        guards = file.execute("SELECT sql FROM sqlite_master WHERE type = 'trigger'").fetchall()
        file.execute("DROP TRIGGER IF EXISTS record_follows")
        file.execute(sql, values)
        for (guard,) in guards:
            file.execute(guard)


@pytest.fixture(scope="module")
def anything() -> dict[str, Rows]:
    """Keep what one match has come to for the tests that need only its records."""
    return {}


async def records(anything: dict[str, Rows], folder: Path) -> tuple[MatchId, Rows]:
    """Return the records of a match that is played once for all."""
    if not anything:
        match = await played(folder)
        anything[match] = rows_of(folder / "journal.db")
    ((name, rows),) = anything.items()
    return MatchId(name), list(rows)


def checked(match: str, rows: Rows) -> Checked:
    """Return what is found of records without their own hashes, as older files hold them."""
    return check_match(match, [(n, blob, None) for n, blob in rows])


def flipped(blob: bytes, place: int) -> bytes:
    """Return the bytes with a bit of one the other way round."""
    return blob[:place] + bytes([blob[place] ^ 1]) + blob[place + 1 :]


def relinked(rows: Rows, number: int, **changed: object) -> Rows:
    """Return the records with fields of one changed, and the hashes of those after it renewed."""
    made: Rows = []
    for n, blob in rows:
        fields = msgspec.msgpack.decode(blob)
        if n == number:
            fields.update(changed)
        if made and n > number:
            fields["p"] = chain(made[-1][1])
        made.append((n, msgspec.msgpack.encode(fields, order="sorted") if n >= number else blob))
    return made


async def test_a_match_without_a_fault_is_folded_whole(
    anything: dict[str, Rows], tmp_path: Path
) -> None:
    match, rows = await records(anything, tmp_path)
    found = checked(match, rows)
    assert (found.records, found.fault, found.unfolded) == (len(rows), None, None)
    assert found.records > DIGEST_EVERY


async def test_a_missing_record_is_named(anything: dict[str, Rows], tmp_path: Path) -> None:
    match, rows = await records(anything, tmp_path)
    assert checked(match, rows[:4] + rows[5:]).fault == "record 5 is missing"
    assert checked(match, rows[1:]).fault == "record 1 is missing"


async def test_every_flipped_byte_of_a_record_is_found_at_it_or_at_the_next(
    anything: dict[str, Rows], tmp_path: Path
) -> None:
    match, rows = await records(anything, tmp_path)
    _, blob = rows[2]
    for place in range(0, len(blob), 3):
        fault = checked(match, [*rows[:2], (3, flipped(blob, place)), *rows[3:]]).fault
        assert fault is not None
        assert fault.startswith(("record 3: ", "record 4: "))


@pytest.mark.parametrize("rules", [RULES_VERSION, RULES_VERSION + 1], ids=["ours", "others"])
async def test_every_flipped_byte_of_the_newest_record_is_found_by_its_own_hash(
    anything: dict[str, Rows], tmp_path: Path, rules: int
) -> None:
    match, rows = await records(anything, tmp_path)
    opening = msgspec.msgpack.decode(rows[0][1])
    rows = relinked(rows, 1, b={**opening["b"], "rules": rules})
    whole: list[Row] = [(n, blob, chain(blob)) for n, blob in rows]
    assert check_match(match, whole).fault is None
    number, blob = rows[-1]
    why = f"record {number}: its bytes do not have the hash that was stored with them"
    for place in range(0, len(blob), 3):
        spoiled: list[Row] = [*whole[:-1], (number, flipped(blob, place), chain(blob))]
        assert check_match(match, spoiled).fault == why


async def test_a_digest_that_does_not_fit_is_found(
    anything: dict[str, Rows], tmp_path: Path
) -> None:
    match, rows = await records(anything, tmp_path)
    fault = checked(match, relinked(rows, DIGEST_EVERY, h=bytes(16))).fault
    why = "the records before it fold to another state than it says"
    assert fault == f"record {DIGEST_EVERY}: {why}"


async def test_records_of_another_match_are_found(
    anything: dict[str, Rows], tmp_path: Path
) -> None:
    _, rows = await records(anything, tmp_path)
    fault = checked("z" * 26, rows).fault
    assert fault == "record 1: it is a record of another match"


async def test_orders_that_the_rules_cannot_take_are_found(
    anything: dict[str, Rows], tmp_path: Path
) -> None:
    match, rows = await records(anything, tmp_path)
    window = {"t": "due", "window": "9.engage"}
    fault = checked(match, relinked(rows, 6, b=window, k="tick")).fault
    assert fault == "record 6: it closes a window that is not open"


async def test_a_match_under_other_rules_is_not_folded_but_its_chain_is_checked(
    anything: dict[str, Rows], tmp_path: Path
) -> None:
    match, rows = await records(anything, tmp_path)
    opening = msgspec.msgpack.decode(rows[0][1])
    older = relinked(rows, 1, b={**opening["b"], "rules": RULES_VERSION + 1})
    found = checked(match, older)
    why = f"made under rules {RULES_VERSION + 1}, this program plays {RULES_VERSION}"
    assert (found.fault, found.unfolded) == (None, why)
    broken = checked(match, [*older[:5], (6, rows[5][1]), *older[6:]])
    assert broken.fault == "record 6: it does not follow from the record before it"


async def test_a_running_server_s_file_is_checked_through_a_copy(
    venue: Venue, tmp_path: Path, capsys: Capsys
) -> None:
    app = await venue.open()
    anna, boris = await venue.duel()
    await play_on([anna, boris], 2)
    number = len(await runners_of(app.lobby.matches)[anna.match].archiving.records())
    done = await typed(capsys, app, "check")
    assert (done.code, done.err) == (0, "")
    assert done.out.endswith(f"server holds it: 1 matches, {number} records, no fault\n")
    direct = await typed(capsys, app, "check", str(app.settings.journal))
    assert direct.code == 2
    assert "a server or another program is using it" in direct.err
    await venue.close()
    assert not [name for name in os.listdir(tmp_path) if name.startswith(".check-")]


async def test_the_check_of_a_file_names_the_first_fault_of_each_match(
    tmp_path: Path, capsys: Capsys
) -> None:
    match = await played(tmp_path)
    path = tmp_path / "journal.db"
    assert operate(["check", str(path)]) == 0
    spoiled(path, "DELETE FROM record WHERE n = 7")
    spoiled(path, "INSERT INTO finished VALUES (?)", "nobody")
    before = path.read_bytes()
    capsys.readouterr()
    assert operate(["check", "--journal", str(path)]) == 1
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == f"FAULT       {match}: record 7 is missing"
    assert lines[1] == "FAULT       nobody: it is noted as over and has no records"
    assert lines[2].endswith("2 of them with a fault")
    assert path.read_bytes() == before


@pytest.mark.parametrize("content", [None, b"no database " * 400], ids=["missing", "foreign"])
def test_a_file_that_cannot_be_checked_is_exit_code_2(
    tmp_path: Path, capsys: Capsys, content: bytes | None
) -> None:
    path = tmp_path / "x.db"
    if content is not None:
        path.write_bytes(content)
    assert operate(["check", str(path)]) == 2
    assert capsys.readouterr().err.startswith(f"sunglare-server: cannot use the database {path}: ")
    assert content is not None or not path.exists()
