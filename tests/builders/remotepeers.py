"""What keeps what comes of a feed: the peer of a gateway's line, and a tap at the worker."""

from typing import final

from sunglare_protocol import messages
from sunglare_protocol.codec import Form, decode_server
from sunglare_protocol.ids import Audience, MatchId
from sunglare_protocol.messages import Bye, Frame, ServerMessage
from sunglare_server.api.port import SEAT_TAKEN, SUPERSEDED
from sunglare_server.runtime.encoded_message import EncodedMessage, Subscriber


@final
class Peer:
    """A line of a gateway, whose peer reads everything at once and keeps it."""

    def __init__(self) -> None:
        self.is_seated = False
        self.forms = (Form.PACKED,)
        self.round_trip_ms = 0
        self.came: list[bytes] = []
        self.farewell: tuple[Bye, int] | None = None

    @property
    def is_open(self) -> bool:
        """Return whether the line has not been ended."""
        return self.farewell is None

    def subscriber(self, match: MatchId, feed: Audience) -> Subscriber:  # noqa: ARG002 - of the port
        """Return itself: it takes whatever comes."""
        return self

    def say(self, message: ServerMessage) -> None:
        """Keep an answer."""
        self.put(EncodedMessage(message))

    def give(self, encoded_message: EncodedMessage) -> None:
        """Keep what was asked for."""
        self.put(encoded_message)

    def put(self, encoded_message: EncodedMessage) -> None:
        """Keep what comes, unless the line has ended."""
        if self.farewell is None:
            self.came.append(encoded_message.encoded(Form.PACKED))

    def holds(self, encoded_message: EncodedMessage) -> bool:  # noqa: ARG002 - of the port
        """Return False: nothing waits here."""
        return False

    async def drained(self) -> bool:
        """Return True: nothing waits here."""
        return True

    def dismiss(self, bye: Bye, code: int) -> None:
        """Keep how the line was ended."""
        self.farewell = self.farewell or (bye, code)

    def supersede(self) -> None:
        """Keep that another connection has taken the seat."""
        self.dismiss(SEAT_TAKEN, SUPERSEDED)

    def let_go(self) -> None:
        """Do nothing: a gateway lets go at its view."""

    @property
    def messages(self) -> list[ServerMessage]:
        """Return all that came, read."""
        return [decode_server(data, Form.PACKED) for data in self.came]

    def posts(self, match: MatchId) -> list[tuple[int, bytes]]:
        """Return what came in the sequence of a match, with its numbers, in the order it came."""
        return _posts(self.came, match)

    def texts(self, match: MatchId) -> list[str]:
        """Return the news that came outside the sequence."""
        news = [one for one in self.messages if isinstance(one, messages.News)]
        return [one.text for one in news if one.match == match and not one.seq]


@final
class Tap:
    """A sink in the worker's own process, which nothing can interrupt."""

    def __init__(self) -> None:
        self.forms = (Form.PACKED,)
        self.came: list[bytes] = []

    def put(self, encoded_message: EncodedMessage) -> None:
        """Keep what was released."""
        self.came.append(encoded_message.encoded(Form.PACKED))

    def supersede(self) -> None:
        """Do nothing: it holds no seat."""

    def dismiss(self, bye: Bye, code: int) -> None:
        """Do nothing: it is no connection."""

    def let_go(self) -> None:
        """Do nothing: what it keeps is there."""

    def posts(self, match: MatchId) -> list[tuple[int, bytes]]:
        """Return what was released in the sequence of a match, with its numbers."""
        return _posts(self.came, match)


def _posts(came: list[bytes], match: MatchId) -> list[tuple[int, bytes]]:
    read = [(decode_server(data, Form.PACKED), data) for data in came]
    return [
        (one.seq, data)
        for one, data in read
        if isinstance(one, Frame | messages.News | messages.Over)
        and one.match == match
        and one.seq
    ]
