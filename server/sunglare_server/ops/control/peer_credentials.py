"""The user at the other end of a control socket, as the system says, and the one of a command."""

import os
import pwd
import socket
import struct
from typing import Final

_CREDENTIALS: Final = struct.Struct("3i")
"""What Linux reports of a peer: process, user and group."""


def peer_of(line: socket.socket) -> str:
    """Return the system's user at the other end of a Unix socket; `unknown` if there is none."""
    option = getattr(socket, "SO_PEERCRED", None)
    if option is None:
        return "unknown"
    told = line.getsockopt(socket.SOL_SOCKET, option, _CREDENTIALS.size)
    _, user, _ = _CREDENTIALS.unpack(told)
    return named_user(user)


def named_user(user: int) -> str:
    """Return a user of this system, by name and number."""
    try:
        return f"{pwd.getpwuid(user).pw_name} ({user})"
    except KeyError:
        return f"user {user}"


def whoever_runs_this() -> str:
    """Return the user of this process and its machine, as the process itself says."""
    return f"{named_user(os.getuid())} at {socket.gethostname()}, as told"
