"""ENGAGE: capital weapons of ships and batteries of the ground, fired at pieces in space.

Source: Alpha Strike, "Capital and Sub-Capital Weapons"; capital weapons of our rule book §1 to
§3. Screens do not help against them.
"""

from collections.abc import Iterator
from typing import NamedTuple

from sunglare_protocol.geometry import Place
from sunglare_protocol.ids import Side
from sunglare_protocol.surface import Pressure
from sunglare_protocol.words.capital import CapitalClass, Carrier, FireMode
from sunglare_protocol.words.pieces import PieceKind
from sunglare_rules.capital.batteries import battery_bracket
from sunglare_rules.capital.capital import (
    CLASS_OF_ARM,
    CLASS_OF_KIND,
    MISSILES,
    CapitalAttack,
    capital_hits,
    capital_to_hit,
    specials_of_size,
)
from sunglare_rules.capital.pointdefence import delivered, pnt_missile
from sunglare_rules.capital.zones import air_above, overhead
from sunglare_rules.ground.attacks import Bracket, bracket_of, damage_at
from sunglare_rules.sensors.sectors import line_of_sight
from sunglare_rules.turn.metric import SPACE, Span
from sunglare_server.match.data.ground_classes import GroundWeapon
from sunglare_server.match.data.scenario import Weapon
from sunglare_server.match.dice import Dice, Purpose
from sunglare_server.match.events.capital import BatteryExposed, BatteryFired
from sunglare_server.match.events.space import ShotFired
from sunglare_server.match.ids import PieceId
from sunglare_server.match.resolve.defending import Missile, Spent
from sunglare_server.match.resolve.firing import Attack, arc_used, counted_distance
from sunglare_server.match.resolve.ground_scene import surface_at
from sunglare_server.match.truth.ground import GroundTruth
from sunglare_server.match.truth.truth import ShipTruth, Truth


class BatteryAttack(NamedTuple):
    """An accepted `fire` order of a battery, its handle resolved to a piece in space."""

    shooter: PieceId
    weapon: str
    target: PieceId


class _Dealt(NamedTuple):
    dice: tuple[int, ...]
    damage: int
    spent: int
    stopped: bool


class _Fire(NamedTuple):
    """A shot before its dice: who may see whom, and what a hit does at this bracket."""

    key: str
    weapon: CapitalClass
    carrier: Carrier
    skill: int
    bracket: Bracket | None
    damage: int
    is_blocked: bool


def missiles(
    truth: Truth, attacks: tuple[Attack, ...], batteries: tuple[BatteryAttack, ...]
) -> Iterator[Missile]:
    """Yield every missile among the attacks for point defence, as declared side by side."""
    for attack in attacks:
        if attack.target is not None:
            fire = _ship_fire(truth, attack, attack.target)
            side = truth.ships[attack.shooter].side
            if fire.weapon in MISSILES:
                yield Missile(fire.key, side, attack.target, fire.damage)
    for battery in batteries:
        fire = _battery_fire(truth, battery)
        if fire.weapon in MISSILES:
            side = truth.ground[battery.shooter].side
            yield Missile(fire.key, side, battery.target, fire.damage)


def shots(
    truth: Truth, attacks: tuple[Attack, ...], spent: Spent, dice: Dice
) -> Iterator[ShotFired]:
    """Yield the shots of ships' capital weapons, all on the state before any damage."""
    for attack in sorted(attacks, key=lambda one: (one.shooter, one.weapon)):
        if attack.target is None:
            continue
        shooter, target = truth.ships[attack.shooter], truth.ships[attack.target]
        weapon = _mounted(shooter, attack.weapon)
        dealt = _dealt(truth, _ship_fire(truth, attack, target.id), target, spent, dice)
        yield ShotFired(
            piece=shooter.id,
            weapon=weapon.id,
            kind=weapon.kind,
            target=target.id,
            arc=arc_used(truth, shooter, weapon, target),
            dice=dealt.dice,
            damage=dealt.damage,
            stopped=int(dealt.stopped),
            spent=dealt.spent,
        )


def battery_shots(
    truth: Truth, attacks: tuple[BatteryAttack, ...], spent: Spent, dice: Dice
) -> Iterator[BatteryFired]:
    """Yield the shots of batteries at pieces in space, all on the state before any damage."""
    for attack in sorted(attacks):
        target = truth.ships[attack.target]
        dealt = _dealt(truth, _battery_fire(truth, attack), target, spent, dice)
        yield BatteryFired(
            piece=attack.shooter,
            weapon=attack.weapon,
            kind=_arm(truth.ground[attack.shooter], attack.weapon).kind,
            target=target.id,
            dice=dealt.dice,
            damage=dealt.damage,
            spent=dealt.spent,
            stopped=dealt.stopped,
        )


def exposures(truth: Truth, fired: tuple[BatteryFired, ...]) -> Iterator[BatteryExposed]:
    """Yield what each battery that fired directly gives away in space; missiles give nothing.

    OWN: its square is the one from which its fire is measured. Witnesses are the sides shot at
    and every side with a piece in sight of that square.
    """
    direct = [shot for shot in fired if CLASS_OF_ARM[shot.kind] not in MISSILES]
    for piece in sorted(dict.fromkeys(shot.piece for shot in direct)):
        unit = truth.ground[piece]
        place = _gun_place(truth, unit)
        aimed_at = [truth.ships[shot.target].side for shot in direct if shot.piece == piece]
        seen_by = [side for side in truth.others(unit.side) if _sees(truth, side, place)]
        witnesses = truth.in_order(aimed_at, seen_by)
        yield BatteryExposed(piece=piece, square=place.square, witnesses=witnesses)


def battery_killers(
    fired: tuple[BatteryFired, ...], truth: Truth, piece: PieceId
) -> tuple[Side, ...]:
    """Return the sides whose batteries have damaged a piece this turn."""
    hits = [shot.piece for shot in fired if shot.target == piece and shot.damage]
    return truth.in_order([truth.ground[gun].side for gun in hits])


def _ship_fire(truth: Truth, attack: Attack, target_id: PieceId) -> _Fire:
    shooter, target = truth.ships[attack.shooter], truth.ships[target_id]
    weapon = _mounted(shooter, attack.weapon)
    bracket = bracket_of(Span(SPACE, counted_distance(truth, shooter, target)))
    return _Fire(
        key=f"{shooter.id}/{weapon.id}",
        weapon=CLASS_OF_KIND[weapon.kind],
        carrier=Carrier.AIRBORNE,
        skill=shooter.crew.gunnery,
        bracket=bracket,
        damage=_damage(weapon.damage or (0, 0, 0, 0), bracket),
        is_blocked=not line_of_sight(truth.board, shooter.place, target.place),
    )


def _battery_fire(truth: Truth, attack: BatteryAttack) -> _Fire:
    unit, target = truth.ground[attack.shooter], truth.ships[attack.target]
    weapon = _arm(unit, attack.weapon)
    planet, environs = surface_at(truth, unit.site)
    bracket = battery_bracket(planet, environs.sector, target.square)
    return _Fire(
        key=f"{unit.id}/{weapon.id}",
        weapon=CLASS_OF_ARM[weapon.kind],
        carrier=Carrier.GROUND,
        skill=unit.type.gunnery,
        bracket=bracket,
        damage=_damage(weapon.damages, bracket),
        is_blocked=not line_of_sight(truth.board, _gun_place(truth, unit), target.place),
    )


def _dealt(truth: Truth, fire: _Fire, target: ShipTruth, spent: Spent, dice: Dice) -> _Dealt:
    points = spent.get(fire.key, 0)
    air = air_above(truth.board, target.square) if _is_fighter(target) else None
    needed = capital_to_hit(
        CapitalAttack(
            weapon=fire.weapon,
            mode=FireMode.AIR,
            carrier=fire.carrier,
            skill=fire.skill,
            bracket=fire.bracket,
            target_specials=specials_of_size(target.type.size),
            in_atmosphere=air is not None,
            pressure=air or Pressure.STANDARD,
            point_defence=points,
        )
    )
    # What the gunner cannot know was no reason to refuse the shot. OWN: it is rolled until it
    # misses, so that the dice shown are those of a miss.
    pair = 0
    rolled = dice.two_d6(truth.turn, Purpose.FIRE, fire.key, pair)
    while fire.is_blocked and capital_hits(needed, sum(rolled)):
        pair += 1
        rolled = dice.two_d6(truth.turn, Purpose.FIRE, fire.key, pair)
    has_hit = capital_hits(needed, sum(rolled))
    damage = delivered(fire.weapon, fire.damage, points) if has_hit else 0
    is_stopped = fire.weapon in MISSILES and pnt_missile(fire.damage, points).is_eliminated
    return _Dealt(rolled, damage, points, is_stopped)


def _damage(damages: tuple[int, int, int, int], bracket: Bracket | None) -> int:
    return 0 if bracket is None else damage_at(damages, bracket)


def _mounted(ship: ShipTruth, weapon: str) -> Weapon:
    return next(fitted for fitted in ship.type.weapons if fitted.id == weapon)


def _arm(unit: GroundTruth, weapon: str) -> GroundWeapon:
    return next(arm for arm in unit.type.weapons if arm.id == weapon)


def _is_fighter(ship: ShipTruth) -> bool:
    return ship.type.kind is PieceKind.FIGHTER and ship.landing is None


def _gun_place(truth: Truth, unit: GroundTruth) -> Place:
    planet, environs = surface_at(truth, unit.site)
    return overhead(planet, environs.sector)


def _sees(truth: Truth, side: Side, place: Place) -> bool:
    return any(
        line_of_sight(truth.board, ship.place, place)
        for ship in truth.ships_of(side)
        if ship.in_play and not ship.cloaked
    )
