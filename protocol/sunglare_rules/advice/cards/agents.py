"""The cards on an own agent: what it is and does, and what enemies know of it and may find.

Source: the rules they name; search of our rule book §2 and §3. From the viewer's own pieces alone.
"""

from typing import assert_never

from sunglare_protocol.ids import Side
from sunglare_protocol.surface import Site
from sunglare_protocol.views import View
from sunglare_protocol.views.agents import StanceView
from sunglare_protocol.views.ground import AgentView
from sunglare_protocol.words.ladder import Fate
from sunglare_protocol.words.search import FightPolicy
from sunglare_rules.advice.seen.agents import scene_now
from sunglare_rules.search.agents import (
    Agent,
    InOrbit,
    InSpace,
    OnGround,
    VesselPlace,
    searchable,
)
from sunglare_rules.search.search import chance, hiding_value, hiding_wits, speaker

SHOWN_VALUES = (3, 6, 12)
"""The search values for which a card gives the chance."""

_POLICIES = {
    FightPolicy.FIGHT: "fights",
    FightPolicy.SCREEN: "screens the others with its best fighter",
    FightPolicy.FLEE: "flees",
}

_UNDETECTED = (
    "No enemy is told that he is there. Troops he stands with, a landing by shuttle, detected "
    "company or a tracked ship would detect him. Freedom in the Galaxy 10.1 (search §1)."
)
_STACKED = (
    "He stands with troops: he is always detected, and no search is for him. "
    "Freedom in the Galaxy 10.1b and 10.2 (search §2)."
)


def agent_facts(view: View, agent: AgentView) -> tuple[str, ...]:
    """Return an own agent's ratings, whereabouts and standing orders, a line each."""
    if agent.fate is not Fate.IN_PLAY:
        return (f"He is out of the match: {agent.fate.value}.",)
    npc = " An NPC: nobody hides by him." if agent.npc else ""
    with_whom = f", with {agent.stacked}" if agent.stacked is not None else ""
    return (
        f"Combat {agent.combat}, endurance {agent.endurance}, wounds {agent.wounds}.",
        f"Intelligence {agent.intelligence}, leadership {agent.leadership}.{npc}",
        f"At {_where(agent)}{with_whom}; {'detected' if agent.detected else 'undetected'}.",
        *_captor_lines(agent),
        *_group_lines(agent),
        *_item_lines(view, agent),
        _stance_line(agent.stance),
    )


def agent_reasons(view: View, agent: AgentView) -> tuple[str, ...]:
    """Return what enemies learn of the agent and how well it hides, with the rules."""
    if agent.fate is not Fate.IN_PLAY:
        return (f"He is out of the match: {agent.fate.value}. Fights and losses (search §2).",)
    if agent.captor is not None:
        return tuple(f"{line} Missions (search §2)." for line in _captor_lines(agent))
    if not agent.detected:
        return (_UNDETECTED,)
    scene = scene_now(view)
    place = scene.place_of(scene.agent(agent.id))
    return (
        _alert_line(agent, place),
        (
            "Friends in the same place or ship are detected with him. Freedom in the Galaxy "
            "10.1 (search §1)."
        ),
        *_hiding_lines(view, agent, place),
    )


def _where(agent: AgentView) -> str:
    return agent.aboard or ("nowhere" if agent.site is None else _site_words(agent.site))


def _captor_lines(agent: AgentView) -> tuple[str, ...]:
    if agent.captor is None:
        return ()
    return (f"Prisoner of {agent.captor}: he takes part in nothing until a mission frees him.",)


def _group_lines(agent: AgentView) -> tuple[str, ...]:
    return () if agent.group is None else (f"In mission group {agent.group} of this turn.",)


def _item_lines(view: View, agent: AgentView) -> tuple[str, ...]:
    carried = [item.name for item in view.items if item.carrier == agent.id]
    return (f"Carries: {', '.join(carried)}.",) if carried else ()


def _stance_line(stance: StanceView) -> str:
    wounds = f"on {', '.join(stance.wounds)} first" if stance.wounds else "at random"
    chosen = "its best head" if stance.hides_by is None else stance.hides_by
    return (
        f"When he speaks for a group it {_POLICIES[stance.fight]} if found, wounds fall {wounds}, "
        f"and it hides by {chosen}."
    )


def _alert_line(agent: AgentView, place: VesselPlace) -> str:
    match place:
        case OnGround():
            near = f"{place.planet} {place.environs}"
        case InOrbit():
            near = f"the orbit of {place.planet}"
        case InSpace():
            near = f"{agent.aboard}, if they track it"
        case _:
            assert_never(place)
    return (
        f"Every enemy learns that agents of yours are near {near}, but not which or how many. "
        "Freedom in the Galaxy 10.1 (search §1)."
    )


def _hiding_lines(view: View, agent: AgentView, place: VesselPlace) -> tuple[str, ...]:
    if agent.stacked is not None:
        return (_STACKED,)
    if not isinstance(place, OnGround):
        return ()
    group = searchable(scene_now(view), Side(view.audience), place)
    hiding = _hiding(view, group, place)
    chances = ", ".join(
        f"a search value of {value} finds them with {round(100 * chance(hiding, value))} %"
        for value in SHOWN_VALUES
    )
    verb = "hides" if len(group) == 1 else "hide"
    hidden = f"{len(group)} of yours {verb} there with a value of {hiding}"
    return (f"{hidden}: {chances}. Freedom in the Galaxy 10.2 (search §2).",)


def _hiding(view: View, group: tuple[Agent, ...], place: OnGround) -> int:
    environs = view.board.environs_at(Site(place.planet, place.environs))
    name = speaker(group).name
    stance = next(agent.stance for agent in view.agents if agent.id == name)
    wits = hiding_wits(group, stance.hides_by)
    return hiding_value(wits, 0 if environs is None else environs.size, len(group))


def _site_words(site: Site) -> str:
    return f"{site.body} {site.environs}"
