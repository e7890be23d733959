"""The records of local matches: a folder next to the tokens in which the newest are kept."""

import os
from pathlib import Path

from sunglare_client.link import identity
from sunglare_protocol.ids import MatchId

KEPT = 50
"""OWN: so many records of local matches are kept, the newest."""


def keep(match: MatchId, record: bytes) -> Path:
    """Keep the record of a match and let the oldest ones beyond `KEPT` go; return its file.

    Raise `OSError` if it cannot be written.
    """
    file = identity.record_path(match)
    file.parent.mkdir(mode=identity.PRIVATE_FOLDER, parents=True, exist_ok=True)
    part = file.with_suffix(".part")
    part.write_bytes(record)
    part.replace(file)
    for path in kept()[KEPT:]:
        path.unlink(missing_ok=True)
    return file


def kept() -> list[Path]:
    """Return the files of all records that are kept, the newest first."""
    return sorted(identity.records_folder().glob("*.sgr"), key=_age, reverse=True)


def _age(file: Path) -> tuple[int, str]:
    try:
        return os.stat(file).st_mtime_ns, file.name
    except FileNotFoundError:
        return 0, file.name  # another terminal has let it go
