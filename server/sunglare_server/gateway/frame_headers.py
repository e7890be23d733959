"""The heads of WebSocket frames as a server sends them: whole messages, without a mask.

Source: RFC 6455, 5.2. We write them ourselves since the library takes ten calls for one; no
extension is ever agreed on, which could change what follows a head.
"""

from struct import Struct
from typing import Final

TEXT: Final = 0x81
"""The first byte of a message of text in one frame."""

BINARY: Final = 0x82
"""The first byte of a binary message in one frame."""

_SHORT: Final = Struct("!BB").pack
_LONG: Final = Struct("!BBH").pack
_LONGEST: Final = Struct("!BBQ").pack


def head(first: int, size: int) -> bytes:
    """Return what stands before `size` bytes of a message that begins with the byte `first`."""
    if size < 126:
        return _SHORT(first, size)
    return _LONG(first, 126, size) if size < 1 << 16 else _LONGEST(first, 127, size)
