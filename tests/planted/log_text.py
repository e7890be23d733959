"""A log line of the server names how many ships there are."""

import pytest

from sunglare_server.host.batch import Sealed
from sunglare_server.host.runner import Runner

_adopt = Runner._adopt


def _adopt_and_say(self: Runner, sealed: Sealed) -> None:
    _adopt(self, sealed)
    self._log.info("on the board", ships=len(self.state.truth.in_play()))


def plant(patch: pytest.MonkeyPatch) -> None:
    """Plant it."""
    patch.setattr(Runner, "_adopt", _adopt_and_say)
