"""Tables that no match needs: damaged ones are set aside, reported, brought back or given up."""

import asyncio
import os
import sqlite3
import subprocess
import tempfile
from contextlib import closing
from functools import lru_cache
from pathlib import Path
from random import Random

import pytest
from structlog.testing import capture_logs

from builders.manypages import (
    SMALL_PAGE,
    PageOf,
    Rows,
    many_pages,
    pages_in,
    rows_in,
    with_noise,
)
from builders.operators import typed
from builders.sanctions import ban
from builders.servers import running_app
from sunglare_protocol.ids import MatchId
from sunglare_server.ops.control.commands import operate
from sunglare_server.ops.repair.table_restore import read_aside
from sunglare_server.ports.audit_log import AuditEntry
from sunglare_server.ports.store import StoreError
from sunglare_server.sqlite.backup import keep_copy, keep_whole
from sunglare_server.sqlite.damaged_table_names import PARTS
from sunglare_server.sqlite.pruning import delete_match
from sunglare_server.sqlite.schema import OpenError
from sunglare_server.sqlite.storage import Storage, sqlite_storage

Capsys = pytest.CaptureFixture[str]
LONG = "SUNGLARE_LONG" in os.environ
WHAT = {table: name for name, tables in PARTS.items() for table in tables}
"""By which name the operator knows each of these tables."""

KINDS = ("root", "interior", "leaf")
DEED = AuditEntry(at_ms=1, by="ops", asked="status", outcome="done")
NEW_BAN = ban("192.0.2.0/24")


@lru_cache(maxsize=1)
def small() -> tuple[Rows, dict[int, PageOf]]:
    """Return the rows of the file with small pages, and what is on each of them."""
    with tempfile.TemporaryDirectory() as name:
        path = Path(name) / "whole.db"
        path.write_bytes(many_pages())
        return rows_in(path), pages_in(path)


def page_of(tree: str, kind: str) -> int:
    """Return a page of a kind amid the file, the root if its tree has no other interior page."""
    pages = small()[1]
    found = [n for n, page in pages.items() if (page.tree, page.kind) == (tree, kind)]
    return found[len(found) // 2] if found else page_of(tree, "root")


def rotten(folder: Path, table: str, kind: str) -> Path:
    """Return a file with noise on a page of a table."""
    path = folder / "journal.db"
    path.write_bytes(with_noise(many_pages(), page_of(table, kind)))
    return path


def names_of(storage: Storage) -> tuple[str, ...]:
    """Return what an open medium has set aside."""
    assert storage.aside is not None
    return storage.aside.names


async def started_on(path: Path) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return what a start on a file sets aside, and of which tables the log says so."""
    with capture_logs() as logs:
        storage = await sqlite_storage(path)
    names = names_of(storage)
    await storage.journal.close()
    told = [str(line["table"]) for line in logs if line["event"] == "table_set_aside"]
    replaced = [line["table"] for line in logs if line["event"] == "damaged_table_replaced"]
    assert set(replaced) <= {"strength", "secret", "sqlite_sequence"}
    return names, tuple(told)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("table", WHAT)
async def test_a_rotten_page_of_such_a_table_costs_nothing_else(
    table: str, kind: str, tmp_path: Path
) -> None:
    path = rotten(tmp_path, table, kind)
    names, told = await started_on(path)
    found, whole = rows_in(path), small()[0]
    if table == "strength":
        # They are folded again from results that are whole.
        assert (names, told) == ((), ())
        assert len(found[table]) == len(whole[table]) + 1
    else:
        assert (names, told) == ((WHAT[table],), (table,))
        assert found[table] == []
    others = [name for name in whole if name != table]
    assert {name: found[name] for name in others} == {name: whole[name] for name in others}


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("table", [table for table in WHAT if table != "strength"])
async def test_all_but_what_was_on_the_rotten_page_can_be_brought_back(
    table: str, kind: str, tmp_path: Path
) -> None:
    path = rotten(tmp_path, table, kind)
    await started_on(path)
    found = read_aside(path, (table,))
    rows, whole = set(found.rows[table]), set(small()[0][table])
    number = page_of(table, kind)
    assert rows <= whole
    assert len(whole) - len(rows) == small()[1][number].rows
    assert f"what was on the damaged page {number}" in found.losses


@pytest.mark.parametrize("kind", KINDS)
async def test_rotten_secrets_are_drawn_again_without_a_question(
    kind: str, tmp_path: Path
) -> None:
    path = rotten(tmp_path, "secret", kind)
    assert await started_on(path) == ((), ())
    storage = await sqlite_storage(path)
    assert storage.secrets is not None
    assert await storage.secrets.put_secret("seals", b"drawn again", None)
    await storage.journal.close()


async def test_results_and_strengths_that_are_rotten_wait_together(tmp_path: Path) -> None:
    path = rotten(tmp_path, "result", "leaf")
    path.write_bytes(with_noise(path.read_bytes(), page_of("strength", "root")))
    assert await started_on(path) == (("ratings",), ("result", "strength"))
    assert rows_in(path)["strength"] == []


async def test_what_is_set_aside_is_told_at_each_start_until_it_is_decided_on(
    tmp_path: Path,
) -> None:
    path = rotten(tmp_path, "report", "root")
    for _ in range(2):
        assert await started_on(path) == (("reports",), ("report",))
    storage = await sqlite_storage(path)
    assert storage.aside is not None
    await storage.aside.end("reports")
    assert names_of(storage) == ()
    await storage.journal.close()
    assert await started_on(path) == ((), ())


async def test_what_is_rotten_once_more_is_set_aside_once_more(tmp_path: Path) -> None:
    path = rotten(tmp_path, "sanction", "leaf")
    await started_on(path)
    with closing(sqlite3.connect(path)) as file, file:
        file.execute("INSERT INTO sanction VALUES ('ban', ?, 1, NULL, '')", ("f" * 32,))
        ((root,),) = file.execute("SELECT rootpage FROM sqlite_master WHERE name = 'sanction'")
    path.write_bytes(with_noise(path.read_bytes(), root))
    assert await started_on(path) == (("bans",), ("sanction",))
    with closing(sqlite3.connect(path)) as file:
        names = [name for (name,) in file.execute("SELECT name FROM sqlite_master")]
    assert {"aside_sanction_1", "aside_sanction_2", "sanction"} <= set(names)


@pytest.mark.parametrize("seed", range(40 if LONG else 3))
@pytest.mark.parametrize("table", WHAT)
async def test_a_flipped_byte_on_a_page_of_such_a_table_keeps_no_server_from_starting(
    table: str, seed: int, tmp_path: Path
) -> None:
    rng = Random(f"{table}/{seed}")
    path = tmp_path / "journal.db"
    for kind in KINDS:
        data = bytearray(many_pages())
        at = (page_of(table, kind) - 1) * SMALL_PAGE + rng.randrange(SMALL_PAGE)
        data[at] ^= rng.randrange(1, 256)
        path.write_bytes(data)
        names, _ = await started_on(path)
        assert set(names) <= {WHAT[table]}
        whole = {name: rows for name, rows in small()[0].items() if WHAT.get(name) != WHAT[table]}
        assert rows_in(path, *whole) == whole


async def test_rows_go_on_with_their_numbers_where_the_list_of_these_is_rotten(
    tmp_path: Path,
) -> None:
    path = rotten(tmp_path, "sqlite_sequence", "leaf")
    storage = await sqlite_storage(path)
    assert names_of(storage) == ()
    assert storage.audit_log is not None
    await storage.audit_log.note(DEED)
    assert (await storage.audit_log.newest(1)) == (DEED,)
    await storage.journal.close()
    found, whole = rows_in(path), small()[0]
    assert len(found["deed"]) == len(whole["deed"]) + 1
    assert {**found, "deed": []} == {**whole, "deed": []}


async def test_what_was_numbered_before_keeps_its_place_behind_what_came_since(
    tmp_path: Path,
) -> None:
    path = rotten(tmp_path, "deed", "root")
    storage = await sqlite_storage(path)
    assert storage.audit_log is not None
    await storage.audit_log.note(DEED)
    await storage.journal.close()
    (row,) = rows_in(path)["deed"]
    assert row[0] == 1 + max(int(str(known[0])) for known in small()[0]["deed"])


async def test_a_match_is_deleted_and_what_is_set_aside_stays_as_it_is(tmp_path: Path) -> None:
    path = rotten(tmp_path, "report", "root")
    storage = await sqlite_storage(path)
    assert storage.database is not None
    before = path.read_bytes()
    for (match,) in small()[0]["finished"]:
        await delete_match(storage.database, MatchId(str(match)))
    await storage.journal.close()
    start = (page_of("report", "root") - 1) * SMALL_PAGE
    assert path.read_bytes()[start : start + SMALL_PAGE] == before[start : start + SMALL_PAGE]
    assert rows_in(path)["finished"] == []


async def test_a_backup_has_what_is_set_aside_and_is_checked_but_for_that(tmp_path: Path) -> None:
    path, out = rotten(tmp_path, "sanction", "root"), tmp_path / "copy.db"
    storage = await sqlite_storage(path)
    assert storage.database is not None
    await storage.database.copy_to(tmp_path / "part")
    await storage.journal.close()
    keep_copy(tmp_path / "part", out)
    assert (await started_on(out))[0] == ("bans",)
    out.write_bytes(with_noise(out.read_bytes(), page_of("room", "root")))
    with pytest.raises(OpenError):
        keep_whole(out)


async def test_a_repair_brings_what_was_set_aside_and_what_came_since(tmp_path: Path) -> None:
    path, out = rotten(tmp_path, "sanction", "leaf"), tmp_path / "out.db"
    storage = await sqlite_storage(path)
    assert storage.sanctions is not None
    await storage.sanctions.keep(NEW_BAN)
    await storage.journal.close()
    assert operate(["check", str(path)]) == 1
    assert operate(["repair", str(path), str(out)]) == 1
    lost = small()[1][page_of("sanction", "leaf")].rows
    assert len(rows_in(out)["sanction"]) == len(small()[0]["sanction"]) - lost + 1
    assert await started_on(out) == ((), ())


async def test_a_page_that_rots_while_the_server_runs_refuses_what_needs_it_and_nothing_else(
    tmp_path: Path,
) -> None:
    path = tmp_path / "journal.db"
    path.write_bytes(many_pages())
    storage = await sqlite_storage(path)
    assert storage.database is not None
    # By another process: to close the file in this one would drop the server's locks.
    noise = with_noise(path.read_bytes(), page_of("strength", "root"))
    (tmp_path / "noise").write_bytes(noise)
    place = f"seek={page_of('strength', 'root') - 1} skip={page_of('strength', 'root') - 1}"
    copy = f"dd if=noise of=journal.db bs={SMALL_PAGE} count=1 conv=notrunc {place}"
    await asyncio.to_thread(subprocess.run, copy.split(), cwd=tmp_path, check=True)
    # What is known of the file's pages is forgotten with another's commit.
    with closing(sqlite3.connect(path)) as other, other:
        other.execute("UPDATE alive SET at_ms = at_ms + 1")
    with pytest.raises(StoreError) as refused:
        await storage.ratings.ladder("ship", 0, 10)
    assert not refused.value.fatal
    assert not storage.database.broken.is_set()
    assert storage.audit_log is not None
    await storage.audit_log.note(DEED)
    await storage.journal.close()


@pytest.mark.parametrize(
    ("what", "tables"),
    [("reports", ("report",)), ("ratings", ("result",)), ("ratings", ("result", "strength"))],
)
async def test_reports_and_ratings_are_brought_back_by_their_own_commands(
    what: str, tables: tuple[str, ...], tmp_path: Path, capsys: Capsys
) -> None:
    path, whole = rotten(tmp_path, tables[0], "leaf"), small()[0]
    for table in tables[1:]:
        path.write_bytes(with_noise(path.read_bytes(), page_of(table, "root")))
    lost = small()[1][page_of(tables[0], "leaf")].rows
    count = len(whole[tables[0]]) - lost
    async with running_app(tmp_path) as app:
        done = await typed(capsys, app, what, "restore")
        assert (done.code, f"{count} rows of the {what} brought back" in done.out) == (1, True)
        assert "set aside" not in (await typed(capsys, app, "status")).out.lower()
    found = rows_in(path)
    assert len(found[tables[0]]) == count
    assert set(found[tables[0]]) <= set(whole[tables[0]])
    if "strength" in tables:
        # A result names two, in a row.
        assert count < len(found["strength"]) <= 2 * count
    assert await started_on(path) == ((), ())


async def test_the_operators_log_is_brought_back_before_what_was_noted_since(
    tmp_path: Path, capsys: Capsys
) -> None:
    path = rotten(tmp_path, "deed", "leaf")
    async with running_app(tmp_path) as app:
        await typed(capsys, app, "say", "hello")
        assert (await typed(capsys, app, "log", "restore")).code == 1
        shown = (await typed(capsys, app, "log", "--last", "3")).out.splitlines()
    assert ("ban " in shown[0], '"say"' in shown[2], '"restore"' in shown[4]) == (True,) * 3
    lost = small()[1][page_of("deed", "leaf")].rows
    assert len(rows_in(path)["deed"]) == len(small()[0]["deed"]) - lost + 2
