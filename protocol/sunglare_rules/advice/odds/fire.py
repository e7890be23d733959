"""Odds of an own shot or Sense roll, from the view alone.

Source: Full Thrust weapon profiles and Intercept sensors; fire of our rule book, turn §6, and
the Sense roll, sensors §5.
"""

from fractions import Fraction
from functools import lru_cache

from sunglare_protocol.ids import OwnId
from sunglare_protocol.messages.answers import (
    BombardOdds,
    ListenOdds,
    SenseOdds,
    ShotOdds,
    SweepOdds,
)
from sunglare_protocol.orders import Bombard, Fire, Listen, Sweep
from sunglare_protocol.refusals import Rejected
from sunglare_protocol.views import ContactView, OwnView, View, WeaponView
from sunglare_protocol.words.armament import WeaponKind
from sunglare_protocol.words.cloak import SweepSix
from sunglare_protocol.words.pieces import PieceKind, Relation
from sunglare_rules.advice.check.cloak import detect_problem
from sunglare_rules.advice.check.fire import aim, fire_problem
from sunglare_rules.advice.check.ground import unit_named
from sunglare_rules.advice.odds.capital import (
    bombard_odds,
    capital_mean,
    unit_bombard_odds,
)
from sunglare_rules.advice.seen.bearing import Bearing
from sunglare_rules.advice.seen.lookup import (
    own_ship,
    own_target,
    own_weapon,
    ships_in_play,
    targets,
)
from sunglare_rules.capital.capital import CLASS_OF_KIND
from sunglare_rules.cloak.cloak import detection_value, fastest_thrust, passive_chance
from sunglare_rules.cloak.sweeps import sweep_chances
from sunglare_rules.fire.nova import sweep_mean, touches
from sunglare_rules.fire.weapons import mean_damage
from sunglare_rules.sensors.scans import SENSE_TARGET, sense_chance

UNKNOWN_SCREENS = 0
"""OWN: screens are never announced, so that the mean is that against none."""

_MEANS_KEPT = 4096
"""How many shots are remembered with their mean damage, by weapon and distance."""

THRUST_MOST = 10
"""OWN: chances to hear a cloaked ship are given for thrust up to this."""

SWEPT_MOST = 4
"""OWN: chances of a sweep are given for up to so many ships that are there to find."""


def shot_odds(view: View, order: Fire) -> ShotOdds | Rejected:
    """Return how the shot bears and its mean damage in hundredths, or why it cannot be fired.

    The open window is not looked at.
    """
    ship = own_ship(view, order.ship)
    if isinstance(ship, Rejected):
        return ship
    weapon = own_weapon(ship, order.weapon)
    if isinstance(weapon, Rejected):
        return weapon
    if weapon.kind is WeaponKind.NOVA:
        return fire_problem(view, ship, order) or _nova_odds(view, ship, order)
    bearing = aim(view, ship, order)
    if isinstance(bearing, Rejected):
        return bearing
    target = own_target(view, order.at)
    return odds_so(ship, weapon, None if isinstance(target, Rejected) else target, bearing)


def odds_so(
    ship: OwnView, weapon: WeaponView, target: ContactView | None, bearing: Bearing
) -> ShotOdds:
    """Return the odds of a shot that bears so."""
    return ShotOdds(
        ship=ship.id,
        weapon=weapon.id,
        at=None if target is None else target.handle,
        band=bearing.band,
        relation=bearing.relation,
        mean_hundredths=shot_hundredths(ship, weapon, target, bearing),
    )


def shot_hundredths(
    ship: OwnView, weapon: WeaponView, target: ContactView | None, bearing: Bearing
) -> int:
    """Return the mean damage in hundredths of a shot that bears so on what is in space."""
    if target is not None and weapon.kind in CLASS_OF_KIND:
        return _hundredths(capital_mean(ship, weapon, target, bearing.distance_squared))
    return _plain_hundredths(weapon.kind, weapon.rank, bearing.distance_squared)


def odds_of_bombardment(view: View, order: Bombard) -> BombardOdds | Rejected:
    """Return the chances of fire at a point, or why it is not allowed."""
    unit = unit_named(view, order.ship)
    if unit is not None:
        return unit_bombard_odds(view, unit, order)
    ship = own_ship(view, order.ship)
    return ship if isinstance(ship, Rejected) else bombard_odds(view, ship, order)


def swept_targets(view: View, ship: OwnView) -> tuple[ContactView, ...]:
    """Return the targets held where the first sweep of the ship's nova gun would go."""
    return tuple(
        target for target in targets(view) if touches(ship.square, ship.facing, 0, target.square)
    )


def _nova_odds(view: View, ship: OwnView, order: Fire) -> ShotOdds:
    mean = sweep_mean(0) * len(swept_targets(view, ship))
    return ShotOdds(
        ship=ship.id,
        weapon=order.weapon,
        at=None,
        band=0,
        relation=Relation.NONE,
        mean_hundredths=_hundredths(mean),
    )


def sense_odds(view: View, ship: OwnId) -> SenseOdds | Rejected:
    """Return the chances in hundredths that this ship's operator tracks a contact.

    They are those of the signals 0, 1, 2 and so on, up to the first that is certain. Radar needs
    no roll.
    """
    found = own_ship(view, ship)
    if isinstance(found, Rejected):
        return found
    operator = found.crew.operator
    chances = [sense_chance(skill=operator, signal=signal) for signal in range(SENSE_TARGET)]
    unsure = [_hundredths(chance) for chance in chances if chance < 1]
    return SenseOdds(ship=found.id, hundredths=(*unsure, 100))


def listen_odds(view: View, order: Listen) -> ListenOdds | Rejected:
    """Return at best how likely the ship is to hear a cloaked one that used 1, 2, 3 ... thrust.

    At best, for the loudest ship on the map may be a foreign one; the own ones are known.
    """
    ship = own_ship(view, order.ship)
    if isinstance(ship, Rejected):
        return ship
    problem = detect_problem(ship, order, ())
    if problem is not None:
        return problem
    loudest = fastest_thrust(
        own.thrust_used
        for own in ships_in_play(view)
        if own.kind is PieceKind.STARSHIP and not own.cloaked
    )
    values = (
        detection_value(n, scanner_thrust=ship.thrust_used, fastest=loudest)
        for n in range(1, THRUST_MOST + 1)
    )
    chances = tuple(_hundredths(passive_chance(value)) for value in values)
    blind = view.stage.turn <= max(view.cloak_rules.jammed, view.nova_until)
    return ListenOdds(
        ship=ship.id,
        own=ship.thrust_used,
        loudest=loudest,
        hundredths=(0,) * THRUST_MOST if blind else chances,
    )


def sweep_odds(view: View, order: Sweep) -> SweepOdds | Rejected:
    """Return how many ships a sweep finds on average (x 100) if 1, 2, 3 ... are there to find."""
    ship = own_ship(view, order.ship)
    if isinstance(ship, Rejected):
        return ship
    problem = detect_problem(ship, order, ())
    if problem is not None:
        return problem
    strict = view.cloak_rules.six is SweepSix.STRICT
    means = (
        sum(found * chance for found, chance in enumerate(sweep_chances(there, strict)))
        for there in range(1, SWEPT_MOST + 1)
    )
    return SweepOdds(ship=ship.id, mean_hundredths=tuple(_hundredths(mean) for mean in means))


@lru_cache(maxsize=_MEANS_KEPT)
def _plain_hundredths(kind: WeaponKind, rank: int, distance_squared: int) -> int:
    return _hundredths(mean_damage(kind, rank, distance_squared, UNKNOWN_SCREENS))


def _hundredths(value: Fraction | int) -> int:
    return round(100 * value)
