"""Tables that no match needs, set aside where they are damaged, so that the server starts.

Theory of operation. Bans, reports, ratings and the operators' log are each checked at the start,
page by page and row by row. A damaged table is renamed and an empty one takes its place: of the
damaged one nothing is read or written then, as SQLite might follow a rotten page into another
table, or give it to others as a free one. So its pages stay in the file as they are, also in
copies and backups, until `repair` brings the rest into a new file.

The name says how it stands. `aside_TABLE_N` is to be decided on by the operator, who has what is
readable brought back or accepts the loss; `past_TABLE_N` has been decided on. Strengths are a fold
of the results, and are folded from these again without being asked for; the server's own secrets
are drawn again, after which connections of gateways say hello again and old marks lead nowhere.
"""

import sqlite3
from contextlib import closing
from typing import Final, final

import structlog

from sunglare_server.sqlite.damaged_table_names import ASIDE, PARTS, PAST, free_name, names_aside
from sunglare_server.sqlite.database import Database, DatabaseError, Transaction
from sunglare_server.sqlite.schema import MIGRATIONS, take_step

_COUNTED: Final = ("result", "deed")
"""The tables whose rows are numbered on, whatever was deleted."""

_SECRETS: Final = "secret"
"""The table whose rows are drawn again where they are lost."""

_SEQUENCE: Final = "sqlite_sequence"

Whys = dict[str, str]
"""Why tables are set aside, by their names."""


@final
class SetAside:
    """What of a database is set aside, until the operator has decided on it."""

    def __init__(self, database: Database, whys: Whys, pending: Whys) -> None:
        """Know why which tables are set aside, and which still stand in their place."""
        self._database = database
        self._whys = whys
        self._pending = pending

    @classmethod
    async def open(cls, database: Database) -> "SetAside":
        """Set aside what is damaged; raise `DatabaseError` if not even the tables are known."""
        log = structlog.get_logger()
        pending: Whys = {}
        found = await database.run(_damaged)
        try:
            whys = await database.run(lambda file: _renamed(file, found))
        except DatabaseError as error:
            # On a full disk: nothing is written now, so nothing can follow a rotten page.
            whys, pending = found, found
            log.error("damaged_table_kept", why=error.why)
        for table, why in whys.items():
            log.error("table_set_aside", table=table, why=why)
        for table in found:
            if table not in whys:
                log.error("damaged_table_replaced", table=table, why=found[table])
        return cls(database, whys, pending)

    @property
    def names(self) -> tuple[str, ...]:
        """Return what is set aside, by the names of `PARTS`."""
        return tuple(
            [name for name, tables in PARTS.items() if any(one in self._whys for one in tables)]
        )

    def holds(self, table: str) -> bool:
        """Return whether a table is set aside."""
        return table in self._whys

    async def settle(self) -> None:
        """Set aside what stands in its place for want of room; raise `DatabaseError` as yet."""
        pending = self._pending
        if pending:
            await self._database.run(lambda file: _renamed(file, pending))
            self._pending = {}

    async def end(self, name: str) -> None:
        """Note that the operator has decided on what `name` names; raise `DatabaseError`."""
        tables = PARTS[name]
        await self._database.run(lambda file: _decided(file, tables))
        for table in tables:
            self._whys.pop(table, None)


def _damaged(connection: sqlite3.Connection) -> Whys:
    """Return what is wrong with which tables, the list of numbers given out among them."""
    parts = [table for tables in PARTS.values() for table in tables]
    tables = (*parts, _SECRETS, _SEQUENCE)
    found = {table: _fault(connection, table) for table in tables}
    return {table: why for table, why in found.items() if why is not None}


def _fault(connection: sqlite3.Connection, table: str) -> str | None:
    try:
        lines = [str(line) for (line,) in connection.execute(f'PRAGMA integrity_check("{table}")')]
        for _ in connection.execute(f"SELECT * FROM {table}"):  # noqa: S608 - our own tables
            continue
    except (sqlite3.Error, UnicodeDecodeError) as error:
        return str(error)
    return None if lines == ["ok"] else " ".join(lines[:1]).replace("\n", " ")


def _renamed(connection: sqlite3.Connection, damaged: Whys) -> Whys:
    """Set damaged tables aside, at once; return why, with those of earlier starts."""
    if damaged:
        with Transaction(connection):
            if _SEQUENCE in damaged:
                _renumber(connection)
            for table in damaged:
                if table != _SEQUENCE:
                    _set_aside(connection, table, damaged)
    whys = {table: why for table, why in damaged.items() if names_aside(connection, table)}
    for tables in PARTS.values():
        for table in tables:
            if names_aside(connection, table):
                whys.setdefault(table, "the operator has not decided on it since an earlier start")
    return whys


def _set_aside(connection: sqlite3.Connection, table: str, damaged: Whys) -> None:
    state = ASIDE if _is_lost(connection, table, damaged) else PAST
    aside = free_name(connection, state, table)
    connection.execute(f"ALTER TABLE {table} RENAME TO {aside}")
    connection.execute(_made(table))
    if table in _COUNTED:
        # What comes back has the lower numbers.
        sql = f"INSERT INTO {_SEQUENCE} (name, seq) SELECT ?, seq FROM {_SEQUENCE} WHERE name = ?"  # noqa: S608
        connection.execute(sql, (table, aside))


def _is_lost(connection: sqlite3.Connection, table: str, damaged: Whys) -> bool:
    """Return whether rows are lost with a table: not what is folded or drawn again."""
    if table == _SECRETS:
        return False
    return table != "strength" or "result" in damaged or bool(names_aside(connection, "result"))


def _decided(connection: sqlite3.Connection, tables: tuple[str, ...]) -> None:
    with Transaction(connection):
        for table in tables:
            for aside in names_aside(connection, table):
                past = free_name(connection, PAST, table)
                connection.execute(f"ALTER TABLE {aside} RENAME TO {past}")


def _renumber(connection: sqlite3.Connection) -> None:
    """Have SQLite begin another list of the numbers given out, from the rows that are there."""
    past = free_name(connection, PAST, "sequence")
    connection.execute("PRAGMA writable_schema = ON")
    try:
        connection.execute(
            "UPDATE sqlite_master SET name = ?1, tbl_name = ?1, sql = ?2 WHERE name = ?3",
            (past, f"CREATE TABLE {past}(name,seq)", _SEQUENCE),
        )
    finally:
        connection.execute("PRAGMA writable_schema = RESET")
    connection.execute("CREATE TABLE counted (n INTEGER PRIMARY KEY AUTOINCREMENT)")
    connection.execute("DROP TABLE counted")


def _made(table: str) -> str:
    """Return the statement that makes a table of the newest version."""
    with closing(sqlite3.connect(":memory:")) as file:
        for steps in MIGRATIONS:
            for step in steps:
                take_step(step, file)
        ((sql,),) = file.execute("SELECT sql FROM sqlite_master WHERE name = ?", (table,))
    return str(sql)
