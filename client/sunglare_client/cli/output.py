"""Where a command writes what it makes: a file in a folder that is there, or standard output."""

import sys
from pathlib import Path
from typing import Final

from sunglare_protocol.errors import SunglareError

STANDARD_OUTPUT: Final = "-"
"""The name of a file that stands for standard output."""


class NoFolderError(SunglareError):
    """A file can't be written, as its folder is not there; the text names it."""


def check_folder(path: Path) -> None:
    """Raise `NoFolderError` if the folder of a file that is to be written is not there."""
    if not path.parent.is_dir():
        raise NoFolderError(f"there is no folder {path.parent} for {path.name}")


def write_output(data: bytes) -> None:
    """Write bytes on standard output; raise `OSError` if that can't be."""
    sys.stdout.buffer.write(data)
    sys.stdout.flush()
