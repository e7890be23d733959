"""The pieces that the orders of a PLOT would lose, and the places that they do not use.

Source: movement and set-up of our rule book, turn §5 and §7, all OWN; launches, turn §6. What
dice or enemies decide is no part of it.
"""

from collections.abc import Iterator

import msgspec

from sunglare_protocol.geometry import Board, Compass, Planet, Square
from sunglare_protocol.ids import OwnId
from sunglare_protocol.messages.answers import Loss
from sunglare_protocol.orders import (
    OFF_MAP,
    Cloak,
    Deploy,
    Land,
    Launch,
    Order,
    Station,
)
from sunglare_protocol.views import OwnView, View
from sunglare_protocol.views.ground import AgentView, GroundView
from sunglare_protocol.words.armament import Launchable
from sunglare_protocol.words.ladder import Fate, Phase
from sunglare_protocol.words.pieces import PieceKind
from sunglare_protocol.words.review import LossKind
from sunglare_protocol.words.victory import ObjectiveKind
from sunglare_rules.advice.check.check import check, takes
from sunglare_rules.advice.legal.plans import courses, move_examples
from sunglare_rules.advice.odds.after import after
from sunglare_rules.advice.seen.lookup import ships_in_play
from sunglare_rules.advice.seen.plotting import after_plot, deployed, orders_of
from sunglare_rules.fire.missiles import volley_end
from sunglare_rules.sensors.sectors import Zone, zone
from sunglare_rules.turn.movement import AT_REST, Flight, MoveEnding, edge_crossed, ending, gravity


def losses(view: View, orders: tuple[Order, ...]) -> tuple[Loss, ...]:
    """Return what these orders of a PLOT lose: in its movement, in the next one, of the set-up.

    A ship that leaves over the edge of an own `escape` objective is no loss if it is worth points,
    nor is one of a side that leaves free, nor one whose standing order binds it `off` the map.
    Remote sensors take no orders, so they are left out.
    """
    if view.stage.phase is not Phase.PLOT:
        return ()
    then = after(view, orders)
    return (
        *_in_movement(view, then, orders),
        *_next_turn(then),
        *_not_deployed(view, orders),
        *_not_stationed(view, orders),
    )


def _in_movement(view: View, then: View, orders: tuple[Order, ...]) -> Iterator[Loss]:
    bound = {ship.id: ship for ship in then.own}
    for ship in ships_in_play(view):
        mine = orders_of(ship, orders)
        flight = after_plot(view, ship, mine)
        if ending(view.board, flight.square) is MoveEnding.FLIES:
            yield from _of_launches(view, ship, flight, mine)
        elif not _is_free_to_leave(view, bound[ship.id], flight.square):
            lost = _loss(view, ship, flight.square, view.stage.turn)
            pulled = _is_pulled(view.board, deployed(ship, mine), flight.square)
            yield msgspec.structs.replace(lost, pulled=pulled, aboard=_aboard(view, ship))


def _loss(view: View, piece: OwnView, square: Square, turn: int) -> Loss:
    """Return the loss of a piece whose move ends on `square`, off the map or in a body."""
    body = _body_at(view.board, square)
    if body is not None:
        kind = LossKind.STRIKES_BODY
        return Loss(piece=piece.id, kind=kind, turn=turn, square=square, body=body.name)
    edge = edge_crossed(view.board, square)
    return Loss(piece=piece.id, kind=LossKind.LEAVES_MAP, turn=turn, square=square, edge=edge)


def _body_at(board: Board, square: Square) -> Planet | None:
    bodies = (planet for planet in board.planets if zone(planet, square) is Zone.BODY)
    return next(bodies, None)


def _is_free_to_leave(view: View, ship: OwnView, square: Square) -> bool:
    """Return whether a ship whose move ends on `square`, which is not in space, may want that."""
    if ending(view.board, square) is not MoveEnding.ESCAPES:
        return False
    if view.leaves_free or ship.bound_for == OFF_MAP:
        return True
    return ship.points > 0 and edge_crossed(view.board, square) in _edges_wanted(view)


def _edges_wanted(view: View) -> tuple[Compass | None, ...]:
    """Return the edges over which own ships leave for points."""
    return tuple(goal.edge for goal in view.objectives if goal.kind is ObjectiveKind.ESCAPE)


def _is_pulled(board: Board, here: OwnView, end: Square) -> bool:
    """Return whether a move from `here` would end in space if no planet pulled."""
    if here.landed is not None or here.volley is not None:
        return False
    pull = gravity(board, here.square)
    without = Square(end.x - pull.dx, end.y - pull.dy)
    return pull != AT_REST and ending(board, without) is MoveEnding.FLIES


def _aboard(view: View, ship: OwnView) -> tuple[OwnId, ...]:
    """Return the units and agents aboard a ship, who are lost with it."""
    everyone: tuple[GroundView | AgentView, ...] = (*view.ground, *view.agents)
    return tuple(one.id for one in everyone if one.aboard == ship.id and one.fate is Fate.IN_PLAY)


def _of_launches(
    view: View, ship: OwnView, flight: Flight, mine: tuple[Order, ...]
) -> Iterator[Loss]:
    """Yield the volleys that a ship launches into a body or, cold, off the map."""
    for order in mine:
        if (
            isinstance(order, Launch)
            and order.what is Launchable.MISSILES
            and order.at is not None
        ):
            drift = flight.vector if order.cold else None
            end = volley_end(flight.square, order.at, drift)
            if ending(view.board, end) is not MoveEnding.FLIES:
                lost = _loss(view, ship, end, view.stage.turn)
                yield msgspec.structs.replace(lost, weapon=order.weapon)


def _next_turn(then: View) -> Iterator[Loss]:
    """Yield the ships that no order can save in the movement of the next turn.

    `then` is the view after the orders. A ship has no more thrust and turns no farther then than
    it can now, so that nothing that happens in between makes a way out.
    """
    turn = then.stage.turn + 1
    if turn > then.stage.turns:
        return
    stage = msgspec.structs.replace(then.stage, phase=Phase.PLOT, turn=turn)
    coming = msgspec.structs.replace(then, stage=stage)
    for ship in ships_in_play(coming):
        end = after_plot(coming, ship, ()).square
        # A volley goes where it is sent.
        if ship.volley is None and not (
            _is_safe(coming, ship, end) or _can_be_saved(coming, ship)
        ):
            lost = _loss(coming, ship, end, turn)
            pulled = _is_pulled(coming.board, ship, end)
            yield msgspec.structs.replace(lost, kind=LossKind.LOST_NEXT_TURN, pulled=pulled)


def _can_be_saved(view: View, ship: OwnView) -> bool:
    """Return whether some turn, thrust or landing keeps a ship, or takes it where it may leave."""
    if any(_is_safe(view, ship, course.flight.square) for course in courses(view, ship)):
        return True
    # A cloaked ship lands no more than others do; those without a cloak may give this order too.
    shown = Cloak(ship=ship.id, on=False)
    landings = (order for order in move_examples(view, ship) if isinstance(order, Land))
    return any(check(view, (shown, landing)) is None for landing in landings)


def _is_safe(view: View, ship: OwnView, square: Square) -> bool:
    is_in_space = ending(view.board, square) is MoveEnding.FLIES
    return is_in_space or _is_free_to_leave(view, ship, square)


def _not_deployed(view: View, orders: tuple[Order, ...]) -> Iterator[Loss]:
    """Yield the ships that stay where the dice have put them; turn 1 alone takes `deploy`."""
    if takes(view, Deploy):
        placed = [order.ship for order in orders if isinstance(order, Deploy)]
        for ship in ships_in_play(view):
            if ship.kind is not PieceKind.MISSILE and ship.id not in placed:
                kind, turn = LossKind.NOT_DEPLOYED, view.stage.turn
                yield Loss(piece=ship.id, kind=kind, turn=turn, square=ship.square)


def _not_stationed(view: View, orders: tuple[Order, ...]) -> Iterator[Loss]:
    """Yield the ground units that stay where they were put; turn 1 alone takes `station`.

    Agents are left out: no dice place them, and their steps lead wherever a station would.
    """
    if takes(view, Station):
        placed = [order.ship for order in orders if isinstance(order, Station)]
        for unit in view.ground:
            if unit.site is not None and unit.fate is Fate.IN_PLAY and unit.id not in placed:
                yield Loss(piece=unit.id, kind=LossKind.NOT_STATIONED, turn=view.stage.turn)
