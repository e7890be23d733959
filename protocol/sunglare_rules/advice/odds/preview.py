"""Preview of what a scan would show all other sides, before it is declared.

Source: Intercept sensors part 2, the questions and the three examples; sensors of our rule book
§5 and §6. From the own ship and the public map alone.
"""

from sunglare_protocol.geometry import Square
from sunglare_protocol.messages.answers import ScanPreview
from sunglare_protocol.orders import Scan
from sunglare_protocol.refusals import Rejected
from sunglare_protocol.views import HabitView, OwnView, View
from sunglare_rules.advice.check.scan import centre_named, place_refused, scan_problem
from sunglare_rules.advice.seen.lookup import own_ship, place_of
from sunglare_rules.sensors.areas import scan_area
from sunglare_rules.sensors.questions import answers, candidate_steps
from sunglare_rules.sensors.scans import (
    ScanHabit,
    declared_strength,
    effective_strength,
    integration,
)
from sunglare_rules.sensors.signatures import CONTACT_SIGNAL


def preview(view: View, order: Scan) -> ScanPreview | Rejected:
    """Return what declaring the scan now would disclose and find, or why it cannot be made.

    The open window is not looked at, so that a player may ask at any time. A radar scan also gives
    the ship's square away, whatever the answers leave.
    """
    ship = own_ship(view, order.ship)
    if isinstance(ship, Rejected):
        return ship
    problem = scan_problem(view, ship, order)
    centre = centre_named(view.board, order.size, order.at)
    if problem is not None or centre is None:
        return problem or place_refused(order.size)
    area = scan_area(view.board, order.size, centre)
    given = answers(view.board, place_of(ship), area)
    declared = _declared(view, ship, order, centre)
    effective = effective_strength(declared, order.type, given.glare, view.board.sunfactor)
    steps = candidate_steps(view.board, area, given, order.size, centre)
    return ScanPreview(
        ship=ship.id,
        strength=declared,
        effective=effective,
        finds_from=CONTACT_SIGNAL - effective,
        answers=given,
        candidates=(steps.start, steps.after_glare, steps.after_well, steps.after_blocked),
    )


def _declared(view: View, ship: OwnView, order: Scan, centre: Square) -> int:
    turn, habit = view.stage.turn, _habit(ship.habit)
    repeated = integration(habit, turn, ship.square, order.type, order.size, centre)
    return declared_strength(ship.sensors.get(order.type, 0), order.size, repeated)


def _habit(seen: HabitView | None) -> ScanHabit | None:
    if seen is None:
        return None
    return ScanHabit(
        turn=seen.turn,
        square=seen.square,
        type=seen.type,
        size=seen.size,
        at=seen.at,
        streak=seen.streak,
    )
