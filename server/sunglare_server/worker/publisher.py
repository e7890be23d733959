"""Unsolicited messages of a worker to gateways: those of feeds, each once, and words to lines.

What anybody may watch is published for all gateways at once. Every other feed goes to those alone
that have a line which holds it now, each on the subject that only it can read.
"""

from collections.abc import Callable
from typing import final

from sunglare_protocol.codec import Form
from sunglare_protocol.ids import Audience, MatchId
from sunglare_server.runtime.encoded_message import EncodedMessage
from sunglare_server.transport.messages import FeedMessage, PrivateFeedMessage, Push, sealed_up
from sunglare_server.transport.subjects import ON_SHARED, line, view
from sunglare_server.transport.transport import Transport

EpochOf = Callable[[MatchId], int]
"""Returns the epoch by which a match is owned here."""

IsOpen = Callable[[MatchId, Audience], bool]
"""Returns whether a feed of a match is open to all, without code, grant or seat."""


@final
class Publisher:
    """Publishes by a transport, at once: what comes here has been released."""

    def __init__(self, transport: Transport, epoch_of: EpochOf, is_open: IsOpen) -> None:
        """Publish by `transport`."""
        self._transport = transport
        self._epoch_of = epoch_of
        self._is_open = is_open
        self._newest: dict[tuple[MatchId, Audience, str], EncodedMessage] = {}

    def show(
        self, gateway: str, match: MatchId, feed: Audience, encoded_message: EncodedMessage
    ) -> None:
        """Show a message of a feed to a gateway, once, however many of its lines hold the feed.

        A feed that anybody may watch is shown to all of them with that.
        """
        is_shared = feed in ON_SHARED and self._is_open(match, feed)
        key = (match, feed, "" if is_shared else gateway)
        if self._newest.get(key) is encoded_message:
            return
        self._newest[key] = encoded_message
        header = encoded_message.header
        shown = FeedMessage(
            epoch=self._epoch_of(match),
            seq=header.seq,
            is_frame=header.stream is not None,
            before=header.before,
            packed=encoded_message.encoded(Form.PACKED),
            change=encoded_message.encoded(Form.COMPACT) if header.before else b"",
        )
        if is_shared:
            self._transport.publish(view(match, feed), sealed_up(shown))
        else:
            self.tell(gateway, PrivateFeedMessage(match, feed, shown))

    def tell(self, gateway: str, push: Push) -> None:
        """Send a gateway something about its lines."""
        self._transport.publish(line(gateway), sealed_up(push))

    def forget(self, match: MatchId) -> None:
        """Keep nothing of the feeds of a match."""
        for known in [key for key in self._newest if key[0] == match]:
            del self._newest[known]
