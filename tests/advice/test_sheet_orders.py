"""A sheet offers every form of an order that a player can type: none is for the terminal alone."""

from itertools import chain
from typing import get_args

import pytest
from msgspec.structs import fields, replace

from advice.test_landing_cell import LAKE, above
from advice.test_ordnance import VOLLEY
from builders.agentorders import HERE, P1, P2, view_of
from builders.groundadvice import ABOARD, AREAS, CARRIER, FLYING, G1, S1, ground_view, token
from builders.orders import read_on
from builders.sheets import PLAYED, offered, played_views
from builders.spotting import specials
from builders.terminals import GUARD
from builders.views import contact, own_ship, view
from sunglare_protocol.ids import OwnId
from sunglare_protocol.messages.answers import Sheet
from sunglare_protocol.orders import Deploy, Fire, Land, Launch, Order
from sunglare_protocol.orders.agents import Mission
from sunglare_protocol.surface import Mode
from sunglare_protocol.views import ObjectiveView, View, WeaponView
from sunglare_protocol.views.agents import ItemView
from sunglare_protocol.words.armament import SystemAim, WeaponKind
from sunglare_protocol.words.ladder import Fix, Phase
from sunglare_protocol.words.pieces import Arc
from sunglare_protocol.words.search import MissionKind
from sunglare_protocol.words.victory import ObjectiveKind
from sunglare_rules.advice.seen.lookup import own_ids
from sunglare_rules.advice.sheets.sheet import sheet


def sheet_of(seen: View, piece: str, *plan: str) -> Sheet:
    """Return the sheet of a piece next to a plan that is written as players type it."""
    found = sheet(seen, piece, read_on(seen, *plan))
    assert isinstance(found, Sheet)
    return found


def offers(seen: View, piece: str, line: str, *plan: str) -> bool:
    """Return whether the sheet of a piece has the orders that a player types in a line."""
    before = read_on(seen, *plan)
    wanted = read_on(seen, *plan, line)[len(before) :]
    every = [orders for orders, _ in offered(seen, sheet_of(seen, piece, *plan), before)]
    return wanted in every


AGENTS = view_of(items=(ItemView(name="book", site=HERE), ItemView(name="cup")))
SEARCHED = view_of(Phase.ENGAGE)


@pytest.mark.parametrize(
    ("line", "plan"),
    [
        ("mission P1 spy", ()),
        ("mission P1 spy with P2", ("mission P1 spy",)),
        ("mission P1 spy", ("mission P1 spy with P2",)),
        ("mission P1 steal book with P2", ("mission P1 spy with P2",)),
        ("mission P1 sabotage C6 silence", ()),
        ("stand P1 hides by P2", ()),
        ("stand P1 hides by none", ()),
        ("stand P1 wounds P2", ()),
        ("stand P1 wounds P2 P1", ("stand P1 wounds P2",)),
        ("stand P1 fight screen", ("stand P1 wounds P2 P1",)),
        ("stand side strike agents", ()),
    ],
)
def test_the_sheet_of_an_agent_has_what_a_player_may_type(
    line: str, plan: tuple[str, ...]
) -> None:
    assert offers(AGENTS, P1, line, *plan)


def test_a_group_grows_and_shrinks_by_one_agent_of_those_who_may_join() -> None:
    third = replace(AGENTS.agents[1], id=OwnId("P5"), name="Emu")
    seen = view_of(agents=(*AGENTS.agents, third))
    groups = {
        one.order.others: one.hundredths
        for one in sheet_of(seen, P1, "mission P1 spy with P2").missions
        if one.order.kind is MissionKind.SPY
    }
    # P3 stands with troops, P4 is a prisoner.
    assert set(groups) == {(), (P2,), (P2, third.id)}
    # Three work better.
    assert groups[(P2, third.id)] == groups[(P2,)] + 10


def test_where_no_agent_goes_alone_pairs_are_offered() -> None:
    goal = ObjectiveView(kind=ObjectiveKind.DELIVER, piece="book", at=HERE)
    seen = view_of(items=(ItemView(name="book", carrier=P2),), objectives=(goal,))
    told = [one.order.others for one in sheet_of(seen, P1).missions if one.order.name == "book"]
    assert (P2,) in told
    assert () not in told


@pytest.mark.parametrize("strike", ["patrol", "agents", "none"])
def test_a_search_may_be_led_by_each_agent_with_the_troops(strike: str) -> None:
    assert offers(SEARCHED, P1, f"search P1 leader P3 strike {strike}")
    assert not any("P2" in str(order) for order in sheet_of(SEARCHED, P1).orders)


ABOVE = replace(ground_view(), own=(FLYING,))
ROCKET = replace(GUARD, specials=specials("ECM RSD TAG"), dispensers=2)


def test_a_landing_on_a_map_is_offered_without_a_cell_and_on_the_one_that_serves_its_troops() -> (
    None
):
    lands = [one for one in sheet_of(ABOVE, S1).orders if isinstance(one, Land)]
    assert [(one.environs, one.cell) for one in lands] == [(1, None)]
    filled = replace(ABOVE, ground=(ABOARD,))
    assert next(one for one in sheet_of(filled, S1).orders if isinstance(one, Land)) == lands[0]


@pytest.mark.parametrize(
    "line",
    ["deploy S1 15,11 landed Ceres 1", "power S1 off ecm off", "drift S1"],
)
def test_the_sheet_of_a_ship_has_what_a_player_may_type(line: str) -> None:
    ship = replace(FLYING, ecm=True, bays=0)
    seen = replace(ground_view(turn=1), own=(ship,), zone=("C3", "D3"))
    assert offers(seen, S1, line)


def test_a_start_on_a_body_is_offered_to_a_ship_whose_sensors_are_to_go_out() -> None:
    seen = replace(ground_view(turn=1), own=(FLYING,), zone=("C3", "D3"))
    assert offers(seen, S1, "deploy S1 15,11 landed Ceres 1", "sensors S1 out")


def test_a_ship_with_a_cloak_may_be_deployed_cloaked_and_shown() -> None:
    seen = view(Phase.PLOT, own_ship(cloak=True, powered=True), turn=1, zone=("A6",))
    states = {one.cloaked for one in sheet_of(seen, "S1").orders if isinstance(one, Deploy)}
    assert {True, False} <= states
    plain = view(Phase.PLOT, own_ship(cloak=False), turn=1, zone=("A6",))
    assert not any(
        isinstance(one, Deploy) and one.cloaked is not None for one in sheet_of(plain, "S1").orders
    )


def test_as_many_remote_sensors_are_told_as_may_be_launched() -> None:
    seen = ground_view(Phase.PLOT, ROCKET, own=(CARRIER,))
    told = sheet_of(seen, G1)
    assert told.remotes == 2
    assert any(isinstance(order, Launch) for order in told.orders)
    assert sheet_of(ground_view(), G1).remotes == 0


def test_a_planned_path_is_offered_with_one_cell_more_and_as_that_of_a_token() -> None:
    hidden = replace(GUARD, hidden=True)
    seen = ground_view(Phase.PLOT, hidden)
    first = sheet_of(seen, G1).walks[0]
    assert offers(seen, G1, f"move G1 {first[0].name} token")
    assert not offers(ground_view(), G1, f"move G1 {first[0].name} token")
    longer = sheet_of(seen, G1, f"move G1 {first[0].name}").orders
    paths = [order.path for order in longer if order.ship == G1 and hasattr(order, "path")]
    assert any(len(path) == 2 and path[0] == first[0] for path in paths)


def test_a_unit_may_start_hidden_wherever_it_may_start() -> None:
    seen = replace(ground_view(turn=1), areas=AREAS)
    for cell in sheet_of(seen, G1).stations[0].cells:
        assert offers(seen, G1, f"station G1 {cell.name} hidden")


def test_a_beam_may_be_put_on_every_cell_that_its_unit_sees() -> None:
    seen = replace(ground_view(Phase.ENGAGE, ROCKET), surfaces=(token((4, 3)),))
    beams = [one for one in sheet_of(seen, G1).orders if isinstance(one, Fire) and one.point]
    assert len(beams) > 1
    assert {one.weapon for one in beams} == {"TAG"}


def test_a_needle_beam_may_be_aimed_at_every_system() -> None:
    needle = WeaponView(id="needle", kind=WeaponKind.NEEDLE, arc=Arc.FULL_FRONT)
    seen = view(Phase.ENGAGE, own_ship(weapons=(needle,)), contacts=(contact(fix=Fix.TRACKED),))
    aimed = {one.system for one in sheet_of(seen, "S1").orders if isinstance(one, Fire)}
    assert {SystemAim.DRIVE, SystemAim.SENSORS, SystemAim.SCREENS} <= aimed


def test_the_groups_of_a_mission_are_a_function_of_the_own_view() -> None:
    for one in sheet_of(AGENTS, P1, "mission P1 spy").missions:
        assert isinstance(one.order, Mission)
        assert set(one.order.others) <= {agent.id for agent in AGENTS.agents}


# Nothing is missing.

SALVOS = WeaponView(id="M1", kind=WeaponKind.SALVO)
NEEDLE = WeaponView(id="needle", kind=WeaponKind.NEEDLE, arc=Arc.FULL_FRONT)
TANK = replace(ABOARD, mode=Mode.TRACKED, move=6)

MADE = (
    AGENTS,
    SEARCHED,
    view(Phase.PLOT, own_ship(cloak=True, powered=True), turn=1, zone=("A6",)),
    view(Phase.PLOT, own_ship(weapons=(SALVOS,))),
    view(Phase.PLOT, VOLLEY),
    view(Phase.ENGAGE, own_ship(weapons=(NEEDLE,)), contacts=(contact(fix=Fix.TRACKED),)),
    replace(ground_view(turn=1), own=(FLYING,), zone=("C3", "D3")),
    above(LAKE, TANK),
    ground_view(Phase.PLOT, GUARD, own=(CARRIER,)),
    ground_view(Phase.PLOT, replace(GUARD, hidden=True)),
)
"""Views in which something is offered that a few windows of a random match do not have."""

CHOSEN = {(Deploy, "vector"), (Deploy, "facing")}
"""Fields of orders that players choose freely, within what the sheet says."""


def offered_fields(seen: View) -> set[tuple[type[Order], str]]:
    """Return the fields of orders that some entry of some sheet sets."""
    every = [(own, sheet(seen, own)) for own in own_ids(seen)]
    orders = [
        order
        for _, told in every
        if isinstance(told, Sheet)
        for given, _ in offered(seen, told)
        for order in given
    ]
    return {
        (type(order), field.name)
        for order in orders
        for field in fields(order)
        if getattr(order, field.name) != field.default
    }


def test_each_field_of_each_kind_of_order_is_set_by_some_entry() -> None:
    missing = {(kind, field.name) for kind in get_args(Order) for field in fields(kind)} - CHOSEN
    for seen in chain(MADE, chain.from_iterable(map(played_views, PLAYED))):
        missing -= offered_fields(seen)
        if not missing:
            break
    assert missing == set()
