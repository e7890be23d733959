"""The log's line of a match that is loaded has one more key: how many ships are damaged."""

from builders.plants import Real, in_place_of
from sunglare_server.runtime import runner
from sunglare_server.runtime.recovery import Loaded
from sunglare_server.runtime.runner import Runner


@in_place_of(runner.Runner, "_take_over")
def plant(real: Real[None], self: Runner, loaded: Loaded) -> None:
    real(self, loaded)
    hit = [ship for ship in self.state.truth.ships.values() if ship.damage]
    self._log = self._log.bind(hit=len(hit))
