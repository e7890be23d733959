"""Height and width of a token of a surface map, as far as its viewer's view goes.

Source: Alpha Strike, "Concealing Unit Data"; blips of our rule book §2.2 and §2.3. An identified
token is replaced by the miniature, so its build and footprint are known. Of a blip neither is: it
is taken as the most that it may be, or as the least.
"""

from typing import NamedTuple

from sunglare_protocol.views.ground import TokenView
from sunglare_rules.blips.heights import HEIGHTS
from sunglare_rules.blips.spotting import FOOTPRINTS
from sunglare_rules.ground.line_of_sight import Body, Viewpoint

_HEIGHT_MOST = max(HEIGHTS.values())
"""How high a blip may reach: it may be a landed ship."""

_HEIGHT_LEAST = min(HEIGHTS.values())
"""How low a blip may be: it may be a remote sensor."""

_RADIUS_MOST = max(FOOTPRINTS.values()) // 2


class Shape(NamedTuple):
    """What sight and base contact ask of a target: where it stands, and half its footprint."""

    standing: Viewpoint
    radius: int


def at_best(token: TokenView) -> Shape:
    """Return a token as its build has it; a blip as tall and as wide as any."""
    return _shape(token, _HEIGHT_MOST, _RADIUS_MOST)


def at_worst(token: TokenView) -> Shape:
    """Return a token as its build has it; a blip as low and as small as any."""
    return _shape(token, _HEIGHT_LEAST, 0)


def body_of_token(token: TokenView) -> Body | None:
    """Return what an identified large token is for lines of sight; None for all others."""
    if token.build is None or not token.footprint:
        return None
    return Body(token.cell, token.footprint // 2, HEIGHTS[token.build])


def _shape(token: TokenView, height: int, radius: int) -> Shape:
    if token.build is None or token.footprint is None:
        return Shape(Viewpoint(token.cell, height), radius)
    return Shape(Viewpoint(token.cell, HEIGHTS[token.build]), token.footprint // 2)
