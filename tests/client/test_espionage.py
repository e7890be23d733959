"""Espionage at moments: where all begin, who works, who hides, who shells, who comes back."""

from collections.abc import Iterator

import msgspec
import pytest

from builders.agentmatches import TOWN, match_of, side_of, troops, who
from builders.matches import view_of
from builders.matchstore import stored
from builders.played import rig
from builders.raids import raid
from builders.scenarios import scenarios
from sunglare_client.advice import Advice
from sunglare_client.bot import decide
from sunglare_client.bots import BOTS
from sunglare_client.bots.fire.bombarding import BEAM, bombardments
from sunglare_client.bots.ground.agent_plan import network_orders, watch_orders
from sunglare_client.bots.ground.garrison import designates, lies_low
from sunglare_client.bots.ground.landings import ASHORE_MOST, Landings
from sunglare_protocol.ids import Audience, OwnId, Side
from sunglare_protocol.orders import Bombard, Deploy, Fire, Land, Order
from sunglare_protocol.orders.agents import GoAboard, Mission, StepOut, Walk
from sunglare_protocol.orders.ground import Move, Station
from sunglare_protocol.surface import Site
from sunglare_protocol.views import View
from sunglare_protocol.views.ground import GroundView
from sunglare_protocol.words.ladder import Fate, Phase
from sunglare_protocol.words.search import MissionKind
from sunglare_protocol.words.victory import ObjectiveKind
from sunglare_rules.advice.check.bombard import tag_problem
from sunglare_rules.advice.check.ground import stands
from sunglare_rules.ground.plane import apart
from sunglare_server.match.data.scenario import ItemEntry, Objective

BLAST_INCHES = 4
FAR = Site("Ceres", 2)
TURNS = 10
A, B = Side("A"), Side("B")


@stored(tuple[View, tuple[Order, ...]])
def set_up(side: str) -> tuple[View, tuple[Order, ...]]:
    """Return what a raider sees and orders in the first PLOT of orlog."""
    view = view_of(rig(scenarios()["orlog"], 3, Audience(side)).state, Audience(side))
    return view, tuple(decide(BOTS["raider"](3), view, strict=True))


@pytest.mark.parametrize("side", ["A", "B"])
def test_all_troops_on_the_ground_begin_hidden_but_those_that_lay_sensors(side: str) -> None:
    view, orders = set_up(side)
    ashore = {unit.id for unit in view.ground if unit.site is not None}
    sowers = {unit.id for unit in view.ground if unit.dispensers}
    placed = {o.ship: o.hidden for o in orders if isinstance(o, Station) and o.cell is not None}
    assert set(placed) == ashore
    assert {unit for unit, is_hidden in placed.items() if not is_hidden} == sowers


def test_no_blast_reaches_two_units_of_a_garrison() -> None:
    _, orders = set_up("B")
    placed = [order for order in orders if isinstance(order, Station) and order.cell]
    pairs = [(a, b) for a in placed for b in placed if a.ship < b.ship and a.at == b.at]
    assert pairs
    for a, b in pairs:
        assert a.cell is not None
        assert b.cell is not None
        assert not apart(a.cell, b.cell).within(BLAST_INCHES)


def test_a_garrison_has_foot_for_searches_on_every_map_of_its_own() -> None:
    view, orders = set_up("B")
    foot = {unit.id for unit in view.ground if unit.af}
    held = {order.at for order in orders if isinstance(order, Station) and order.ship in foot}
    assert held == {area.site for area in view.areas}


def test_of_a_garrison_one_unit_lies_low_where_it_is_to_hold_and_the_others_fight() -> None:
    view, _ = set_up("B")
    ground = tuple(msgspec.structs.replace(unit, hidden=True) for unit in view.ground)
    dug_in = msgspec.structs.replace(view, ground=ground)
    quiet = [unit for unit in ground if lies_low(dug_in, unit) and not designates(unit)]
    held = [goal.at for goal in view.objectives if goal.kind is ObjectiveKind.HOLD]
    assert [unit.site for unit in quiet] == held


def test_agents_of_a_garrison_leave_the_stacks_by_which_they_would_be_noticed() -> None:
    view, orders = set_up("B")
    alone = {order.ship for order in orders if isinstance(order, Station) and not order.cell}
    assert alone == {agent.id for agent in view.agents}
    assert all(order.stacked is None for order in orders if isinstance(order, Station))


def test_ships_without_guns_or_troops_for_the_ground_are_sent_home_at_once() -> None:
    view, orders = set_up("A")
    courier = next(ship for ship in view.own if ship.agent_spaceship)
    deployed = next(o for o in orders if isinstance(o, Deploy) and o.ship == courier.id)
    assert deployed.at.y == view.board.area.north


def goals() -> tuple[Objective, ...]:
    """Return that a book and a prisoner are wanted in the mines."""
    return tuple(
        Objective(kind=ObjectiveKind.DELIVER, piece=piece, at=FAR) for piece in ("book", "Vane")
    )


def test_each_task_has_one_agent_and_the_better_one_for_it() -> None:
    own = (
        who("Fox", intelligence=5, combat=1),
        who("Bear", intelligence=1, combat=5),
        who("Vane", FAR, captor=B),
    )
    course = match_of(
        side_of(*own, objectives=goals()),
        side_of(ground=(troops("Guard"),)),
        items=(ItemEntry(name="book", at=TOWN),),
    )
    orders = list(network_orders(course.view("A"), ()))
    missions = [order for order in orders if isinstance(order, Mission)]
    assert missions == [
        Mission(ship=OwnId("P1"), kind=MissionKind.STEAL, name="book"),
        Mission(ship=OwnId("P2"), kind=MissionKind.FREE, name="P3"),
    ]
    assert Walk(ship=OwnId("P2"), environs=FAR.environs) in orders


@pytest.mark.parametrize("place", [TOWN, FAR])
def test_who_has_no_task_goes_to_own_troops_that_hide(place: Site) -> None:
    haven = msgspec.structs.replace(troops("Haven", kind="irregulars"), hidden=True)
    course = match_of(
        side_of(who("Fox", place, detected=True), ground=(haven,), objectives=goals()[:1]),
        side_of(ground=(troops("Guard"),)),
        items=(ItemEntry(name="book", at=Site("Ceres", 3)),),
    )
    view = msgspec.structs.replace(course.view("A"), objectives=())
    walk = () if place == TOWN else (Walk(ship=OwnId("P1"), environs=TOWN.environs),)
    assert tuple(network_orders(view, ())) == (
        *walk,
        GoAboard(ship=OwnId("P1"), into=OwnId("G1")),
    )


def test_who_only_watches_goes_where_an_alert_stands_and_works_nowhere() -> None:
    course = match_of(
        side_of(who("Fox", detected=True)),
        side_of(who("Pell", FAR), ground=(troops("Guard"),)),
    )
    while course.state.standing.turn < 2:
        course.close()
    orders = tuple(watch_orders(course.view("B")))
    assert orders == (Walk(ship=OwnId("P1"), environs=TOWN.environs),)


def moments(phase: Phase) -> Iterator[View]:
    """Yield what A saw in the windows of a phase of the first turns of a raid."""
    seen = (window.a for window in raid().windows if window.turn <= TURNS)
    return (view for view in seen if view.stage.phase is phase)


def test_two_raiders_land_shell_search_and_hide_and_nothing_of_it_is_refused() -> None:
    kinds = {kind for turn, kind in raid().ordered if turn <= TURNS}
    wanted = {"Station", "Land", "Move", "Bombard", "Search", "Mission", "GoAboard", "Walk"}
    assert wanted <= kinds


def test_who_lays_sensors_is_seen_to_move_but_not_what_it_is() -> None:
    early = {view.stage.turn: view for view in moments(Phase.PLOT) if view.stage.turn in (2, 3)}
    before, after = (
        {token.handle: token for surface in early[turn].surfaces for token in surface.tokens}
        for turn in (2, 3)
    )
    moved = [
        token
        for handle, token in after.items()
        if handle in before and token.cell != before[handle].cell
    ]
    assert moved
    assert all(token.type is None for token in moved)


def test_a_ship_that_bombards_keeps_its_place_over_the_planet() -> None:
    late = [view for view in moments(Phase.PLOT) if view.stage.turn >= TURNS - 2]
    places = [ship.square for view in late for ship in view.own if ship.type == "monitor"]
    assert len(places) >= 2
    assert len(set(places)) == 1


def test_a_beam_is_put_on_what_is_shelled_or_the_unit_does_not_see_it() -> None:
    shelled = 0
    for view in moments(Phase.ENGAGE):
        orders = bombardments(view, Advice(view))
        points = [(order.at, order.cell) for order in orders if isinstance(order, Bombard)]
        beams = [order for order in orders if isinstance(order, Fire)]
        shelled += len(points)
        for unit in view.ground:
            mine = [order.point for order in beams if order.ship == unit.id]
            able = [
                cell
                for site, cell in points
                if site == unit.site
                and unit.fate is Fate.IN_PLAY
                and designates(unit)
                and tag_problem(view, unit, Fire(ship=unit.id, weapon=BEAM, point=cell)) is None
            ]
            assert (mine == []) == (able == [])
            assert all(point in able for point in mine)
    assert shelled


def landed_units(view: View, site: Site) -> list[GroundView]:
    """Return the units on a map that came in a ship: none of them hides."""
    return [
        unit
        for unit in view.ground
        if unit.site == site and not unit.hidden and unit.fate is Fate.IN_PLAY
    ]


def ashore() -> View:
    """Return a PLOT of A in which a party stands beside its ship."""
    for view in moments(Phase.PLOT):
        for ship in view.own:
            place = stands(view, ship)
            if place is not None and landed_units(view, place[0]):
                return view
    raise AssertionError("no party came ashore")


def test_a_party_is_called_back_to_its_ship_before_long() -> None:
    first, landings = next(iter(moments(Phase.PLOT))), Landings()
    view = ashore()
    landings.see(first)
    landings.see(view)
    stage = msgspec.structs.replace(view.stage, turn=view.stage.turn + ASHORE_MOST)
    late = msgspec.structs.replace(view, stage=stage)
    ship = next(ship for ship in late.own if stands(late, ship))
    place = stands(late, ship)
    assert place is not None
    party = {unit.id: unit for unit in landed_units(late, place[0])}
    moves = {order.ship: order for order in landings.moves(late) if isinstance(order, Move)}
    assert party.keys() == moves.keys()
    for own, move in moves.items():
        cell = party[own].cell
        assert cell is not None
        assert move.load == ship.id or apart(move.path[-1], place[1]) < apart(cell, place[1])
    assert not landings.are_over(late, ship)
    nobody = msgspec.structs.replace(late, ground=())
    assert landings.are_over(nobody, ship)


def test_whoever_lands_with_nothing_to_do_goes_out_to_spy() -> None:
    spies = []
    for view in moments(Phase.PLOT):
        for ship in view.own:
            landing = Land(ship=ship.id, body="Orlog", environs=1)
            if ship.type != "assault-carrier" or Advice(view).check((landing,)) is not None:
                continue
            orders = tuple(network_orders(view, (landing,)))
            for agent in view.agents:
                if agent.aboard == ship.id:
                    assert StepOut(ship=agent.id) in orders
                    assert Mission(ship=agent.id, kind=MissionKind.SPY) in orders
                    spies.append(agent.name)
    assert spies
