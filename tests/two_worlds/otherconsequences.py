"""Other worlds in which something else has come of what nobody of the audience saw.

Pieces there are hurt, spent or gone for points that others scored, much more happens in a window,
and hidden sides give fewer orders.
"""

from random import Random
from typing import Final

import msgspec

from sunglare_protocol.geometry import Vector
from sunglare_protocol.ids import OwnId, Side, audience_of
from sunglare_protocol.orders import Order
from sunglare_protocol.views import View
from sunglare_protocol.words.ladder import Fate
from sunglare_server.match.state import MatchState
from sunglare_server.match.truth.truth import ShipTruth
from two_worlds.parts import World, of_noticed, of_one, pick, stowaway

_replace = msgspec.structs.replace

CROWD: Final = 40
"""So many ships more, each of which moves in every turn, make so many events more."""

FIRST_OF_CROWD: Final = 60
"""The number in the id of the first of them."""


@of_one(lambda world: world.loose())
def hurt_unseen(ship: ShipTruth, rng: Random, _world: World) -> ShipTruth | None:
    """Let an unheld ship have been hit, and have fired, where nobody saw it."""
    if ship.type.hull < 2:
        return None
    weapons = [weapon.id for weapon in ship.type.weapons]
    return _replace(
        ship,
        damage=rng.randrange(1, ship.type.hull),
        lost=tuple(weapon for weapon in weapons if rng.random() < 0.5),
        spent=tuple(weapon for weapon in weapons if rng.random() < 0.5),
        heat=rng.randint(1, 4),
        drive_losses=rng.randint(0, 1),
    )


@of_noticed(lambda world: [ship for ship in world.hidden if ship.type.hull > 1])
def hurt_before_the_shot(ship: ShipTruth, rng: Random, _world: World) -> ShipTruth:
    """Let a hidden ship, most often one that is fired at, be hurt, or whole if it is."""
    return _replace(ship, damage=0 if ship.damage else rng.randrange(1, ship.type.hull))


def destroyed_for_points(world: World, rng: Random) -> MatchState | None:
    """Let an unheld ship have been destroyed by another hidden side, which scored for it."""
    truth = world.truth
    crews = [ship.side for ship in truth.in_play()]
    doomed = [ship for ship in world.loose() if crews.count(ship.side) > 1]
    found = [(ship, by) for ship in doomed for by in world.others if by != ship.side]
    chosen = pick(rng, found)
    if chosen is None:
        return None
    ship, by = chosen
    gone = _replace(ship, fate=Fate.DESTROYED, damage=ship.type.hull)
    points = {**truth.points, by: truth.points[by] + ship.type.points}
    other = world.with_truth(ships={**truth.ships, ship.id: gone}, points=points)
    return _scored(other, by, points[by])


def _scored(state: MatchState, side: Side, points: int) -> MatchState:
    viewer = audience_of(side)
    learned = _replace(state.intel[viewer], points=points)
    return _replace(state, intel={**state.intel, viewer: learned})


def crowd_unseen(world: World, rng: Random) -> MatchState | None:
    """Add many small cold ships to a hidden side, all of which are under way."""
    found = world
    for number in range(CROWD):
        added = stowaway(found, rng, OwnId(f"S{FIRST_OF_CROWD + number}"))
        if added is None:
            return None
        under_way = _replace(added, vector=Vector(rng.choice((-1, 1)), rng.choice((-1, 0, 1))))
        found = _replace(found, state=found.with_ship(under_way))
    return found.state


def fewer_orders(rng: Random, _view: View, given: tuple[Order, ...]) -> tuple[Order, ...]:
    """Return some of the orders, most often none."""
    share = rng.choice((0.0, 0.0, 0.5))
    return tuple(order for order in given if rng.random() < share)
