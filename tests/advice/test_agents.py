"""What a side may ask of its agents: why an order is refused, examples, odds and previews."""

from typing import Any, get_args

import pytest
from msgspec.structs import replace

from builders.advice import checked, code, offered, refusal
from builders.agentorders import (
    ALERTS,
    CAPTIVE,
    FAR,
    G1,
    HERE,
    LED,
    OWL,
    P1,
    P2,
    P3,
    P4,
    S1,
    S2,
    SHUTTLER,
    VIEW,
    problem,
    view_of,
)
from builders.ground import planet
from builders.orders import read, typed
from builders.terminals import AGENT, SURFACE
from sunglare_protocol.geometry import Board as SpaceBoard
from sunglare_protocol.geometry import Compass, Environs, Square
from sunglare_protocol.ids import Handle, OwnId
from sunglare_protocol.messages.answers import AgentPreview, MissionOdds, SearchOdds
from sunglare_protocol.orders.agents import Mission, Search, Stand, StepOrder
from sunglare_protocol.refusals import Rejected
from sunglare_protocol.views.agents import AlertView
from sunglare_protocol.words.ladder import Phase
from sunglare_protocol.words.search import FightPolicy, MissionKind, StepFault, Strike
from sunglare_rules.advice.check.agents import STEP_WORDS, own_value
from sunglare_rules.advice.legal.agents import missions_of, steps_of
from sunglare_rules.advice.odds.agents import mission_odds, search_odds, step_preview

VESTA = replace(
    planet(),
    name="Vesta",
    at=Square(15, 32),
    environs=tuple(Environs(number=number, sector=Compass.N) for number in (1, 3)),
)
WIDE = SpaceBoard(planets=(VESTA, planet()))
ELSEWHERE = replace(
    SURFACE, site=FAR, tokens=(replace(SURFACE.tokens[0], handle=Handle("ff5ff5")),)
)

# Refusals.


@pytest.mark.parametrize(
    ("phase", "line"),
    [
        (Phase.PLOT, "walk P1 2"),
        (Phase.PLOT, "board P1 G1"),
        (Phase.PLOT, "leave P1"),
        (Phase.PLOT, "mission P1 spy"),
        (Phase.PLOT, "stand P1 fight flee"),
        (Phase.ENGAGE, "search G1"),
    ],
)
def test_no_window_takes_orders_for_agents_of_who_has_nobody(phase: Phase, line: str) -> None:
    assert code(checked(view_of(phase, agents=(), ground=()), line)) == "order/window"


OF_GROUPS = (StepFault.NOBODY, StepFault.APART, StepFault.IN_OTHER_GROUP)
"""Why a group does not go on its mission, which is no fault of a step."""


@pytest.mark.parametrize("reason", [fault for fault in StepFault if fault not in OF_GROUPS])
def test_a_refused_step_points_at_a_field_that_steps_have_with_a_sentence(
    reason: StepFault,
) -> None:
    field, detail = STEP_WORDS[reason]
    fields = [f".{name}" for kind in get_args(StepOrder) for name in kind.__struct_fields__]
    assert field in ("", *fields)
    assert detail[0].isupper()
    assert detail.endswith(".")


@pytest.mark.parametrize(
    ("ship", "refused"),
    [
        (replace(SHUTTLER, square=Square(3, 3)), "order/step $"),
        (replace(SHUTTLER, cloak=True, cloaked=True), "order/step $"),
        (replace(SHUTTLER, shuttle=False), "order/step $"),
        (SHUTTLER, None),
    ],
    ids=["not there", "cloaked", "without a shuttle", "over the planet"],
)
def test_the_shuttle_of_an_uncloaked_starship_takes_agents_in_its_well(
    ship: object, refused: str | None
) -> None:
    assert refusal(problem("board P1 S1", view=view_of(own=(ship,)))) == refused


def test_only_a_token_of_the_environs_is_sabotaged() -> None:
    view = view_of(surfaces=(ELSEWHERE, SURFACE))
    line = "mission P1 sabotage ff5ff5"
    found = problem(line, view=view)
    assert refusal(found) == "order/handle $.at"
    assert offered(found) == ("tt4tt4",)
    there = view_of(surfaces=view.surfaces, agents=(replace(AGENT, site=FAR),))
    assert problem(line, view=there) is None


@pytest.mark.parametrize(
    "personal",
    [{"fight": FightPolicy.FLEE}, {"wounds": ()}, {"hides_by": P2}],
    ids=["fight", "wounds", "hides_by"],
)
def test_what_stands_for_an_agent_stands_for_no_ship_and_no_side(personal: dict[str, Any]) -> None:
    ship = Stand(ship=S1, bound_for="off", **personal)
    assert refusal(problem(ship)) == "order/standing $"
    side = Stand(ship=OwnId("A"), strike=Strike.NONE, **personal)
    assert refusal(problem(side)) == "order/standing $.strike"


@pytest.mark.parametrize("personal", [{"wounds": (G1,)}, {"hides_by": G1}])
def test_a_refused_name_in_a_standing_order_names_the_own_agents(personal: dict[str, Any]) -> None:
    found = problem(Stand(ship=P1, **personal))
    assert refusal(found) == f"order/unit $.{next(iter(personal))}"
    assert offered(found) == (P1, P2, P3, P4)


# Examples.


def test_the_steps_that_come_into_question_are_those_on_the_own_planet() -> None:
    steps = "leave P1; walk P1 1; leave P1 1; walk P1 2; leave P1 2"
    boards = "board P1 S1; board P1 G1; board P1 G2"
    assert tuple(steps_of(view_of(board=WIDE, own=(SHUTTLER,)), AGENT)) == read(steps, boards)


def test_the_tokens_to_sabotage_are_those_of_the_environs() -> None:
    view = view_of(surfaces=(ELSEWHERE, SURFACE))
    held = [mission.at for mission in missions_of(view, AGENT) if mission.at is not None]
    assert held == ["tt4tt4"]


# Odds.


@pytest.mark.parametrize(
    ("leader", "agents", "value"),
    [
        (None, (AGENT, OWL, LED, CAPTIVE), 4 + 2 + 4 + 3),
        (None, (AGENT, OWL), 4 + 4 + 3),
        (None, (LED, replace(LED, id=P2, leadership=3)), 4 + 3),
        (P3, (LED, replace(LED, id=P2, leadership=3)), 4 + 2),
        (None, (replace(AGENT, site=FAR),), 4),
        (None, (replace(AGENT, site=None, aboard=S2),), 4 + 4),
        (None, (), 4),
    ],
)
def test_a_search_value_sums_troops_their_leader_and_the_wits_of_the_others(
    leader: OwnId | None, agents: tuple[Any, ...], value: int
) -> None:
    assert own_value(view_of(agents=agents), HERE, leader) == value


@pytest.mark.parametrize(
    ("agents", "value", "most", "least"),
    [((AGENT, OWL, LED), 13, 70, 30), ((AGENT, OWL), 11, 60, 20), ((), 4, 30, 10)],
)
def test_the_odds_of_a_search_are_those_of_the_first_and_the_last_row_of_the_table(
    agents: tuple[Any, ...], value: int, most: int, least: int
) -> None:
    found = search_odds(view_of(agents=agents), typed("search G1"))
    assert found == SearchOdds(site=HERE, value=value, most=most, least=least)


@pytest.mark.parametrize(
    "order", [Search(ship=S1), *read("search G2; search P4; search G1 leader P1")]
)
@pytest.mark.parametrize("alerts", [ALERTS, ()], ids=["alert", "none"])
def test_a_search_that_cannot_be_made_has_no_odds_but_the_refusal_of_the_order(
    order: Search, alerts: tuple[AlertView, ...]
) -> None:
    view = view_of(alerts=alerts)
    refused = search_odds(view, order)
    assert isinstance(refused, Rejected)
    assert refused == problem(order, view=view)


@pytest.mark.parametrize(
    ("line", "hundredths"),
    [
        # d10 and the best rating, and 1 for three, reach 9, 11 or 10.
        ("mission P1 spy", 60),
        ("mission P2 spy", 50),
        ("mission P2 spy with P1", 60),
        ("mission P1 spy with P2 P5", 70),
        ("mission P1 sabotage", 40),
        ("mission P1 free", 30),
    ],
)
def test_the_chance_of_a_mission_follows_from_the_best_rating_of_the_group(
    line: str, hundredths: int
) -> None:
    order = typed(line)
    third = replace(AGENT, id=OwnId("P5"), name="Elk", intelligence=0)
    view = view_of(agents=(AGENT, OWL, third, LED, CAPTIVE))
    expected = MissionOdds(ship=order.ship, kind=order.kind, hundredths=hundredths)
    assert mission_odds(view, order) == expected


@pytest.mark.parametrize(
    "order",
    [
        *read("mission P1 spy with P3; mission P1 spy with P4; mission P1 steal cup"),
        Mission(ship=G1, kind=MissionKind.SPY),
    ],
)
def test_a_mission_that_cannot_be_made_has_no_odds_but_the_refusal_of_the_order(
    order: Mission,
) -> None:
    refused = mission_odds(VIEW, order)
    assert isinstance(refused, Rejected)
    assert refused == problem(order)


@pytest.mark.parametrize(
    ("line", "detected", "anew"),
    [
        # Who joins troops is always detected, and with him all others in the same environs.
        ("board P1 G1", (P1, P2), (P1, P2)),
        ("walk P1 2", (), ()),
        ("board P1 S2", (), ()),
    ],
)
def test_a_preview_tells_who_will_be_detected_by_a_step(
    line: str, detected: tuple[OwnId, ...], anew: tuple[OwnId, ...]
) -> None:
    seen = step_preview(view_of(agents=(AGENT, OWL)), typed(line))
    assert seen == AgentPreview(ship=P1, detected=detected, anew=anew)


def test_a_preview_tells_of_the_agent_spaceship_that_a_detected_agent_boards() -> None:
    view = view_of(agents=(replace(AGENT, detected=True), replace(OWL, site=FAR)))
    expected = AgentPreview(ship=P1, detected=(P1, S2), anew=(S2,))
    assert step_preview(view, typed("board P1 S2")) == expected


def test_a_step_that_cannot_be_made_has_no_preview_but_the_refusal_of_the_order() -> None:
    order = typed("walk P1 1")
    refused = step_preview(VIEW, order)
    assert isinstance(refused, Rejected)
    assert refused == problem(order)
