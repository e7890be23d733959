"""The decisions of ENGAGE, one for each weapon and each point defence, and those of the ground."""

from collections.abc import Callable, Iterable, Iterator

from sunglare_client.choosing.decision import Candidate, Decision, DecisionKind, Outlook, thinned
from sunglare_client.choosing.moving import MUCH_DAMAGE
from sunglare_client.choosing.sensing import pieces_named
from sunglare_protocol.orders import Bombard, Defend, Fire, Hold, Order
from sunglare_protocol.views import OwnView
from sunglare_protocol.words.armament import DefencePolicy
from sunglare_rules.advice.legal.agents import agents_examples
from sunglare_rules.advice.legal.ground import ground_examples
from sunglare_rules.advice.plans.fire import spares_own


def weapons(outlook: Outlook, most: int) -> Iterator[Decision]:
    """Yield for each weapon what it may do: shots from the most damage on, points, or waiting.

    A nova gun whose first sweep would touch an own piece is not offered.
    """
    shots: dict[tuple[str, str], list[Candidate]] = {}
    for order in _attacks(outlook):
        damage = _damage(outlook, order)
        shots.setdefault((order.ship, order.weapon), []).append(
            Candidate((order,), {"damage": damage / MUCH_DAMAGE})
        )
    for piece in pieces_named(outlook, [ship for ship, _ in shots]):
        for (ship, _), found in shots.items():
            if ship == piece.id:
                found.sort(key=lambda one: -one.numbers["damage"])
                yield Decision(DecisionKind.WEAPON, piece, tuple(found[:most]))


def defences(outlook: Outlook, ship: OwnView) -> Decision:
    """Return what the point defence of a ship may do instead of what it does by itself."""
    found = (
        Candidate((order,), {})
        for policy in DefencePolicy
        if outlook.advice.check((order := Defend(ship=ship.id, policy=policy),)) is None
    )
    return Decision(DecisionKind.DEFENCE, ship, tuple(found) if ship.point_defence else ())


def ground(outlook: Outlook, most: int) -> Iterator[Decision]:
    """Yield for each ground unit how it may move, be stationed, load, jam or launch."""
    yield from _grouped(outlook, ground_examples, DecisionKind.GROUND, most)


def agents(outlook: Outlook, most: int) -> Iterator[Decision]:
    """Yield for each agent, and for each unit that can search, its choices in this window."""
    yield from _grouped(outlook, agents_examples, DecisionKind.AGENT, most)


def _attacks(outlook: Outlook) -> Iterator[Fire | Bombard | Hold]:
    for shot in outlook.advice.shots():
        if spares_own(outlook.advice.view, shot):
            yield shot
    yield from outlook.advice.bombardments()
    if outlook.advice.view.cloak_rules.cloaks:
        yield from outlook.advice.holds()


def _damage(outlook: Outlook, order: Fire | Bombard | Hold) -> float:
    odds = outlook.advice.odds(order) if isinstance(order, Fire) else None
    return 0.0 if odds is None else odds.mean_hundredths / 100


def _grouped(
    outlook: Outlook,
    examples: Callable[..., Iterable[Order]],
    kind: DecisionKind,
    most: int,
) -> Iterator[Decision]:
    """Yield a decision for each piece of which there are examples, thinned out evenly."""
    found: dict[str, list[Candidate]] = {}
    for order in examples(outlook.advice.view):
        if outlook.advice.check((order,)) is None:
            found.setdefault(order.ship, []).append(Candidate((order,), {}))
    for piece in pieces_named(outlook, found):
        yield Decision(kind, piece, tuple(thinned(found[piece.id], most)))
