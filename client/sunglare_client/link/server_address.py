"""The address of a server, with what it has by default; a light module, for the command line."""

from typing import Final
from urllib.parse import urlsplit, urlunsplit

UNIX: Final = "unix"
"""The scheme of an address that is a socket file of this machine, as in `unix:///run/game`."""

PATH: Final = "/play"
"""Where a server plays, if the address names no path."""


def address(url: str) -> str:
    """Return `url` with the scheme and the path that a server has by default."""
    parts = urlsplit(url if "://" in url else f"ws://{url}")
    return urlunsplit(parts._replace(path=PATH if parts.path in ("", "/") else parts.path))
