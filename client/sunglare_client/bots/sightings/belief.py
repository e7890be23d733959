"""A belief where the enemy may be: a weight for every square, fed by what one has learned.

Weights are summed exactly (`fsum`) or one by one, as Pythons differ in how they add up fractions
with `sum`, and a bot shall play the same match on all of them.
"""

from collections.abc import Iterable
from functools import lru_cache
from itertools import accumulate
from math import fsum
from operator import add, sub
from typing import TypeVar

from sunglare_protocol.geometry import Area, Board, Box, Square
from sunglare_rules.sensors.masks import area_mask, masks_of, numbers_in

Sum = TypeVar("Sum")

SEEN_SHARE = 0.5
"""How much of all weight moves to a square on which something was seen."""

HINT_REST = 0.5
"""What is left of the weight outside the squares that one enemy ship has betrayed itself to be in.

It is not nothing, for there are other ships.
"""

FLOOR = 1e-5
"""No square is ever quite ruled out."""


class Belief:
    """Weights over the squares of a board; they always sum up to 1, but for the floor.

    Which squares is said by masks, as `sunglare_rules.sensors.masks` has them.
    """

    def __init__(self, board: Board) -> None:
        self._board = board
        self._width = board.area.east + 1
        self._weight = [1.0] * len(masks_of(board).squares)
        self._sums: list[list[float]] | None = None
        self._normalise()

    def start_in(self, boxes: Iterable[Box]) -> None:
        """Believe that the enemy stands in these boxes, all alike; with none, anywhere."""
        areas = [area_mask(self._board, box.area) for box in boxes]
        self._weight = [0.0 if areas else 1.0] * len(self._weight)
        for area in areas:
            for number in numbers_in(area):
                self._weight[number] = 1.0
        self._normalise()

    def spread(self, reach: int) -> None:
        """Let the enemy have moved by up to `reach` squares along each axis."""
        rows = [_blurred(row, reach) for row in self._rows()]
        self._weight = [weight for row in _columns_blurred(rows, reach) for weight in row]
        self._normalise()

    def searched(self, squares: int, chance: float) -> None:
        """Take in that a search with this chance of success found nothing new on the squares."""
        for number in numbers_in(squares):
            self._weight[number] *= 1 - chance
        self._normalise()

    def seen(self, square: Square) -> None:
        """Take in that something was seen on a square."""
        if square not in self._board:
            return
        self._weight = [weight * (1 - SEEN_SHARE) for weight in self._weight]
        self._weight[square.y * self._width + square.x] += SEEN_SHARE
        self._normalise()

    def hint(self, squares: int) -> None:
        """Take in that one enemy ship stands on one of the squares."""
        if not squares:
            return
        outside = [weight * HINT_REST for weight in self._weight]
        for number in numbers_in(squares):
            outside[number] = self._weight[number]
        self._weight = outside
        self._normalise()

    def share(self, squares: int) -> float:
        """Return how much of all weight lies on the squares."""
        weight = self._weight
        return fsum([weight[number] for number in numbers_in(squares)])

    def share_in(self, area: Area) -> float:
        """Return how much of all weight lies in an area of the map."""
        if self._sums is None:
            self._sums = _summed(self._rows(), self._width)
        west, north, east, south = area
        above, below = self._sums[north], self._sums[south + 1]
        return below[east + 1] - above[east + 1] - below[west] + above[west]

    def peak(self, near: Square) -> Square:
        """Return the middle of the box with the most weight, of the nearest if some tie."""
        best = max(
            _boxes(self._board),
            key=lambda box: (round(self.share_in(box[1]), 6), -near.distance_squared(box[0])),
        )
        return best[0]

    def _rows(self) -> list[list[float]]:
        starts = range(0, len(self._weight), self._width)
        return [self._weight[start : start + self._width] for start in starts]

    def _normalise(self) -> None:
        total = fsum(self._weight) or 1.0
        # With `max`, a call for each square, a bot match takes 6 % longer.
        self._weight = [
            share if (share := weight / total) > FLOOR else FLOOR for weight in self._weight
        ]
        self._sums = None


@lru_cache(maxsize=64)
def _boxes(board: Board) -> tuple[tuple[Square, Area], ...]:
    """Return the middle of every box of a board with the squares of the box."""
    return tuple([(box.centre, box.area) for box in board.boxes()])


def _blurred(line: list[float], reach: int) -> list[float]:
    """Return for each place of a line the sum of those up to `reach` away."""
    sums = [0.0, *accumulate(line)]
    return list(map(sub, *_ends(sums, reach)))


def _columns_blurred(rows: list[list[float]], reach: int) -> list[list[float]]:
    """Return rows in which each place is the sum of those up to `reach` away in its column."""
    sums = [[0.0] * len(rows[0])]
    for row in rows:
        sums.append(list(map(add, sums[-1], row)))
    return [list(map(sub, lower, upper)) for lower, upper in zip(*_ends(sums, reach), strict=True)]


def _ends(sums: list[Sum], reach: int) -> tuple[list[Sum], list[Sum]]:
    """Return of sums up to each place those that end behind its reach, and those before it."""
    last = len(sums) - 1
    places = range(last)
    return (
        [sums[min(last, place + reach + 1)] for place in places],
        [sums[max(0, place - reach)] for place in places],
    )


def _summed(rows: list[list[float]], width: int) -> list[list[float]]:
    """Return the table whose entry [y][x] is the sum of all places above y and left of x."""
    table = [[0.0] * (width + 1)]
    for row in rows:
        table.append(list(map(add, table[-1], [0.0, *accumulate(row)])))
    return table
