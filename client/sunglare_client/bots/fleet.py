"""The fleet: ships that hunt what is worth most, with the troops and agents of their side."""

from collections.abc import Iterable, Iterator

from sunglare_client.advice import Advice
from sunglare_client.bot import BotMatch
from sunglare_client.bots.fire.nova import novas
from sunglare_client.bots.fire.sieges import shelling
from sunglare_client.bots.ground.agent_plan import network_orders, watch_orders
from sunglare_client.bots.ground.agent_tasks import standing_orders
from sunglare_client.bots.ground.garrison import is_raider
from sunglare_client.bots.ground.searches import attacks, ground_moves, searches
from sunglare_client.bots.hunter import Hunter
from sunglare_client.bots.movement.hunting import Quarry, closing, quarries
from sunglare_client.bots.movement.steering import best_course
from sunglare_client.bots.seeker import Seeker, switched_on
from sunglare_client.bots.sightings.belief import Belief
from sunglare_protocol.geometry import Square
from sunglare_protocol.ids import Handle, OwnId
from sunglare_protocol.notices import Notice
from sunglare_protocol.orders import (
    Bombard,
    Fire,
    Launch,
    Listen,
    Order,
    Power,
    Probe,
    Sweep,
)
from sunglare_protocol.views import ContactView, OwnView, View
from sunglare_protocol.views.ground import TokenView
from sunglare_protocol.words.armament import Launchable
from sunglare_protocol.words.ladder import Phase
from sunglare_protocol.words.pieces import PieceKind
from sunglare_protocol.words.scans import ScanType
from sunglare_protocol.words.victory import ObjectiveKind
from sunglare_rules.advice.check.probe import request_means
from sunglare_rules.advice.check.scan import SCANS_A_TURN
from sunglare_rules.advice.seen.lookup import ships_in_play
from sunglare_rules.blips.dossiers import Means

REMOTES_MOST = 4
"""So many remote sensors at once are enough."""

UNKNOWN_WORTH = 3.0
"""What a blip is taken to be worth, in points."""

CHAFF_WORTH = 0.1
"""What a piece is taken to be worth that scores nothing, such as a decoy."""

UNKNOWN_HULL = 14
"""How many hull boxes a blip is taken to have."""

SEEN_SQUARED = 44
"""An enemy within the square root of this many squares sees a ship in sunlight as it is."""

STALE_TURNS = 2
"""A data scan that is this old is worth another one."""


class Fleet(Seeker):
    """Leads troops and agents, asks about what it has identified, fires at what is worth most.

    Ships with a cloak it leads as a hunter does.
    """

    def __init__(self, seed: int = 0) -> None:
        super().__init__(seed)
        self._stalker = Hunter(seed)
        self._worth: dict[str, float] = {}
        self._hulls: dict[str, int] = {}
        self._bared: dict[OwnId, None] = {}

    def on_start(self, match: BotMatch) -> None:
        """Note the enemy's zones, and what types are worth, judged by the own classes."""
        super().on_start(match)
        self._stalker.on_start(match)
        for card in match.classes:
            kind = card.family or card.name
            points = float(card.points) or CHAFF_WORTH
            self._worth[kind] = max(points, self._worth.get(kind, 0.0))
            self._hulls[kind] = max(card.hull, self._hulls.get(kind, 0))

    def on_window(self, view: View, advice: Advice) -> Iterable[Order]:
        """Return a seeker's courses and scans, with launches, jammers, probes and the ground."""
        orders = tuple(super().on_window(view, advice))
        if view.stage.phase is Phase.PLOT:
            orders = advice.legal_part((*orders, *self._extras(view, advice)))
        if not view.agents and not view.ground:
            return orders
        if view.stage.phase is Phase.PLOT:
            return self._on_the_ground(view, advice, orders)
        if view.stage.phase is Phase.ENGAGE:
            return advice.legal_part([*self.shots(advice), *attacks(view), *searches(view)])
        return orders

    def lifts_off(self, view: View, ship: OwnView) -> bool:  # noqa: ARG002 - for subclasses
        """Return whether a landed ship goes back to space by its plan: here it stays."""
        return False

    def _on_the_ground(
        self, view: View, advice: Advice, orders: tuple[Order, ...]
    ) -> tuple[Order, ...]:
        """Return the orders of the ships that fly, then those of troops and agents."""
        flights = tuple(
            order
            for ship in advice.ships()
            if ship.landed is None or self.lifts_off(view, ship)
            for order in orders
            if order.ship == ship.id
        )
        agents = network_orders(view, flights) if is_raider(view) else watch_orders(view)
        return advice.legal_part([*flights, *ground_moves(view), *standing_orders(view), *agents])

    def plot(self, view: View, advice: Advice, ship: OwnView, belief: Belief) -> tuple[Order, ...]:
        """Return the stalk of a ship with a cloak, the hunt of any other."""
        if ship.cloak:
            return self._stalker.plot(view, advice, ship, belief)
        return super().plot(view, advice, ship, belief)

    def on_notice(self, notice: Notice) -> None:
        """Take in signs of enemies."""
        super().on_notice(notice)
        self._stalker.on_notice(notice)

    def lookouts(self, advice: Advice) -> Iterable[OwnView]:
        """Return the ships with the best sensors and operators, one more than may scan."""
        ships = [ship for ship in advice.ships() if ship.kind is PieceKind.STARSHIP]
        ships.sort(key=_keenness, reverse=True)
        return ships[: SCANS_A_TURN + 1]

    def hunt(self, view: View, advice: Advice, ship: OwnView, belief: Belief) -> tuple[Order, ...]:
        """Return a hunt; what has to survive keeps with its escort instead."""
        escort = _escort_of(view, ship) if is_precious(view, ship) else None
        if escort is None or ship.landed is not None:
            return super().hunt(view, advice, ship, belief)
        cost = closing(view.board, ship, escort, escort)
        return (*switched_on(ship), *best_course(advice, ship, cost))

    def quarry(self, view: View, ship: OwnView) -> Quarry | None:
        """Return the enemy that is worth most for its distance; None if none is worth a thing."""

        def value(quarry: Quarry) -> float:
            return self.worth(quarry.contact) / (
                2 + ship.square.distance_squared(quarry.after_move)
            )

        best = max(quarries(view), key=value, default=None)
        return None if best is None or self.worth(best.contact) <= CHAFF_WORTH else best

    def worth(self, contact: ContactView | TokenView) -> float:
        """Return what a foreign piece is taken to be worth."""
        if contact.type is None:
            return UNKNOWN_WORTH
        return self._worth.get(contact.type, CHAFF_WORTH)

    def gain(self, contact: ContactView) -> float:
        """Return how many points a point of damage promises: more where a scan found damage."""
        if contact.type is None:
            return self.worth(contact) / UNKNOWN_HULL
        damage = 0 if contact.dossier is None else contact.dossier.damage
        left = max(1, self._hulls.get(contact.type, UNKNOWN_HULL) - damage)
        return self.worth(contact) / left

    def promise(self, contact: ContactView, damage: float) -> float:
        """Return how many points so much damage promises, at most what the piece is worth."""
        return min(self.worth(contact), damage * self.gain(contact))

    def _extras(self, view: View, advice: Advice) -> Iterator[Order]:
        """Yield launches and switches of jammers."""
        remotes = sum(ship.kind is PieceKind.REMOTE for ship in advice.remotes())
        for ship in advice.ships():
            if view.stage.turn > 1 and ship.dispensers and remotes < REMOTES_MOST:
                remotes += 1
                yield Launch(ship=ship.id, what=Launchable.REMOTE)
            # A jammer without company is of no use, and a scan would show that it is on.
            wanted = bool(quarries(view))
            if ship.ecm is not None and ship.ecm is not wanted and ship.powered:
                yield Power(ship=ship.id, on=True, ecm=wanted)

    def requests(self, advice: Advice) -> Iterable[Order]:
        """Return who listens and who sweeps, and what is asked about what is held."""
        search = self._stalker.requests(advice)
        ears = (order for order in search if isinstance(order, Listen | Sweep))
        return (*ears, *self._probes(advice))

    def _probes(self, advice: Advice) -> Iterator[Probe]:
        """Yield for each ship the request worth most: of each piece one, silent ones first."""
        view = advice.view
        held = _held(view)
        asked: set[Handle] = set()
        busy: set[OwnId] = set()

        def key(request: Probe) -> tuple[bool, float]:
            silent = request_means(view, request)[0] is Means.SHORT
            return silent, self.worth(held[request.at])

        for request in sorted(self.data_requests.worth_making(advice), key=key, reverse=True):
            news = held[request.at].dossier
            is_old = news is None or view.stage.turn - news.turn >= STALE_TURNS
            if is_old and request.at not in asked and request.ship not in busy:
                asked.add(request.at)
                busy.add(request.ship)
                yield request

    def shots(self, advice: Advice) -> tuple[Order, ...]:
        """Return shots at what promises most, fire at the ground, and what waits for answers."""
        view = advice.view
        quiet = tuple(ship.id for ship in advice.ships() if self._keeps_quiet(view, ship))
        shots = self.fire(advice, quiet)
        self._bared.update(dict.fromkeys(shot.ship for shot in shots))
        given: tuple[Fire | Bombard, ...] = (
            *novas(advice, shots, self.promise),
            *shelling(advice),
        )
        fired = {(order.ship, order.weapon) for order in given}
        alone = {order.ship for order in given if isinstance(order, Fire) and order.at is None}
        held = (
            hold
            for hold in advice.holds()
            if hold.ship not in alone and (hold.ship, hold.weapon) not in fired
        )
        return (*given, *held)

    def fire(self, advice: Advice, quiet: tuple[OwnId, ...]) -> tuple[Fire, ...]:
        """Return for every weapon the shot that promises most points; `quiet` ships fire none."""
        view = advice.view
        held = {contact.handle: contact for contact in view.contacts if contact.handle is not None}
        best: dict[tuple[OwnId, str], tuple[float, Fire]] = {}
        for shot in advice.shots():
            if shot.at not in held or shot.ship in quiet:
                continue
            odds = advice.odds(shot)
            mean = 0 if odds is None else odds.mean_hundredths
            value = mean * self.gain(held[shot.at])
            key = (shot.ship, shot.weapon)
            if value > best.get(key, (0.0, shot))[0]:
                best[key] = (value, shot)
        return tuple(shot for _, shot in best.values())

    def _keeps_quiet(self, view: View, ship: OwnView) -> bool:
        """Return whether only a shot would reveal what the ship is."""
        if not is_precious(view, ship) or ship.id in self._bared:
            return False
        near = (ship.square.distance_squared(quarry.contact.square) for quarry in quarries(view))
        return min(near, default=SEEN_SQUARED + 1) > SEEN_SQUARED


def _held(view: View) -> dict[Handle, ContactView | TokenView]:
    """Return everything that is held in space and on surface maps, by its handle."""
    tokens = (token for surface in view.surfaces for token in surface.tokens)
    every: tuple[ContactView | TokenView, ...] = (*view.contacts, *tokens)
    return {held.handle: held for held in every if held.handle is not None}


def is_precious(view: View, ship: OwnView) -> bool:
    """Return whether an own ship has to survive."""
    return any(
        objective.kind is ObjectiveKind.SURVIVE and objective.piece == ship.name
        for objective in view.objectives
    )


def _escort_of(view: View, ship: OwnView) -> Square | None:
    """Return the square of the own ship that hides it best: the nearest with a jammer, or any."""
    others = [other for other in ships_in_play(view) if other.id != ship.id]
    jammers = [own for own in others if own.ecm is not None]
    squares = [own.square for own in jammers or others]
    return min(squares, key=ship.square.distance_squared, default=None)


def _keenness(ship: OwnView) -> tuple[bool, int]:
    eyes = sum(ship.sensors.get(sense, 0) for sense in (ScanType.VISUAL, ScanType.IR))
    return ship.powered and ship.popped_out, eyes + ship.crew.operator
