"""What a side may ask of its agents: why an order is refused, examples, odds and previews."""

from typing import Any, get_args

import pytest
from msgspec.structs import replace

from builders.agentorders import (
    CAPTIVE,
    FAR,
    G1,
    G2,
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
    STEP,
    UNIT,
    VIEW,
    about,
    problem,
    spy,
    view_of,
)
from builders.ground import planet
from builders.terminals import AGENT, SURFACE
from sunglare_protocol.geometry import Board as SpaceBoard
from sunglare_protocol.geometry import Compass, Environs, Square
from sunglare_protocol.ids import Handle, OwnId
from sunglare_protocol.messages.answers import AgentPreview, MissionOdds, SearchOdds
from sunglare_protocol.orders import Order
from sunglare_protocol.orders.agents import (
    GoAboard,
    Mission,
    Search,
    Stand,
    StepOrder,
    StepOut,
    Walk,
)
from sunglare_protocol.refusals import Code, Rejected
from sunglare_protocol.words.ladder import Phase
from sunglare_protocol.words.search import FightPolicy, MissionKind, Strike
from sunglare_rules.advice.check.agents import STEP_WORDS, own_value
from sunglare_rules.advice.check.check import check
from sunglare_rules.advice.legal.agents import missions_of, steps_of
from sunglare_rules.advice.odds.agents import mission_odds, search_odds, step_preview
from sunglare_rules.search.footwork import StepProblem

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
    ("phase", "order"),
    [
        (Phase.PLOT, Walk(ship=P1, environs=2)),
        (Phase.PLOT, GoAboard(ship=P1, into=G1)),
        (Phase.PLOT, StepOut(ship=P1)),
        (Phase.PLOT, spy()),
        (Phase.PLOT, Stand(ship=P1, fight=FightPolicy.FLEE)),
        (Phase.ENGAGE, Search(ship=G1)),
    ],
)
def test_no_window_takes_orders_for_agents_of_who_has_nobody(phase: Phase, order: Order) -> None:
    nobody = check(view_of(phase, agents=(), ground=()), (order,))
    assert nobody is not None
    assert nobody.code is Code.ORDER_WINDOW


@pytest.mark.parametrize("reason", list(StepProblem))
def test_a_refused_step_points_at_a_field_that_steps_have_with_a_sentence(
    reason: StepProblem,
) -> None:
    field, detail = STEP_WORDS[reason]
    fields = [f".{name}" for kind in get_args(StepOrder) for name in kind.__struct_fields__]
    assert field in ("", *fields)
    assert detail[0].isupper()
    assert detail.endswith(".")


@pytest.mark.parametrize(
    ("ship", "refusal"),
    [
        (replace(SHUTTLER, square=Square(3, 3)), (STEP, "$")),
        (replace(SHUTTLER, cloak=True, cloaked=True), (STEP, "$")),
        (replace(SHUTTLER, shuttle=False), (STEP, "$")),
        (SHUTTLER, None),
    ],
    ids=["not there", "cloaked", "without a shuttle", "over the planet"],
)
def test_the_shuttle_of_an_uncloaked_starship_takes_agents_in_its_well(
    ship: object, refusal: tuple[Code, str] | None
) -> None:
    assert about(problem(GoAboard(ship=P1, into=S1), view=view_of(own=(ship,)))) == refusal


def test_only_a_token_of_the_environs_is_sabotaged() -> None:
    view = view_of(surfaces=(ELSEWHERE, SURFACE))
    order = Mission(ship=P1, kind=MissionKind.SABOTAGE, at=Handle("ff5ff5"))
    refused = problem(order, view=view)
    assert about(refused) == (Code.ORDER_HANDLE, "$.at")
    assert refused is not None
    assert refused.choices == ("tt4tt4",)
    there = view_of(surfaces=view.surfaces, agents=(replace(AGENT, site=FAR),))
    assert problem(order, view=there) is None


@pytest.mark.parametrize(
    "personal",
    [{"fight": FightPolicy.FLEE}, {"wounds": ()}, {"hides_by": P2}],
    ids=["fight", "wounds", "hides_by"],
)
def test_what_stands_for_an_agent_stands_for_no_ship_and_no_side(personal: dict[str, Any]) -> None:
    ship = Stand(ship=S1, bound_for="off", **personal)
    assert about(problem(ship)) == (Code.ORDER_STANDING, "$")
    side = Stand(ship=OwnId("A"), strike=Strike.NONE, **personal)
    assert about(problem(side)) == (Code.ORDER_STANDING, "$.strike")


@pytest.mark.parametrize("personal", [{"wounds": (G1,)}, {"hides_by": G1}])
def test_a_refused_name_in_a_standing_order_names_the_own_agents(personal: dict[str, Any]) -> None:
    refused = problem(Stand(ship=P1, **personal))
    assert about(refused) == (UNIT, f"$.{next(iter(personal))}")
    assert refused is not None
    assert refused.choices == (P1, P2, P3, P4)


# Examples.


def test_the_steps_that_come_into_question_are_those_on_the_own_planet() -> None:
    steps = list(steps_of(view_of(board=WIDE, own=(SHUTTLER,)), AGENT))
    assert steps == [
        StepOut(ship=P1),
        Walk(ship=P1, environs=1),
        StepOut(ship=P1, environs=1),
        Walk(ship=P1, environs=2),
        StepOut(ship=P1, environs=2),
        GoAboard(ship=P1, into=S1),
        GoAboard(ship=P1, into=G1),
        GoAboard(ship=P1, into=G2),
    ]


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
    found = search_odds(view_of(agents=agents), Search(ship=G1))
    assert found == SearchOdds(site=HERE, value=value, most=most, least=least)


@pytest.mark.parametrize(
    "order",
    [Search(ship=S1), Search(ship=G2), Search(ship=P4), Search(ship=G1, leader=P1)],
)
def test_a_search_that_cannot_be_made_has_no_odds_but_the_refusal_of_the_order(
    order: Search,
) -> None:
    refused = search_odds(VIEW, order)
    assert isinstance(refused, Rejected)
    assert refused == problem(order)


@pytest.mark.parametrize(
    ("order", "hundredths"),
    [
        # d10 and the best rating, and 1 for three, reach 9, 11 or 10.
        (spy(), 60),
        (spy(ship=P2), 50),
        (spy(P1, ship=P2), 60),
        (spy(P2, OwnId("P5")), 70),
        (Mission(ship=P1, kind=MissionKind.SABOTAGE), 40),
        (Mission(ship=P1, kind=MissionKind.FREE), 30),
    ],
)
def test_the_chance_of_a_mission_follows_from_the_best_rating_of_the_group(
    order: Mission, hundredths: int
) -> None:
    third = replace(AGENT, id=OwnId("P5"), name="Elk", intelligence=0)
    view = view_of(agents=(AGENT, OWL, third, LED, CAPTIVE))
    expected = MissionOdds(ship=order.ship, kind=order.kind, hundredths=hundredths)
    assert mission_odds(view, order) == expected


@pytest.mark.parametrize(
    "order",
    [spy(P3), spy(P4), spy(ship=G1), Mission(ship=P1, kind=MissionKind.STEAL, name="cup")],
)
def test_a_mission_that_cannot_be_made_has_no_odds_but_the_refusal_of_the_order(
    order: Mission,
) -> None:
    refused = mission_odds(VIEW, order)
    assert isinstance(refused, Rejected)
    assert refused == problem(order)


@pytest.mark.parametrize(
    ("order", "detected", "anew"),
    [
        # Who joins troops is always detected, and with him all others in the same environs.
        (GoAboard(ship=P1, into=G1), (P1, P2), (P1, P2)),
        (Walk(ship=P1, environs=2), (), ()),
        (GoAboard(ship=P1, into=S2), (), ()),
    ],
)
def test_a_preview_tells_who_will_be_detected_by_a_step(
    order: StepOrder, detected: tuple[OwnId, ...], anew: tuple[OwnId, ...]
) -> None:
    view = view_of(agents=(AGENT, OWL))
    assert step_preview(view, order) == AgentPreview(ship=P1, detected=detected, anew=anew)


def test_a_preview_tells_of_the_agent_spaceship_that_a_detected_agent_boards() -> None:
    view = view_of(agents=(replace(AGENT, detected=True), replace(OWL, site=FAR)))
    order = GoAboard(ship=P1, into=S2)
    expected = AgentPreview(ship=P1, detected=(P1, S2), anew=(S2,))
    assert step_preview(view, order) == expected


def test_a_step_that_cannot_be_made_has_no_preview_but_the_refusal_of_the_order() -> None:
    order = Walk(ship=P1, environs=1)
    refused = step_preview(VIEW, order)
    assert isinstance(refused, Rejected)
    assert refused == problem(order)
