"""Other worlds in which another ship is cloaked, elsewhere, louder, or in somebody's trackers."""

from random import Random

import msgspec

from sunglare_protocol.geometry import Vector
from sunglare_protocol.ids import OwnId, audience_of
from sunglare_protocol.orders import Hold, Listen, Order
from sunglare_protocol.views import View
from sunglare_protocol.words.ladder import Phase
from sunglare_rules.advice.legal.legal import holds
from sunglare_rules.advice.seen.lookup import ships_in_play
from sunglare_rules.cloak.trackers import stepped
from sunglare_server.match.state import MatchState
from sunglare_server.match.truth.truth import Hunt, ShipTruth
from two_worlds.parts import World, of_one, pick, squares_near, stowaway

_replace = msgspec.structs.replace


def _may_toggle(world: World) -> list[ShipTruth]:
    dark = [foreign for foreign in world.loose() if foreign.can_cloak and foreign.powered]
    return [*dark, *world.unfound]


@of_one(_may_toggle)
def toggle_cloak(ship: ShipTruth, _rng: Random, _world: World) -> ShipTruth:
    """Let an unheld ship be cloaked that is not, or an unfound cloaked one be shown."""
    if ship.cloaked:
        return _replace(ship, cloaked=False)
    return _replace(ship, cloaked=True, cloaks=ship.cloaks + 1, popped_out=False)


@of_one(lambda world: world.unfound)
def move_cloaked(ship: ShipTruth, rng: Random, world: World) -> ShipTruth | None:
    """Put an unfound cloaked ship elsewhere, with another vector and facing."""
    squares = squares_near(rng, world.truth.board, ship.square, rng.choice((2, 6, 14)))
    if not squares:
        return None
    vector = ship.vector.plus(Vector(rng.randint(-1, 1), rng.randint(-1, 1)))
    facing = ship.facing.turned(rng.randint(0, 7))
    return _replace(ship, square=rng.choice(squares), vector=vector, facing=facing)


@of_one(lambda world: [foreign for foreign in world.hidden if foreign.cloaked])
def other_thrust_cloaked(ship: ShipTruth, rng: Random, _world: World) -> ShipTruth:
    """Let a cloaked ship have used another amount of thrust this turn."""
    used = rng.choice([n for n in range(9) if n != ship.thrust_used])
    return _replace(ship, thrust_used=used, thrust_spent=min(used, rng.randint(0, 4)))


def add_cloaked(world: World, rng: Random) -> MatchState | None:
    """Add a cloaked ship to a hidden side."""
    added = stowaway(world, rng, OwnId("S8"))
    if added is None:
        return None
    return world.with_ship(
        _replace(
            added,
            type=_replace(added.type, cloak=True),
            powered=True,
            cloaked=True,
            cloaks=1,
            damage=0,
            lost=(),
            thrust_used=rng.randint(0, 6),
        )
    )


def third_side_hunts(world: World, rng: Random) -> MatchState | None:
    """Let a third side have heard a ship of another, or not, in turns gone by."""
    truth = world.truth
    hunter = rng.choice(world.others)
    ship = pick(rng, [other for other in world.unfound if other.side != hunter])
    if ship is None:
        return None
    hunts = dict(truth.hunts_of(hunter))
    hunt = hunts.get(ship.quarry, Hunt(piece=ship.id))
    trackers = stepped(hunt.trackers, rng.randint(1, 2), rng.random() < 0.3)
    # Only the truth differs: what this hunter sees of it is no part of what is compared.
    if ship.quarry not in world.state.intel[audience_of(hunter)].held:
        return None
    hunts[ship.quarry] = _replace(hunt, trackers=trackers)
    return _replace(world.state, truth=_replace(truth, hunts={**truth.hunts, hunter: hunts}))


def armed_and_hidden(world: World, _rng: Random) -> MatchState | None:
    """Return the same world in an ENGAGE in which a hidden ship may hold weapons."""
    armed = any(ship.type.weapons for ship in world.hidden if not ship.cloaked)
    return world.state if world.state.standing.phase is Phase.ENGAGE and armed else None


def searching(world: World, _rng: Random) -> MatchState | None:
    """Return the same world in a DETECT in which there is somebody to hear."""
    there = any(ship.cloaked for ship in world.truth.in_play())
    is_sought = world.state.standing.phase is Phase.DETECT and there and world.hidden
    return world.state if is_sought else None


def hold_or_not(rng: Random, view: View, given: tuple[Order, ...]) -> tuple[Order, ...]:
    """Return the orders with other weapons held."""
    kept = tuple(order for order in given if not isinstance(order, Hold))
    if len(kept) != len(given):
        return kept
    more = tuple(hold for hold in holds(view) if rng.random() < 0.7)
    return (*given, *more)


def listen_or_not(rng: Random, view: View, given: tuple[Order, ...]) -> tuple[Order, ...]:
    """Return the orders with other ships that do not listen."""
    kept = tuple(order for order in given if not isinstance(order, Listen))
    busy = {order.ship for order in kept}
    deaf = [ship.id for ship in ships_in_play(view) if ship.id not in busy]
    if view.stage.phase.value != "detect":
        return given
    return (*kept, *(Listen(ship=piece, on=False) for piece in deaf if rng.random() < 0.6))
