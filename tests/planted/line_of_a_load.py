"""A match that is loaded logs that it was fierce, if a ship is damaged in it."""

from builders.plants import Real, in_place_of
from sunglare_server.runtime.recovery import Loaded
from sunglare_server.runtime.runner import Runner


@in_place_of(Runner, "_take_over")
def plant(real: Real[None], self: Runner, loaded: Loaded) -> None:
    real(self, loaded)
    if any(ship.damage for ship in self.state.truth.ships.values()):
        self._log.debug("a fierce match")
