"""ENGAGE: the attacks of volleys, the point defence against them, and how volleys end.

Source: Full Thrust salvo missiles and point defence; fire of our rule book §6.
"""

from collections.abc import Iterator

from sunglare_protocol.armament import DefencePolicy
from sunglare_protocol.ladder import Fix
from sunglare_rules.missiles import after_defence, lives_on, nearest_targets
from sunglare_rules.sectors import line_of_sight
from sunglare_rules.weapons import roll_weapon
from sunglare_server.match.dice import Dice, Purpose
from sunglare_server.match.events import ShipDestroyed, ShotFired
from sunglare_server.match.ids import PieceId
from sunglare_server.match.resolve.firing import Attack
from sunglare_server.match.truth import ShipTruth, Truth

Policies = dict[PieceId, DefencePolicy]
"""What point defences were told to do, by ship; the others do all they can."""


def strikes(
    truth: Truth, attacks: tuple[Attack, ...], policies: Policies, dice: Dice
) -> Iterator[ShotFired]:
    """Yield the attack of every volley that has a target, after point defence."""
    named = {attack.shooter: attack.target for attack in attacks}
    targets: dict[PieceId, list[ShipTruth]] = {}
    for volley in truth.in_play():
        if volley.volley is not None:
            target = named.get(volley.id) or _nearest(truth, volley, dice)
            if target is not None:
                targets.setdefault(target, []).append(volley)
    for piece, volleys in targets.items():
        yield from _met(truth, truth.ships[piece], volleys, policies.get(piece), dice)


def endings(before: Truth, truth: Truth, fired: tuple[ShotFired, ...]) -> Iterator[ShipDestroyed]:
    """Yield the volleys that are gone without having been shot down; `before` is without damage.

    OWN: whoever holds a volley that has attacked, or has no movement left, is told of its end as
    of that of any destroyed piece.
    """
    struck = {shot.piece for shot in fired}
    for ship in before.in_play():
        if ship.volley is None or truth.ships[ship.id].damage >= ship.type.hull:
            continue
        if ship.id in struck:
            yield ShipDestroyed(piece=ship.id, cause="spent", killers=())
        elif not lives_on(ship.volley.movements):
            yield ShipDestroyed(piece=ship.id, cause="burnt out", killers=())


def defence_points(ship: ShipTruth, policy: DefencePolicy | None) -> int:
    """Return the points that a ship's point defence spends this turn, if there is need.

    OWN: on the ground it does nothing, as all else that fires; nor does it under a cloak.
    """
    can = ship.powered and ship.landing is None and not ship.cloaked
    return ship.point_defence if can and policy is not DefencePolicy.HOLD else 0


def _nearest(truth: Truth, volley: ShipTruth, dice: Dice) -> PieceId | None:
    """Return the nearest enemy that the volley's side tracks or has a solution on.

    It must be in reach and in sight.
    """
    side = volley.side
    tracked = [
        truth.ships[piece] for piece, hold in truth.holds[side].items() if hold.fix is Fix.TRACKED
    ]
    tracked += [
        ship
        for ship in truth.ships.values()
        if ship.side != side and truth.hunt_fix(side, ship) is Fix.SOLUTION
    ]
    seen = [
        ship
        for ship in tracked
        if ship.in_play and line_of_sight(truth.board, volley.place, ship.place)
    ]
    nearest = nearest_targets(volley.square, tuple([ship.square for ship in seen]))
    tied = [seen[index].id for index in nearest]
    return min(tied, key=lambda piece: dice.tie(truth.turn, volley.id, piece), default=None)


def _met(
    truth: Truth,
    target: ShipTruth,
    volleys: list[ShipTruth],
    policy: DefencePolicy | None,
    dice: Dice,
) -> Iterator[ShotFired]:
    # Among volleys that are alike a keyed die decides which is met first.
    met = sorted(volleys, key=lambda each: dice.tie(truth.turn, target.id, each.id))
    missiles = tuple([0 if each.volley is None else each.volley.missiles for each in met])
    left = after_defence(missiles, defence_points(target, policy))
    for ship, came, through in zip(met, missiles, left, strict=True):
        yield _strike(truth, ship, target, came, through, dice)


def _strike(
    truth: Truth, ship: ShipTruth, target: ShipTruth, came: int, through: int, dice: Dice
) -> ShotFired:
    weapon = ship.type.weapons[0]
    distance = ship.square.distance_squared(target.square)
    roll = dice.stream(truth.turn, Purpose.FIRE, f"{ship.id}/{weapon.id}")
    shot = roll_weapon(weapon.kind, through, distance, target.screens, roll)
    return ShotFired(
        piece=ship.id,
        weapon=weapon.id,
        kind=weapon.kind,
        target=target.id,
        arc=None,
        dice=shot.dice,
        damage=shot.damage,
        stopped=came - through,
    )
