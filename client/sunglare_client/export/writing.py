"""Files that are there as a whole or not at all, and never in the place of another by accident."""

import os
import tempfile
from pathlib import Path

from sunglare_client.errors import ExportError


def check_free(path: Path, *, force: bool) -> None:
    """Raise `ExportError` where there is a file already, unless it may go."""
    if path.is_dir() or (path.exists() and not force):
        raise ExportError(_taken(path))


def write_whole(path: Path, data: bytes, *, force: bool) -> None:
    """Write a file at once; raise `ExportError` if there is one by now, unless it may go."""
    handle, name = tempfile.mkstemp(prefix=f".{path.name}.", suffix=".part", dir=path.parent)
    part = Path(name)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
        part.chmod(_SHARED & ~_mask())
        if force:
            part.replace(path)
        else:
            _link(part, path)
    finally:
        part.unlink(missing_ok=True)


_SHARED = 0o666


def _mask() -> int:
    """Return what new files of this process are not, which can only be asked by setting it."""
    mask = os.umask(0o077)
    os.umask(mask)
    return mask


def _link(part: Path, path: Path) -> None:
    """Give a file its name if no file has it."""
    try:
        os.link(part, path)
    except FileExistsError:
        raise ExportError(_taken(path)) from None
    except OSError:  # a folder in which a file has one name alone
        check_free(path, force=False)
        part.replace(path)


def _taken(path: Path) -> str:
    if path.is_dir():
        return f"{path} is a folder; name a file with --out."
    return f"{path} is there already; --force writes over it, --out names another."
