"""Checks of launches, of redirected volleys, and of orders to a point defence.

Source: Full Thrust salvo missiles, fighters and point defence; fire of our rule book, turn §6;
for remote sensors Alpha Strike, "Remote Sensor Spotting"; blips §2.3.
"""

from sunglare_protocol.geometry import Board, Square
from sunglare_protocol.orders import Aim, Defend, Land, Launch, Lift, Order
from sunglare_protocol.refusals import Code, Rejected
from sunglare_protocol.views import OwnView, View, WeaponView
from sunglare_protocol.words.armament import Launchable, WeaponKind
from sunglare_protocol.words.pieces import PieceKind
from sunglare_rules.advice.refusing import refused
from sunglare_rules.advice.seen.plotting import (
    after_plot,
    deployed,
    first_of,
    orders_of,
    powered_in_movement,
)
from sunglare_rules.fire.missiles import AIM_MU, may_aim
from sunglare_rules.turn.scale import in_squares

VOLLEY_ORDERS = ("aim", "fire")
"""The words of the orders that a volley takes."""


def piece_problem(ship: OwnView, order: Order) -> Rejected | None:
    """Return why a piece of this kind takes no such order at all, or None.

    A volley is aimed and attacks, and does nothing else; a remote sensor takes no orders.
    """
    if ship.kind is PieceKind.REMOTE:
        return refused(Code.ORDER_PIECE)
    word = str(order.__struct_config__.tag)
    if (ship.kind is PieceKind.MISSILE) is (word in VOLLEY_ORDERS) or word == "fire":
        return None
    choices = VOLLEY_ORDERS if ship.kind is PieceKind.MISSILE else ()
    return refused(Code.ORDER_PIECE, choices=choices)


def launchers(ship: OwnView) -> tuple[WeaponView, ...]:
    """Return the working missile launchers of a ship; a volley has none."""
    if ship.kind is PieceKind.MISSILE:
        return ()
    return tuple(
        weapon for weapon in ship.weapons if weapon.works and weapon.kind is WeaponKind.SALVO
    )


def launch_problem(
    view: View, ship: OwnView, order: Launch, orders: tuple[Order, ...]
) -> Rejected | None:
    """Return why the ship cannot launch that, or None.

    Its plant must run in the movement, and its plot must end in space. OWN: one flight of
    fighters a turn.
    """
    mine = orders_of(ship, orders)
    if not powered_in_movement(ship, mine):
        return refused(Code.ORDER_POWER)
    if _ends_landed(ship, mine):
        return refused(Code.ORDER_LANDED)
    if order.what is Launchable.FIGHTER:
        return _fighter_problem(ship, order)
    if order.what is Launchable.REMOTE:
        return remote_problem(ship.dispensers, order, mine)
    if order.weapon not in [launcher.id for launcher in launchers(ship)]:
        choices = tuple(launcher.id for launcher in launchers(ship))
        return refused(Code.ORDER_LAUNCH, ".weapon", "Name a working launcher.", choices)
    if order.at is None:
        return refused(Code.ORDER_LAUNCH, ".at", "Name the square that the volley flies to.")
    return aim_square_problem(view.board, after_plot(view, ship, orders).square, order.at)


def aim_problem(view: View, ship: OwnView, order: Aim) -> Rejected | None:
    """Return why the volley cannot be sent there, or None."""
    return aim_square_problem(view.board, ship.square, order.at)


def aim_square_problem(board: Board, start: Square, at: Square) -> Rejected | None:
    """Return why a volley at `start` cannot be sent to `at`, or None."""
    if at not in board:
        return refused(Code.ORDER_PLACE, ".at", "Name a square of the map: x, then y.")
    if may_aim(start, at):
        return None
    detail = (
        f"The square is more than {in_squares(AIM_MU)} squares from {start.x},{start.y}, "
        "where the volley starts."
    )
    return refused(Code.ORDER_RANGE, ".at", detail)


def defend_problem(ship: OwnView, _order: Defend) -> Rejected | None:
    """Return why the ship's point defence takes no orders, or None."""
    return None if ship.point_defence else refused(Code.ORDER_DEFENCE, ".ship")


def _fighter_problem(ship: OwnView, order: Launch) -> Rejected | None:
    if not ship.flights:
        return refused(Code.ORDER_LAUNCH, ".what", "The ship has no fighters aboard.")
    if order.weapon or order.at is not None or order.cold:
        detail = "Name no weapon, square or cold launch for fighters."
        return refused(Code.ORDER_LAUNCH, "", detail)
    return None


def remote_problem(dispensers: int, order: Launch, mine: tuple[Order, ...]) -> Rejected | None:
    """Return why a piece cannot launch a remote sensor, or None: one for each dispenser."""
    if order.weapon or order.at is not None or order.cold:
        detail = "Name no weapon, square or cold launch for remote sensors."
        return refused(Code.ORDER_LAUNCH, "", detail)
    launched = [given for given in mine if isinstance(given, Launch) and given.what is order.what]
    if len(launched) <= dispensers:
        return None
    detail = f"The limit here is {dispensers} remote sensors a turn."
    return refused(Code.ORDER_LAUNCH, ".what", detail)


def _ends_landed(ship: OwnView, mine: tuple[Order, ...]) -> bool:
    if deployed(ship, mine).landed is not None:
        return first_of(Lift, mine) is None
    return first_of(Land, mine) is not None
