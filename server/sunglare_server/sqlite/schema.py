"""The tables of the server's database file and the versions they went through."""

import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import final

from sunglare_protocol.errors import SunglareError
from sunglare_server.ports.match_endings import note_ends

Step = str | Callable[[sqlite3.Connection], None]
"""A statement, or what needs more than SQL."""

_FIRST = (
    # With row ids, the records of all matches land side by side on the newest page; measured with
    # 200 matches at once, a commit takes a quarter of the time that pages of their own would cost.
    """
    CREATE TABLE record (
        match TEXT NOT NULL, n INTEGER NOT NULL, blob BLOB NOT NULL, UNIQUE (match, n)
    )
    """,
    # Record 1 stands for its match, so listing matches reads one small index.
    "CREATE INDEX opened ON record (match) WHERE n = 1",
    # The file itself refuses gaps and repeats, by any writer.
    """
    CREATE TRIGGER record_follows BEFORE INSERT ON record
    WHEN new.n <> 1 + ifnull((SELECT max(n) FROM record WHERE match = new.match), 0)
    BEGIN SELECT raise(ABORT, 'the number is taken or leaves a gap'); END
    """,
    "CREATE TABLE finished (match TEXT PRIMARY KEY NOT NULL) WITHOUT ROWID",
    """
    CREATE TABLE person (
        person TEXT PRIMARY KEY NOT NULL, token_hash TEXT NOT NULL UNIQUE,
        name TEXT NOT NULL, name_key TEXT NOT NULL UNIQUE
    ) WITHOUT ROWID
    """,
    "CREATE TABLE room (match TEXT PRIMARY KEY NOT NULL, blob BLOB NOT NULL) WITHOUT ROWID",
    """
    CREATE TABLE ticket (
        hash TEXT PRIMARY KEY NOT NULL, match TEXT NOT NULL, side TEXT NOT NULL,
        session INTEGER NOT NULL, expires_ms INTEGER NOT NULL,
        UNIQUE (match, side, session)
    ) WITHOUT ROWID
    """,
)

_SNAPSHOTS = (
    # A cache: a match is folded from the oldest one that is kept, or from its first record.
    """
    CREATE TABLE snapshot (
        match TEXT NOT NULL, n INTEGER NOT NULL, blob BLOB NOT NULL, PRIMARY KEY (match, n)
    )
    """,
)

_SUMS = (
    # The hash of the row's own blob: no record follows the newest one that could hold it. Rows
    # of older files have none.
    "ALTER TABLE record ADD COLUMN sum BLOB",
)

_ARCHIVE = (
    # What is left of a finished match, for programs that do not know its rules any more: a part
    # for each audience, and one without a name for the rest.
    """
    CREATE TABLE archive (
        match TEXT NOT NULL, part TEXT NOT NULL, blob BLOB NOT NULL, PRIMARY KEY (match, part)
    )
    """,
)

_ALIVE = (
    # One row: when the server last said that it is there. A restart reckons its outage from it.
    """
    CREATE TABLE alive (
        mark INTEGER PRIMARY KEY NOT NULL CHECK (mark = 1), at_ms INTEGER NOT NULL
    )
    """,
)

_LISTS = (
    # Of what is over a start reads nothing, and a list no more than it shows. NULL: not over.
    "ALTER TABLE room ADD COLUMN ended_ms INTEGER",
    "ALTER TABLE room ADD COLUMN public INTEGER NOT NULL DEFAULT 0",
    "CREATE INDEX room_live ON room (match) WHERE ended_ms IS NULL",
    "CREATE INDEX room_ended ON room (ended_ms) WHERE ended_ms IS NOT NULL",
    """
    CREATE INDEX room_over ON room (ended_ms DESC, match) WHERE ended_ms IS NOT NULL AND public
    """,
    # Whose each match was that is over.
    """
    CREATE TABLE played (
        person TEXT NOT NULL, ended_ms INTEGER NOT NULL, match TEXT NOT NULL,
        PRIMARY KEY (person, ended_ms DESC, match)
    ) WITHOUT ROWID
    """,
    "CREATE INDEX played_match ON played (match)",
    note_ends,
)

_LETTERS = (
    # The accounts that the server notifies of their turn, outside the game.
    "CREATE TABLE webhook (person TEXT PRIMARY KEY NOT NULL, url TEXT NOT NULL) WITHOUT ROWID",
    # What a player reported of a side of a match: by `person`, of who sat there.
    """
    CREATE TABLE report (
        match TEXT NOT NULL, n INTEGER NOT NULL, at_ms INTEGER NOT NULL, person TEXT NOT NULL,
        side TEXT NOT NULL, accused TEXT NOT NULL, text TEXT NOT NULL, PRIMARY KEY (match, n)
    ) WITHOUT ROWID
    """,
)

_LADDER = (
    # How rated matches ended, in the order in which that was stored. The column `game` is the
    # match; under that name it would go when an old match is deleted.
    """
    CREATE TABLE result (
        n INTEGER PRIMARY KEY AUTOINCREMENT, game TEXT NOT NULL UNIQUE, family TEXT NOT NULL,
        blob BLOB NOT NULL
    )
    """,
    # What the results fold to: whole millionths.
    """
    CREATE TABLE strength (
        family TEXT NOT NULL, player TEXT NOT NULL, mean INTEGER NOT NULL,
        spread INTEGER NOT NULL, matches INTEGER NOT NULL, PRIMARY KEY (family, player)
    ) WITHOUT ROWID
    """,
)

_SANCTIONS = (
    # Whom the operator keeps out, and whose chat is not taken: an account, or a range of
    # addresses. Without `until_ms` it lasts until it is lifted.
    """
    CREATE TABLE sanction (
        kind TEXT NOT NULL, whom TEXT NOT NULL, since_ms INTEGER NOT NULL, until_ms INTEGER,
        reason TEXT NOT NULL, PRIMARY KEY (kind, whom)
    ) WITHOUT ROWID
    """,
)

_DEEDS = (
    # What operators have done: who asked for what, and what came of it.
    """
    CREATE TABLE deed (
        n INTEGER PRIMARY KEY AUTOINCREMENT, at_ms INTEGER NOT NULL, doer TEXT NOT NULL,
        asked TEXT NOT NULL, outcome TEXT NOT NULL
    )
    """,
)

_REPORTS = (
    # Where the author sat, the window they saw last, and when it was dealt with.
    "ALTER TABLE report ADD COLUMN by_side TEXT",
    "ALTER TABLE report ADD COLUMN window TEXT NOT NULL DEFAULT ''",
    "ALTER TABLE report ADD COLUMN done_ms INTEGER",
)

_SECRETS = (
    # Keys by which the server knows again what others carry for it.
    "CREATE TABLE secret (name TEXT PRIMARY KEY NOT NULL, value BLOB NOT NULL) WITHOUT ROWID",
)

_SOLVED = (
    # The names of the lessons that an account has solved, each followed by a blank.
    "ALTER TABLE person ADD COLUMN solved TEXT NOT NULL DEFAULT ''",
)

MIGRATIONS: tuple[tuple[Step, ...], ...] = (
    _FIRST,
    _SNAPSHOTS,
    _SUMS,
    (*_ARCHIVE, *_LISTS, *_ALIVE),
    (*_LETTERS, *_LADDER),
    (*_SANCTIONS, *_DEEDS, *_REPORTS),
    _SECRETS,
    _SOLVED,
)
"""The steps that lead from each version to the next; an entry never changes once released."""

SUMS_SINCE = 3
"""The version since which records have a `sum`."""

ARCHIVE_SINCE = 4
"""The version since which finished matches are archived and listed by their ends."""

ORDER_SINCE = 6
"""The version since which reports have their context, and there are sanctions and entries."""

SOLVED_SINCE = 8
"""The version since which accounts have the lessons that they have solved."""

VERSION = len(MIGRATIONS)
"""The version this program reads and writes."""


DAMAGED_SCHEMA = "malformed database schema"
"""Said where SQLite quotes bytes that are no text, which raises a UnicodeDecodeError."""


class OpenError(SunglareError):
    """A database file cannot be used: `path` names it, `why` says the reason."""

    def __init__(self, path: Path, why: str) -> None:
        """Keep the facts."""
        super().__init__(path, why)
        self.path = path
        self.why = why

    def __str__(self) -> str:
        """Say which file and why."""
        return f"cannot use the database {self.path}: {self.why}"


class SchemaError(OpenError):
    """The file holds tables of a version that this program does not know."""


@final
class NewerSchemaError(SchemaError):
    """A newer program has written the file."""


def bring_up_to_date(connection: sqlite3.Connection, path: Path) -> None:
    """Create or update the tables; SchemaError if the file is newer than we are or not ours.

    The caller has opened a transaction and commits it.
    """
    found = known_version(connection, path)
    if not found:
        connection.execute("CREATE TABLE schema_version (version INTEGER NOT NULL)")
        connection.execute("INSERT INTO schema_version VALUES (0)")
    for steps in MIGRATIONS[found:]:
        for step in steps:
            take_step(step, connection)
    if found < VERSION:
        connection.execute("UPDATE schema_version SET version = ?", (VERSION,))


def take_step(step: Step, connection: sqlite3.Connection) -> None:
    """Take one step of a migration on the tables of `connection`."""
    if isinstance(step, str):
        connection.execute(step)
    else:
        step(connection)


def known_version(connection: sqlite3.Connection, path: Path) -> int:
    """Return the version of the tables, 0 without any; SchemaError if we do not know it."""
    try:
        found = _version(connection, path)
    except UnicodeDecodeError:
        raise sqlite3.DatabaseError(DAMAGED_SCHEMA) from None
    if found > VERSION:
        raise NewerSchemaError(
            path,
            f"its tables have version {found}, this program knows versions up to {VERSION}; "
            "start the newer program that wrote it",
        )
    return found


def _version(connection: sqlite3.Connection, path: Path) -> int:
    tables = [name for (name,) in connection.execute("SELECT name FROM sqlite_master")]
    if not tables:
        return 0
    if "schema_version" not in tables:
        raise SchemaError(path, "it contains tables of another program")
    match connection.execute("SELECT version FROM schema_version").fetchall():
        case [(int(version),)] if version > 0:
            return version
        case _:
            raise SchemaError(path, "it does not say which version its tables have")
