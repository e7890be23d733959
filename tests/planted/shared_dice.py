"""The dice of a window depend on how many ships there are, as one shared stream would."""

from builders.plants import Real, in_place_of
from sunglare_server.match.dice import Dice
from sunglare_server.match.state import MatchState
from sunglare_server.match.turn.flow import Flow


@in_place_of(Flow, "__init__")
def plant(real: Real[None], self: Flow, state: MatchState) -> None:
    real(self, state)
    count = len(state.truth.in_play())
    self.dice = Dice(seed=bytes([count]) + state.seed[1:])
