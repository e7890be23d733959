"""The exceptions of the client library; those of the protocol are its own.

SunglareError
  RefusedError         the server answered a command with a refusal
  LostError            the connection has ended, or was never made
    SupersededError    another connection has taken the seat
    UnreachableError   no server answers at an address
  BehindError          the client does not read what the server sends
  ExportError          a replay can't be made a file of that kind
  BotError             a bot broke the promises of its own interface
  ProtocolError
    GapError           a post is missing from a sequence that has no gaps
"""

from sunglare_protocol.errors import ProtocolError, SunglareError
from sunglare_protocol.messages import Bye, Refused
from sunglare_protocol.refusals import Code

SUPERSEDED = 4001
"""The close code by which the server says that another connection has taken the seat."""


class RefusedError(SunglareError):
    """The server refused a command; `refused` is its whole answer."""

    def __init__(self, refused: Refused) -> None:
        """Keep the answer."""
        super().__init__(refused)
        self.refused = refused

    @property
    def code(self) -> Code:
        """Return the code of the refusal."""
        return self.refused.code

    def __str__(self) -> str:
        """Return the server's sentence, and what would be right if it said so."""
        choices = ", ".join(self.refused.choices)
        return f"{self.refused.text} Choices: {choices}." if choices else self.refused.text


class LostError(SunglareError):
    """The connection has ended: the close code, if any, the reason, and the server's `bye`."""

    def __init__(self, reason: str, code: int | None = None, bye: Bye | None = None) -> None:
        """Keep the facts."""
        super().__init__(reason, code, bye)
        self.reason = reason
        self.code = code
        self.bye = bye

    def __str__(self) -> str:
        """Return the server's last words, else the reason, with the close code."""
        said = self.bye.text if self.bye is not None else self.reason
        code = "" if self.code is None else f" (close code {self.code})"
        return f"The connection is lost: {said or 'no reason given'}{code}"


class SupersededError(LostError):
    """Another connection has taken the seat; coming back would only throw it out in turn."""


class UnreachableError(LostError):
    """No server answers at an address, `url`; `reason` says how that was noticed."""

    def __init__(self, url: str, reason: str) -> None:
        """Keep the facts."""
        super().__init__(reason)
        self.url = url

    def __str__(self) -> str:
        """Say where no server is."""
        return f"No server answers at {self.url} ({self.reason})."


class BehindError(SunglareError):
    """More waits in line than any reader would leave there: `most` items."""

    def __init__(self, most: int) -> None:
        """Keep the limit."""
        super().__init__(most)
        self.most = most

    def __str__(self) -> str:
        """Say how far behind the reader is."""
        return f"Nobody reads what the server sends: {self.most} items wait."


class ExportError(SunglareError):
    """A replay can't be made a file of the kind that is wanted; the text says why."""


class BotError(SunglareError):
    """A bot returned something that is no sequence of orders, or orders that are not legal."""


class GapError(ProtocolError):
    """A post came whose number does not follow the one before."""

    def __init__(self, expected: int, got: int) -> None:
        """Keep both numbers."""
        super().__init__(expected, got)
        self.expected = expected
        self.got = got

    def __str__(self) -> str:
        """Say which number was due."""
        return f"Post {self.expected} was due and {self.got} came: something is missing."
