"""Ships of a fleet around a planet with things that it wants: they land, shell and overfly.

Theory of operation. A side that both holds an environs and wants what lies in another one fights
in space with most of its ships. Those that are of use to its troops go where the thing lies: who
has troops lands them there, who has big guns fires from above, a flight of fighters sees by day
what stands there. Ships that have been ashore, are worn or have nothing to do there join the
fleet.
"""

from collections.abc import Iterator
from typing import final

from sunglare_client.abilities import Ability
from sunglare_client.advice import Advice
from sunglare_client.bots.fire.bombarding import is_capital
from sunglare_client.bots.ground.agent_tasks import errand
from sunglare_client.bots.ground.flotilla import (
    WORN,
    Beachhead,
    beachhead,
    deployed,
    foes_on,
    has_troops,
    landing,
    overhead,
)
from sunglare_client.bots.ground.garrison import landing_ground
from sunglare_client.bots.ground.landings import Landings
from sunglare_client.bots.movement.station_keeping import hover
from sunglare_client.bots.seeker import switched_on
from sunglare_protocol.ids import OwnId
from sunglare_protocol.orders import Launch, Lift, Order
from sunglare_protocol.orders.agents import Mission
from sunglare_protocol.surface import Cell, Mode, Site
from sunglare_protocol.views import OwnView, View
from sunglare_protocol.words.armament import Launchable
from sunglare_protocol.words.ladder import Fate
from sunglare_protocol.words.pieces import PieceKind
from sunglare_protocol.words.victory import ObjectiveKind
from sunglare_rules.advice.seen.agents import free_agents
from sunglare_rules.ground.plane import apart
from sunglare_rules.ground.terrain import may_stand, terrain_at

EDGE = 2
"""A ship lands so many cells off the edges of a map at least."""

EVERY = 3
"""Of so many columns and rows one is looked at for a landing."""

LAUNCHED_WITHIN = 20
"""A carrier sends its first flight when the map is as near as this, in squares."""


@final
class Expedition:
    """The ships of one match that work around a planet, and where they do."""

    def __init__(self) -> None:
        self._head: Beachhead | None = None
        self.landings = Landings()

    @property
    def site(self) -> Site | None:
        """Return the map where what is wanted lay at the start."""
        return None if self._head is None else self._head.site

    def see(self, view: View) -> None:
        """Take in a view: where what is wanted lies at the start, and which ships are down."""
        if view.stage.turn == 1:
            self._head = _wanted(view)
        self.landings.see(view)

    def plan(self, view: View, advice: Advice, ship: OwnView) -> tuple[Order, ...] | None:
        """Return the plan of a ship; None if the fleet has a better one for it."""
        head = self._head
        if head is None or ship.volley is not None:
            return None
        if ship.id == _scout(view):
            return overhead(advice, ship, head)
        lands = advice.may(Ability.LANDING)
        brings = lands and (has_troops(view, ship.id) or _has_agents(view, ship))
        if ship.landed is not None:
            return self._landed(view, ship)
        if not brings and not is_capital(advice, ship):
            return None
        if ship.damage > WORN * ship.hull or self.landings.have_been(ship):
            return None
        if view.stage.turn == 1:
            return (deployed(view, ship, head.above(0)), *switched_on(ship))
        if brings:
            return self._down(view, advice, ship, head)
        return (*switched_on(ship), *hover(advice, ship, head.planet, head.above(0)))

    def launches(self, view: View, advice: Advice) -> Iterator[Launch]:
        """Yield the launch of the flight that is to see what stands on the map."""
        if self._head is None or view.stage.turn == 1 or _scout(view) is not None:
            return
        spot = self._head.above(0)
        for ship in advice.ships():
            if ship.flights and ship.square.distance_squared(spot) <= LAUNCHED_WITHIN**2:
                yield Launch(ship=ship.id, what=Launchable.FIGHTER)
                return

    def spying(self, view: View, orders: tuple[Order, ...]) -> Iterator[Mission]:
        """Yield the missions of agents on the map to whom `orders` gives none: they spy there."""
        busy = [order.ship for order in orders if isinstance(order, Mission)]
        busy += [name for order in orders if isinstance(order, Mission) for name in order.others]
        for agent in free_agents(view):
            is_idle = agent.id not in busy and agent.stacked is None and not agent.npc
            if self._head is not None and agent.site == self._head.site and is_idle:
                yield errand(view, agent, agent.site)

    def _down(
        self, view: View, advice: Advice, ship: OwnView, head: Beachhead
    ) -> tuple[Order, ...]:
        """Return the plan of a ship that is to land: as far from what is known as it can."""
        foes = foes_on(view, head)
        cells = sorted(
            _ground(view, head),
            key=lambda cell: min(apart(cell, foe).squared for foe in foes),
            reverse=True,
        )
        return landing(advice, ship, head, cells) or overhead(advice, ship, head)

    def _landed(self, view: View, ship: OwnView) -> tuple[Order, ...] | None:
        """Return what a landed ship does that brought troops; None if it brought none."""
        if not self.landings.brought(ship):
            return None
        return (Lift(ship=ship.id),) if self.landings.are_over(view, ship) else ()


def _wanted(view: View) -> Beachhead | None:
    """Return the environs where the first thing lies that the viewer is to bring somewhere."""
    names = [goal.piece for goal in view.objectives if goal.kind is ObjectiveKind.DELIVER]
    sites = [item.site for item in view.items if item.name in names and item.site is not None]
    heads = (beachhead(view, site) for site in sites)
    return next((head for head in heads if head is not None), None)


def _ground(view: View, head: Beachhead) -> list[Cell]:
    """Return some cells on which troops can get out of a ship, off the edges, in an own area."""
    environs = head.environs
    own = landing_ground(view, head.site)
    cells = (
        Cell(column, row)
        for column in range(EDGE, environs.columns - EDGE, EVERY)
        for row in range(EDGE, environs.rows - EDGE, EVERY)
    )
    return [
        cell
        for cell in cells
        if (cell in own if own else may_stand(Mode.TRACKED, terrain_at(environs, cell)))
    ]


def _has_agents(view: View, ship: OwnView) -> bool:
    return any(agent.aboard == ship.id for agent in free_agents(view))


def _scout(view: View) -> OwnId | None:
    """Return the flight that flies over the map: the first that is in play."""
    flights = (
        ship.id
        for ship in view.own
        if ship.kind is PieceKind.FIGHTER and ship.fate is Fate.IN_PLAY
    )
    return next(flights, None)
