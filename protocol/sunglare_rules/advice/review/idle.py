"""The pieces that could act in the open window and do not, and what they could use.

Source: none of its own; the windows of the turn, turn §4, and what each piece may do in them.
"""

from collections.abc import Iterable, Iterator

import msgspec

from sunglare_protocol.ids import OwnId
from sunglare_protocol.messages.answers import Idle
from sunglare_protocol.orders import (
    Listen,
    Mission,
    Move,
    Order,
    Probe,
    Scan,
    Search,
)
from sunglare_protocol.views import OwnView, View
from sunglare_protocol.words.ladder import Fate, Phase
from sunglare_protocol.words.pieces import PieceKind
from sunglare_protocol.words.review import IdleKind
from sunglare_protocol.words.scans import ScanType
from sunglare_rules.advice.check.agents import search_site
from sunglare_rules.advice.check.check import check
from sunglare_rules.advice.check.cloak import detect_problem
from sunglare_rules.advice.check.scan import SCANS_A_TURN, sensor_problem, slot_problem
from sunglare_rules.advice.legal.agents import missions_of, searches, steps_of
from sunglare_rules.advice.legal.ground import moves_of
from sunglare_rules.advice.legal.legal import probes, shots
from sunglare_rules.advice.odds.after import after
from sunglare_rules.advice.seen.agents import free_agents
from sunglare_rules.advice.seen.lookup import ships_in_play


def idle(view: View, orders: tuple[Order, ...]) -> tuple[Idle, ...]:
    """Return what these orders of the open window leave undone.

    PLOT: ships without any order, which can at least turn, and ships that will have no sensor;
    ground units on their feet and agents on their own without an order. SCAN: ships
    that could scan while the side has scans left. DETECT: requests for data. ENGAGE: weapons
    that could be fired at a piece held, and searches. Standing by is no idleness of volleys,
    landed ships, units in hiding and agents with troops; nor has a nova gun a target.
    """
    match view.stage.phase:
        case Phase.PLOT:
            still = _without_order(view, orders)
            unmoved = [Idle(piece=ship.id, kind=IdleKind.NO_ORDER) for ship in still]
            ships = (*unmoved, *_blind_ships(view, orders))
            return (*ships, *_unmoved_units(view, orders), *_unmoved_agents(view, orders))
        case Phase.SCAN:
            return tuple(_unscanning(view, orders))
        case Phase.DETECT:
            return tuple(_unasking(view, orders))
        case Phase.ENGAGE:
            return (*_unused_weapons(view, orders), *_unsearching(view, orders))
        case Phase.OVER:
            return ()


def all_idle(view: View, undone: tuple[Idle, ...], orders: tuple[Order, ...]) -> bool:
    """Return whether no ship that could act has an order; `undone` is what `idle` returns.

    Where no ship could act, return it of ground units and agents.
    """
    able = [found.piece for found in undone if found.kind is not IdleKind.NO_SENSOR]
    ships = [ship.id for ship in ships_in_play(view)]
    if any(piece in ships for piece in able):
        return not any(order.ship in ships for order in orders)
    return bool(able) and not orders


def _without_order(view: View, orders: tuple[Order, ...]) -> Iterator[OwnView]:
    """Yield the ships without an order, but for volleys and for landed ones, which stand by."""
    busy = [order.ship for order in orders]
    for ship in ships_in_play(view):
        stands_by = ship.landed is not None or ship.kind is PieceKind.MISSILE
        if not stands_by and ship.id not in busy:
            yield ship


def _takes_any(view: View, wishes: Iterable[Order]) -> bool:
    """Return whether one of these orders is allowed by itself."""
    return any(check(view, (wish,)) is None for wish in wishes)


def _blind_ships(view: View, orders: tuple[Order, ...]) -> Iterator[Idle]:
    """Yield the ships that, after their move, can neither scan by a sensor of theirs nor listen.

    Those that are cloaked or landed by then are left out: they gave that up.
    """
    then = after(view, orders)
    for ship in ships_in_play(then):
        is_up = ship.kind is PieceKind.STARSHIP and not ship.cloaked and ship.landed is None
        if is_up and ship.sensors and not (_can_scan(ship) or _can_listen(then, ship)):
            folded = _can_scan(msgspec.structs.replace(ship, popped_out=True))
            yield Idle(piece=ship.id, kind=IdleKind.NO_SENSOR, folded=folded)


def _can_scan(ship: OwnView) -> bool:
    """Return whether a sensor that the ship has works."""
    return any(ship.sensors.get(kind) and sensor_problem(ship, kind) is None for kind in ScanType)


def _can_listen(view: View, ship: OwnView) -> bool:
    """Return whether the ship can listen for cloaked ships, if there can be any."""
    return view.cloak_rules.cloaks and detect_problem(ship, Listen(ship=ship.id), ()) is None


def _unmoved_units(view: View, orders: tuple[Order, ...]) -> Iterator[Idle]:
    busy = [order.ship for order in orders]
    for unit in view.ground:
        if unit.fate is Fate.IN_PLAY and not unit.hidden and unit.id not in busy:
            leave = Move(ship=unit.id, unload=True)
            if _takes_any(view, (leave, *moves_of(view, unit))):
                yield Idle(piece=unit.id, kind=IdleKind.NO_ORDER)


def _unmoved_agents(view: View, orders: tuple[Order, ...]) -> Iterator[Idle]:
    busy = [order.ship for order in orders]
    busy += [name for order in orders if isinstance(order, Mission) for name in order.others]
    for agent in free_agents(view):
        if agent.stacked is not None or agent.id in busy:
            continue
        if _takes_any(view, (*steps_of(view, agent), *missions_of(view, agent))):
            yield Idle(piece=agent.id, kind=IdleKind.NO_ORDER)


def _unscanning(view: View, orders: tuple[Order, ...]) -> Iterator[Idle]:
    made = sum(isinstance(order, Scan) for order in orders)
    if made >= SCANS_A_TURN or slot_problem(view) is not None:
        return
    for ship in _without_order(view, orders):
        if _can_scan(ship):
            yield Idle(piece=ship.id, kind=IdleKind.NO_ORDER)


def _unasking(view: View, orders: tuple[Order, ...]) -> Iterator[Idle]:
    """Yield the pieces without an order that could request data which no order requests."""
    passed = [order.ship for order in orders]
    asked = [order.at for order in orders if isinstance(order, Probe)]
    for request in probes(view):
        if request.ship not in passed and request.at not in asked:
            passed.append(request.ship)
            yield Idle(piece=request.ship, kind=IdleKind.NO_ORDER, at=request.at)


def _unused_weapons(view: View, orders: tuple[Order, ...]) -> Iterator[Idle]:
    """Yield each weapon that could fire at something held, given these orders, at the first."""
    found: list[tuple[OwnId, str]] = []
    volleys = [ship.id for ship in view.own if ship.kind is PieceKind.MISSILE]
    for shot in shots(view):
        weapon = (shot.ship, shot.weapon)
        if shot.at is None or shot.ship in volleys or weapon in found:
            continue
        # A weapon that has an order takes no second one, as `check` says.
        mine = tuple(order for order in orders if order.ship == shot.ship)
        if not mine or check(view, (*mine, shot)) is None:
            found.append(weapon)
            kind = IdleKind.WEAPON_UNUSED
            yield Idle(piece=shot.ship, kind=kind, weapon=shot.weapon, at=shot.at)


def _unsearching(view: View, orders: tuple[Order, ...]) -> Iterator[Idle]:
    """Yield a piece of each environs that could be searched and is not."""
    searched = [search_site(view, order.ship) for order in orders if isinstance(order, Search)]
    for search in searches(view):
        site = search_site(view, search.ship)
        if site not in searched and check(view, (search,)) is None:
            searched.append(site)
            yield Idle(piece=search.ship, kind=IdleKind.NO_ORDER)
