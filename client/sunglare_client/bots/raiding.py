"""Raiding: cloaked ships look where the guns are, then run one by one past the fewest of them.

Theory of operation. One ship over the edge is mostly enough to win, and a ship that is lost gives
points away. So the raiders begin uncloaked and far off, where sweeps do not find them, and scan
for the guns. Then the one with the cheapest way runs, while the others stay out of reach and scan
on, for a cloaked ship sees nothing. A runner hides from what the enemy has been heard to do: a
cloak is the answer to scans and to eyes, none is the answer to sweeps, which would find it for
certain. Once one has come through, the others run only where that costs little, since a ship that
is lost gives points away; if it is lost, or if waiting becomes dangerous, the next one runs.
"""

from collections.abc import Iterator
from typing import final

from sunglare_client.advice import Advice
from sunglare_client.bots.gauntlet import Gauntlet, Gun, Passage
from sunglare_client.bots.lining import place
from sunglare_client.bots.measures import ahead
from sunglare_client.bots.prowling import Run
from sunglare_client.bots.seeker import powered_on, switched_on
from sunglare_client.bots.steering import DEPLOY_SPEED, best_course, distance
from sunglare_protocol.geometry import Vector, box_named
from sunglare_protocol.ids import OwnId, Side
from sunglare_protocol.notices import Notice, ScanAnswered, SweepSeen
from sunglare_protocol.orders import Cloak, Deploy, Order, Sensors
from sunglare_protocol.views import ContactView, OwnView, View
from sunglare_protocol.words.ladder import Fate
from sunglare_rules.turn.movement import Flight

REMEMBERED = 5
"""For so many turns an enemy is reckoned to be about where it was seen."""

DRIFTS = 2
"""For so many turns it is taken to drift on; after that it has likely braked."""

LINE = 4
"""Where no gun is known yet, the enemy's zone is taken to hold so many, anywhere in it."""

LAST_RUN = 8
"""With no more turns than this left, everybody runs."""

PER_REACH = 20.0
"""What it costs one that waits to be within reach of guns, for each point of damage."""

PRESSED = 4.0
"""One that waits runs too, if waiting costs so much damage in the next two turns."""


@final
class Raid:
    """What a side of raiders remembers: who runs, and how the enemy looks for it."""

    def __init__(self, side: Side, enemy_zone: tuple[str, ...] = ()) -> None:
        self._side, self._zone = side, enemy_zone
        self._runner: OwnId | None = None
        self._is_scanned = self._is_swept = False
        self._reckoned: tuple[tuple[int, int], Gauntlet] | None = None

    def heard(self, notice: Notice) -> None:
        """Remember that the enemy scans, or sweeps."""
        if isinstance(notice, SweepSeen):
            self._is_swept = True
        elif isinstance(notice, ScanAnswered) and notice.side != self._side:
            self._is_scanned = True

    def deployed(self, view: View, ship: OwnView, run: Run) -> tuple[Order, ...]:
        """Return a start as far from the edge as may be, facing it, uncloaked, sensors out."""
        mine = [own.id for own in view.own]
        at = place(view.zone, run.edge.opposite, mine.index(ship.id), len(mine))
        step = run.edge.step
        vector = Vector(DEPLOY_SPEED * step.dx, DEPLOY_SPEED * step.dy)
        return (
            Deploy(ship=ship.id, at=at, vector=vector, facing=run.edge, cloaked=False),
            Sensors(ship=ship.id, out=True),
        )

    def plot(self, advice: Advice, ship: OwnView, run: Run) -> tuple[Order, ...]:
        """Return the plan of a raider after its set-up: its run, or its wait.

        Once one has got away, another runs only if that costs no more than to wait may.
        """
        view = advice.view
        gauntlet = self._gauntlet(view, run, ship)
        is_late = view.stage.turns - view.stage.turn < LAST_RUN
        if ship.id == self._runs(advice, run) or is_late:
            way = gauntlet.best_way(advice, ship)
            if not view.points or (way is not None and way.toll <= PRESSED):
                return self._run(way, ship)
        course = best_course(advice, ship, lambda flight: _wait(flight, gauntlet, run))
        if _reached(advice.flight(ship, course), gauntlet) > PRESSED:
            return self._run(gauntlet.best_way(advice, ship), ship)
        return (*_cloaked(ship, on=False), *switched_on(ship), *course)

    def _runs(self, advice: Advice, run: Run) -> OwnId | None:
        """Return the ship that runs: the one that does so already, else that with the best way."""
        ships = advice.ships()
        if all(ship.id != self._runner for ship in ships):
            ways = [
                (way.toll, ship.id)
                for ship in ships
                if (way := self._gauntlet(advice.view, run, ship).best_way(advice, ship))
            ]
            self._runner = min(ways)[1] if ways else None
        return self._runner

    def _run(self, way: Passage | None, ship: OwnView) -> tuple[Order, ...]:
        """Return a runner's course, and its cloak as it hides best from how the enemy searches."""
        course = () if way is None else way.course.orders
        hides = self._is_scanned or not self._is_swept
        return (*powered_on(ship), *_cloaked(ship, on=hides), *course)

    def _gauntlet(self, view: View, run: Run, ship: OwnView) -> Gauntlet:
        """Return the guns that a ship has to pass; they are reckoned once for all ships alike."""
        key = view.stage.turn, ship.thrust
        if self._reckoned is None or self._reckoned[0] != key:
            self._reckoned = key, Gauntlet(run, ship.thrust, self._guns(view))
        return self._reckoned[1]

    def _guns(self, view: View) -> tuple[Gun, ...]:
        """Return the enemies seen lately; without any, a line of them spread over their zone."""
        guns = tuple(_gun(view, contact) for contact in latest(view))
        if guns or not self._zone:
            return guns
        share = LINE / len(self._zone)
        return tuple(Gun(box_named(name).centre, weight=share) for name in self._zone)


def latest(view: View) -> Iterator[ContactView]:
    """Yield every enemy seen lately once: a memory near a newer sighting is of the same ship."""
    kept: list[ContactView] = []
    for contact in sorted(view.contacts, key=lambda contact: -contact.turn):
        is_fresh = contact.turn >= view.stage.turn - REMEMBERED
        is_new = not any(_may_be(contact, newer) for newer in kept)
        if contact.fate is Fate.IN_PLAY and is_fresh and is_new:
            kept.append(contact)
            yield contact


def _may_be(older: ContactView, newer: ContactView) -> bool:
    turns = newer.turn - older.turn
    return turns > 0 and distance(older.square, newer.square) <= 2 * turns + 1


def _gun(view: View, contact: ContactView) -> Gun:
    if contact.vector is None or view.stage.turn - contact.turn > DRIFTS:
        return Gun(contact.square)
    return Gun(ahead(view, contact), contact.vector)


def _cloaked(ship: OwnView, *, on: bool) -> tuple[Order, ...]:
    """Return the order that has the ship cloaked, or not, if it can be and is not so."""
    can = ship.cloak and ship.cloak_works and ship.powered
    return (Cloak(ship=ship.id, on=on),) if can and ship.cloaked is not on else ()


def _wait(flight: Flight, gauntlet: Gauntlet, run: Run) -> float:
    """Return a cost of flights for one that waits: slow, out of reach, and ready to run."""
    speed, turned = sum(map(abs, flight.vector)), flight.facing.apart(run.edge)
    reached = _reached(flight, gauntlet)
    return PER_REACH * reached + 3.0 * speed + turned - run.left(flight.square)


def _reached(flight: Flight, gauntlet: Gauntlet) -> float:
    """Return the damage to expect in two turns of drift."""
    return gauntlet.toll(flight.square) + gauntlet.toll(flight.square.moved(flight.vector), 1)
