"""Plans for one ship: the consistent sets of orders that a PLOT offers it.

Source: none of its own; movement of our rule book, sensors §5 and turn §5.
"""

from collections.abc import Iterator
from functools import lru_cache, reduce
from itertools import combinations_with_replacement
from typing import NamedTuple

from sunglare_protocol import orders
from sunglare_protocol.geometry import Compass, Square, Vector
from sunglare_protocol.ids import OwnId
from sunglare_protocol.views import OwnView, View
from sunglare_protocol.words.ladder import Phase
from sunglare_rules.advice.check.check import check
from sunglare_rules.advice.seen.plotting import after_plot, deployed
from sunglare_rules.turn.movement import (
    THRUSTING_TURN_MOST,
    Flight,
    drifted,
    thrust_headings,
    turn_steps_allowed,
)

Plan = tuple[orders.Order, ...]
"""Orders for one ship that may stand together; an empty plan is to drift."""

_BURNS_KEPT = 1024
"""How many ships are remembered, by facing and drive, with the burns that they can make."""


def plots(view: View, ship: OwnView) -> Iterator[Plan]:
    """Yield the sensible plans of one ship, each legal as a whole: its moves and its switches.

    Every move is combined with every switch of the plant, the sensors and the cloak. The order
    in which thrust points are spent makes no difference, so each sum comes once; turrets, which
    never hinder anything, and deployments are left to the caller.
    """
    if view.stage.phase is not Phase.PLOT:
        return
    shapes = tuple(_shapes(view, ship))
    for switches in _switches(ship):
        for shape in shapes:
            if check(view, (*switches, *shape[0])) is None:
                yield from ((*switches, *move) for move in shape)


class Course(NamedTuple):
    """Orders for the movement of one ship, and the flight they lead to."""

    orders: Plan
    flight: Flight


class _Burn(NamedTuple):
    """Orders to turn and to thrust, how far thrust moves the ship, and how it then faces."""

    orders: Plan
    way: Vector
    facing: Compass


def courses(view: View, ship: OwnView, mine: Plan = ()) -> Iterator[Course]:
    """Yield those of its plans that consist of turns and thrust, the empty one first.

    They go with all else that `mine`, its orders so far, has.
    """
    if view.stage.phase is not Phase.PLOT:
        return
    others = tuple(order for order in mine if not isinstance(order, orders.Turn | orders.Thrust))
    here = deployed(ship, others)
    for plan in ((), *((turn,) for turn in _turns(here))):
        if check(view, (*others, *plan)) is None:
            yield Course(plan, after_plot(view, ship, (*others, *plan)))
    adrift = drifted(view.board, here.square, here.vector)
    for shape in _burns(here.id, here.facing, here.thrust):
        if check(view, (*others, *shape[0].orders)) is None:
            facing = shape[0].facing
            ways = dict.fromkeys([burn.way for burn in shape])
            flights = {way: _flown(here, adrift, way, facing) for way in ways}
            yield from (Course(burn.orders, flights[burn.way]) for burn in shape)


def _flown(ship: OwnView, adrift: Square, way: Vector, facing: Compass) -> Flight:
    end = adrift.moved(way)
    return Flight(end, ship.square.to(end), facing)


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


def _shapes(view: View, ship: OwnView) -> Iterator[tuple[Plan, ...]]:
    """Yield moves together that are equal to `check`, as they differ in headings alone."""
    yield ((),)
    if ship.landed is not None:
        yield ((orders.Lift(ship=ship.id),),)
        return
    for turn in _turns(ship):
        yield ((turn,),)
    for shape in _burns(ship.id, ship.facing, ship.thrust):
        yield tuple([burn.orders for burn in shape])
    for landing in _landings(view, ship):
        yield ((landing,),)


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


@lru_cache(maxsize=_BURNS_KEPT)
def _burns(ship: OwnId, facing: Compass, most: int) -> tuple[tuple[_Burn, ...], ...]:
    """Return every burn of up to `most` points, those of as many and after the same turn together.

    The directions that a burn may have follow from the turn, so one of them is as legal as all.
    """
    return tuple(
        tuple(_burns_so(ship, facing, steps, points))
        for steps in _to_either_side(THRUSTING_TURN_MOST)
        for points in range(1, most + 1)
    )


def _burns_so(ship: OwnId, facing: Compass, steps: int, points: int) -> Iterator[_Burn]:
    turn: Plan = (orders.Turn(ship=ship, steps=steps),) if steps else ()
    ahead = facing.turned(steps)
    for to in combinations_with_replacement(thrust_headings(ahead), points):
        way = reduce(Vector.plus, (heading.step for heading in to))
        yield _Burn((*turn, orders.Thrust(ship=ship, to=to)), way, ahead)


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
