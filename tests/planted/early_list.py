"""The list shows where a match stands before the frames that tell of it are out."""

import pytest

from sunglare_protocol.ids import Side
from sunglare_server.host.runner import Runner
from sunglare_server.match.phases import Standing
from sunglare_server.net import answers


def _newest(runner: Runner, _side: Side) -> Standing:
    return runner.state.standing


def plant(patch: pytest.MonkeyPatch) -> None:
    """Plant it."""
    patch.setattr(answers, "_shown_standing", _newest)
