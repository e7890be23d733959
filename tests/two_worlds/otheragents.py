"""Other worlds in which agents are others, or elsewhere, where the audience does not know them."""

from random import Random

import msgspec

from second_reading.parts import Window
from sunglare_arena.invariants import unspread
from sunglare_protocol.ids import Audience, OwnId, Side, audience_of
from sunglare_protocol.orders import Order
from sunglare_protocol.orders.agents import Mission, Stand
from sunglare_protocol.surface import Site
from sunglare_protocol.words.search import FightPolicy, MissionKind
from sunglare_server.match.events.agents import MissionTried, SearchTried
from sunglare_server.match.ids import piece_id
from sunglare_server.match.record import Body, OrdersGiven
from sunglare_server.match.state import MatchState
from sunglare_server.match.truth.agents import AgentTruth
from sunglare_server.match.truth.truth import Truth
from two_worlds.parts import World, pick

_replace = msgspec.structs.replace


def _foreign(world: World) -> list[AgentTruth]:
    agents = world.truth.agents.values()
    return [agent for agent in agents if agent.is_free and not world.is_own(agent.side)]


def _alone(world: World, *, detected: bool) -> list[AgentTruth]:
    """Return the foreign agents in play who are on foot by themselves, detected or not."""
    on_foot = [agent for agent in _foreign(world) if agent.site is not None]
    return [one for one in on_foot if one.detected is detected and not one.with_units]


def agents_elsewhere(world: World, rng: Random) -> MatchState | None:
    """Put an undetected agent into another environs."""
    agent = pick(rng, _alone(world, detected=False))
    site = None if agent is None else _other_site(world.truth, rng, agent.site)
    if agent is None or site is None:
        return None
    return _with_agent(world, _replace(agent, site=site))


def agents_number(world: World, rng: Random) -> MatchState | None:
    """Add an agent to a group that is there, detected or not, or take a hidden one away."""
    agents = world.truth.agents
    gone = [agent for agent in _alone(world, detected=False) if agent.group is None]
    if gone and rng.random() < 0.3:
        lost = rng.choice(gone).id
        rest = {piece: agent for piece, agent in agents.items() if piece != lost}
        return world.with_truth(agents=rest)
    model = pick(rng, [agent for agent in _foreign(world) if agent.site is not None])
    own = OwnId("P9")
    if model is None or piece_id(model.side, own) in agents:
        return None
    piece = piece_id(model.side, own)
    added = _replace(model, id=piece, own=own, name="stowaway", stacked=None, group=None)
    return _with_agent(world, added)


def agents_ratings(world: World, rng: Random) -> MatchState | None:
    """Give a foreign agent, detected or not, other ratings and another name."""
    agent = pick(rng, _foreign(world))
    if agent is None:
        return None
    other = _replace(
        agent,
        name=f"canary {rng.randrange(10**6)}",
        combat=rng.randint(0, 9),
        endurance=rng.randint(agent.wounds + 1, 9 + agent.wounds),
        intelligence=rng.randint(0, 9),
        leadership=rng.randint(0, 9),
        npc=rng.random() < 0.3,
    )
    return _with_agent(world, other)


def search_in_vain(world: World, rng: Random) -> MatchState | None:
    """Let agents for whom the audience may search hide better or worse."""
    agent = pick(rng, _alone(world, detected=True))
    if agent is None:
        return None
    return _with_agent(world, _replace(agent, intelligence=(agent.intelligence + 3) % 10))


def other_missions(rng: Random, _side: Side, given: OrdersGiven) -> tuple[Body, ...]:
    """Return the command with other missions and ways to fight, or without them."""
    orders = tuple(order for given_order in given.orders for order in _otherwise(rng, given_order))
    return (_replace(given, orders=orders),)


def _otherwise(rng: Random, order: Order) -> tuple[Order, ...]:
    if isinstance(order, Mission):
        kind = rng.choice((MissionKind.SPY, MissionKind.SABOTAGE))
        other = Mission(ship=order.ship, kind=kind, others=order.others)
        return rng.choice(((), (other,)))
    if isinstance(order, Stand) and order.fight is not None:
        return (_replace(order, fight=rng.choice(list(FightPolicy))),)
    return (order,)


def searched_in_vain(window: Window, other: Window, audience: Audience) -> bool:
    """Return whether the audience searched in both worlds, with different dice or values."""
    return _searches(window, audience) != _searches(other, audience)


def missions_differ(window: Window, other: Window, _audience: Audience) -> bool:
    """Return whether other missions are planned, were tried, or came to something else."""
    plans = [world.after.search.plans for world in (window, other)]
    return plans[0] != plans[1] or _missions(window) != _missions(other)


def _with_agent(world: World, agent: AgentTruth) -> MatchState | None:
    """Return the state with that agent in the place of his namesake, his owner informed.

    There is none where he, or others by him, would have been detected.
    """
    other = world.with_truth(agents={**world.truth.agents, agent.id: agent})
    return None if any(unspread(other)) else other


def _searches(window: Window, audience: Audience) -> list[SearchTried]:
    return [
        event
        for event in window.happened
        if isinstance(event, SearchTried) and audience_of(event.side) == audience
    ]


def _missions(window: Window) -> list[MissionTried]:
    return [event for event in window.happened if isinstance(event, MissionTried)]


def _other_site(truth: Truth, rng: Random, site: Site | None) -> Site | None:
    places = [
        Site(planet.name, environs.number)
        for planet in truth.board.planets
        for environs in planet.environs
    ]
    return pick(rng, [place for place in places if place != site])
