"""Where the enemy may be: a weight for every square of the map, fed by what one has learned.

Weights are summed exactly (`fsum`) or one by one, as Pythons differ in how they add up fractions
with `sum`, and a bot shall play the same match on all of them.
"""

from collections.abc import Iterable
from itertools import accumulate
from math import fsum

from sunglare_protocol.geometry import Area, Board, Box, Square

SEEN_SHARE = 0.5
"""How much of all weight moves to a square on which something was seen."""

HINT_REST = 0.5
"""What is left of the weight outside the squares that one enemy ship has betrayed itself to be in.

It is not nothing, for there are other ships.
"""

FLOOR = 1e-5
"""No square is ever quite ruled out."""


class Belief:
    """Weights over the squares of a board; they always sum up to 1, but for the floor."""

    def __init__(self, board: Board) -> None:
        self._area = board.area
        self._boxes = (board.columns, board.rows)
        self._width = self._area.east + 1 - self._area.west
        self._height = self._area.south + 1 - self._area.north
        self._weight = [1.0] * (self._width * self._height)
        self._sums: list[list[float]] | None = None
        self._normalise()

    def start_in(self, boxes: Iterable[Box]) -> None:
        """Believe that the enemy stands in these boxes, all alike; with none, anywhere."""
        inside = {self._index(square) for box in boxes for square in box_area(box).squares()}
        self._weight = [float(not inside or i in inside) for i in range(len(self._weight))]
        self._normalise()

    def spread(self, reach: int) -> None:
        """Let the enemy have moved by up to `reach` squares along each axis."""
        rows = [_blurred(row, reach) for row in self._rows()]
        columns = [_blurred(column, reach) for column in zip(*rows, strict=True)]
        self._weight = [weight for row in zip(*columns, strict=True) for weight in row]
        self._normalise()

    def searched(self, squares: Iterable[Square], chance: float) -> None:
        """Take in that a search with this chance of success found nothing new on the squares."""
        for square in squares:
            self._weight[self._index(square)] *= 1 - chance
        self._normalise()

    def seen(self, square: Square) -> None:
        """Take in that something was seen on a square."""
        if not self._holds(square):
            return
        self._weight = [weight * (1 - SEEN_SHARE) for weight in self._weight]
        self._weight[self._index(square)] += SEEN_SHARE
        self._normalise()

    def hint(self, squares: Iterable[Square]) -> None:
        """Take in that one enemy ship stands on one of the squares."""
        inside = frozenset(self._index(square) for square in squares)
        if not inside:
            return
        self._weight = [
            weight if index in inside else weight * HINT_REST
            for index, weight in enumerate(self._weight)
        ]
        self._normalise()

    def share(self, squares: Iterable[Square]) -> float:
        """Return how much of all weight lies on the squares."""
        return fsum(self._weight[self._index(square)] for square in squares)

    def share_in(self, area: Area) -> float:
        """Return how much of all weight lies in an area of the map."""
        if self._sums is None:
            self._sums = _summed(self._rows(), self._width)
        sums, west, north = self._sums, area.west - self._area.west, area.north - self._area.north
        east, south = area.east + 1 - self._area.west, area.south + 1 - self._area.north
        return sums[south][east] - sums[north][east] - sums[south][west] + sums[north][west]

    def peak(self, near: Square) -> Square:
        """Return the middle of the box with the most weight, of the nearest if some tie."""
        columns, rows = self._boxes
        boxes = (Box(column, row) for row in range(rows) for column in range(columns))
        best = max(
            boxes,
            key=lambda box: (
                round(self.share_in(box_area(box)), 6),
                -near.distance_squared(box.centre),
            ),
        )
        return best.centre

    def _index(self, square: Square) -> int:
        return (square.y - self._area.north) * self._width + square.x - self._area.west

    def _holds(self, square: Square) -> bool:
        area = self._area
        return area.west <= square.x <= area.east and area.north <= square.y <= area.south

    def _rows(self) -> list[list[float]]:
        starts = range(0, len(self._weight), self._width)
        return [self._weight[start : start + self._width] for start in starts]

    def _normalise(self) -> None:
        total = fsum(self._weight) or 1.0
        shares = [weight / total for weight in self._weight]
        # With `max`, a call for each square, a bot match takes 6 % longer.
        self._weight = [share if share > FLOOR else FLOOR for share in shares]  # noqa: FURB136
        self._sums = None


def box_area(box: Box) -> Area:
    """Return the squares of a box."""
    middle = box.centre
    return Area(middle.x - 2, middle.y - 2, middle.x + 2, middle.y + 2)


def _blurred(line: Iterable[float], reach: int) -> list[float]:
    """Return for each place of a line the sum of those up to `reach` away."""
    sums = [0.0, *accumulate(line)]
    last = len(sums) - 1
    return [
        sums[min(last, place + reach + 1)] - sums[max(0, place - reach)] for place in range(last)
    ]


def _summed(rows: list[list[float]], width: int) -> list[list[float]]:
    """Return the table whose entry [y][x] is the sum of all places above y and left of x."""
    table = [[0.0] * (width + 1)]
    for row in rows:
        above = table[-1]
        table.append([a + b for a, b in zip(above, [0.0, *accumulate(row)], strict=True)])
    return table
