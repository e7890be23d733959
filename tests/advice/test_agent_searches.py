"""Standing orders and searches of agents, their odds, and what is offered as legal."""

from typing import Any

import pytest
from msgspec.structs import replace

from builders.agentorders import (
    ALERTS,
    FAR,
    G1,
    G2,
    GROUP,
    HERE,
    OWL,
    P1,
    P2,
    P3,
    P4,
    S1,
    S2,
    STEP,
    UNIT,
    VIEW,
    about,
    problem,
    spy,
    view_of,
)
from builders.terminals import AGENT, GUARD
from sunglare_protocol.ids import Handle, OwnId
from sunglare_protocol.orders import Order
from sunglare_protocol.orders.agents import (
    AgentOrder,
    GoAboard,
    Mission,
    Search,
    Stand,
    StepOut,
    Walk,
)
from sunglare_protocol.refusals import Code, Rejected
from sunglare_protocol.surface import Site
from sunglare_protocol.words.ladder import Fate, Phase
from sunglare_protocol.words.search import FightPolicy, MissionKind, Strike
from sunglare_rules.advice.check.agents import search_site, takes_of_agents
from sunglare_rules.advice.legal.agents import agents_examples, missions_of, searches, steps_of
from sunglare_rules.advice.odds.agents import mission_odds, search_odds, step_preview

# Standing orders.

STANDING = Code.ORDER_STANDING


@pytest.mark.parametrize(
    ("order", "refusal"),
    [
        (Stand(ship=OwnId("A"), strike=Strike.NONE), None),
        (Stand(ship=OwnId("A")), (STANDING, "$.strike")),
        (Stand(ship=OwnId("A"), strike=Strike.NONE, bound_for="off"), (STANDING, "$.strike")),
        (Stand(ship=OwnId("A"), strike=Strike.NONE, wounds=()), (STANDING, "$.strike")),
        (Stand(ship=P1, strike=Strike.NONE), (STANDING, "$.strike")),
        (Stand(ship=P1), (STANDING, "$")),
        (Stand(ship=P1, fight=FightPolicy.FLEE), None),
        (Stand(ship=P1, wounds=()), None),
        (Stand(ship=P1, wounds=(P2, P4)), None),
        (Stand(ship=P1, wounds=(P2, G1)), (UNIT, "$.wounds")),
        (Stand(ship=P1, hides_by=P2), None),
        (Stand(ship=P1, hides_by=OwnId("none")), None),
        (Stand(ship=P1, hides_by=G1), (UNIT, "$.hides_by")),
        (Stand(ship=P4, fight=FightPolicy.FLEE), (UNIT, "$.ship")),
        (Stand(ship=S1, bound_for="Ceres"), None),
        (Stand(ship=S1, bound_for="off"), None),
        (Stand(ship=S1, bound_for="none"), None),
        (Stand(ship=S1, bound_for="Vesta"), (Code.ORDER_BODY, "$.bound_for")),
        (Stand(ship=S1, bound_for="off", fight=FightPolicy.FLEE), (STANDING, "$")),
        (Stand(ship=P1, bound_for="off"), (Code.ORDER_SHIP, "$.ship")),
    ],
)
def test_a_standing_order_says_one_thing_to_whom_it_concerns(
    order: AgentOrder, refusal: tuple[Code, str] | None
) -> None:
    assert about(problem(order)) == refusal


def test_a_standing_order_is_given_once_in_a_set() -> None:
    order = Stand(ship=P1, fight=FightPolicy.FLEE)
    assert about(problem(order, order)) == (Code.ORDER_TWICE, "$")
    assert problem(order, Stand(ship=P2, fight=FightPolicy.FLEE)) is None


def test_a_refused_goal_names_the_goals() -> None:
    refused = problem(Stand(ship=S1, bound_for="Vesta"))
    assert refused is not None
    assert refused.choices == ("Ceres", "off", "none")


# Searches.

SEARCH = Code.ORDER_SEARCH


@pytest.mark.parametrize(
    ("order", "refusal"),
    [
        (Search(ship=G1), None),
        (Search(ship=P1), None),
        (Search(ship=G2), (UNIT, "$.ship")),
        (Search(ship=P4), (UNIT, "$.ship")),
        (Search(ship=S1), (UNIT, "$.ship")),
        (Search(ship=G1, leader=P3), None),
        (Search(ship=G1, leader=P1), (SEARCH, "$.leader")),
    ],
)
def test_a_search_is_made_by_pieces_on_the_ground(
    order: AgentOrder, refusal: tuple[Code, str] | None
) -> None:
    assert about(problem(order)) == refusal


def test_a_search_needs_an_alert_there_a_value_and_is_made_once() -> None:
    order = Search(ship=G1)
    for alerts in ((), (replace(ALERTS[0], environs=2),), (replace(ALERTS[0], environs=None),)):
        assert about(problem(order, view=view_of(alerts=alerts))) == (SEARCH, "$.ship")
    assert about(problem(order, Search(ship=P1))) == (SEARCH, "$.ship")
    weak = view_of(ground=(replace(GUARD, af=0),), agents=())
    assert about(problem(order, view=weak)) == (SEARCH, "$.ship")
    other = replace(AGENT, site=FAR)
    two = view_of(agents=(other,), alerts=(*ALERTS, replace(ALERTS[0], environs=2)))
    assert problem(order, Search(ship=P1), view=two) is None


def test_a_refused_search_names_who_could() -> None:
    refused = problem(Search(ship=S1))
    assert refused is not None
    assert refused.choices == (G1, P1, P2, P3)
    led = problem(Search(ship=G1, leader=P2))
    assert led is not None
    assert led.choices == (P3,)


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


# Odds: own figures alone.


def test_the_odds_of_a_search_follow_from_the_own_value() -> None:
    odds = search_odds(VIEW, Search(ship=G1))
    assert not isinstance(odds, Rejected)
    assert odds.site == HERE
    weaker = search_odds(view_of(agents=()), Search(ship=G1))
    assert not isinstance(weaker, Rejected)
    assert odds.value > weaker.value > 0
    assert 100 >= odds.most > odds.least >= 0
    assert about(search_odds(VIEW, Search(ship=S1))) == (UNIT, "$.ship")  # type: ignore[arg-type]
    assert about(search_odds(view_of(alerts=()), Search(ship=G1))) == (SEARCH, "$.ship")  # type: ignore[arg-type]


def test_the_odds_of_a_mission_follow_from_the_group() -> None:
    alone, both = mission_odds(VIEW, spy()), mission_odds(VIEW, spy(P2))
    assert not isinstance(alone, Rejected)
    assert not isinstance(both, Rejected)
    assert (alone.ship, alone.kind) == (P1, MissionKind.SPY)
    assert 0 < alone.hundredths <= both.hundredths <= 100
    assert about(mission_odds(VIEW, spy(P4))) == (UNIT, "$.others")  # type: ignore[arg-type]
    steal = Mission(ship=P1, kind=MissionKind.STEAL)
    assert about(mission_odds(VIEW, steal)) == (GROUP, "$.name")  # type: ignore[arg-type]


def test_a_preview_tells_who_would_be_detected_and_who_anew() -> None:
    alone = view_of(agents=(AGENT, replace(OWL, site=FAR)), alerts=())
    joined = step_preview(alone, GoAboard(ship=P1, into=G1))
    assert not isinstance(joined, Rejected)
    assert (joined.ship, joined.detected, joined.anew) == (P1, (P1,), (P1,))
    known = view_of(agents=(replace(AGENT, detected=True),), alerts=())
    walked = step_preview(known, Walk(ship=P1, environs=2))
    assert not isinstance(walked, Rejected)
    assert (walked.detected, walked.anew) == ((P1,), ())
    assert about(step_preview(VIEW, Walk(ship=P1, environs=1))) == (STEP, "$.environs")  # type: ignore[arg-type]


# Examples.


def test_examples_hold_every_step_mission_and_standing_order_of_a_plot() -> None:
    found = list(agents_examples(VIEW))
    steps = list(steps_of(VIEW, AGENT))
    assert steps == [
        StepOut(ship=P1),
        Walk(ship=P1, environs=1),
        StepOut(ship=P1, environs=1),
        Walk(ship=P1, environs=2),
        StepOut(ship=P1, environs=2),
        GoAboard(ship=P1, into=S1),
        GoAboard(ship=P1, into=S2),
        GoAboard(ship=P1, into=G1),
        GoAboard(ship=P1, into=G2),
    ]
    missions = list(missions_of(VIEW, AGENT, (P2,)))
    sabotage = Mission(ship=P1, kind=MissionKind.SABOTAGE, others=(P2,))
    assert missions == [
        *(Mission(ship=P1, kind=kind, others=(P2,)) for kind in MissionKind),
        replace(sabotage, at=Handle("tt4tt4")),
        replace(sabotage, silence=True),
    ]
    for agent in (P1, P2, P3):
        assert [order for order in found if isinstance(order, Stand) and order.ship == agent] == [
            *(Stand(ship=agent, fight=policy) for policy in FightPolicy),
            Stand(ship=agent, hides_by=agent),
        ]
    assert [order for order in found if order.ship == "A"] == [
        Stand(ship=OwnId("A"), strike=strike) for strike in Strike
    ]
    for ship in (S1, S2):
        bound = [order for order in found if isinstance(order, Stand) and order.ship == ship]
        assert bound == [Stand(ship=ship, bound_for=goal) for goal in ("Ceres", "off", "none")]
    assert P4 not in {order.ship for order in found}
    assert all(step in found for step in steps)
    assert not any(isinstance(order, Search) for order in found)


def test_examples_of_engage_are_one_search_of_each_environs() -> None:
    every = [Search(ship=G1, strike=strike) for strike in Strike]
    engage = view_of(Phase.ENGAGE)
    assert list(searches(engage)) == every
    assert list(agents_examples(engage)) == every
    away = replace(OWL, site=FAR)
    both = [*every, *(Search(ship=P2, strike=strike) for strike in Strike)]
    assert list(searches(view_of(Phase.ENGAGE, agents=(AGENT, away)))) == both
    assert list(agents_examples(view_of(Phase.SCAN))) == []


def test_who_has_nobody_is_offered_nothing() -> None:
    assert list(agents_examples(view_of(agents=(), ground=()))) == []
    troops = list(agents_examples(view_of(agents=())))
    assert troops == [Stand(ship=OwnId("A"), strike=strike) for strike in Strike]
    dead = view_of(ground=(replace(GUARD, fate=Fate.DESTROYED),), agents=(AGENT,))
    assert GoAboard(ship=P1, into=G1) not in list(agents_examples(dead))
    aboard = replace(AGENT, site=None, aboard=S1)
    assert list(missions_of(view_of(agents=(aboard,)), aboard)) == []
