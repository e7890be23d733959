"""Fetching: cloaked ships come to rest where something is to be collected, and go home.

Theory of operation. A cloaked ship sees nothing. With one point of thrust a turn no listener hears
it, but then it is slow. So each ship plans its whole way to a place that no other of its side is
bound for. The price of a turn is the chance that a listener hears the thrust, times the damage
that known guns would do there, and those that are likely to wait at such places. The ship takes
the cheapest place, if collecting there is worth more than its way costs and time is left to leave.
Otherwise it leaves over the nearest edge. It keeps to its way until it is found.
"""

from collections.abc import Iterator
from functools import cache
from math import fsum
from typing import NamedTuple, final

from sunglare_client.abilities import Ability
from sunglare_client.advice import Advice
from sunglare_client.bots.cloak.quiet_ways import EDGES, Exit, Move, Price, Rest, quiet_way
from sunglare_client.bots.movement.formation import place, straight
from sunglare_client.bots.movement.measures import damage_at
from sunglare_client.bots.movement.steering import best_shots, distance
from sunglare_protocol.geometry import Square
from sunglare_protocol.ids import OwnId
from sunglare_protocol.orders import Cloak, Deploy, Fire, Order
from sunglare_protocol.views import OwnView, View
from sunglare_protocol.words.ladder import Fate, Fix
from sunglare_protocol.words.victory import ObjectiveKind
from sunglare_rules.cloak.cloak import passive_chance
from sunglare_rules.turn.movement import AT_REST, Flight

WORTH = 8.0
"""What it is worth to collect at a place, in points of damage taken."""

EARS = 4
"""So many enemies are reckoned to listen, without thrust."""

GUNS = 3
"""So many enemies are reckoned to be armed; those not known yet may be at any place to collect."""

REMEMBERED = 8
"""An enemy seen so many turns ago is still reckoned to be where it was."""

HEARD = 0.3
"""What it costs to be heard out of reach of all guns, in points of damage: they come nearer."""

LONG_SHOT = 5.0
"""Squares by which one that is heard counts as farther away than it is, at least."""

VOLLEY = 100
"""Hidden ships fire if all of them do so much damage on average, in hundredths."""


class Course(NamedTuple):
    """Where a ship is bound for, and the moves that are left."""

    goal: Rest | Exit
    moves: tuple[Move, ...]


@final
class Fetch:
    """What a side that collects remembers: which ship is bound for where, and how."""

    def __init__(self, enemy_zone: tuple[str, ...] = ()) -> None:
        self._zone = enemy_zone
        self._courses: dict[OwnId, Course] = {}

    def deployed(self, advice: Advice, ship: OwnView) -> tuple[Order, ...]:
        """Return a start under the cloak in the foremost row of the zone, facing the enemy."""
        view = advice.view
        mine = [own.id for own in view.own]
        facing = straight(view.zone, self._zone or view.zone)
        at = place(view.zone, facing, mine.index(ship.id), len(mine))
        cloaked = ship.cloak and advice.may(Ability.CLOAKS)
        return (Deploy(ship=ship.id, at=at, facing=facing, cloaked=cloaked),)

    def plot(self, advice: Advice, ship: OwnView) -> tuple[Order, ...]:
        """Return the next move of a ship, under its cloak if it has one that works."""
        hides = ship.cloak_works and not ship.cloaked and advice.may(Ability.CLOAKS)
        cloak = (Cloak(ship=ship.id, on=True),) if ship.cloak and hides else ()
        course = self._courses.get(ship.id)
        if course is None or not course.moves or is_found(ship) or _is_done(advice.view, course):
            course = self._course(advice.view, ship)
        if course is None:
            self._courses.pop(ship.id, None)
            return cloak
        move, *left = course.moves
        self._courses[ship.id] = course._replace(moves=tuple(left))
        return (*cloak, *move.orders(ship.id))

    def _course(self, view: View, ship: OwnView) -> Course | None:
        """Return the course that is worth most, to a place to collect at or home."""
        left = view.stage.turns - view.stage.turn
        price = _price(view)
        bound = [course.goal for own, course in self._courses.items() if own != ship.id]
        best: tuple[float, Course] | None = None
        for goal in _goals(view):
            if best is not None and best[0] <= 0 and isinstance(goal, Exit):
                break  # Places come first, and no way home costs less than nothing.
            way = None if goal in bound else quiet_way(view.board, ship, goal, price, left)
            if way is None or len(way.moves) + _home(view, goal) > left:
                continue
            cost = way.cost - (WORTH if isinstance(goal, Rest) else 0.0)
            if best is None or cost < best[0]:
                best = cost, Course(goal, way.moves)
        return None if best is None else best[1]


def fetches(view: View) -> bool:
    """Return whether the side has something to collect."""
    return any(goal.kind is ObjectiveKind.COLLECT for goal in view.objectives)


def is_found(ship: OwnView) -> bool:
    """Return whether others have found an own cloaked ship this turn, or the last time."""
    return any(hunt.fix is not Fix.MEMORY for hunt in ship.hunted)


def answers(advice: Advice) -> tuple[Fire, ...]:
    """Return the best shot of every weapon at a ship that sweeps, or is seen.

    A hidden ship gives itself away by a shot, so the shots must promise much damage.
    """
    best = best_shots(advice)
    known = [ship.id for ship in advice.ships() if is_found(ship) or not ship.cloaked]
    means = (odds.mean_hundredths for shot in best if (odds := advice.odds(shot)))
    is_much = sum(means) >= VOLLEY
    return tuple(shot for shot in best if is_much or shot.ship in known)


def _goals(view: View) -> Iterator[Rest | Exit]:
    """Yield where a ship may go: to what is still to be collected, and home where it may leave."""
    at = {asteroid.name: asteroid.at for asteroid in view.board.asteroids}
    for goal in view.objectives:
        if goal.kind is ObjectiveKind.COLLECT and goal.body is not None and not goal.met:
            yield Rest(at[goal.body])
    if view.leaves_free:
        yield from map(Exit, EDGES)


def _is_done(view: View, course: Course) -> bool:
    return isinstance(course.goal, Rest) and course.goal not in tuple(_goals(view))


def _home(view: View, goal: Rest | Exit) -> float:
    """Return about how many turns it takes to leave the map from a goal, if that is possible."""
    if isinstance(goal, Exit) or not view.leaves_free:
        return 0.0
    return min(Exit(edge).turns(view.board, Flight(goal.square, AT_REST, edge)) for edge in EDGES)


def _price(view: View) -> Price:
    """Return what it costs to be heard: the damage that is to be expected on a square."""
    guns = tuple(_guns(view))
    tolls: dict[Square, float] = {}

    def price(square: Square, used: int) -> float:
        toll = tolls.get(square)
        if toll is None:
            toll = tolls[square] = HEARD + fsum([share * _toll(square, at) for at, share in guns])
        return toll * _heard(used)

    return price


@cache
def _heard(used: int) -> float:
    """Return the chance that any of the ears hears a ship that uses so much thrust."""
    return 1 - (1 - float(passive_chance(used))) ** EARS


def _toll(square: Square, gun: Square) -> float:
    """Return the damage of one gun on a ship that was heard: its range counts double."""
    away = distance(square, gun)
    return damage_at(max(2 * away, away + LONG_SHOT))


def _guns(view: View) -> Iterator[tuple[Square, float]]:
    """Yield the squares of guns, each with how likely one is there."""
    since = view.stage.turn - REMEMBERED
    known = [at for at in view.contacts if at.fate is Fate.IN_PLAY and at.turn >= since]
    yield from ((contact.square, 1.0) for contact in known)
    places = [asteroid.at for asteroid in view.board.asteroids]
    for at in places:
        yield at, max(0, GUNS - len(known)) / len(places)
