"""A random player: legal orders of one view that make ships meet, be found, tracked and hit."""

from collections.abc import Iterator
from random import Random

import msgspec

from builders.randomplots import AIMED, TRIES, ship_plot
from sunglare_protocol.geometry import Box, Square, box_of
from sunglare_protocol.orders import (
    Bombard,
    Defend,
    Fire,
    Listen,
    Order,
    Probe,
    Scan,
    Sweep,
)
from sunglare_protocol.orders.agents import Mission
from sunglare_protocol.surface import Cell, GroundKind
from sunglare_protocol.views import OwnView, View
from sunglare_protocol.words.armament import DefencePolicy, SystemAim
from sunglare_protocol.words.ladder import Phase
from sunglare_protocol.words.scans import ScanSize, ScanType
from sunglare_rules.advice.check.check import check
from sunglare_rules.advice.check.ground_bodies import tokens
from sunglare_rules.advice.check.probe import known_tokens
from sunglare_rules.advice.check.scan import SCANS_A_TURN, place_name
from sunglare_rules.advice.legal.agents import agents_examples
from sunglare_rules.advice.legal.ground import ground_examples
from sunglare_rules.advice.legal.legal import bombardments, holds, probes, shots
from sunglare_rules.advice.seen.lookup import identified, ships_in_play

FIRES = 0.75
"""How often a weapon that can fire does."""

SCANS = 0.9
"""How often a ship that may scan does."""

SWEEPS = 0.2
"""How often a ship that may sweep does, where there are cloaks."""

DEAF = 0.1
"""How often a ship is told not to listen."""

HOLDS = 0.7
"""How often a cloaked ship's weapon is held."""

SENSES = 0.5
"""How often a scan asks for the Sense roll; without it a contact stays a contact."""

ACTS = 0.4
"""How often an order for an agent, or a search, is given."""

MARCHES = 0.6
"""How often an order for a ground unit that is tried is given."""

FAR_OFF = 0.1
"""How often a ship or ground unit asks about something whatever its distance."""

SIZES = (ScanSize.BOXES, ScanSize.BOX, ScanSize.SQUARES, ScanSize.SQUARE)
SIZE_WEIGHTS = (7, 8, 3, 1)
TYPES = (ScanType.VISUAL, ScanType.IR, ScanType.RADAR, ScanType.NEUTRINO, ScanType.MASS)
TYPE_WEIGHTS = (4, 3, 2, 2, 1)


def random_orders(rng: Random, view: View) -> tuple[Order, ...]:
    """Return random orders that `check` allows as one set in the open window."""
    match view.stage.phase:
        case Phase.PLOT:
            plans = (ship_plot(rng, view, ship) for ship in ships_in_play(view))
            flown = tuple(order for plan in plans for order in plan)
            moved = (*flown, *_on_the_ground(rng, view, flown))
            return (*moved, *_of_agents(rng, view, moved))
        case Phase.SCAN:
            return _scans(rng, view)
        case Phase.ENGAGE:
            fired = (*_shots(rng, view), *_defences(rng, view))
            return (*fired, *_of_agents(rng, view, fired))
        case Phase.DETECT:
            return (*_hunting(rng, view), *_probes(rng, view))
        case Phase.OVER:
            return ()


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


def _of_agents(rng: Random, view: View, before: tuple[Order, ...]) -> tuple[Order, ...]:
    """Return steps, missions, standing orders or searches that go together with the rest."""
    choices: dict[tuple[str, type[Order]], list[Order]] = {}
    for order in agents_examples(view):
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
    """Return a mission with another agent on it, if one may come along."""
    if not isinstance(order, Mission) or rng.random() < 0.5:
        return order
    for agent in view.agents:
        joint = msgspec.structs.replace(order, others=(agent.id,))
        if check(view, (*before, joint)) is None:
            return joint
    return order


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
    known = [contact.square for contact in view.contacts if contact.square in view.board]
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
    for unit in view.ground:
        known = [token.handle for token in known_tokens(view, unit) if token.handle is not None]
        if unit.kind is not GroundKind.REMOTE and known and rng.random() < FAR_OFF:
            by_ship[unit.id] = [Probe(ship=unit.id, at=rng.choice(known))]
    for ship in ships_in_play(view):
        # Some ask what is out of reach.
        far = [contact.handle for contact in identified(view) if contact.handle is not None]
        if ship.powered and not ship.cloaked and far and rng.random() < FAR_OFF:
            by_ship[ship.id] = [Probe(ship=ship.id, at=rng.choice(far))]
    return tuple(rng.choice(asked) for asked in by_ship.values() if rng.random() < FIRES)


def _hunting(rng: Random, view: View) -> tuple[Order, ...]:
    found: tuple[Order, ...] = ()
    for ship in ships_in_play(view):
        order: Order | None = None
        if rng.random() < (SWEEPS if view.cloak_rules.cloaks else SWEEPS / 10):
            order = Sweep(ship=ship.id)
        elif rng.random() < DEAF:
            order = Listen(ship=ship.id, on=rng.random() < 0.3)
        if order is not None and check(view, (*found, order)) is None:
            found = (*found, order)
    return found


def _shots(rng: Random, view: View) -> tuple[Order, ...]:
    fires = _fires(rng, view)
    firing = {(order.ship, order.weapon) for order in fires}
    kept = (hold for hold in holds(view) if (hold.ship, hold.weapon) not in firing)
    return (*fires, *(hold for hold in kept if rng.random() < HOLDS))


def _fires(rng: Random, view: View) -> tuple[Fire | Bombard, ...]:
    by_weapon: dict[tuple[str, str], list[Fire | Bombard]] = {}
    given: list[Fire | Bombard] = [*shots(view), *_at_tokens(view), *bombardments(view)]
    for shot in dict.fromkeys(given):
        by_weapon.setdefault((shot.ship, shot.weapon), []).append(shot)
    chosen: tuple[Fire | Bombard, ...] = ()
    for choices in by_weapon.values():
        shot = _varied(rng, view, rng.choice(choices))
        if rng.random() < FIRES and check(view, (*chosen, shot)) is None:
            chosen = (*chosen, shot)
    return chosen


def _at_tokens(view: View) -> Iterator[Fire]:
    """Yield every attack on a token that is allowed, those too that what is unknown may spoil."""
    for unit in view.ground:
        held = () if unit.site is None else tokens(view, unit.site)
        shots = (
            Fire(ship=unit.id, weapon=w.id, at=token.handle)
            for w in unit.weapons
            for token in held
        )
        yield from (shot for shot in shots if check(view, (shot,)) is None)


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
