"""Foes: the enemy ships that a side reckons with in a turn, and where each is likely to fly.

Theory of operation. `Foes` looks at the view of each PLOT. A live track gives square, vector and
facing. Of anything else that was seen in the last two turns the square alone is known; if a foe of
the turn before could have got there, it is taken for the same one, and the two squares are its
vector. What was missed for a turn is drifted on.

How a foe will move is a guess: it flies as a hunter does, close to the nearest ship of the viewer
and facing it, and the cheaper a flight is for that the likelier it is. What it can do at all, and
with which weapons, is taken from the viewer's own ships: from one of the same type, else from one
that is as large, else from any. All of it follows from the view.
"""

from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import combinations_with_replacement
from math import exp, fsum
from typing import NamedTuple, final

from sunglare_client.bots.movement.hunting import closing
from sunglare_client.bots.movement.measures import drifted_on
from sunglare_client.bots.movement.steering import bearing, danger, distance
from sunglare_protocol.geometry import Board, Compass, Square, Vector
from sunglare_protocol.views import ContactView, OwnView, View
from sunglare_protocol.words.ladder import Fate, Fix
from sunglare_protocol.words.pieces import PieceKind
from sunglare_protocol.words.scans import Echo
from sunglare_rules.turn.movement import (
    AT_REST,
    THRUSTING_TURN_MOST,
    Flight,
    MoveEnding,
    drifted,
    ending,
    thrust_headings,
)

FRESH_TURNS = 2
"""What was seen as many turns ago is reckoned with."""

SAME_WITHIN = 5.0
"""A sighting is one of a foe seen before if it is so near to where that one drifts, in squares."""

SAME_MARK = 8.0
"""An older mark so near to a foe, in squares, is taken for another mark of it."""

WAYS = 10
"""Of so many flights of a foe, the likeliest ones, a bot thinks."""

SURENESS = 1.0
"""A flight that costs a foe this much more is less likely by a factor of e."""

SHARP_TURN = 2
"""Steps of 45 degrees that a foe which does not thrust may turn."""


class Way(NamedTuple):
    """A flight that a foe may make, the thrust it spends, and how likely it is."""

    flight: Flight
    spent: int
    chance: float


class Foe(NamedTuple):
    """An enemy ship: its contact, its motion before the coming move, and its likely flights.

    `like` is the own ship after which its drive, weapons and sensors are guessed.
    """

    contact: ContactView
    square: Square
    vector: Vector
    facing: Compass | None
    like: OwnView
    ways: tuple[Way, ...] = ()


class _Known(NamedTuple):
    """What is remembered of a foe until the next turn."""

    square: Square
    vector: Vector
    type: str | None


@final
class Foes:
    """Keeps the foes of one side from turn to turn; `see` wants the view of every PLOT."""

    def __init__(self) -> None:
        self._likes: dict[str, OwnView] = {}
        self._past: list[_Known] = []
        self._turn = 0
        self.now: tuple[Foe, ...] = ()
        """The foes of this turn, those that are held first."""

    def see(self, view: View) -> None:
        """Take in the view of a PLOT; the same one again changes nothing."""
        if view.stage.turn == self._turn:
            return
        self._turn = view.stage.turn
        for own in view.own:
            if own.kind is PieceKind.STARSHIP:
                self._likes.setdefault(own.type, own)
        ships = [own for own in view.own if _flies(own)]
        found = list(self._placed(view)) if ships and self._likes else []
        self._past = [_Known(foe.square, foe.vector, foe.contact.type) for foe in found]
        self.now = tuple(foe._replace(ways=_ways(view.board, foe, ships)) for foe in found)

    def like(self, contact: ContactView) -> OwnView:
        """Return the own ship that a foreign one is most likely to be like."""
        likes = tuple(self._likes.values())
        same = (like for like in likes if contact.type in (like.type, like.name))
        large = (like for like in likes if like.echo is contact.size)
        return next(same, None) or next(large, None) or likes[0]

    def _placed(self, view: View) -> Iterator[Foe]:
        """Yield each foe once, where it is before the coming move."""
        now, past = view.stage.turn - 1, list(self._past)
        marks = [mark for mark in view.contacts if _counts(mark, now)]
        marks.sort(key=lambda mark: (mark.fix is not Fix.TRACKED, -mark.turn, mark.vector is None))
        taken: list[Square] = []
        for mark in marks:
            if mark.fix is not Fix.TRACKED and _is_known(mark, now, taken):
                continue
            foe = self._foe(view, mark, past)
            if foe.square in view.board:
                taken.append(foe.square)
                yield foe

    def _foe(self, view: View, mark: ContactView, past: list[_Known]) -> Foe:
        """Return the foe of a mark; whom it is taken for is struck off the past ones."""
        square, vector = mark.square, mark.vector
        missed = view.stage.turn - 1 - mark.turn
        if vector is None:
            same = _same(square, past) if not missed else None
            if same is not None:
                past.remove(same)
            vector = AT_REST if same is None else same.square.to(square)
        for _ in range(0 if mark.fix is Fix.TRACKED else missed):
            square, vector = drifted_on(view.board, square, vector)
        return Foe(mark, square, vector, mark.facing, self.like(mark))


def nearest_of(foes: Iterable[Foe], square: Square, most: int) -> tuple[Foe, ...]:
    """Return up to `most` foes, those nearest to a square first."""
    return tuple(sorted(foes, key=lambda foe: square.distance_squared(foe.square))[:most])


def _flies(own: OwnView) -> bool:
    return own.kind is PieceKind.STARSHIP and own.fate is Fate.IN_PLAY


def _counts(mark: ContactView, now: int) -> bool:
    """Return whether a mark is one of a ship in space that was seen lately enough."""
    return (
        mark.fate is Fate.IN_PLAY
        and mark.landed is None
        and mark.size is not Echo.MISSILE
        and mark.trackers is None
        and (mark.fix is Fix.TRACKED or mark.turn > now - FRESH_TURNS)
    )


def _is_known(mark: ContactView, now: int, taken: list[Square]) -> bool:
    """Return whether a mark is likely to be one more of a foe that is taken in already."""
    within = 0.0 if mark.turn == now else SAME_MARK
    return any(distance(mark.square, square) <= within for square in taken)


def _same(square: Square, past: list[_Known]) -> _Known | None:
    """Return the foe of the turn before that was likeliest to get to a square, if any could."""
    near = [known for known in past if _off(known, square) <= SAME_WITHIN]
    return min(near, key=lambda known: _off(known, square), default=None)


def _off(known: _Known, square: Square) -> float:
    return distance(known.square.moved(known.vector), square)


def _ways(board: Board, foe: Foe, ships: list[OwnView]) -> tuple[Way, ...]:
    """Return the likeliest flights of a foe; the chances sum up to 1."""
    near = min(ships, key=lambda ship: ship.square.distance_squared(foe.square))
    first = drifted(board, near.square, near.vector)
    cost = closing(board, foe.like, first, drifted(board, first, near.square.to(first)))
    facing = foe.facing or bearing(foe.square, near.square)
    flights = [
        (danger(board, flight, foe.like.thrust) + cost(flight), flight, spent)
        for flight, spent in _flights(board, foe, facing)
    ]
    best = sorted(flights, key=lambda way: way[0])[:WAYS]
    weights = [exp((best[0][0] - price) / SURENESS) for price, _, _ in best]
    total = fsum(weights)
    ways = zip(best, weights, strict=True)
    return tuple(Way(flight, spent, weight / total) for (_, flight, spent), weight in ways)


def _flights(board: Board, foe: Foe, facing: Compass) -> Iterator[tuple[Flight, int]]:
    """Yield the flights that a foe can make without coming to grief, if there are any."""
    adrift = drifted(board, foe.square, foe.vector)
    is_lost = True
    for way, after, spent in _burns(facing, foe.like.thrust):
        end = adrift.moved(way)
        if ending(board, end) is MoveEnding.FLIES:
            is_lost = False
            yield Flight(end, foe.square.to(end), after), spent
    if is_lost:
        yield Flight(adrift, foe.vector, facing), 0


@lru_cache(maxsize=512)
def _burns(facing: Compass, thrust: int) -> tuple[tuple[Vector, Compass, int], ...]:
    """Return how far each burn moves a ship, how it faces then, and the fewest points for that."""
    found: dict[tuple[Vector, Compass], int] = {}
    for turn in range(-THRUSTING_TURN_MOST, THRUSTING_TURN_MOST + 1):
        after = facing.turned(turn)
        for points in range(thrust + 1):
            for to in combinations_with_replacement(thrust_headings(after), points):
                way = Vector(sum(one.step.dx for one in to), sum(one.step.dy for one in to))
                found.setdefault((way, after), points)
    for turn in (-SHARP_TURN, SHARP_TURN):
        found.setdefault((AT_REST, facing.turned(turn)), 0)
    return tuple((way, after, points) for (way, after), points in found.items())
