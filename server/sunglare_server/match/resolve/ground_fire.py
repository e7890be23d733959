"""ENGAGE on the ground: attacks of ground units, what they give away, damage, the destroyed.

Source: surface play of our rule book, blips §2.4, SR1 and SR2 of §1, and §4. All attacks are
simultaneous: the destroyed still fire.
"""

from collections.abc import Iterator
from typing import NamedTuple

import msgspec

from sunglare_protocol.ids import Side
from sunglare_protocol.surface import Arm
from sunglare_rules.blips.in_space import heat_of
from sunglare_rules.blips.spotting import in_base_contact
from sunglare_rules.capital.capital import CLASS_OF_ARM, MISSILES
from sunglare_rules.ground.attacks import (
    CLOSE_ARMS,
    Aimed,
    bracket_of,
    damage_at,
    hits,
    needs,
)
from sunglare_rules.ground.plane import apart
from sunglare_rules.ground.terrain import terrain_at
from sunglare_server.match.data.ground_classes import GroundWeapon
from sunglare_server.match.dice import Dice, Purpose
from sunglare_server.match.events.capital import BatteryFired, PointStruck
from sunglare_server.match.events.ground import (
    AttackerRevealed,
    GroundShotFired,
    HiddenExposed,
    UnitDamaged,
    UnitDestroyed,
    WeaponsHeated,
)
from sunglare_server.match.events.space import DamageTaken, Event, ShipDestroyed
from sunglare_server.match.ids import PieceId
from sunglare_server.match.resolve.bombarding import blasters
from sunglare_server.match.resolve.capital_fire import battery_killers
from sunglare_server.match.resolve.ground import witnesses
from sunglare_server.match.resolve.ground_scene import (
    Figure,
    Ground,
    line_of_sight,
    map_of,
)
from sunglare_server.match.truth.ground import GroundTruth
from sunglare_server.match.truth.truth import Truth


class GroundAttack(NamedTuple):
    """An accepted `fire` order of a ground unit, its handle resolved."""

    shooter: PieceId
    weapon: str
    target: PieceId


def shots(
    truth: Truth, attacks: tuple[GroundAttack, ...], dice: Dice
) -> Iterator[GroundShotFired]:
    """Yield every attack with its dice, in a fixed order, all on the state before any damage."""
    for attack in sorted(attacks):
        unit = truth.ground[attack.shooter]
        weapon = next(arm for arm in unit.type.weapons if arm.id == attack.weapon)
        yield _shot(truth, unit, weapon, attack.target, dice)


def reveals(
    truth: Truth, fired: tuple[GroundShotFired, ...], shelled: tuple[BatteryFired, ...] = ()
) -> Iterator[AttackerRevealed]:
    """Yield to whom an attack shows the attacker: the target's side, and all in sight.

    Indirect fire and missiles expose none: fire at what the attacker does not see itself. Direct
    fire into space shows it on the map too.
    """
    shown: dict[PieceId, list[Side]] = {}
    for battery in shelled:
        if CLASS_OF_ARM[battery.kind] not in MISSILES:
            seen = shown.setdefault(battery.piece, [*witnesses(truth, battery.piece)])
            seen.append(truth.side_of(battery.target))
    for shot in fired:
        if not shot.indirect:
            seen = shown.setdefault(shot.piece, [*witnesses(truth, shot.piece)])
            seen.append(truth.side_of(shot.target))
    for piece, sides in sorted(shown.items()):
        place = truth.stands(piece)
        for side in truth.in_order(sides):
            hold = truth.surface.tokens_of(side).get(piece)
            sees_map = place is not None and place[0] in truth.surface.maps_of(side)
            if sees_map and (hold is None or not hold.identified):
                yield AttackerRevealed(piece=piece, side=side)


def damages(truth: Truth, fired: tuple[GroundShotFired, ...]) -> Iterator[Event]:
    """Yield the damage of this turn's attacks, one sum for each piece that takes any."""
    totals: dict[PieceId, int] = {}
    for shot in fired:
        totals[shot.target] = totals.get(shot.target, 0) + shot.damage
    for piece, damage in sorted(totals.items()):
        if not damage:
            continue
        if piece in truth.ground:
            yield UnitDamaged(piece=piece, damage=damage)
        else:
            yield DamageTaken(piece=piece, damage=damage)


def heats(
    truth: Truth, fired: tuple[GroundShotFired, ...], also: tuple[PieceId, ...] = ()
) -> Iterator[WeaponsHeated]:
    """Yield the heat of every unit on which it changes: the weapons it has fired this turn.

    `also` names a piece once for each weapon that it fires at anything but a token.
    """
    firing = [*also, *(shot.piece for shot in fired)]
    for unit in truth.ground.values():
        heat = heat_of(firing.count(unit.id))
        if heat != unit.heat:
            yield WeaponsHeated(piece=unit.id, heat=heat)


def consequences(
    before: Truth,
    truth: Truth,
    fired: tuple[GroundShotFired, ...],
    struck: tuple[PointStruck, ...] = (),
) -> Iterator[Event]:
    """Yield destroyed units, and hidden ones that damage has exposed; `before` is without it."""
    for unit in before.ground.values():
        now = truth.ground[unit.id]
        if not unit.in_play or now.damage == unit.damage:
            continue
        if now.damage >= now.type.toughness:
            yield _destroyed(before, unit.id, fired, struck)
        elif now.hidden:
            for side in witnesses(truth, unit.id):
                hold = truth.surface.tokens_of(side).get(unit.id)
                if hold is None or not hold.identified:
                    yield HiddenExposed(piece=unit.id, side=side)


def killers(truth: Truth, piece: PieceId, fired: tuple[GroundShotFired, ...]) -> tuple[Side, ...]:
    """Return the sides whose attacks of this turn damaged a piece."""
    hits = [shot.piece for shot in fired if shot.target == piece and shot.damage]
    return truth.in_order([truth.ground[shooter].side for shooter in hits])


def with_killers(
    truth: Truth,
    event: Event,
    fired: tuple[GroundShotFired, ...],
    shelled: tuple[BatteryFired, ...] = (),
    struck: tuple[PointStruck, ...] = (),
) -> Event:
    """Return the event; a ship's end names also the sides that attacked it from the ground.

    A side that struck it with a blast without holding its token learns nothing.
    """
    if not isinstance(event, ShipDestroyed):
        return event
    blasts = blasters(truth, struck, event.piece)
    aimed = truth.in_order(
        event.killers,
        killers(truth, event.piece, fired),
        battery_killers(shelled, truth, event.piece),
        [side for side, holds in blasts.items() if holds],
    )
    unaware = tuple(s for s in truth.in_order(event.unaware, blasts) if s not in aimed)
    return msgspec.structs.replace(event, killers=aimed, unaware=unaware)


def _destroyed(
    truth: Truth,
    piece: PieceId,
    fired: tuple[GroundShotFired, ...],
    struck: tuple[PointStruck, ...],
) -> UnitDestroyed:
    blasts = blasters(truth, struck, piece)
    aware = [side for side, holds in blasts.items() if holds]
    aimed = truth.in_order(killers(truth, piece, fired), aware)
    unaware = tuple(side for side in truth.in_order(blasts) if side not in aimed)
    return UnitDestroyed(piece=piece, killers=aimed, unaware=unaware)


def _shot(
    truth: Truth, unit: GroundTruth, weapon: GroundWeapon, target: PieceId, dice: Dice
) -> GroundShotFired:
    key = f"{unit.id}/{weapon.id}"
    rolled = dice.two_d6(truth.turn, Purpose.FIRE, key)
    ground = None if unit.site is None else map_of(truth, unit.site)
    needed, damage = None, 0
    if ground is not None:
        needed, full = _aimed(truth, ground, unit, weapon, target)
        damage = full if needed is not None and hits(sum(rolled), needed) else 0
    indirect = weapon.kind is Arm.INDIRECT and not (ground and _sees(ground, unit.id, target))
    heard = tuple(
        side for side in witnesses(truth, target) if side not in (unit.side, truth.side_of(target))
    )
    return GroundShotFired(
        piece=unit.id,
        weapon=weapon.id,
        kind=weapon.kind,
        target=target,
        dice=rolled,
        needed=needed,
        damage=damage,
        indirect=indirect,
        heard=heard if indirect else (),
    )


def _sees(ground: Ground, piece: PieceId, target: PieceId) -> bool:
    own, aim = ground.figure(piece), ground.figure(target)
    return own is not None and aim is not None and line_of_sight(ground, own, aim)


def _aimed(
    truth: Truth, ground: Ground, unit: GroundTruth, weapon: GroundWeapon, target: PieceId
) -> tuple[int | None, int]:
    """Return what the dice must show, None if the attack cannot work, and the full damage."""
    own = ground.figure(unit.id)
    aim = ground.figure(target)
    if own is None or aim is None or unit.silent_turn == truth.turn:
        return None, 0
    distance = apart(own.cell, aim.cell)
    cover = terrain_at(ground.environs, aim.cell).is_cover
    if weapon.kind in CLOSE_ARMS:
        near = in_base_contact(distance, own.specials, aim.specials)
        aimed = Aimed(cover=cover, remote=aim.remote)
        return (needs(unit.type.gunnery, None, aimed) if near else None), weapon.s
    bracket = bracket_of(distance)
    if bracket is None or not damage_at(weapon.damages, bracket):
        return None, 0
    aimed = Aimed(cover=cover, remote=aim.remote)
    if not line_of_sight(ground, own, aim):
        friends = _spotters(ground, unit.side, aim) if weapon.kind is Arm.INDIRECT else ()
        if not friends:
            return None, 0
        by_remote = all(friend.remote for friend in friends)
        aimed = aimed._replace(indirect=True, by_remote=by_remote)
    return needs(unit.type.gunnery, bracket, aimed), damage_at(weapon.damages, bracket)


def _spotters(ground: Ground, side: Side, aim: Figure) -> tuple[Figure, ...]:
    return tuple(
        figure
        for figure in ground.figures
        if figure.side == side and figure.works and line_of_sight(ground, figure, aim)
    )
