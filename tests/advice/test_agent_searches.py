"""Standing orders and searches of agents, and what is offered as legal."""

from collections.abc import Iterable
from typing import Any

import pytest
from msgspec.structs import replace

from builders.advice import offered, refusal
from builders.agentorders import (
    ALERTS,
    FAR,
    G1,
    G2,
    HERE,
    OWL,
    P1,
    P2,
    P3,
    P4,
    S1,
    S2,
    VIEW,
    problem,
    view_of,
)
from builders.orders import Written, read, typed
from builders.terminals import AGENT, GUARD
from sunglare_protocol.ids import OwnId
from sunglare_protocol.orders import Order
from sunglare_protocol.orders.agents import Mission, Search, Stand, Walk
from sunglare_protocol.refusals import Code
from sunglare_protocol.surface import Site
from sunglare_protocol.words.ladder import Fate, Phase
from sunglare_protocol.words.search import FightPolicy, Strike
from sunglare_rules.advice.check.agents import search_site, takes_of_agents
from sunglare_rules.advice.legal.agents import agents_examples, missions_of, searches, steps_of

# Standing orders.


@pytest.mark.parametrize(
    ("order", "refused"),
    [
        ("stand side strike none", None),
        (Stand(ship=OwnId("A")), "order/standing $.strike"),
        (Stand(ship=OwnId("A"), strike=Strike.NONE, bound_for="off"), "order/standing $.strike"),
        (Stand(ship=OwnId("A"), strike=Strike.NONE, wounds=()), "order/standing $.strike"),
        (Stand(ship=P1, strike=Strike.NONE), "order/standing $.strike"),
        (Stand(ship=P1), "order/standing $"),
        ("stand P1 fight flee", None),
        ("stand P1 wounds", None),
        ("stand P1 wounds P2 P4", None),
        (Stand(ship=P1, wounds=(P2, G1)), "order/unit $.wounds"),
        ("stand P1 hides P2", None),
        ("stand P1 hides none", None),
        (Stand(ship=P1, hides_by=G1), "order/unit $.hides_by"),
        ("stand P4 fight flee", "order/unit $.ship"),
        ("stand S1 bound Ceres", None),
        ("stand S1 bound off", None),
        ("stand S1 bound none", None),
        ("stand S1 bound Vesta", "order/body $.bound_for"),
        (Stand(ship=S1, bound_for="off", fight=FightPolicy.FLEE), "order/standing $"),
        (Stand(ship=P1, bound_for="off"), "order/ship $.ship"),
    ],
)
def test_a_standing_order_says_one_thing_to_whom_it_concerns(
    order: Written, refused: str | None
) -> None:
    assert refusal(problem(order)) == refused


def test_a_standing_order_is_given_once_in_a_set() -> None:
    order = typed("stand P1 fight flee")
    assert refusal(problem(order, order)) == "order/twice $"
    assert problem(order, "stand P2 fight flee") is None


def test_a_refused_goal_names_the_goals() -> None:
    found = problem("stand S1 bound Vesta")
    assert offered(found) == ("Ceres", "off", "none")


# Searches.

SEARCH = Code.ORDER_SEARCH


@pytest.mark.parametrize(
    ("order", "refused"),
    [
        ("search G1 strike patrol", None),
        ("search P1 strike patrol", None),
        ("search G2 strike patrol", "order/unit $.ship"),
        ("search P4 strike patrol", "order/unit $.ship"),
        (Search(ship=S1), "order/unit $.ship"),
        ("search G1 leader P3 strike patrol", None),
        ("search G1 leader P1 strike patrol", "order/search $.leader"),
    ],
)
def test_a_search_is_made_by_pieces_on_the_ground(order: Written, refused: str | None) -> None:
    assert refusal(problem(order)) == refused


def test_a_search_needs_an_alert_there_a_value_and_is_made_once() -> None:
    order = typed("search G1 strike patrol")
    for alerts in ((), (replace(ALERTS[0], environs=2),), (replace(ALERTS[0], environs=None),)):
        assert refusal(problem(order, view=view_of(alerts=alerts))) == "order/search $.ship"
    assert refusal(problem(order, "search P1 strike patrol")) == "order/search $.ship"
    weak = view_of(ground=(replace(GUARD, af=0),), agents=())
    assert refusal(problem(order, view=weak)) == "order/search $.ship"
    other = replace(AGENT, site=FAR)
    two = view_of(agents=(other,), alerts=(*ALERTS, replace(ALERTS[0], environs=2)))
    assert problem(order, "search P1 strike patrol", view=two) is None


def test_a_refused_search_names_who_could() -> None:
    found = problem(Search(ship=S1))
    assert offered(found) == (G1, P1, P2, P3)
    led = problem("search G1 leader P2 strike patrol")
    assert offered(led) == (P3,)


@pytest.mark.parametrize(
    ("own", "site"),
    [(G1, HERE), (G2, None), (P1, HERE), (P4, None), (S1, None), (OwnId("X"), None)],
)
def test_an_environs_is_searched_from_where_a_piece_stands(own: OwnId, site: Site | None) -> None:
    assert search_site(VIEW, own) == site


@pytest.mark.parametrize(
    ("fields", "kinds"),
    [
        ({}, (Walk, Mission, Stand, Search)),
        ({"agents": ()}, (Stand, Search)),
        ({"ground": ()}, (Walk, Mission, Stand, Search)),
        ({"agents": (), "ground": ()}, ()),
    ],
)
def test_orders_of_agents_are_for_who_has_any(
    fields: dict[str, Any], kinds: tuple[type[Order], ...]
) -> None:
    every = (Walk, Mission, Stand, Search)
    taken = tuple(maker for maker in every if takes_of_agents(view_of(**fields), maker))
    assert taken == kinds


# Examples.


STEPS = "leave P1; walk P1 1; leave P1 1; walk P1 2; leave P1 2"
STRIKES = [f"stand side strike {strike.value}" for strike in Strike]


def standing(orders: Iterable[Order], own: str) -> tuple[Order, ...]:
    """Return the standing orders of an own piece."""
    return tuple(order for order in orders if isinstance(order, Stand) and order.ship == own)


def test_examples_hold_every_step_mission_and_standing_order_of_a_plot() -> None:
    found = list(agents_examples(VIEW))
    steps = read(STEPS, "board P1 S1; board P1 S2; board P1 G1; board P1 G2")
    assert tuple(steps_of(VIEW, AGENT)) == steps
    missions = (
        "spy",
        "sabotage",
        "steal",
        "deliver",
        "free",
        "sabotage tt4tt4",
        "sabotage silence",
    )
    sent = read(*(f"mission P1 {mission} with P2" for mission in missions))
    assert tuple(missions_of(VIEW, AGENT, (P2,))) == sent
    for agent in (P1, P2, P3):
        fights = [f"stand {agent} fight {policy.value}" for policy in FightPolicy]
        assert standing(found, agent) == read(*fights, f"stand {agent} hides {agent}")
    assert standing(found, "A") == read(*STRIKES)
    for ship in (S1, S2):
        goals = [f"stand {ship} bound {goal}" for goal in ("Ceres", "off", "none")]
        assert standing(found, ship) == read(*goals)
    assert P4 not in {order.ship for order in found}
    assert all(step in found for step in steps)
    assert not any(isinstance(order, Search) for order in found)


def test_examples_of_engage_are_one_search_of_each_environs() -> None:
    every = read(*(f"search G1 strike {strike.value}" for strike in Strike))
    engage = view_of(Phase.ENGAGE)
    assert tuple(searches(engage)) == every
    assert tuple(agents_examples(engage)) == every
    both = view_of(Phase.ENGAGE, agents=(AGENT, replace(OWL, site=FAR)))
    more = read(*(f"search P2 strike {strike.value}" for strike in Strike))
    assert tuple(searches(both)) == (*every, *more)
    assert list(agents_examples(view_of(Phase.SCAN))) == []


def test_who_has_nobody_is_offered_nothing() -> None:
    assert list(agents_examples(view_of(agents=(), ground=()))) == []
    assert tuple(agents_examples(view_of(agents=()))) == read(*STRIKES)
    dead = view_of(ground=(replace(GUARD, fate=Fate.DESTROYED),), agents=(AGENT,))
    assert typed("board P1 G1") not in agents_examples(dead)
    aboard = replace(AGENT, site=None, aboard=S1)
    assert list(missions_of(view_of(agents=(aboard,)), aboard)) == []
