"""What data scans on surface maps let an audience learn: a second reading of blips §3.7 and §4.

It knows the rule book's functions and the truth, and nothing of how the server resolves or
perceives.
"""

from collections.abc import Iterator

from second_reading.sight import Man, aim_between, men_of
from sunglare_protocol.ids import Audience, audience_of
from sunglare_protocol.words.dossiers import Outcome
from sunglare_rules.blips.bearings import surface_bearing
from sunglare_rules.blips.dossiers import Means, means_of, probe_jammed
from sunglare_rules.blips.spotting import is_stealthy
from sunglare_rules.ground.plane import apart, centre
from sunglare_server.match.ids import PieceId
from sunglare_server.match.truth.truth import Truth

Inquiry = tuple[PieceId, PieceId]
"""Who asks for the data of which token."""

_NOTICED = 26
"""How far around it a probe is noticed, in inches."""


def answer_on_ground(truth: Truth, inquiry: Inquiry) -> tuple[Outcome, bool]:
    """Return the answer to a request about a token, and whether a probe is at work for it."""
    scanner, target = _men(truth, inquiry)
    if scanner is None or target is None or scanner.site != target.site:
        return Outcome.ILLEGAL, False
    hold = truth.surface.tokens_of(scanner.side).get(target.piece)
    if hold is None or not hold.identified or scanner.remote or not scanner.works:
        return Outcome.ILLEGAL, False
    lies = aim_between(truth, men_of(truth), scanner, target)
    means = means_of(scanner.specials, lies)
    if means is None:
        return Outcome.OUT_OF_REACH, False
    by_probe = means is Means.PROBE
    spoiled = by_probe and probe_jammed(scanner.specials, lies.jammed)
    if is_stealthy(target.specials) or spoiled:
        return Outcome.INCONCLUSIVE, by_probe
    return Outcome.FULL, by_probe


def inquiries_told(
    truth: Truth, inquiries: tuple[Inquiry, ...], audience: Audience
) -> Iterator[object]:
    """Yield what the requests of a DETECT window about tokens tell the audience."""
    for inquiry in inquiries:
        scanner, target = _men(truth, inquiry)
        outcome, by_probe = answer_on_ground(truth, inquiry)
        if scanner is not None and audience_of(scanner.side) == audience:
            is_full = outcome is Outcome.FULL
            yield inquiry, outcome, _dossier(truth, inquiry[1]) if is_full else None
        elif by_probe and scanner is not None:
            for man in men_of(truth):
                if audience_of(man.side) == audience and man.site == scanner.site:
                    yield from _noticed(man, scanner, is_target=man == target)


def _noticed(man: Man, scanner: Man, *, is_target: bool) -> Iterator[object]:
    near = apart(man.cell, scanner.cell).within(_NOTICED)
    if is_target or (near and man.works and not man.remote):
        bearing = surface_bearing(centre(man.cell), centre(scanner.cell))
        yield "probed" if is_target else "noticed", man.piece, bearing


def _men(truth: Truth, inquiry: Inquiry) -> tuple[Man | None, Man | None]:
    men = {man.piece: man for man in men_of(truth)}
    return men.get(inquiry[0]), men.get(inquiry[1])


def _dossier(truth: Truth, piece: PieceId) -> tuple[object, ...]:
    if piece in truth.ground:
        unit = truth.ground[piece]
        kind = unit.type
        legs = (kind.move, kind.jump, kind.mode)
        return kind.name, unit.damage, unit.heat, legs, unit.ecm_on
    ship = truth.ships[piece]
    return ship.type.name, ship.damage, ship.heat, ship.thrust, ship.type.drive, ship.ecm
