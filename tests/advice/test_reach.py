"""Where a ship's thrust and a ground unit's walk or jump can end: what `check` lets them."""

from itertools import combinations_with_replacement

from msgspec.structs import replace

from builders.advice import BY_CERES, ON_THE_GROUND
from builders.cases import cases
from builders.groundadvice import ABOARD, AREAS, LOST, SITE, ground_view
from builders.orders import Written, read_on
from builders.terminals import GUARD
from builders.views import BOARD, S1, S2, own_ship, view
from sunglare_protocol.geometry import Board, Compass, Environs, Planet, Square, Vector
from sunglare_protocol.orders import Order, Thrust
from sunglare_protocol.orders.ground import PATH_MOST, Move
from sunglare_protocol.surface import Cell
from sunglare_protocol.views import View
from sunglare_protocol.views.ground import GroundView
from sunglare_protocol.words.ladder import Phase
from sunglare_rules.advice.check.check import check
from sunglare_rules.advice.legal.reach import burn_ends, jump_ends, walk_paths, without
from sunglare_rules.advice.seen.plotting import after_plot
from sunglare_rules.ground.paths import beside
from sunglare_rules.turn.movement import MoveEnding, ending

FIRST = view(Phase.PLOT, turn=1, zone=("A6",))


def every_end(seen: View, plan: tuple[Order, ...]) -> set[Square]:
    """Return where the first ship ends in space by each thrust that may stand beside a plan."""
    (ship, *_) = seen.own
    found = set()
    for points in range(1, 4):
        for to in combinations_with_replacement(Compass, points):
            orders = (*plan, Thrust(ship=ship.id, to=to))
            end = after_plot(seen, ship, orders).square
            if check(seen, orders) is None and ending(BOARD, end) is MoveEnding.FLIES:
                found.add(end)
    return found


@cases(
    ("seen", "orders", "is_any"),
    {
        "at rest": (view(Phase.PLOT), (), True),
        "turned": (view(Phase.PLOT), ("turn S1 +1",), True),
        "of one point": (view(Phase.PLOT, own_ship(thrust=1)), (), True),
        "by the edge": (
            view(Phase.PLOT, own_ship(square=Square(1, 5), vector=Vector(-1, 0))),
            (),
            True,
        ),
        "beside a planet": (view(Phase.PLOT, BY_CERES), (), True),
        "deployed elsewhere": (FIRST, ("deploy S1 3,27",), True),
        "with its plant switched off": (view(Phase.PLOT), ("power S1 off",), False),
        "without thrust": (view(Phase.PLOT, own_ship(thrust=0)), (), False),
        "on the ground": (view(Phase.PLOT, ON_THE_GROUND), (), False),
        "beside another's burn": (
            view(Phase.PLOT, own_ship(), own_ship(id=S2)),
            ("thrust S2 N",),
            True,
        ),
    },
)
def test_thrust_ends_a_move_on_each_square_in_space_to_which_check_lets_it(
    seen: View, orders: tuple[Written, ...], is_any: bool
) -> None:
    plan = read_on(seen, *orders)
    found = burn_ends(seen, seen.own[0], plan)
    assert set(found) == every_end(seen, plan)
    assert len(found) == len(set(found))
    assert bool(found) is is_any


def test_the_thrust_that_is_planned_gives_way_to_another() -> None:
    seen = view(Phase.PLOT)
    (ship,) = seen.own
    turned = read_on(seen, "turn S1 +1")
    burning = read_on(seen, "turn S1 +1", "thrust S1 N")
    assert burn_ends(seen, ship, burning) == burn_ends(seen, ship, turned)


def test_in_no_other_window_does_thrust_end_anywhere() -> None:
    for phase in Phase:
        if phase is not Phase.PLOT:
            assert burn_ends(view(phase), own_ship()) == ()


def test_of_a_plan_all_is_kept_but_the_orders_of_a_piece_of_one_kind() -> None:
    seen = view(Phase.PLOT, own_ship(), own_ship(id=S2))
    plan = read_on(seen, "turn S1 +1", "thrust S1 N", "thrust S2 N")
    assert without(plan, S1, Thrust) == (plan[0], plan[2])


# On the ground.

JUMPER = replace(GUARD, jump=9)
STATIONED = ground_view(turn=1, areas=AREAS)


def moves(unit: GroundView, *path: Cell, jump: bool = False) -> Move:
    return Move(ship=unit.id, path=path, jump=jump)


def allowed(seen: View, plan: tuple[Order, ...], move: Move) -> bool:
    return check(seen, (*without(plan, move.ship, Move), move)) is None


@cases(
    ("seen", "orders", "start", "is_any"),
    {
        "a guard": (ground_view(), (), (2, 2), True),
        "one who is to move elsewhere": (ground_view(), ("move G1 D3",), (2, 2), True),
        "one who is stationed elsewhere": (STATIONED, ("station G1 Ceres 1 B2",), (1, 1), True),
        "one aboard a ship": (ground_view(Phase.PLOT, ABOARD), (), (2, 2), False),
        "one who is dead": (ground_view(Phase.PLOT, LOST), (), (2, 2), False),
        "one who can't move": (ground_view(Phase.PLOT, replace(GUARD, move=0)), (), (2, 2), False),
        "a later window": (ground_view(Phase.SCAN), (), (2, 2), False),
        "a place that is not there": (
            ground_view(Phase.PLOT, replace(GUARD, site=SITE._replace(environs=9))),
            (),
            (2, 2),
            False,
        ),
    },
)
def test_a_unit_walks_to_each_cell_to_which_check_lets_it(
    seen: View, orders: tuple[Written, ...], start: tuple[int, int], is_any: bool
) -> None:
    plan = read_on(seen, *orders)
    (unit,) = seen.ground
    found = walk_paths(seen, unit, plan)
    assert bool(found) is is_any
    environs = seen.board.environs_at(SITE)
    assert environs is not None
    for cell, path in found.items():
        assert path[-1] == cell
        assert allowed(seen, plan, moves(unit, *path))
    # Nor is any cell beside those within reach.
    for path in ((), *found.values()):
        here = path[-1] if path else Cell(*start)
        for there in beside(environs, here):
            if there not in found and there != Cell(*start):
                assert not allowed(seen, plan, moves(unit, *path, there))


@cases(
    ("seen", "orders", "start", "is_any"),
    {
        "a jumper": (ground_view(Phase.PLOT, JUMPER), (), (2, 2), True),
        "one who is to move elsewhere": (
            ground_view(Phase.PLOT, JUMPER),
            ("move G1 D3",),
            (2, 2),
            True,
        ),
        "one who is stationed elsewhere": (
            ground_view(Phase.PLOT, JUMPER, turn=1, areas=AREAS),
            ("station G1 Ceres 1 B2",),
            (1, 1),
            True,
        ),
        "one who can't jump": (ground_view(), (), (2, 2), False),
        "one aboard a ship": (ground_view(Phase.PLOT, replace(ABOARD, jump=9)), (), (2, 2), False),
        "one who is dead": (ground_view(Phase.PLOT, replace(LOST, jump=9)), (), (2, 2), False),
        "a later window": (ground_view(Phase.SCAN, JUMPER), (), (2, 2), False),
        "a place that is not there": (
            ground_view(Phase.PLOT, replace(JUMPER, site=SITE._replace(environs=9))),
            (),
            (2, 2),
            False,
        ),
    },
)
def test_a_unit_jumps_to_each_cell_to_which_check_lets_it(
    seen: View, orders: tuple[Written, ...], start: tuple[int, int], is_any: bool
) -> None:
    plan = read_on(seen, *orders)
    (unit,) = seen.ground
    environs = seen.board.environs_at(SITE)
    assert environs is not None
    cells = [Cell(x, y) for y in range(environs.rows) for x in range(environs.columns)]
    others = [cell for cell in cells if cell != Cell(*start)]
    expected = [cell for cell in others if allowed(seen, plan, moves(unit, cell, jump=True))]
    assert list(jump_ends(seen, unit, plan)) == expected
    assert bool(expected) is is_any


def test_no_walk_is_longer_than_a_path_may_be() -> None:
    lane = Environs(number=1, sector=Compass.N, width=2 * (PATH_MOST + 4), height=2)
    planet = Planet(name="Ceres", at=Square(15, 12), size=BOARD.planets[0].size, environs=(lane,))
    runner = replace(GUARD, move=10 * PATH_MOST, cell=Cell(0, 0))
    seen = replace(ground_view(Phase.PLOT, runner), board=Board(planets=(planet,)))
    assert set(walk_paths(seen, runner)) == {Cell(x, 0) for x in range(1, PATH_MOST + 1)}
