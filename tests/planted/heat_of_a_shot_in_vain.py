"""A ground unit stays cold after a shot that could not work, so its owner learns that."""

from collections.abc import Iterator

import pytest

from sunglare_server.match.events.ground import GroundShotFired, WeaponsHeated
from sunglare_server.match.ids import PieceId
from sunglare_server.match.resolve import ground_fire
from sunglare_server.match.truth.truth import Truth

_heats = ground_fire.heats


def _cool(
    truth: Truth, fired: tuple[GroundShotFired, ...], also: tuple[PieceId, ...] = ()
) -> Iterator[WeaponsHeated]:
    return _heats(truth, tuple(shot for shot in fired if shot.needed is not None), also)


def plant(patch: pytest.MonkeyPatch) -> None:
    """Plant it."""
    patch.setattr(ground_fire, "heats", _cool)
