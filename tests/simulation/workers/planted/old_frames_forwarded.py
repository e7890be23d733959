"""A gateway forwards the frames of an old epoch after those of a new one."""

from builders.plants import Real, in_place_of
from sunglare_server.gateway.remote.feed_cache import FeedReplica
from sunglare_server.transport.messages import FeedMessage


@in_place_of(FeedReplica, "take_shown")
def plant(real: Real[None], self: FeedReplica, shown: FeedMessage) -> None:
    self.epoch = 0
    real(self, shown)
