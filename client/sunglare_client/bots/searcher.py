"""The searcher: lands its agents, sends them where its objectives are, and hunts those of others.

Ships without agents aboard fly, scan and fire as the sweeper's do.
"""

from collections.abc import Iterable

from sunglare_client.advice import Advice
from sunglare_client.bots.agents import (
    agents_orders,
    guards_orders,
    landing_of,
    standing_orders,
)
from sunglare_client.bots.hunting import quarries
from sunglare_client.bots.raids import embarked, goes_home, is_waited_for, way_out
from sunglare_client.bots.searches import attacks, ground_moves, searches
from sunglare_client.bots.seeker import Seeker, switched_on
from sunglare_client.bots.steering import bearing, best_course, deployment, distance
from sunglare_protocol.geometry import Planet, Square, Vector
from sunglare_protocol.orders import Land, Lift, Order
from sunglare_protocol.views import OwnView, View
from sunglare_protocol.words.ladder import Phase
from sunglare_protocol.words.victory import ObjectiveKind
from sunglare_rules.advice.seen.agents import free_agents
from sunglare_rules.sensors.sectors import outward_square, wells_of
from sunglare_rules.turn.movement import Flight

BRAKES_IN = 2.5
"""A transport wants one square of speed for so many squares that are left along an axis."""

TRANSPORT_SPEED = 2
"""As fast as this along an axis a transport flies at most: it must stop over a square."""

KEEPS_OFF = 18.0
"""Squares from the nearest enemy at which a ship that waits for its agents feels safe."""

WAITS_WITHIN = 14.0
"""Squares from the planet within which it waits."""

OFF_SPEED = 3.0
"""What a square of speed costs that is not as wanted."""

TURNED_AWAY = 1.5
"""What it costs for every 45 degrees that the drive looks away from the change still wanted."""


class Searcher(Seeker):
    """Plays agents and garrisons alike, by the objectives and alerts of its own side."""

    name = "searcher"

    def on_window(self, view: View, advice: Advice) -> Iterable[Order]:
        """Return the ships' orders, then those of troops and agents, as far as they are legal."""
        ships = tuple(super().on_window(view, advice))
        if not view.agents and not view.ground:
            return ships
        if view.stage.phase is Phase.PLOT:
            flights = self._transports(view, advice, ships)
            return self._on_the_ground(view, advice, flights)
        if view.stage.phase is Phase.ENGAGE:
            return advice.legal_part([*self.shots(advice), *attacks(view), *searches(view)])
        return ships

    def leaves(self, view: View) -> bool:
        """Return whether all go home: here raiders that have nothing left to stay for."""
        return goes_home(view)

    def lifts_off(self, view: View, ship: OwnView) -> bool:  # noqa: ARG002 - for subclasses
        """Return whether a landed ship goes back to space by its plan: here it stays."""
        return False

    def _on_the_ground(
        self, view: View, advice: Advice, flights: tuple[Order, ...]
    ) -> tuple[Order, ...]:
        has_goals = any(objective.kind is ObjectiveKind.DELIVER for objective in view.objectives)
        if self.leaves(view):
            agents = embarked(view)
        else:
            agents = agents_orders(view, flights) if has_goals else guards_orders(view)
        return advice.legal_part([*flights, *ground_moves(view), *standing_orders(view), *agents])

    def _transports(
        self, view: View, advice: Advice, ships: tuple[Order, ...]
    ) -> tuple[Order, ...]:
        """Return the ships' orders with those of ships that carry agents replaced."""
        orders: list[Order] = []
        is_over = self.leaves(view)
        for ship in advice.ships():
            mine = [order for order in ships if order.ship == ship.id]
            goal = landing_of(view, ship)
            carries = any(agent.aboard == ship.id for agent in free_agents(view))
            if is_over:
                mine = self._homeward(view, advice, ship)
            elif ship.landed is not None and not self.lifts_off(view, ship):
                mine = []
            elif carries and goal is not None:
                mine = self._approach(view, advice, ship, goal)
            elif ship.shuttle and goal is not None and view.stage.turn > 1:
                mine = self._waiting(view, advice, ship, goal, mine)
            orders.extend(mine)
        return tuple(orders)

    def _waiting(
        self, view: View, advice: Advice, ship: OwnView, goal: Land, orders: list[Order]
    ) -> list[Order]:
        """Return the orders of a ship that is to fetch agents: it keeps out of the fighting."""
        enemies = [quarry.after_move for quarry in quarries(view)]
        if not enemies:
            return orders
        planet = next(body for body in view.board.planets if body.name == goal.body)

        def cost(flight: Flight) -> float:
            near = min(distance(flight.square, enemy) for enemy in enemies)
            strayed = max(0.0, distance(flight.square, planet.at) - WAITS_WITHIN)
            return max(0.0, KEEPS_OFF - near) + strayed

        return list(best_course(advice, ship, cost))

    def _homeward(self, view: View, advice: Advice, ship: OwnView) -> list[Order]:
        """Return the way off the map; whoever has to fetch agents goes to them first."""
        if not is_waited_for(view, ship):
            away = [Lift(ship=ship.id)] if ship.landed else way_out(view, advice, ship)
            return [*switched_on(ship), *away]
        if ship.landed is not None:
            return []
        planet = min(view.board.planets, key=lambda body: ship.square.distance_squared(body.at))
        return list(best_course(advice, ship, lambda flight: _to(flight, planet.at)))

    def _approach(self, view: View, advice: Advice, ship: OwnView, goal: Land) -> list[Order]:
        planet = next(body for body in view.board.planets if body.name == goal.body)
        spot = _spot(planet, goal.environs)
        if view.stage.turn == 1 and view.zone:
            return [deployment(view, ship, self.rng, spot), *switched_on(ship)]
        if ship.shuttle and planet in wells_of(view.board, ship.square):
            # The shuttle does the rest from here.
            course = best_course(advice, ship, lambda flight: _to(flight, planet.at))
            return [*switched_on(ship), *course]
        if advice.check((goal,)) is None and not ship.shuttle:
            return [goal]
        course = best_course(advice, ship, lambda flight: _to(flight, spot))
        return [*switched_on(ship), *course]


def _spot(planet: Planet, number: int | None) -> Square:
    """Return the square over an environs, from which a ship lands there."""
    environs = planet.environs_numbered(number)
    return planet.at if environs is None else outward_square(planet, environs.sector)


def _to(flight: Flight, goal: Square) -> float:
    """Return what a course costs a ship that wants to come to a square and be slow there."""
    left = flight.square.to(goal)
    wanted = Vector(_speed(left.dx), _speed(left.dy))
    change = Vector(wanted.dx - flight.vector.dx, wanted.dy - flight.vector.dy)
    cost = distance(flight.square, goal) + OFF_SPEED * (abs(change.dx) + abs(change.dy))
    if change == Vector(0, 0):
        return cost
    ahead = bearing(flight.square, flight.square.moved(change))
    return cost + TURNED_AWAY * flight.facing.apart(ahead)


def _speed(left: int) -> int:
    """Return the speed wanted along an axis on which so many squares are left."""
    most = max(-TRANSPORT_SPEED, min(TRANSPORT_SPEED, round(left / BRAKES_IN)))
    return most or (left > 0) - (left < 0)
