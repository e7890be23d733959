"""Other worlds in which agents are others, or elsewhere, where the audience does not know them."""

from random import Random

import msgspec

from second_reading.parts import Window
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
from two_worlds.parts import Orders, with_truth

_replace = msgspec.structs.replace


def hidden_agents(truth: Truth, audience: Audience) -> list[AgentTruth]:
    """Return the foreign agents in play who are not detected and on foot by themselves."""
    return [
        agent
        for agent in _foreign(truth, audience)
        if not agent.detected and not agent.with_units and agent.site is not None
    ]


def agents_elsewhere(
    state: MatchState, rng: Random, audience: Audience, _orders: Orders
) -> MatchState | None:
    """Put an undetected agent into another environs."""
    agents = hidden_agents(state.truth, audience)
    agent = rng.choice(agents) if agents else None
    site = None if agent is None else _other_site(state.truth, rng, agent.site)
    if agent is None or site is None:
        return None
    return with_agent(state, _replace(agent, site=site))


def agents_number(
    state: MatchState, rng: Random, audience: Audience, _orders: Orders
) -> MatchState | None:
    """Add an agent to a group that is there, detected or not, or take a hidden one away."""
    truth = state.truth
    models = [agent for agent in _foreign(truth, audience) if agent.site is not None]
    gone = [agent for agent in hidden_agents(truth, audience) if agent.group is None]
    if gone and rng.random() < 0.3:
        lost = rng.choice(gone).id
        rest = {piece: agent for piece, agent in truth.agents.items() if piece != lost}
        return with_truth(state, _replace(truth, agents=rest))
    if not models:
        return None
    model = rng.choice(models)
    own = OwnId("P9")
    if piece_id(model.side, own) in truth.agents:
        return None
    added = _replace(
        model, id=piece_id(model.side, own), own=own, name="stowaway", stacked=None, group=None
    )
    return with_agent(state, added)


def agents_ratings(
    state: MatchState, rng: Random, audience: Audience, _orders: Orders
) -> MatchState | None:
    """Give a foreign agent, detected or not, other ratings and another name."""
    agents = _foreign(state.truth, audience)
    if not agents:
        return None
    agent = rng.choice(agents)
    return with_agent(
        state,
        _replace(
            agent,
            name=f"canary {rng.randrange(10**6)}",
            combat=rng.randint(0, 9),
            endurance=rng.randint(agent.wounds + 1, 9 + agent.wounds),
            intelligence=rng.randint(0, 9),
            leadership=rng.randint(0, 9),
            npc=rng.random() < 0.3,
        ),
    )


def hides_otherwise(
    state: MatchState, rng: Random, audience: Audience, _orders: Orders
) -> MatchState | None:
    """Let agents for whom the audience may search hide better or worse."""
    alerted = [
        foreign
        for foreign in _foreign(state.truth, audience)
        if foreign.detected and not foreign.with_units and foreign.site is not None
    ]
    if not alerted:
        return None
    agent = rng.choice(alerted)
    return with_agent(state, _replace(agent, intelligence=(agent.intelligence + 3) % 10))


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


def with_agent(state: MatchState, agent: AgentTruth) -> MatchState:
    """Return the state with that agent in the place of his namesake, his owner informed."""
    agents = {**state.truth.agents, agent.id: agent}
    return with_truth(state, _replace(state.truth, agents=agents))


def _searches(window: Window, audience: Audience) -> list[SearchTried]:
    return [
        event
        for event in window.happened
        if isinstance(event, SearchTried) and audience_of(event.side) == audience
    ]


def _missions(window: Window) -> list[MissionTried]:
    return [event for event in window.happened if isinstance(event, MissionTried)]


def _foreign(truth: Truth, audience: Audience) -> list[AgentTruth]:
    return [
        agent
        for agent in truth.agents.values()
        if agent.is_free and audience_of(agent.side) != audience
    ]


def _other_site(truth: Truth, rng: Random, site: Site | None) -> Site | None:
    places = [
        Site(planet.name, environs.number)
        for planet in truth.board.planets
        for environs in planet.environs
    ]
    others = [place for place in places if place != site]
    return rng.choice(others) if others else None
