"""A client that comes back learns when the newest frame was made, though it waits for its beat."""

from builders.plants import Real, in_place_of
from sunglare_server.runtime.batch import Sealed
from sunglare_server.runtime.feeds import Feeds


@in_place_of(Feeds, "queue")
def plant(real: Real[None], feeds: Feeds, sealed: Sealed) -> None:
    real(feeds, sealed)
    for feed in feeds.values():
        feed.released_ms = sealed.at_ms
