"""Which steps and missions the own view allows for agents, and why others are refused."""

from typing import Any

import pytest
from msgspec.structs import replace

from builders.agentorders import (
    CAPTIVE,
    FAR,
    G1,
    G2,
    GROUP,
    HERE,
    P1,
    P2,
    P3,
    P4,
    S1,
    S2,
    SHUTTLER,
    STEP,
    UNIT,
    about,
    problem,
    spy,
    view_of,
)
from builders.terminals import AGENT, GUARD
from sunglare_protocol.ids import Handle, OwnId
from sunglare_protocol.orders.agents import (
    AgentOrder,
    GoAboard,
    Mission,
    StepOut,
    Walk,
)
from sunglare_protocol.refusals import Code
from sunglare_protocol.views import ObjectiveView
from sunglare_protocol.views.agents import ItemView
from sunglare_protocol.words.ladder import Fate
from sunglare_protocol.words.search import MissionKind
from sunglare_protocol.words.victory import ObjectiveKind

# Steps.


@pytest.mark.parametrize(
    ("order", "refusal"),
    [
        (Walk(ship=P1, environs=2), None),
        (Walk(ship=P1, environs=1), (STEP, "$.environs")),
        (Walk(ship=P3, environs=2), (STEP, "$.ship")),
        (Walk(ship=P4, environs=2), (UNIT, "$.ship")),
        (Walk(ship=G1, environs=2), (UNIT, "$.ship")),
        (GoAboard(ship=P1, into=G1), None),
        (GoAboard(ship=P1, into=G2), (STEP, "$.into")),
        (GoAboard(ship=P1, into=S2), None),
        (GoAboard(ship=P1, into=S1), None),
        (GoAboard(ship=P1, into=OwnId("S7")), (STEP, "$.into")),
        (StepOut(ship=P3), None),
        (StepOut(ship=P1), (STEP, "$.ship")),
    ],
)
def test_a_step_is_allowed_by_where_the_agent_stands(
    order: AgentOrder, refusal: tuple[Code, str] | None
) -> None:
    assert about(problem(order)) == refusal


def test_a_refusal_names_the_free_agents() -> None:
    refused = problem(Walk(ship=OwnId("P9"), environs=2))
    assert refused is not None
    assert refused.choices == (P1, P2, P3)


def test_steps_are_tried_one_after_the_other_and_are_few() -> None:
    out, back = Walk(ship=P1, environs=2), Walk(ship=P1, environs=1)
    assert problem(back, out) is None
    assert about(problem(out, out)) == (STEP, "$.environs")
    assert about(problem(out, out, back)) == (STEP, "$")
    other = Walk(ship=P2, environs=2)
    assert problem(other, out, back) is None


def test_who_is_aboard_walks_nowhere_and_leaves_for_where_the_ship_is() -> None:
    aboard = replace(AGENT, site=None, aboard=S1)
    view = view_of(agents=(aboard,))
    assert about(problem(Walk(ship=P1, environs=1), view=view)) == (STEP, "$.ship")
    assert problem(StepOut(ship=P1, environs=2), view=view) is None
    assert about(problem(StepOut(ship=P1, environs=7), view=view)) == (STEP, "$.environs")
    assert about(problem(StepOut(ship=P1), view=view)) == (STEP, "$.environs")
    landed = view_of(agents=(replace(aboard, aboard=S2),))
    assert problem(StepOut(ship=P1), view=landed) is None
    plain = view_of(agents=(aboard,), own=(replace(SHUTTLER, shuttle=False),))
    assert about(problem(StepOut(ship=P1, environs=2), view=plain)) == (STEP, "$")


def test_nobody_joins_troops_that_are_elsewhere_or_gone() -> None:
    order = GoAboard(ship=P1, into=G1)
    for change in ({"site": FAR}, {"fate": Fate.DESTROYED}, {"site": None, "aboard": S2}):
        view = view_of(ground=(replace(GUARD, **change),), agents=(AGENT,))
        assert about(problem(order, view=view)) == (STEP, "$.into")


# Missions.


@pytest.mark.parametrize(
    ("order", "refusal"),
    [
        (spy(), None),
        (spy(P2), None),
        (spy(P1), (GROUP, "$.others")),
        (spy(P2, P2), (GROUP, "$.others")),
        (spy(P3), (GROUP, "$.others")),
        (spy(P4), (UNIT, "$.others")),
        (spy(ship=P4), (UNIT, "$.ship")),
        (Mission(ship=P1, kind=MissionKind.SABOTAGE), None),
        (Mission(ship=P1, kind=MissionKind.SABOTAGE, at=Handle("tt4tt4")), None),
        (
            Mission(ship=P1, kind=MissionKind.SABOTAGE, at=Handle("zzzzzz")),
            (Code.ORDER_HANDLE, "$.at"),
        ),
        (Mission(ship=P1, kind=MissionKind.STEAL), (GROUP, "$.name")),
        (Mission(ship=P1, kind=MissionKind.DELIVER), (GROUP, "$.name")),
        (Mission(ship=P1, kind=MissionKind.FREE), None),
        (Mission(ship=P1, kind=MissionKind.FREE, name="Ant"), None),
        (Mission(ship=P1, kind=MissionKind.FREE, name="P4"), None),
        (Mission(ship=P1, kind=MissionKind.FREE, name="Owl"), (GROUP, "$.name")),
    ],
)
def test_a_mission_is_allowed_by_its_group_and_by_what_is_there(
    order: AgentOrder, refusal: tuple[Code, str] | None
) -> None:
    assert about(problem(order)) == refusal


def test_an_agent_is_in_one_group_a_turn() -> None:
    assert about(problem(spy(P2), spy(ship=P2))) == (GROUP, "$.others")
    assert about(problem(spy(ship=P2), spy(P2))) == (GROUP, "$.others")
    assert problem(spy(ship=P2), spy()) is None


def test_a_group_is_looked_at_where_its_steps_have_led_it() -> None:
    assert about(problem(spy(P2), Walk(ship=P2, environs=2))) == (GROUP, "$.others")
    left = problem(spy(P3), StepOut(ship=P3))
    assert left is None
    aboard = view_of(agents=(replace(AGENT, site=None, aboard=S1),))
    assert about(problem(spy(), view=aboard)) == (GROUP, "$.others")


def test_a_refused_target_names_what_there_is() -> None:
    sabotage = problem(Mission(ship=P1, kind=MissionKind.SABOTAGE, at=Handle("zzzzzz")))
    assert sabotage is not None
    assert sabotage.choices == ("tt4tt4",)
    free = problem(Mission(ship=P1, kind=MissionKind.FREE, name="Owl"))
    assert free is not None
    assert free.choices == (P4, "Ant")


@pytest.mark.parametrize("change", [{"site": FAR}, {"fate": Fate.DESTROYED}, {"captor": None}])
def test_only_a_prisoner_there_is_freed(change: dict[str, Any]) -> None:
    view = view_of(agents=(AGENT, replace(CAPTIVE, **change)))
    order = Mission(ship=P1, kind=MissionKind.FREE)
    assert about(problem(order, view=view)) == (GROUP, "$.name")


def test_an_item_is_stolen_where_it_lies_and_delivered_by_who_has_it_at_its_goal() -> None:
    book = ItemView(name="book", site=HERE)
    goal = ObjectiveView(kind=ObjectiveKind.DELIVER, piece="book", at=HERE)
    steal = Mission(ship=P1, kind=MissionKind.STEAL, name="book")
    deliver = Mission(ship=P1, kind=MissionKind.DELIVER, name="book")
    lying = view_of(items=(book,), objectives=(goal,))
    assert problem(steal, view=lying) is None
    assert about(problem(replace(steal, name="cup"), view=lying)) == (GROUP, "$.name")
    assert about(problem(deliver, view=lying)) == (GROUP, "$.name")
    away = view_of(items=(replace(book, site=FAR),))
    assert about(problem(steal, view=away)) == (GROUP, "$.name")
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
        assert about(problem(deliver, view=view)) == (GROUP, "$.name")
    himself = view_of(objectives=(replace(goal, piece="Agent"),))
    assert problem(replace(deliver, name="Agent"), view=himself) is None
