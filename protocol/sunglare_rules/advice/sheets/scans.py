"""The scans of a ship: every place, with what it would answer there, and how strong they are.

Source: Intercept sensors part 2; sensors of our rule book §5 and §6. What is answered follows
from the place alone, and the strength from the type and the size, but for a scan that is repeated.
"""

from sunglare_protocol.geometry import Square
from sunglare_protocol.messages.answers import ScanPreview
from sunglare_protocol.messages.sheets import ScanPlace, ScanStrength
from sunglare_protocol.orders import Scan
from sunglare_protocol.refusals import Rejected
from sunglare_protocol.views import OwnView, View
from sunglare_protocol.words.scans import ScanSize, ScanType
from sunglare_rules.advice.check.scan import place_name
from sunglare_rules.advice.legal.legal import centres
from sunglare_rules.advice.odds.preview import preview
from sunglare_rules.advice.seen.lookup import place_of
from sunglare_rules.advice.sheets.beside import Plan, stands
from sunglare_rules.sensors.scans import (
    declared_strength,
    effective_strength,
    gives_sender_away,
)
from sunglare_rules.sensors.sectors import standing_square
from sunglare_rules.sensors.signatures import CONTACT_SIGNAL

Scans = tuple[tuple[ScanStrength, ...], tuple[ScanPlace, ...]]


def scans_of(view: View, ship: OwnView, plan: Plan) -> Scans:
    """Return the strengths by type and size, and the places by size, of scans that may be made."""
    here = standing_square(view.board, place_of(ship))
    types = [kind for kind in ScanType if stands(view, plan, _scan(ship, kind, here))]
    if not types:
        return (), ()
    # The places are the same for all types.
    places = [place for size in ScanSize for place in _places(view, ship, types[0], size, here)]
    strengths = [
        strength
        for kind in types
        for size in ScanSize
        for strength in _strengths(view, ship, kind, size)
    ]
    return tuple(strengths), tuple(places)


def _scan(ship: OwnView, kind: ScanType, at: Square, size: ScanSize = ScanSize.SQUARE) -> Scan:
    return Scan(ship=ship.id, type=kind, size=size, at=place_name(size, at), sense=True)


def _places(
    view: View, ship: OwnView, kind: ScanType, size: ScanSize, here: Square
) -> list[ScanPlace]:
    made = [_scan(ship, kind, at, size) for at in centres(view, size, here)]
    shown = [(scan, preview(view, scan)) for scan in made]
    return [_place(scan, found) for scan, found in shown if isinstance(found, ScanPreview)]


def _place(scan: Scan, found: ScanPreview) -> ScanPlace:
    return ScanPlace(
        size=scan.size,
        at=scan.at,
        glare=found.answers.glare,
        from_well=found.answers.from_well,
        touches_well=found.answers.touches_well,
        blocked=found.answers.blocked,
        candidates=found.candidates,
    )


def _strengths(
    view: View, ship: OwnView, kind: ScanType, size: ScanSize
) -> tuple[ScanStrength, ...]:
    """Return the strength anywhere, and that where the scan repeats the one before."""
    plain = declared_strength(ship.sensors.get(kind, 0), size, 0)
    anywhere = _strength(view, kind, size, plain)
    habit = ship.habit
    if habit is None or (habit.type, habit.size) != (kind, size):
        return (anywhere,)
    again = _scan(ship, kind, habit.at, size)
    repeated = preview(view, again)
    if isinstance(repeated, Rejected) or repeated.strength == plain:
        return (anywhere,)
    return anywhere, _strength(view, kind, size, repeated.strength, again.at)


def _strength(
    view: View,
    kind: ScanType,
    size: ScanSize,
    strength: int,
    at: str | Square | None = None,
) -> ScanStrength:
    clear, dimmed = (
        effective_strength(strength, kind, glare, view.board.sunfactor) for glare in (False, True)
    )
    return ScanStrength(
        type=kind,
        size=size,
        at=at,
        strength=strength,
        effective=clear,
        finds_from=CONTACT_SIGNAL - clear,
        effective_in_glare=dimmed,
        finds_from_in_glare=CONTACT_SIGNAL - dimmed,
        gives_away=gives_sender_away(kind),
    )
