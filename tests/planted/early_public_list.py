"""The list shows a stranger where a match stands before the frames that show it are out."""

import pytest

from sunglare_server.ports.rooms import PublicStanding
from sunglare_server.runtime.match_handle import MatchHandle


def _newest(handle: MatchHandle) -> PublicStanding:
    standing = handle._runner.state.standing
    return PublicStanding(turn=standing.turn, phase=standing.phase)


def plant(patch: pytest.MonkeyPatch) -> None:
    """Plant it."""
    patch.setattr(MatchHandle, "public_standing", property(_newest))
