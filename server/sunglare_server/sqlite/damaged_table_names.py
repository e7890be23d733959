"""Names of tables that are set aside as damaged, and of what may be."""

import re
import sqlite3
from typing import Final

PARTS: Final[dict[str, tuple[str, ...]]] = {
    "bans": ("sanction",),
    "reports": ("report",),
    "ratings": ("result", "strength"),
    "log": ("deed",),
}
"""What may be set aside, by the command that shows it, and its tables."""

ASIDE: Final = "aside"
"""How the names begin of tables on which the operator has not decided yet."""

PAST: Final = "past"
"""How those begin that are decided on."""

_NAME: Final = re.compile(r"(aside|past)_([a-z]+)_(\d+)")
_TABLES: Final = "SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name"


def is_set_aside(name: str) -> bool:
    """Return whether a table of this name is, or once was, set aside as damaged."""
    return _NAME.fullmatch(name) is not None


def names_aside(connection: sqlite3.Connection, table: str) -> tuple[str, ...]:
    """Return under which names a table waits for the operator's decision."""
    found = [_NAME.fullmatch(str(name)) for (name,) in connection.execute(_TABLES)]
    return tuple([name[0] for name in found if name and (name[1], name[2]) == (ASIDE, table)])


def free_name(connection: sqlite3.Connection, state: str, table: str) -> str:
    """Return a name under which a table can be set aside: `state` is `ASIDE` or `PAST`."""
    known = [str(name) for (name,) in connection.execute(_TABLES)]
    number = 1
    while f"{state}_{table}_{number}" in known:
        number += 1
    return f"{state}_{table}_{number}"
