"""A pack is not spent by a shot at a ship that is damaged, which only its owner knows."""

from msgspec.structs import replace

from builders.plants import Real, in_place_of
from sunglare_server.match.apply import space as apply
from sunglare_server.match.events.space import ShotFired
from sunglare_server.match.truth.truth import Truth


@in_place_of(apply, "_fired")
def plant(real: Real[Truth], truth: Truth, event: ShotFired) -> Truth:
    after = real(truth, event)
    shooter, target = truth.ships[event.piece], truth.ships[event.target]
    if not target.damage:
        return after
    ships = {**after.ships, shooter.id: replace(after.ships[shooter.id], spent=shooter.spent)}
    return replace(after, ships=ships)
