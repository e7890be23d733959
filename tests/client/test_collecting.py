"""The raider at moments: how it fetches under its cloaks, answers, and lies in wait for others."""

import pytest
from msgspec.structs import replace

from builders.bots import contact, corvette, seen
from builders.data import CLASSES
from builders.fakeserver import CARD, MATCH, SIDE
from builders.scenarios import scenarios
from sunglare_client.advice import Advice
from sunglare_client.bot import BotMatch, decide
from sunglare_client.bots.collecting import Collecting
from sunglare_protocol.geometry import Asteroid, Board, Compass, Square, Vector
from sunglare_protocol.ids import Handle, OwnId, Side
from sunglare_protocol.orders import (
    Cloak,
    Deploy,
    Fire,
    Listen,
    Order,
    Scan,
    Sensors,
    Sweep,
    Thrust,
)
from sunglare_protocol.views import (
    CloakRules,
    ContactView,
    HuntView,
    ObjectiveView,
    OwnView,
    TrackersView,
    View,
)
from sunglare_protocol.words.ladder import Fix, Phase
from sunglare_protocol.words.victory import ObjectiveKind
from sunglare_rules.turn.movement import AT_REST

STYX, LETHE = Asteroid(name="Styx", at=Square(10, 16)), Asteroid(name="Lethe", at=Square(20, 16))
BOARD = Board(columns=6, rows=6, asteroids=(STYX, LETHE))
TO_COLLECT = tuple(ObjectiveView(kind=ObjectiveKind.COLLECT, body=at.name) for at in (STYX, LETHE))
BATTERIES = ("blind-battery", "short-battery")
ZONES = {SIDE: ("B1", "E1"), Side("B"): ("B5", "C5", "D5", "E5")}


def prowler(name: str, square: Square, **changes: object) -> OwnView:
    """Return a cloaked ship at rest that faces south."""
    ship = replace(corvette(square), id=OwnId(name), facing=Compass.S)
    return replace(ship, **{"cloak": True, "cloaked": True, "popped_out": False, **changes})


def post(name: str, square: Square) -> OwnView:
    ship = replace(corvette(square), id=OwnId(name), thrust=0, weapons=())
    return replace(ship, sensors={}, popped_out=False)


def picket(name: str, square: Square) -> OwnView:
    return replace(corvette(square), id=OwnId(name), facing=Compass.N, popped_out=False)


def shown(
    phase: Phase,
    *ships: OwnView,
    contacts: tuple[ContactView, ...] = (),
    turn: int = 2,
    wanted: tuple[ObjectiveView, ...] = (),
    zone: tuple[str, ...] = (),
) -> View:
    view = seen(phase, ships, contacts, turn=turn, zone=zone, board=BOARD)
    rules = CloakRules(cloaks=True)
    return replace(view, cloak_rules=rules, objectives=wanted, leaves_free=bool(wanted))


def fetching(*ships: OwnView, **changes: object) -> View:
    return shown(Phase.PLOT, *ships, **{"wanted": TO_COLLECT, **changes})  # type: ignore[arg-type]


def started(seed: int = 3) -> Collecting:
    bot = Collecting(seed)
    bot.on_start(BotMatch(match=MATCH, side=SIDE, card=replace(CARD, zones=ZONES)))
    return bot


def ordered(view: View, bot: Collecting | None = None) -> tuple[Order, ...]:
    return decide(bot or started(), view, strict=True)


def found(square: Square, turn: int, fix: Fix = Fix.DETECTED) -> ContactView:
    """Return a cloaked ship that was found in a turn."""
    return ContactView(
        label="C1",
        fix=fix,
        square=square,
        turn=turn,
        handle=Handle("found"),
        vector=AT_REST,
        trackers=TrackersView(),
    )


WEST, EAST = prowler("S1", Square(8, 4)), prowler("S2", Square(22, 4))
LINE = (
    picket("S1", Square(12, 20)),
    picket("S2", Square(28, 20)),
    post("S3", Square(10, 18)),
    post("S4", Square(20, 18)),
)


def test_the_raider_carries_a_cloak() -> None:
    assert CLASSES["raider"].cloak


def test_the_picket_line_has_a_picket_guns_and_ears_and_three_cloaked_ships_that_collect() -> None:
    sides = scenarios()["picket-line"].data.sides
    line, prowlers = (sides[side] for side in sorted(sides))
    types = [ship.type for ship in line.ships]
    counted = [types.count(name) for name in ("sentinel", *BATTERIES, "passive-post")]
    assert counted == [1, 2, 3, 8]
    assert [ship.cloaked for ship in prowlers.ships] == [True, True, True]
    assert {goal.kind for goal in prowlers.objectives} == {ObjectiveKind.COLLECT}
    assert prowlers.leaves_free
    assert not line.leaves_free


def test_who_fetches_begins_cloaked_at_rest_in_the_foremost_row_facing_the_enemy() -> None:
    orders = ordered(fetching(WEST, EAST, turn=1, zone=("B1", "E1")))
    starts = [order for order in orders if isinstance(order, Deploy)]
    assert [start.ship for start in starts] == ["S1", "S2"]
    for start in starts:
        assert (start.at.y, start.facing, start.vector) == (4, Compass.S, AT_REST)
        assert start.cloaked


def test_two_ships_are_bound_for_two_places() -> None:
    view, bot = fetching(WEST, EAST), started()
    ends: dict[Square, OwnId] = {}
    for _ in range(9):
        orders = ordered(view, bot)
        ships = tuple(_flown(view, ship, orders) for ship in view.own)
        ends |= {ship.square: ship.id for ship in ships if ship.vector == AT_REST}
        stage = replace(view.stage, turn=view.stage.turn + 1)
        view = replace(view, own=ships, stage=stage)
        if {STYX.at, LETHE.at} <= set(ends):
            break
    assert {STYX.at, LETHE.at} <= set(ends)
    assert ends[STYX.at] != ends[LETHE.at]


def _flown(view: View, ship: OwnView, orders: tuple[Order, ...]) -> OwnView:
    mine = tuple(order for order in orders if order.ship == ship.id)
    end = Advice(view).flight(ship, mine)
    return replace(ship, square=end.square, vector=end.vector, facing=end.facing)


def test_what_is_met_is_not_gone_for_again() -> None:
    met = tuple(replace(goal, met=True) for goal in TO_COLLECT)
    here = prowler("S1", LETHE.at)
    orders = ordered(fetching(here, wanted=met, turn=15))
    assert any(isinstance(order, Thrust) for order in orders)
    assert not any(isinstance(order, Deploy | Scan) for order in orders)


def test_an_uncloaked_one_hides_if_its_cloak_works() -> None:
    open_one = prowler("S1", Square(8, 4), cloaked=False)
    assert Cloak(ship=OwnId("S1"), on=True) in ordered(fetching(open_one, turn=17))
    broken = replace(open_one, cloak_works=False)
    assert Cloak(ship=OwnId("S1"), on=True) not in ordered(fetching(broken, turn=17))


SWEPT = replace(contact(Square(9, 8), turn=2), signatures=("sweep",))


@pytest.mark.parametrize(
    ("away", "is_found", "fires"),
    [(8, True, True), (8, False, False), (1, False, True)],
    ids=["found", "not found, far", "not found, near"],
)
def test_who_is_found_answers_a_sweep_and_who_is_not_only_where_much_is_to_gain(
    away: int, is_found: bool, fires: bool
) -> None:
    hunted = (HuntView(fix=Fix.DETECTED, trackers=TrackersView()),) if is_found else ()
    ship = prowler("S1", Square(9, 8 - away), hunted=hunted)
    view = replace(fetching(ship, contacts=(SWEPT,)), stage=seen(Phase.ENGAGE, (), turn=2).stage)
    assert list(Advice(view).shots())
    assert any(isinstance(order, Fire) for order in ordered(view)) is fires


def test_an_ambush_lies_at_rest_around_the_asteroids_with_its_sensors_folded() -> None:
    zone = ("B4", "C4", "D4", "E4", "B5", "C5", "D5", "E5")
    orders = ordered(shown(Phase.PLOT, *LINE, turn=1, zone=zone))
    starts = [order for order in orders if isinstance(order, Deploy)]
    assert [start.ship for start in starts] == ["S1", "S2", "S3", "S4"]
    assert {start.vector for start in starts} == {Vector(0, 0)}
    near = [min(start.at.distance_squared(rock.at) for rock in (STYX, LETHE)) for start in starts]
    assert max(near) <= 50
    assert {order.out for order in orders if isinstance(order, Sensors)} == {False}


def test_an_ambush_uses_no_thrust() -> None:
    heard = found(Square(11, 12), 2)
    assert ordered(shown(Phase.PLOT, *LINE, contacts=(heard,), turn=3)) == ()


@pytest.mark.parametrize(
    ("contacts", "turn", "sweeper"),
    [
        ((), 3, None),
        ((), 5, "S1"),
        ((), 6, None),
        ((), 8, "S2"),
        ((found(Square(13, 14), 6),), 7, "S2"),
        ((found(Square(13, 2), 6),), 7, None),
        ((found(Square(13, 14), 3),), 7, None),
    ],
    ids=["early", "due", "not due", "due again", "in reach", "out of reach", "long ago"],
)
def test_an_armed_ship_sweeps_where_guns_reach_what_was_found_and_now_and_then(
    contacts: tuple[ContactView, ...], turn: int, sweeper: str | None
) -> None:
    orders = ordered(shown(Phase.DETECT, *LINE, contacts=contacts, turn=turn))
    sweeps = [order.ship for order in orders if isinstance(order, Sweep)]
    assert sweeps == ([] if sweeper is None else [sweeper])
    ears = {order.ship for order in orders if isinstance(order, Listen) and order.on}
    assert ears == {"S1", "S2", "S3", "S4"} - set(sweeps)
