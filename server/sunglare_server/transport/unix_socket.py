"""Unix sockets that only their owner can open, in the place of one that a killed process left."""

import socket
import stat
from pathlib import Path
from typing import final

from sunglare_protocol.errors import SunglareError

PATH_BYTES_MOST = 103
"""The longest name of a Unix socket that every system takes."""

_OWNER_ALONE = 0o600
_PROBE_S = 1.0
_BACKLOG = 8


@final
class SocketError(SunglareError):
    """A socket can't be opened: `path` and `why`."""

    def __init__(self, path: Path, why: str) -> None:
        """Keep the facts."""
        super().__init__(path, why)
        self.path = path
        self.why = why

    def __str__(self) -> str:
        """Say which socket and why."""
        return f"cannot open the socket {self.path}: {self.why}"


def why_not(path: Path) -> str | None:
    """Return why there can be no socket of this name here; None if there can be."""
    if not hasattr(socket, "AF_UNIX"):
        return "this system has no Unix sockets"
    if len(str(path).encode()) > PATH_BYTES_MOST:
        return f"a socket's name has at most {PATH_BYTES_MOST} bytes; name another"
    return None


def bound(path: Path) -> socket.socket:
    """Return the bound socket, which admits no peers before it is its owner's alone."""
    if (why := why_not(path)) is not None:
        raise SocketError(path, why)
    listening = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    try:
        _make_room(path)
        listening.bind(str(path))
        path.chmod(_OWNER_ALONE)
        listening.listen(_BACKLOG)
    except OSError as error:
        listening.close()
        raise SocketError(path, error.strerror or str(error)) from error
    except BaseException:
        listening.close()
        raise
    return listening


def _make_room(path: Path) -> None:
    """Remove the socket of a process that was killed; raise if it is anything else."""
    try:
        mode = path.lstat().st_mode
    except FileNotFoundError:
        return
    if not stat.S_ISSOCK(mode):
        raise SocketError(path, "there is a file of this name that is no socket")
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as probe:
        probe.settimeout(_PROBE_S)
        try:
            probe.connect(str(path))
        except ConnectionRefusedError:
            path.unlink()
            return
    raise SocketError(path, "another server answers there")
