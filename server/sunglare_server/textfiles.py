"""Files that operators and players write, read with bounds and from regular files alone.

A pipe, a terminal or a device under such a name would keep its reader waiting for ever, or fill
the memory. A short text with many dotted keys would keep the reader of TOML busy for seconds: a
key of n parts takes it time that grows with the square of n.
"""

import errno
import os
import re
import stat
import sys
from pathlib import Path
from typing import Final

KIB: Final = 1024
"""Bytes."""

DOTS_MOST: Final = 100
"""OWN: dots in one line of a TOML file at most, outside comments and texts."""


if sys.platform == "win32":
    _FLAGS: Final = os.O_RDONLY | os.O_BINARY
else:
    _FLAGS: Final = os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC


def read_file(path: Path, most: int) -> bytes:
    """Return the content of a regular file of at most `most` bytes, without ever waiting.

    Raise `OSError` with a sentence in `strerror` if it is no such file or cannot be read.
    """
    handle = os.open(path, _FLAGS)
    try:
        if not stat.S_ISREG(os.fstat(handle).st_mode):
            why = "only a regular file is read here, no folder, pipe or device"
            raise OSError(errno.EINVAL, why, str(path))
        with open(handle, "rb", closefd=False) as file:
            data = file.read(most + 1)
    finally:
        os.close(handle)
    if len(data) > most:
        raise OSError(errno.EFBIG, f"at most {most} bytes are read", str(path))
    return data


_NO_KEYS: Final = re.compile(r'"(?:[^"\\]|\\.)*"?|\'[^\']*\'?|#.*')
"""Texts of one line, which need no end, and comments."""


def crowded_line(text: str) -> int | None:
    """Return the number of the first line of TOML with more than `DOTS_MOST` dots, or None.

    Dots in comments do not count, nor those in texts of one line.
    """
    # At line feeds alone, as TOML: other separators stand within its texts.
    for number, line in enumerate(text.split("\n"), 1):
        if line.count(".") <= DOTS_MOST:
            continue
        # A text of several lines may end here, so that no quotation mark shows what is outside.
        is_plain = '"""' not in line and "'''" not in line
        if (_NO_KEYS.sub("", line) if is_plain else line).count(".") > DOTS_MOST:
            return number
    return None
