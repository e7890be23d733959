"""Rows are found page by page: without root pages, without page 1, and whatever the bytes are."""

import os
import tempfile
from functools import lru_cache
from pathlib import Path
from random import Random
from typing import Any, final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from builders.manypages import (
    SMALL_PAGE,
    TABLES,
    PageOf,
    Rows,
    many_pages,
    pages_in,
    rows_in,
    with_noise,
)
from sunglare_server.ops.repair.page_tables import page_rows
from sunglare_server.ops.repair.page_walk import Form, stated_form, tried_form, walk

SIZES = (512, 1024, 4096, 65536)
SMALL = Form(SMALL_PAGE)
LONG = "SUNGLARE_LONG" in os.environ
PARTS = 20
"""Into so many parts the pages are divided, each of a test's own."""

KINDS = ("root", "interior", "leaf", "overflow", "free")


def walked(data: bytes) -> Rows:
    """Return the rows on the pages of a file, by table; whether matches are over is not there."""
    found = page_rows(walk(data, stated_form(data) or tried_form(data)).rows).tables
    return {
        table: sorted((tuple(row.values()) for row in found[table]), key=repr)
        for table in TABLES
        if table != "finished"
    }


def stored(folder: Path, data: bytes) -> Rows:
    """Return the rows of a whole file as SQLite reads them."""
    path = folder / "stored.db"
    path.write_bytes(data)
    return {table: rows for table, rows in rows_in(path).items() if table != "finished"}


def lost_of(before: Rows, after: Rows) -> dict[str, int]:
    """Return how many rows of each table are gone; none may have come."""
    for table, rows in after.items():
        assert set(rows) <= set(before[table])
        assert len(rows) == len(set(rows))
    lost = {table: len(before[table]) - len(rows) for table, rows in after.items()}
    return {table: count for table, count in lost.items() if count}


def pages_of(data: bytes, folder: Path) -> dict[int, PageOf]:
    """Return what each page of a whole file is."""
    path = folder / "pages.db"
    path.write_bytes(data)
    return pages_in(path)


@pytest.mark.parametrize("size", SIZES)
def test_all_rows_are_found_without_the_trees(size: int, tmp_path: Path) -> None:
    data = many_pages(size)
    assert stated_form(data) == Form(size)
    assert walked(data) == stored(tmp_path, data)
    assert walk(data, Form(size)).unread == ()


@pytest.mark.parametrize("size", SIZES)
def test_without_the_first_page_the_size_of_pages_is_tried(size: int, tmp_path: Path) -> None:
    whole = many_pages(size)
    data = Random(size).randbytes(size) + whole[size:]
    assert stated_form(data) is None
    assert tried_form(data) == Form(size)
    assert walked(data) == stored(tmp_path, whole)
    assert walk(data, Form(size)).unread == (1,)


@pytest.mark.parametrize("has_first_page", [True, False])
def test_rows_on_freed_pages_are_left_out(has_first_page: bool, tmp_path: Path) -> None:
    whole = many_pages(secure=False)
    free = [n for n, page in pages_of(whole, tmp_path).items() if page.kind == "free"]
    assert any(b"match" in whole[(n - 1) * SMALL_PAGE : n * SMALL_PAGE] for n in free)
    data = whole if has_first_page else with_noise(whole, 1)
    assert walked(data) == stored(tmp_path, whole)


def test_the_file_has_pages_of_every_kind(tmp_path: Path) -> None:
    pages = pages_of(many_pages(), tmp_path).values()
    assert {page.kind for page in pages} == set(KINDS)
    trees = {page.tree for page in pages if page.kind == "root"}
    assert trees >= set(TABLES) - {"alive"}
    with_interior = {page.tree for page in pages if page.kind == "interior"}
    assert with_interior >= {"record", "person", "webhook", "sanction", "ticket", "strength"}


@given(st.data())
def test_a_page_of_noise_costs_the_rows_on_it_and_no_others(data: st.DataObject) -> None:
    whole, pages = many_pages(), small_pages()
    kind = data.draw(st.sampled_from(KINDS))
    number = data.draw(st.sampled_from([n for n, page in pages.items() if page.kind == kind]))
    assert_only_lost(whole, pages, number)


@pytest.mark.parametrize("first", range(PARTS if LONG else 1))
def test_each_page_of_noise_costs_the_rows_on_it_and_no_others(first: int) -> None:
    whole, pages = many_pages(), small_pages()
    for number in sorted(pages)[first :: PARTS if LONG else 32 * PARTS]:
        assert_only_lost(whole, pages, number)


def assert_only_lost(whole: bytes, pages: dict[int, PageOf], number: int) -> None:
    """Fail unless noise in the place of a page takes what is on it and nothing else."""
    page = pages[number]
    lost = lost_of(rows_of_small(), walked(with_noise(whole, number)))
    if page.kind == "overflow":
        # What goes on over it is a row, or a statement of the schema.
        assert sum(lost.values()) <= 1
    else:
        is_of_table = page.tree in rows_of_small() and page.rows > 0
        assert lost == ({page.tree: page.rows} if is_of_table else {})


@pytest.mark.parametrize("share", [0.1, 0.5, 0.9])
@pytest.mark.parametrize("has_first_page", [True, False])
def test_of_a_cut_file_the_pages_that_are_left_are_read(
    share: float, has_first_page: bool
) -> None:
    whole, pages = many_pages(), small_pages()
    there = int(len(pages) * share)
    data = whole if has_first_page else with_noise(whole, 1)
    found = walked(data[: there * SMALL_PAGE + 100])
    lost_of(rows_of_small(), found)
    # Of these tables no row goes on over other pages, which may be gone with the rest.
    for table in ("strength", "deed", "result", "played"):
        held = sum(pages[n].rows for n in pages if n <= there and pages[n].tree == table)
        assert len(found[table]) == held


def test_an_overflow_chain_that_comes_back_to_itself_costs_its_row() -> None:
    whole, pages = many_pages(), small_pages()
    chained = [n for n in pages if pages[n].kind == "overflow" and number_at(whole, n)]
    for number in chained[: 20 if LONG else 2]:
        for to in (number, number_at(whole, number_at(whole, number)) or number):
            data = bytearray(whole)
            start = (number - 1) * SMALL_PAGE
            data[start : start + 4] = to.to_bytes(4, "big")
            assert sum(lost_of(rows_of_small(), walked(bytes(data))).values()) <= 1


def number_at(data: bytes, page: int) -> int:
    """Return the number that a page begins with."""
    start = (page - 1) * SMALL_PAGE
    return int.from_bytes(data[start : start + 4], "big")


def small_pages() -> dict[int, PageOf]:
    """Return what each page of the file with small pages is."""
    return _small()[0]


def rows_of_small() -> Rows:
    """Return the rows of the file with small pages."""
    return _small()[1]


@lru_cache(maxsize=1)
def _small() -> tuple[dict[int, PageOf], Rows]:
    with tempfile.TemporaryDirectory() as name:
        data = many_pages()
        return pages_of(data, Path(name)), stored(Path(name), data)


# --- hostile bytes

MOST = 5
"""Contents of cells may fill the file once, and all overflow chains four times."""


def assert_bounded(data: bytes, form: Form) -> None:
    """Fail if the walk raises, or gives more than the bytes can hold."""
    found = walk(data, form)
    page_rows(found.rows)
    held = sum(
        len(value) for row in found.rows for value in row.values if isinstance(value, str | bytes)
    )
    # A damaged byte of a text is shown in four letters.
    assert held <= 4 * MOST * len(data)
    assert all(0 < number <= -(-len(data) // form.page_bytes) for number in found.unread)


@given(st.binary(max_size=5000))
def test_any_bytes_are_read_without_a_fault(data: bytes) -> None:
    assert_bounded(data, stated_form(data) or tried_form(data))


@given(st.lists(st.tuples(st.integers(0), st.binary(min_size=1, max_size=30)), max_size=40))
def test_a_file_with_any_damage_is_read_without_a_fault(damage: list[tuple[int, bytes]]) -> None:
    data = bytearray(many_pages())
    for place, change in damage:
        at = place % (len(data) - len(change))
        data[at : at + len(change)] = change
    assert_bounded(bytes(data), stated_form(bytes(data)) or SMALL)


@given(
    kind=st.sampled_from((2, 10, 13)),
    count=st.integers(0, 2**16 - 1),
    body=st.binary(min_size=500, max_size=500),
    size=st.sampled_from(SIZES),
)
def test_a_page_with_any_header_is_read_without_a_fault(
    kind: int, count: int, body: bytes, size: int
) -> None:
    page = bytes([kind, 0, 0, *count.to_bytes(2, "big"), 0, 0, 0]) + body * (size // len(body) + 1)
    assert_bounded(bytes(size) + 3 * page[:size], Form(size))


@final
class Counted(bytes):
    """Bytes that count how often any of them were read."""

    reads = 0

    def __getitem__(self, key: Any) -> Any:
        """Read, and count it."""
        self.reads += 1
        return super().__getitem__(key)


def test_many_cells_with_one_long_chain_cost_bounded_work() -> None:
    leaves, pages = 100, 400
    length = pages * (SMALL_PAGE - 4) + 60
    payload = bytes([4]) + varint(12 + 2 * (length - 4))
    cell = varint(length) + varint(1) + payload.ljust((SMALL_PAGE - 12) * 32 // 255 - 23, b"x")
    first = 2 + leaves
    ring = [first + (n + 1) % pages for n in range(pages)]
    data = bytes(SMALL_PAGE) + leaves * leaf_of(20, cell + first.to_bytes(4, "big"))
    whole = Counted(data + b"".join(n.to_bytes(4, "big").ljust(SMALL_PAGE, b"y") for n in ring))
    assert walk(whole, SMALL).rows == ()
    assert pages < whole.reads < 20 * (leaves + pages)


def varint(number: int) -> bytes:
    """Return a number below 2**21 as SQLite may store it, in three bytes."""
    return bytes([0x80 | number >> 14, 0x80 | number >> 7 & 0x7F, number & 0x7F])


def leaf_of(cells: int, cell: bytes) -> bytes:
    """Return a leaf of a table on which all cells lie in one place."""
    at = 8 + 2 * cells
    head = bytes([13, 0, 0, *cells.to_bytes(2, "big"), 0, 0, 0])
    return (head + at.to_bytes(2, "big") * cells + cell).ljust(SMALL_PAGE, b"\0")
