"""Checks of orders to turn, thrust, switch and rotate.

Source: Intercept sensors part 2 and X-Wing 2.0, "Rotate"; movement of our rule book, sensors §5
and turn §5, and arcs §2. Each function looks at the ship as the same set of orders deploys it.
"""

from sunglare_protocol.orders import Land, Order, Power, Rotate, Sensors, Thrust, Turn
from sunglare_protocol.refusals import Code, Rejected
from sunglare_protocol.views import OwnView, TurretView
from sunglare_protocol.words.pieces import PieceKind
from sunglare_rules.advice.refusing import refused
from sunglare_rules.advice.seen.plotting import (
    deployed,
    facing_after_turn,
    first_of,
    is_thrusting,
    orders_of,
    powered_in_movement,
)
from sunglare_rules.arcs.arcs import STANDARD_ARCS
from sunglare_rules.arcs.turrets import RotationError, rotated
from sunglare_rules.turn.movement import thrust_headings, turn_steps_allowed


def turn_problem(ship: OwnView, order: Turn, orders: tuple[Order, ...]) -> Rejected | None:
    """Return why the ship cannot turn like that, or None.

    Thrust and a cold plant leave it one step; otherwise the pilot's skill adds to that.
    """
    mine = orders_of(ship, orders)
    if deployed(ship, mine).landed is not None:
        return refused(Code.ORDER_LANDED)
    powered = powered_in_movement(ship, mine)
    most = turn_steps_allowed(is_thrusting(mine), ship.crew.pilot, powered)
    if abs(order.steps) <= most:
        return None
    choices = tuple(str(steps) for steps in range(-most, most + 1))
    detail = f"The limit is {most} times 45 degrees."
    return refused(Code.ORDER_TURN, ".steps", detail, choices)


def thrust_problem(ship: OwnView, order: Thrust, orders: tuple[Order, ...]) -> Rejected | None:
    """Return why the ship cannot thrust like that, or None; no points at all are always fine.

    Every point goes into the facing that the turn leaves, or 45 degrees off it.
    """
    mine = orders_of(ship, orders)
    here = deployed(ship, mine)
    if here.landed is not None:
        return refused(Code.ORDER_LANDED)
    if not order.to:
        return None
    if not powered_in_movement(ship, mine):
        return refused(Code.ORDER_POWER)
    if len(order.to) > ship.thrust:
        return refused(Code.ORDER_THRUST, ".to", f"The drive gives {ship.thrust}.")
    headings = thrust_headings(facing_after_turn(here, mine))
    for index, heading in enumerate(order.to):
        if heading not in headings:
            choices = tuple(choice.value for choice in headings)
            detail = "Thrust goes ahead, or 45 degrees to either side."
            return refused(Code.ORDER_THRUST, f".to[{index}]", detail, choices)
    return None


def power_problem(ship: OwnView, order: Power) -> Rejected | None:
    """Return why the ship cannot be switched like that, or None.

    A plant may be switched at any time, also to what it is already; a jammer if it works.
    """
    if order.ecm is None or ship.ecm is not None:
        return None
    return refused(Code.ORDER_ECM, ".ecm")


def sensors_problem(ship: OwnView, order: Sensors, orders: tuple[Order, ...]) -> Rejected | None:
    """Return why the sensors cannot be popped out, or None; they may always be folded.

    On the ground they stay folded, from the landing to the end of the move that lifts off.
    """
    if not order.out:
        return None
    if ship.kind is PieceKind.FIGHTER:
        return refused(Code.ORDER_SENSORS, ".out", "A fighter has no sensors to unfold.")
    if not ship.hull_sensors_work:
        return refused(Code.ORDER_SENSORS, ".out", "The sensors on the hull are destroyed.")
    mine = orders_of(ship, orders)
    if deployed(ship, mine).landed is not None or first_of(Land, mine) is not None:
        return refused(Code.ORDER_SENSORS, ".out", "A landed ship keeps its sensors folded.")
    return None


def rotate_problem(ship: OwnView, order: Rotate) -> Rejected | None:
    """Return why the turret cannot be rotated like that, or None; it must point elsewhere."""
    turret = next((fitted for fitted in ship.turrets if fitted.id == order.turret), None)
    if turret is None:
        choices = tuple(choice.id for choice in ship.turrets)
        return refused(Code.ORDER_TURRET, ".turret", "The ship has no such turret.", choices)
    try:
        rotated(turret.kind, turret.arcs, order.to)
    except RotationError:
        choices = rotations(turret)
        return refused(
            Code.ORDER_TURRET, ".to", "Name other arcs than the turret points to now.", choices
        )
    return None


def rotations(turret: TurretView) -> tuple[str, ...]:
    """Return the words for the arcs to which the turret may be rotated."""
    return tuple(arc.value for arc in STANDARD_ARCS if arc not in turret.arcs)
