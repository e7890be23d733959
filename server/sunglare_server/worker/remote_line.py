"""A line of a gateway as a worker has it: what is said to it goes into the answer or by a post."""

from collections.abc import Iterator
from typing import final
from weakref import WeakValueDictionary

from sunglare_protocol import messages
from sunglare_protocol.codec import Form, encode_server
from sunglare_protocol.ids import Audience, MatchId
from sunglare_server.api.port import SEAT_TAKEN, SUPERSEDED
from sunglare_server.base.histograms import LineFigures
from sunglare_server.ports.store import hash_of
from sunglare_server.runtime.encoded_message import EncodedMessage
from sunglare_server.transport.messages import ClientContext, CloseConnection, Deliver, Release
from sunglare_server.worker.publisher import Publisher

ANSWER_BYTES = 512 * 1024
"""OWN: an answer of so many bytes is long enough; what follows is asked for by the gateway."""


@final
class RemoteConnection:
    """Collects what is said while it is being answered; all else is posted to its gateway."""

    def __init__(
        self,
        context: ClientContext,
        publisher: Publisher,
        worker: str,
        numbers: Iterator[int],
        figures: LineFigures,
    ) -> None:
        """Begin with nothing said; its answers get rising `numbers`, as lines before it did.

        `figures` count what is said to all.
        """
        self._figures = figures
        self.context = context
        self.is_seated = False
        self.round_trip_ms = 0
        self.count = 0
        self.forms = (
            (Form.PACKED, Form.COMPACT) if context.form is Form.COMPACT else (Form.PACKED,)
        )
        self.said: list[bytes] = []
        self.given: dict[MatchId, int] = {}
        self.proofs: dict[MatchId, str] = {}
        self.close: tuple[bytes, int] | None = None
        self._is_busy = False
        self.is_given_up = False
        self._publisher = publisher
        self._numbers = numbers
        self._worker = worker
        self._bytes = 0
        self._told: EncodedMessage | None = None
        # The subscriber has it, and it has the line: no knot for Python to look for.
        self._ears = WeakValueDictionary[tuple[MatchId, Audience], RemoteSubscriber]()

    def begin(self, round_trip_ms: int) -> None:
        """Begin with the next answer."""
        self.said, self.given, self._bytes = [], {}, 0
        self.round_trip_ms = round_trip_ms
        self._is_busy = True

    def finish(self) -> int:
        """End an answer, which has all that was said, and return its number.

        0 and older than all others is that of a line which was given up while it was answered.
        """
        self._is_busy = False
        if self.is_given_up:
            return 0
        self.count = next(self._numbers)
        return self.count

    def fail(self) -> None:
        """Give up an answer that came to nothing; a farewell that was to follow it goes now."""
        self._is_busy = False
        if self.close is not None:
            self._publisher.tell(
                self.context.gateway, CloseConnection(self.context.number, *self.close)
            )

    def subscriber(self, match: MatchId, feed: Audience) -> "RemoteSubscriber":
        """Return what takes the messages of a feed for this line; one and the same while held."""
        return self._ears.setdefault((match, feed), RemoteSubscriber(self, match, feed))

    def say(self, message: messages.ServerMessage) -> None:
        """Put a message into the answer."""
        self._figures.said(message)
        self._add(encode_server(message, Form.PACKED))
        if isinstance(message, messages.Resumed):
            self.given[message.match] = message.seq
        if isinstance(message, messages.Resumed | messages.Seated) and message.ticket:
            self.proofs[message.match] = hash_of(message.ticket)

    def give(self, encoded_message: EncodedMessage) -> None:
        """Put a message into the answer; with the newest of a feed, the line has that feed."""
        self._add(encoded_message.encoded(Form.PACKED))
        message = encoded_message.message
        if isinstance(message, messages.Frame | messages.News | messages.Over) and message.seq:
            self.given[message.match] = message.seq

    def holds(self, encoded_message: EncodedMessage) -> bool:  # noqa: ARG002 - of a line
        """Return False: a question is only asked once the one before has been answered."""
        return False

    async def drained(self) -> bool:
        """Return whether the answer is not long enough yet."""
        return self._bytes < ANSWER_BYTES

    def tell(self, encoded_message: EncodedMessage) -> None:
        """Send a message outside every sequence, once, whatever the line holds."""
        if self._told is not encoded_message:
            self._told = encoded_message
            put = Deliver((self.context.number,), encoded_message.encoded(Form.PACKED))
            self._publisher.tell(self.context.gateway, put)

    def show(self, match: MatchId, feed: Audience, encoded_message: EncodedMessage) -> None:
        """Show an encoded message of a feed to the gateway, and to all if it is anybody's."""
        self._publisher.show(self.context.gateway, match, feed, encoded_message)

    def supersede(self) -> None:
        """End, because another connection has taken this seat."""
        self.dismiss(SEAT_TAKEN, SUPERSEDED)

    def dismiss(self, bye: messages.Bye, code: int) -> None:
        """Have the gateway say farewell and close the connection."""
        packed = encode_server(bye, Form.PACKED)
        if self._is_busy:
            # Behind what is said to it in this answer.
            self.close = (packed, code)
        else:
            self._publisher.tell(
                self.context.gateway, CloseConnection(self.context.number, packed, code)
            )

    def give_up(self) -> None:
        """Release everything without a word: the gateway is to bring what it holds elsewhere."""
        self.is_given_up = True

    def let_go(self, match: MatchId, feed: Audience) -> None:
        """Have the gateway give the line nothing more of a feed."""
        if self.is_given_up:
            return
        gone = Release(self.context.number, self._worker, self.count, match, feed)
        self._publisher.tell(self.context.gateway, gone)

    def _add(self, data: bytes) -> None:
        self.said.append(data)
        self._bytes += len(data)


@final
class RemoteSubscriber:
    """What takes the encoded messages of one feed for a line of a gateway."""

    __slots__ = ("__weakref__", "_feed", "_line", "_match", "forms")

    def __init__(self, line: RemoteConnection, match: MatchId, feed: Audience) -> None:
        """Listen for `line`."""
        self._line, self._match, self._feed = line, match, feed
        self.forms = line.forms

    def put(self, encoded_message: EncodedMessage) -> None:
        """Show it to the gateways, or send to the line alone what stands outside the sequence."""
        if encoded_message.header.seq:
            self._line.show(self._match, self._feed, encoded_message)
        else:
            self._line.tell(encoded_message)

    def supersede(self) -> None:
        """End the line, because another connection has taken this seat."""
        self._line.supersede()

    def dismiss(self, bye: messages.Bye, code: int) -> None:
        """End the line with a farewell and a close code."""
        self._line.dismiss(bye, code)

    def let_go(self) -> None:
        """Have the gateway give the line nothing more of this feed."""
        self._line.let_go(self._match, self._feed)
