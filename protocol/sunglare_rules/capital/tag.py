"""TAG: a ground unit's beam on a point, which guides friendly capital fire.

Source: Alpha Strike, "Adjusting Fire"; capital weapons of our rule book §1 (K9) and §3, its page
on blips, §2.3 and §2.4. A designation always succeeds and does not reveal its unit.
"""

from collections.abc import Iterable

from sunglare_protocol.words.specials import Special, Specials
from sunglare_rules.ground.attacks import BRACKET_INCHES, Bracket
from sunglare_rules.turn.metric import SURFACE, Spot, span

TAG_BRACKET = {Special.TAG: Bracket.MEDIUM, Special.LTAG: Bracket.SHORT}
"""The bracket that each kind of designator reaches to."""

GUIDES_INCHES = 2
"""OWN: how far from the designated point fire may be aimed and still be guided."""

NOTICED_INCHES = 24
"""OWN: how far from the unit that designates its beam is noticed."""

POINT_HEIGHT = 0
"""OWN: a designated point is on the ground."""


def may_designate(specials: Specials, unit: Spot, point: Spot, *, has_line_of_sight: bool) -> bool:
    """Return whether a unit with these specials can put its beam on a point.

    Of two designators the one that reaches further counts; without any it cannot.
    """
    reach = max(map(_reach_inches, specials), default=0)
    return has_line_of_sight and reach > 0 and span(SURFACE, unit, point).within(reach)


def is_guided(aim: Spot, designated: Iterable[Spot]) -> bool:
    """Return whether fire at `aim` is guided by any of the points its own side designates.

    The points are those of the same map and ENGAGE. Several guide no better than one.
    """
    return any(span(SURFACE, aim, spot).within(GUIDES_INCHES) for spot in designated)


def notices_tag(unit: Spot, designator: Spot) -> bool:
    """Return whether an enemy unit on the same map notices the beam of a designator."""
    return span(SURFACE, unit, designator).within(NOTICED_INCHES)


def _reach_inches(special: Special) -> int:
    """Return how far a special designates, 0 if it is no designator."""
    return BRACKET_INCHES[TAG_BRACKET[special]] if special in TAG_BRACKET else 0
