"""An own ship under the orders of one PLOT, and where its move will end.

Source: Intercept sensors part 2; movement of our rule book, sensors §5 and turn §5, all OWN.
Orders are taken as they are: what they may be is looked at in `check`.
"""

from typing import TypeVar

import msgspec

from sunglare_protocol.geometry import Board, Compass, Landing, Place
from sunglare_protocol.orders import Aim, Cloak, Deploy, Land, Lift, Order, Power, Thrust, Turn
from sunglare_protocol.views import OwnView, View, VolleyView
from sunglare_protocol.words.pieces import PieceKind
from sunglare_rules.fire.missiles import heading, next_aim
from sunglare_rules.sensors.sectors import asteroid_of, planet_of, standing_square
from sunglare_rules.turn.movement import AT_REST, Flight, flown, lift_off

Kind = TypeVar("Kind", bound=Order)


def orders_of(ship: OwnView, orders: tuple[Order, ...]) -> tuple[Order, ...]:
    """Return those of the orders that are for this ship, in the order given."""
    return tuple([order for order in orders if order.ship == ship.id])


def first_of(kind: type[Kind], orders: tuple[Order, ...]) -> Kind | None:
    """Return the first order of that kind, or None."""
    for order in orders:
        if isinstance(order, kind):
            return order
    return None


def deployed(ship: OwnView, mine: tuple[Order, ...]) -> OwnView:
    """Return the ship as its own orders deploy it, which is before all else that they do."""
    order = first_of(Deploy, mine)
    if order is None:
        return ship
    return msgspec.structs.replace(
        ship,
        square=order.at,
        vector=order.vector,
        facing=order.facing,
        landed=order.landed,
        popped_out=ship.popped_out and order.landed is None and not order.cloaked,
        cloaked=ship.cloaked if order.cloaked is None else order.cloaked,
    )


def as_deployed(view: View, orders: tuple[Order, ...]) -> View:
    """Return the view with each own ship where and how the orders deploy it; else the same one."""
    if first_of(Deploy, orders) is None:
        return view
    own = tuple(deployed(ship, orders_of(ship, orders)) for ship in view.own)
    return msgspec.structs.replace(view, own=own)


def cloaked_in_movement(ship: OwnView, mine: tuple[Order, ...]) -> bool:
    """Return whether the ship is cloaked in the coming movement; a lost cloak shows it."""
    if not (ship.cloak and ship.cloak_works):
        return False
    order = first_of(Cloak, mine)
    return deployed(ship, mine).cloaked if order is None else order.on


def powered_in_movement(ship: OwnView, mine: tuple[Order, ...]) -> bool:
    """Return whether the plant runs in the coming movement.

    It does if it runs now or was ordered on last turn, unless it is ordered off now.
    """
    order = first_of(Power, mine)
    return (ship.powered or ship.starting) and (order is None or order.on)


def thrust_points(ship: OwnView, mine: tuple[Order, ...]) -> int:
    """Return how many points of thrust the ship may spend in the coming movement."""
    return ship.thrust if powered_in_movement(ship, mine) else 0


def is_thrusting(mine: tuple[Order, ...]) -> bool:
    """Return whether the orders spend at least one point of thrust."""
    order = first_of(Thrust, mine)
    return order is not None and len(order.to) > 0


def facing_after_turn(ship: OwnView, mine: tuple[Order, ...]) -> Compass:
    """Return where the ship, already deployed, faces when its thrust begins."""
    order = first_of(Turn, mine)
    return ship.facing if order is None else ship.facing.turned(order.steps)


def after_plot(view: View, ship: OwnView, orders: tuple[Order, ...]) -> Flight:
    """Return square, vector and facing of the ship after the movement that the orders give it.

    Orders of other ships are passed over, and nothing is checked: the square may lie in a body or
    off the map, where `movement.ending` gives the ship's fate.
    """
    mine = orders_of(ship, orders)
    if ship.volley is not None:
        return _volley_flight(ship, ship.volley, first_of(Aim, mine))
    here = deployed(ship, mine)
    if here.kind is PieceKind.REMOTE:
        return Flight(here.square.moved(here.vector), here.vector, here.facing)
    if here.landed is not None:
        return _from_ground(view.board, here, here.landed, first_of(Lift, mine))
    land = first_of(Land, mine)
    landing = None if land is None else landing_of(view.board, land)
    if landing is not None:
        end = standing_square(view.board, Place(here.square, landing))
        return Flight(end, AT_REST, here.facing)
    turn, thrust = first_of(Turn, mine), first_of(Thrust, mine)
    return flown(
        view.board,
        Flight(here.square, here.vector, here.facing),
        0 if turn is None else turn.steps,
        () if thrust is None else thrust.to,
    )


def landing_of(board: Board, order: Land) -> Landing | None:
    """Return where the order lands a ship, or None if the board has no such place."""
    planet = board.planet_named(order.body)
    if planet is not None:
        place = planet.environs_numbered(order.environs)
        if place is None:
            return None
        return Landing(
            body=planet.name, sector=place.sector, environs=place.number, cell=order.cell
        )
    if order.sector is None or all(asteroid.name != order.body for asteroid in board.asteroids):
        return None
    return Landing(body=order.body, sector=order.sector)


def _volley_flight(ship: OwnView, volley: VolleyView, order: Aim | None) -> Flight:
    end = next_aim(ship.square, volley.aim, None if order is None else order.at)
    way = ship.square.to(end)
    return Flight(end, way, heading(way, ship.facing))


def _from_ground(board: Board, here: OwnView, landing: Landing, lift: Lift | None) -> Flight:
    place = Place(here.square, landing)
    stands_somewhere = planet_of(board, place) or asteroid_of(board, place)
    if lift is None or stands_somewhere is None:
        return Flight(standing_square(board, place), AT_REST, here.facing)
    return lift_off(board, landing)
