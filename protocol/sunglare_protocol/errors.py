"""The exceptions that say a peer or a caller broke a promise; a refused order is never one.

SunglareError
  ProtocolError      the peer sent what the protocol does not allow
    DecodeError      bytes that are no message
    OutOfTurnError   a message that has no place here
  BoxNameError       a text that names no box
  CellNameError      a text that names no cell
"""


class SunglareError(Exception):
    """The root of all exceptions of this project."""


class ProtocolError(SunglareError):
    """The peer broke the protocol; the connection cannot go on as if nothing had happened."""


class DecodeError(ProtocolError):
    """Bytes that are no message: `at` is the path inside the message, `why` the fault."""

    def __init__(self, why: str, at: str = "$") -> None:
        """Keep the facts; neither holds anything the sender did not send."""
        super().__init__(why, at)
        self.why = why
        self.at = at

    def __str__(self) -> str:
        """Return what is wrong and where."""
        return f"{self.why} at {self.at}"


class OutOfTurnError(ProtocolError):
    """A well-formed message that this state of the connection does not allow."""


class BoxNameError(SunglareError, ValueError):
    """A text that names no box; `name` is that text."""

    def __init__(self, name: str) -> None:
        """Keep the text as it came."""
        super().__init__(name)
        self.name = name

    def __str__(self) -> str:
        """Say what would be right."""
        return f"{self.name!r} is no box: a column letter, then a row number"


class CellNameError(SunglareError, ValueError):
    """A text that names no cell; `name` is that text."""

    def __init__(self, name: str) -> None:
        """Keep the text as it came."""
        super().__init__(name)
        self.name = name

    def __str__(self) -> str:
        """Say what would be right."""
        return f"{self.name!r} is no cell: a column letter, then a row number"
