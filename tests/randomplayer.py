"""A random player: legal orders of one view that make ships meet, be found, tracked and hit."""

from collections.abc import Iterator
from random import Random

import msgspec

from sunglare_protocol.armament import DefencePolicy, Launchable, SystemAim
from sunglare_protocol.geometry import Box, Compass, Square, Vector, box_named, box_of
from sunglare_protocol.ladder import Phase
from sunglare_protocol.orders import (
    Aim,
    Bombard,
    Cloak,
    Defend,
    Deploy,
    Fire,
    Land,
    Launch,
    Lift,
    Listen,
    Order,
    Power,
    Probe,
    Rotate,
    Scan,
    Sensors,
    Sweep,
    Thrust,
    Turn,
)
from sunglare_protocol.people_orders import Mission
from sunglare_protocol.scanwords import ScanSize, ScanType
from sunglare_protocol.surface import Cell
from sunglare_protocol.views import OwnView, View
from sunglare_rules.advice.check import check
from sunglare_rules.advice.check_launch import launchers
from sunglare_rules.advice.check_scan import SCANS_A_TURN, place_name
from sunglare_rules.advice.legal import bombardments, holds, probes, shots
from sunglare_rules.advice.legal_ground import ground_examples
from sunglare_rules.advice.legal_people import people_examples
from sunglare_rules.advice.lookup import identified, ships_in_play
from sunglare_rules.advice.plotting import after_plot
from sunglare_rules.arcs import STANDARD_ARCS
from sunglare_rules.missiles import may_aim
from sunglare_rules.movement import Ending, drifted, ending, thrust_headings

TRIES = 12
"""How many random plans are looked at for one that is legal and not deadly."""

RECKLESS = 0.02
"""How often a plan that ends in a planet or off the map is kept all the same."""

FIRES = 0.75
"""How often a weapon that can fire does."""

SCANS = 0.9
"""How often a ship that may scan does."""

LAUNCHES = 0.6
"""How often what can be launched is, and a volley is sent elsewhere."""

CLOAKS = 0.25
"""How often a ship that can cloak, and is not, does; and how often it shows itself again."""

SWEEPS = 0.2
"""How often a ship that may sweep does, where there are cloaks."""

DEAF = 0.1
"""How often a ship is told not to listen."""

HOLDS = 0.7
"""How often a cloaked ship's weapon is held."""

SENSES = 0.5
"""How often a scan asks for the Sense roll; without it a contact stays a contact."""

AIMED = 0.7
"""How often a scan goes where something is held or remembered."""

ACTS = 0.4
"""How often an order for a character, or a search, is given."""

MARCHES = 0.6
"""How often an order for a ground unit that is tried is given."""
LAUNCHES = 0.3
"""How often a dispenser launches a remote sensor."""

JAMS = 0.15
"""How often a jammer is switched."""

FAR_OFF = 0.1
"""How often a ship asks about something whatever its distance."""

SIZES = (ScanSize.BOXES, ScanSize.BOX, ScanSize.SQUARES, ScanSize.SQUARE)
SIZE_WEIGHTS = (7, 8, 3, 1)
TYPES = (ScanType.VISUAL, ScanType.IR, ScanType.RADAR, ScanType.NEUTRINO, ScanType.MASS)
TYPE_WEIGHTS = (4, 3, 2, 2, 1)


def random_orders(rng: Random, view: View) -> tuple[Order, ...]:
    """Return random orders that `check` allows as one set in the open window."""
    match view.stage.phase:
        case Phase.PLOT:
            plans = (_plot(rng, view, ship) for ship in ships_in_play(view))
            flown = tuple(order for plan in plans for order in plan)
            moved = (*flown, *_on_the_ground(rng, view, flown))
            return (*moved, *_of_people(rng, view, moved))
        case Phase.SCAN:
            return _scans(rng, view)
        case Phase.ENGAGE:
            fired = (*_shots(rng, view), *_defences(rng, view))
            return (*fired, *_of_people(rng, view, fired))
        case Phase.DETECT:
            return (*_hunting(rng, view), *_probes(rng, view))
        case Phase.OVER:
            return ()


def _plot(rng: Random, view: View, ship: OwnView) -> tuple[Order, ...]:
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
                weapon=each.id,
                at=_aimed_at(rng, view, end),
                cold=rng.random() < 0.3,
            )
            for each in launchers(ship)
        ),
        Launch(ship=ship.id, what=Launchable.FIGHTER),
    ):
        given = (*plan, *found, order)
        if rng.random() < LAUNCHES and check(view, given) is None:
            found = (*found, order)
    return found


def _aimed_at(rng: Random, view: View, start: Square) -> Square:
    known = [each.square for each in view.contacts if may_aim(start, each.square)]
    around = rng.choice(known) if known and rng.random() < AIMED else start
    reach = 1 if known else 6
    return Square(around.x + rng.randint(-reach, reach), around.y + rng.randint(-reach, reach))


def _on_the_ground(rng: Random, view: View, before: tuple[Order, ...]) -> tuple[Order, ...]:
    """Return moves and stations of ground units that go together with what the ships do."""
    by_kind: dict[tuple[str, type[Order]], list[Order]] = {}
    for order in ground_examples(view):
        by_kind.setdefault((order.ship, type(order)), []).append(order)
    found: tuple[Order, ...] = ()
    for orders in by_kind.values():
        for order in rng.sample(orders, min(len(orders), 3)):
            if rng.random() < MARCHES and check(view, (*before, *found, order)) is None:
                found = (*found, order)
                break
    return found


def _of_people(rng: Random, view: View, before: tuple[Order, ...]) -> tuple[Order, ...]:
    """Return steps, missions, standing orders or searches that go together with the rest."""
    choices: dict[tuple[str, type[Order]], list[Order]] = {}
    for order in people_examples(view):
        choices.setdefault((order.ship, type(order)), []).append(order)
    found: tuple[Order, ...] = ()
    for orders in choices.values():
        if rng.random() >= ACTS:
            continue
        for order in rng.sample(orders, min(len(orders), 2)):
            if check(view, (*before, *found, order)) is None:
                found = (*found, _in_company(rng, view, order, (*before, *found)))
                break
    return found


def _in_company(rng: Random, view: View, order: Order, before: tuple[Order, ...]) -> Order:
    """Return a mission with another character on it, if one may come along."""
    if not isinstance(order, Mission) or rng.random() < 0.5:
        return order
    for person in view.people:
        joint = msgspec.structs.replace(order, others=(person.id,))
        if check(view, (*before, joint)) is None:
            return joint
    return order


def _survives(view: View, ship: OwnView, plan: tuple[Order, ...]) -> bool:
    # What lands or lifts off does so on purpose, though gravity would pull it down the turn after.
    if ship.landed is not None or any(isinstance(order, Land) for order in plan):
        return True
    flight = after_plot(view, ship, plan)
    later = drifted(view.board, flight.square, flight.vector)
    flies = (ending(view.board, each) is Ending.FLIES for each in (flight.square, later))
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
        if rng.random() < LAUNCHES:
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


def _scans(rng: Random, view: View) -> tuple[Order, ...]:
    ships = list(ships_in_play(view))
    rng.shuffle(ships)
    found: tuple[Order, ...] = ()
    for ship in ships:
        if len(found) == SCANS_A_TURN:
            break
        if rng.random() < SCANS:
            found = (*found, *_scan(rng, view, ship, found))
    return found


def _scan(rng: Random, view: View, ship: OwnView, before: tuple[Order, ...]) -> tuple[Order, ...]:
    habit = ship.habit
    for number in range(TRIES):
        size = rng.choices(SIZES, SIZE_WEIGHTS)[0]
        scan_type = rng.choices(TYPES, TYPE_WEIGHTS)[0]
        centre = _centre(rng, view, ship, size)
        if number == 0 and habit is not None and rng.random() < 0.4:
            size, scan_type, centre = habit.size, habit.type, habit.at
        if centre not in view.board:
            continue
        at, sense = place_name(size, centre), rng.random() < SENSES
        order = Scan(ship=ship.id, type=scan_type, size=size, at=at, sense=sense)
        if check(view, (*before, order)) is None:
            return (order,)
    return ()


def _centre(rng: Random, view: View, ship: OwnView, size: ScanSize) -> Square:
    known = [each.square for each in view.contacts if each.square in view.board]
    if known and rng.random() < AIMED:
        return rng.choice(known)
    if size in (ScanSize.SQUARE, ScanSize.SQUARES):
        middle = box_of(ship.square).centre
        return Square(middle.x + rng.randint(-5, 5), middle.y + rng.randint(-5, 5))
    return Box(rng.randrange(view.board.columns), rng.randrange(view.board.rows)).centre


def _probes(rng: Random, view: View) -> tuple[Order, ...]:
    by_ship: dict[str, list[Probe]] = {}
    for request in probes(view):
        by_ship.setdefault(request.ship, []).append(request)
    for ship in ships_in_play(view):
        # Some ask what is out of reach.
        far = [each.handle for each in identified(view) if each.handle is not None]
        if ship.powered and not ship.cloaked and far and rng.random() < FAR_OFF:
            by_ship[ship.id] = [Probe(ship=ship.id, at=rng.choice(far))]
    return tuple(rng.choice(each) for each in by_ship.values() if rng.random() < FIRES)


def _hunting(rng: Random, view: View) -> tuple[Order, ...]:
    found: tuple[Order, ...] = ()
    for ship in ships_in_play(view):
        order: Order | None = None
        if rng.random() < (SWEEPS if view.hunting.cloaks else SWEEPS / 10):
            order = Sweep(ship=ship.id)
        elif rng.random() < DEAF:
            order = Listen(ship=ship.id, on=rng.random() < 0.3)
        if order is not None and check(view, (*found, order)) is None:
            found = (*found, order)
    return found


def _shots(rng: Random, view: View) -> tuple[Order, ...]:
    fires = _fires(rng, view)
    firing = {(each.ship, each.weapon) for each in fires}
    kept = (each for each in holds(view) if (each.ship, each.weapon) not in firing)
    return (*fires, *(each for each in kept if rng.random() < HOLDS))


def _fires(rng: Random, view: View) -> tuple[Fire | Bombard, ...]:
    by_weapon: dict[tuple[str, str], list[Fire | Bombard]] = {}
    given: list[Fire | Bombard] = [*shots(view), *bombardments(view)]
    for shot in given:
        by_weapon.setdefault((shot.ship, shot.weapon), []).append(shot)
    chosen: tuple[Fire | Bombard, ...] = ()
    for each in by_weapon.values():
        shot = _varied(rng, view, rng.choice(each))
        if rng.random() < FIRES and check(view, (*chosen, shot)) is None:
            chosen = (*chosen, shot)
    return chosen


def _varied(rng: Random, view: View, shot: Fire | Bombard) -> Fire | Bombard:
    """Return the shot with a system named if it is one of a needle beam, or at a cell beside."""
    aimed: Fire | Bombard
    if isinstance(shot, Bombard):
        east, north = rng.choice(((0, 0), (0, 0), (1, 0), (0, -1)))
        cell = Cell(shot.cell.column + east, shot.cell.row + north)
        aimed = msgspec.structs.replace(shot, cell=cell)
        return aimed if check(view, (aimed,)) is None else shot
    aimed = msgspec.structs.replace(shot, system=rng.choice(list(SystemAim)))
    return aimed if check(view, (aimed,)) is None else shot


def _defences(rng: Random, view: View) -> tuple[Order, ...]:
    return tuple(
        Defend(ship=ship.id, policy=rng.choice(list(DefencePolicy)))
        for ship in ships_in_play(view)
        if ship.point_defence and rng.random() < 0.5
    )
