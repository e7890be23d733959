"""A raider uses every order for agents and troops, and beats the random bot with both."""

import os
from collections import Counter
from random import Random

import pytest

from builders.agentmatches import TOWN, match_of, side_of, troops, who
from builders.matches import Course
from builders.scenarios import scenarios
from builders.truths import MATCH, A, B
from sunglare_client.advice import Advice
from sunglare_client.bot import Bot, BotMatch, decide, is_asked
from sunglare_client.bots import BOTS
from sunglare_client.bots.ground.agent_tasks import standing_orders, tasks
from sunglare_client.bots.ground.searches import searches
from sunglare_protocol.ids import OwnId, Side, audience_of
from sunglare_protocol.orders import Order
from sunglare_protocol.orders.agents import GROUP_MOST, Mission, Search, Stand, StepOut, Walk
from sunglare_protocol.surface import Site
from sunglare_protocol.words.ladder import Phase
from sunglare_protocol.words.search import MissionKind, Strike
from sunglare_protocol.words.victory import ObjectiveKind
from sunglare_server.match.data.scenario import ItemEntry, Objective
from sunglare_server.ports.cards import scenario_card

LONG = bool(os.environ.get("SUNGLARE_LONG"))
SEEDS = range(2 if LONG else 1)
FAR = Site("Ceres", 2)


def played(names: dict[Side, str], seed: int) -> tuple[Course, Counter[type[Order]]]:
    """Play a match of orlog to its end; return it with the kinds of orders of side A."""
    scenario = scenarios()["orlog"]
    course = Course(scenario, seed=Random(seed).randbytes(32))
    card = scenario_card(scenario, course.state.options)
    bots: dict[Side, Bot] = {}
    for side, name in names.items():
        bots[side] = BOTS[name](seed)
        bots[side].on_start(BotMatch(match=MATCH, side=side, card=card))
    given: Counter[type[Order]] = Counter()
    while not course.state.is_over:
        for side, bot in bots.items():
            view = course.view(audience_of(side))
            if is_asked(view, side):
                orders = decide(bot, view, strict=True)
                given.update(type(order) for order in orders if bot.name == "raider")
                course.orders(side, *orders)
        course.close()
    return course, given


@pytest.mark.slow
@pytest.mark.timeout(240)
def test_the_raider_beats_the_random_bot_with_agents_and_with_garrisons() -> None:
    margins = {A: 0, B: 0}
    kinds: Counter[type[Order]] = Counter()
    for own, other in ((A, B), (B, A)):
        for seed in SEEDS:
            course, given = played({own: "raider", other: "random"}, seed)
            points = course.state.truth.points
            margins[own] += points[own] - points[other]
            kinds += given
    assert min(margins.values()) > 3 * len(SEEDS)
    assert {Walk, StepOut, Mission, Search, Stand} <= set(kinds)


def with_goals() -> Course:
    """Return a match in which A wants a book that lies in the town and a prisoner's freedom."""
    goals = (
        Objective(kind=ObjectiveKind.DELIVER, piece="book", at=FAR),
        Objective(kind=ObjectiveKind.DELIVER, piece="Vane", at=FAR),
    )
    agents = (who("Fox", intelligence=5), who("Vane", FAR, captor=B))
    first = side_of(*agents, objectives=goals)
    second = side_of(who("Pell", leadership=2, stacked="Guard"), ground=(troops("Guard"),))
    return match_of(first, second, items=(ItemEntry(name="book", at=TOWN),))


def test_the_tasks_of_a_side_follow_from_its_objectives() -> None:
    found = [(task.kind, task.site, task.name) for task in tasks(with_goals().view("A"))]
    assert found == [(MissionKind.STEAL, TOWN, "book"), (MissionKind.FREE, FAR, "P2")]


def test_the_raider_sends_agents_where_the_item_is() -> None:
    course = with_goals()
    bot = BOTS["raider"](0)
    orders = decide(bot, course.view("A"), strict=True)
    assert Mission(ship=OwnId("P1"), kind=MissionKind.STEAL, name="book") in orders


def test_a_side_searches_under_the_best_leader_with_a_patrol() -> None:
    course = match_of(
        side_of(who("Fox", detected=True)),
        side_of(
            who("Pell", leadership=2, stacked="Guard"),
            who("Dunn", leadership=1, stacked="Guard"),
            ground=(troops("Guard"),),
        ),
    )
    course.close_until(Phase.ENGAGE)
    wish = Search(ship=OwnId("G1"), leader=OwnId("P1"), strike=Strike.PATROL)
    assert wish in tuple(searches(course.view("B")))
    assert Advice(course.view("B")).check((wish,)) is None


def test_a_leader_of_many_agents_lists_no_more_of_them_than_an_order_takes() -> None:
    many = [who(f"Agent {number}") for number in range(GROUP_MOST + 1)]
    course = match_of(side_of(who("Pell", leadership=2), *many), side_of())
    given = tuple(standing_orders(course.view("A")))
    (listed,) = (order.wounds for order in given if isinstance(order, Stand) and order.wounds)
    assert len(listed) == GROUP_MOST
    assert Advice(course.view("A")).check(given) is None
