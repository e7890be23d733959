"""Which abilities a scenario offers to a side, by what the sides have at the start."""

from collections.abc import Iterator

from sunglare_client.abilities import OF_SCANS, Ability
from sunglare_client.bots.limits import DESIGNATORS, JAMMERS
from sunglare_protocol.views import OwnView, View
from sunglare_protocol.words.armament import WeaponKind
from sunglare_protocol.words.pieces import Arc, PieceKind
from sunglare_rules.capital.capital import CLASS_OF_KIND


def offered(mine: View, others: list[View]) -> tuple[Ability, ...]:
    """Return the abilities that a side can use in a match, given all views of its first window."""
    found = (*_of_space(mine, others), *_of_ground(mine, others))
    return tuple(ability for ability in Ability if ability in found)


def _of_space(mine: View, others: list[View]) -> Iterator[Ability]:
    ships = [ship for ship in mine.own if ship.kind is PieceKind.STARSHIP]
    for ship in ships:
        yield from (OF_SCANS[kind] for kind, rating in ship.sensors.items() if rating)
        yield from _of_class(ship)
        yield from (Ability.SENSE, Ability.DATA, Ability.POWER_OFF)
        if mine.board.planets or mine.board.asteroids:
            yield Ability.LANDING
        if any(foe.cloak for view in others for foe in view.own):
            yield from (Ability.LISTENING, Ability.SWEEPS)
            yield from (Ability.DETECTED_FIRE, Ability.SOLUTIONS)


def _of_class(ship: OwnView) -> Iterator[Ability]:
    """Yield what a ship's systems and weapons offer."""
    has_launcher = any(gun.kind is WeaponKind.SALVO for gun in ship.weapons)
    has = {
        Ability.CLOAKS: ship.cloak,
        Ability.CLOAKED_FIRE: ship.cloak and bool(ship.weapons),
        Ability.REMOTES: ship.dispensers > 0,
        Ability.JAMMERS: ship.ecm is not None,
        Ability.TURRETS: bool(ship.turrets),
        Ability.BULLSEYE: any(gun.arc is Arc.BULLSEYE for gun in ship.weapons),
        Ability.NOVA: any(gun.kind is WeaponKind.NOVA for gun in ship.weapons),
        Ability.POINT_DEFENCE: ship.point_defence > 0,
        Ability.MISSILES: has_launcher,
        Ability.COLD_LAUNCHES: has_launcher,
    }
    yield from (ability for ability, is_there in has.items() if is_there)


def _of_ground(mine: View, others: list[View]) -> Iterator[Ability]:
    specials = [special for unit in mine.ground for special in unit.specials]
    guns = [gun.kind for ship in mine.own for gun in ship.weapons]
    is_surface = any(planet.environs for planet in mine.board.planets)
    has = {
        Ability.SEARCHES: bool(mine.ground or mine.agents) and any(v.agents for v in others),
        Ability.MISSIONS: bool(mine.agents),
        Ability.REMOTES: any(unit.dispensers for unit in mine.ground),
        Ability.BOMBARDMENT: is_surface and any(kind in CLASS_OF_KIND for kind in guns),
        Ability.TAG: any(special in DESIGNATORS for special in specials),
        Ability.JAMMERS: any(special in JAMMERS for special in specials),
    }
    yield from (ability for ability, is_there in has.items() if is_there)
