"""The hunter: listens and sweeps for cloaked ships in turn, and hides its own where they can."""

from collections.abc import Iterable
from typing import NamedTuple

from sunglare_client.abilities import Ability
from sunglare_client.advice import Advice
from sunglare_client.bots.cloak.prowling import enemies
from sunglare_client.bots.movement.steering import (
    best_course,
    deployment,
    distance,
)
from sunglare_client.bots.seeker import Seeker
from sunglare_client.bots.sightings.belief import Belief
from sunglare_protocol.geometry import Square, Vector, box_named
from sunglare_protocol.ids import Handle, OwnId
from sunglare_protocol.orders import Cloak, Deploy, Fire, Listen, Order, Sensors, Sweep
from sunglare_protocol.views import ContactView, OwnView, View
from sunglare_protocol.words.ladder import Fate
from sunglare_rules.turn.movement import Flight

SWEEP_EVERY = 3
"""While no foe has been found, one ship sweeps on every turn that is a multiple of this."""

WATCH_TURNS = 6
"""For so many turns pickets wait for what must come past them; then they go and look for it."""

STRIKES_WITHIN = 9.0
"""Squares within which a ship drops its cloak to fight."""

SAFE = 6.0
"""A ship that sweeps would rather have the last known enemy this far away, in squares."""

LOOKS_AHEAD = 5
"""So many turns ahead a picket reckons how near it will be to a raider."""

OUT_OF_REACH = 12.0
"""Squares beyond which it makes no difference how far away a raider is: let it come."""

FAIR_SHOT_HUNDREDTHS = 30
"""A shot shows all sides where one is, so it must do this much damage on average."""


class Prediction(NamedTuple):
    """Where a foreign piece will be, and where it goes."""

    square: Square
    vector: Vector


class Hunter(Seeker):
    """Hunts cloaked ships by ear and by sweeps, stalks under its cloaks, strikes from near by."""

    name = "hunter"

    def plot(self, view: View, advice: Advice, ship: OwnView, belief: Belief) -> tuple[Order, ...]:
        """Return a cloaked ship's stalk, or a picket's watch; without cloaks a plain hunt."""
        if not view.cloak_rules.cloaks or ship.landed is not None or ship.volley is not None:
            return super().plot(view, advice, ship, belief)
        if view.stage.turn == 1 and view.zone:
            return self._deployed(view, ship)
        switched = _switch(view, ship) if ship.cloak else ()
        return (*switched, *self._picket(view, advice, ship, belief))

    def lookouts(self, advice: Advice) -> Iterable[OwnView]:
        """Return the ships that shall scan: none while all that may be there is cloaked."""
        view = advice.view
        is_useless = view.cloak_rules.cloaks and not _is_searching(view) and not in_the_open(view)
        return () if is_useless else super().lookouts(advice)

    def requests(self, advice: Advice) -> Iterable[Order]:
        """Return who listens, who sweeps, and what the ships ask about what they hold."""
        search = self._detect(advice.view, advice) if advice.view.cloak_rules.cloaks else ()
        return (*search, *super().requests(advice))

    def shots(self, advice: Advice) -> tuple[Order, ...]:
        """Return shots at one target, and what is held for answers; without cloaks the best."""
        if not advice.view.cloak_rules.cloaks:
            return super().shots(advice)
        return tuple(self._fire(advice))

    def _deployed(self, view: View, ship: OwnView) -> tuple[Order, ...]:
        """Return a deployment: cloaked ships at rest anywhere, the others in wait, spread."""
        if ship.cloak:
            there = deployment(view, ship, self.rng, ship.square)
            return (Deploy(ship=ship.id, at=there.at, facing=there.facing, cloaked=True),)
        number = [own.id for own in view.own if not own.cloak].index(ship.id)
        count = sum(not own.cloak for own in view.own)
        box = box_named(view.zone[len(view.zone) * (2 * number + 1) // (2 * count)])
        aim = self._enemy_middle(view)
        facing = deployment(view, ship, self.rng, aim).facing
        return (
            Deploy(ship=ship.id, at=box.centre, facing=facing),
            Sensors(ship=ship.id, out=False),
        )

    def _enemy_middle(self, view: View) -> Square:
        boxes = [box_named(name).centre for name in self._enemy_zone]
        if not boxes:
            area = view.board.area
            return Square((area.west + area.east) // 2, (area.north + area.south) // 2)
        return boxes[len(boxes) // 2]

    def _picket(
        self, view: View, advice: Advice, ship: OwnView, belief: Belief
    ) -> tuple[Order, ...]:
        """Return a course that meets the nearest known enemy and stays by it, else waits.

        A ship that has waited in vain for long goes and looks for it, as a seeker does.
        """
        marks = [_ahead(view, enemy) for enemy in enemies(view)]
        inside = [spot for spot in marks if spot.square in view.board]
        if not inside and _is_searching(view) and not ship.cloaked:
            return self.hunt(view, advice, ship, belief)
        if not inside:
            calm = ship.vector == Vector(0, 0)
            return () if calm else best_course(advice, ship, _speed)
        mark = min(inside, key=lambda spot: ship.square.distance_squared(spot.square))

        def cost(flight: Flight) -> float:
            nose = flight.square.moved(flight.facing.step)
            turned = distance(nose, mark.square) - distance(flight.square, mark.square)
            if distance(ship.square, mark.square) > OUT_OF_REACH:
                return _speed(flight) + turned
            return _apart(flight, mark) + turned

        return best_course(advice, ship, cost)

    def _detect(self, view: View, advice: Advice) -> Iterable[Order]:
        ears = [ship for ship in advice.ships() if advice.listen_odds(ship.id) is not None]
        trail = _trail(view)
        is_deaf = view.stage.turn <= view.cloak_rules.jammed or not advice.may(Ability.LISTENING)
        is_due = view.stage.turn % SWEEP_EVERY == 0 or is_deaf
        sweeps = advice.may(Ability.SWEEPS) and (trail or is_due)
        # A ship without sensors for scans listens, but cannot sweep.
        voice = _voice([ship for ship in ears if ship.sensors], trail) if sweeps else None
        for ship in ears:
            if ship is voice:
                yield Sweep(ship=ship.id)
            else:
                yield Listen(ship=ship.id)

    def _fire(self, advice: Advice) -> Iterable[Order]:
        """Return shots, at one target as far as they can; what is left waits for answers."""
        worth = self._worth(advice)
        best: dict[tuple[OwnId, str], Fire] = {}
        for at in sorted(worth, key=lambda handle: -worth[handle]):
            for shot in advice.shots():
                if shot.at == at and worth[at] >= FAIR_SHOT_HUNDREDTHS:
                    best.setdefault((shot.ship, shot.weapon), shot)
        yield from best.values()
        yield from (hold for hold in advice.holds() if (hold.ship, hold.weapon) not in best)

    def _worth(self, advice: Advice) -> dict[Handle, float]:
        """Return for each target the damage that it has taken and is likely to take now."""
        worth: dict[Handle, float] = {}
        for shot in advice.shots():
            odds = advice.odds(shot)
            if shot.at is not None and odds is not None:
                taken = worth.get(shot.at, 100.0 * self.hurt.get(shot.at, 0))
                worth[shot.at] = taken + odds.mean_hundredths
        return worth


def _is_searching(view: View) -> bool:
    """Return whether it is time to go and look for those that have not come."""
    return view.stage.turn > WATCH_TURNS


def in_the_open(view: View) -> bool:
    """Return whether something is held, or was seen lately, that scans could find again."""
    return any(enemy.trackers is None for enemy in enemies(view))


def _switch(view: View, ship: OwnView) -> tuple[Order, ...]:
    """Return the order to cloak, or to strike from near by; none where neither is wanted."""
    if not ship.cloak_works:
        return ()
    near = min((distance(ship.square, enemy.square) for enemy in enemies(view)), default=99.0)
    wanted = near > STRIKES_WITHIN
    return () if wanted is ship.cloaked else (Cloak(ship=ship.id, on=wanted),)


def _trail(view: View) -> list[ContactView]:
    """Return the hunted ships that were found lately, and what else may have cloaked again."""
    return [enemy for enemy in enemies(view) if enemy.fate is Fate.IN_PLAY]


def _voice(ears: list[OwnView], trail: list[ContactView]) -> OwnView | None:
    """Return the ship that may sweep at the least risk: sound, and not too near the enemy."""

    def rank(ship: OwnView) -> tuple[bool, float, str]:
        near = min((distance(ship.square, contact.square) for contact in trail), default=SAFE)
        return (near < SAFE, ship.damage / ship.hull - near / 100, ship.id)

    return min(ears, key=rank, default=None)


def _ahead(view: View, contact: ContactView) -> Prediction:
    """Return where a foreign piece will be after the coming movement, if it drifts on."""
    vector = contact.vector or Vector(0, 0)
    square = contact.square
    for _ in range(view.stage.turn - contact.turn):
        square = square.moved(vector)
    return Prediction(square, vector)


def _apart(flight: Flight, mark: Prediction) -> float:
    """Return how far a flight and a mark are from each other in the turns ahead, on average."""
    here, there, apart = flight.square, mark.square, 0.0
    for _ in range(LOOKS_AHEAD):
        apart += min(distance(here, there), OUT_OF_REACH)
        here, there = here.moved(flight.vector), there.moved(mark.vector)
    return apart / LOOKS_AHEAD


def _speed(flight: Flight) -> float:
    return 5.0 * sum(map(abs, flight.vector))
