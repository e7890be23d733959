"""The service as connections see it: what may be asked of accounts, rooms and matches.

Theory of operation. A gateway has sockets and no truth. For each connection it has one
`ClientSession`, to which it gives the messages that it has read, one after the other; the one that
answers has the connection as a `PeerConnection`, to which it says what there is to say. In one
process both are objects side by side; between two they are held together by a transport, and
neither side notices. All that a gateway ever gets of a match goes through here, and it was
released when it does.
"""

from typing import Protocol

from sunglare_protocol import messages
from sunglare_protocol.errors import SunglareError
from sunglare_protocol.ids import Audience, MatchId
from sunglare_protocol.refusals import SENTENCES, Code
from sunglare_server.accounts.accounts import Caller
from sunglare_server.runtime.encoded_message import EncodedMessage, Subscriber

SUPERSEDED = 4001
"""The close code for a connection whose seat another one has taken."""

SEAT_TAKEN = messages.Bye(code=Code.SEAT_TAKEN, text="Another connection has taken this seat.")
"""The farewell to the earlier connection."""

RESTARTING = 1012
"""The close code for a connection that has to come back, and is then shown all it may see."""

COME_BACK = messages.Bye(
    code=Code.SERVER_CLOSING, text=SENTENCES[Code.SERVER_CLOSING], retry_ms=1_000
)
"""What it hears."""

Command = (
    messages.GiveOrders
    | messages.Resign
    | messages.OfferDraw
    | messages.AskPause
    | messages.Chat
    | messages.Mute
)
"""The messages that become records of a match."""

Immediate = Command | messages.Ask
"""The messages that concern a match and need nothing that has to be waited for."""


class UnavailableError(SunglareError):
    """What is asked for can't be got at now; the log of its keeper says why."""


class PeerConnection(Protocol):
    """One connection, as its answering side sees it; `is_seated` is for that one to say."""

    is_seated: bool

    @property
    def round_trip_ms(self) -> int:
        """Return how long a ping took there and back last, 0 before the first one."""
        ...

    def subscriber(self, match: MatchId, feed: Audience) -> Subscriber:
        """Return what takes the messages of a feed for this line; the same one each time."""
        ...

    def say(self, message: messages.ServerMessage) -> None:
        """Send an answer."""

    def give(self, encoded_message: EncodedMessage) -> None:
        """Send an encoded message that the peer asked for."""

    def holds(self, encoded_message: EncodedMessage) -> bool:
        """Return whether `encoded_message` still waits to be sent."""
        ...

    async def drained(self) -> bool:
        """Return True once more may be said; False if no more shall be, at least not now."""
        ...

    def dismiss(self, bye: messages.Bye, code: int) -> None:
        """End the connection with a farewell and a close code."""


class OpenConnection(PeerConnection, Subscriber, Protocol):
    """One connection, as the holder of its socket gives it away: it takes messages as well."""

    @property
    def is_open(self) -> bool:
        """Return whether its peer is still there, as far as is known, and is not being closed."""
        ...


class ClientSession(Protocol):
    """What is known of a caller while the connection lasts, and what answers it."""

    @property
    def caller(self) -> Caller | None:
        """Return who has said hello, if anybody."""
        ...

    @property
    def is_settled(self) -> bool:
        """Return whether no command is on its way: the next message waits for that."""
        ...

    async def settled(self) -> None:
        """Return once no command is on its way."""

    def answer_now(self, message: Immediate) -> messages.ServerMessage | None:
        """Return the answer to a caller's message, or None for one that comes by itself."""
        ...

    async def answer(self, message: messages.ClientMessage) -> messages.ServerMessage | None:
        """Return the answer to any message but `ping`; None if it was said already."""
        ...

    def end(self, *, deliberate: bool) -> None:
        """Release what the connection held; `deliberate`: the peer hung up."""


class Service(Protocol):
    """Where connections are received."""

    def receive(
        self, line: OpenConnection, address: str | None, place: str | None
    ) -> ClientSession:
        """Begin to answer a line from an address; None is one of our own bots.

        `place` is the address as far as it distinguishes accounts.
        """
        ...

    async def record(self, match: MatchId) -> bytes | None:
        """Return the record file of a match that is over; None if there is none to be had.

        UnavailableError while its keeper can't be asked.
        """
        ...

    def unready(self) -> str | None:
        """Return why no new connections should come here now, in short; None if all is well.

        It is for load balancers, and concerns the server alone.
        """
        ...
