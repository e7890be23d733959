"""Why an agent of a finished match was found, or was not.

Source: search of our rule book §1 and §2. From the events that the resolvers made and from the
truth when the window had closed.
"""

from collections.abc import Iterator, Sequence

from sunglare_protocol.ids import Side
from sunglare_protocol.surface import Site
from sunglare_protocol.words.ladder import Phase
from sunglare_protocol.words.search import Strike
from sunglare_rules.search.agents import ground_of, stacked_at, unstacked_at
from sunglare_rules.search.detection import Alert
from sunglare_rules.search.search import SEARCH_LEAST
from sunglare_server.match.events.agents import SearchTried
from sunglare_server.match.events.space import Event
from sunglare_server.match.resolve.agents_scene import scene_of, site_of_agent, units_at
from sunglare_server.match.resolve.searches import SearchPlan, value_of
from sunglare_server.match.truth.agents import AgentTruth
from sunglare_server.match.truth.truth import Truth

SEARCH_RULE = "(search §2)"


def agent_lines(
    truth: Truth, side: Side, agent: AgentTruth, events: Sequence[Event], phase: Phase
) -> Iterator[str]:
    """Yield whether an agent was detected, and the searches that could find it, with dice.

    `truth` is as it was when the window of `phase` had closed.
    """
    if phase is Phase.PLOT and agent.in_play:
        if truth.agents[agent.id].detected:
            yield "detected: an alert told you of somebody, neither who nor how many (search §1)"
        else:
            yield "undetected: nobody was told of him (search §1)"
    for event in events:
        if isinstance(event, SearchTried) and event.side == side and agent.id in event.group:
            yield _search_words(event)


def missed_lines(
    truth: Truth, side: Side, agent: AgentTruth, events: Sequence[Event]
) -> Iterator[str]:
    """Yield why no search of `side` could find a detected agent in an ENGAGE.

    `truth` is as it was when the window opened, and so is `agent`.
    """
    site = site_of_agent(truth, agent)
    if site is None or not (agent.detected and agent.is_free):
        return
    mine = [
        event
        for event in events
        if isinstance(event, SearchTried)
        and (event.side, event.owner, event.site) == (side, agent.side, site)
    ]
    if mine and not any(agent.id in event.group for event in mine):
        why = "he was stacked with troops" if agent.with_units else "it was for another group"
        yield f"no search found him, for {why} {SEARCH_RULE}"
    elif not mine and Alert(agent.side, ground_of(site)) in truth.search.alerts:
        yield f"you did not search {site.name}: {_idle_words(truth, side, agent, site)}"


def _idle_words(truth: Truth, side: Side, agent: AgentTruth, site: Site) -> str:
    scene, ground = scene_of(truth), ground_of(site)
    agents = (*unstacked_at(scene, side, ground), *stacked_at(scene, side, ground))
    if not agents and not units_at(truth, side, site):
        return f"no piece of yours was there {SEARCH_RULE}"
    hunt = SearchPlan(side=side, owner=agent.side, site=site, strike=Strike.NONE)
    value = value_of(truth, scene, hunt)
    if value < SEARCH_LEAST:
        return f"your value there was {value}, and {SEARCH_LEAST} is needed {SEARCH_RULE}"
    return f"you gave no order, and your value there was {value} {SEARCH_RULE}"


def _search_words(event: SearchTried) -> str:
    words = f"your search of {event.site.name}, value {event.value} against hiding {event.hiding}"
    if event.die is None:
        return f"{words}: nothing was rolled (search §2)"
    found = "FOUND" if event.found else "not found"
    shows = f"the die shows {event.die}, at most {event.needed} finds"
    return f"{words}: {found}, {shows} (search §2)"
