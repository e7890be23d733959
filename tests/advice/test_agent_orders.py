"""Which steps and missions the own view allows for agents, and why others are refused."""

from typing import Any

import pytest
from msgspec.structs import replace

from builders.advice import offered, refusal
from builders.agentorders import (
    CAPTIVE,
    FAR,
    G1,
    HERE,
    P1,
    P2,
    P3,
    P4,
    S1,
    S2,
    SHUTTLER,
    problem,
    view_of,
)
from builders.orders import Written
from builders.terminals import AGENT, GUARD
from sunglare_protocol.orders.agents import Walk
from sunglare_protocol.views import ObjectiveView
from sunglare_protocol.views.agents import ItemView
from sunglare_protocol.words.ladder import Fate
from sunglare_protocol.words.victory import ObjectiveKind

# Steps.


@pytest.mark.parametrize(
    ("order", "refused"),
    [
        ("walk P1 2", None),
        ("walk P1 1", "order/step $.environs"),
        ("walk P3 2", "order/step $.ship"),
        ("walk P4 2", "order/unit $.ship"),
        (Walk(ship=G1, environs=2), "order/unit $.ship"),
        ("board P1 G1", None),
        ("board P1 G2", "order/step $.into"),
        ("board P1 S2", None),
        ("board P1 S1", None),
        ("board P1 S7", "order/step $.into"),
        ("leave P3", None),
        ("leave P1", "order/step $.ship"),
    ],
)
def test_a_step_is_allowed_by_where_the_agent_stands(order: Written, refused: str | None) -> None:
    assert refusal(problem(order)) == refused


def test_a_refusal_names_the_free_agents() -> None:
    assert offered(problem("walk P9 2")) == (P1, P2, P3)


def test_steps_are_tried_one_after_the_other_and_are_few() -> None:
    out, back = "walk P1 2", "walk P1 1"
    assert problem(back, out) is None
    assert refusal(problem(out, out)) == "order/step $.environs"
    assert refusal(problem(out, out, back)) == "order/step $"
    assert problem("walk P2 2", out, back) is None


def test_who_is_aboard_walks_nowhere_and_leaves_for_where_the_ship_is() -> None:
    aboard = replace(AGENT, site=None, aboard=S1)
    view = view_of(agents=(aboard,))
    assert refusal(problem("walk P1 1", view=view)) == "order/step $.ship"
    assert problem("leave P1 2", view=view) is None
    assert refusal(problem("leave P1 7", view=view)) == "order/step $.environs"
    assert refusal(problem("leave P1", view=view)) == "order/step $.environs"
    landed = view_of(agents=(replace(aboard, aboard=S2),))
    assert problem("leave P1", view=landed) is None
    plain = view_of(agents=(aboard,), own=(replace(SHUTTLER, shuttle=False),))
    assert refusal(problem("leave P1 2", view=plain)) == "order/step $"


def test_nobody_joins_troops_that_are_elsewhere_or_gone() -> None:
    for change in ({"site": FAR}, {"fate": Fate.DESTROYED}, {"site": None, "aboard": S2}):
        view = view_of(ground=(replace(GUARD, **change),), agents=(AGENT,))
        assert refusal(problem("board P1 G1", view=view)) == "order/step $.into"


# Missions.


@pytest.mark.parametrize(
    ("order", "refused"),
    [
        ("mission P1 spy", None),
        ("mission P1 spy with P2", None),
        ("mission P1 spy with P1", "order/group $.others"),
        ("mission P1 spy with P2 P2", "order/group $.others"),
        ("mission P1 spy with P3", "order/group $.others"),
        ("mission P1 spy with P4", "order/unit $.others"),
        ("mission P4 spy", "order/unit $.ship"),
        ("mission P1 sabotage", None),
        ("mission P1 sabotage tt4tt4", None),
        ("mission P1 sabotage zzzzzz", "order/handle $.at"),
        ("mission P1 steal", "order/group $.name"),
        ("mission P1 deliver", "order/group $.name"),
        ("mission P1 free", None),
        ("mission P1 free Ant", None),
        ("mission P1 free P4", None),
        ("mission P1 free Owl", "order/group $.name"),
    ],
)
def test_a_mission_is_allowed_by_its_group_and_by_what_is_there(
    order: str, refused: str | None
) -> None:
    assert refusal(problem(order)) == refused


def test_an_agent_is_in_one_group_a_turn() -> None:
    assert refusal(problem("mission P1 spy with P2", "mission P2 spy")) == "order/group $.others"
    assert refusal(problem("mission P2 spy", "mission P1 spy with P2")) == "order/group $.others"
    assert problem("mission P2 spy", "mission P1 spy") is None


def test_a_group_is_looked_at_where_its_steps_have_led_it() -> None:
    assert refusal(problem("mission P1 spy with P2", "walk P2 2")) == "order/group $.others"
    assert problem("mission P1 spy with P3", "leave P3") is None
    aboard = view_of(agents=(replace(AGENT, site=None, aboard=S1),))
    assert refusal(problem("mission P1 spy", view=aboard)) == "order/group $.others"


def test_a_refused_target_names_what_there_is() -> None:
    assert offered(problem("mission P1 sabotage zzzzzz")) == ("tt4tt4",)
    assert offered(problem("mission P1 free Owl")) == (P4, "Ant")


@pytest.mark.parametrize("change", [{"site": FAR}, {"fate": Fate.DESTROYED}, {"captor": None}])
def test_only_a_prisoner_there_is_freed(change: dict[str, Any]) -> None:
    view = view_of(agents=(AGENT, replace(CAPTIVE, **change)))
    assert refusal(problem("mission P1 free", view=view)) == "order/group $.name"


def test_an_item_is_stolen_where_it_lies_and_delivered_by_who_has_it_at_its_goal() -> None:
    book = ItemView(name="book", site=HERE)
    goal = ObjectiveView(kind=ObjectiveKind.DELIVER, piece="book", at=HERE)
    steal, deliver = "mission P1 steal book", "mission P1 deliver book"
    lying = view_of(items=(book,), objectives=(goal,))
    assert problem(steal, view=lying) is None
    assert refusal(problem("mission P1 steal cup", view=lying)) == "order/group $.name"
    assert refusal(problem(deliver, view=lying)) == "order/group $.name"
    away = view_of(items=(replace(book, site=FAR),))
    assert refusal(problem(steal, view=away)) == "order/group $.name"
    carried = replace(book, site=None, carrier=P1)
    assert problem(deliver, view=view_of(items=(carried,), objectives=(goal,))) is None
    wrongs: tuple[dict[str, Any], ...] = (
        {"objectives": (replace(goal, at=FAR),)},
        {"objectives": (replace(goal, kind=ObjectiveKind.HOLD),)},
        {"objectives": (replace(goal, piece="cup"),)},
        {"objectives": (goal,), "items": (replace(carried, carrier=P2),)},
    )
    for wrong in wrongs:
        view = view_of(**{"items": (carried,), **wrong})
        assert refusal(problem(deliver, view=view)) == "order/group $.name"
    himself = view_of(objectives=(replace(goal, piece="Agent"),))
    assert problem("mission P1 deliver Agent", view=himself) is None
