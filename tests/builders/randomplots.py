"""Random legal orders for the plot of a ship: flight, launches, aims, switches, landings."""

from collections.abc import Iterator
from random import Random

from sunglare_protocol.geometry import Compass, Square, Vector, box_named
from sunglare_protocol.orders import (
    Aim,
    Cloak,
    Deploy,
    Land,
    Launch,
    Lift,
    Order,
    Power,
    Rotate,
    Sensors,
    Thrust,
    Turn,
)
from sunglare_protocol.surface import Cell
from sunglare_protocol.views import OwnView, View
from sunglare_protocol.words.armament import Launchable
from sunglare_rules.advice.check.check import check
from sunglare_rules.advice.check.launch import launchers
from sunglare_rules.advice.seen.plotting import after_plot
from sunglare_rules.arcs.arcs import STANDARD_ARCS
from sunglare_rules.fire.missiles import may_aim
from sunglare_rules.turn.movement import MoveEnding, drifted, ending, thrust_headings

TRIES = 12
"""How many random plans are looked at for one that is legal and not deadly."""

RECKLESS = 0.02
"""How often a plan that ends in a planet or off the map is kept all the same."""

LAUNCHES = 0.3
"""How often what can be launched is, and a volley is sent elsewhere."""

REMOTES = 0.3
"""How often a dispenser launches a remote sensor."""

CLOAKS = 0.25
"""How often a ship that can cloak, and is not, does; and how often it shows itself again."""

AIMED = 0.7
"""How often a scan goes where something is held or remembered."""
JAMS = 0.15
"""How often a jammer is switched."""


def ship_plot(rng: Random, view: View, ship: OwnView) -> tuple[Order, ...]:
    """Return what a ship does in PLOT: a flight and launches, or the aim of a volley."""
    if ship.volley is not None:
        return _aim(rng, view, ship)
    plan = _flight_plan(rng, view, ship)
    return (*plan, *_launches(rng, view, ship, plan))


def _flight_plan(rng: Random, view: View, ship: OwnView) -> tuple[Order, ...]:
    for _ in range(TRIES):
        plan = tuple(_plan(rng, view, ship))
        if check(view, plan) is None and (_survives(view, ship, plan) or rng.random() < RECKLESS):
            return plan
    return ()


def _aim(rng: Random, view: View, ship: OwnView) -> tuple[Order, ...]:
    """Return an aim of a volley, by chance none; missiles may end in a planet."""
    for _ in range(TRIES):
        order = Aim(ship=ship.id, at=_aimed_at(rng, view, ship.square))
        if rng.random() < LAUNCHES and check(view, (order,)) is None:
            return (order,)
    return ()


def _launches(
    rng: Random, view: View, ship: OwnView, plan: tuple[Order, ...]
) -> tuple[Order, ...]:
    end = after_plot(view, ship, plan).square
    found: tuple[Order, ...] = ()
    for order in (
        *(
            Launch(
                ship=ship.id,
                what=Launchable.MISSILES,
                weapon=launcher.id,
                at=_aimed_at(rng, view, end),
                cold=rng.random() < 0.3,
            )
            for launcher in launchers(ship)
        ),
        Launch(ship=ship.id, what=Launchable.FIGHTER),
    ):
        given = (*plan, *found, order)
        if rng.random() < LAUNCHES and check(view, given) is None:
            found = (*found, order)
    return found


def _aimed_at(rng: Random, view: View, start: Square) -> Square:
    known = [contact.square for contact in view.contacts if may_aim(start, contact.square)]
    around = rng.choice(known) if known and rng.random() < AIMED else start
    reach = 1 if known else 6
    return Square(around.x + rng.randint(-reach, reach), around.y + rng.randint(-reach, reach))


def _survives(view: View, ship: OwnView, plan: tuple[Order, ...]) -> bool:
    # What lands or lifts off does so on purpose, though gravity would pull it down the turn after.
    if ship.landed is not None or any(isinstance(order, Land) for order in plan):
        return True
    flight = after_plot(view, ship, plan)
    later = drifted(view.board, flight.square, flight.vector)
    flies = (ending(view.board, square) is MoveEnding.FLIES for square in (flight.square, later))
    return all(flies)


def _plan(rng: Random, view: View, ship: OwnView) -> Iterator[Order]:
    if view.zone and rng.random() < 0.7:
        yield _deployment(rng, view, ship)
    yield from _switches(rng, ship)
    if ship.landed is not None:
        if rng.random() < 0.5:
            yield Lift(ship=ship.id)
        return
    landing = _landing(rng, view, ship)
    if landing is not None:
        yield landing
        return
    yield from _flight(rng, ship)


def _deployment(rng: Random, view: View, ship: OwnView) -> Deploy:
    centre = box_named(rng.choice(view.zone)).centre
    at = Square(centre.x + rng.randint(-2, 2), centre.y + rng.randint(-2, 2))
    vector = Vector(rng.randint(-1, 1), rng.randint(-1, 1))
    cloaked = rng.choice((None, True, False)) if ship.cloak else None
    facing = rng.choice(list(Compass))
    return Deploy(ship=ship.id, at=at, vector=vector, facing=facing, cloaked=cloaked)


def _switches(rng: Random, ship: OwnView) -> Iterator[Order]:
    runs = ship.powered or ship.starting
    if rng.random() < (0.06 if runs else 0.5):
        yield Power(ship=ship.id, on=not runs)
    elif ship.ecm is not None and rng.random() < JAMS:
        yield Power(ship=ship.id, on=runs, ecm=not ship.ecm)
    cloaked = ship.cloaked
    if ship.cloak and rng.random() < CLOAKS:
        cloaked = not cloaked
        yield Cloak(ship=ship.id, on=cloaked)
    if ship.landed is None and rng.random() < (0.06 if ship.popped_out else 0.6):
        yield Sensors(ship=ship.id, out=not ship.popped_out and not cloaked)
    yield from _outfit(rng, ship)


def _outfit(rng: Random, ship: OwnView) -> Iterator[Order]:
    for _ in range(0 if ship.cloaked else ship.dispensers):
        if rng.random() < REMOTES:
            yield Launch(ship=ship.id, what=Launchable.REMOTE)
    for turret in ship.turrets:
        others = [arc for arc in STANDARD_ARCS if arc not in turret.arcs]
        if others and rng.random() < 0.2:
            yield Rotate(ship=ship.id, turret=turret.id, to=rng.choice(others))


def _landing(rng: Random, view: View, ship: OwnView) -> Land | None:
    """Return a landing that may be legal, if the ship is near enough to a body."""
    for asteroid in view.board.asteroids:
        if asteroid.at == ship.square and rng.random() < 0.4:
            return Land(ship=ship.id, body=asteroid.name, sector=rng.choice(list(Compass)))
    for planet in view.board.planets:
        if planet.environs and planet.at.distance_squared(ship.square) <= 8:
            place = rng.choice(planet.environs)
            cell = Cell(rng.randrange(place.columns), rng.randrange(place.rows))
            at = None if rng.random() < 0.5 else cell
            return Land(ship=ship.id, body=planet.name, environs=place.number, cell=at)
    return None


def _flight(rng: Random, ship: OwnView) -> Iterator[Order]:
    steps = rng.choice((-2, -1, -1, 0, 0, 0, 1, 1, 2))
    points = rng.randint(0, ship.thrust) if rng.random() < 0.6 else 0
    if points:
        steps = max(-1, min(1, steps))
    if steps:
        yield Turn(ship=ship.id, steps=steps)
    if points:
        headings = thrust_headings(ship.facing.turned(steps))
        yield Thrust(ship=ship.id, to=tuple(rng.choice(headings) for _ in range(points)))
