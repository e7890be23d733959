"""The lurker: hides in the dark or under cloaks, reveals little, strikes at what comes near."""

from math import sqrt

from sunglare_client.advice import Advice
from sunglare_client.bot import Bot
from sunglare_client.bots.cloak.ambush import lies_in_wait
from sunglare_client.bots.cloak.fetching import fetches
from sunglare_client.bots.collecting import Collecting
from sunglare_client.bots.delegating import Delegating
from sunglare_client.bots.fire.ordnance import aimed
from sunglare_client.bots.movement.hunting import quarries
from sunglare_client.bots.movement.steering import (
    bearing,
    best_course,
    best_shots,
    distance,
    parked_deployment,
    parking,
)
from sunglare_client.bots.seeker import Seeker, switched_off
from sunglare_client.bots.sightings.belief import Belief
from sunglare_protocol.geometry import Square
from sunglare_protocol.orders import Land, Order, Scan, Sensors
from sunglare_protocol.views import OwnView, View
from sunglare_rules.sensors.masks import area_mask, masks_of, squares_in
from sunglare_rules.sensors.sunlight import in_shadow
from sunglare_rules.turn.movement import Flight, asteroid_landing_problems, drifted

PATIENCE = 5
"""For one in so many of the match's turns it hides; then it searches like anybody else."""

STRIKES_AT = 8
"""It leaves its hiding place at once for an enemy that is as many squares away."""

ROCK_REACH = 15
"""An asteroid is preferred to shadow if it is not more squares away."""

SLOW = 1
"""A ship that is in the shadow and no faster than this along its column drifts on."""

FAIR_SHOT_HUNDREDTHS = 40
"""A shot shows all sides where one is, so it must do this much damage on average."""

MARGIN = 3
"""Squares that a hiding place keeps from the edge of the map."""


class Lurker(Delegating):
    """Hides in shadow, on a rock or under a cloak, burns unheard, strikes what comes near."""

    name = "lurker"

    def plays(self, view: View) -> type[Bot]:
        """Return what hides: under cloaks, or from them, where there is something to collect."""
        return Collecting if fetches(view) or lies_in_wait(view) else Hiding


class Hiding(Seeker):
    """Hides in a shadow column or on an asteroid, goes cold there, strikes at what it finds."""

    def plot(self, view: View, advice: Advice, ship: OwnView, belief: Belief) -> tuple[Order, ...]:
        """Return a way to hide, and a hunt once an enemy is near or no patience is left."""
        if ship.volley is not None:
            return aimed(view, ship)
        if view.stage.turn == 1 and view.zone:
            hide = hiding_place(view, ship)
            return (
                parked_deployment(view, ship, self.rng, hide),
                Sensors(ship=ship.id, out=True),
            )
        if _is_patient(view) and not _must_strike(view, ship):
            return self._hide(view, advice, ship, belief)
        return self.hunt(view, advice, ship, belief)

    def care(self, advice: Advice, scan: Scan) -> float:
        """Return how much of the map a scan leaves its ship to hide in, as a root."""
        preview = advice.preview(scan)
        if preview is None or not _is_patient(advice.view):
            return 1.0
        start, *_, left = preview.candidates
        return sqrt(left / start)

    def shots(self, advice: Advice) -> tuple[Order, ...]:
        """Return the shots that are worth being seen."""
        return best_shots(advice, FAIR_SHOT_HUNDREDTHS)

    def _hide(
        self, view: View, advice: Advice, ship: OwnView, belief: Belief
    ) -> tuple[Order, ...]:
        if ship.landed is not None:
            return switched_off(ship)
        hide = hiding_place(view, ship)
        landing = _landing(view, ship, belief.peak(ship.square))
        if landing is not None:
            return (landing, *switched_off(ship))
        ahead = drifted(view.board, ship.square, ship.vector)
        calm = ship.vector.dx == 0 and abs(ship.vector.dy) <= SLOW
        if calm and in_shadow(view.board, ahead):
            return switched_off(ship)
        return best_course(advice, ship, parking(view.board, hide, ship.thrust))


def hiding_place(view: View, ship: OwnView) -> Square:
    """Return where a ship hides: an asteroid near it, else shadow outside all wells.

    Of several it is the nearest, without any the middle of the map.
    """
    area = view.board.area
    inner = area._replace(
        west=area.west + MARGIN,
        north=area.north + MARGIN,
        east=area.east - MARGIN,
        south=area.south - MARGIN,
    )
    masks = masks_of(view.board)
    dark = squares_in(view.board, masks.shadow & ~masks.wells & area_mask(view.board, inner))
    rocks = [asteroid.at for asteroid in view.board.asteroids]
    middle = Square((area.west + area.east) // 2, (area.north + area.south) // 2)
    near = [rock for rock in rocks if distance(rock, ship.square) <= ROCK_REACH]
    return min(near or dark or rocks, key=ship.square.distance_squared, default=middle)


def _is_patient(view: View) -> bool:
    return view.stage.turn * PATIENCE <= view.stage.turns


def _must_strike(view: View, ship: OwnView) -> bool:
    """Return whether an enemy is so near that a ship should leave its hiding place."""
    enemies = quarries(view)
    return any(distance(ship.square, enemy.after_move) <= STRIKES_AT for enemy in enemies)


def _landing(view: View, ship: OwnView, enemy: Square) -> Land | None:
    """Return the landing on the asteroid at which the ship rests, on its side off the enemy."""
    flight = Flight(ship.square, ship.vector, ship.facing)
    for asteroid in view.board.asteroids:
        if not asteroid_landing_problems(asteroid, flight):
            away = bearing(asteroid.at, enemy).opposite
            return Land(ship=ship.id, body=asteroid.name, sector=away)
    return None
