"""The shots of a window by the rule book: guns, volleys, nova guns, and answers from a cloak."""

from collections.abc import Iterator
from typing import NamedTuple

from grantedparts import Window, place
from sunglare_protocol.armament import DefencePolicy, WeaponKind
from sunglare_protocol.geometry import Compass
from sunglare_protocol.ids import Side
from sunglare_protocol.ladder import Fix, Phase
from sunglare_protocol.orders import Defend, Fire
from sunglare_protocol.pieces import BaseSize
from sunglare_rules.arcs import GridBase, grid_lie
from sunglare_rules.eligibility import RangeRule, counted_distance_squared
from sunglare_rules.nova import SWEEPS, touches
from sunglare_rules.scale import within_mu
from sunglare_rules.sectors import line_of_sight
from sunglare_rules.weapons import roll_weapon
from sunglare_server.match.dice import Purpose
from sunglare_server.match.ids import PieceId, piece_id
from sunglare_server.match.truth import Nova, ShipTruth, Truth

UNSEEN_FIRE = (WeaponKind.SALVO, WeaponKind.NOVA)
"""What gives nobody away."""


class Shot(NamedTuple):
    """One shot: whose, at whom, and what it did; `stopped` counts missiles that were met."""

    shooter: PieceId
    weapon: str
    target: PieceId
    kind: WeaponKind
    dice: tuple[int, ...]
    damage: int
    stopped: int = 0


def shots_of(window: Window) -> list[Shot]:
    """Return every shot of a window: by guns, by volleys after point defence, by nova guns."""
    if window.phase is not Phase.ENGAGE:
        return []
    ships = window.before.ships
    guns = [each for each in window.attacks if ships[each[0]].volley is None]
    found = [_gun_shot(window, each) for each in guns]
    first = [*found, *_volley_shots(window), *_nova_shots(window)]
    taken = {piece: ship.damage for piece, ship in ships.items()}
    for shot in first:
        taken[shot.target] += shot.damage
    # The answers of ships that the others destroy are not fired.
    live = [each for each in window.answers if taken[each[0]] < ships[each[0]].type.hull]
    every = [*first, *(_gun_shot(window, each) for each in live)]
    return sorted(every, key=lambda shot: shot[:3])


def _gun_shot(window: Window, attack: tuple[PieceId, str, PieceId]) -> Shot:
    shooter, target = window.before.ships[attack[0]], window.before.ships[attack[2]]
    weapon = next(each for each in shooter.type.weapons if each.id == attack[1])
    distance = _counted(window.before, shooter, target)
    roll = window.dice.stream(window.before.turn, Purpose.FIRE, f"{shooter.id}/{weapon.id}")
    done = roll_weapon(weapon.kind, weapon.rank, distance, target.screens, roll)
    return Shot(*attack, weapon.kind, done.dice, done.damage)


def _volley_shots(window: Window) -> Iterator[Shot]:
    truth, named = window.before, {by: target for by, _, target in window.attacks}
    met: dict[PieceId, list[ShipTruth]] = {}
    for ship in truth.in_play():
        if ship.volley is not None:
            target = named.get(ship.id) or _nearest_track(window, ship)
            if target is not None:
                met.setdefault(target, []).append(ship)
    for target, volleys in met.items():
        yield from _strikes(window, truth.ships[target], volleys)


def _nearest_track(window: Window, volley: ShipTruth) -> PieceId | None:
    truth = window.before
    found = [
        (
            volley.square.distance_squared(ship.square),
            window.dice.tie(truth.turn, volley.id, piece),
            piece,
        )
        for piece, ship in truth.ships.items()
        if _is_locked(truth, volley.side, ship)
        and within_mu(volley.square.distance_squared(ship.square), 6)
        and line_of_sight(truth.board, place(volley), place(ship))
    ]
    return min(found)[-1] if found else None


def _is_locked(truth: Truth, side: Side, ship: ShipTruth) -> bool:
    hold = truth.holds[side].get(ship.id)
    tracked = hold is not None and hold.fix is Fix.TRACKED
    return tracked or (ship.side != side and truth.hunt_fix(side, ship) is Fix.SOLUTION)


def _strikes(window: Window, target: ShipTruth, volleys: list[ShipTruth]) -> Iterator[Shot]:
    turn, points = window.before.turn, _defence(window, target)
    order = sorted(
        volleys, key=lambda each: (-_missiles(each), window.dice.tie(turn, target.id, each.id))
    )
    for volley in order:
        stopped = min(points, _missiles(volley))
        points -= stopped
        weapon = volley.type.weapons[0].id
        roll = window.dice.stream(turn, Purpose.FIRE, f"{volley.id}/{weapon}")
        dice = tuple(roll(index) for index in range(_missiles(volley) - stopped))
        yield Shot(volley.id, weapon, target.id, WeaponKind.SALVO, dice, sum(dice), stopped)


def _missiles(ship: ShipTruth) -> int:
    return 0 if ship.volley is None else ship.volley.missiles


def _defence(window: Window, ship: ShipTruth) -> int:
    told = [
        order.policy
        for order in window.orders.get(ship.side, ())
        if isinstance(order, Defend) and order.ship == ship.own
    ]
    works = ship.powered and "point_defence" not in ship.lost and ship.landing is None
    works = works and not ship.cloaked
    return ship.type.point_defence if works and DefencePolicy.HOLD not in told else 0


def guns_fired(window: Window) -> list[Nova]:
    """Return the nova guns that are fired in the window."""
    return [
        Nova(
            piece=ship.id,
            weapon=order.weapon,
            turn=window.before.turn,
            square=ship.square,
            facing=ship.facing,
        )
        for side, orders in window.orders.items()
        for order in orders
        if isinstance(order, Fire) and order.at is None
        for ship in (window.before.ships[piece_id(side, order.ship)],)
    ]


def _nova_shots(window: Window) -> Iterator[Shot]:
    truth = window.before
    for nova in (*truth.novas, *guns_fired(window)):
        sweep = truth.turn - nova.turn
        for ship in truth.in_play():
            if ship.landing is None and touches(nova.square, nova.facing, sweep, ship.square):
                key = f"{nova.piece}/{nova.weapon}/{nova.turn}/{ship.id}"
                roll = window.dice.stream(truth.turn, Purpose.FIRE, key)
                dice = tuple(roll(index) for index in range(SWEEPS[sweep].dice))
                yield Shot(nova.piece, nova.weapon, ship.id, WeaponKind.NOVA, dice, sum(dice))


def _counted(truth: Truth, shooter: ShipTruth, target: ShipTruth) -> int:
    apart = shooter.square.distance_squared(target.square)
    fix = truth.hunt_fix(shooter.side, target)
    if not shooter.cloaked and fix is not Fix.DETECTED:
        return apart
    hold = truth.holds[shooter.side].get(target.id)
    is_known = fix is Fix.SOLUTION or (hold is not None and hold.fix is Fix.TRACKED)
    size = target.type.size if is_known else BaseSize.SMALL
    facing = target.facing if is_known else Compass.N
    observer = GridBase(shooter.type.size, shooter.square, shooter.facing)
    if grid_lie(observer, GridBase(size, target.square, facing)).is_beneath:
        apart = 0
    counted = counted_distance_squared(RangeRule.LONG, apart)
    assert counted is not None
    return counted
