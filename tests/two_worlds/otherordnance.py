"""Other worlds in which hidden missiles, point defences, leeches and nova guns are otherwise."""

from random import Random

import msgspec

from sunglare_protocol.geometry import Compass, Square
from sunglare_protocol.ids import Side
from sunglare_protocol.orders import Launch, Order
from sunglare_rules.fire.missiles import may_aim
from sunglare_server.match.record import Body, OrdersGiven
from sunglare_server.match.state import MatchState
from sunglare_server.match.truth.truth import Leech, Nova, ShipTruth, Volley
from two_worlds.parts import World, of_noticed, of_one, pick, squares_near

_replace = msgspec.structs.replace


def _volleys(world: World) -> list[ShipTruth]:
    return [ship for ship in world.hidden if ship.volley is not None]


def _volley(ship: ShipTruth) -> Volley:
    assert ship.volley is not None
    return ship.volley


@of_one(_volleys)
def volley_aim(ship: ShipTruth, rng: Random, world: World) -> ShipTruth | None:
    """Send a hidden volley somewhere else."""
    near = squares_near(rng, world.truth.board, ship.square, 8)
    squares = [square for square in near if may_aim(ship.square, square)]
    if not squares:
        return None
    return _replace(ship, volley=_replace(_volley(ship), aim=rng.choice(squares)))


@of_one(_volleys)
def volley_size(ship: ShipTruth, rng: Random, _world: World) -> ShipTruth:
    """Give a hidden volley another number of missiles."""
    volley = _volley(ship)
    others = [other for other in range(1, 7) if other != volley.missiles]
    return _replace(ship, volley=_replace(volley, missiles=rng.choice(others)))


@of_one(_volleys)
def volley_heat(ship: ShipTruth, _rng: Random, _world: World) -> ShipTruth:
    """Let a hidden volley have been launched hot instead of cold, or the other way round."""
    volley = _volley(ship)
    return _replace(ship, volley=_replace(volley, cold=not volley.cold))


@of_noticed(lambda world: [foreign for foreign in world.hidden if foreign.volley is None])
def change_defence(ship: ShipTruth, rng: Random, _world: World) -> ShipTruth:
    """Give a hidden ship another point defence, working or lost, and other fighters aboard."""
    lost = tuple(system for system in ship.lost if system != "point_defence")
    if rng.random() < 0.3:
        lost = (*lost, "point_defence")
    points = rng.choice([other for other in range(6) if other != ship.type.point_defence])
    flights = ship.launched + rng.randint(0, 2)
    kind = _replace(ship.type, point_defence=points, flights=flights)
    return _replace(ship, type=kind, lost=lost)


@of_noticed(lambda world: world.hidden)
def change_leeches(ship: ShipTruth, rng: Random, world: World) -> ShipTruth:
    """Put leeches of any side on a hidden ship, or take them off."""
    enemies = world.truth.others(ship.side)
    leeches = tuple(
        Leech(side=rng.choice(enemies), turns=rng.randint(1, 2)) for _ in range(rng.randint(0, 3))
    )
    # Of a hull with few boxes left leeches make a wreck, of which few may be told.
    damage = rng.choice((ship.damage, ship.type.hull - 1))
    return _replace(ship, leeches=leeches, damage=damage)


def move_nova(world: World, rng: Random) -> MatchState | None:
    """Let a hidden nova gun have been fired elsewhere; that one was fired is known to all."""
    novas, ships = world.truth.novas, world.truth.ships
    moved = pick(rng, [nova for nova in novas if not world.is_own(ships[nova.piece].side)])
    if moved is None:
        return None
    return world.with_truth(
        novas=tuple(_moved(rng, nova) if nova is moved else nova for nova in novas)
    )


def _moved(rng: Random, nova: Nova) -> Nova:
    at = Square(nova.square.x + rng.randint(-3, 3), nova.square.y + rng.randint(-3, 3))
    return _replace(nova, square=at, facing=rng.choice(list(Compass)))


def launched_otherwise(rng: Random, _side: Side, given: OrdersGiven) -> tuple[Body, ...]:
    """Return the command with launches left out, or cold instead of hot."""
    orders: list[Order] = []
    for order in given.orders:
        if not isinstance(order, Launch):
            orders.append(order)
        elif order.at is not None and rng.random() < 0.5:
            orders.append(_replace(order, cold=not order.cold))
    return (_replace(given, orders=tuple(orders)),)
