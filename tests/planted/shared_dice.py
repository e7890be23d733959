"""The dice of a window depend on how many ships there are, as one shared stream would."""

import pytest

from sunglare_server.match.dice import Dice
from sunglare_server.match.state import MatchState
from sunglare_server.match.turn.flow import Flow

_init = Flow.__init__


def _shifted(self: Flow, state: MatchState) -> None:
    _init(self, state)
    count = len(state.truth.in_play())
    self.dice = Dice(seed=bytes([count]) + state.seed[1:])


def plant(patch: pytest.MonkeyPatch) -> None:
    """Plant it."""
    patch.setattr(Flow, "__init__", _shifted)
