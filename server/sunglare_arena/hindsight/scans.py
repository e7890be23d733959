"""Why a scan of a finished match found a piece or did not.

Source: sensors of our rule book §5 and §6, turn §3. From the events that the resolvers
made, and from the truth as it was before each.
"""

from collections.abc import Sequence

from sunglare_arena.hindsight.distances import blockers
from sunglare_protocol.geometry import box_named
from sunglare_protocol.ids import Side
from sunglare_protocol.word import spoken
from sunglare_rules.sensors.areas import scan_area
from sunglare_rules.sensors.questions import valid
from sunglare_rules.sensors.scans import SENSE_TARGET
from sunglare_rules.sensors.signatures import signals
from sunglare_server.match.events.space import Event, ScanDeclared, ScanFinished, ShipExamined
from sunglare_server.match.resolve.scanning import emitter_of, sunfactor_of
from sunglare_server.match.truth.truth import ShipTruth, Truth

SCAN_RULE = "(sensors §5)"
SIGHT_RULE = "(sensors §2)"


def scan_line(truth: Truth, declared: ScanDeclared, told: Sequence[Event], ship: ShipTruth) -> str:
    """Return what a scan resulted in for `ship`, with the numbers.

    `truth` is as it was before the scan, `told` has the events of the scan after the declaration.
    """
    scanner = truth.ships[declared.piece]
    examined = [e for e in told if isinstance(e, ShipExamined) and e.piece == ship.id]
    words = f"{scanner.own} scanned {_scan_words(declared)}"
    if examined:
        return f"{words}: {_examined_words(truth, declared, examined[0], told, ship)}"
    return f"{words}: {_missed_words(truth, declared, scanner, ship)}"


def _scan_words(declared: ScanDeclared) -> str:
    at = declared.at if isinstance(declared.at, str) else f"{declared.at.x},{declared.at.y}"
    words = f"{declared.type.value} {declared.size.value} at {at}, strength {declared.strength:+d}"
    lost = declared.strength - declared.effective
    return f"{words}, less {lost} for sunglare" if lost else words


def _missed_words(
    truth: Truth, declared: ScanDeclared, scanner: ShipTruth, ship: ShipTruth
) -> str:
    """Return why the piece was not examined at all, in the order in which the rules ask."""
    at = box_named(declared.at).centre if isinstance(declared.at, str) else declared.at
    area = scan_area(truth.board, declared.size, at)
    if not area.covers(ship.square):
        return (
            f"not in the scanned area, columns {area.west} to {area.east}, rows {area.north} to "
            f"{area.south}: it stood on {_square(ship)} {SCAN_RULE}"
        )
    if ship.cloaked:
        return "it was cloaked, and no scan finds a cloaked ship (cloak §1)"
    if not valid(truth.board, scanner.place, ship.place):
        by = blockers(truth.board, scanner.place, ship.place)
        return f"hidden by {by} from {_square(scanner)}: it stood on {_square(ship)} {SIGHT_RULE}"
    return "it was not in play (turn §6)"


def _examined_words(
    truth: Truth,
    declared: ScanDeclared,
    examined: ShipExamined,
    told: Sequence[Event],
    ship: ShipTruth,
) -> str:
    found = signals(
        declared.type, declared.effective, emitter_of(truth, ship), sunfactor_of(truth, ship)
    )
    terms = "; ".join(
        f"{spoken(kind)} {value - declared.effective:+d} and strength {declared.effective:+d} "
        f"give signal {value:+d}"
        for kind, value in found.items()
    )
    light = sunfactor_of(truth, ship)
    lit = f", lit by sunfactor {light}" if light else ", not lit by the sun"
    where = f"in the area on {_square(ship)}{lit}"
    if examined.signal is None:
        return f"{where}, and it gave off nothing that this type senses {SCAN_RULE}"
    if not examined.signatures:
        return f"{where}, too faint: {terms}; 0 is needed {SCAN_RULE}"
    return f"{where}, FOUND: {terms}{_sense_words(truth, declared, examined, told)} {SCAN_RULE}"


def _sense_words(
    truth: Truth, declared: ScanDeclared, examined: ShipExamined, told: Sequence[Event]
) -> str:
    """Return how the contact became a track or did not."""
    done = next(e for e in told if isinstance(e, ScanFinished))
    if done.roll is None or examined.signal is None:
        return ", tracked by radar" if examined.piece in done.tracked else ", no Sense roll"
    skill = truth.ships[declared.piece].crew.operator
    total = done.roll + skill + examined.signal
    terms = f"dice {done.roll} + operator {skill} + signal {examined.signal} = {total}"
    is_tracked = "TRACKED" if examined.piece in done.tracked else "not tracked anew"
    return f", {is_tracked}: {terms}, {SENSE_TARGET} is needed"


def idle_line(truth: Truth, side: Side) -> str:
    """Return that a side made no scan in its slot, and which of its ships had no power for one."""
    cold = [ship.own for ship in truth.ships_of(side) if ship.in_play and not ship.powered]
    off = f"; plant off on {', '.join(cold)}" if cold else ""
    return f"you made no scan{off} {SCAN_RULE}"


def _square(ship: ShipTruth) -> str:
    return f"{ship.square.x},{ship.square.y}"
