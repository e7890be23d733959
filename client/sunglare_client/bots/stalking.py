"""Stalking: a line of pickets that sweeps for cloaked ships, scans for others, and meets both.

Theory of operation. A sweep finds the nearest cloaked ship for certain, whatever the distance,
and costs the square of who makes it, and the listening of all; so many pickets sweep each turn
as found something the last time, and one more. What has dropped its cloak no sweep finds: the
pickets scan where something should be by now, and where it may have started. The line stands in
the foremost row of its zone and goes slowly ahead, for a ship that gathers speed is in reach the
longer, the earlier it is met. Who is known is taken to fly on, and faster if it flies fast.
"""

from collections.abc import Iterable, Iterator
from math import fsum
from typing import NamedTuple, final

from sunglare_client.abilities import OF_SCANS, Ability
from sunglare_client.advice import Advice
from sunglare_client.bots.gauntlet import damage_at
from sunglare_client.bots.hunting import Quarry, bearing_on
from sunglare_client.bots.lining import place, straight
from sunglare_client.bots.looking import TYPES
from sunglare_client.bots.measures import drifted_on
from sunglare_client.bots.prowling import enemies
from sunglare_client.bots.steering import bearing, best_course, distance
from sunglare_protocol.geometry import Square, Vector, box_of
from sunglare_protocol.orders import Deploy, Listen, Order, Scan, Sensors, Sweep
from sunglare_protocol.views import ContactView, OwnView, View
from sunglare_protocol.words.ladder import Fix
from sunglare_protocol.words.scans import ScanSize
from sunglare_rules.turn.movement import AT_REST, Flight

SWEEPERS_LEAST = 2
"""So many pickets sweep at least: one finds one ship for certain, two find two."""

QUIET_TURNS = 1
"""For so many turns no cloaked ship can be in reach of a gun, now or on the next turn."""

AHEAD = 1
"""Squares a turn that the line goes ahead at first."""

TURNS = 3
"""So many turns ahead a picket reckons what it can do to an enemy, the coming one among them."""

PER_PACE = 1.5
"""What every square a turn that it flies faster costs a picket, in points of damage."""

STANDS = 5.0
"""What it costs where nobody will be in reach, against a step that it faces off the enemy."""

RUNS_FROM = 3
"""Who makes so many squares a turn along an axis, or more, is in a hurry."""

HURRY = 3
"""The thrust, in points a turn, that is reckoned of who is in a hurry."""

HELD_NOW = (Fix.CONTACT, Fix.DETECTED, Fix.SOLUTION)
"""What is held like this was found this turn, and need not be scanned for again."""


@final
class Stalk:
    """What a side does in each window whose ships have no cloaks, while others may have."""

    def __init__(self, enemy_zone: tuple[str, ...] = ()) -> None:
        self._zone = enemy_zone

    def deployed(self, view: View, ship: OwnView) -> tuple[Order, ...]:
        """Return a start in the foremost row of the zone, spread, sensors out."""
        mine = [own.id for own in view.own]
        facing = straight(view.zone, self._zone or view.zone)
        at = place(view.zone, facing, mine.index(ship.id), len(mine))
        vector = Vector(AHEAD * facing.step.dx, AHEAD * facing.step.dy)
        return (
            Deploy(ship=ship.id, at=at, vector=vector, facing=facing),
            Sensors(ship=ship.id, out=True),
        )

    def plot(self, advice: Advice, ship: OwnView) -> tuple[Order, ...]:
        """Return a course to where most damage can be done to an enemy in the turns to come.

        Who is in a hurry comes first, since it will be gone. Where nobody will be in reach the
        ship slows down and turns to the nearest.
        """
        known = expected(advice.view)
        marks = [mark for mark in known if mark.runs] or known
        flights = dict.fromkeys([course.flight for course in advice.courses(ship)])
        gains = [max((gain(mark, flight) for flight in flights), default=0.0) for mark in marks]
        best = max(gains, default=0.0)
        if best == 0:
            return best_course(advice, ship, lambda flight: _stand(flight, marks))
        mark = marks[gains.index(best)]
        return bearing_on(advice, ship, mark.quarry, lambda flight: _cost(flight, mark))

    def searches(self, advice: Advice) -> Iterator[Order]:
        """Yield who sweeps, those first who are farthest from the enemy; the others listen.

        They do not yet while nobody can be in reach: who is heard is told so, and thereby warned.
        """
        view = advice.view
        ears = [ship for ship in advice.ships() if advice.listen_odds(ship.id) is not None]
        last = view.stage.turn - 1
        found = sum(enemy.trackers is not None and enemy.turn == last for enemy in view.contacts)
        ears.sort(key=lambda ship: (-_nearest(view, ship), ship.id))
        sweepers = max(SWEEPERS_LEAST, found + 1) if advice.may(Ability.SWEEPS) else 0
        listens = view.stage.turn > QUIET_TURNS
        yield from (Sweep(ship=ship.id) for ship in ears[:sweepers])
        yield from (Listen(ship=ship.id, on=listens) for ship in ears[sweepers:])

    def scans(self, advice: Advice) -> Iterator[Scan]:
        """Yield scans of where enemies should be by now that nothing shows, the nearest first."""
        view, free = advice.view, list(advice.ships())
        hidden = [mark for mark in expected(view) if mark.contact.fix not in HELD_NOW]
        for mark in sorted(hidden, key=lambda mark: _apart(free, mark.squares[0])):
            scan = _sharpest(advice, free, mark.squares[0])
            if scan is not None:
                free = [ship for ship in free if ship.id != scan.ship]
                yield scan


class Foreseen(NamedTuple):
    """An enemy known of late, where it will be turn by turn, and whether it is in a hurry."""

    contact: ContactView
    squares: tuple[Square, ...]
    runs: bool

    @property
    def quarry(self) -> Quarry:
        """Return it as those see it who aim at it."""
        return Quarry(self.contact, *self.squares[:2])


def expected(view: View) -> tuple[Foreseen, ...]:
    """Return the enemies known of late that are on the map after the movement due, or done."""
    marks = (_flown_on(view, enemy) for enemy in enemies(view))
    return tuple(mark for mark in marks if mark.squares[0] in view.board)


def gain(mark: Foreseen, flight: Flight) -> float:
    """Return the damage that a ship can do to an enemy, drifting on from a flight."""
    square, found = flight.square, []
    for there in mark.squares:
        found.append(damage_at(distance(square, there)))
        square = square.moved(flight.vector)
    return fsum(found)


def _flown_on(view: View, contact: ContactView) -> Foreseen:
    square, vector = contact.square, contact.vector or AT_REST
    for _ in range(view.stage.turn - contact.turn):
        square, vector = _hurried(view, square, vector)
    squares = [square]
    while len(squares) < TURNS:
        square, vector = _hurried(view, square, vector)
        squares.append(square)
    return Foreseen(contact, tuple(squares), _is_fast(vector))


def _is_fast(vector: Vector) -> bool:
    return max(map(abs, vector)) >= RUNS_FROM


def _hurried(view: View, square: Square, vector: Vector) -> tuple[Square, Vector]:
    """Return where a ship drifts to that is in a hurry if it was before, and its vector then."""
    at, drift = drifted_on(view.board, square, vector)
    if not _is_fast(vector):
        return at, drift
    step = bearing(square, at).step
    more = Vector(HURRY * step.dx, HURRY * step.dy)
    return at.moved(more), drift.plus(more)


def _sharpest(advice: Advice, ships: Iterable[OwnView], at: Square) -> Scan | None:
    """Return the scan of the boxes around a square that finds the faintest things."""
    box = box_of(at).name
    senses = advice.may(Ability.SENSE)
    scans = [
        Scan(ship=ship.id, type=kind, size=ScanSize.BOXES, at=box, sense=senses)
        for ship in ships
        for kind in TYPES
        if advice.may(OF_SCANS[kind])
    ]
    seen = [(scan, advice.preview(scan)) for scan in scans]
    able = [(scan, preview.finds_from) for scan, preview in seen if preview is not None]
    return min(able, key=lambda pair: pair[1], default=(None, 0))[0]


def _nearest(view: View, ship: OwnView) -> float:
    return min((distance(ship.square, enemy.square) for enemy in enemies(view)), default=0.0)


def _apart(ships: Iterable[OwnView], at: Square) -> float:
    return min((distance(ship.square, at) for ship in ships), default=0.0)


def _cost(flight: Flight, mark: Foreseen) -> float:
    return PER_PACE * sum(map(abs, flight.vector)) - gain(mark, flight)


def _stand(flight: Flight, marks: Iterable[Foreseen]) -> float:
    """Return a cost of flights for a ship that waits: slow, and facing the nearest enemy."""
    there = min(
        (mark.squares[0] for mark in marks), key=flight.square.distance_squared, default=None
    )
    turned = 0 if there is None else flight.facing.apart(bearing(flight.square, there))
    return STANDS * sum(map(abs, flight.vector)) + turned
