"""Data scans: what an asker is answered about variant, damage, heat and movement of a piece.

Source: Alpha Strike, "Concealing Unit Data"; blips of our rule book §3.7 (D1 to D7). There is no
die: reach, terrain, jammers and stealth decide.
"""

from typing import NamedTuple

from sunglare_protocol.word import Word
from sunglare_protocol.words.dossiers import Outcome
from sunglare_protocol.words.specials import Special, Specials
from sunglare_rules.blips.ecm import ANGEL_TIER, NO_TIER
from sunglare_rules.blips.spotting import best_probe, is_stealthy
from sunglare_rules.turn.metric import Span

SHORT_INCHES = 6
"""Short range (D6)."""

SCAN_INCHES: dict[Special, int] = {
    Special.LPRB: 12,
    Special.WAT: 12,
    Special.PRB: 16,
    Special.NOVA: 16,
    Special.BH: 26,
}
"""How far probes scan for data (D1). OWN: 12 of the light probe, which the source has lost."""

NOTICED_INCHES = 26
"""How far around it a probe at work is noticed."""


class Means(Word):
    """How a request is carried out: silently at short range, or by a probe that is noticed."""

    SHORT = "short"
    PROBE = "probe"


class DossierAnswer(NamedTuple):
    """The answer, and by what means it was got; none if nothing was sent out."""

    outcome: Outcome
    means: Means | None = None


class DossierAim(NamedTuple):
    """How a target lies to the one who scans it.

    `los` is the valid line of sight of short range, `solid` whether solid ground blocks the
    probe, `jammed` the strongest hostile field on the line (`ecm.line_jammed`).
    """

    span: Span
    los: bool
    solid: bool
    jammed: int = NO_TIER


def means_of(specials: Specials, aim: DossierAim) -> Means | None:
    """Return by what means a scanner with these abilities reaches the target; None: by none.

    Short range is preferred, being silent and proof against ECM. Everything that decides here
    is known to the asker.
    """
    if aim.los and aim.span.within(SHORT_INCHES):
        return Means.SHORT
    probe = best_probe(specials, SCAN_INCHES)
    if probe is None or aim.solid or not aim.span.within(SCAN_INCHES[probe]):
        return None
    return Means.PROBE


def data_scan(
    *, requested: bool, legal: bool, scanner: Specials, target: Specials, aim: DossierAim
) -> DossierAnswer:
    """Return what a request for data results in.

    `legal`: the scanner is operational, and its side holds the target live and identified. A
    jammed probe and a stealthy target give the same answer.
    """
    if not requested:
        return DossierAnswer(Outcome.NOT_REQUESTED)
    if not legal:
        return DossierAnswer(Outcome.ILLEGAL)
    means = means_of(scanner, aim)
    if means is None:
        return DossierAnswer(Outcome.OUT_OF_REACH)
    blocked = means is Means.PROBE and probe_jammed(scanner, aim.jammed)
    refused = is_stealthy(target) or blocked
    return DossierAnswer(Outcome.INCONCLUSIVE if refused else Outcome.FULL, means)


def probe_jammed(scanner: Specials, jammed: int) -> bool:
    """Return whether a probe fails in hostile fields of this strength (D4, D5)."""
    if jammed == NO_TIER:
        return False
    return jammed >= ANGEL_TIER or Special.BH not in scanner
