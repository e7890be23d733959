"""The handshake with a server: which way leads to it, and the reason of one that refuses it."""

import os
import ssl
from typing import Final, Literal
from urllib.parse import urlsplit

from websockets.exceptions import InvalidStatus, WebSocketException

from sunglare_client.errors import LostError, UnreachableError
from sunglare_client.text.printable import printable

_LOOPBACK: Final = ("127.0.0.1", "::1", "localhost")


def proxy_to(url: str) -> Literal[True] | None:
    """Return whether a proxy that the environment names is asked; none is on this machine."""
    return None if urlsplit(url).hostname in _LOOPBACK else True


def unreached(url: str, fault: OSError | WebSocketException) -> LostError:
    """Return what it means that a call to a server came to this."""
    # The number of a fault of TLS is none of the system.
    if isinstance(fault, WebSocketException | ssl.SSLError):
        return LostError(str(fault))
    if isinstance(fault, TimeoutError):
        return UnreachableError(url, "no answer in time")
    number = fault.errno or 0
    # What asyncio makes of a refused call names its address once more.
    said = os.strerror(number) if number > 0 else fault.strerror or str(fault)
    return UnreachableError(url, said)


def said_by(fault: InvalidStatus) -> str:
    """Return what a server answered that refused the handshake."""
    body = fault.response.body or b""
    return printable(body[:200].decode(errors="replace").strip()) or str(fault)
