"""The handshake with a server: which way leads to it, and the reason of one that refuses it."""

from typing import Final, Literal
from urllib.parse import urlsplit

from websockets.exceptions import InvalidStatus

from sunglare_client.text.printable import printable

_LOOPBACK: Final = ("127.0.0.1", "::1", "localhost")


def proxy_to(url: str) -> Literal[True] | None:
    """Return whether a proxy that the environment names is asked; none is on this machine."""
    return None if urlsplit(url).hostname in _LOOPBACK else True


def said_by(fault: InvalidStatus) -> str:
    """Return what a server answered that refused the handshake."""
    body = fault.response.body or b""
    return printable(body[:200].decode(errors="replace").strip()) or str(fault)
