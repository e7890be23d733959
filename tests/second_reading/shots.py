"""The shots of a window by the rule book: guns, volleys, nova guns, and answers to the cloaked."""

from collections.abc import Iterator
from typing import NamedTuple

from second_reading.answers import answers_of
from second_reading.cannons import dealt, is_capital, missiles_at
from second_reading.parts import Window, counted, place
from sunglare_protocol.ids import Side
from sunglare_protocol.orders import Defend, Fire
from sunglare_protocol.words.armament import DefencePolicy, WeaponKind
from sunglare_protocol.words.ladder import Fix, Phase
from sunglare_rules.capital.pointdefence import CapitalMissile, SalvoVolley, Threat, allocate
from sunglare_rules.fire.nova import SWEEPS, touches
from sunglare_rules.fire.weapons import roll_weapon
from sunglare_rules.sensors.sectors import line_of_sight
from sunglare_rules.turn.scale import within_mu
from sunglare_server.match.dice import Purpose
from sunglare_server.match.ids import PieceId, piece_id
from sunglare_server.match.truth.truth import Nova, ShipTruth, Truth

UNSEEN_FIRE = (WeaponKind.SALVO, WeaponKind.NOVA, WeaponKind.MSL)
"""What gives nobody away."""


class Shot(NamedTuple):
    """One shot: whose, at whom, and what it did; `stopped` counts missiles that were met.

    `spent` are the points of defence that met a capital missile.
    """

    shooter: PieceId
    weapon: str
    target: PieceId
    kind: WeaponKind
    dice: tuple[int, ...]
    damage: int
    stopped: int = 0
    spent: int = 0


def shots_of(window: Window) -> list[Shot]:
    """Return every shot of a window: by guns, by volleys after point defence, by nova guns."""
    if window.phase is not Phase.ENGAGE:
        return []
    ships = window.before.ships
    direct = [attack for attack in window.attacks if ships[attack[0]].volley is None]
    found = [_aimed_shot(window, attack) for attack in direct]
    first = [*found, *_volley_shots(window), *_nova_shots(window)]
    every = [*first, *(_aimed_shot(window, answer) for answer in answers_of(window))]
    return sorted(every, key=lambda shot: shot[:3])


def shelled(window: Window, battery: tuple[PieceId, str, PieceId]) -> int:
    """Return the damage that a battery does to a piece in space."""
    points = defended(window).get(f"{battery[0]}/{battery[1]}", 0)
    return dealt(window.before, window.dice, battery, points)[1]


def defended(window: Window) -> dict[str, int]:
    """Return the points of defence spent on each volley and capital missile of a window."""
    truth, turn = window.before, window.before.turn
    aims = _volley_aims(window)
    capital = (*_capital_attacks(window), *window.batteries)
    spent: dict[str, int] = {}
    for target in sorted({*aims.values(), *(shot[2] for shot in capital)}):
        volleys = [truth.ships[piece] for piece, aim in aims.items() if aim == target]
        volleys.sort(key=lambda volley: window.dice.tie(turn, target, volley.id))
        found = missiles_at(truth, target, capital)
        found.sort(key=lambda missile: window.dice.tie(turn, target, missile.side))
        threats: list[Threat] = [SalvoVolley(_missiles(volley)) for volley in volleys]
        threats += [CapitalMissile(missile.damage) for missile in found]
        keys = [*(volley.id for volley in volleys), *(missile.key for missile in found)]
        points = allocate(_defence(window, truth.ships[target]), threats)
        spent |= dict(zip(keys, points, strict=True))
    return spent


def _capital_attacks(window: Window) -> tuple[tuple[PieceId, str, PieceId], ...]:
    return tuple(attack for attack in window.attacks if is_capital(window.before, attack))


def _aimed_shot(window: Window, attack: tuple[PieceId, str, PieceId]) -> Shot:
    heavy = is_capital(window.before, attack)
    return _capital_shot(window, attack) if heavy else _gun_shot(window, attack)


def _gun_shot(window: Window, attack: tuple[PieceId, str, PieceId]) -> Shot:
    shooter, target = window.before.ships[attack[0]], window.before.ships[attack[2]]
    weapon = next(fitted for fitted in shooter.type.weapons if fitted.id == attack[1])
    distance = counted(window.before, shooter, target)
    roll = window.dice.stream(window.before.turn, Purpose.FIRE, f"{shooter.id}/{weapon.id}")
    done = roll_weapon(weapon.kind, weapon.rank, distance, target.screens, roll)
    return Shot(*attack, weapon.kind, done.dice, done.damage)


def _capital_shot(window: Window, attack: tuple[PieceId, str, PieceId]) -> Shot:
    weapons = window.before.ships[attack[0]].type.weapons
    kind = next(weapon.kind for weapon in weapons if weapon.id == attack[1])
    points = defended(window).get(f"{attack[0]}/{attack[1]}", 0)
    dice, damage, stopped = dealt(window.before, window.dice, attack, points)
    return Shot(*attack, kind, dice, damage, stopped, points)


def _volley_aims(window: Window) -> dict[PieceId, PieceId]:
    truth, named = window.before, {by: target for by, _, target in window.attacks}
    aims: dict[PieceId, PieceId] = {}
    for ship in truth.in_play():
        if ship.volley is not None:
            target = named.get(ship.id) or _nearest_track(window, ship)
            if target is not None:
                aims[ship.id] = target
    return aims


def _volley_shots(window: Window) -> Iterator[Shot]:
    turn, spent = window.before.turn, defended(window)
    for piece, target in _volley_aims(window).items():
        volley = window.before.ships[piece]
        stopped = min(spent[piece], _missiles(volley))
        weapon = volley.type.weapons[0].id
        roll = window.dice.stream(turn, Purpose.FIRE, f"{piece}/{weapon}")
        dice = tuple(roll(index) for index in range(_missiles(volley) - stopped))
        yield Shot(piece, weapon, target, WeaponKind.SALVO, dice, sum(dice), stopped)


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
        if isinstance(order, Fire) and order.at is None and order.point is None
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
