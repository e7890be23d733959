"""A log line of the server names how many ships there are."""

from builders.plants import Real, in_place_of
from sunglare_server.runtime.batch import Sealed
from sunglare_server.runtime.runner import Runner


@in_place_of(Runner, "_adopt")
def plant(real: Real[None], self: Runner, sealed: Sealed) -> None:
    real(self, sealed)
    self._log.info("on the board", ships=len(self.state.truth.in_play()))
