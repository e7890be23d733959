"""Lining up: the squares of a zone, its row that lies foremost or hindmost, ships along it."""

from sunglare_protocol.geometry import Compass, Square, box_named


def squares_of(zone: tuple[str, ...]) -> tuple[Square, ...]:
    """Return the squares of a zone, box by box."""
    return tuple(square for name in zone for square in box_named(name).area.squares())


def row(zone: tuple[str, ...], towards: Compass) -> tuple[Square, ...]:
    """Return the squares of a zone that lie farthest towards a compass point, from end to end.

    Along one of the four main directions they are a row; in a corner they may be one square.
    """
    step = towards.step
    along = {square: square.x * step.dx + square.y * step.dy for square in squares_of(zone)}
    most = max(along.values())
    return tuple(sorted(square for square, way in along.items() if way == most))


def place(zone: tuple[str, ...], towards: Compass, number: int, count: int) -> Square:
    """Return where ship `number`, from 0 on, of `count` stands in a row spread evenly."""
    squares = row(zone, towards)
    return squares[len(squares) * (2 * number + 1) // (2 * count)]


def straight(zone: tuple[str, ...], there: tuple[str, ...]) -> Compass:
    """Return in which of the four main directions another zone lies from a zone, mostly."""
    way = middle(zone).to(middle(there))
    if abs(way.dx) > abs(way.dy):
        return Compass.E if way.dx > 0 else Compass.W
    return Compass.S if way.dy > 0 else Compass.N


def middle(zone: tuple[str, ...]) -> Square:
    """Return the square in the middle of a zone."""
    centres = [box_named(name).centre for name in zone]
    return Square(
        sum(at.x for at in centres) // len(centres), sum(at.y for at in centres) // len(centres)
    )
