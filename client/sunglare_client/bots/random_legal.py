"""The random bot: any legal orders that do not kill it; the measure that every bot must beat."""

from collections.abc import Iterable
from itertools import islice

from sunglare_client.advice import Advice
from sunglare_client.bot import Bot
from sunglare_client.bots.ground.ground_orders import wandering
from sunglare_client.bots.movement.steering import (
    best_course,
    danger,
    deployment,
    parked_deployment,
    parking,
)
from sunglare_client.bots.outcome.beaten import is_beaten
from sunglare_client.bots.scans.data_requests import Requests
from sunglare_protocol.geometry import Asteroid, Box, Compass, Square, Vector
from sunglare_protocol.ids import OwnId
from sunglare_protocol.notices import Notice
from sunglare_protocol.orders import (
    Bombard,
    Defend,
    Deploy,
    Fire,
    Land,
    Listen,
    Order,
    Power,
    Rotate,
    Scan,
    Sensors,
    Sweep,
)
from sunglare_protocol.views import OwnView, View
from sunglare_protocol.words.armament import DefencePolicy
from sunglare_protocol.words.ladder import Phase
from sunglare_protocol.words.pieces import PieceKind
from sunglare_protocol.words.scans import ScanSize, ScanType
from sunglare_rules.advice.legal.agents import agents_examples
from sunglare_rules.advice.seen.plotting import after_plot
from sunglare_rules.arcs.arcs import STANDARD_ARCS

FIRES = 0.9
"""How often a weapon that can fire does."""

SWITCHES_OFF = 0.05
"""How often a plan that switches the power plant is left standing."""

LAUNCHES = 0.4
"""How often a ship that can launch something does, and a volley is sent elsewhere."""

SWEEPS = 0.25
"""How often a ship sweeps where there are cloaks."""

DEAF = 0.1
"""How often a ship that does not sweep is set not to listen either."""

HOLDS_DEFENCE = 0.2
"""How often a ship says what its point defence does."""

ACTS = 0.6
"""How often an agent does anything, or an environs is searched."""

TRIES_FOR_AGENTS = 4
"""So many orders are tried for an agent; those that are not legal are left out."""

WANDERS = 0.5
"""How often a ground unit moves or is put elsewhere at the start."""

VISITS = 0.1
"""How often a ship is drawn to an asteroid at the start, and lands there."""

ROTATES = 0.25
"""How often a turret is rotated."""

SENSES = 0.8
"""How often a scan asks for the Sense roll."""

TRIES = 40
"""After so many scans that are not legal, none is made."""

NEAR = 4
"""How many squares away along each axis a scan of squares is tried."""


class RandomLegal(Bot):
    """Moves, switches, launches, lands, scans, asks, sweeps and fires at random."""

    name = "random"

    def __init__(self, seed: int = 0) -> None:
        super().__init__(seed)
        self._visits: dict[OwnId, Asteroid] = {}
        self._requests = Requests()

    def on_notice(self, notice: Notice) -> None:
        """Keep which requests for data were in vain."""
        self._requests.heard(notice)

    def on_window(self, view: View, advice: Advice) -> Iterable[Order]:
        """Return random legal orders of the kinds that the window takes."""
        if view.stage.phase is Phase.PLOT:
            orders = [order for ship in advice.ships() for order in self._plot(view, advice, ship)]
            orders += wandering(advice, self.rng, WANDERS)
            orders += self._agents(view)
        elif view.stage.phase is Phase.SCAN:
            orders = [order for ship in advice.ships() for order in self._scan(view, advice, ship)]
        elif view.stage.phase is Phase.DETECT:
            orders = [*self._probes(advice), *self._search(view, advice)]
        elif view.stage.phase is Phase.ENGAGE:
            shots = [*self._shots(advice), *self._holds(advice)]
            orders = [*shots, *self._defences(advice), *self._agents(view)]
        else:
            orders = []
        return advice.legal_part(orders)

    def gives_up(self, view: View) -> bool:
        """Return whether nothing is left that could win."""
        return is_beaten(view, waits_for_points=False)

    def _plot(self, view: View, advice: Advice, ship: OwnView) -> Iterable[Order]:
        if view.stage.turn == 1 and view.zone:
            return (
                self._deployment(view, ship),
                Sensors(ship=ship.id, out=self.rng.random() < FIRES),
            )
        visit = self._visit(view, advice, ship)
        if visit is not None:
            return visit
        plans = self._safest(view, ship, list(advice.plots(ship)))
        if self.rng.random() >= SWITCHES_OFF:
            plans = [p for p in plans if not any(isinstance(order, Power) for order in p)] or [()]
        return (*self.rng.choice(plans), *self._rotations(ship), *self._ordnance(advice, ship))

    def _deployment(self, view: View, ship: OwnView) -> Deploy:
        rocks = view.board.asteroids
        if not rocks or ship.kind is not PieceKind.STARSHIP or self.rng.random() >= VISITS:
            return deployment(view, ship, self.rng, self._anywhere(view))
        rock = self._visits[ship.id] = self.rng.choice(rocks)
        return parked_deployment(view, ship, self.rng, rock.at)

    def _visit(self, view: View, advice: Advice, ship: OwnView) -> tuple[Order, ...] | None:
        """Return the way of a ship that is drawn to an asteroid, and in the end its landing."""
        rock = self._visits.get(ship.id)
        if rock is None:
            return None
        landing = Land(ship=ship.id, body=rock.name, sector=self.rng.choice(tuple(Compass)))
        if advice.check((landing,)) is None:
            del self._visits[ship.id]
            return (landing,)
        return best_course(advice, ship, parking(view.board, rock.at, ship.thrust))

    def _ordnance(self, advice: Advice, ship: OwnView) -> Iterable[Order]:
        found = list(advice.ordnance(ship))
        return (self.rng.choice(found),) if found and self.rng.random() < LAUNCHES else ()

    def _safest(
        self, view: View, ship: OwnView, plans: list[tuple[Order, ...]]
    ) -> list[tuple[Order, ...]]:
        dangers = [danger(view.board, after_plot(view, ship, plan), ship.thrust) for plan in plans]
        least = min(dangers, default=0.0)
        return [plan for plan, risk in zip(plans, dangers, strict=True) if risk <= least] or [()]

    def _rotations(self, ship: OwnView) -> Iterable[Order]:
        for turret in ship.turrets:
            others = [arc for arc in STANDARD_ARCS if arc not in turret.arcs]
            if others and self.rng.random() < ROTATES:
                yield Rotate(ship=ship.id, turret=turret.id, to=self.rng.choice(others))

    def _scan(self, view: View, advice: Advice, ship: OwnView) -> Iterable[Order]:
        tries = (self._any_scan(view, ship) for _ in range(TRIES))
        legal = (scan for scan in tries if advice.check((scan,)) is None)
        return tuple(islice(legal, 1))

    def _any_scan(self, view: View, ship: OwnView) -> Scan:
        """Return a scan that may well be illegal: of no sense for the ship, or too far away."""
        size = self.rng.choice(tuple(ScanSize))
        box = Box(self.rng.randrange(view.board.columns), self.rng.randrange(view.board.rows))
        near = ship.square.moved(
            Vector(self.rng.randint(-NEAR, NEAR), self.rng.randint(-NEAR, NEAR))
        )
        at = box.name if size in (ScanSize.BOX, ScanSize.BOXES) else near
        return Scan(
            ship=ship.id,
            type=self.rng.choice(tuple(ScanType)),
            size=size,
            at=at,
            sense=self.rng.random() < SENSES,
        )

    def _agents(self, view: View) -> Iterable[Order]:
        """Return orders at random for some agents, and searches."""
        choices: dict[str, list[Order]] = {}
        for order in agents_examples(view):
            choices.setdefault(order.ship, []).append(order)
        for orders in choices.values():
            if self.rng.random() < ACTS:
                yield from self.rng.sample(orders, min(len(orders), TRIES_FOR_AGENTS))

    def _shots(self, advice: Advice) -> Iterable[Order]:
        by_weapon: dict[tuple[OwnId, str], list[Fire | Bombard]] = {}
        shots: list[Fire | Bombard] = [*advice.shots(), *advice.bombardments()]
        for shot in shots:
            by_weapon.setdefault((shot.ship, shot.weapon), []).append(shot)
        for choices in by_weapon.values():
            if self.rng.random() < FIRES:
                yield self.rng.choice(choices)

    def _probes(self, advice: Advice) -> Iterable[Order]:
        by_ship: dict[OwnId, list[Order]] = {}
        for request in self._requests.worth_making(advice):
            by_ship.setdefault(request.ship, []).append(request)
        for requests in by_ship.values():
            if self.rng.random() < FIRES:
                yield self.rng.choice(requests)

    def _search(self, view: View, advice: Advice) -> Iterable[Order]:
        for ship in advice.ships() if view.cloak_rules.cloaks else ():
            if self.rng.random() < SWEEPS:
                yield Sweep(ship=ship.id)
            elif self.rng.random() < DEAF:
                yield Listen(ship=ship.id, on=False)

    def _holds(self, advice: Advice) -> Iterable[Order]:
        return (hold for hold in advice.holds() if self.rng.random() < FIRES)

    def _defences(self, advice: Advice) -> Iterable[Order]:
        for ship in advice.ships():
            if self.rng.random() < HOLDS_DEFENCE:
                yield Defend(ship=ship.id, policy=self.rng.choice(tuple(DefencePolicy)))

    def _anywhere(self, view: View) -> Square:
        area = view.board.area
        return Square(
            self.rng.randint(area.west, area.east), self.rng.randint(area.north, area.south)
        )
