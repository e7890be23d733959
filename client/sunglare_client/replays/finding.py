"""Where the bytes of a replay come from: a file, a record kept here, or a server."""

from collections.abc import Iterator
from pathlib import Path
from typing import Final, final

import msgspec

from sunglare_client.link import records
from sunglare_client.replays.naming import names_in
from sunglare_protocol.replay.file import FILE_BYTES_MOST, read_header
from sunglare_protocol.replay.values import ReplayError

SUFFIX: Final = ".sgr"

HEADER_BYTES_MOST: Final = 64 * 1024
"""OWN: a header is no longer; so much of a file is read to list it."""


def file_named(text: str) -> Path | None:
    """Return the file that a word on the command line means; None if it means a match elsewhere.

    A match that was played here may be named by the beginning of its id, as those of a server.
    """
    path = Path(text)
    if path.suffix == SUFFIX or path.parent != Path() or path.is_file():
        return path
    kept = [file for file in records.kept() if file.stem.startswith(text)]
    return kept[0] if len(kept) == 1 else None


def read_file(path: Path) -> bytes:
    """Return the bytes of a file; raise `ReplayError` if they are too many, `OSError` if none."""
    with path.open("rb") as file:
        data = file.read(FILE_BYTES_MOST + 1)
    if len(data) > FILE_BYTES_MOST:
        raise ReplayError(f"This file is too large: {FILE_BYTES_MOST >> 20} MiB are the most.")
    return data


@final
class KeptMatch(msgspec.Struct, frozen=True):
    """A record that is kept here: its match and header, or why the file can't be read."""

    match: str
    header: dict[str, object]
    fault: str = ""


def kept_matches() -> Iterator[KeptMatch]:
    """Yield the records that are kept here."""
    for file in records.kept():
        try:
            with file.open("rb") as opened:
                header = read_header(opened.read(HEADER_BYTES_MOST))
        except (ReplayError, OSError) as fault:
            yield KeptMatch(file.stem, {}, str(fault))
            continue
        yield KeptMatch(file.stem, header)


def header_text(header: dict[str, object]) -> str:
    """Return in words what the header of a file says of its match."""
    seats = ", ".join(f"{side} {name}" for side, name in _sorted(names_in(header)))
    parts = [str(header.get("scenario", "")), seats, _result_text(header)]
    return "  ".join(part for part in parts if part)


def _result_text(header: dict[str, object]) -> str:
    if "winner" not in header:
        return ""
    winner = header["winner"]
    points = ", ".join(f"{side} {count}" for side, count in _sorted(header.get("points")))
    won = "a draw" if winner is None else f"{winner} wins"
    return f"{won} (points: {points})" if points else won


def _sorted(value: object) -> list[tuple[str, object]]:
    return sorted((str(key), one) for key, one in value.items()) if isinstance(value, dict) else []
