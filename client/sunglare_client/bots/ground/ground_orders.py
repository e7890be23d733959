"""Orders of ground units: they fire at the tokens they see, and may wander."""

from collections.abc import Iterable, Iterator
from random import Random

from sunglare_client.advice import Advice
from sunglare_protocol.ids import OwnId
from sunglare_protocol.orders import Fire, Order
from sunglare_rules.advice.legal.ground import ground_examples


def ground_shots(advice: Advice, rng: Random) -> tuple[Fire, ...]:
    """Return for every ground unit's weapon one of its attacks, drawn at random."""
    ours = {unit.id for unit in advice.view.ground}
    attacks: dict[tuple[OwnId, str], list[Fire]] = {}
    for shot in advice.shots() if ours else ():
        if shot.ship in ours:
            attacks.setdefault((shot.ship, shot.weapon), []).append(shot)
    return tuple(rng.choice(shots) for shots in attacks.values())


def wandering(advice: Advice, rng: Random, how_often: float) -> Iterator[Order]:
    """Yield for some ground units and agents an order for PLOT, drawn at random."""
    orders: dict[OwnId, list[Order]] = {}
    for order in _legal(advice):
        orders.setdefault(order.ship, []).append(order)
    for found in orders.values():
        if rng.random() < how_often:
            yield rng.choice(found)


def _legal(advice: Advice) -> Iterable[Order]:
    examples = ground_examples(advice.view)
    return (order for order in examples if advice.check((order,)) is None)
