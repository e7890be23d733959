"""Reads the rows of a SQLite file page by page, without the trees that lead to the pages.

Theory of operation. SQLite finds a row by descending from page 1 to the root of its table and on
to a leaf, so one damaged page near the top hides whole tables. Yet each page says by itself what
it is. So every page is taken for what its first byte says, by the file format of SQLite
(https://www.sqlite.org/fileformat2.html, sections 1.3 to 1.6 and 2.1):

- 13, a leaf of a table with row ids: its cells are rows.
- 10 and 2, a leaf and an interior page of an index. A table WITHOUT ROWID is stored as one, and
  the cells of both kinds of page are rows; the interior ones are repeated on no leaf.
- 5, an interior page of a table with row ids: it has no rows.
- Whatever else is part of an overflow chain, free, or damaged. The first four bytes of overflow
  and freelist pages are a page number, so that none looks like a tree page below 2**25 pages.

A cell is believed if it lies in its page, its columns fill its length to the byte, and its
overflow chain has exactly the pages that the length asks for. Noise passes none of these. The
caller finds from its columns which table a row is of. Pages that the freelist names are left out:
their rows were deleted. Without page 1, which has the head of the freelist, its pages are found by
their shape: a trunk counts and names distinct pages of the file.

Hostile bytes cost bounded work: headers of rows are short, the contents of one page's cells are
together no longer than the page, and all overflow chains together no longer than `_CHAIN_PAGES`
times the file. Nothing here raises on any bytes.
"""

import struct
from collections.abc import Iterator
from mmap import mmap
from typing import Final, NamedTuple, final

Data = bytes | mmap
"""The bytes of a whole file."""

Value = None | int | float | str | bytes
"""What a column holds."""

_MAGIC: Final = b"SQLite format 3\0"
_HEADER_BYTES: Final = 100
_PAYLOAD_FRACTIONS: Final = bytes((64, 32, 32))
_RESERVED_MOST: Final = 32
"""OWN: of so many reserved bytes a page at most a header is believed; extensions use up to 32."""

_TABLE_LEAF, _TABLE_INTERIOR, _INDEX_LEAF, _INDEX_INTERIOR = 13, 5, 10, 2
_INTERIOR: Final = (_TABLE_INTERIOR, _INDEX_INTERIOR)
_KINDS: Final = (_TABLE_LEAF, _INDEX_LEAF, *_INTERIOR)
_PAGE_SIZES: Final = (4096, 512, 1024, 2048, 8192, 16384, 32768, 65536)
"""The sizes that there are, SQLite's default first, which is that of our files."""

_INTEGER_BYTES: Final = (0, 1, 2, 3, 4, 6, 8)
_BYTES: Final = (*_INTEGER_BYTES, 8, 0, 0, 0, 0)
"""How many bytes a value has of each type that is no text or blob."""

_VARINT_MOST: Final = 9
_ROW_HEADER_MOST: Final = 128
"""OWN: a longer header of a row is not read; ours have at most ten columns, a few bytes each."""

_CHAIN_PAGES: Final = 4
"""OWN: a page of a whole file is in one chain at most; damaged ones may be tried again."""


@final
class Form(NamedTuple):
    """How a file is divided: the bytes of a page, and how many of them its end keeps reserved."""

    page_bytes: int
    reserved: int = 0

    @property
    def usable(self) -> int:
        """Return how many bytes of a page hold content."""
        return self.page_bytes - self.reserved


@final
class PageRow(NamedTuple):
    """A row as it is stored; `rowid` is None in an index or a table WITHOUT ROWID."""

    rowid: int | None
    values: tuple[Value, ...]


@final
class Walked(NamedTuple):
    """All rows of a file in the order of its pages, and the pages that are seen to be damaged."""

    rows: tuple[PageRow, ...]
    unread: tuple[int, ...]


@final
class _Cell(NamedTuple):
    """A cell on its page: its columns' types, its content there, where and how long it goes on."""

    rowid: int | None
    types: tuple[int, ...]
    content: bytes
    overflow: int
    rest: int


def stated_form(data: Data) -> Form | None:
    """Return the form of a file as its first page has it, None if that page is damaged."""
    header = data[:_HEADER_BYTES]
    if len(header) < _HEADER_BYTES or header[:16] != _MAGIC:
        return None
    size = int.from_bytes(header[16:18], "big")
    form = Form(65536 if size == 1 else size, header[20])
    is_known = form.page_bytes in _PAGE_SIZES and form.reserved <= _RESERVED_MOST
    return form if is_known and header[21:24] == _PAYLOAD_FRACTIONS else None


def stated_pages(data: Data) -> int:
    """Return how many pages a file has as its first page says; 0 if it does not say."""
    is_said = stated_form(data) is not None and data[24:28] == data[92:96]
    return int.from_bytes(data[28:32], "big") if is_said else 0


def tried_form(data: Data) -> Form:
    """Return the form with which most cells of a file can be read."""
    return max((Form(size) for size in _PAGE_SIZES), key=lambda form: _cells_of(data, form))


def pages_in(data: Data, form: Form) -> int:
    """Return how many pages a file has, one that was cut included."""
    return -(-len(data) // form.page_bytes)


def free_pages(data: Data, form: Form) -> frozenset[int]:
    """Return the pages that belong to no table: the freelist, as far as it can be followed."""
    if stated_form(data) is None:
        return _trunks_by_shape(data, form)
    free: set[int] = set()
    trunk = int.from_bytes(data[32:36], "big")
    while trunk and trunk not in free:
        leaves = _leaves_of(data, form, trunk)
        if leaves is None:
            break
        free.update((trunk, *leaves))
        trunk = _number_at(data, form, trunk)
    return frozenset(free)


def walk(data: Data, form: Form) -> Walked:
    """Return every row that can be read on any page of a file, whatever the bytes are."""
    free = free_pages(data, form)
    chains = _Chains(data, form, free)
    rows: list[PageRow] = []
    unread = [] if stated_form(data) is not None or not len(data) else [1]
    # The first page holds the schema and nothing else.
    for number in range(2, pages_in(data, form) + 1):
        if number in free:
            continue
        page = _page(data, form, number)
        cells = () if page is None else tuple(_cells(page, form))
        if page is None or None in cells or not _is_known(page, data, form):
            unread.append(number)
        found = [chains.row_of(cell) for cell in cells if cell is not None]
        rows += [row for row in found if row is not None]
    return Walked(tuple(rows), tuple(unread))


@final
class _Chains:
    """Completes rows by their overflow chains, within a bound for the whole file."""

    def __init__(self, data: Data, form: Form, free: frozenset[int]) -> None:
        self._data = data
        self._form = form
        self._free = free
        self._left = _CHAIN_PAGES * pages_in(data, form)

    def row_of(self, cell: _Cell) -> PageRow | None:
        """Return the whole row of a cell; None if its chain is damaged."""
        content = cell.content
        if cell.rest:
            more = self._followed(cell.overflow, cell.rest)
            if more is None:
                return None
            content += more
        return PageRow(cell.rowid, _values(cell.types, content))

    def _followed(self, number: int, length: int) -> bytes | None:
        room = self._form.usable - 4
        parts: list[bytes] = []
        passed: dict[int, None] = {}
        for _ in range(-(-length // room)):
            page = _page(self._data, self._form, number)
            if page is None or number in passed or number in self._free or not self._left:
                return None
            self._left -= 1
            passed[number] = None
            parts.append(page[4 : 4 + room])
            number = int.from_bytes(page[:4], "big")
        return None if number else b"".join(parts)[:length]


def _page(data: Data, form: Form, number: int) -> bytes | None:
    """Return a whole page that can hold content; None for the first, and where none is."""
    start = (number - 1) * form.page_bytes
    if number < 2 or start + form.page_bytes > len(data):
        return None
    return data[start : start + form.page_bytes]


def _number_at(data: Data, form: Form, number: int) -> int:
    """Return the page number at the start of a page; 0 where there is no such page."""
    page = _page(data, form, number)
    return 0 if page is None else int.from_bytes(page[:4], "big")


def _leaves_of(data: Data, form: Form, trunk: int) -> tuple[int, ...] | None:
    """Return the pages that a trunk of the freelist names; None if it is not one."""
    page = _page(data, form, trunk)
    if page is None:
        return None
    most, count = pages_in(data, form), int.from_bytes(page[4:8], "big")
    if int.from_bytes(page[:4], "big") > most or count > form.usable // 4 - 2:
        return None
    leaves = [int.from_bytes(page[at : at + 4], "big") for at in range(8, 8 + 4 * count, 4)]
    is_named = all(1 < leaf <= most and leaf != trunk for leaf in leaves)
    return tuple(leaves) if is_named and len(dict.fromkeys(leaves)) == count else None


def _trunks_by_shape(data: Data, form: Form) -> frozenset[int]:
    """Return all trunks of the freelist that name any page, and the pages that they name."""
    free: set[int] = set()
    for number in range(2, pages_in(data, form) + 1):
        leaves = _leaves_of(data, form, number)
        if leaves:
            free.update((number, *leaves))
    return frozenset(free)


def _is_known(page: bytes, data: Data, form: Form) -> bool:
    """Return whether a page is of a table or index, or begins as an overflow or free page does."""
    return _is_of_tree(page, form) or int.from_bytes(page[:4], "big") <= pages_in(data, form)


def _is_of_tree(page: bytes, form: Form) -> bool:
    """Return whether the header of a page is that of a page of a table or an index."""
    if page[0] not in _KINDS:
        return False
    count = int.from_bytes(page[3:5], "big")
    return _head_bytes(page) + 2 * count <= form.usable


def _head_bytes(page: bytes) -> int:
    return 12 if page[0] in _INTERIOR else 8


def _cells_of(data: Data, form: Form) -> int:
    """Return how many cells can be read on the pages of a file, without their overflow."""
    numbers = range(2, pages_in(data, form) + 1)
    pages = (_page(data, form, number) for number in numbers)
    return sum(
        cell is not None for page in pages if page is not None for cell in _cells(page, form)
    )


def _cells(page: bytes, form: Form) -> Iterator[_Cell | None]:
    """Yield the rows' cells on a page in their order, None for each that can't be read."""
    if not _is_of_tree(page, form) or page[0] == _TABLE_INTERIOR:
        return
    head, count = _head_bytes(page), int.from_bytes(page[3:5], "big")
    left = form.usable
    for place in range(head, head + 2 * count, 2):
        at = int.from_bytes(page[place : place + 2], "big")
        cell = _cell(page, at, form) if at >= head + 2 * count else None
        if cell is not None:
            left -= len(cell.content)
        # Cells that overlap are not of one page; and so many copies of one would fill the memory.
        yield cell if left >= 0 else None


def _cell(page: bytes, at: int, form: Form) -> _Cell | None:
    has_rowid = page[0] == _TABLE_LEAF
    length, at = _varint(page, at + 4 if page[0] == _INDEX_INTERIOR else at)
    rowid: int | None = None
    if has_rowid:
        rowid, at = _varint(page, at)
    local = _local_bytes(length, form.usable, has_rowid=has_rowid)
    rest = length - local
    end = at + local
    if length < 1 or end + (4 if rest else 0) > form.usable:
        return None
    types, begin = _types(page[at : min(end, at + _ROW_HEADER_MOST)])
    if types is None or begin + sum(map(_bytes_of, types)) != length:
        return None
    overflow = int.from_bytes(page[end : end + 4], "big") if rest else 0
    return _Cell(rowid, types, page[at + begin : end], overflow, rest)


def _local_bytes(length: int, usable: int, *, has_rowid: bool) -> int:
    """Return how much of a payload lies on its own page (section 1.6)."""
    most = usable - 35 if has_rowid else (usable - 12) * 64 // 255 - 23
    if length <= most:
        return length
    least = (usable - 12) * 32 // 255 - 23
    local = least + (length - least) % (usable - 4)
    return local if local <= most else least


def _varint(page: bytes, at: int) -> tuple[int, int]:
    """Return a number of one to nine bytes, and where it ends; behind the page bytes are 0."""
    value = 0
    for place in range(at, at + _VARINT_MOST - 1):
        byte = page[place] if place < len(page) else 0
        value = value << 7 | byte & 0x7F
        if byte < 0x80:
            return value, place + 1
    place = at + _VARINT_MOST - 1
    value = value << 8 | (page[place] if place < len(page) else 0)
    return value - (1 << 64) if value >> 63 else value, place + 1


def _types(payload: bytes) -> tuple[tuple[int, ...] | None, int]:
    """Return the types of the columns of a row, and where its values begin (section 2.1)."""
    begin, at = _varint(payload, 0)
    if not at <= begin <= len(payload):
        return None, 0
    types: list[int] = []
    while at < begin:
        kind, at = _varint(payload, at)
        if kind < 0 or kind in (10, 11):
            return None, 0
        types.append(kind)
    return (tuple(types), begin) if at == begin else (None, 0)


def _bytes_of(kind: int) -> int:
    """Return how many bytes a value of a type has."""
    if kind >= 12:
        return (kind - 12) // 2
    return _BYTES[kind]


def _values(types: tuple[int, ...], content: bytes) -> tuple[Value, ...]:
    values: list[Value] = []
    at = 0
    for kind in types:
        end = at + _bytes_of(kind)
        values.append(_value(kind, content[at:end]))
        at = end
    return tuple(values)


def _value(kind: int, data: bytes) -> Value:
    """Return a stored value; a damaged text as far as it can be read."""
    if kind == 0:
        return None
    if kind < len(_INTEGER_BYTES):
        return int.from_bytes(data, "big", signed=True)
    if kind == 7:
        (number,) = struct.unpack(">d", data)
        return float(number)
    if kind in (8, 9):
        return kind - 8
    return data.decode(errors="backslashreplace") if kind % 2 else data
