"""Database files of every version of the rules, and a program whose rules are others."""

import base64
import json
import lzma
import sqlite3
import sys
from contextlib import closing
from functools import lru_cache
from pathlib import Path
from typing import Any

import msgpack  # type: ignore[import-untyped]
import pytest

from sunglare_server.match.record import RULES_VERSION

DATA = Path(__file__).parents[1] / "data"
STORED = sorted(
    int(path.name.split(".")[0].removeprefix("rules_")) for path in DATA.glob("rules*")
)
"""The versions of the rules of which a file is stored."""

FOREVER_MS = 2**53


@lru_cache
def told(rules: int) -> dict[str, Any]:
    """Return what was written when the program of these rules left its file; see its maker."""
    packed = DATA.joinpath(f"rules_{rules}.json.xz").read_bytes()
    found: dict[str, Any] = json.loads(lzma.decompress(packed))
    return found


def saved_record(rules: int) -> bytes:
    """Return the record file that the program of these rules gave of its finished match."""
    return base64.b64decode(told(rules)["record"])


def file_of(rules: int, folder: Path) -> Path:
    """Return a database file as the program of these rules left it; its tickets never expire."""
    path = folder / "journal.db"
    path.write_bytes(_file_of(rules))
    return path


@lru_cache
def _file_of(rules: int) -> bytes:
    with closing(sqlite3.connect(":memory:")) as file:
        file.executescript(told(rules)["sql"])
        file.execute("UPDATE ticket SET expires_ms = ?", (FOREVER_MS,))
        file.commit()
        return file.serialize()


def raise_rules(patch: pytest.MonkeyPatch) -> int:
    """Let the program be one of the next rules version, whatever its rules; return that."""
    for name, module in sorted(sys.modules.items()):
        if name.startswith("sunglare_") and hasattr(module, "RULES_VERSION"):
            patch.setattr(module, "RULES_VERSION", RULES_VERSION + 1)
    return RULES_VERSION + 1


def values(data: bytes) -> list[Any]:
    """Return the values of a record file."""
    unpacker = msgpack.Unpacker(max_buffer_size=len(data), strict_map_key=False)
    unpacker.feed(data)
    return list(unpacker)
