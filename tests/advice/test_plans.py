"""What orders make of a ship in its movement, and which movements its owner is offered."""

import pytest
from msgspec.structs import replace

from builders.advice import AT_ROCK, NE, ON_THE_GROUND, SW, E, N, S, W
from builders.orders import read
from builders.views import BOARD, CERES, ON_ROCK, ROCK, S1, own_ship, view
from sunglare_protocol.geometry import Board, Compass, Environs, Landing, Square, Vector
from sunglare_protocol.orders import Cloak, Land, Order, Power, Sensors, Turn
from sunglare_protocol.surface import Cell
from sunglare_protocol.views import Crew, OwnView, VolleyView
from sunglare_protocol.words.ladder import Phase
from sunglare_protocol.words.pieces import PieceKind
from sunglare_rules.advice.legal.plans import move_examples, plots, power_examples
from sunglare_rules.advice.seen.plotting import after_plot, deployed, landing_of
from sunglare_rules.turn.movement import Flight

SE = Compass.SE
VESTA = replace(CERES, name="Vesta", at=Square(32, 10), environs=(Environs(number=1, sector=E),))
BODIES = Board(
    planets=(CERES, VESTA), asteroids=(ROCK, replace(ROCK, name="Stone", at=Square(5, 5)))
)


# Deployment.

SHOWN = own_ship(cloak=True, popped_out=True)
HIDDEN = own_ship(cloak=True, cloaked=True, popped_out=False)


@pytest.mark.parametrize(
    ("ship", "said", "popped_out", "cloaked"),
    [
        pytest.param(SHOWN, "", True, False, id="in space it stays as it is"),
        pytest.param(SHOWN, "landed Rock E", False, False, id="a landing folds its sensors"),
        pytest.param(SHOWN, "cloaked", False, True, id="a cloak folds them too"),
        pytest.param(SHOWN, "shown", True, False, id="it is told to show itself"),
        pytest.param(HIDDEN, "", False, True, id="one that starts cloaked stays so"),
        pytest.param(HIDDEN, "shown", False, False, id="unless it is told to show itself"),
    ],
)
def test_a_ship_is_deployed_before_all_else_that_it_does(
    ship: OwnView, said: str, popped_out: bool, cloaked: bool
) -> None:
    orders = read(f"deploy S1 2,2 vector 1,0 facing E {said}; turn S1 +1")
    assert deployed(ship, orders) == replace(
        ship,
        square=Square(2, 2),
        vector=Vector(1, 0),
        facing=E,
        landed=ON_ROCK if "landed" in said else None,
        popped_out=popped_out,
        cloaked=cloaked,
    )


# Where a move ends.

VOLLEY = own_ship(
    kind=PieceKind.MISSILE,
    vector=Vector(1, 1),
    volley=VolleyView(missiles=4, aim=Square(10, 27), movements=1),
)
SPENT = replace(VOLLEY, volley=VolleyView(missiles=4, aim=Square(18, 27), movements=1))
# Ceres pulls a ship on this square towards itself.
PULLED = own_ship(square=Square(13, 14), vector=Vector(1, 4))
REMOTE = replace(PULLED, kind=PieceKind.REMOTE, facing=SE)
EASTWARD = own_ship(vector=Vector(1, 0))
SLOW = own_ship(square=Square(14, 12), vector=Vector(1, 1))


def end(x: int, y: int, dx: int, dy: int, facing: Compass) -> Flight:
    """Return the end of a move."""
    return Flight(Square(x, y), Vector(dx, dy), facing)


MOVES = {
    "a volley flies to its square": (VOLLEY, "", end(10, 27, 3, 0, E)),
    "or to a new one": (VOLLEY, "aim S1 7,32", end(7, 32, 0, 5, S)),
    "or stays, if its own is too far": (SPENT, "", end(7, 27, 0, 0, N)),
    "a remote sensor drifts without gravity": (REMOTE, "", end(14, 18, 1, 4, SE)),
    "the drift of scan 3, with the help of gravity": (PULLED, "", end(15, 17, 2, 3, N)),
    "a ship by its own orders alone": (
        own_ship(),
        "turn S2 +2; thrust S2 S; turn S1 +1",
        end(7, 27, 0, 0, NE),
    ),
    "drift, then turn, then thrust": (
        EASTWARD,
        "turn S1 +1; thrust S1 NE E; turn S2 +4",
        end(10, 26, 3, -1, NE),
    ),
    "a landed ship stays": (ON_THE_GROUND, "", end(14, 13, 0, 0, N)),
    "a lift-off ends facing outward": (ON_THE_GROUND, "lift S1", end(14, 13, 0, 0, SW)),
    "a landing ends at rest below the sector": (SLOW, "land S1 Ceres 1", end(14, 13, 0, 0, N)),
    "a landing on an asteroid ends in its square": (
        AT_ROCK,
        "land S1 Rock E",
        end(30, 30, 0, 0, N),
    ),
    "a deployed ship moves from where it is deployed": (
        own_ship(),
        "thrust S1 S; deploy S1 2,2 vector 1,1",
        end(3, 4, 1, 2, N),
    ),
}


@pytest.mark.parametrize(("piece", "line", "flight"), MOVES.values(), ids=MOVES)
def test_a_move_ends_there(piece: OwnView, line: str, flight: Flight) -> None:
    assert after_plot(view(Phase.PLOT, piece), piece, read(line)) == flight


CELL = Cell(3, 4)
ON_CELL = Landing(body="Ceres", sector=N, environs=2, cell=CELL)
ON_VESTA = Landing(body="Vesta", sector=E, environs=1)


def land(body: str, **fields: object) -> Land:
    return replace(Land(ship=S1, body=body), **fields)


@pytest.mark.parametrize(
    ("order", "landing"),
    [
        pytest.param(land("Ceres", environs=2, cell=CELL), ON_CELL, id="an environs and a cell"),
        pytest.param(land("Vesta", environs=1), ON_VESTA, id="a number of another planet"),
        pytest.param(land("Vesta", environs=2), None, id="no such environs"),
        pytest.param(land("Ceres"), None, id="no environs named"),
        pytest.param(land("Rock", sector=W), Landing(body="Rock", sector=W), id="an asteroid"),
        pytest.param(land("Rock"), None, id="no sector named"),
        pytest.param(land("Nowhere", sector=W), None, id="no such body"),
    ],
)
def test_a_landing_order_names_this_place(order: Land, landing: Landing | None) -> None:
    assert landing_of(BODIES, order) == landing


# Examples of single moves.

QUICK = own_ship(thrust=2, crew=Crew(pilot=2))


def examples(ship: OwnView, board: Board = BOARD) -> list[Order]:
    seen = replace(view(Phase.PLOT, ship), board=board)
    return list(move_examples(seen, ship))


def test_the_examples_are_every_turn_thrust_each_way_every_landing_and_the_lift_off() -> None:
    turns = (f"turn S1 {steps}" for steps in (-3, -2, -1, 1, 2, 3))
    thrusts = (f"thrust S1 {to}" for to in ("NW", "NW NW", "N", "N N", "NE", "NE NE"))
    landings = (f"land S1 Rock {sector.value}" for sector in Compass)
    down = ("land S1 Ceres 1", "land S1 Ceres 2", *landings, "lift S1")
    assert examples(QUICK) == list(read(*turns, *thrusts, *down))


@pytest.mark.parametrize(
    ("powered", "starting", "turns"),
    [(True, False, 6), (False, True, 6), (False, False, 2)],
    ids=["warm", "starting", "cold"],
)
def test_without_power_a_ship_turns_one_step_to_either_side(
    powered: bool, starting: bool, turns: int
) -> None:
    found = examples(replace(QUICK, powered=powered, starting=starting), Board())
    assert len([example for example in found if isinstance(example, Turn)]) == turns


@pytest.mark.parametrize(
    ("powered", "starting", "runs"),
    [(True, False, True), (False, True, True), (False, False, False)],
    ids=["warm", "starting", "cold"],
)
@pytest.mark.parametrize("ecm", [True, False])
def test_plant_and_jammer_are_switched_to_what_they_are_not(
    powered: bool, starting: bool, runs: bool, ecm: bool
) -> None:
    ship = own_ship(powered=powered, starting=starting, ecm=ecm)
    plant, jammer = Power(ship=S1, on=not runs), Power(ship=S1, on=runs, ecm=not ecm)
    assert list(power_examples(ship)) == [plant, jammer]


# Plans.


def plans(ship: OwnView) -> list[tuple[Order, ...]]:
    return list(plots(view(Phase.PLOT, ship), ship))


def switches(ship: OwnView) -> set[tuple[Order, ...]]:
    """Return what is switched in the plans of a ship."""
    kinds = (Power, Sensors, Cloak)
    return {tuple(order for order in plan if isinstance(order, kinds)) for plan in plans(ship)}


OFF, FOLD = read("power S1 off"), read("sensors S1 in")
ON, SHOW = read("cloak S1 on"), read("cloak S1 off")
SWITCHES = {(), FOLD, OFF, (*OFF, *FOLD)}


@pytest.mark.parametrize(
    ("ship", "expected"),
    [
        pytest.param(own_ship(thrust=0), SWITCHES, id="a ship without a cloak"),
        pytest.param(own_ship(thrust=0, cloak=True), {*SWITCHES, ON}, id="one that may cloak"),
        pytest.param(replace(HIDDEN, thrust=0), {(), SHOW}, id="one that may show itself"),
    ],
)
def test_plans_switch_plant_sensors_and_cloak(
    ship: OwnView, expected: set[tuple[Order, ...]]
) -> None:
    assert switches(ship) == expected


def test_a_ship_at_rest_in_the_square_of_an_asteroid_may_land_in_each_of_its_sectors() -> None:
    found = [plan[0] for plan in plans(own_ship(square=ROCK.at, thrust=0)) if len(plan) == 1]
    landings = [order for order in found if isinstance(order, Land)]
    assert landings == [land("Rock", sector=sector) for sector in Compass]
