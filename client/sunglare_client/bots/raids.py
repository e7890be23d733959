"""How the searcher's raiders get home: when it is time, who boards what, which way ships leave."""

from collections.abc import Iterator

from sunglare_client.advice import Advice
from sunglare_client.bots.agents import tasks
from sunglare_client.bots.prowling import Run, run_course
from sunglare_protocol.geometry import Compass
from sunglare_protocol.ids import OwnId
from sunglare_protocol.orders import Order
from sunglare_protocol.orders.agents import OFF_MAP, GoAboard, Stand
from sunglare_protocol.views import OwnView, View
from sunglare_protocol.views.ground import AgentView
from sunglare_protocol.words.victory import ObjectiveKind
from sunglare_rules.advice.seen.agents import free_agents
from sunglare_rules.advice.seen.lookup import ships_in_play
from sunglare_rules.turn.movement import Flight

HOME_AFTER = 3 / 5
"""After this share of the match's turns raiders go home, whatever is left to do."""

AWAY_AFTER = 3 / 4
"""After this share of the match's turns a ship waits for nobody any more."""

WORN = 0.3
"""The share of its hull that a ship which is to fetch others may lose before they all go home."""

EDGES = (Compass.N, Compass.E, Compass.S, Compass.W)


def goes_home(view: View) -> bool:
    """Return whether a side that came for things or agents, and may leave, has nothing left to do.

    All is done, nobody is left to do it, it is late, or the ships that fetch agents are worn.
    """
    if (
        view.stage.turn == 1
        or not view.leaves_free
        or all(objective.kind is not ObjectiveKind.DELIVER for objective in view.objectives)
    ):
        return False
    agents = [agent for agent in free_agents(view) if not agent.npc]
    if not agents or not tasks(view) or _is_after(HOME_AFTER, view):
        return True
    fetching = [ship for ship in ships_in_play(view) if ship.shuttle]
    return bool(fetching) and all(ship.damage > WORN * ship.hull for ship in fetching)


def embarked(view: View) -> Iterator[Order]:
    """Yield the steps of agents to a ship landed beside them, or to one with a shuttle."""
    for agent in free_agents(view):
        if agent.site is not None:
            into = _ship_for(view, agent)
            if into is not None:
                yield GoAboard(ship=agent.id, into=into)


def way_out(view: View, advice: Advice, ship: OwnView) -> tuple[Order, ...]:
    """Return the orders that take a ship off the map over the edge that it reaches soonest."""
    flight = Flight(ship.square, ship.vector, ship.facing)
    runs = [Run(view.board, edge) for edge in EDGES]
    nearest = min(runs, key=lambda run: run.left(ship.square) - 2 * run.speed(flight))
    bound = Stand(ship=ship.id, bound_for=OFF_MAP)
    return (*run_course(view, advice, ship, nearest), bound)


def is_waited_for(view: View, ship: OwnView) -> bool:
    """Return whether somebody is still to come aboard a ship, and there is time for it."""
    if _is_after(AWAY_AFTER, view):
        return False
    return any(_ship_for(view, agent) == ship.id for agent in free_agents(view) if agent.site)


def _is_after(share: float, view: View) -> bool:
    return view.stage.turn > share * view.stage.turns


def _ship_for(view: View, agent: AgentView) -> OwnId | None:
    """Return the ship that shall take somebody home."""
    ships = ships_in_play(view)
    beside = [
        ship.id for ship in ships if ship.landed is not None and ship.landed.site == agent.site
    ]
    return next(iter((*beside, *(ship.id for ship in ships if ship.shuttle))), None)
