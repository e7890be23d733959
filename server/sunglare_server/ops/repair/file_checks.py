"""Checks of a database file as a whole: SQLite's own check, its tables, accounts, tickets."""

import re
import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import closing
from pathlib import Path
from typing import Any

from sunglare_server.sqlite.damaged_table_names import is_set_aside
from sunglare_server.sqlite.open import open_file
from sunglare_server.sqlite.schema import MIGRATIONS, OpenError, take_step
from sunglare_server.sqlite.wal_marker import WAY_OUT

_FAULTS_MOST = 20
"""OWN: so many faults SQLite reports."""

_TREE = re.compile(r"\b[Tt]ree (\d+)\b")
_ROW = re.compile(r"\brow (\d+) missing from index (\S+)")
_HEX_32, _HEX_64 = re.compile(r"[0-9a-f]{32}"), re.compile(r"[0-9a-f]{64}")

_GUESTS = "_litestream_"
"""How the tables begin that Litestream, which copies the log as it grows, has in each file."""

_SHAPE = "SELECT type, name, tbl_name, ifnull(sql, '') FROM sqlite_master ORDER BY type, name"
_TREES = "SELECT rootpage, name, tbl_name FROM sqlite_master WHERE rootpage > 0"
_ACCOUNTS = "SELECT person, token_hash, name, name_key FROM person"
_TICKETS = "SELECT hash, match, side, session, expires_ms FROM ticket ORDER BY match, hash"


def whole_faults(file: sqlite3.Connection, version: int) -> Iterator[str]:
    """Yield what is wrong with an open file outside its matches."""
    yield from _page_faults(file)
    yield from _shape_faults(file, version)
    yield from _account_faults(file)


def log_words(fault: str) -> str:
    """Return in words that the log of a file is not the right one, with the way out."""
    return f"{fault}; {WAY_OUT}"


def start_fault(copy: Path) -> str | None:
    """Return why a server would not start on a file; the file, a copy, is changed by this."""
    try:
        opened = open_file(copy)
    except OpenError as error:
        return f"no server starts on it: {error.why}"
    try:
        for query in ("SELECT match, blob FROM room", "SELECT match FROM record WHERE n = 1"):
            opened.connection.execute(query).fetchall()
    except sqlite3.Error as error:
        return f"no server starts on it: {error}"
    finally:
        opened.close()
    return None


def _page_faults(file: sqlite3.Connection) -> Iterator[str]:
    names = {root: f"{name} of {table}" for root, name, table in file.execute(_TREES)}
    lines, fault = _found_by_sqlite(file, f"PRAGMA integrity_check({_FAULTS_MOST})")
    if fault is not None:
        # Where it can't go on for one table, each of them is looked at by itself.
        for (table,) in file.execute("SELECT name FROM sqlite_master WHERE type = 'table'"):
            found, stopped = _found_by_sqlite(file, f'PRAGMA integrity_check("{table}")')
            lines += found
            if stopped is not None:
                yield f"the table {table} or an index of it can't be read: {stopped}"
        yield f"SQLite's own check fails: {fault}"
    for line in dict.fromkeys(lines):
        if line != "ok" and not line.startswith("***"):
            yield f"SQLite finds: {_named(file, line, names)}"


def _found_by_sqlite(file: sqlite3.Connection, check: str) -> tuple[list[str], str | None]:
    """Return what SQLite's own check says, line by line, and what has stopped it."""
    lines: list[str] = []
    try:
        for (text,) in file.execute(check):
            lines += str(text).splitlines()
    except sqlite3.Error as error:
        return lines, str(error)
    return lines, None


def _named(file: sqlite3.Connection, line: str, names: dict[int, str]) -> str:
    """Return what SQLite says with the name of the table or, where it can be found, the match."""
    tree, row = _TREE.search(line), _ROW.search(line)
    if tree is not None and int(tree[1]) in names:
        return f"{line} (tree {tree[1]} is {names[int(tree[1])]})"
    if row is not None and ("record" in row[2] or row[2] == "opened"):
        try:
            sql = "SELECT match, n FROM record NOT INDEXED WHERE rowid = ?"
            for match, number in file.execute(sql, (int(row[1]),)):
                return f"{line} (record {number} of {match})"
        except sqlite3.Error:
            # The row itself can't be read; the check of its match says so.
            return line
    return line


def _shape_faults(file: sqlite3.Connection, version: int) -> Iterator[str]:
    """Yield what is missing of the tables, indices and triggers of a version, or is another."""
    with closing(sqlite3.connect(":memory:")) as due_file:
        due_file.execute("CREATE TABLE schema_version (version INTEGER NOT NULL)")
        for steps in MIGRATIONS[:version]:
            for step in steps:
                take_step(step, due_file)
        due, found = _shape(due_file), _shape(file)
    for kind, name in due:
        if (kind, name) not in found:
            yield f"its {kind} {name} is missing"
        elif found[kind, name] != due[kind, name]:
            yield f"its {kind} {name} is another than that of version {version}"
    for kind, name in found:
        if (kind, name) not in due and not name.startswith(_GUESTS):
            yield _unknown(kind, name, version)


def _unknown(kind: str, name: str, version: int) -> str:
    """Return in words that a file has what its version does not have."""
    if is_set_aside(name):
        return f"its {kind} {name} was set aside as damaged; `repair` brings the rest"
    return f"it has a {kind} {name} that is none of version {version}"


def _shape(file: sqlite3.Connection) -> dict[tuple[str, str], str]:
    return {
        (str(kind), str(name)): f"{table} {' '.join(str(sql).split())}"
        for kind, name, table, sql in file.execute(_SHAPE)
    }


def _account_faults(file: sqlite3.Connection) -> Iterator[str]:
    try:
        for row in file.execute(_ACCOUNTS):
            if not is_account(row):
                yield f"the account {row[0]} is damaged"
    except sqlite3.Error as error:
        yield f"the accounts can't be read: {error}"


def ticket_faults(
    file: sqlite3.Connection, sides: Mapping[str, tuple[str, ...]]
) -> dict[str, str]:
    """Return what is wrong with the tickets of each match; `sides` are those of its room."""
    faults: dict[str, str] = {}
    try:
        for row in file.execute(_TICKETS):
            _, match, side, *_ = row
            if not is_ticket(row, sides):
                faults.setdefault(str(match), f"a ticket of its seat {side} is damaged")
    except sqlite3.Error as error:
        faults[""] = f"the tickets can't be read: {error}"
    return faults


def is_account(row: tuple[Any, ...]) -> bool:
    """Return whether a row of the table `person` can be an account: id, token hash, name, key."""
    account, token_hash, name, key, *_ = row
    are_named = all(isinstance(text, str) and text for text in (name, key))
    return _is(_HEX_32, account) and _is(_HEX_64, token_hash) and are_named


def is_ticket(row: tuple[Any, ...], sides: Mapping[str, tuple[str, ...]]) -> bool:
    """Return whether a row of the table `ticket` can be one, `sides` being those of the rooms."""
    hashed, match, side, session, expires_ms = row
    is_whole = _is(_HEX_64, hashed) and isinstance(session, int) and isinstance(expires_ms, int)
    return is_whole and side in sides.get(str(match), (str(side),))


def _is(pattern: re.Pattern[str], value: object) -> bool:
    return isinstance(value, str) and pattern.fullmatch(value) is not None
