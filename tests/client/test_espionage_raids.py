"""A raid from its middle to its end: who looks, points, leaves and resigns."""

from collections.abc import Iterator

import msgspec
import pytest

from builders.agentmatches import TOWN, match_of, side_of, troops, who
from builders.matches import view_of
from builders.played import rig
from builders.raids import raid
from builders.scenarios import scenarios
from sunglare_client.advice import Advice
from sunglare_client.bots.fire.bombarding import beam_reaches, marks
from sunglare_client.bots.ground.agent_plan import network_orders
from sunglare_client.bots.ground.counter_attack import pointers
from sunglare_client.bots.ground.garrison import designates
from sunglare_client.bots.ground.landings import Landings
from sunglare_client.bots.ground.sowing import GAP_INCHES, MOST, sown
from sunglare_client.bots.movement.measures import inches_apart
from sunglare_client.bots.outcome.reckoning import given_points, has_failed, own_points
from sunglare_protocol.ids import OwnId, Side, audience_of
from sunglare_protocol.orders import Launch
from sunglare_protocol.orders.agents import GoAboard, Walk
from sunglare_protocol.orders.ground import Move
from sunglare_protocol.surface import GroundKind, Site
from sunglare_protocol.views import OwnView, View
from sunglare_protocol.words.ladder import Fate, Phase
from sunglare_protocol.words.pieces import PieceKind
from sunglare_protocol.words.victory import ObjectiveKind
from sunglare_rules.advice.check.ground import stands
from sunglare_rules.capital.capital import CLASS_OF_KIND
from sunglare_rules.ground.overhead import sites_below
from sunglare_server.match.data.scenario import Objective

A, B = Side("A"), Side("B")
CITY = Site("Orlog", 1)
FAR = Site("Ceres", 2)


def plots() -> list[tuple[View, View]]:
    """Return what the two sides saw in each PLOT of a raid."""
    seen = raid().windows
    return [(window.a, window.b) for window in seen if window.a.stage.phase is Phase.PLOT]


def landed(view: View) -> Iterator[OwnView]:
    """Yield the own ships on a surface map."""
    return (ship for ship in view.own if ship.fate is Fate.IN_PLAY and stands(view, ship))


def test_a_ship_with_big_guns_stays_right_above_the_map_that_it_shells() -> None:
    stood = [
        bool(sites_below(view.board, ship.square))
        for view, _ in plots()
        for ship in view.own
        if any(gun.kind in CLASS_OF_KIND for gun in ship.weapons)
    ]
    arrived = stood.index(True)
    assert arrived <= 6
    assert stood[arrived : arrived + 4] == [True] * 4


def test_fighters_fly_over_the_landing_ground_before_the_ship_comes_down() -> None:
    for view, _ in plots():
        fighters = [ship for ship in view.own if ship.kind is PieceKind.FIGHTER]
        if any(landed(view)):
            assert any(CITY in sites_below(view.board, ship.square) for ship in fighters)
            return
    raise AssertionError("nothing landed")


def test_designators_come_to_where_their_beams_reach_something() -> None:
    pointed = 0
    for sides in plots():
        for view in sides:
            units = {unit.id: unit for unit in view.ground}
            for move in pointers(view, Advice(view)):
                unit = units[move.ship]
                assert designates(unit)
                assert unit.site is not None
                cells = [mark.cell for mark in marks(view, unit.site)]
                assert not any(beam_reaches(view, unit, unit.site, cell) for cell in cells)
                there = msgspec.structs.replace(unit, cell=move.path[-1])
                pointed += any(beam_reaches(view, there, unit.site, cell) for cell in cells)
    assert pointed


def test_a_garrison_lays_sensors_apart_from_one_another_until_somebody_is_there() -> None:
    laid = 0
    for _, view in plots():
        sensors = [unit for unit in view.ground if unit.kind is GroundKind.REMOTE]
        sowers = {unit.id: unit for unit in view.ground if unit.dispensers}
        assert len(sensors) <= MOST * len(sowers) + 2
        ends = {order.ship: order.path[-1] for order in sown(view) if isinstance(order, Move)}
        for order in sown(view):
            site = sowers[order.ship].site
            assert site is not None
            assert not marks(view, site)
            if isinstance(order, Launch):
                laid += 1
                others = [
                    unit.cell
                    for unit in sensors
                    if unit.site == site and unit.cell and unit.fate is Fate.IN_PLAY
                ]
                gaps = [inches_apart(ends[order.ship], other) for other in others]
                assert min(gaps, default=GAP_INCHES) >= GAP_INCHES
    assert laid


def test_all_who_waited_on_the_map_of_a_landed_ship_go_aboard_it() -> None:
    landings, moved = Landings(), 0
    for view, _ in plots():
        landings.see(view)
        for ship in landed(view):
            orders = {order.ship for order in landings.moves(view) if isinstance(order, Move)}
            place = stands(view, ship)
            waited = [
                unit.id
                for unit in view.ground
                if place and unit.site == place[0] and unit.hidden and unit.move
            ]
            if landings.is_recalled(view, ship):
                assert set(waited) <= orders
                moved += len(orders)
    assert moved


def test_with_a_ferry_down_everybody_goes_to_it_whatever_is_left_to_do() -> None:
    goal = Objective(kind=ObjectiveKind.DELIVER, piece="Vane", at=FAR)
    course = match_of(
        side_of(who("Fox"), who("Bear", FAR), who("Vane", FAR, captor=B), objectives=(goal,)),
        side_of(ground=(troops("Guard"),)),
    )
    view = course.view("A")
    ship = next(ship for view, _ in plots() for ship in landed(view))
    assert ship.landed is not None
    ferry = msgspec.structs.replace(
        ship, landed=msgspec.structs.replace(ship.landed, body=TOWN.body, environs=TOWN.environs)
    )
    fox, bear = OwnId("P1"), OwnId("P2")
    assert tuple(network_orders(view, (), ferry)) == (
        GoAboard(ship=fox, into=ferry.id),
        Walk(ship=bear, environs=TOWN.environs),
        GoAboard(ship=bear, into=ferry.id),
    )


def stranded(points: int, *, lost: int = 0) -> View:
    """Return orlog as A sees it in turn 9: its ships gone, no tasks, so many agents dead."""
    view = view_of(rig(scenarios()["orlog"], 3, audience_of(A)).state, audience_of(A))
    own = tuple(msgspec.structs.replace(ship, fate=Fate.ESCAPED) for ship in view.own)
    agents = tuple(
        msgspec.structs.replace(agent, fate=Fate.DESTROYED if turn < lost else Fate.IN_PLAY)
        for turn, agent in enumerate(view.agents)
    )
    items = tuple(msgspec.structs.replace(item, delivered=True) for item in view.items)
    goals = tuple(goal for goal in view.objectives if goal.piece != "Dr Vane")
    stage = msgspec.structs.replace(view.stage, turn=9)
    return msgspec.structs.replace(
        view, own=own, agents=agents, items=items, objectives=goals, points=points, stage=stage
    )


@pytest.mark.parametrize(
    ("points", "lost", "failed"), [(2, 0, True), (3, 0, False), (8, 1, False), (7, 1, True)]
)
def test_a_raider_who_can_gain_no_more_resigns_if_a_garrison_has_more(
    points: int, lost: int, *, failed: bool
) -> None:
    view = stranded(points, lost=lost)
    assert given_points(view) == 2 * lost
    assert own_points(view) == points + (0 if lost else 3)
    assert has_failed(view) is failed


def test_a_raider_who_still_has_a_ship_or_is_all_away_does_not_resign() -> None:
    view = stranded(0)
    first = msgspec.structs.replace(view.own[0], fate=Fate.IN_PLAY)
    assert not has_failed(msgspec.structs.replace(view, own=(first, *view.own[1:])))
    agents = tuple(msgspec.structs.replace(one, fate=Fate.ESCAPED) for one in view.agents)
    assert not has_failed(msgspec.structs.replace(view, agents=agents, ground=()))


@pytest.mark.parametrize(
    ("fate", "free", "gives"),
    [
        (Fate.ESCAPED, True, False),
        (Fate.ESCAPED, False, True),
        (Fate.DESTROYED, True, True),
        (Fate.DESTROYED, False, True),
    ],
)
def test_a_ship_gives_points_that_was_shot_has_crashed_or_has_left_and_may_not(
    fate: Fate, *, free: bool, gives: bool
) -> None:
    view = stranded(0)
    assert view.leaves_free
    ship = msgspec.structs.replace(view.own[0], fate=fate)
    seen = msgspec.structs.replace(view, own=(ship,), leaves_free=free)
    assert given_points(seen) == (ship.points if gives else 0)
