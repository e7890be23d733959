"""A gateway forwards the frames of an old epoch after those of a new one."""

from builders.plants import Real, in_place_of
from sunglare_server.gateway.remote.feed_cache import View
from sunglare_server.transport.messages import Shown


@in_place_of(View, "take_shown")
def plant(real: Real[None], self: View, shown: Shown) -> None:
    self.epoch = 0
    real(self, shown)
