"""Own agents and ships as the rules of agents take them: as they stand, and after a PLOT."""

import pytest
from msgspec.structs import replace

from builders.advice import refusal
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
    problem,
    view_of,
)
from builders.ground import planet
from builders.orders import Written, read
from builders.terminals import AGENT, GUARD
from sunglare_protocol.geometry import Asteroid, Compass, Environs, Landing, Square, Vector
from sunglare_protocol.geometry import Board as SpaceBoard
from sunglare_protocol.ids import OwnId, Side
from sunglare_protocol.orders.agents import Stand
from sunglare_protocol.surface import Site
from sunglare_protocol.views import View
from sunglare_protocol.words.ladder import Fate
from sunglare_protocol.words.pieces import PieceKind
from sunglare_rules.advice.seen.agents import carriers, scene_after, scene_now
from sunglare_rules.search.agents import (
    Agent,
    InOrbit,
    InSpace,
    OnGround,
    Scene,
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


def after(view: View, *orders: Written) -> Scene:
    """Return the scene after orders."""
    return scene_after(view, read(*orders))


@pytest.mark.parametrize(
    ("line", "place"),
    [
        ("station G1 Ceres 2 B2", AWAY),
        ("station G2 Ceres 2 B2", HOME),
        ("move G1 load S2", None),
        ("move G2 load S2", HOME),
        ("move G1 C4", HOME),
    ],
)
def test_troops_are_where_they_are_stationed_and_not_where_they_were_loaded(
    line: str, place: OnGround | None
) -> None:
    troops = after(view_of(), line).troops
    assert troops == (() if place is None else ((A, place),))


@pytest.mark.parametrize(
    ("line", "place", "stacked"),
    [
        ("station P1 Ceres 2", AWAY, False),
        ("station P1 Ceres 2 with G1", AWAY, True),
        ("station P2 Ceres 2 with G1", HOME, False),
        ("walk P1 2", HOME, False),
    ],
)
def test_an_agent_starts_where_he_is_stationed(
    line: str, place: OnGround, *, stacked: bool
) -> None:
    agent = after(view_of(), line).agent(P1)
    assert (agent.at, agent.stacked) == (place, stacked)


def test_who_was_stationed_with_troops_leaves_them_by_a_new_station() -> None:
    agent = after(view_of(), "station P3 Ceres 2").agent(P3)
    assert (agent.at, agent.stacked) == (AWAY, False)


@pytest.mark.parametrize(
    ("vector", "line", "place"),
    [
        # Gravity pulls one square to the south.
        (Vector(0, 1), "", InOrbit("Ceres")),
        (Vector(0, -9), "", InSpace(Square(15, 1))),
        (Vector(0, -9), "lift S2", InSpace(Square(15, 1))),
        (Vector(0, -4), "thrust S1 N", InSpace(Square(15, 5))),
        (Vector(0, -4), "thrust S2 N", InSpace(Square(15, 6))),
        (Vector(0, -9), "land S1 Ceres 2", AWAY),
        (Vector(0, -9), "land S2 Ceres 2", InSpace(Square(15, 1))),
        (Vector(0, -9), "land S1 Ceres 7", InSpace(Square(15, 1))),
    ],
)
def test_a_ship_is_where_its_move_ends(vector: Vector, line: str, place: VesselPlace) -> None:
    view = view_of(own=(replace(SHUTTLER, vector=vector), LANDER))
    assert after(view, line).vessel(S1).at == place


@pytest.mark.parametrize(
    ("line", "place"),
    [
        ("", HOME),
        ("lift S1", HOME),
        ("lift S2", InOrbit("Ceres")),
        ("deploy S2 3,3", InSpace(Square(3, 3))),
    ],
)
def test_a_landed_ship_stays_until_it_lifts_off(line: str, place: VesselPlace) -> None:
    assert after(view_of(), line).vessel(S2).at == place


def test_a_ship_that_lands_on_an_asteroid_is_in_open_space() -> None:
    view = view_of(own=(replace(SHUTTLER, square=ROCK.at, vector=Vector(2, 0)),), board=WIDE)
    assert after(view, "land S1 Rock E").vessel(S1).at == InSpace(ROCK.at)
    assert after(view).vessel(S1).at == InSpace(Square(32, 30))


def test_a_ship_ordered_to_cloak_is_cloaked_when_agents_step() -> None:
    ship = replace(SHUTTLER, cloak=True)
    hidden = replace(ship, cloaked=True)
    for own, line, cloaked in (
        (ship, "cloak S1 on", True),
        (ship, "cloak S2 on", False),
        (hidden, "cloak S1 off", False),
        (hidden, "cloak S2 off", True),
    ):
        assert after(view_of(own=(own, LANDER)), line).vessel(S1).cloaked is cloaked


# Detection that is shaken off.

LEAVING = replace(SHUTTLER, vector=Vector(0, -9), agent_spaceship=True, detected=True)
CREW = replace(AGENT, site=None, aboard=S1, detected=True)


def leaving(bound_for: str | None, body: str = "Ceres") -> View:
    """Return a view of a detected ship with an agent aboard that flies out of the well."""
    board = SpaceBoard(planets=(VESTA, replace(CERES, name=body)))
    ship = replace(LEAVING, bound_for=bound_for)
    return view_of(own=(ship,), agents=(CREW,), ground=(), board=board)


@pytest.mark.parametrize(
    ("bound_for", "order", "shaken"),
    [
        (None, "", False),
        ("Vesta", "", True),
        ("off", "", True),
        ("Ceres", "", False),
        ("Ceres", "stand S1 bound Vesta", True),
        ("Vesta", "stand S1 bound Ceres", False),
        ("Vesta", "stand S1 bound none", False),
        (None, "stand S1 bound none", False),
        (None, "stand S1 bound off", True),
        (None, "stand S2 bound off", False),
        ("Vesta", Stand(ship=S1), True),
        (None, Stand(ship=S1), False),
    ],
)
def test_a_ship_shakes_detection_off_if_it_leaves_the_well_bound_elsewhere(
    bound_for: str | None, order: Written, *, shaken: bool
) -> None:
    left = after(leaving(bound_for), order)
    assert left.vessel(S1).at == InSpace(Square(15, 1))
    assert left.vessel(S1).detected is not shaken
    assert left.agent(P1).detected is not shaken


def test_off_the_map_is_no_planet_even_if_one_has_that_name() -> None:
    assert not after(leaving("off", "off")).vessel(S1).detected


def test_a_ship_that_stays_in_the_well_shakes_nothing_off() -> None:
    view = view_of(own=(replace(LEAVING, vector=Vector(0, 1), bound_for="off"),), agents=(CREW,))
    assert after(view).vessel(S1).detected


# Steps in the scene.


def test_a_step_that_cannot_be_made_is_passed_over_by_those_after_it() -> None:
    assert problem("walk P1 2", "walk P1 7") is None


def test_an_agent_walks_between_the_environs_of_his_own_planet() -> None:
    view = view_of(board=WIDE)
    assert problem("walk P1 2", view=view) is None
    strayed = view_of(board=WIDE, agents=(replace(AGENT, site=Site("Vesta", 1)),))
    assert refusal(problem("walk P1 2", view=strayed)) == "order/step $.environs"


def test_a_step_is_made_after_the_ships_have_moved() -> None:
    gone = view_of(own=(replace(SHUTTLER, vector=Vector(0, -9)),))
    assert refusal(problem("board P1 S1", view=gone)) == "order/step $"
    by_foot = view_of(own=(replace(SHUTTLER, shuttle=False, square=NEAR_ORBIT),))
    assert refusal(problem("board P1 S1", view=by_foot)) == "order/step $"
    assert problem("board P1 S1", "land S1 Ceres 1", view=by_foot) is None


def test_troops_that_go_aboard_are_left_before_they_can_be_joined() -> None:
    assert refusal(problem("board P1 G1", "move G1 load S2")) == "order/step $.into"
    assert problem("leave P3", "move G1 load S2") is None
