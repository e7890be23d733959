"""Checks a whole set of orders, as far as the sender's own view goes.

Source: the windows of the turn; turn of our rule book §4 to §7. What only hidden facts forbid is
allowed here and fails when it is carried out.
"""

from collections.abc import Iterator
from typing import NamedTuple, assert_never

from sunglare_protocol.ids import OwnId
from sunglare_protocol.orders import (
    Aim,
    Bombard,
    Cloak,
    Defend,
    Deploy,
    DetectOrder,
    Fire,
    Hold,
    Land,
    Launch,
    Lift,
    Listen,
    Order,
    PlotOrder,
    Power,
    Probe,
    Rotate,
    Scan,
    Sensors,
    Sweep,
    Thrust,
    Turn,
)
from sunglare_protocol.orders.agents import AgentOrder
from sunglare_protocol.orders.ground import GroundOrder, Move, Station
from sunglare_protocol.refusals import Code, Rejected
from sunglare_protocol.views import OwnView, View
from sunglare_protocol.words.armament import Launchable
from sunglare_rules.advice.check.agents import AGENTS_KINDS, agents_problem, takes_of_agents
from sunglare_rules.advice.check.bombard import bombard_problem, unit_bombard_problem
from sunglare_rules.advice.check.cloak import (
    cloak_problem,
    deploy_cloaked_problem,
    detect_problem,
    under_cloak_problem,
)
from sunglare_rules.advice.check.fire import fire_problem, hold_problem
from sunglare_rules.advice.check.ground import ground_problem, is_ground, unit_named
from sunglare_rules.advice.check.ground_fire import ground_fire_problem
from sunglare_rules.advice.check.landing import deploy_problem, land_problem, lift_problem
from sunglare_rules.advice.check.launch import (
    aim_problem,
    defend_problem,
    launch_problem,
    piece_problem,
)
from sunglare_rules.advice.check.plot import (
    power_problem,
    rotate_problem,
    sensors_problem,
    thrust_problem,
    turn_problem,
)
from sunglare_rules.advice.check.probe import probe_problem
from sunglare_rules.advice.check.scan import scan_count_problem, scan_problem, slot_problem
from sunglare_rules.advice.refusing import refused, under
from sunglare_rules.advice.seen.lookup import own_ship
from sunglare_rules.turn.windows import ALLOWED

ShipOrder = PlotOrder | Scan | DetectOrder | Probe | Fire | Hold | Bombard | Defend
"""The orders that a ship takes."""


def check(view: View, orders: tuple[Order, ...]) -> Rejected | None:
    """Return why the first order that is not allowed is refused, or None if all may stand.

    The orders are judged as one set, on the view alone. The refusal's path starts with
    `$.orders[i]`.
    """
    for index, beside in enumerate(_placed(orders)):
        problem = problem_beside(view, orders[index], beside)
        if problem is not None:
            return under(problem, f"$.orders[{index}]")
    return None


def takes(view: View, kind: type[Order]) -> bool:
    """Return whether the open window takes orders of this kind at all; deploy in turn 1 only."""
    if kind is Deploy and (view.stage.turn != 1 or not view.zone):
        return False
    if kind is Station and (view.stage.turn != 1 or not (view.ground or view.agents)):
        return False
    if kind is Move and not view.ground:
        return False
    if kind in AGENTS_KINDS and not takes_of_agents(view, kind):
        return False
    return kind in ALLOWED[view.stage.phase]


class Beside(NamedTuple):
    """The orders that an order stands with: all, those before it, and both for its piece alone.

    Most rules concern one piece; its own orders are kept at hand, as a fleet gives many. The two
    numbers are those of the order itself.
    """

    orders: tuple[Order, ...]
    position: int
    mine: tuple[Order, ...]
    number: int

    @property
    def before(self) -> tuple[Order, ...]:
        """Return the orders before it."""
        return self.orders[: self.position]

    @property
    def mine_before(self) -> tuple[Order, ...]:
        """Return those of its piece that stand before it."""
        return self.mine[: self.number]


def _placed(orders: tuple[Order, ...]) -> Iterator[Beside]:
    """Yield for each order those that it stands with."""
    if len(orders) == 1:  # the search for legal orders mostly tries one
        yield Beside(orders, 0, orders, 0)
        return
    mine: dict[OwnId, list[Order]] = {}
    for order in orders:
        mine.setdefault(order.ship, []).append(order)
    whole = {piece: tuple(given) for piece, given in mine.items()}
    passed = dict.fromkeys(whole, 0)
    for index, order in enumerate(orders):
        all_of_it, number = whole[order.ship], passed[order.ship]
        passed[order.ship] += 1
        yield Beside(orders, index, all_of_it, number)


def problem_beside(view: View, order: Order, beside: Beside) -> Rejected | None:
    """Return why an order is not allowed with others, or None."""
    closed = _window_problem(view, order)
    if closed is not None:
        return closed
    if isinstance(order, AgentOrder):
        return agents_problem(view, order, beside.before, beside.orders)
    if isinstance(order, GroundOrder) or is_ground(view, order):
        return _again_problem(order, beside) or _ground_problem(view, order, beside.orders)
    ship = own_ship(view, order.ship)
    if isinstance(ship, Rejected):
        return ship
    return (
        piece_problem(ship, order)
        or _again_problem(order, beside)
        or _kind_problem(view, ship, order, beside.mine)
    )


def _ground_problem(view: View, order: Order, orders: tuple[Order, ...]) -> Rejected | None:
    unit = unit_named(view, order.ship)
    if isinstance(order, Fire) and unit is not None:
        return ground_fire_problem(view, unit, order)
    if isinstance(order, Bombard) and unit is not None:
        return unit_bombard_problem(view, unit, order)
    if isinstance(order, Probe) and unit is not None:
        return probe_problem(view, unit, order)
    return ground_problem(view, order, orders)


def _window_problem(view: View, order: Order) -> Rejected | None:
    if not takes(view, type(order)):
        kinds = ALLOWED[view.stage.phase]
        choices = tuple(word for kind, word in kinds.items() if takes(view, kind))
        return refused(Code.ORDER_WINDOW, choices=choices)
    return slot_problem(view) if isinstance(order, Scan) else None


def _again_problem(order: Order, beside: Beside) -> Rejected | None:
    """Return why the order cannot stand with those before it: one of a kind for each ship.

    A turret, a weapon and a launcher count as a ship of their own; scans and remote sensors have
    counts of their own.
    """
    if isinstance(order, Scan):
        return scan_count_problem(order, beside.before)
    if not beside.number or _is_remote(order):
        return None
    if subject_of(order) in map(subject_of, beside.mine_before):
        return refused(Code.ORDER_TWICE)
    return None


def _is_remote(order: Order) -> bool:
    return isinstance(order, Launch) and order.what is Launchable.REMOTE


def subject_of(order: Order) -> tuple[type[Order], str | None]:
    """Return what an order is about, of all that its piece does."""
    part = None
    if isinstance(order, Bombard):
        # A weapon fires once a turn, at a piece or at a point.
        return Fire, order.weapon
    if isinstance(order, Rotate):
        part = order.turret
    elif isinstance(order, Fire | Hold):
        part = order.weapon
    elif isinstance(order, Launch):
        part = order.weapon or order.what.value
    return type(order), part


def _kind_problem(
    view: View, ship: OwnView, order: ShipOrder, orders: tuple[Order, ...]
) -> Rejected | None:
    hidden = under_cloak_problem(ship, order, orders)
    if hidden is not None:
        return hidden
    match order:  # The most frequent first.
        case Thrust() | Turn() | Land() | Lift():
            return _flight_problem(view, ship, order, orders)
        case Fire() | Hold():
            return _shot_problem(view, ship, order, orders)
        case Sensors() | Power() | Rotate() | Cloak() | Deploy():
            return _switch_problem(view, ship, order, orders)
        case Scan() | Listen() | Sweep() | Probe():
            return _search_problem(view, ship, order, orders)
        case Launch() | Aim() | Defend() | Bombard():
            return _ordnance_problem(view, ship, order, orders)
        case _:
            assert_never(order)


def _search_problem(
    view: View, ship: OwnView, order: Scan | Listen | Sweep | Probe, orders: tuple[Order, ...]
) -> Rejected | None:
    if isinstance(order, Scan):
        return scan_problem(view, ship, order)
    if isinstance(order, Probe):
        return probe_problem(view, ship, order)
    return detect_problem(ship, order, orders)


def _shot_problem(
    view: View, ship: OwnView, order: Fire | Hold, orders: tuple[Order, ...]
) -> Rejected | None:
    if isinstance(order, Hold):
        return hold_problem(view, ship, order)
    return fire_problem(view, ship, order, orders)


def _flight_problem(
    view: View, ship: OwnView, order: Turn | Thrust | Land | Lift, orders: tuple[Order, ...]
) -> Rejected | None:
    match order:
        case Turn():
            return turn_problem(ship, order, orders)
        case Thrust():
            return thrust_problem(ship, order, orders)
        case Land():
            return land_problem(view, ship, order, orders)
        case Lift():
            return lift_problem(ship, orders)
        case _:
            assert_never(order)


def _ordnance_problem(
    view: View,
    ship: OwnView,
    order: Launch | Aim | Defend | Bombard,
    orders: tuple[Order, ...],
) -> Rejected | None:
    match order:
        case Launch():
            return launch_problem(view, ship, order, orders)
        case Aim():
            return aim_problem(view, ship, order)
        case Defend():
            return defend_problem(ship, order)
        case Bombard():
            return bombard_problem(view, ship, order)
        case _:
            assert_never(order)


def _switch_problem(
    view: View,
    ship: OwnView,
    order: Deploy | Power | Sensors | Rotate | Cloak,
    orders: tuple[Order, ...],
) -> Rejected | None:
    match order:
        case Deploy():
            return deploy_problem(view, order) or deploy_cloaked_problem(ship, order)
        case Cloak():
            return cloak_problem(ship, order, orders)
        case Power():
            return power_problem(ship, order)
        case Sensors():
            return sensors_problem(ship, order, orders)
        case Rotate():
            return rotate_problem(ship, order)
        case _:
            assert_never(order)
