"""Combing a surface map: troops with no target in sight walk about until they find one.

Troops at a place where a foe was last seen may stand behind a wood from it. So a unit that knows
of a foe on its map, now or before, and has no target, goes as far as it can in a random direction:
two that look for one another do not stay apart for long.
"""

from collections.abc import Iterable, Iterator
from random import Random

from sunglare_protocol.orders import Order
from sunglare_protocol.orders.ground import Move
from sunglare_protocol.views import View
from sunglare_protocol.words.ladder import Fate
from sunglare_rules.advice.legal.ground import attacks_of, moves_of


def combed(view: View, orders: Iterable[Order], rng: Random) -> Iterator[Move]:
    """Yield the moves of armed units ashore that `orders` leave standing without a target."""
    busy = [order.ship for order in orders]
    maps = [surface.site for surface in view.surfaces if surface.tokens]
    for unit in view.ground:
        is_able = unit.fate is Fate.IN_PLAY and unit.site in maps and bool(unit.weapons)
        if not is_able or unit.hidden or unit.id in busy or any(attacks_of(view, unit)):
            continue
        ways = [move for move in moves_of(view, unit) if move.path and not move.jump]
        if ways:
            yield rng.choice(ways)
