"""ENGAGE: attacks on handles, damage, threshold checks and destroyed ships.

Source: Full Thrust weapons; fire of our rule book §6. All attacks are simultaneous: the
destroyed still fire.
"""

from collections import Counter
from collections.abc import Iterator

import msgspec

from sunglare_protocol.geometry import Compass
from sunglare_protocol.ids import Side
from sunglare_protocol.words.armament import SystemAim, WeaponKind
from sunglare_protocol.words.ladder import Fix
from sunglare_protocol.words.pieces import Arc, BaseSize
from sunglare_rules.arcs.arcs import GridBase, grid_band, grid_lie
from sunglare_rules.arcs.eligibility import RangeRule, counted_distance_squared
from sunglare_rules.blips.ecm import has_jammer
from sunglare_rules.blips.in_space import has_probe, heat_of
from sunglare_rules.fire.damage import rows_crossed, system_lost, threshold_needs
from sunglare_rules.fire.shots import Shot
from sunglare_rules.fire.weapons import has_arc, roll_weapon, tells_shooter
from sunglare_rules.sensors.sectors import line_of_sight
from sunglare_server.match.data.scenario import Weapon
from sunglare_server.match.dice import Dice, Purpose
from sunglare_server.match.events.blips import (
    ShipHeated,
)
from sunglare_server.match.events.capital import BatteryFired
from sunglare_server.match.events.cloak import (
    CloakedFired,
)
from sunglare_server.match.events.space import (
    DamageTaken,
    Event,
    ShipDestroyed,
    ShooterExposed,
    ShotFired,
    SystemLost,
)
from sunglare_server.match.ids import PieceId
from sunglare_server.match.truth.truth import ShipTruth, Truth


class Attack(msgspec.Struct, frozen=True, gc=False):
    """An accepted `fire` order with its handle resolved; None aims at what is no more.

    `system` is what a needle beam is aimed at; other weapons take no notice of it.
    """

    shooter: PieceId
    weapon: str
    target: PieceId | None
    system: SystemAim | None = None


def shots(truth: Truth, attacks: tuple[Attack, ...], dice: Dice) -> Iterator[ShotFired]:
    """Yield every shot with its dice, in a fixed order, all on the state before any damage."""
    for attack in sorted(attacks, key=lambda one: (one.shooter, one.weapon)):
        if attack.target is not None:
            yield _shot(truth, attack, attack.target, dice)


def exposures(truth: Truth, fired: tuple[ShotFired, ...]) -> Iterator[Event]:
    """Yield what each ship that fired gives away: its square to all, itself to witnesses.

    Witnesses are the sides shot at and every side with a piece in sight of the shooter. Missiles
    and nova guns expose no shooter.
    """
    targets: dict[PieceId, list[Side]] = {}
    for shot in fired:
        if tells_shooter(shot.kind):
            targets.setdefault(shot.piece, []).append(truth.ships[shot.target].side)
    for piece, aimed_at in targets.items():
        shooter = truth.ships[piece]
        seen_by = [side for side in truth.others(shooter.side) if _sees(truth, side, shooter)]
        yield ShooterExposed(piece=piece, witnesses=truth.in_order(aimed_at, seen_by))


def cloaked_fire(truth: Truth, fired: tuple[ShotFired, ...]) -> Iterator[CloakedFired]:
    """Yield the sides that a cloaked ship fired at which had not found it this turn."""
    pairs = [(shot.piece, truth.ships[shot.target].side) for shot in fired]
    for piece, side in dict.fromkeys(pairs):
        shooter = truth.ships[piece]
        if shooter.cloaked and truth.hunt_fix(side, shooter) is None:
            yield CloakedFired(piece=piece, side=side)


def damages(truth: Truth, fired: tuple[ShotFired | BatteryFired, ...]) -> Iterator[DamageTaken]:
    """Yield the damage of this turn's shots, one sum for each ship that takes any."""
    totals: dict[PieceId, int] = {}
    for shot in fired:
        totals[shot.target] = totals.get(shot.target, 0) + shot.damage
    for ship in truth.in_play() if totals else ():
        total = totals.get(ship.id)
        if total:
            yield DamageTaken(piece=ship.id, damage=total)


def consequences(
    before: Truth, truth: Truth, fired: tuple[ShotFired, ...], dice: Dice
) -> Iterator[Event]:
    """Yield destroyed ships and lost systems after all damage; `before` is without it."""
    for ship in before.in_play():
        now = truth.ships[ship.id]
        if now.damage >= now.type.hull:
            yield _destroyed(before, ship, fired)
        elif now.damage != ship.damage:
            row = rows_crossed(now.type.hull, ship.damage, now.damage)
            if row:
                yield from _threshold(truth.turn, now, threshold_needs(row), dice)


def heats(
    truth: Truth, fired: tuple[ShotFired, ...], novas: tuple[tuple[PieceId, str], ...] = ()
) -> Iterator[Event]:
    """Yield how hot the shots of this ENGAGE have left each ship, where that is a change.

    `novas` are the nova guns fired in it, whose sweeps go on without heating anybody.
    """
    hot = Counter([shot.piece for shot in fired if shot.kind is not WeaponKind.NOVA])
    hot.update([piece for piece, _ in novas])
    for ship in truth.in_play():
        heat = heat_of(hot[ship.id]) if ship.id in hot else 0
        if heat != ship.heat:
            yield ShipHeated(piece=ship.id, heat=heat)


def _shot(truth: Truth, attack: Attack, target_id: PieceId, dice: Dice) -> ShotFired:
    shooter, target = truth.ships[attack.shooter], truth.ships[target_id]
    weapon = next(fitted for fitted in shooter.type.weapons if fitted.id == attack.weapon)
    shot = _dealt(truth, weapon, shooter, target, dice)
    return ShotFired(
        piece=shooter.id,
        weapon=weapon.id,
        kind=weapon.kind,
        target=target.id,
        arc=arc_used(truth, shooter, weapon, target),
        dice=shot.dice,
        damage=shot.damage,
        extra=shot.extra,
        system=attack.system,
    )


def _dealt(
    truth: Truth, weapon: Weapon, shooter: ShipTruth, target: ShipTruth, dice: Dice
) -> Shot:
    # What the attacker cannot know, such as that the contact stands behind the ground of an
    # asteroid, was no reason to refuse the shot. OWN: it is rolled until it misses, so that the
    # dice shown are those of a miss.
    key = f"{shooter.id}/{weapon.id}"
    shot = _rolled(truth, key, weapon, shooter, target, dice)
    if line_of_sight(truth.board, shooter.place, target.place):
        return shot
    tries = 0
    while shot.damage or shot.extra:
        tries += 1
        shot = _rolled(truth, f"{key}/{tries}", weapon, shooter, target, dice)
    return shot


def _rolled(
    truth: Truth, key: str, weapon: Weapon, shooter: ShipTruth, target: ShipTruth, dice: Dice
) -> Shot:
    distance = counted_distance(truth, shooter, target)
    roll = dice.stream(truth.turn, Purpose.FIRE, key)
    return roll_weapon(weapon.kind, weapon.rank, distance, target.screens, roll)


def counted_distance(truth: Truth, shooter: ShipTruth, target: ShipTruth) -> int:
    """Return the distance that the shot counts: long at a cloaked ship without a solution.

    What lies beneath the shooter's base is at range 0.
    """
    apart = shooter.square.distance_squared(target.square)
    # An unfound one is shot at in answer to its own fire alone, which marks it as detected.
    is_long = target.cloaked and truth.hunt_fix(shooter.side, target) is not Fix.SOLUTION
    if not is_long:
        return apart
    lie = grid_lie(_base(shooter), _base_seen(truth, shooter, target))
    counted = counted_distance_squared(RangeRule.LONG, 0 if lie.is_beneath else apart)
    return apart if counted is None else counted


def _base(shooter: ShipTruth) -> GridBase:
    return GridBase(shooter.type.size, shooter.square, shooter.facing)


def _base_seen(truth: Truth, shooter: ShipTruth, target: ShipTruth) -> GridBase:
    """Return the target's base as the shooter's side knows it, else a small one facing north."""
    hold = truth.holds[shooter.side].get(target.id)
    fix = truth.hunt_fix(shooter.side, target) or (None if hold is None else hold.fix)
    if fix in (Fix.TRACKED, Fix.SOLUTION):
        return GridBase(target.type.size, target.square, target.facing)
    return GridBase(BaseSize.SMALL, target.square, Compass.N)


def arc_used(truth: Truth, shooter: ShipTruth, weapon: Weapon, target: ShipTruth) -> Arc | None:
    """Return the arc through which a weapon fires, as the attacker saw it.

    A contact counts as a small base that faces north; what stands in the same square is in no
    arc.
    """
    if shooter.square == target.square or not has_arc(weapon.kind):
        return None
    observer, other = _base(shooter), _base_seen(truth, shooter, target)
    arcs = (weapon.arc,) if weapon.arc is not None else _turret_arcs(shooter, weapon)
    bands = {arc: band for arc in arcs if (band := grid_band(observer, other, arc)) is not None}
    return min(bands, key=lambda arc: bands[arc], default=None)


def _turret_arcs(shooter: ShipTruth, weapon: Weapon) -> tuple[Arc, ...]:
    return next(turret.arcs for turret in shooter.turrets if turret.id == weapon.turret)


def _sees(truth: Truth, side: Side, shooter: ShipTruth) -> bool:
    return any(
        line_of_sight(truth.board, ship.place, shooter.place)
        for ship in truth.ships_of(side)
        if ship.in_play and not ship.cloaked
    )


def _destroyed(before: Truth, ship: ShipTruth, fired: tuple[ShotFired, ...]) -> ShipDestroyed:
    # OWN: killers are all sides whose aimed attack did damage in the ENGAGE that destroyed the
    # ship. Leeches from earlier turns are such an attack, and a nova is not aimed: of what these
    # do a side learns only if it holds the ship as contact or live track.
    hits = [shot for shot in fired if shot.target == ship.id and shot.damage]
    aimed = [before.ships[shot.piece].side for shot in hits if shot.kind is not WeaponKind.NOVA]
    novas = [before.ships[shot.piece].side for shot in hits if shot.kind is WeaponKind.NOVA]
    others = before.in_order(novas, [leech.side for leech in ship.leeches])
    aware = [side for side in others if side in aimed or before.holds_well(side, ship)]
    return ShipDestroyed(
        piece=ship.id,
        cause="fire",
        killers=before.in_order(aimed, aware),
        unaware=tuple(side for side in others if side not in aware),
    )


def working_systems(ship: ShipTruth) -> tuple[str, ...]:
    """Return the systems of `ship` that a threshold check rolls for, in a fixed order."""
    # OWN: a pack that is spent no longer works, so that there is nothing to lose.
    gone = (*ship.lost, *ship.spent)
    systems = [weapon.id for weapon in ship.type.weapons if weapon.id not in gone]
    if ship.drive_losses < 2 and ship.volley is None:
        systems.append("drive")
    # Folded sensors are safe.
    if ship.popped_out and "sensors" not in ship.lost:
        systems.append("sensors")
    if ship.screens:
        systems.append("screens")
    if has_jammer(ship.specials):
        systems.append("ecm")
    if has_probe(ship.specials):
        systems.append("probe")
    if ship.can_cloak:
        systems.append("cloak")
    if ship.point_defence:
        systems.append("point_defence")
    return tuple(systems)


def _threshold(turn: int, ship: ShipTruth, needed: int, dice: Dice) -> Iterator[Event]:
    for system in working_systems(ship):
        die = dice.d6(turn, Purpose.THRESHOLD, f"{ship.id}/{system}")
        if system_lost(die, needed):
            yield SystemLost(piece=ship.id, system=system, die=die, needed=needed)
