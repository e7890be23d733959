"""A ground unit stays cold after a shot that could not work, so its owner learns that."""

from collections.abc import Iterator

from builders.plants import Real, in_place_of
from sunglare_server.match.events.ground import GroundShotFired, WeaponsHeated
from sunglare_server.match.ids import PieceId
from sunglare_server.match.resolve import ground_fire
from sunglare_server.match.truth.truth import Truth


@in_place_of(ground_fire, "heats")
def plant(
    real: Real[Iterator[WeaponsHeated]],
    truth: Truth,
    fired: tuple[GroundShotFired, ...],
    also: tuple[PieceId, ...] = (),
) -> Iterator[WeaponsHeated]:
    return real(truth, tuple(shot for shot in fired if shot.needed is not None), also)
