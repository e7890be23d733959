"""The drifter: hides in a shadow column, scans without telling much, fires at what it holds."""

from collections.abc import Iterable
from math import sqrt
from typing import assert_never

from sunglare_client.advice import Advice
from sunglare_client.bot import Bot
from sunglare_client.bots.looking import Look, looks
from sunglare_client.bots.ordnance import aimed, launched
from sunglare_client.bots.steering import (
    bearing,
    best_course,
    best_shots,
    deployment,
    distance,
    lies_in,
)
from sunglare_protocol.geometry import Square
from sunglare_protocol.ladder import Fate, Fix, Phase
from sunglare_protocol.orders import Lift, Order, Sensors
from sunglare_protocol.views import OwnView, View
from sunglare_rules.movement import Flight, drifted
from sunglare_rules.sectors import in_well
from sunglare_rules.sunlight import in_shadow, shadow_squares

PEEK_EVERY = 2
"""In the shadow the sensors come out on every turn that is a multiple of this."""

PREVIEWS = 24
"""So many scans are weighed against each other, drawn at random from all there are."""

SLOW = 1
"""A ship that is in the shadow and no faster than this along its column drifts on."""

FAIR_SHOT_HUNDREDTHS = 40
"""A shot tells everybody where one is, so it must do this much damage on average."""

MARGIN = 3
"""Squares that a hiding place keeps from the edge of the map."""


class Drifter(Bot):
    """Flies into the shadow column, then drifts there with its sensors mostly folded."""

    name = "drifter"

    def on_window(self, view: View, advice: Advice) -> Iterable[Order]:
        """Return courses into the shadow, cheap scans, or shots at what is held."""
        match view.stage.phase:
            case Phase.PLOT:
                return advice.legal_part(
                    order for ship in advice.ships() for order in self._plot(view, advice, ship)
                )
            case Phase.SCAN:
                return advice.legal_part(
                    order for ship in advice.ships() for order in self._scan(view, advice, ship)
                )
            case Phase.ENGAGE:
                return best_shots(advice, FAIR_SHOT_HUNDREDTHS)
            case Phase.DETECT | Phase.OVER:
                return ()
            case _:
                assert_never(view.stage.phase)

    def _plot(self, view: View, advice: Advice, ship: OwnView) -> tuple[Order, ...]:
        if ship.volley is not None:
            return aimed(view, ship)
        hide = hiding_place(view, ship)
        if view.stage.turn == 1 and view.zone:
            return (deployment(view, ship, self.rng, hide), Sensors(ship=ship.id, out=True))
        if ship.landed is not None:
            return (Lift(ship=ship.id),)
        move = self._move(view, advice, ship, hide)
        drifts_dark = not move and in_shadow(view.board, ship.square)
        peeks = view.stage.turn % PEEK_EVERY == 0 or _holds_something(view)
        out = peeks or not drifts_dark
        switch = () if ship.popped_out is out else (Sensors(ship=ship.id, out=out),)
        return (*move, *switch, *launched(view, ship, move))

    def _move(self, view: View, advice: Advice, ship: OwnView, hide: Square) -> tuple[Order, ...]:
        enemy = _nearest_enemy(view, ship)

        def cost(flight: Flight) -> float:
            ahead = drifted(view.board, flight.square, flight.vector)
            away = distance(flight.square, hide) + 2 * distance(ahead, hide)
            turned = 0 if enemy is None else flight.facing.apart(bearing(flight.square, enemy))
            return away - 4 * in_shadow(view.board, flight.square) + turned

        calm = ship.vector.dx == 0 and abs(ship.vector.dy) <= SLOW
        ahead = drifted(view.board, ship.square, ship.vector)
        if enemy is None and calm and in_shadow(view.board, ahead):
            return ()
        return best_course(advice, ship, cost)

    def _scan(self, view: View, advice: Advice, ship: OwnView) -> tuple[Order, ...]:
        found = list(looks(view, ship))
        chosen = self.rng.sample(found, min(PREVIEWS, len(found)))
        best = max(chosen, key=lambda look: _worth(view, advice, look), default=None)
        return () if best is None else (best.scan,)


def hiding_place(view: View, ship: OwnView) -> Square:
    """Return the shadowed square outside all wells that is nearest to the ship.

    Without any shadow it is the middle of the map.
    """
    area = view.board.area
    inner = area._replace(
        west=area.west + MARGIN,
        north=area.north + MARGIN,
        east=area.east - MARGIN,
        south=area.south - MARGIN,
    )
    dark = [
        square
        for square in shadow_squares(view.board)
        if lies_in(inner, square) and not in_well(view.board, square)
    ]
    middle = Square((area.west + area.east) // 2, (area.north + area.south) // 2)
    return min(dark, key=ship.square.distance_squared, default=middle)


def _worth(view: View, advice: Advice, look: Look) -> float:
    """Return how much a scan may find, times the share of the map it leaves its ship to be in."""
    preview = advice.preview(look.scan)
    if preview is None:
        return 0.0
    start, *_, left = preview.candidates
    squares = (1 + look.area.east - look.area.west) * (1 + look.area.south - look.area.north)
    known = sum(
        lies_in(look.area, contact.square)
        for contact in view.contacts
        if contact.fate is Fate.IN_PLAY and contact.turn >= view.stage.turn - 1
    )
    return look.chance * (sqrt(squares) + 20 * known) * left / start


def _holds_something(view: View) -> bool:
    return any(
        contact.fate is Fate.IN_PLAY and contact.fix in (Fix.TRACKED, Fix.COASTING)
        for contact in view.contacts
    )


def _nearest_enemy(view: View, ship: OwnView) -> Square | None:
    held = [
        contact.square
        for contact in view.contacts
        if contact.fate is Fate.IN_PLAY and contact.turn >= view.stage.turn - 1
    ]
    return min(held, key=ship.square.distance_squared, default=None)
