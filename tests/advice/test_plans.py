"""What orders make of a ship in its movement, and which movements its owner is offered."""

import msgspec
import pytest

from builders.advice import E, N, S, W
from builders.views import BOARD, CERES, ON_ROCK, ROCK, S1, S2, own_ship, view
from sunglare_protocol.geometry import (
    Asteroid,
    Board,
    Compass,
    Environs,
    Landing,
    Planet,
    PlanetSize,
    Square,
    Vector,
)
from sunglare_protocol.orders import (
    Aim,
    Cloak,
    Deploy,
    Land,
    Lift,
    Order,
    Power,
    Sensors,
    Thrust,
    Turn,
)
from sunglare_protocol.surface import Cell
from sunglare_protocol.views import Crew, OwnView, VolleyView
from sunglare_protocol.words.ladder import Phase
from sunglare_protocol.words.pieces import PieceKind
from sunglare_rules.advice.legal.plans import move_examples, plots, power_examples
from sunglare_rules.advice.seen.plotting import after_plot, deployed, landing_of
from sunglare_rules.turn.movement import Flight

VESTA = Planet(
    name="Vesta",
    at=Square(32, 10),
    size=PlanetSize.SMALL,
    environs=(Environs(number=1, sector=Compass.E),),
)
BODIES = Board(planets=(CERES, VESTA), asteroids=(ROCK, Asteroid(name="Stone", at=Square(5, 5))))


# Deployment.

SHOWN = own_ship(cloak=True, popped_out=True)
HIDDEN = own_ship(cloak=True, cloaked=True, popped_out=False)
SPOT = Square(2, 2)


@pytest.mark.parametrize(
    ("ship", "landed", "cloaked", "expected"),
    [
        pytest.param(SHOWN, None, None, (True, False), id="in space it stays as it is"),
        pytest.param(SHOWN, ON_ROCK, None, (False, False), id="a landing folds its sensors"),
        pytest.param(SHOWN, None, True, (False, True), id="a cloak folds them too"),
        pytest.param(SHOWN, None, False, (True, False), id="it is told to show itself"),
        pytest.param(HIDDEN, None, None, (False, True), id="one that starts cloaked stays so"),
        pytest.param(HIDDEN, None, False, (False, False), id="unless it is told to show itself"),
    ],
)
def test_a_ship_is_deployed_before_all_else_that_it_does(
    ship: OwnView, landed: Landing | None, cloaked: bool | None, expected: tuple[bool, bool]
) -> None:
    order = Deploy(ship=S1, at=SPOT, vector=Vector(1, 0), facing=E, landed=landed, cloaked=cloaked)
    popped_out, is_cloaked = expected
    assert deployed(ship, (order, Turn(ship=S1, steps=1))) == msgspec.structs.replace(
        ship,
        square=SPOT,
        vector=Vector(1, 0),
        facing=E,
        landed=landed,
        popped_out=popped_out,
        cloaked=is_cloaked,
    )


# Where a move ends.

VOLLEY = own_ship(
    kind=PieceKind.MISSILE,
    vector=Vector(1, 1),
    volley=VolleyView(missiles=4, aim=Square(10, 27), movements=1),
)
SPENT = msgspec.structs.replace(
    VOLLEY, volley=VolleyView(missiles=4, aim=Square(18, 27), movements=1)
)
# Ceres would pull a ship on this square towards itself.
REMOTE = own_ship(
    kind=PieceKind.REMOTE, square=Square(13, 14), vector=Vector(1, 4), facing=Compass.SE
)


@pytest.mark.parametrize(
    ("piece", "orders", "flight"),
    [
        pytest.param(
            VOLLEY, (), Flight(Square(10, 27), Vector(3, 0), E), id="a volley flies to its square"
        ),
        pytest.param(
            VOLLEY,
            (Aim(ship=S1, at=Square(7, 32)),),
            Flight(Square(7, 32), Vector(0, 5), S),
            id="or to a new one",
        ),
        pytest.param(
            SPENT, (), Flight(Square(7, 27), Vector(0, 0), N), id="or stays, if its own is too far"
        ),
        pytest.param(
            REMOTE,
            (),
            Flight(Square(14, 18), Vector(1, 4), Compass.SE),
            id="a remote sensor drifts without gravity",
        ),
        pytest.param(
            own_ship(),
            (Turn(ship=S2, steps=2), Thrust(ship=S2, to=(S,)), Turn(ship=S1, steps=1)),
            Flight(Square(7, 27), Vector(0, 0), Compass.NE),
            id="a ship by its own orders alone",
        ),
    ],
)
def test_a_move_ends_there(piece: OwnView, orders: tuple[Order, ...], flight: Flight) -> None:
    assert after_plot(view(Phase.PLOT, piece), piece, orders) == flight


def land(body: str, **fields: object) -> Land:
    return msgspec.structs.replace(Land(ship=S1, body=body), **fields)


@pytest.mark.parametrize(
    ("order", "landing"),
    [
        pytest.param(
            land("Ceres", environs=2, cell=Cell(3, 4)),
            Landing(body="Ceres", sector=N, environs=2, cell=Cell(3, 4)),
            id="an environs and a cell",
        ),
        pytest.param(
            land("Vesta", environs=1),
            Landing(body="Vesta", sector=E, environs=1),
            id="the like number of another planet",
        ),
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
    seen = msgspec.structs.replace(view(Phase.PLOT, ship), board=board)
    return list(move_examples(seen, ship))


def test_the_examples_are_every_turn_thrust_each_way_every_landing_and_the_lift_off() -> None:
    headings = (Compass.NW, N, Compass.NE)
    assert examples(QUICK) == [
        *(Turn(ship=S1, steps=steps) for steps in (-3, -2, -1, 1, 2, 3)),
        *(
            Thrust(ship=S1, to=to)
            for heading in headings
            for to in ((heading,), (heading, heading))
        ),
        land("Ceres", environs=1),
        land("Ceres", environs=2),
        *(land("Rock", sector=sector) for sector in Compass),
        Lift(ship=S1),
    ]


@pytest.mark.parametrize(
    ("powered", "starting", "turns"),
    [(True, False, 6), (False, True, 6), (False, False, 2)],
    ids=["warm", "starting", "cold"],
)
def test_without_power_a_ship_turns_one_step_to_either_side(
    powered: bool, starting: bool, turns: int
) -> None:
    ship = msgspec.structs.replace(QUICK, powered=powered, starting=starting)
    assert (
        len([example for example in examples(ship, Board()) if isinstance(example, Turn)]) == turns
    )


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
    assert list(power_examples(ship)) == [
        Power(ship=S1, on=not runs),
        Power(ship=S1, on=runs, ecm=not ecm),
    ]


# Plans.


def plans(ship: OwnView) -> list[tuple[Order, ...]]:
    return list(plots(view(Phase.PLOT, ship), ship))


def switches(ship: OwnView) -> set[tuple[Order, ...]]:
    """Return what is switched in the plans of a ship."""
    kinds = (Power, Sensors, Cloak)
    return {tuple(order for order in plan if isinstance(order, kinds)) for plan in plans(ship)}


OFF, FOLD = Power(ship=S1, on=False), Sensors(ship=S1, out=False)


@pytest.mark.parametrize(
    ("ship", "expected"),
    [
        pytest.param(
            own_ship(thrust=0), {(), (FOLD,), (OFF,), (OFF, FOLD)}, id="a ship without a cloak"
        ),
        pytest.param(
            own_ship(thrust=0, cloak=True),
            {(), (FOLD,), (OFF,), (OFF, FOLD), (Cloak(ship=S1, on=True),)},
            id="one that may cloak",
        ),
        pytest.param(
            msgspec.structs.replace(HIDDEN, thrust=0),
            {(), (Cloak(ship=S1, on=False),)},
            id="one that is cloaked and may show itself",
        ),
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
