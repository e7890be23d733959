"""The log line of a connection that has ended, with nothing of what was said.

No line has a token, a ticket, a code, an account's id or a word of anybody's; the address is there
if the operator has asked for it. An account stands by its mark of the day on which it came, which
only the server can resolve, for some time: see `sunglare_server.accounts.pseudonyms`. How much was
sent is logged in whole MiB: to the byte it would show how much a side has seen of a match that
goes on.
"""

from typing import Final, final

import structlog

from sunglare_protocol import messages
from sunglare_server.base.histograms import LineFigures

OFF: Final = "off"
ADDRESSES: Final = "addresses"

MIB: Final = 1024 * 1024

SEATS_MOST: Final = 20
"""So many seats that a connection has taken are in the line."""


@final
class Access:
    """What is noted of one connection while it lasts."""

    def __init__(self, since_ms: int, figures: LineFigures) -> None:
        """Begin when it was let in; `figures` count what is said to all."""
        self._figures = figures
        self.sent_bytes = self.taken_bytes = 0
        self._since_ms = since_ms
        self._seats: dict[str, None] = {}

    def said(self, message: messages.ServerMessage) -> None:
        """Note an answer, as far as it refuses, or names a seat."""
        self._figures.said(message)
        match message:
            case messages.Seated() | messages.Resumed() if len(self._seats) < SEATS_MOST:
                self._seats[f"{message.match}/{message.side}"] = None
            case _:
                pass

    def tell(
        self, now_ms: int, mark: str | None, closed: tuple[int | None, str], address: str | None
    ) -> None:
        """Write the line; `closed` is the close code, None where the line was lost, and why."""
        where = {} if address is None else {"address": address}
        code, why = closed
        structlog.get_logger().info(
            "connection_ended",
            mark=mark,
            seats=list(self._seats),
            lasted_s=(now_ms - self._since_ms) // 1000,
            sent_mib=_mib(self.sent_bytes),
            taken_mib=_mib(self.taken_bytes),
            code=code,
            why=why,
            **where,
        )


def _mib(size: int) -> int:
    """Return a size in whole MiB, rounded up."""
    return -(-size // MIB)
