"""Plans for one ship: the consistent sets of orders that a PLOT offers it.

Source: none of its own; movement of our rule book, sensors §5 and turn §5.
"""

from collections.abc import Iterator
from itertools import combinations_with_replacement

from sunglare_protocol import orders
from sunglare_protocol.geometry import Compass
from sunglare_protocol.views import OwnView, View
from sunglare_protocol.words.ladder import Phase
from sunglare_rules.advice.check.check import check
from sunglare_rules.turn.movement import THRUSTING_TURN_MOST, thrust_headings, turn_steps_allowed

Plan = tuple[orders.Order, ...]
"""Orders for one ship that may stand together; an empty plan is to drift."""


def plots(view: View, ship: OwnView) -> Iterator[Plan]:
    """Yield the sensible plans of one ship, each legal as a whole: its moves and its switches.

    Every move is combined with every switch of the plant, the sensors and the cloak. The order
    in which thrust points are spent makes no difference, so each sum comes once; turrets, which
    never hinder anything, and deployments are left to the caller.
    """
    if view.stage.phase is not Phase.PLOT:
        return
    moves = tuple(_moves(view, ship))
    for switches in _switches(ship):
        for move in moves:
            plan = (*switches, *move)
            if check(view, plan) is None:
                yield plan


def move_examples(view: View, ship: OwnView) -> Iterator[orders.Order]:
    """Yield single orders that move the ship, some of which `check` may refuse."""
    yield from _turns(ship)
    for heading in thrust_headings(ship.facing):
        for points in _points(ship):
            yield orders.Thrust(ship=ship.id, to=(heading,) * points)
    yield from _landings(view, ship)
    yield orders.Lift(ship=ship.id)


def power_examples(ship: OwnView) -> Iterator[orders.Order]:
    """Yield the orders that switch the plant or the jammer to what it is not, nor will be.

    `check` refuses the second to a ship without a jammer.
    """
    runs = ship.powered or ship.starting
    yield orders.Power(ship=ship.id, on=not runs)
    yield orders.Power(ship=ship.id, on=runs, ecm=not ship.ecm)


def _moves(view: View, ship: OwnView) -> Iterator[Plan]:
    yield ()
    if ship.landed is not None:
        yield (orders.Lift(ship=ship.id),)
        return
    for turn in _turns(ship):
        yield (turn,)
    yield from _burns(ship)
    for landing in _landings(view, ship):
        yield (landing,)


def _turns(ship: OwnView) -> Iterator[orders.Turn]:
    """Yield the turns of a ship that does not thrust."""
    most = turn_steps_allowed(False, ship.crew.pilot, ship.powered or ship.starting)
    for steps in _to_either_side(most):
        if steps:
            yield orders.Turn(ship=ship.id, steps=steps)


def _to_either_side(most: int) -> range:
    return range(-most, most + 1)


def _points(ship: OwnView) -> range:
    return range(1, ship.thrust + 1)


def _burns(ship: OwnView) -> Iterator[Plan]:
    for steps in _to_either_side(THRUSTING_TURN_MOST):
        turn: Plan = (orders.Turn(ship=ship.id, steps=steps),) if steps else ()
        headings = thrust_headings(ship.facing.turned(steps))
        for points in _points(ship):
            for to in combinations_with_replacement(headings, points):
                yield (*turn, orders.Thrust(ship=ship.id, to=to))


def _landings(view: View, ship: OwnView) -> Iterator[orders.Land]:
    for planet in view.board.planets:
        for environs in planet.environs:
            yield orders.Land(ship=ship.id, body=planet.name, environs=environs.number)
    for asteroid in view.board.asteroids:
        for sector in Compass:
            yield orders.Land(ship=ship.id, body=asteroid.name, sector=sector)


def _switches(ship: OwnView) -> Iterator[Plan]:
    plant = next(power_examples(ship))
    for power in ((), (plant,)):
        yield power
        yield (*power, orders.Sensors(ship=ship.id, out=not ship.popped_out))
    if ship.cloak:
        yield (orders.Cloak(ship=ship.id, on=not ship.cloaked),)
