"""ENGAGE: the points of defence that every ship spends on what homes in on it.

Source: Alpha Strike, "Point Defense", and Full Thrust point defence; fire of our rule book §6,
capital weapons §1 (K4, K5) and §2. Volleys and capital missiles share one pool of a ship.
"""

from typing import NamedTuple

from sunglare_protocol.ids import Side
from sunglare_protocol.words.armament import DefencePolicy
from sunglare_rules.capital.pointdefence import (
    CapitalMissile,
    SalvoVolley,
    Threat,
    allocate,
    defence_pool,
)
from sunglare_server.match.dice import Dice
from sunglare_server.match.ids import PieceId
from sunglare_server.match.truth.truth import ShipTruth, Truth

Policies = dict[PieceId, DefencePolicy]
"""The orders for point defences, by ship; the others do all they can."""

Spent = dict[str, int]
"""The points spent on each threat, by the volley or the key of the missile."""


class Missile(NamedTuple):
    """A capital missile at a ship: the key of its dice, whose it is, and its damage on arrival."""

    key: str
    side: Side
    target: PieceId
    damage: int


def spent(
    truth: Truth,
    targets: dict[PieceId, PieceId],
    missiles: tuple[Missile, ...],
    policies: Policies,
    dice: Dice,
) -> Spent:
    """Return the points spent on volleys, given with their targets, and on missiles.

    `missiles` stand in the order in which their sides have declared them.
    """
    found: Spent = {}
    met = dict.fromkeys((*targets.values(), *(missile.target for missile in missiles)))
    for target in sorted(met):
        threats = (
            *_volleys(truth, target, targets, dice),
            *_missiles(truth, target, missiles, dice),
        )
        pool = defence_points(truth.ships[target], policies.get(target))
        points = allocate(pool, [threat for _, threat in threats])
        found |= {key: share for (key, _), share in zip(threats, points, strict=True)}
    return found


def defence_points(ship: ShipTruth, policy: DefencePolicy | None) -> int:
    """Return the points that a ship's point defence spends this turn, if there is need.

    OWN: on the ground it does nothing, as all else that fires; nor does it under a cloak.
    """
    works = ship.powered and ship.landing is None and not ship.cloaked
    return defence_pool(ship.point_defence, policy or DefencePolicy.ALL, is_working=works)


def _volleys(
    truth: Truth, target: PieceId, targets: dict[PieceId, PieceId], dice: Dice
) -> list[tuple[str, Threat]]:
    # Among volleys that are alike a keyed die decides which is met first.
    met = [truth.ships[volley] for volley, aim in targets.items() if aim == target]
    met.sort(key=lambda ship: dice.tie(truth.turn, target, ship.id))
    return [(ship.id, SalvoVolley(ship.volley.missiles if ship.volley else 0)) for ship in met]


def _missiles(
    truth: Truth, target: PieceId, missiles: tuple[Missile, ...], dice: Dice
) -> list[tuple[str, Threat]]:
    # Of equal ones of one side the first declared comes first; a keyed die orders the sides.
    met = [missile for missile in missiles if missile.target == target]
    met.sort(key=lambda missile: dice.tie(truth.turn, target, missile.side))
    return [(missile.key, CapitalMissile(missile.damage)) for missile in met]
