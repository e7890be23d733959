"""The sweeper: scans where the enemy most likely is, closes in and fires its best shots."""

from collections.abc import Iterable
from typing import assert_never

from sunglare_client.advice import Advice
from sunglare_client.bot import Bot, BotMatch
from sunglare_client.bots.belief import Belief
from sunglare_client.bots.looking import best_look
from sunglare_client.bots.ordnance import aimed, launched
from sunglare_client.bots.steering import (
    bearing,
    best_course,
    best_shots,
    deployment,
    distance,
)
from sunglare_protocol.geometry import Square, box_named
from sunglare_protocol.ids import Side
from sunglare_protocol.ladder import Fate, Fix, Phase
from sunglare_protocol.notices import Notice, RadarSeen, ScanAnswered, ShotSeen
from sunglare_protocol.orders import Lift, Order, Sensors
from sunglare_protocol.pieces import PieceKind
from sunglare_protocol.views import ContactView, OwnView, View
from sunglare_rules.advice.candidates import scanner_squares
from sunglare_rules.movement import Flight, drifted

MOVES_BY = 2
"""An enemy ship is taken to move by up to this many squares a turn along each axis."""

CLOSE = 4.0
"""Squares from the target at which the sweeper likes to be."""

FIGHTER_CLOSE = 1.0
"""Squares from the target at which fighters like to be."""

FRESH_TURNS = 1
"""A sighting of as many turns ago is still worth flying to."""


class Sweeper(Bot):
    """Keeps a map of where the enemy may be; never hides, never runs."""

    name = "sweeper"

    def __init__(self, seed: int = 0) -> None:
        super().__init__(seed)
        self._enemy_zone: tuple[str, ...] = ()
        self._side = Side("")
        self._belief: Belief | None = None
        self._told: list[Notice] = []
        self._taken_in: dict[tuple[str, int], None] = {}

    def on_start(self, match: BotMatch) -> None:
        """Note the zones in which the enemy starts."""
        self._side = match.side
        zones = match.card.zones.items()
        self._enemy_zone = tuple(
            name for side, zone in zones if side != match.side for name in zone
        )

    def on_notice(self, notice: Notice) -> None:
        """Keep what tells of enemy places until the next window."""
        if isinstance(notice, ScanAnswered | RadarSeen | ShotSeen):
            self._told.append(notice)

    def on_window(self, view: View, advice: Advice) -> Iterable[Order]:
        """Return courses towards the enemy, scans of the likeliest boxes, or the best shots."""
        belief = self._learn(view)
        match view.stage.phase:
            case Phase.PLOT:
                return self._plot(view, advice, belief)
            case Phase.SCAN:
                return self._scans(view, advice, belief)
            case Phase.ENGAGE:
                return best_shots(advice)
            case Phase.DETECT | Phase.OVER:
                return ()
            case _:
                assert_never(view.stage.phase)

    def lookouts(self, advice: Advice) -> Iterable[OwnView]:
        """Return the ships that shall scan, the first ones first; not all of them may."""
        return advice.ships()

    def target(self, view: View, ship: OwnView) -> Square | None:
        """Return where the nearest enemy held or lately seen will be; None if there is none."""
        seen = [
            contact.square if contact.vector is None else contact.square.moved(contact.vector)
            for contact in fresh_contacts(view)
        ]
        near = [square for square in seen if square in view.board]
        return min(near, key=ship.square.distance_squared, default=None)

    def _learn(self, view: View) -> Belief:
        if self._belief is None:
            self._belief = Belief(view.board)
            self._belief.start_in([box_named(name) for name in self._enemy_zone])
        told, self._told = self._told, []
        own_squares = [ship.square for ship in view.own]
        for notice in told:
            if isinstance(notice, ScanAnswered):
                if notice.side != self._side:
                    self._belief.hint(scanner_squares(view, notice))
            elif isinstance(notice, RadarSeen | ShotSeen) and notice.square not in own_squares:
                self._belief.seen(notice.square)
        for contact in view.contacts:
            key = (contact.label, contact.turn)
            if contact.fate is Fate.IN_PLAY and key not in self._taken_in:
                self._taken_in[key] = None
                self._belief.seen(contact.square)
        return self._belief

    def _plot(self, view: View, advice: Advice, belief: Belief) -> tuple[Order, ...]:
        if view.stage.turn > 1:
            belief.spread(MOVES_BY)
        orders: list[Order] = []
        for ship in advice.ships():
            orders.extend(self._plot_of(view, advice, ship, belief))
        return advice.legal_part(orders)

    def _plot_of(
        self, view: View, advice: Advice, ship: OwnView, belief: Belief
    ) -> tuple[Order, ...]:
        if ship.volley is not None:
            return aimed(view, ship)
        pop_out = () if ship.popped_out else (Sensors(ship=ship.id, out=True),)
        close = FIGHTER_CLOSE if ship.kind is PieceKind.FIGHTER else CLOSE
        target = self.target(view, ship) or belief.peak(ship.square)
        if view.stage.turn == 1 and view.zone:
            return (deployment(view, ship, self.rng, target), *pop_out)
        if ship.landed is not None:
            return (Lift(ship=ship.id),)

        def cost(flight: Flight) -> float:
            ahead = drifted(view.board, flight.square, flight.vector)
            away = distance(ahead, target)
            turned = flight.facing.apart(bearing(flight.square, target))
            return abs(away - close) + abs(distance(flight.square, target) - close) + turned

        course = best_course(advice, ship, cost)
        return (*pop_out, *course, *launched(view, ship, course))

    def _scans(self, view: View, advice: Advice, belief: Belief) -> tuple[Order, ...]:
        orders: list[Order] = []
        for ship in self.lookouts(advice):
            found = best_look(view, ship, belief.share)
            if found is not None:
                look, squares = found
                orders.append(look.scan)
                belief.searched(squares, look.chance)
        return advice.legal_part(orders)


def fresh_contacts(view: View) -> tuple[ContactView, ...]:
    """Return the enemies in play that are held or were lately seen."""
    return tuple(
        contact
        for contact in view.contacts
        if contact.fate is Fate.IN_PLAY
        and (contact.fix is Fix.TRACKED or contact.turn >= view.stage.turn - FRESH_TURNS)
    )
