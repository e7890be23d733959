"""A repair brings all but what was on damaged pages, whichever pages those are."""

import os
import shutil
import sqlite3
import tempfile
from contextlib import closing
from functools import lru_cache
from pathlib import Path

import pytest

from builders.manypages import (
    RECORDS,
    SMALL_PAGE,
    TABLES,
    PageOf,
    Rows,
    many_pages,
    pages_in,
    rows_in,
    with_noise,
)
from sunglare_server.ops.control.commands import operate

Capsys = pytest.CaptureFixture[str]
LONG = "SUNGLARE_LONG" in os.environ
PARTS = 20
"""Into so many parts the pages are divided, each of a test's own."""

NEEDED = tuple([table for table in TABLES if table not in ("alive", "record", "finished")])
"""The tables whose rows are brought one by one."""


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


def repaired(data: bytes, folder: Path, *codes: int) -> Rows:
    """Return the rows that a repair brings of a file; it must end with such a code, 1 without."""
    path, out = folder / "journal.db", folder / "out.db"
    path.write_bytes(data)
    assert operate(["repair", str(path), str(out)]) in (codes or (1,))
    assert path.read_bytes() == data
    return rows_in(out)


def lost_of(found: Rows) -> dict[str, int]:
    """Return how many rows of each table are gone; none may have come."""
    lost: dict[str, int] = {}
    for table, rows in small()[0].items():
        assert set(found[table]) <= set(rows)
        lost[table] = len(rows) - len(found[table])
    return {table: count for table, count in lost.items() if count}


@pytest.mark.parametrize("kind", ["root", "interior", "leaf"])
@pytest.mark.parametrize("table", NEEDED)
def test_a_damaged_page_costs_the_rows_on_it(
    table: str, kind: str, tmp_path: Path, capsys: Capsys
) -> None:
    number = page_of(table, kind)
    lost = lost_of(repaired(with_noise(many_pages(), number), tmp_path))
    rows = small()[1][number].rows
    assert lost == ({table: rows} if rows else {})
    said = capsys.readouterr().out
    assert f"what was on the damaged page {number}\n" in said
    assert (f"the table {table}: " in said) == (table != "snapshot")


@pytest.mark.parametrize("kind", ["root", "interior"])
def test_all_records_are_brought_without_the_pages_above_them(kind: str, tmp_path: Path) -> None:
    number = page_of("record", kind)
    assert lost_of(repaired(with_noise(many_pages(), number), tmp_path)) == {}


def test_a_damaged_page_of_records_costs_only_what_follows_from_it(
    tmp_path: Path, capsys: Capsys
) -> None:
    number = page_of("record", "leaf")
    found = repaired(with_noise(many_pages(), number), tmp_path)
    whole, said = small()[0], capsys.readouterr().out
    over = {row[0] for row in whole["finished"]}
    hit = sorted({str(row[0]) for row in set(whole["record"]) - set(found["record"])})
    assert 0 < len(hit) <= small()[1][number].rows
    for match in hit:
        kept = [row for row in found["record"] if row[0] == match]
        due = [row for row in whole["record"] if row[0] == match]
        assert set(kept) <= set(due)
        assert match in said
        if match in over:
            assert not kept
    # What is not of a record: that a match is over, and snapshots after the last record.
    assert set(lost_of(found)) <= {"record", "finished", "snapshot"}


@pytest.mark.parametrize("kind", ["root", "leaf"])
def test_which_matches_are_over_is_found_without_its_table(kind: str, tmp_path: Path) -> None:
    number = page_of("finished", kind)
    assert lost_of(repaired(with_noise(many_pages(), number), tmp_path)) == {}


INDICES = ("opened", "sqlite_autoindex_record_1", "sqlite_autoindex_person_2", "room_live")


@pytest.mark.parametrize("index", INDICES)
def test_a_damaged_index_costs_nothing_and_is_no_loss(index: str, tmp_path: Path) -> None:
    number = page_of(index, "root")
    assert lost_of(repaired(with_noise(many_pages(), number), tmp_path, 0)) == {}


def test_damaged_free_pages_cost_nothing_and_are_no_loss(tmp_path: Path) -> None:
    data, pages = many_pages(), small()[1]
    for number in [n for n, page in pages.items() if page.kind == "free"][:40]:
        data = with_noise(data, number)
    assert lost_of(repaired(data, tmp_path, 0)) == {}


def test_a_damaged_overflow_page_costs_its_row(tmp_path: Path) -> None:
    whole, pages = many_pages(), small()[1]
    chained = [n for n, page in pages.items() if page.kind == "overflow"]
    for place, number in enumerate(chained[:: len(chained) // (40 if LONG else 4)]):
        folder = tmp_path / str(place)
        folder.mkdir()
        # It may be an index's, or of the schema.
        lost = lost_of(repaired(with_noise(whole, number), folder, 0, 1))
        if "record" not in lost:
            assert sum(lost.values()) <= 1


def test_a_text_that_goes_on_over_a_damaged_page_is_not_brought(
    tmp_path: Path, capsys: Capsys
) -> None:
    # SQLite reads it without a fault: the last page of a chain leads nowhere that it looks at.
    whole, pages = many_pages(), small()[1]
    last = [
        number
        for number, page in pages.items()
        if page.kind == "overflow" and whole[(number - 1) * SMALL_PAGE :][:8] == bytes(4) + b"dddd"
    ]
    assert lost_of(repaired(with_noise(whole, last[0]), tmp_path)) == {"sanction": 1}
    assert "LOST        sanction 'ban': it is damaged" in capsys.readouterr().out


@pytest.mark.parametrize("first", range(PARTS if LONG else 1))
def test_each_page_of_noise_costs_the_rows_on_it(first: int, tmp_path: Path) -> None:
    whole, pages = many_pages(), small()[1]
    for number in sorted(pages)[first :: PARTS if LONG else 32 * PARTS]:
        page = pages[number]
        folder = tmp_path / str(number)
        folder.mkdir()
        lost = lost_of(repaired(with_noise(whole, number), folder, 0, 1))
        most = page.rows if page.kind == "overflow" or page.tree in TABLES else 0
        if "record" not in lost:
            assert sum(lost.values()) <= most
        shutil.rmtree(folder)


@pytest.mark.parametrize("pages", [(1,), (1, 2), (1, 2, 3)], ids=str)
def test_a_damaged_first_page_costs_nothing(
    pages: tuple[int, ...], tmp_path: Path, capsys: Capsys
) -> None:
    data = many_pages()
    for number in pages:
        data = with_noise(data, number)
    lost = lost_of(repaired(data, tmp_path))
    there = small()[1]
    assert sum(lost.values()) <= sum(there[number].rows for number in pages[1:])
    assert "LOST        the file: file is not a database" in capsys.readouterr().out


def test_damage_to_the_schema_alone_costs_nothing(tmp_path: Path) -> None:
    pages = [n for n, page in small()[1].items() if page.tree == "sqlite_master" and n > 1]
    for place, number in enumerate((*pages[:3], page_of("schema_version", "leaf"))):
        folder = tmp_path / str(place)
        folder.mkdir()
        assert lost_of(repaired(with_noise(many_pages(), number), folder)) == {}


def test_a_first_page_that_names_no_tables_costs_nothing(tmp_path: Path) -> None:
    data = many_pages()
    empty = bytes([13, 0, 0, 0, 0, 2, 0, 0]).ljust(SMALL_PAGE - 100, b"\0")
    assert lost_of(repaired(data[:100] + empty + data[SMALL_PAGE:], tmp_path)) == {}


@pytest.mark.parametrize("has_first_page", [True, False])
def test_of_a_file_cut_in_half_what_is_left_is_brought(
    has_first_page: bool, tmp_path: Path, capsys: Capsys
) -> None:
    whole, pages = many_pages(), small()[1]
    there = len(pages) // 2
    data = whole[: there * SMALL_PAGE]
    found = repaired(data if has_first_page else with_noise(data, 1), tmp_path)
    lost_of(found)
    # Of these tables no row goes on over other pages.
    for table in ("strength", "deed", "result"):
        held = sum(pages[n].rows for n in pages if n <= there and pages[n].tree == table)
        assert len(found[table]) == held
    assert found["record"]
    said = capsys.readouterr().out
    assert (f"it ends after {there} of its {len(pages)} pages" in said) == has_first_page


def test_a_match_that_is_over_is_never_brought_without_its_last_records(tmp_path: Path) -> None:
    whole = many_pages()
    for tenth in range(1, 10, 1 if LONG else 4):
        folder = tmp_path / str(tenth)
        folder.mkdir()
        there = len(small()[1]) * tenth // 10
        found = repaired(whole[: there * SMALL_PAGE], folder)
        over = {row[0] for row in found["finished"]}
        lengths = {row[0]: 0 for row in found["record"]}
        for row in found["record"]:
            lengths[row[0]] += 1
        assert over <= set(lengths)
        assert all(lengths[match] == RECORDS for match in over)


def test_a_log_that_cannot_be_folded_in_is_told(tmp_path: Path, capsys: Capsys) -> None:
    path = tmp_path / "journal.db"
    path.write_bytes(with_noise(many_pages(), 1))
    path.with_name("journal.db-wal").write_bytes(b"a log of which nothing can be read")
    out = tmp_path / "out.db"
    assert operate(["repair", str(path), str(out)]) == 1
    assert "the write-ahead log beside it: it can't be folded in" in capsys.readouterr().out
    assert lost_of(rows_in(out)) == {}


def test_of_a_file_of_another_program_nothing_is_brought(tmp_path: Path, capsys: Capsys) -> None:
    path, out = tmp_path / "other.db", tmp_path / "out.db"
    with closing(sqlite3.connect(path)) as file, file:
        file.execute("CREATE TABLE webhook (person TEXT PRIMARY KEY, url TEXT) WITHOUT ROWID")
        file.execute("INSERT INTO webhook VALUES ('me', 'https://example.org/')")
    assert operate(["repair", str(path), str(out)]) == 2
    assert "it contains tables of another program" in capsys.readouterr().err
