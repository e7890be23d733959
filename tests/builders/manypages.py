"""Database files whose tables all have pages of every kind, and what is on each of their pages."""

import sqlite3
import tempfile
from contextlib import closing
from functools import lru_cache
from pathlib import Path
from random import Random
from typing import NamedTuple, final

import msgpack  # type: ignore[import-untyped]
import msgspec

from sunglare_protocol.ids import MatchId, Side
from sunglare_protocol.messages.replies import RoomState
from sunglare_server.match.data.options import MatchOptions
from sunglare_server.match.record import chain
from sunglare_server.ports.rating_model import Placed, RatedResult
from sunglare_server.ports.rooms import Room, packed_room
from sunglare_server.sqlite.open import open_file

TABLES = (
    "alive",
    "archive",
    "deed",
    "finished",
    "person",
    "played",
    "record",
    "report",
    "result",
    "room",
    "sanction",
    "secret",
    "snapshot",
    "strength",
    "ticket",
    "webhook",
)
"""All tables of the newest version but that of the version."""

SMALL_PAGE = 512
"""With pages so small a few rows make trees of three floors."""

_OF_MATCHES = ("record", "archive", "snapshot", "report", "finished", "room", "ticket", "played")
_MATCHES, _KEPT, _ACCOUNTS = 60, 40, 150
RECORDS = 6
"""So many each match has."""

_START_MS = 1_700_000_000_000
_KINDS = {2: "interior", 5: "interior", 10: "leaf", 13: "leaf"}

Rows = dict[str, list[tuple[object, ...]]]


@final
class PageOf(NamedTuple):
    """A page: of which tree it is, its kind (root, interior, leaf, overflow, free), its rows."""

    tree: str
    kind: str
    rows: int


@lru_cache
def many_pages(page_bytes: int = SMALL_PAGE, *, secure: bool = True) -> bytes:
    """Return a file of such pages, whose last third of matches was deleted again.

    Unless that was `secure`, the freed pages still have the rows.
    """
    with tempfile.TemporaryDirectory() as name:
        path = Path(name) / "journal.db"
        with closing(sqlite3.connect(path)) as empty:
            empty.execute(f"PRAGMA page_size = {page_bytes}")
            empty.execute("VACUUM")
        opened = open_file(path)
        opened.connection.execute(f"PRAGMA secure_delete = {'ON' if secure else 'OFF'}")
        opened.connection.execute("BEGIN")
        _fill(opened.connection)
        opened.connection.execute("COMMIT")
        opened.connection.execute("BEGIN")
        for table in _OF_MATCHES:
            opened.connection.execute(f"DELETE FROM {table} WHERE match >= ?", (_match(_KEPT),))  # noqa: S608
        opened.connection.execute("COMMIT")
        opened.close()
        return path.read_bytes()


def rows_in(path: Path, *tables: str) -> Rows:
    """Return all rows of a closed file, by table; of those that are named, else of all."""
    with closing(sqlite3.connect(path)) as file:
        names = tables or TABLES
        found = {table: file.execute(f"SELECT * FROM {table}").fetchall() for table in names}  # noqa: S608
    return {table: sorted(rows, key=repr) for table, rows in found.items()}


def pages_in(path: Path) -> dict[int, PageOf]:
    """Return what each page of a closed, whole file is; the first one is of the schema."""
    data = path.read_bytes()
    with closing(sqlite3.connect(path)) as file:
        roots = file.execute("SELECT rootpage, name FROM sqlite_master WHERE rootpage").fetchall()
        ((size,),) = file.execute("PRAGMA page_size")
    pages: dict[int, PageOf] = {}
    for root, name in [(1, "sqlite_master"), *roots]:
        _descend(data, size, root, name, pages)
        page = pages[root]
        pages[root] = page if page.kind == "leaf" else page._replace(kind="root")
    for number in _freelist(data, size):
        pages[number] = PageOf("", "free", 0)
    for number in range(1, len(data) // size + 1):
        pages.setdefault(number, PageOf("", "overflow", 1))
    return pages


def with_noise(data: bytes, number: int, seed: int = 0) -> bytes:
    """Return a file of small pages with noise in the place of one."""
    start = (number - 1) * SMALL_PAGE
    noise = Random(f"{number}/{seed}").randbytes(SMALL_PAGE)
    return data[:start] + noise + data[start + SMALL_PAGE :]


def _descend(data: bytes, size: int, number: int, name: str, pages: dict[int, PageOf]) -> None:
    start = (number - 1) * size
    head = start + (100 if number == 1 else 0)
    kind, count = data[head], int.from_bytes(data[head + 3 : head + 5], "big")
    pages[number] = PageOf(name, _KINDS[kind], 0 if kind == 5 else count)
    if _KINDS[kind] == "interior":
        places = range(head + 12, head + 12 + 2 * count, 2)
        cells = [start + int.from_bytes(data[at : at + 2], "big") for at in places]
        for at in (*cells, head + 8):
            _descend(data, size, int.from_bytes(data[at : at + 4], "big"), name, pages)


def _freelist(data: bytes, size: int) -> list[int]:
    free: list[int] = []
    trunk = int.from_bytes(data[32:36], "big")
    while trunk:
        start = (trunk - 1) * size
        next_trunk, count = (
            int.from_bytes(data[start + at : start + at + 4], "big") for at in (0, 4)
        )
        places = range(start + 8, start + 8 + 4 * count, 4)
        free += [trunk, *(int.from_bytes(data[at : at + 4], "big") for at in places)]
        trunk = next_trunk
    return free


def _match(number: int) -> str:
    return f"match{number:021}"


def _fill(file: sqlite3.Connection) -> None:
    rng = Random(20)
    # The matches were played side by side.
    heads = {_match(number): b"" for number in range(_MATCHES)}
    for n in range(1, RECORDS + 1):
        for match, before in heads.items():
            blob = heads[match] = _record(match, n, before, rng)
            _add(file, "record", match, n, blob, chain(blob))
    for number in range(_MATCHES):
        _add_match(file, number, rng)
    for number in range(_ACCOUNTS):
        _add_account(file, number, rng)
    _add(file, "alive", 1, _START_MS)


def _record(match: str, n: int, before: bytes, rng: Random) -> bytes:
    kind = "close" if n == RECORDS and int(match[5:]) % 2 else "cmd"
    # Some go on over several pages, and most on none.
    body = rng.randbytes(rng.choice((20, 100, _mostly(rng, 60, 2 * SMALL_PAGE))))
    link = {"v": 1, "m": match, "n": n, "k": kind, "t": _START_MS + n, "b": body}
    return bytes(msgpack.packb(link | ({"p": chain(before)} if before else {})))


def _add_match(file: sqlite3.Connection, number: int, rng: Random) -> None:
    match, is_over = _match(number), number % 2 == 1
    room = Room(
        match=MatchId(match),
        scenario="shadow-of-ceres",
        sides=(Side("A"), Side("B")),
        options=MatchOptions(clock="test"),
        host=_account(number),
        server_seed=rng.randbytes(32),
        title="a" * _mostly(rng, 30, SMALL_PAGE),
        state=RoomState.OVER if is_over else RoomState.RUNNING,
    )
    ended_ms = _START_MS + number if is_over else None
    _add(file, "room", match, packed_room(room), ended_ms, int(is_over))
    if is_over:
        _add(file, "finished", match)
        _add(file, "played", _account(number), ended_ms, match)
    for part in ("", "A"):
        body = rng.randbytes(_mostly(rng, 40, 2 * SMALL_PAGE))
        _add(file, "archive", match, part, chain(body) + body)
    body = rng.randbytes(_mostly(rng, 40, 2 * SMALL_PAGE))
    _add(file, "snapshot", match, 5, chain(body) + body)
    text = "b" * _mostly(rng, 5, 2 * SMALL_PAGE)
    account = _account(number)
    for n in (1, 2):
        _add(file, "report", match, n, _START_MS, account, "A", account, text, None, "", None)
    for side in "AB":
        _add(file, "ticket", rng.randbytes(32).hex(), match, side, 1, _START_MS)


def _solved(rng: Random) -> str:
    """Return the lessons that an account has solved, as they are stored."""
    return "".join(f"{number:02}-lesson " for number in range(rng.randrange(8)))


def _add_account(file: sqlite3.Connection, number: int, rng: Random) -> None:
    account, name = _account(number), f"player {number}"
    _add(file, "person", account, rng.randbytes(32).hex(), name, name, _solved(rng))
    _add(file, "webhook", account, f"https://play.example.org/{'c' * _mostly(rng, 9, 700)}")
    _add(file, "sanction", "ban", account, _START_MS, None, "d" * _mostly(rng, 9, 700))
    _add(file, "deed", number + 1, _START_MS, "operator", f"ban {account}", "done")
    match = MatchId(f"older{number:021}")
    placed = (Placed(account, 0), Placed(_account(number + 1), 1))
    result = RatedResult(match=match, family="ship", ended_ms=_START_MS, placed=placed)
    _add(file, "result", number + 1, match, "ship", msgspec.msgpack.encode(result))
    _add(file, "strength", "ship", account, 25_000_000, number, number)
    _add(file, "secret", f"key {number}", rng.randbytes(_mostly(rng, 40, 700)))


def _mostly(rng: Random, short: int, long: int) -> int:
    """Return one length, and one time in five the other: few rows go on over other pages."""
    return long if rng.randrange(5) == 0 else short


def _account(number: int) -> str:
    return f"{number:032x}"


def _add(file: sqlite3.Connection, table: str, *row: object) -> None:
    marks = ", ".join("?" for _ in row)
    file.execute(f"INSERT INTO {table} VALUES ({marks})", row)  # noqa: S608 - our own tables
