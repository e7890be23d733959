"""Damaged database files: the check finds what is wrong, the repair brings what can be brought."""

import asyncio
import os
import shutil
import sqlite3
import tempfile
from contextlib import closing
from functools import lru_cache
from pathlib import Path
from random import Random

import pytest

from builders.damage import left_by_crash
from builders.oldrules import STORED, file_of
from builders.players import play_on, started
from builders.servers import running_app
from builders.truths import MATCH
from builders.verified import finished
from builders.wires import met
from sunglare_protocol.ids import MatchId, Side
from sunglare_server.app import App
from sunglare_server.ops.control.commands import operate
from sunglare_server.ops.repair.file_checks import start_fault
from sunglare_server.ports.store import PlayerReport
from sunglare_server.sqlite.database import Database
from sunglare_server.sqlite.journal import SqliteJournal
from sunglare_server.sqlite.wal_marker import log_of

Capsys = pytest.CaptureFixture[str]

TABLES = (
    "record",
    "finished",
    "person",
    "room",
    "ticket",
    "snapshot",
    "archive",
    "webhook",
    "report",
)
PAGE = 4096
LONG = "SUNGLARE_LONG" in os.environ


@lru_cache(maxsize=1)
def whole_bytes() -> bytes:
    """Return the bytes of a file with a finished match, a running one and a room."""
    return asyncio.run(_played())


async def _played() -> bytes:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        async with running_app(folder) as app:
            for ends in (True, False):
                async with met(app.url) as anna, met(app.url) as boris:
                    players = await started([anna, boris])
                    store, account = app.storage.store, app.lobby.rooms[players[0].match].host
                    await store.put_webhook(account, "https://play.example.org/")
                    report = PlayerReport(
                        match=players[0].match,
                        at_ms=app.lobby.rooms[players[0].match].started_ms or 0,
                        account=account,
                        side=Side("B"),
                        accused=account,
                        text="He shouts.",
                    )
                    await store.add_report(report, 1)
                    await play_on(players, 6)
                    if ends:
                        await anna.resign(players[0].match)
                        await players[1].over()
        return (folder / "journal.db").read_bytes()


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Return a whole file of its own."""
    found = tmp_path / "journal.db"
    found.write_bytes(whole_bytes())
    return found


def rows_in(path: Path) -> dict[str, list[tuple[object, ...]]]:
    """Return everything in a closed file."""
    with closing(sqlite3.connect(path)) as file:
        return {table: sorted(file.execute(f"SELECT * FROM {table}")) for table in TABLES}  # noqa: S608 - named above


def pages_of(path: Path, table: str) -> list[int]:
    """Return the numbers of the pages of a table or an index, its root first."""
    with closing(sqlite3.connect(path)) as file:
        sql = "SELECT rootpage FROM sqlite_master WHERE name = ?"
        ((root,),) = file.execute(sql, (table,)).fetchall()
    data = path.read_bytes()
    start = (root - 1) * PAGE
    if data[start] not in (2, 5):
        return [root]
    count = int.from_bytes(data[start + 3 : start + 5], "big")
    places = [start + 12 + 2 * n for n in range(count)]
    cells = [start + int.from_bytes(data[at : at + 2], "big") for at in places]
    return [root, *(int.from_bytes(data[at : at + 4], "big") for at in cells)]


def overwrite(path: Path, page: int, offset: int = 0, data: bytes = b"\xee" * 64) -> None:
    """Change bytes of a page, as a failing disk might."""
    with path.open("r+b") as file:
        file.seek((page - 1) * PAGE + offset)
        file.write(data)


def test_a_whole_file_has_no_fault_and_is_brought_whole(path: Path, capsys: Capsys) -> None:
    assert operate(["check", str(path)]) == 0
    assert "2 matches" in capsys.readouterr().out
    before, out = path.read_bytes(), path.with_name("out.db")
    assert operate(["repair", str(path), str(out)]) == 0
    assert "nothing lost" in capsys.readouterr().out
    assert rows_in(out) == rows_in(path)
    assert path.read_bytes() == before
    assert {file.name for file in path.parent.iterdir()} == {"journal.db", "out.db"}


def test_a_damaged_page_of_records_takes_what_is_on_it_and_is_named(
    path: Path, capsys: Capsys
) -> None:
    whole = rows_in(path)
    matches = {str(match) for match, *_ in whole["record"]}
    leaf = pages_of(path, "record")[2]
    overwrite(path, leaf)
    before, out = path.read_bytes(), path.with_name("out.db")
    assert operate(["check", str(path)]) == 1
    said = capsys.readouterr().out
    assert "the table record" in said
    assert any(match in said for match in matches)
    assert operate(["repair", str(path), str(out)]) == 1
    assert "LOST" in capsys.readouterr().out
    assert operate(["check", str(out)]) == 0
    made = rows_in(out)
    assert set(made["record"]) < set(whole["record"])
    assert made["person"] == whole["person"]
    assert path.read_bytes() == before


def test_a_damaged_index_costs_nothing(path: Path, capsys: Capsys) -> None:
    whole = rows_in(path)
    overwrite(path, pages_of(path, "opened")[0])
    assert operate(["check", str(path)]) == 1
    assert "the table record or an index of it" in capsys.readouterr().out
    out = path.with_name("out.db")
    operate(["repair", str(path), str(out)])
    assert rows_in(out) == whole
    assert operate(["check", str(out)]) == 0


@pytest.mark.parametrize("table", ["person", "ticket", "room"])
def test_a_damaged_table_is_found_and_the_rest_is_brought(
    table: str, path: Path, capsys: Capsys
) -> None:
    whole = rows_in(path)
    overwrite(path, pages_of(path, table)[0])
    assert operate(["check", str(path)]) == 1
    assert table in capsys.readouterr().out
    out = path.with_name("out.db")
    assert operate(["repair", str(path), str(out)]) == 1
    assert f"table {table}" in capsys.readouterr().out
    made = rows_in(out)
    assert {other: made[other] for other in TABLES if other != table} == {
        other: whole[other] for other in TABLES if other != table
    }


@pytest.mark.parametrize(
    ("sql", "told"),
    [
        (
            "UPDATE ticket SET hash = 'x' || hash WHERE side = 'A'",
            "a ticket of its seat A is damaged",
        ),
        ("UPDATE ticket SET side = 'Q' WHERE side = 'A'", "a ticket of its seat Q is damaged"),
        ("UPDATE person SET token_hash = '1' || person", "is damaged"),
        ("UPDATE archive SET blob = zeroblob(40) WHERE part = 'A'", "the part A"),
        ("DROP TABLE ticket", "its table ticket is missing"),
        ("DROP INDEX opened", "its index opened is missing"),
        ("DROP TRIGGER record_follows", "its trigger record_follows is missing"),
        ("CREATE TABLE more (x)", "it has a table more that is none of version"),
    ],
)
def test_the_check_covers_tickets_accounts_and_tables(
    sql: str, told: str, path: Path, capsys: Capsys
) -> None:
    with closing(sqlite3.connect(path, isolation_level=None)) as file:
        file.execute(sql)
    assert operate(["check", str(path)]) == 1
    assert told in capsys.readouterr().out


@pytest.mark.parametrize("share", [0.3, 0.9])
def test_a_truncated_file_is_found_and_what_is_left_is_brought(
    share: float, path: Path, capsys: Capsys
) -> None:
    data = path.read_bytes()
    path.write_bytes(data[: int(len(data) * share)])
    assert operate(["check", str(path)]) in (1, 2)
    out = path.with_name("out.db")
    code = operate(["repair", str(path), str(out)])
    assert code in (1, 2)
    assert out.exists() == (code == 1)
    if code == 1:
        assert operate(["check", str(out)]) == 0, capsys.readouterr()


@pytest.mark.parametrize("table", ["record", "archive", "sqlite_master"])
def test_a_damaged_root_costs_nothing_that_is_on_other_pages(
    table: str, path: Path, capsys: Capsys
) -> None:
    whole = rows_in(path)
    root = 1 if table == "sqlite_master" else pages_of(path, table)[0]
    overwrite(path, root, data=Random(7).randbytes(PAGE))
    out = path.with_name("out.db")
    assert operate(["repair", str(path), str(out)]) == 1
    assert rows_in(out) == whole
    capsys.readouterr()
    assert operate(["check", str(out)]) == 0, capsys.readouterr()


def test_a_schema_with_bytes_that_are_no_text_stops_check_and_start_but_no_repair(
    path: Path, capsys: Capsys
) -> None:
    whole, data = rows_in(path), path.read_bytes()
    path.write_bytes(data.replace(b"CREATE TABLE webhook", b"CREATE \xff\xfeBLE webhook"))
    assert operate(["check", str(path)]) == 2
    assert "malformed database schema" in capsys.readouterr().err
    start = start_fault(Path(shutil.copy(path, path.with_name("copy.db"))))
    assert start is not None
    assert "malformed database schema" in start
    out = path.with_name("out.db")
    assert operate(["repair", str(path), str(out)]) == 1
    assert "LOST        the file: malformed database schema" in capsys.readouterr().out
    assert rows_in(out) == whole


@pytest.mark.parametrize("content", [None, b"", b"no database " * 900], ids=["none", "0", "other"])
def test_of_what_is_no_database_nothing_is_brought(content: bytes | None, tmp_path: Path) -> None:
    path, out = tmp_path / "x.db", tmp_path / "out.db"
    if content is not None:
        path.write_bytes(content)
    assert operate(["repair", str(path), str(out)]) in ((0, 2) if content == b"" else (2,))


def test_a_repair_replaces_no_file(path: Path, capsys: Capsys) -> None:
    out = path.with_name("out.db")
    out.write_bytes(b"mine")
    assert operate(["repair", str(path), str(out)]) == 2
    assert "there is such a file already" in capsys.readouterr().err
    assert out.read_bytes() == b"mine"


async def test_a_file_that_a_server_uses_is_not_repaired(
    app: App, tmp_path: Path, capsys: Capsys
) -> None:
    path = str(app.settings.journal)
    assert operate(["repair", path, str(tmp_path / "out.db")]) == 2
    assert "a server or another program is using it" in capsys.readouterr().err


@pytest.mark.parametrize("log", ["there", "missing"])
async def test_after_a_crash_the_log_is_brought_too_or_its_loss_is_told(
    log: str, tmp_path: Path, capsys: Capsys
) -> None:
    database = await Database.open(tmp_path / "journal.db")
    blob = whole_record()
    await SqliteJournal(database).append(blob[0], 1, blob[1])
    path = left_by_crash(tmp_path / "journal.db", tmp_path / "left")
    await database.close()
    if log == "missing":
        log_of(path).unlink()
    before = {file: file.read_bytes() for file in path.parent.iterdir()}
    expected = 0 if log == "there" else 1
    assert operate(["check", str(path)]) == expected
    out = tmp_path / "out.db"
    code = operate(["repair", str(path), str(out)])
    said = capsys.readouterr()
    assert {file: file.read_bytes() for file in path.parent.iterdir()} == before
    if log == "there":
        assert (code, len(rows_in(out)["record"])) == (0, len(blob[1]))
    else:
        assert code == 2
        assert "its write-ahead log is missing" in said.out + said.err


def whole_record() -> tuple[MatchId, tuple[bytes, ...]]:
    """Return a match with all its records."""
    return MATCH, finished().journal


@pytest.mark.parametrize("rules", [STORED[0], STORED[-1], *STORED[1:-1]])
def test_files_of_other_rules_and_versions_are_brought_whole(rules: int, tmp_path: Path) -> None:
    path, out = file_of(rules, tmp_path), tmp_path / "out.db"
    assert operate(["repair", str(path), str(out)]) == 0
    with closing(sqlite3.connect(path)) as old, closing(sqlite3.connect(out)) as new:
        for sql in ("SELECT match, n, blob FROM record", "SELECT match, blob FROM room"):
            assert sorted(new.execute(sql)) == sorted(old.execute(sql))
    assert operate(["check", str(out)]) == 0


PLACES = [*range(0, 100, 9), *(place for place in range(0, 100, 3) if place % 9)]
"""Bytes of the header: some of all parts of it first."""


@pytest.mark.parametrize("place", range(100) if LONG else PLACES)
def test_no_header_passes_the_check_with_which_no_server_starts(place: int, path: Path) -> None:
    for bit in range(8) if LONG else (place % 8,):
        data = bytearray(whole_bytes())
        data[place] ^= 1 << bit
        path.write_bytes(data)
        code = operate(["check", str(path)])
        if code == 0:
            copy = shutil.copy(path, path.with_name(f"copy-{bit}.db"))
            assert start_fault(Path(copy)) is None


@pytest.mark.parametrize("seed", range(200 if LONG else 5))
def test_whatever_is_damaged_the_repaired_file_has_no_fault(
    seed: int, path: Path, capsys: Capsys
) -> None:
    rng, data = Random(seed), bytearray(whole_bytes())
    for _ in range(rng.randint(1, 6)):
        at = rng.randrange(100, len(data))
        data[at : at + 16] = rng.randbytes(min(16, len(data) - at))
    path.write_bytes(data)
    out = path.with_name("out.db")
    code = operate(["repair", str(path), str(out)])
    assert out.exists() == (code != 2)
    if code != 2:
        capsys.readouterr()
        assert operate(["check", str(out)]) == 0, capsys.readouterr()
        assert start_fault(out) is None
    assert path.read_bytes() == bytes(data)
