"""Distances and abilities in short notation, for the tests of spotting, jamming and scans."""

from sunglare_protocol.words.specials import Special, Specials
from sunglare_rules.turn.metric import SPACE, SURFACE, SURFACE_UNITS, Metric, Span

METRICS = [(SPACE, "space"), (SURFACE, "surface")]


def inches(count: int) -> Span:
    """Return a distance of so many inches on a surface map."""
    return Span(SURFACE, (count * SURFACE_UNITS) ** 2)


def beyond(count: int) -> Span:
    """Return the next distance on a surface map that is longer than so many inches."""
    return Span(SURFACE, (count * SURFACE_UNITS) ** 2 + 1)


def specials(words: str) -> Specials:
    """Return the abilities named, with blanks between."""
    return tuple(Special(word) for word in words.split())


def units_of(metric: Metric, count: int) -> int:
    """Return the most whole units of a plane that are within so many inches."""
    return metric.units * count // metric.inches
