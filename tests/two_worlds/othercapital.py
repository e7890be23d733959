"""Other worlds in which hidden capital weapons, and missiles on their way, are otherwise."""

from random import Random

import msgspec

from sunglare_protocol.surface import Cell
from sunglare_rules.capital.capital import CLASS_OF_KIND
from sunglare_server.match.data.scenario import Weapon
from sunglare_server.match.state import MatchState
from sunglare_server.match.truth.truth import ShipTruth
from two_worlds.parts import World, of_noticed, of_one, pick

_replace = msgspec.structs.replace


def _armed(world: World) -> list[ShipTruth]:
    return [
        ship
        for ship in world.hidden
        if any(weapon.kind in CLASS_OF_KIND for weapon in ship.type.weapons)
    ]


@of_noticed(_armed)
def change_guns(ship: ShipTruth, rng: Random, _world: World) -> ShipTruth:
    """Give a hidden ship's capital weapons another damage, and its gunner another skill."""
    weapons = tuple(_other_gun(rng, weapon) for weapon in ship.type.weapons)
    crew = _replace(ship.crew, gunnery=rng.randint(2, 7))
    return _replace(ship, type=_replace(ship.type, weapons=weapons), crew=crew)


def _other_gun(rng: Random, weapon: Weapon) -> Weapon:
    if weapon.damage is None:
        return weapon
    return _replace(
        weapon, damage=tuple(rng.randint(1, 9) if damage else 0 for damage in weapon.damage)
    )


@of_one(_armed)
def silence_guns(ship: ShipTruth, _rng: Random, _world: World) -> ShipTruth:
    """Let a hidden ship have lost its capital weapons, so that it fires none of them."""
    guns = [weapon.id for weapon in ship.type.weapons if weapon.kind in CLASS_OF_KIND]
    return _replace(ship, lost=tuple(dict.fromkeys((*ship.lost, *guns))))


def change_flight(world: World, rng: Random) -> MatchState | None:
    """Let a foreign missile be on its way to another cell, land later, or not be there at all."""
    missiles = world.truth.missiles
    old = pick(rng, [missile for missile in missiles if not world.is_own(missile.side)])
    environs = None if old is None else world.truth.board.environs_at(old.at)
    if old is None or environs is None:
        return None
    cell = Cell(rng.randrange(environs.columns), rng.randrange(environs.rows))
    new = _replace(old, cell=cell, lands=old.lands + rng.randint(0, 1), damage=rng.randint(1, 9))
    is_gone = rng.random() < 0.3
    changed = [new if missile is old else missile for missile in missiles]
    return world.with_truth(
        missiles=tuple(missile for missile in changed if not (is_gone and missile is new))
    )
