"""Own agents and ships as the rules of agents take them: as they stand, and after a PLOT."""

import pytest
from msgspec.structs import replace

from builders.agentorders import (
    CAPTIVE,
    FAR,
    G1,
    G2,
    LANDER,
    LED,
    P1,
    P2,
    P3,
    RADIO,
    S1,
    S2,
    SHUTTLER,
    STEP,
    about,
    problem,
    view_of,
)
from builders.ground import planet
from builders.terminals import AGENT, GUARD
from sunglare_protocol.geometry import Asteroid, Compass, Environs, Landing, Square, Vector
from sunglare_protocol.geometry import Board as SpaceBoard
from sunglare_protocol.ids import OwnId, Side
from sunglare_protocol.orders import Cloak, Deploy, Land, Lift, Order, Thrust
from sunglare_protocol.orders.agents import GoAboard, Stand, StepOut, Walk
from sunglare_protocol.orders.ground import Move, Station
from sunglare_protocol.surface import Cell, Site
from sunglare_protocol.views import View
from sunglare_protocol.words.ladder import Fate
from sunglare_protocol.words.pieces import PieceKind
from sunglare_rules.advice.seen.agents import carriers, scene_after, scene_now
from sunglare_rules.search.agents import (
    Agent,
    InOrbit,
    InSpace,
    OnGround,
    Vessel,
    VesselPlace,
)

A = Side("A")
ROCK = Asteroid(name="Rock", at=Square(30, 30))
CERES = planet()
VESTA = replace(
    CERES, name="Vesta", at=Square(15, 32), environs=(Environs(number=1, sector=Compass.N),)
)
WIDE = SpaceBoard(planets=(VESTA, CERES), asteroids=(ROCK,))
HOME, AWAY = OnGround("Ceres", 1), OnGround("Ceres", 2)
NEAR_ORBIT = Square(14, 11)
"""A square that touches the planet's body."""


# As they stand.


def test_an_agent_stands_in_the_scene_with_all_that_his_owner_knows_of_him() -> None:
    agent = replace(AGENT, npc=True, wounds=1, group=2, detected=True, stacked=G1)
    assert scene_now(view_of(agents=(agent,))).agents == (
        Agent(
            name=P1,
            owner=A,
            at=HOME,
            intelligence=4,
            leadership=1,
            combat=2,
            endurance=3,
            wounds=1,
            npc=True,
            stacked=True,
            mission=2,
            detected=True,
        ),
    )


def test_a_ship_stands_in_the_scene_with_its_flag_its_shuttle_and_its_cloak() -> None:
    boat = replace(SHUTTLER, agent_spaceship=True, detected=True)
    hidden = replace(LANDER, shuttle=True, cloak=True, cloaked=True, agent_spaceship=False)
    orbit, ground = scene_now(view_of(own=(boat, hidden))).vessels
    assert orbit == Vessel(
        name=S1,
        owner=A,
        at=InOrbit("Ceres"),
        is_agent_spaceship=True,
        has_shuttle=True,
        detected=True,
    )
    assert ground == Vessel(name=S2, owner=A, at=HOME, has_shuttle=True, cloaked=True)


def test_agents_are_aboard_starships_alone() -> None:
    fighters, volley, remote = (
        replace(SHUTTLER, id=OwnId(f"X{number}"), kind=kind)
        for number, kind in enumerate((PieceKind.FIGHTER, PieceKind.MISSILE, PieceKind.REMOTE))
    )
    wreck = replace(SHUTTLER, id=S2, fate=Fate.DESTROYED)
    view = view_of(own=(fighters, volley, SHUTTLER, remote, wreck))
    assert carriers(view) == (SHUTTLER,)


def test_a_ship_on_an_asteroid_is_in_open_space() -> None:
    miner = replace(
        LANDER, square=ROCK.at, landed=Landing(body="Rock", sector=Compass.E), shuttle=True
    )
    view = view_of(own=(miner,), board=WIDE)
    assert scene_now(view).vessel(S2).at == InSpace(ROCK.at)


def test_troops_are_the_military_units_in_play_on_the_ground() -> None:
    lost = replace(GUARD, fate=Fate.DESTROYED)
    carried = replace(GUARD, site=None, cell=None, aboard=S2)
    away = replace(GUARD, id=G2, site=FAR)
    for units, places in (
        ((GUARD, RADIO), (HOME,)),
        ((RADIO,), ()),
        ((lost,), ()),
        ((carried,), ()),
        ((GUARD, away, replace(GUARD, id=OwnId("G3"))), (HOME, AWAY)),
    ):
        troops = scene_now(view_of(ground=units)).troops
        assert troops == tuple((A, place) for place in places)


def test_prisoners_and_the_dead_are_no_part_of_the_scene() -> None:
    dead = replace(AGENT, id=P2, fate=Fate.DESTROYED)
    found = scene_now(view_of(agents=(CAPTIVE, AGENT, dead, LED))).agents
    assert [agent.name for agent in found] == [P1, P3]


# After the orders of a PLOT.


@pytest.mark.parametrize(
    ("order", "place"),
    [
        (Station(ship=G1, at=FAR, cell=Cell(1, 1)), AWAY),
        (Station(ship=G2, at=FAR, cell=Cell(1, 1)), HOME),
        (Move(ship=G1, load=S2), None),
        (Move(ship=G2, load=S2), HOME),
        (Move(ship=G1, path=(Cell(2, 3),)), HOME),
    ],
)
def test_troops_are_where_they_are_stationed_and_not_where_they_were_loaded(
    order: Order, place: OnGround | None
) -> None:
    troops = scene_after(view_of(), (order,)).troops
    assert troops == (() if place is None else ((A, place),))


@pytest.mark.parametrize(
    ("order", "place", "stacked"),
    [
        (Station(ship=P1, at=FAR), AWAY, False),
        (Station(ship=P1, at=FAR, stacked=G1), AWAY, True),
        (Station(ship=P2, at=FAR, stacked=G1), HOME, False),
        (Walk(ship=P1, environs=2), HOME, False),
    ],
)
def test_an_agent_starts_where_he_is_stationed(
    order: Order, place: OnGround, *, stacked: bool
) -> None:
    agent = scene_after(view_of(), (order,)).agent(P1)
    assert (agent.at, agent.stacked) == (place, stacked)


def test_who_was_stationed_with_troops_leaves_them_by_a_new_station() -> None:
    agent = scene_after(view_of(), (Station(ship=P3, at=FAR),)).agent(P3)
    assert (agent.at, agent.stacked) == (AWAY, False)


@pytest.mark.parametrize(
    ("vector", "orders", "place"),
    [
        # Gravity pulls one square to the south.
        (Vector(0, 1), (), InOrbit("Ceres")),
        (Vector(0, -9), (), InSpace(Square(15, 1))),
        (Vector(0, -9), (Lift(ship=S2),), InSpace(Square(15, 1))),
        (Vector(0, -4), (Thrust(ship=S1, to=(Compass.N,)),), InSpace(Square(15, 5))),
        (Vector(0, -4), (Thrust(ship=S2, to=(Compass.N,)),), InSpace(Square(15, 6))),
        (Vector(0, -9), (Land(ship=S1, body="Ceres", environs=2),), AWAY),
        (Vector(0, -9), (Land(ship=S2, body="Ceres", environs=2),), InSpace(Square(15, 1))),
        (Vector(0, -9), (Land(ship=S1, body="Ceres", environs=7),), InSpace(Square(15, 1))),
    ],
)
def test_a_ship_is_where_its_move_ends(
    vector: Vector, orders: tuple[Order, ...], place: VesselPlace
) -> None:
    view = view_of(own=(replace(SHUTTLER, vector=vector), LANDER))
    assert scene_after(view, orders).vessel(S1).at == place


@pytest.mark.parametrize(
    ("orders", "place"),
    [
        ((), HOME),
        ((Lift(ship=S1),), HOME),
        ((Lift(ship=S2),), InOrbit("Ceres")),
        ((Deploy(ship=S2, at=Square(3, 3), vector=Vector(0, 0), facing=Compass.N),), None),
    ],
)
def test_a_landed_ship_stays_until_it_lifts_off(
    orders: tuple[Order, ...], place: VesselPlace | None
) -> None:
    expected = InSpace(Square(3, 3)) if place is None else place
    assert scene_after(view_of(), orders).vessel(S2).at == expected


def test_a_ship_that_lands_on_an_asteroid_is_in_open_space() -> None:
    view = view_of(own=(replace(SHUTTLER, square=ROCK.at, vector=Vector(2, 0)),), board=WIDE)
    land = Land(ship=S1, body="Rock", sector=Compass.E)
    assert scene_after(view, (land,)).vessel(S1).at == InSpace(ROCK.at)
    assert scene_after(view, ()).vessel(S1).at == InSpace(Square(32, 30))


def test_a_ship_ordered_to_cloak_is_cloaked_when_agents_step() -> None:
    ship = replace(SHUTTLER, cloak=True)
    on, off = Cloak(ship=S1, on=True), Cloak(ship=S1, on=False)
    for own, order, cloaked in (
        (ship, on, True),
        (ship, replace(on, ship=S2), False),
        (replace(ship, cloaked=True), off, False),
        (replace(ship, cloaked=True), replace(off, ship=S2), True),
    ):
        view = view_of(own=(own, LANDER))
        assert scene_after(view, (order,)).vessel(S1).cloaked is cloaked


# Detection that is shaken off.

LEAVING = replace(SHUTTLER, vector=Vector(0, -9), agent_spaceship=True, detected=True)
CREW = replace(AGENT, site=None, aboard=S1, detected=True)


def leaving(bound_for: str | None, body: str = "Ceres") -> View:
    """Return a view of a detected ship with an agent aboard that flies out of the well."""
    board = SpaceBoard(planets=(VESTA, replace(CERES, name=body)))
    ship = replace(LEAVING, bound_for=bound_for)
    return view_of(own=(ship,), agents=(CREW,), ground=(), board=board)


@pytest.mark.parametrize(
    ("bound_for", "orders", "shaken"),
    [
        (None, (), False),
        ("Vesta", (), True),
        ("off", (), True),
        ("Ceres", (), False),
        ("Ceres", (Stand(ship=S1, bound_for="Vesta"),), True),
        ("Vesta", (Stand(ship=S1, bound_for="Ceres"),), False),
        ("Vesta", (Stand(ship=S1, bound_for="none"),), False),
        (None, (Stand(ship=S1, bound_for="none"),), False),
        (None, (Stand(ship=S1, bound_for="off"),), True),
        (None, (Stand(ship=S2, bound_for="off"),), False),
        ("Vesta", (Stand(ship=S1),), True),
        (None, (Stand(ship=S1),), False),
    ],
)
def test_a_ship_shakes_detection_off_if_it_leaves_the_well_bound_elsewhere(
    bound_for: str | None, orders: tuple[Order, ...], *, shaken: bool
) -> None:
    after = scene_after(leaving(bound_for), orders)
    assert after.vessel(S1).at == InSpace(Square(15, 1))
    assert after.vessel(S1).detected is not shaken
    assert after.agent(P1).detected is not shaken


def test_off_the_map_is_no_planet_even_if_one_has_that_name() -> None:
    assert not scene_after(leaving("off", "off"), ()).vessel(S1).detected


def test_a_ship_that_stays_in_the_well_shakes_nothing_off() -> None:
    view = view_of(own=(replace(LEAVING, vector=Vector(0, 1), bound_for="off"),), agents=(CREW,))
    assert scene_after(view, ()).vessel(S1).detected


# Steps in the scene.


def test_a_step_that_cannot_be_made_is_passed_over_by_those_after_it() -> None:
    out, astray = Walk(ship=P1, environs=2), Walk(ship=P1, environs=7)
    assert problem(out, astray) is None


def test_an_agent_walks_between_the_environs_of_his_own_planet() -> None:
    view = view_of(board=WIDE)
    assert problem(Walk(ship=P1, environs=2), view=view) is None
    strayed = view_of(board=WIDE, agents=(replace(AGENT, site=Site("Vesta", 1)),))
    assert about(problem(Walk(ship=P1, environs=2), view=strayed)) == (STEP, "$.environs")


def test_a_step_is_made_after_the_ships_have_moved() -> None:
    gone = view_of(own=(replace(SHUTTLER, vector=Vector(0, -9)),))
    assert about(problem(GoAboard(ship=P1, into=S1), view=gone)) == (STEP, "$")
    landing = (Land(ship=S1, body="Ceres", environs=1),)
    by_foot = view_of(own=(replace(SHUTTLER, shuttle=False, square=NEAR_ORBIT),))
    assert about(problem(GoAboard(ship=P1, into=S1), view=by_foot)) == (STEP, "$")
    assert problem(GoAboard(ship=P1, into=S1), *landing, view=by_foot) is None


def test_troops_that_go_aboard_are_left_before_they_can_be_joined() -> None:
    assert about(problem(GoAboard(ship=P1, into=G1), Move(ship=G1, load=S2))) == (STEP, "$.into")
    assert problem(StepOut(ship=P3), Move(ship=G1, load=S2)) is None
