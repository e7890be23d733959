"""Odds of capital fire, from the view alone.

Source: Alpha Strike, the to-hit modifiers of capital weapons; capital weapons of our rule book
§2 and §3. OWN: the size of a mere contact is not known and taken for Small; point defence and
the air around a fighter are left out.
"""

from fractions import Fraction
from functools import lru_cache
from typing import cast

import msgspec

from sunglare_protocol.geometry import Environs, Planet
from sunglare_protocol.ids import Handle
from sunglare_protocol.messages.answers import BombardOdds, GroundOdds
from sunglare_protocol.orders import Bombard, Fire
from sunglare_protocol.refusals import Rejected
from sunglare_protocol.surface import Cell, Mode, Site
from sunglare_protocol.views import ContactView, OwnView, View, WeaponView
from sunglare_protocol.views.ground import GroundView
from sunglare_protocol.words.armament import WeaponKind
from sunglare_protocol.words.capital import CapitalClass, Carrier, FireMode
from sunglare_protocol.words.scans import Echo
from sunglare_rules.advice.check.battery import battery_aim
from sunglare_rules.advice.check.bombard import (
    bombard_problem,
    target_map,
    unit_bombard_problem,
)
from sunglare_rules.advice.check.ground import stands
from sunglare_rules.advice.seen.bearing import BASE_OF_ECHO, capital_bracket
from sunglare_rules.capital.blasts import GROUND_BRACKET
from sunglare_rules.capital.capital import (
    CLASS_OF_ARM,
    CLASS_OF_KIND,
    CapitalAttack,
    ToHit,
    capital_chance,
    capital_to_hit,
    specials_of_size,
)
from sunglare_rules.capital.flights import flight_turns, flight_turns_elsewhere
from sunglare_rules.capital.zones import radar_zone
from sunglare_rules.ground.attacks import Bracket, damage_at
from sunglare_rules.ground.plane import apart

_MEANS_KEPT = 4096
"""How many shots are remembered with their mean damage, by weapon, gunner, size and distance."""

LANDED_SHIPS_MOVE = True
"""OWN: a landed ship is taken for one of a kind that can move, even if its drive is lost."""


def capital_mean(
    ship: OwnView, weapon: WeaponView, target: ContactView, distance_squared: int
) -> Fraction:
    """Return the exact mean damage of a ship's capital weapon to a piece in space.

    `distance_squared` is the distance that the shot counts, in squares.
    """
    return _capital_mean(
        weapon.kind, weapon.damage, ship.crew.gunnery, target.size, distance_squared
    )


@lru_cache(maxsize=_MEANS_KEPT)
def _capital_mean(
    kind: WeaponKind,
    damage: tuple[int, int, int, int] | None,
    gunnery: int,
    size: Echo | None,
    distance_squared: int,
) -> Fraction:
    bracket = capital_bracket(distance_squared)
    if bracket is None or damage is None:
        return Fraction(0)
    needed = _in_space(CLASS_OF_KIND[kind], Carrier.AIRBORNE, gunnery, bracket, size)
    return capital_chance(needed) * damage_at(damage, bracket)


def battery_odds(view: View, unit: GroundView, order: Fire) -> GroundOdds | Rejected:
    """Return what a battery needs to hit a piece in space, or why it may not fire."""
    arm = next(weapon for weapon in unit.weapons if weapon.id == order.weapon)
    aimed = battery_aim(view, unit, arm, order)
    if isinstance(aimed, Rejected):
        return aimed
    target, bracket = aimed
    kind = CLASS_OF_ARM[arm.kind]
    needed = _in_space(kind, Carrier.GROUND, unit.gunnery, bracket, target.size)
    return GroundOdds(
        ship=unit.id,
        weapon=arm.id,
        # What may be fired at has a handle.
        at=cast("Handle", target.handle),
        needed=needed.tn,
        hundredths=_hundredths(needed),
        damage=damage_at(arm.damage, bracket),
    )


def bombard_odds(view: View, ship: OwnView, order: Bombard) -> BombardOdds | Rejected:
    """Return what a ship needs to strike a point, or why it may not fire at it."""
    problem = bombard_problem(view, ship, order)
    if problem is not None:
        return problem
    weapon = next(fitted for fitted in ship.weapons if fitted.id == order.weapon)
    full = _damage(weapon, GROUND_BRACKET)
    kind = CLASS_OF_KIND[weapon.kind]
    planet, environs = _point(view, order)
    if ship.landed is None:
        attack = CapitalAttack(
            weapon=kind,
            mode=FireMode.AIR_TO_GROUND,
            carrier=Carrier.AIRBORNE,
            skill=ship.crew.gunnery,
            zone=radar_zone(planet, environs.sector, ship.square),
        )
        return _odds(order, attack, full, None)
    attack = CapitalAttack(
        weapon=kind,
        mode=FireMode.SURFACE_TO_SURFACE,
        carrier=Carrier.LANDED,
        skill=ship.crew.gunnery,
        pressure=environs.pressure,
        is_mobile=LANDED_SHIPS_MOVE,
    )
    # A landed ship that may send a missile stands on a surface map.
    start = cast("tuple[Site, Cell]", stands(view, ship))
    return _odds(order, attack, full, landing_turn(view, order, *start))


def unit_bombard_odds(view: View, unit: GroundView, order: Bombard) -> BombardOdds | Rejected:
    """Return what a ground unit's missile needs, or why it cannot be sent."""
    problem = unit_bombard_problem(view, unit, order)
    if problem is not None:
        return problem
    _, environs = _point(view, order)
    arm = next(weapon for weapon in unit.weapons if weapon.id == order.weapon)
    attack = CapitalAttack(
        weapon=CLASS_OF_ARM[arm.kind],
        mode=FireMode.SURFACE_TO_SURFACE,
        carrier=Carrier.GROUND,
        skill=unit.gunnery,
        pressure=environs.pressure,
        is_mobile=unit.mode is not Mode.NONE,
    )
    # A unit that may send a missile is on a surface map.
    start = cast("tuple[Site, Cell]", (unit.site, unit.cell))
    return _odds(
        order, attack, damage_at(arm.damage, GROUND_BRACKET), landing_turn(view, order, *start)
    )


def _damage(weapon: WeaponView, bracket: Bracket) -> int:
    return 0 if weapon.damage is None else damage_at(weapon.damage, bracket)


def _point(view: View, order: Bombard) -> tuple[Planet, Environs]:
    """Return the planet and the environs that an order without a problem names."""
    return cast("tuple[Planet, Environs]", target_map(view, order))


def _in_space(
    kind: CapitalClass, carrier: Carrier, skill: int, bracket: Bracket, echo: Echo | None
) -> ToHit:
    size = None if echo is None else BASE_OF_ECHO[echo]
    return capital_to_hit(
        CapitalAttack(
            weapon=kind,
            mode=FireMode.AIR,
            carrier=carrier,
            skill=skill,
            bracket=bracket,
            target_specials=specials_of_size(size),
        )
    )


def _odds(order: Bombard, attack: CapitalAttack, damage: int, lands: int | None) -> BombardOdds:
    plain = capital_to_hit(attack)
    guided = capital_to_hit(msgspec.structs.replace(attack, has_tag=True))
    return BombardOdds(
        ship=order.ship,
        weapon=order.weapon,
        at=order.at,
        cell=order.cell,
        needed=plain.tn,
        hundredths=_hundredths(plain),
        guided_hundredths=_hundredths(guided),
        damage=damage,
        lands=lands,
    )


def landing_turn(view: View, order: Bombard, site: Site, cell: Cell) -> int:
    """Return the turn in which a missile comes down that starts from a cell of the ground now."""
    if site != order.at:
        return view.stage.turn + flight_turns_elsewhere()
    return view.stage.turn + flight_turns(apart(cell, order.cell))


def _hundredths(needed: ToHit) -> int:
    return round(100 * capital_chance(needed))
