"""A pack is not spent by a shot at a ship that is damaged, which only its owner knows."""

import pytest
from msgspec.structs import replace

from sunglare_server.match.apply import space as apply
from sunglare_server.match.events.space import ShotFired
from sunglare_server.match.truth.truth import Truth

_fired = apply._fired


def _kept(truth: Truth, event: ShotFired) -> Truth:
    after = _fired(truth, event)
    shooter, target = truth.ships[event.piece], truth.ships[event.target]
    if not target.damage:
        return after
    ships = {**after.ships, shooter.id: replace(after.ships[shooter.id], spent=shooter.spent)}
    return replace(after, ships=ships)


def plant(patch: pytest.MonkeyPatch) -> None:
    """Plant it."""
    patch.setattr(apply, "_fired", _kept)
