"""Where the enemy may be: a weight for every square of the map, fed by what one has learned."""

from collections.abc import Iterable

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
    """Weights over the squares of a board; they always sum up to 1."""

    def __init__(self, board: Board) -> None:
        self._area = board.area
        self._boxes = (board.columns, board.rows)
        self._weight = dict.fromkeys(self._area.squares(), 1.0)
        self._normalise()

    def start_in(self, boxes: Iterable[Box]) -> None:
        """Believe that the enemy stands in these boxes, all alike; with none, anywhere."""
        inside = {square for box in boxes for square in box_area(box).squares()}
        for square in self._weight:
            self._weight[square] = float(not inside or square in inside)
        self._normalise()

    def spread(self, reach: int) -> None:
        """Let the enemy have moved by up to `reach` squares along each axis."""
        for dx, dy in ((1, 0), (0, 1)):
            old = self._weight
            offsets = range(-reach, reach + 1)
            self._weight = {
                (square): sum(
                    old.get(Square(square.x + dx * step, square.y + dy * step), 0.0)
                    for step in offsets
                )
                for square in old
            }
        self._normalise()

    def searched(self, squares: Iterable[Square], chance: float) -> None:
        """Take in that a search with this chance of success found nothing new on the squares."""
        for square in squares:
            self._weight[square] *= 1 - chance
        self._normalise()

    def seen(self, square: Square) -> None:
        """Take in that something was seen on a square."""
        if square not in self._weight:
            return
        for each in self._weight:
            self._weight[each] *= 1 - SEEN_SHARE
        self._weight[square] += SEEN_SHARE
        self._normalise()

    def hint(self, squares: Iterable[Square]) -> None:
        """Take in that one enemy ship stands on one of the squares."""
        inside = frozenset(squares)
        if not inside:
            return
        for square in self._weight:
            if square not in inside:
                self._weight[square] *= HINT_REST
        self._normalise()

    def share(self, squares: Iterable[Square]) -> float:
        """Return how much of all weight lies on the squares."""
        return sum(self._weight[square] for square in squares)

    def peak(self, near: Square) -> Square:
        """Return the middle of the box with the most weight, of the nearest if some tie."""
        columns, rows = self._boxes
        boxes = (Box(column, row) for row in range(rows) for column in range(columns))
        best = max(
            boxes,
            key=lambda box: (
                round(self.share(box_area(box).squares()), 6),
                -near.distance_squared(box.centre),
            ),
        )
        return best.centre

    def _normalise(self) -> None:
        total = sum(self._weight.values()) or 1.0
        for square, weight in self._weight.items():
            self._weight[square] = max(weight / total, FLOOR)


def box_area(box: Box) -> Area:
    """Return the squares of a box."""
    middle = box.centre
    return Area(middle.x - 2, middle.y - 2, middle.x + 2, middle.y + 2)
