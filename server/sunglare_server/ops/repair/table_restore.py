"""Restores tables set aside as damaged, as far as they can be read, or gives them up.

The file that the server has open is not looked at by its pages: a copy of it is, which goes again.
The rows of the damaged table are looked for there as a repair does, by its tree and by the pages.
"""

import asyncio
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Final, NamedTuple, final

import msgspec

from sunglare_server.ops.control.answers import Answer
from sunglare_server.ops.control.overview import Installation
from sunglare_server.ops.control.requests import RequestError, Restore
from sunglare_server.ops.moderation.account_lookup import counted
from sunglare_server.ops.moderation.sanctions import Sanctioning
from sunglare_server.ops.repair.damaged_file import SOURCES, DamagedFile, Row
from sunglare_server.ports.rating_model import RatedResult
from sunglare_server.ports.sanctions import Sanction
from sunglare_server.sqlite.damaged_table_names import PARTS, names_aside
from sunglare_server.sqlite.damaged_tables import SetAside
from sunglare_server.sqlite.database import Database, Statement
from sunglare_server.sqlite.sanctions import read_sanction
from sunglare_server.sqlite.schema import OpenError

_PART: Final = ".aside.part"
_LEFT: Final = ("", "-wal", "-shm", "-journal")
_LOSSES_MOST: Final = 50
"""OWN: of so many losses each gets a line."""

_FOLDED: Final = "strength"
"""The table that is folded again from results, never brought back."""

_results: msgspec.msgpack.Decoder[RatedResult] = msgspec.msgpack.Decoder(RatedResult)


@final
class AsideRows(NamedTuple):
    """The rows of each table that was set aside, and what could not be read, a sentence each."""

    rows: dict[str, tuple[Row, ...]]
    losses: tuple[str, ...]


@final
class Restoring:
    """Brings back what was set aside in one server, or gives it up."""

    def __init__(self, site: Installation, sanctioning: Sanctioning) -> None:
        """Work on the parts of `site`; `sanctioning` shuts out who is banned again."""
        self._site = site
        self._policy = site.lobby.policy
        self._sanctioning = sanctioning
        self._turnstile = asyncio.Lock()

    async def perform(self, request: Restore) -> Answer:
        """Do what is asked and say what was done; raise `RequestError` if that can't be.

        Of what is brought back `missing` counts what could not be.
        """
        name = request.what
        if name not in self._site.set_aside:
            raise RequestError(f"no part of the {name} is set aside; see `status`")
        async with self._turnstile:
            if self._site.aside is not None:
                await self._site.aside.settle()
            return await (self._clear(name) if request.clear else self._restore(name))

    async def _clear(self, name: str) -> Answer:
        await self._end(name)
        words = f"what was set aside of the {name} is given up; what is known now holds"
        return Answer(done=words)

    async def _restore(self, name: str) -> Answer:
        found = AsideRows({}, ())
        unread = self._policy.unread if name == "bans" else 0
        database, aside = self._site.database, self._site.aside
        if database is not None and aside is not None and name in aside.names:
            found = await self._read(name, database, aside)
        done = await self._bring(name, found, database)
        await self._end(name)
        losses = [*found.losses, *([f"{unread} that can't be read"] if unread else [])]
        lines = [f"LOST        {loss}" for loss in losses[:_LOSSES_MOST]]
        more = len(losses) - _LOSSES_MOST
        lines += [f"LOST        {more} more"] if more > 0 else []
        lost = counted(len(losses), "loss", "losses")
        return Answer(
            done="\n".join([*lines, f"{done}, {lost}"]), missing=(lost,) if losses else ()
        )

    async def _read(self, name: str, database: Database, aside: SetAside) -> AsideRows:
        path = self._site.path
        assert path is not None  # noqa: S101 - a database has a file
        tables = tuple([t for t in PARTS[name] if aside.holds(t) and t != _FOLDED])
        part = path.with_name(f"{path.name}{_PART}")
        try:
            await asyncio.to_thread(_removed, part)
            await database.copy_to(part)
            return await asyncio.to_thread(read_aside, part, tables)
        except (OSError, OpenError) as error:
            raise RequestError(f"what is set aside can't be read: {error}") from error
        finally:
            await asyncio.to_thread(_removed, part)

    async def _bring(self, name: str, found: AsideRows, database: Database | None) -> str:
        """Put what was read back where it holds; return in words how much that is."""
        if name == "bans":
            rows = found.rows.get("sanction", ())
            back = await self._policy.bring_back(tuple(map(_sanction, rows)))
            ended = await self._sanctioning.shut_out_again(back)
            return f"{counted(len(back), 'sanction')} in force again, {ended}"
        if database is not None:
            await database.submit(tuple([_put(table, rows) for table, rows in found.rows.items()]))
        if name == "ratings" and self._site.aside is not None and self._site.aside.holds(_FOLDED):
            await self._site.lobby.ladder.ratings.rebuild()
        count = sum(map(len, found.rows.values()))
        return f"{counted(count, 'row')} of the {name} brought back"

    async def _end(self, name: str) -> None:
        aside = self._site.aside
        if aside is not None and name in aside.names:
            await aside.end(name)
        if name == "bans" and self._policy.unread:
            await self._policy.drop_unread()


def read_aside(copy: Path, tables: tuple[str, ...]) -> AsideRows:
    """Return what can be read of those tables that are set aside in a copy; it is changed.

    Raise `OpenError` if the copy can't be read at all.
    """
    rows: dict[str, tuple[Row, ...]] = {}
    losses: dict[str, None] = {}
    try:
        with closing(sqlite3.connect(copy, isolation_level=None)) as file:
            # One file, whose pages are all in it.
            file.execute("PRAGMA journal_mode = DELETE").fetchone()
            for table in tables:
                found = _read_table(file, copy, table)
                losses |= dict.fromkeys(found.losses)
                rows |= found.rows
    except sqlite3.Error as error:
        raise OpenError(copy, str(error)) from error
    return AsideRows(rows, tuple(losses))


def _read_table(file: sqlite3.Connection, copy: Path, table: str) -> AsideRows:
    """Return what can be read of one table, each time that it was set aside."""
    key = SOURCES[table].key
    known = {row[:key] for row in file.execute(_selected(table))}
    found: dict[Row, Row] = {}
    losses: list[str] = []
    now = f"now_{table}"
    file.execute(f"ALTER TABLE {table} RENAME TO {now}")
    for aside in names_aside(file, table):
        file.execute(f"ALTER TABLE {aside} RENAME TO {table}")
        damaged = DamagedFile(file, copy, copy)
        for row in damaged.rows(table):
            if _can_be(table, row):
                found.setdefault(row[:key], row)
            else:
                damaged.losses.append(f"{table} {row[:key]!r}: it is damaged")
        losses += [*damaged.losses, *damaged.page_losses()]
        file.execute(f"ALTER TABLE {table} RENAME TO read_{aside}")
    file.execute(f"ALTER TABLE {now} RENAME TO {table}")
    rows = tuple([row for place, row in found.items() if place not in known])
    return AsideRows({table: rows}, tuple(losses))


def _selected(table: str) -> str:
    return f"SELECT {', '.join(SOURCES[table].columns)} FROM {table}"  # noqa: S608 - our own tables


def _put(table: str, rows: tuple[Row, ...]) -> Statement:
    columns = SOURCES[table].columns
    marks = ", ".join("?" for _ in columns)
    # What is there by now goes before.
    sql = f"INSERT OR IGNORE INTO {table} ({', '.join(columns)}) VALUES ({marks})"  # noqa: S608
    return Statement(sql, rows)


def _can_be(table: str, row: Row) -> bool:
    """Return whether a row that was read can be brought back."""
    try:
        if table == "sanction":
            _sanction(row)
        elif table == "result":
            _results.decode(row[-1])
    except (AttributeError, TypeError, ValueError, msgspec.DecodeError):
        return False
    return True


def _sanction(row: Row) -> Sanction:
    kind, whom, since_ms, until_ms, reason = row
    times = (since_ms, since_ms if until_ms is None else until_ms)
    if not all(isinstance(time_ms, int) for time_ms in times):
        raise ValueError("its times are no numbers")
    return read_sanction((kind.encode(), whom.encode(), since_ms, until_ms, reason.encode()))


def _removed(part: Path) -> None:
    for ending in _LEFT:
        part.with_name(f"{part.name}{ending}").unlink(missing_ok=True)
