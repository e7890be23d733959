"""Distances in inches on any plane of the game, measured exactly in whole numbers.

Source: scale of our rule book §1 and blips §2.3. Space counts in squares (5 to 12 inches), a
surface map in thousandths of an inch; the same spotting rules serve both.
"""

from typing import NamedTuple

from sunglare_protocol.geometry import BOX_EDGE
from sunglare_rules.turn.scale import MU_PER_BOX

SURFACE_UNITS = 1000
"""OWN: units of a surface map in one inch."""

Spot = tuple[int, int]
"""A point of a plane in its own unit: a `Square` in space, thousandths on a surface map."""


class Metric(NamedTuple):
    """The unit of a plane: `inches` inches are as long as `units` units."""

    inches: int
    units: int

    def within(self, distance_squared: int, inches: int) -> bool:
        """Return whether a distance, squared and in units, is at most `inches`."""
        return self.inches**2 * distance_squared <= self.units**2 * inches**2


SPACE = Metric(MU_PER_BOX, BOX_EDGE)
"""The metric of space: coordinates are squares."""

SURFACE = Metric(1, SURFACE_UNITS)
"""The metric of a surface map: coordinates are thousandths of an inch."""


class Span(NamedTuple):
    """The distance of two spots: squared, in the units of its plane."""

    metric: Metric
    squared: int

    def within(self, inches: int) -> bool:
        """Return whether the distance is at most `inches`, the limit included."""
        return self.metric.within(self.squared, inches)


def span(metric: Metric, a: Spot, b: Spot) -> Span:
    """Return the distance between two spots of a plane, centre to centre."""
    return Span(metric, squared_between(a, b))


def squared_between(a: Spot, b: Spot) -> int:
    """Return the squared distance between two spots, in units."""
    return (b[0] - a[0]) ** 2 + (b[1] - a[1]) ** 2


def line_meets_circle(metric: Metric, a: Spot, b: Spot, centre: Spot, inches: int) -> bool:
    """Return whether the line from `a` to `b`, both ends included, meets a circle.

    A line that only touches the circle meets it. The point of the line nearest to the centre
    is an end, or the foot of the perpendicular; whole numbers decide which and how far.
    """
    along = (b[0] - a[0], b[1] - a[1])
    to_centre = (centre[0] - a[0], centre[1] - a[1])
    length_squared = along[0] ** 2 + along[1] ** 2
    foot = along[0] * to_centre[0] + along[1] * to_centre[1]
    if foot <= 0:
        return metric.within(squared_between(a, centre), inches)
    if foot >= length_squared:
        return metric.within(squared_between(b, centre), inches)
    cross = along[0] * to_centre[1] - along[1] * to_centre[0]
    # Distance squared is cross squared by length squared; multiplied out it stays whole.
    return (metric.inches * cross) ** 2 <= (metric.units * inches) ** 2 * length_squared
