"""The battle fleet: hides behind a decoy, sees through those of others, strikes as one.

Its parts: musters, how a fleet waits; guises, what a blip is taken for; netting, which scans
keep hold of what is held; salvos, whom all fire at; sieges, what falls on the maps of others.
"""

from collections.abc import Iterable

from sunglare_client.advice import Advice
from sunglare_client.bot import BotMatch
from sunglare_client.bots.fire.salvos import aims, salvos
from sunglare_client.bots.fire.sieges import beams, siege_course, sieges, silenced
from sunglare_client.bots.fleet import CHAFF_WORTH, UNKNOWN_HULL, Fleet
from sunglare_client.bots.movement.dark_wait import lies_dark
from sunglare_client.bots.movement.formation import middle
from sunglare_client.bots.movement.hunting import Quarry, broadside_on, quarries
from sunglare_client.bots.movement.musters import (
    Muster,
    fleet_of,
    gathered,
    is_compact,
    lookouts_of,
    muster,
    waiting_course,
)
from sunglare_client.bots.outcome.beaten import is_broken
from sunglare_client.bots.outcome.reckoning import given_points, own_points
from sunglare_client.bots.scans.scan_cover import best_nets, prey_of
from sunglare_client.bots.seeker import powered_on, switched_off, switched_on
from sunglare_client.bots.sightings.belief import Belief
from sunglare_client.bots.sightings.type_hypotheses import Guises
from sunglare_protocol.geometry import Square
from sunglare_protocol.ids import OwnId
from sunglare_protocol.orders import Bombard, Fire, Hold, Order, Probe, Sensors
from sunglare_protocol.views import ContactView, OwnView, View
from sunglare_protocol.views.ground import TokenView
from sunglare_protocol.words.ladder import Phase
from sunglare_protocol.words.pieces import PieceKind
from sunglare_rules.advice.check.probe import request_means
from sunglare_rules.blips.dossiers import Means

LOOKOUTS = 3
"""So many ships keep their sensors out while the fleet waits; two may scan."""

KEPT_IN_SIGHT = 0.5
"""What holding a piece is worth that cannot be fired at yet, as points of damage."""

FLEET = (PieceKind.STARSHIP, PieceKind.DECOY)
"""What musters: real ships, and what shall be taken for one."""


class BattleFleet(Fleet):
    """Waits in silence behind its decoy, knows others' decoys by their flight, strikes as one."""

    def __init__(self, seed: int = 0) -> None:
        super().__init__(seed)
        self._guises = Guises()
        self._gathers = True
        self._muster: Muster | None = None

    def on_start(self, match: BotMatch) -> None:
        """Note zones and classes."""
        super().on_start(match)
        self._guises = Guises(match.classes, CHAFF_WORTH)
        self._gathers = is_compact(match.card.zones.get(match.side, ()))

    def on_window(self, view: View, advice: Advice) -> Iterable[Order]:
        """Return the orders of a fleet, with scans that keep hold of what is held."""
        self._guises.see(view)
        self.map.see(view)
        if view.stage.phase is Phase.SCAN:
            held = prey_of(view, lambda contact: self._holding(advice, contact))
            able = [ship for ship in advice.ships() if ship.sensors and not ship.cloaked]
            return advice.legal_part(best_nets(advice, able, held, self.map.weights, self.rng))
        if view.stage.phase is Phase.PLOT:
            foes = tuple(foe for foe in quarries(view) if self._counts(foe))
            towards = self._enemy_side(view)
            self._muster = muster(advice, foes, towards) if self._gathers else None
            return advice.legal_part(silenced(view, super().on_window(view, advice)))
        return super().on_window(view, advice)

    def gives_up(self, view: View) -> bool:
        """Return whether nothing is left that could win, or a broken fleet is behind in points."""
        is_behind = own_points(view) < given_points(view)
        return super().gives_up(view) or (is_broken(view) and is_behind)

    def plot(self, view: View, advice: Advice, ship: OwnView, belief: Belief) -> tuple[Order, ...]:
        """Return the plan of a ship: gathered with the others at first, then a fleet's."""
        if self._gathers and view.stage.turn == 1 and view.zone and not ship.cloak:
            there = gathered(view, ship, self._enemy_side(view), self.rng.randint)
            return (there, *self._switches(advice, ship))
        return super().plot(view, advice, ship, belief)

    def hunt(self, view: View, advice: Advice, ship: OwnView, belief: Belief) -> tuple[Order, ...]:
        """Return a dark wait, the way over a map to shell, a mustered fleet's wait, or a hunt."""
        if self._lies_dark(advice, ship):
            return switched_off(ship)
        siege = siege_course(advice, ship, quarries(view)) if ship.landed is None else None
        if siege is not None:
            return (*switched_on(ship), *siege)
        if self._muster is None or ship.landed is not None or ship.kind not in FLEET:
            return super().hunt(view, advice, ship, belief)
        return (*self._switches(advice, ship), *waiting_course(advice, ship, self._muster))

    def worth(self, contact: ContactView | TokenView) -> float:
        """Return what a foreign piece is worth; of a blip what those are that it may be."""
        known = super().worth(contact)
        if isinstance(contact, TokenView) or contact.type is not None:
            return known
        return self._guises.worth(contact, known)

    def requests(self, advice: Advice) -> Iterable[Order]:
        """Return what a fleet asks, but no probe of a ship no enemy holds while it waits."""
        for order in super().requests(advice):
            if not isinstance(order, Probe) or self._may_ask(advice, order):
                yield order

    def shots(self, advice: Advice) -> tuple[Order, ...]:
        """Return a fleet's fire; weapons that are free shell maps."""
        shots = super().shots(advice)
        holds = tuple(order for order in shots if isinstance(order, Hold))
        given = tuple(order for order in shots if not isinstance(order, Hold))
        busy = [(o.ship, o.weapon) for o in given if isinstance(o, Fire | Bombard)]
        shelled = (*given, *sieges(advice, busy))
        return (*shelled, *beams(advice, shelled), *holds)

    def fire(self, advice: Advice, quiet: tuple[OwnId, ...]) -> tuple[Fire, ...]:
        """Return the fire of all ships, put together; `quiet` ones fire none while they wait."""
        held = {contact.handle: contact for contact in advice.view.contacts if contact.handle}
        found = aims(advice, () if self._muster is None else quiet)
        return salvos(found, held, self.worth, self._left)

    def _may_ask(self, advice: Advice, request: Probe) -> bool:
        """Return whether a request exposes no ship that is hidden and waits."""
        hidden = [ship.id for ship in advice.ships() if not ship.exposed]
        if self._muster is None or request.ship not in hidden:
            return True
        return request_means(advice.view, request)[0] is Means.SHORT

    def _holding(self, advice: Advice, contact: ContactView) -> float:
        """Return what it is worth to hold a contact: the points that fire at it promises."""
        quarry = Quarry(contact, contact.square, contact.square)
        damage = 0
        for ship in fleet_of(advice):
            side = broadside_on(advice.view, ship, quarry)
            damage += side.hundredths(ship.square, ship.facing, contact.square)
        return (KEPT_IN_SIGHT + damage / 100) * self.worth(contact) / self._left(contact)

    def _left(self, contact: ContactView) -> float:
        """Return how much damage a piece still takes, as far as own shots and scans show."""
        hull = self._guises.hull(contact, UNKNOWN_HULL)
        told = 0 if contact.dossier is None else contact.dossier.damage
        done = 0 if contact.handle is None else self.hurt.get(contact.handle, 0)
        return max(1.0, hull - max(told, done))

    def _counts(self, foe: Quarry) -> bool:
        return self.worth(foe.contact) > CHAFF_WORTH

    def _enemy_side(self, view: View) -> Square:
        """Return where the enemy comes from, if nothing is known of them."""
        if self._enemy_zone:
            return middle(self._enemy_zone)
        area = view.board.area
        here = middle(view.zone) if view.zone else Square(area.east // 2, area.south // 2)
        return self.map.weights.peak(here)

    def _lies_dark(self, advice: Advice, ship: OwnView) -> bool:
        foes = (foe for foe in quarries(advice.view) if self._counts(foe))
        return self._gathers and lies_dark(advice, ship, foes)

    def _switches(self, advice: Advice, ship: OwnView) -> tuple[Order, ...]:
        """Return the switches of a ship that waits: sensors in, but for a few lookouts'."""
        if self._lies_dark(advice, ship):
            return switched_off(ship)
        if ship.id in lookouts_of(fleet_of(advice), LOOKOUTS):
            return switched_on(ship)
        folded = (Sensors(ship=ship.id, out=False),) if ship.popped_out else ()
        return (*powered_on(ship), *folded)
