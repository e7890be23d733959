"""Pieces that a drawn map cannot show: those beyond its edges, counted, and those under others."""

from collections import Counter
from collections.abc import Iterable

from sunglare_client.map.cells import Mark
from sunglare_protocol.geometry import Area, Square

WAYS = ("N", "NE", "E", "SE", "S", "SW", "W", "NW")
"""The ways out of a map, clockwise from north."""


def beyond(shown: Area, marks: Iterable[Mark], width: int) -> list[str]:
    """Return lines that count the marks outside `shown` by the way to them, as map edges do.

    Each line is at most `width` columns wide, as long as that holds a single count.
    """
    outside = Counter((way_to(shown, mark.square), mark.word) for mark in marks)
    ordered = sorted(
        (WAYS.index(way), word, count) for (way, word), count in outside.items() if way
    )
    counts = [f"{_counted(count, word)} {WAYS[index]} of here" for index, word, count in ordered]
    return filled(counts, width)


def stacked(marks: Iterable[Mark], width: int) -> list[str]:
    """Return lines that name the marks which share a square, and so hide one another."""
    shared = [
        f"{' '.join(labels)} on {square.x},{square.y}"
        for square, labels in stacked_marks(marks).items()
    ]
    return filled(shared, width)


def stacked_marks(marks: Iterable[Mark]) -> dict[Square, list[str]]:
    """Return the names of the marks that share a square, by their square."""
    by_square: dict[Square, list[str]] = {}
    for mark in marks:
        by_square.setdefault(mark.square, []).append(mark.label)
    return {square: labels for square, labels in by_square.items() if len(labels) > 1}


def way_to(shown: Area, square: Square) -> str:
    """Return the way to a square beyond the edges of `shown`; empty for one within."""
    north = "N" if square.y < shown.north else "S" if square.y > shown.south else ""
    west = "W" if square.x < shown.west else "E" if square.x > shown.east else ""
    return north + west


def _counted(count: int, word: str) -> str:
    return f"{count} {word}{'' if count == 1 else 's'}"


def filled(parts: list[str], width: int) -> list[str]:
    """Return the parts, a comma between two, on as few lines as hold them."""
    lines: list[str] = []
    for part in parts:
        longer = f"{lines[-1]}, {part}" if lines else part
        if lines and len(longer) <= width:
            lines[-1] = longer
        else:
            lines.append(part)
    return lines
