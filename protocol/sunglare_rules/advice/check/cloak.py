"""Checks of switching a cloak, of orders to cloaked ships, and of listening and sweeping.

Source: More Thrust cloaking field and cloak detection of 2001; cloak of our rule book, turn §5,
and the window DETECT, turn §4.
"""

from sunglare_protocol.orders import (
    Bombard,
    Cloak,
    Defend,
    Deploy,
    Land,
    Launch,
    Lift,
    Listen,
    Order,
    Power,
    Rotate,
    Sensors,
    Sweep,
)
from sunglare_protocol.refusals import Code, Rejected
from sunglare_protocol.views import OwnView
from sunglare_protocol.words.pieces import PieceKind
from sunglare_rules.advice.refusing import refused
from sunglare_rules.advice.seen.plotting import (
    cloaked_in_movement,
    deployed,
    first_of,
    orders_of,
    powered_in_movement,
)

_FOLDED = "A cloaked ship keeps its sensors folded."
_ONLY_FLIES = "A cloaked ship only turns, thrusts and drifts."


def cloak_problem(ship: OwnView, order: Cloak, orders: tuple[Order, ...]) -> Rejected | None:
    """Return why the cloak cannot be switched on, or None; it may always be switched off."""
    if not order.on:
        return None
    problem = _device_problem(ship)
    if problem is not None:
        return problem
    mine = orders_of(ship, orders)
    if not powered_in_movement(ship, mine):
        return refused(Code.ORDER_POWER, ".on")
    if deployed(ship, mine).landed is not None:
        return refused(Code.ORDER_LANDED, ".on")
    return None


def deploy_cloaked_problem(ship: OwnView, order: Deploy) -> Rejected | None:
    """Return why a ship cannot be deployed cloaked, or None."""
    stays = ship.cloaked and order.cloaked is not False
    if stays and order.landed is not None:
        return refused(Code.ORDER_LANDED, ".cloaked")
    if not order.cloaked:
        return None
    problem = _device_problem(ship, ".cloaked")
    if problem is not None:
        return problem
    if not ship.powered:
        return refused(Code.ORDER_POWER, ".cloaked")
    return None if order.landed is None else refused(Code.ORDER_LANDED, ".cloaked")


def under_cloak_problem(ship: OwnView, order: Order, orders: tuple[Order, ...]) -> Rejected | None:
    """Return why a ship that is cloaked in the coming movement cannot do this, or None."""
    if isinstance(order, Defend | Bombard):
        return refused(Code.ORDER_CLOAK, ".ship", _ONLY_FLIES) if ship.cloaked else None
    if not cloaked_in_movement(ship, orders_of(ship, orders)):
        return None
    match order:
        case Sensors():
            return refused(Code.ORDER_CLOAK, ".out", _FOLDED) if order.out else None
        case Power():
            return _switch_problem(order)
        case Rotate() | Land() | Lift() | Launch():
            return refused(Code.ORDER_CLOAK, "", _ONLY_FLIES)
        case _:
            return None


def detect_problem(
    ship: OwnView, order: Listen | Sweep, orders: tuple[Order, ...]
) -> Rejected | None:
    """Return why the ship cannot listen or sweep, or None: it is shown, powered and in space."""
    if ship.kind is not PieceKind.STARSHIP:
        return refused(Code.ORDER_SENSORS, ".ship", "Only a starship listens or sweeps.")
    if ship.cloaked:
        return refused(Code.ORDER_CLOAK, ".ship", "A cloaked ship can neither listen nor sweep.")
    if not ship.powered:
        return refused(Code.ORDER_POWER, ".ship")
    if ship.landed is not None:
        return refused(Code.ORDER_LANDED, ".ship")
    if isinstance(order, Sweep) and not ship.sensors:
        return refused(
            Code.ORDER_SENSORS, ".ship", "A ship without sensors for scans can only listen."
        )
    mine = orders_of(ship, orders)
    listens, sweeps = first_of(Listen, mine), first_of(Sweep, mine)
    if listens is None or sweeps is None:
        return None
    # The last of the two is carried out, so that a sweep must not be taken back unnoticed.
    is_last = mine.index(sweeps) > mine.index(listens)
    contradicts = listens.on if isinstance(order, Sweep) else not (listens.on or is_last)
    return (
        refused(Code.ORDER_TWICE, "", "A ship either listens or sweeps.") if contradicts else None
    )


def _switch_problem(order: Power) -> Rejected | None:
    if not order.on:
        return refused(Code.ORDER_CLOAK, ".on", _ONLY_FLIES)
    return None if order.ecm is None else refused(Code.ORDER_CLOAK, ".ecm", _ONLY_FLIES)


def _device_problem(ship: OwnView, field: str = ".on") -> Rejected | None:
    if not ship.cloak:
        return refused(Code.ORDER_CLOAK, field, "The ship's class has no cloak.")
    if not ship.cloak_works:
        return refused(Code.ORDER_CLOAK, field, "The ship's cloak is destroyed.")
    return None
