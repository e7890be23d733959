"""Which landings, lift-offs and deployments the own view allows, and what it offers instead."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from builders.advice import (
    AT_ROCK,
    BY_CERES,
    ON_THE_GROUND,
    PLOT_ORDERS,
    SW,
    N,
    checked,
    detail,
    offered,
    plot,
    refusal,
)
from builders.orders import Written
from builders.views import CERES, ON_ROCK, ROCK, S1, own_ship, view
from sunglare_protocol.geometry import Board, Compass, Environs, Landing, Square, Vector
from sunglare_protocol.orders import Deploy, Land, Order, Turn
from sunglare_protocol.refusals import Rejected
from sunglare_protocol.views import OwnView
from sunglare_protocol.words.ladder import Phase
from sunglare_rules.advice.check.landing_terms import planet_terms

ZONE = ("A1", "C3", "D3", "G7")


def deploy(*orders: Written, zone: tuple[str, ...] = ZONE) -> Rejected | None:
    """Return what PLOT of turn 1 says, with a zone around Ceres, the rock and box A1."""
    return checked(view(Phase.PLOT, turn=1, zone=zone), *orders)


# Landing and lifting off.


def test_a_slow_ship_that_touches_a_planet_lands_on_the_environs_below_it() -> None:
    assert plot("land S1 Ceres 1", ship=BY_CERES) is None
    assert plot(land("Ceres", 1, SW), ship=BY_CERES) is None


def test_a_ship_at_rest_in_an_asteroids_square_lands_on_any_sector_without_power() -> None:
    cold = own_ship(square=ROCK.at, powered=False)
    for sector in Compass:
        assert plot(land("Rock", sector=sector), ship=cold) is None


def land(body: str, environs: int | None = None, sector: Compass | None = None) -> Land:
    """Return a landing such as no line gives."""
    return Land(ship=S1, body=body, environs=environs, sector=sector)


FAST = own_ship(square=BY_CERES.square, vector=Vector(0, 2))
COLD = own_ship(square=BY_CERES.square, powered=False)
LAME = own_ship(square=BY_CERES.square, thrust=0)
BESIDE_ROCK = own_ship(square=Square(30, 29))
PASSING_ROCK = own_ship(square=ROCK.at, vector=Vector(1, 0))
SECTORS = tuple(heading.value for heading in Compass)

CANNOT_LAND: dict[str, tuple[Written, OwnView, str, tuple[str, ...]]] = {
    "no such body": ("land S1 Moon N", BY_CERES, "order/body [0].body", ("Ceres", "Rock")),
    "landed already": ("land S1 Ceres 1", ON_THE_GROUND, "order/landed [0]", ()),
    "does not touch the planet": ("land S1 Ceres 1", own_ship(), "order/landing [0]", ()),
    "too fast for the planet": ("land S1 Ceres 1", FAST, "order/landing [0]", ()),
    "no such environs": ("land S1 Ceres 9", BY_CERES, "order/landing [0].environs", ("1", "2")),
    "no environs named": (land("Ceres"), BY_CERES, "order/landing [0].environs", ("1", "2")),
    "of another sector": ("land S1 Ceres 2", BY_CERES, "order/landing [0].environs", ("1", "2")),
    "at odds with its sector": (land("Ceres", 1, N), BY_CERES, "order/landing [0].sector", ()),
    "no power for the planet": ("land S1 Ceres 1", COLD, "order/power [0]", ()),
    "no thrust for the planet": ("land S1 Ceres 1", LAME, "order/thrust [0]", ()),
    "no sector named": (land("Rock"), AT_ROCK, "order/landing [0].sector", SECTORS),
    "environs of an asteroid": (land("Rock", 1, N), AT_ROCK, "order/landing [0].environs", ()),
    "beside the asteroid": ("land S1 Rock N", BESIDE_ROCK, "order/landing [0]", ()),
    "passing the asteroid": ("land S1 Rock N", PASSING_ROCK, "order/landing [0]", ()),
}


@pytest.mark.parametrize(
    ("order", "ship", "refused", "choices"), CANNOT_LAND.values(), ids=CANNOT_LAND
)
def test_a_ship_cannot_land(
    order: Written, ship: OwnView, refused: str, choices: tuple[str, ...]
) -> None:
    problem = plot(order, ship=ship)
    assert (refusal(problem), offered(problem)) == (refused, choices)


FAR_FAST_AND_COLD = own_ship(square=Square(20, 12), vector=Vector(2, 0), powered=False)
PAST_ROCK = own_ship(square=Square(30, 29), vector=Vector(0, -1))

TERMS: dict[str, tuple[tuple[Written, ...], OwnView, str]] = {
    "too fast for the planet": (
        ("land S1 Ceres 1",),
        FAST,
        (
            "It takes a start that touches Ceres (at 14,13: yes), at most one square each way "
            "(vector +0,+2: no), a point of thrust (3: yes), an environs of the sector where it "
            "starts, SW (1 lies in SW: yes) and the whole move (no turn or thrust: yes)."
        ),
    ),
    "far from the planet, fast and cold": (
        ("land S1 Ceres 2",),
        FAR_FAST_AND_COLD,
        (
            "It takes a start that touches Ceres (at 20,12: no), at most one square each way "
            "(vector +2,+0: no), a point of thrust (power off: no), an environs of the sector "
            "where it starts, E (2 lies in N: no) and the whole move (no turn or thrust: yes)."
        ),
    ),
    "no such environs, and turning": (
        ("turn S1 +1", "land S1 Ceres 9"),
        BY_CERES,
        (
            "It takes a start that touches Ceres (at 14,13: yes), at most one square each way "
            "(vector +0,+0: yes), a point of thrust (3: yes), an environs of the sector where it "
            "starts, SW (there is no 9: no) and the whole move (it turns or thrusts: no)."
        ),
    ),
    "amid the planet, and no environs named": (
        (land("Ceres"),),
        own_ship(square=CERES.at),
        (
            "It takes a start that touches Ceres (at 15,12: no), at most one square each way "
            "(vector +0,+0: yes), a point of thrust (3: yes), an environs of the sector where it "
            "starts (none named: no) and the whole move (no turn or thrust: yes)."
        ),
    ),
    "past the asteroid": (
        ("land S1 Rock N",),
        PAST_ROCK,
        (
            "It takes a start in its square 30,30 (at 30,29: no), a ship at rest "
            "(vector +0,-1: no) and the whole move (no turn or thrust: yes)."
        ),
    ),
}


@pytest.mark.parametrize(("orders", "ship", "terms"), TERMS.values(), ids=TERMS)
def test_a_refused_landing_names_every_condition_and_which_of_them_hold(
    orders: tuple[Written, ...], ship: OwnView, terms: str
) -> None:
    assert detail(plot(*orders, ship=ship)) == terms


AROUND_CERES = st.builds(
    lambda x, y, dx, dy, thrust, powered: own_ship(
        square=Square(x, y), vector=Vector(dx, dy), thrust=thrust, powered=powered
    ),
    st.integers(13, 17),
    st.integers(10, 14),
    st.integers(-2, 2),
    st.integers(-2, 2),
    st.integers(0, 2),
    st.booleans(),
)


@given(
    ship=AROUND_CERES,
    environs=st.sampled_from((None, 1, 2, 9)),
    turns=st.sampled_from(((), (Turn(ship=S1, steps=1),))),
)
def test_a_landing_on_a_planet_is_refused_if_and_only_if_a_condition_does_not_hold(
    ship: OwnView, environs: int | None, turns: tuple[Order, ...]
) -> None:
    terms = planet_terms(CERES, ship, environs, turns)
    refused = plot(*turns, land("Ceres", environs), ship=ship)
    assert (": no)" in terms) == (refused is not None)
    assert refused is None or refused.detail == terms


@pytest.mark.parametrize("order", PLOT_ORDERS[:2], ids=lambda order: type(order).__name__)
def test_a_landing_takes_the_whole_move(order: Order) -> None:
    assert refusal(plot(order, "land S1 Rock N", ship=AT_ROCK)) == "order/landing [1]"
    assert refusal(plot(order, "land S1 Ceres 1", ship=BY_CERES)) == "order/landing [1]"


def test_only_a_landed_ship_lifts_off() -> None:
    assert plot("lift S1", ship=ON_THE_GROUND) is None
    assert refusal(plot("lift S1")) == "order/flying [0]"


def test_a_lift_off_takes_power_and_a_point_of_thrust() -> None:
    cold = own_ship(square=ROCK.at, landed=ON_ROCK, powered=False)
    assert refusal(plot("lift S1", ship=cold)) == "order/power [0]"
    lame = own_ship(square=ROCK.at, landed=ON_ROCK, thrust=0)
    assert refusal(plot("lift S1", ship=lame)) == "order/thrust [0]"
    assert refusal(plot("power S1 off", "lift S1", ship=ON_THE_GROUND)) == "order/power [1]"


# Deployment.


def start(x: int, y: int, landed: Landing | None = None) -> Deploy:
    """Return a deployment such as no line gives."""
    return Deploy(ship=S1, at=Square(x, y), landed=landed)


NO_ENVIRONS = Landing(body="Ceres", sector=SW)
AT_ODDS = Landing(body="Ceres", sector=N, environs=1)
NOT_OF_ROCKS = Landing(body="Rock", sector=N, environs=1)

DEPLOYED: dict[str, tuple[Written, str | None]] = {
    "outside the zone": ("deploy S1 5,0", "order/place [0].at"),
    "off the map": (start(-1, 0), "order/place [0].at"),
    "in a planet": ("deploy S1 15,12", "order/place [0].at"),
    "too fast": ("deploy S1 2,2 vector 0,3", "order/place [0].vector"),
    "landed on nothing": ("deploy S1 2,2 landed Moon N", "order/body [0].landed.body"),
    "landed on a rock that is elsewhere": ("deploy S1 2,2 landed Rock E", "order/place [0].at"),
    "landed and moving": ("deploy S1 30,30 vector 1,0 landed Rock E", "order/landing [0].vector"),
    "an asteroid has no environs": (
        start(30, 30, NOT_OF_ROCKS),
        "order/landing [0].landed.environs",
    ),
    "landed on no environs": (start(14, 13, NO_ENVIRONS), "order/landing [0].landed.environs"),
    "environs and sector at odds": (start(14, 13, AT_ODDS), "order/landing [0].landed.environs"),
    "not where one landed there stands": ("deploy S1 13,13 landed Ceres 1", "order/place [0].at"),
    "landed on the north of Ceres": ("deploy S1 15,11 landed Ceres 2", None),
    "in space": ("deploy S1 4,4 vector -2,2 facing S", None),
    "on the rock": ("deploy S1 30,30 landed Rock E", None),
    "beside the rock": ("deploy S1 30,30", None),
}


@pytest.mark.parametrize(("order", "refused"), DEPLOYED.values(), ids=DEPLOYED)
def test_a_ship_is_deployed_in_its_zone(order: Written, refused: str | None) -> None:
    assert refusal(deploy(order)) == refused


@pytest.mark.parametrize(
    ("order", "choices"),
    [
        ("deploy S1 5,0", ZONE),
        ("deploy S1 2,2 landed Moon N", ("Ceres", "Rock")),
        (start(14, 13, NO_ENVIRONS), ("1", "2")),
    ],
    ids=["boxes of the zone", "bodies", "environs"],
)
def test_a_refused_deployment_names_what_could_be_named(
    order: Written, choices: tuple[str, ...]
) -> None:
    assert offered(deploy(order)) == choices


def test_an_environs_outside_the_zone_is_no_place_to_start() -> None:
    # The square that touches Ceres in the south-west lies in box C3, which is left out here.
    line = "deploy S1 14,13 landed Ceres 1"
    assert deploy(line) is None
    assert refusal(deploy(line, zone=("D3",))) == "order/place [0].at"


def test_the_other_orders_of_the_set_act_on_the_deployed_ship() -> None:
    south = "deploy S1 2,2 facing S"
    assert deploy("thrust S1 S", south) is None
    assert refusal(deploy(south, "thrust S1 N")) == "order/thrust [1].to[0]"


def test_a_ship_deployed_on_a_body_lifts_off_but_does_not_turn() -> None:
    ground = "deploy S1 30,30 landed Rock E"
    assert deploy(ground, "lift S1") is None
    assert refusal(deploy(ground, "turn S1 +1")) == "order/landed [1]"
    assert refusal(deploy(ground, "sensors S1 out")) == "order/sensors [1].out"


def test_a_ship_deployed_at_rest_beside_a_rock_may_land_on_it_at_once() -> None:
    assert deploy("deploy S1 30,30; land S1 Rock W") is None
    assert refusal(deploy("deploy S1 30,30 vector 1,1; land S1 Rock W")) == "order/landing [1]"


# Maps.

MAPPED = Board(
    planets=(
        replace(
            CERES,
            environs=(
                Environs(number=1, sector=SW, width=8, height=8),
                Environs(number=2, sector=N, width=24, height=8),
            ),
        ),
    )
)
"""Ceres with a map of 4 by 4 cells in the south-west and one of 12 by 4 in the north."""

BELOW = {"1": Square(14, 13), "2": Square(15, 11)}
"""Where a ship stands over each map."""


@pytest.mark.parametrize(
    ("place", "is_on_map"),
    [
        ("1 D4", True),
        ("1 E4", False),
        ("1 D5", False),
        ("2 E4", True),
        ("2 L4", True),
        ("2 M4", False),
    ],
)
def test_a_ship_lands_and_starts_on_a_cell_of_the_map_that_it_names(
    place: str, is_on_map: bool
) -> None:
    square = BELOW[place[0]]
    start = f"deploy S1 {square.x},{square.y} landed Ceres {place}"
    for line, turn, field in ((f"land S1 Ceres {place}", 3, "cell"), (start, 1, "landed.cell")):
        seen = view(Phase.PLOT, own_ship(square=square), turn=turn, zone=("C3", "D3"))
        problem = checked(replace(seen, board=MAPPED), line)
        assert refusal(problem) == (None if is_on_map else f"order/cell [0].{field}")
