"""TAG: a ground unit's beam on a point, which guides friendly capital fire.

Source: Alpha Strike, "Adjusting Fire"; capital weapons of our rule book §1 (K9) and §3, its page
on blips, §2.3 and §2.4. A designation always succeeds and does not reveal its unit.
"""

from collections.abc import Iterable

from sunglare_protocol.capitalwords import Bracket, TagKind
from sunglare_rules.brackets import BRACKET_INCHES
from sunglare_rules.surfacepoints import SurfacePoint, within_inches

TAG_BRACKET = {TagKind.TAG: Bracket.MEDIUM, TagKind.LIGHT_TAG: Bracket.SHORT}
"""The bracket that each kind of designator reaches to."""

GUIDES_INCHES = 2
"""OWN: how far from the designated point fire may be aimed and still be guided."""

NOTICED_INCHES = 24
"""OWN: how far from the unit that designates its beam is noticed."""


def may_designate(
    kind: TagKind, unit: SurfacePoint, point: SurfacePoint, *, has_line_of_sight: bool
) -> bool:
    """Return whether a unit can put its beam on a point."""
    inches = BRACKET_INCHES[TAG_BRACKET[kind]]
    return has_line_of_sight and within_inches(unit.distance_squared(point), inches)


def is_guided(aim: SurfacePoint, designated: Iterable[SurfacePoint]) -> bool:
    """Return whether fire at `aim` is guided by any of the points its own side designates.

    The points are those of the same map and ENGAGE. Several guide no better than one.
    """
    return any(within_inches(aim.distance_squared(each), GUIDES_INCHES) for each in designated)


def notices_tag(unit: SurfacePoint, designator: SurfacePoint) -> bool:
    """Return whether an enemy unit on the same map notices the beam of a designator."""
    return within_inches(unit.distance_squared(designator), NOTICED_INCHES)
