"""Passages: how what lies on one planet is brought to another one, with those who fetch it.

Theory of operation. Agents work on their planet until what they are for is in their hands; one
ship of theirs waits above, out of reach of eyes on the ground, comes down next to them, and takes
all who are there to the other planet. It flies bound for that planet, so that whatever was noticed
of them ends as they leave the first one's well, and with its plant off wherever it need not burn.
It stays down no longer than it must, for a landed ship is seen by all who are on its map. When
nothing is left to do all go off the map.
"""

from collections.abc import Iterator
from typing import NamedTuple, final

from sunglare_client.advice import Advice
from sunglare_client.bots.cloak.prowling import way_out
from sunglare_client.bots.ground.agent_plan import boarding, sent_on
from sunglare_client.bots.ground.agent_tasks import Task, places_after, tasks
from sunglare_client.bots.ground.flotilla import (
    Beachhead,
    beachhead,
    deployed,
    foes_on,
    landing,
)
from sunglare_client.bots.ground.garrison import landing_ground
from sunglare_client.bots.movement.dark_drift import dark_drift
from sunglare_client.bots.movement.measures import inches_apart
from sunglare_client.bots.movement.station_keeping import hover
from sunglare_client.bots.seeker import powered_on, switched_on
from sunglare_protocol.ids import OwnId
from sunglare_protocol.orders import Lift, Order
from sunglare_protocol.orders.agents import Stand
from sunglare_protocol.surface import Cell, Site
from sunglare_protocol.views import ObjectiveView, OwnView, View
from sunglare_protocol.views.ground import AgentView
from sunglare_protocol.words.pieces import PieceKind
from sunglare_protocol.words.search import MissionKind
from sunglare_protocol.words.victory import ObjectiveKind
from sunglare_rules.advice.seen.agents import free_agents
from sunglare_rules.advice.seen.lookup import ships_in_play
from sunglare_rules.search.agents import InOrbit, InSpace, VesselPlace
from sunglare_rules.sensors.sectors import wells_of

WAITS_OUT = 2
"""So far off the square that touches the body a ship waits for agents who are at work."""

WORKS_FOR = 0.6
"""For this part of the match agents work; then they are taken home with what they have."""


class Stop(NamedTuple):
    """Where a ferry goes next; `waits` is whether it stays above until a passenger is done."""

    site: Site
    waits: bool = False


@final
class Passages:
    """The passages of one match, if it is one for them."""

    def __init__(self) -> None:
        self.are_wanted = False

    def see(self, view: View) -> None:
        """Take in turn 1: whether anything is to be brought to another planet than it is on."""
        if view.stage.turn == 1:
            self.are_wanted = any(_goes_across(view, goal) for goal in view.objectives)

    def plan(self, view: View, advice: Advice, ship: OwnView) -> tuple[Order, ...] | None:
        """Return the plan of a ship; None if the fleet has a better one for it."""
        if not self.are_wanted:
            return None
        is_ferry = ship.id == ferry_of(view)
        stop = next_stop(view, ship) if is_ferry or _is_over(view) else None
        head = None if stop is None else beachhead(view, stop.site)
        if stop is None or head is None:
            return _gone(advice, ship) if is_ferry or _is_over(view) else None
        if view.stage.turn == 1:
            return (deployed(view, ship, head.above(0)), *switched_on(ship))
        if ship.landed is not None:
            stays = ship.landed.site == stop.site and not stop.waits
            return () if stays else (Lift(ship=ship.id), *_bound(ship, head))
        return (*_flown(view, advice, ship, stop, head), *_bound(ship, head))

    def steps(self, view: View, moves: tuple[Order, ...]) -> Iterator[Order]:
        """Yield steps and missions of the own agents; `moves` are the orders of the ships."""
        places = places_after(view, moves)
        ferry = next((ship for ship in ships_in_play(view) if ship.id == ferry_of(view)), None)
        left = [agent for agent in free_agents(view) if agent.id in places]
        for task in tasks(view):
            agent = _best(left, task, places)
            if agent is not None:
                left.remove(agent)
                yield from sent_on(view, agent, task, places)
        if ferry is not None:
            for agent in left:
                yield from boarding(view, agent, ferry)


def _goes_across(view: View, goal: ObjectiveView) -> bool:
    """Return whether a goal is to bring a thing to another planet than it lies on."""
    if goal.kind is not ObjectiveKind.DELIVER or goal.at is None:
        return False
    lies = [item.site for item in view.items if item.name == goal.piece]
    return any(site is not None and site.body != goal.at.body for site in lies)


def ferry_of(view: View) -> OwnId | None:
    """Return the ship that takes agents along: who has some, then one that is made for them."""
    able = [ship for ship in ships_in_play(view) if ship.kind is PieceKind.STARSHIP]
    aboard = [agent.aboard for agent in free_agents(view)]
    best = max(able, key=lambda ship: (ship.id in aboard, ship.agent_spaceship), default=None)
    return None if best is None else best.id


def next_stop(view: View, ship: OwnView) -> Stop | None:
    """Return where a ferry goes: whom it fetches where it is, then whom it brings, then others."""
    here, fetched = _body_of(view, ship), list(_fetched(view, ship))
    near = [stop for stop in fetched if stop.site.body == here]
    brought = [Stop(task.site) for task in tasks(view) if _has_aboard(view, ship, task)]
    return next(iter((*near, *brought, *fetched)), None)


def _fetched(view: View, ship: OwnView) -> Iterator[Stop]:
    """Yield where passengers are to be fetched, and where they are still at work."""
    ashore = [agent for agent in free_agents(view) if agent.site is not None]
    wanted = tasks(view) if view.stage.turn <= WORKS_FOR * view.stage.turns else []
    for task in wanted:
        workers = [a for a in ashore if a.site is not None and a.site.body == task.site.body]
        if task.kind is not MissionKind.DELIVER and workers:
            yield Stop(task.site, waits=True)
            return
        if task.kind is not MissionKind.DELIVER and _crew(view, ship):
            yield Stop(task.site)
            return
    yield from (Stop(agent.site) for agent in ashore if agent.site is not None)


def _crew(view: View, ship: OwnView) -> list[AgentView]:
    return [agent for agent in free_agents(view) if agent.aboard == ship.id and not agent.npc]


def _has_aboard(view: View, ship: OwnView, task: Task) -> bool:
    """Return whether a ship has an agent aboard who is to bring something to its goal."""
    return task.must is not None and task.must in [
        agent.id for agent in free_agents(view) if agent.aboard == ship.id
    ]


def _is_over(view: View) -> bool:
    """Return whether all passengers are brought or fetched, so that all go home."""
    ferries = [ship for ship in ships_in_play(view) if ship.id == ferry_of(view)]
    return view.stage.turn > 1 and all(next_stop(view, ship) is None for ship in ferries)


def _body_of(view: View, ship: OwnView) -> str | None:
    """Return the planet on which a ship stands, or in whose well it is."""
    if ship.landed is not None:
        return ship.landed.body
    return next((planet.name for planet in wells_of(view.board, ship.square)), None)


def _flown(
    view: View, advice: Advice, ship: OwnView, stop: Stop, head: Beachhead
) -> tuple[Order, ...]:
    """Return the course of a ferry: to where it waits, or down, far from who is known there."""
    down = () if stop.waits else landing(advice, ship, head, (_cell(view, head),))
    if down:
        return down
    spot = head.above(WAITS_OUT if stop.waits else 0)
    afar = dark_drift(advice, ship, spot)
    if afar is not None:
        return afar
    return (*powered_on(ship), *hover(advice, ship, head.planet, spot))


def _cell(view: View, head: Beachhead) -> Cell | None:
    """Return where to land: of the own areas there, the cell that is farthest from all foes."""
    foes = foes_on(view, head)
    ground = landing_ground(view, head.site)
    return max(
        ground, key=lambda cell: (min(inches_apart(cell, foe) for foe in foes), cell), default=None
    )


def _bound(ship: OwnView, head: Beachhead) -> tuple[Order, ...]:
    """Return the standing order by which all aboard are noticed no more on another planet."""
    name = head.planet.name
    return () if ship.bound_for == name else (Stand(ship=ship.id, bound_for=name),)


def _gone(advice: Advice, ship: OwnView) -> tuple[Order, ...] | None:
    """Return the way home of a ship; None on turn 1, which is for the fleet."""
    if advice.view.stage.turn == 1 or not advice.view.leaves_free:
        return None
    if ship.landed is not None:
        return (Lift(ship=ship.id),)
    return (*powered_on(ship), *way_out(advice, ship))


def _best(left: list[AgentView], task: Task, places: dict[str, VesselPlace]) -> AgentView | None:
    """Return who does a task now: of those who are on its planet who it takes, or the best."""

    def is_there(agent: AgentView) -> bool:
        place = places[agent.id]
        return not isinstance(place, InOrbit | InSpace) and place.planet == task.site.body

    def rating(agent: AgentView) -> int:
        return agent.combat if task.kind is MissionKind.FREE else agent.intelligence

    there = [agent for agent in left if is_there(agent)]
    if task.must is not None:
        return next((agent for agent in there if agent.id == task.must), None)
    return max((agent for agent in there if not agent.npc), key=rating, default=None)
