"""Other worlds in which hidden missiles, point defences, leeches and nova guns are otherwise."""

from random import Random

import msgspec

from sunglare_protocol.geometry import Compass, Square
from sunglare_protocol.ids import Audience, Side, audience_of
from sunglare_protocol.orders import Launch, Order
from sunglare_rules.fire.missiles import may_aim
from sunglare_server.match.record import Body, OrdersGiven
from sunglare_server.match.state import MatchState
from sunglare_server.match.truth.truth import Leech, Nova, ShipTruth, Volley
from two_worlds.parts import (
    Orders,
    hidden,
    pick,
    pick_noticed,
    squares_near,
    with_ship,
    with_truth,
)

_replace = msgspec.structs.replace


def change_volley_aim(
    state: MatchState, rng: Random, audience: Audience, _orders: Orders
) -> MatchState | None:
    """Send a hidden volley somewhere else."""
    ship = _volley(state, rng, audience)
    if ship is None or ship.volley is None:
        return None
    squares = [
        square
        for square in squares_near(rng, state.truth.board, ship.square, 8)
        if may_aim(ship.square, square)
    ]
    if not squares:
        return None
    return with_ship(state, _sent(ship, ship.volley, rng.choice(squares)))


def change_volley_size(
    state: MatchState, rng: Random, audience: Audience, _orders: Orders
) -> MatchState | None:
    """Give a hidden volley another number of missiles."""
    ship = _volley(state, rng, audience)
    if ship is None or ship.volley is None:
        return None
    others = [other for other in range(1, 7) if other != ship.volley.missiles]
    volley = _replace(ship.volley, missiles=rng.choice(others))
    return with_ship(state, _replace(ship, volley=volley))


def change_volley_heat(
    state: MatchState, rng: Random, audience: Audience, _orders: Orders
) -> MatchState | None:
    """Let a hidden volley have been launched hot instead of cold, or the other way round."""
    ship = _volley(state, rng, audience)
    if ship is None or ship.volley is None:
        return None
    volley = _replace(ship.volley, cold=not ship.volley.cold)
    return with_ship(state, _replace(ship, volley=volley))


def change_defence(
    state: MatchState, rng: Random, audience: Audience, orders: Orders
) -> MatchState | None:
    """Give a hidden ship another point defence, working or lost, and other fighters aboard."""
    ships = [foreign for foreign in hidden(state.truth, audience) if foreign.volley is None]
    ship = pick_noticed(rng, state, audience, orders, ships)
    if ship is None:
        return None
    lost = tuple(system for system in ship.lost if system != "point_defence")
    if rng.random() < 0.3:
        lost = (*lost, "point_defence")
    points = rng.choice([other for other in range(6) if other != ship.type.point_defence])
    flights = ship.launched + rng.randint(0, 2)
    kind = _replace(ship.type, point_defence=points, flights=flights)
    return with_ship(state, _replace(ship, type=kind, lost=lost))


def change_leeches(
    state: MatchState, rng: Random, audience: Audience, orders: Orders
) -> MatchState | None:
    """Put leeches of any side on a hidden ship, or take them off."""
    truth = state.truth
    ship = pick_noticed(rng, state, audience, orders, hidden(truth, audience))
    if ship is None:
        return None
    enemies = truth.others(ship.side)
    leeches = tuple(
        Leech(side=rng.choice(enemies), turns=rng.randint(1, 2)) for _ in range(rng.randint(0, 3))
    )
    # Of a hull with few boxes left leeches make a wreck, of which few may be told.
    damage = rng.choice((ship.damage, ship.type.hull - 1))
    return with_ship(state, _replace(ship, leeches=leeches, damage=damage))


def move_nova(
    state: MatchState, rng: Random, audience: Audience, _orders: Orders
) -> MatchState | None:
    """Let a hidden nova gun have been fired elsewhere; that one was fired is known to all."""
    truth = state.truth
    others = [
        nova for nova in truth.novas if audience_of(truth.ships[nova.piece].side) != audience
    ]
    if not others:
        return None
    moved = rng.choice(others)
    novas = tuple(_moved(rng, nova, moved) for nova in truth.novas)
    return with_truth(state, _replace(truth, novas=novas))


def launched_otherwise(rng: Random, _side: Side, given: OrdersGiven) -> tuple[Body, ...]:
    """Return the command with launches left out, or cold instead of hot."""
    orders: list[Order] = []
    for order in given.orders:
        if not isinstance(order, Launch):
            orders.append(order)
        elif order.at is not None and rng.random() < 0.5:
            orders.append(_replace(order, cold=not order.cold))
    return (_replace(given, orders=tuple(orders)),)


def _volley(state: MatchState, rng: Random, audience: Audience) -> ShipTruth | None:
    volleys = [ship for ship in hidden(state.truth, audience) if ship.volley is not None]
    return pick(rng, volleys)


def _sent(ship: ShipTruth, volley: Volley, aim: Square) -> ShipTruth:
    return _replace(ship, volley=_replace(volley, aim=aim))


def _moved(rng: Random, nova: Nova, moved: Nova) -> Nova:
    if nova is not moved:
        return nova
    at = Square(nova.square.x + rng.randint(-3, 3), nova.square.y + rng.randint(-3, 3))
    return _replace(nova, square=at, facing=rng.choice(list(Compass)))
