"""Distances between the pieces of a finished match, and obstacles between them, in words.

Source: distances of our rule book, scale §1; lines of sight, sensors §2 and blips §3.
"""

from math import sqrt

from sunglare_protocol.geometry import Board, Place
from sunglare_rules.ground.line_of_sight import sees, solid_between
from sunglare_rules.sensors.sectors import blocks
from sunglare_rules.turn.metric import Span
from sunglare_server.match.resolve.ground_scene import Figure, Ground


def away(span: Span) -> str:
    """Return a distance in inches, to the tenth."""
    inches = sqrt(span.squared) * span.metric.inches / span.metric.units
    return f"{inches:.1f} inches away"


def blockers(board: Board, here: Place, there: Place) -> str:
    """Return the names of the bodies that hide two places from one another."""
    names = [planet.name for planet in board.planets if blocks(planet, here, there)]
    grounds = (place.landing.body for place in (here, there) if place.landing is not None)
    return " and ".join(names) or next(grounds, "nothing")


def in_the_way(ground: Ground, a: Figure, b: Figure) -> str:
    """Return what keeps two figures of a map from seeing each other, nothing if they do."""
    if sees(ground.environs, a.standing, b.standing, ground.bodies):
        return ""
    if sees(ground.environs, a.standing, b.standing):
        return "a large unit in the way"
    is_solid = solid_between(ground.environs, a.standing, b.standing)
    return "solid terrain in the way" if is_solid else "woods in the way"
