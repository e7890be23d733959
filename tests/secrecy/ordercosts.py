"""What an order costs follows from the order alone: never from whether hidden facts let it work.

Random matches are played; after each ENGAGE every piece of a side must be as hot as the weapons
that it was ordered to fire make it, and every weapon with one shot that was ordered to fire must
be spent. Both are read from the side's own view and its own orders, and from nothing else.
"""

import itertools
from collections import Counter
from collections.abc import Iterable, Iterator
from random import Random
from typing import Final, final

import msgspec

from builders.matches import view_of
from builders.played import Rig, rig
from builders.scenarios import scenarios
from sunglare_protocol.ids import OwnId, Side, audience_of
from sunglare_protocol.orders import Bombard, Fire, Order
from sunglare_protocol.views import View
from sunglare_protocol.words.armament import WeaponKind
from sunglare_protocol.words.ladder import Fate, Phase
from sunglare_rules.blips.in_space import HEAT_MOST
from sunglare_rules.fire.weapons import is_one_shot

PLAYED: Final = ("orlog", "broadside", "siege", "garrison", "gunnery", "parade")
"""Scenarios in which much is fired at what is hardly known."""

SEEDS: Final = 4
"""How many matches of each are played."""

FEW: Final = (("broadside", 0), ("siege", 1), ("garrison", 6), ("gunnery", 6))
"""Matches by scenario and seed in which the planted faults of both costs are found."""

ALL: Final = tuple(itertools.product(PLAYED, range(SEEDS)))

Piece = tuple[OwnId, int]
"""An own piece and its heat."""


class CostError(AssertionError):
    """An order has cost something else than it should."""


@final
class Costs(msgspec.Struct):
    """How many shots were looked at: those that heat, and those that spend a weapon."""

    shots: int = 0
    spent: int = 0


def order_costs(matches: Iterable[tuple[str, int]] = ALL) -> Costs:
    """Play the matches; raise `CostError` where an order has another cost than it says."""
    found = Costs()
    for name, seed in matches:
        match, rng = rig(scenarios()[name], seed), Random(seed)
        while not match.state.is_over:
            _window(match, rng, found)
    return found


def _window(match: Rig, rng: Random, found: Costs) -> None:
    given, phase = match.ordered(rng), match.state.standing.phase
    for side, orders in given.items():
        match.give(side, orders)
    before = {side: view_of(match.state, audience_of(side)) for side in given}
    match.close()
    if phase is Phase.ENGAGE and not match.state.is_over:
        for side, orders in given.items():
            _judge(side, orders, before[side], view_of(match.state, audience_of(side)), found)


def _judge(side: Side, orders: tuple[Order, ...], before: View, after: View, found: Costs) -> None:
    fired = [order for order in orders if isinstance(order, Fire) and _heats(before, order)]
    count = Counter(order.ship for order in orders if order in fired or isinstance(order, Bombard))
    for piece, heat in _heats_of(after):
        if heat != min(HEAT_MOST, count[piece]):
            raise CostError(f"{side}.{piece} fired {count[piece]} weapons, its heat is {heat}")
    found.shots += len(fired)
    spent = {(ship.id, weapon.id) for ship in after.own for weapon in ship.weapons if weapon.spent}
    for order in fired:
        if _is_pack(before, order):
            found.spent += 1
            if (order.ship, order.weapon) not in spent:
                raise CostError(f"{side}.{order.ship}.{order.weapon} was fired and is not spent")


def _heats_of(view: View) -> Iterator[Piece]:
    """Yield the ships and units in play with their heat."""
    yield from ((ship.id, ship.heat) for ship in view.own if ship.fate is Fate.IN_PLAY)
    yield from ((unit.id, unit.heat) for unit in view.ground if unit.fate is Fate.IN_PLAY)


def _kind(view: View, order: Fire) -> WeaponKind | None:
    weapons = (weapon for ship in view.own if ship.id == order.ship for weapon in ship.weapons)
    return next((weapon.kind for weapon in weapons if weapon.id == order.weapon), None)


def _heats(view: View, order: Fire) -> bool:
    """Return whether the order fires a weapon: a designator only points, a volley is a piece."""
    volleys = [ship.id for ship in view.own if ship.volley is not None]
    return order.point is None and order.ship not in volleys


def _is_pack(view: View, order: Fire) -> bool:
    kind = _kind(view, order)
    return kind is not None and is_one_shot(kind)
