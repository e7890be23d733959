"""What a worker sends to gateways unasked: parcels of feeds, each once, and words to lines."""

from collections.abc import Callable
from typing import final

from sunglare_protocol.codec import Form
from sunglare_protocol.ids import Audience, MatchId
from sunglare_server.host.parcel import Parcel
from sunglare_server.road.carrier import Carrier
from sunglare_server.road.envelopes import Push, Shown, sealed_up
from sunglare_server.road.subjects import line, view

EpochOf = Callable[[MatchId], int]
"""Tells by which epoch a match is owned here."""


@final
class Posts:
    """Publishes by a carrier, at once: what comes here has been released."""

    def __init__(self, carrier: Carrier, epoch_of: EpochOf) -> None:
        """Publish by `carrier`."""
        self._carrier = carrier
        self._epoch_of = epoch_of
        self._newest: dict[tuple[MatchId, Audience], Parcel] = {}

    def show(self, match: MatchId, feed: Audience, parcel: Parcel) -> None:
        """Show a parcel of a feed, once, however many lines of gateways hold the feed."""
        if self._newest.get((match, feed)) is parcel:
            return
        self._newest[match, feed] = parcel
        docket = parcel.docket
        shown = Shown(
            epoch=self._epoch_of(match),
            seq=docket.seq,
            is_frame=docket.stream is not None,
            before=docket.before,
            packed=parcel.encoded(Form.PACKED),
            change=parcel.encoded(Form.COMPACT) if docket.before else b"",
        )
        self._carrier.publish(view(match, feed), sealed_up(shown))

    def tell(self, gateway: str, push: Push) -> None:
        """Tell a gateway something of its lines."""
        self._carrier.publish(line(gateway), sealed_up(push))

    def forget(self, match: MatchId) -> None:
        """Keep nothing of the feeds of a match."""
        for known in [key for key in self._newest if key[0] == match]:
            del self._newest[known]
