"""Orders that agents may give, as examples; whatever is not allowed is left out by `legal`.

Source: search of our rule book §2.
"""

from collections.abc import Iterator

from sunglare_protocol import orders
from sunglare_protocol.ids import Handle, OwnId
from sunglare_protocol.orders.agents import StepOrder
from sunglare_protocol.surface import Site
from sunglare_protocol.views import View
from sunglare_protocol.views.ground import AgentView
from sunglare_protocol.words.ladder import Fate, Phase
from sunglare_protocol.words.search import FightPolicy, MissionKind, Strike
from sunglare_rules.advice.check.agents import search_site
from sunglare_rules.advice.seen.agents import carriers, free_agents, scene_now
from sunglare_rules.search.agents import planet_of


def agents_examples(view: View, piece: OwnId | None = None) -> Iterator[orders.Order]:
    """Yield candidates for the open window: steps, missions, standing orders, or searches.

    With a `piece` only those for that one.
    """
    if not view.agents and not view.ground:
        return
    if view.stage.phase is Phase.PLOT:
        for agent in free_agents(view):
            if piece in (None, agent.id):
                yield from _agent_examples(view, agent)
        yield from (order for order in _standing(view) if piece in (None, order.ship))
    if view.stage.phase is Phase.ENGAGE:
        yield from (order for order in searches(view) if piece in (None, order.ship))


def _agent_examples(view: View, agent: AgentView) -> Iterator[orders.Order]:
    yield from steps_of(view, agent)
    yield from missions_of(view, agent)
    for policy in FightPolicy:
        yield orders.Stand(ship=agent.id, fight=policy)
    yield orders.Stand(ship=agent.id, hides_by=agent.id)


def steps_of(view: View, agent: AgentView) -> Iterator[StepOrder]:
    """Yield the steps of an agent that come into question from where it is now."""
    scene = scene_now(view)
    planet = planet_of(scene.place_of(scene.agent(agent.id)))
    yield orders.StepOut(ship=agent.id)
    for number in view.board.numbers_on(planet):
        yield orders.Walk(ship=agent.id, environs=number)
        yield orders.StepOut(ship=agent.id, environs=number)
    for ship in carriers(view):
        yield orders.GoAboard(ship=agent.id, into=ship.id)
    for unit in view.ground:
        if unit.fate is Fate.IN_PLAY:
            yield orders.GoAboard(ship=agent.id, into=unit.id)


def missions_of(
    view: View, agent: AgentView, others: tuple[OwnId, ...] = ()
) -> Iterator[orders.Mission]:
    """Yield the missions of an agent where it is now, with every target that is known."""
    if agent.site is None:
        return
    for kind in MissionKind:
        yield orders.Mission(ship=agent.id, kind=kind, others=others)
    for handle in handles_at(view, agent.site):
        yield orders.Mission(ship=agent.id, kind=MissionKind.SABOTAGE, others=others, at=handle)
    yield orders.Mission(ship=agent.id, kind=MissionKind.SABOTAGE, others=others, silence=True)


def searches(view: View) -> Iterator[orders.Search]:
    """Yield a search of each environs where an alert and an own piece stand, for each strike."""
    done: list[Site] = []
    pieces = (*(unit.id for unit in view.ground), *(agent.id for agent in view.agents))
    for piece in pieces:
        site = search_site(view, piece)
        if site is None or site in done:
            continue
        done.append(site)
        for strike in Strike:
            yield orders.Search(ship=piece, strike=strike)


def handles_at(view: View, site: Site) -> Iterator[Handle]:
    """Yield the handles of the tokens held at a site."""
    for surface in view.surfaces:
        if surface.site == site:
            yield from (token.handle for token in surface.tokens if token.handle is not None)


def _standing(view: View) -> Iterator[orders.Stand]:
    side = OwnId(str(view.audience))
    for strike in Strike:
        yield orders.Stand(ship=side, strike=strike)
    if view.agents:
        goals = (*(planet.name for planet in view.board.planets), orders.OFF_MAP, orders.NOWHERE)
        for ship in carriers(view):
            for goal in goals:
                yield orders.Stand(ship=ship.id, bound_for=goal)
