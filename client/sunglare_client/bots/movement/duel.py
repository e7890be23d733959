"""The duel: which course of a ship promises most against foes whose moves can only be guessed.

A course is worth the damage that its end lets the ship do to one foe, less what the foes do to
the ship if they find it there, both on average over the foes' likely flights; and it should be
cheap for a hunter, that is near to the nearest foe and facing it. So a ship goes where it is hard
to see, behind a foe or out of its arcs, if it can shoot from there.
"""

from collections.abc import Callable
from math import fsum
from typing import final

import msgspec

from sunglare_client.abilities import Ability
from sunglare_client.advice import Advice
from sunglare_client.bots.fire.nova import swept_mean
from sunglare_client.bots.movement.hunting import (
    OUT_OF_REACH,
    Quarry,
    closing,
    moved,
    turrets_aimed,
)
from sunglare_client.bots.movement.steering import courses, flight_costs, spent_in
from sunglare_client.bots.scans.exposure import Habits, found_chance
from sunglare_client.bots.sightings.foes import Foe, nearest_of
from sunglare_protocol.orders import Order
from sunglare_protocol.views import ContactView, OwnView, View
from sunglare_protocol.words.ladder import Fix
from sunglare_rules.advice.legal.plans import Course
from sunglare_rules.advice.odds.broadside import Broadside
from sunglare_rules.arcs.arcs import STANDARD_ARCS
from sunglare_rules.turn.movement import Flight, drifted

FOES_MOST = 3
"""So many foes, the nearest ones, a ship reckons with at once."""

WEIGHED = 18
"""Of so many of the cheapest courses the damage is reckoned, which takes a while."""

PER_SQUARE = 0.5
"""What a square of a hunter's cost is worth, in points of damage."""

PER_DEALT = 1.5
"""What a point of damage to a foe is worth."""

PER_TAKEN = 1.5
"""What a point of damage to the own ship costs."""


@final
class Duel:
    """One ship against the nearest foes, in one PLOT."""

    def __init__(
        self, advice: Advice, ship: OwnView, foes: tuple[Foe, ...], habits: Habits
    ) -> None:
        """Sort out the weapons of both sides; there has to be a foe."""
        view = advice.view
        self._board, self._ship, self._habits = view.board, ship, habits
        self.foes = nearest_of(foes, ship.square, FOES_MOST)
        mine = _all_round(ship) if advice.may(Ability.TURRETS) else ship
        target = _as_contact(ship)
        self._given = [Broadside(view, mine, _live(foe.contact)) for foe in self.foes]
        self._taken = [Broadside(view, _all_round(foe.like), target) for foe in self.foes]

    def dealt(self, end: Flight, spent: int) -> tuple[float, Foe]:
        """Return the mean damage to the foe that suffers most from there, and that foe."""
        means = [
            max(self._shot(number, end), self._swept(foe, end, spent))
            for number, foe in enumerate(self.foes)
        ]
        best = max(range(len(means)), key=means.__getitem__)
        return means[best], self.foes[best]

    def sweeps(self, end: Flight, spent: int) -> bool:
        """Return whether a nova gun may hit any foe from there."""
        return any(self._swept(foe, end, spent) for foe in self.foes)

    def _shot(self, number: int, end: Flight) -> float:
        """Return the mean damage of all guns but a nova gun to a foe, by its place in `foes`."""
        guns = self._given[number]
        return (
            fsum(
                way.chance * guns.hundredths(end.square, end.facing, way.flight.square)
                for way in self.foes[number].ways
                if _reaches(end, way.flight)
            )
            / 100
        )

    def _swept(self, foe: Foe, end: Flight, spent: int) -> float:
        ends = ((way.flight.square, way.chance) for way in foe.ways)
        return swept_mean(self._ship, end, spent, ends)

    def taken(self, end: Flight, spent: int) -> float:
        """Return the mean damage that the foes do to the ship there, as far as they find it."""
        hurt = fsum(
            way.chance * guns.hundredths(way.flight.square, way.flight.facing, end.square) / 100
            for foe, guns in zip(self.foes, self._taken, strict=True)
            for way in foe.ways
            if _reaches(end, way.flight)
        )
        if hurt <= 0:
            return 0.0
        return hurt * found_chance(self._board, self._ship, end, spent, self.foes, self._habits)

    def worth(self, end: Flight, spent: int) -> float:
        """Return what a course is worth that ends so: damage done less damage taken."""
        return PER_DEALT * self.dealt(end, spent)[0] - PER_TAKEN * self.taken(end, spent)

    def quarry(self, end: Flight, spent: int) -> Quarry:
        """Return the foe that the ship aims at from there, where it is likeliest to be."""
        foe = self.dealt(end, spent)[1]
        ahead = foe.ways[0].flight
        return Quarry(foe.contact, ahead.square, drifted(self._board, ahead.square, ahead.vector))


def fought(
    advice: Advice, ship: OwnView, foes: tuple[Foe, ...], habits: Habits
) -> tuple[Order, ...]:
    """Return the course that promises most against foes, with the turrets rotated for it."""
    duel = Duel(advice, ship, foes, habits)
    found = courses(advice, ship)
    if not found:
        return turrets_aimed(advice, ship, duel.quarry(_flight_of(ship), 0))
    costs = flight_costs(advice.view.board, ship, found, _closing(advice.view, ship, duel.foes[0]))
    thrifty = thriftiest(found)
    cheapest = sorted(costs, key=costs.__getitem__)[:WEIGHED]
    swept = [end for end in costs if duel.sweeps(end, spent_in(thrifty[end]))]
    best = min(
        (*cheapest, *swept),
        key=lambda end: PER_SQUARE * costs[end] - duel.worth(end, spent_in(thrifty[end])),
    )
    return aimed_course(advice, ship, thrifty[best], duel)


def aimed_course(advice: Advice, ship: OwnView, course: Course, duel: Duel) -> tuple[Order, ...]:
    """Return the orders of a course, with the turrets rotated for the foe aimed at."""
    quarry = duel.quarry(course.flight, spent_in(course))
    return (*course.orders, *turrets_aimed(advice, moved(ship, course.flight), quarry))


def thriftiest(found: list[Course]) -> dict[Flight, Course]:
    """Return for each flight the course to it that spends the least thrust."""
    best: dict[Flight, Course] = {}
    for course in sorted(found, key=spent_in):
        best.setdefault(course.flight, course)
    return best


def _closing(view: View, ship: OwnView, foe: Foe) -> Callable[[Flight], float]:
    first = drifted(view.board, foe.square, foe.vector)
    return closing(view.board, ship, first, drifted(view.board, first, foe.square.to(first)))


def _reaches(one: Flight, other: Flight) -> bool:
    """Return whether any weapon reaches from the end of one flight to that of another."""
    return one.square.distance_squared(other.square) <= OUT_OF_REACH**2


def _flight_of(ship: OwnView) -> Flight:
    return Flight(ship.square, ship.vector, ship.facing)


def _live(contact: ContactView) -> ContactView:
    return msgspec.structs.replace(contact, fix=Fix.TRACKED)


def _all_round(ship: OwnView) -> OwnView:
    """Return a ship whose turrets point everywhere, as they can be rotated to where they bear."""
    turrets = (msgspec.structs.replace(turret, arcs=STANDARD_ARCS) for turret in ship.turrets)
    return msgspec.structs.replace(ship, turrets=tuple(turrets))


def _as_contact(ship: OwnView) -> ContactView:
    """Return an own ship as a foe would hold it that tracks it."""
    return ContactView(
        label=ship.id,
        fix=Fix.TRACKED,
        square=ship.square,
        turn=0,
        vector=ship.vector,
        facing=ship.facing,
        size=ship.echo,
    )
