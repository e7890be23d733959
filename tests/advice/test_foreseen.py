"""What is foreseen of the own side: of any orders whatever, and switch by switch."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from builders.advice import BY_CERES
from builders.groundadvice import AREAS, ground_view
from builders.views import BOARD, ON_CERES, ON_ROCK, ORDERS, S1, own_ship, view, views
from sunglare_client.advice import Advice
from sunglare_protocol.geometry import Compass, Square, Vector
from sunglare_protocol.orders import (
    Aim,
    Cloak,
    Deploy,
    Land,
    Launch,
    Lift,
    Order,
    Power,
    Rotate,
    Scan,
    Sensors,
    Thrust,
    Turn,
)
from sunglare_protocol.orders.agents import NOWHERE, Stand
from sunglare_protocol.views import OwnView, View, VolleyView, WeaponView
from sunglare_protocol.words.armament import Launchable, WeaponKind
from sunglare_protocol.words.ladder import Fate, Phase
from sunglare_protocol.words.pieces import Arc, PieceKind
from sunglare_protocol.words.scans import ScanSize, ScanType
from sunglare_protocol.words.specials import Special
from sunglare_rules.advice.odds.after import after, scanning
from sunglare_rules.turn.movement import MoveEnding, ending


def foreseen(ship: OwnView, *orders: Order, phase: Phase = Phase.PLOT) -> OwnView:
    """Return the ship as it is foreseen after legal orders."""
    now = view(phase, ship)
    assert Advice(now).check(orders) is None
    (found,) = Advice(now).after(orders).own
    return found


FOREIGN = ("contacts", "record", "surfaces", "alerts", "found", "spied", "points", "board")


@given(views(), st.lists(ORDERS, max_size=4))
def test_whatever_is_ordered_the_own_ships_stay_and_nothing_foreign_changes(
    now: View, orders: list[Order]
) -> None:
    then = Advice(now).after(orders)
    assert [ship.id for ship in then.own] == [ship.id for ship in now.own]
    for before, later in zip(now.own, then.own, strict=True):
        if before.fate is not Fate.IN_PLAY:
            assert later == before
        elif later.fate is Fate.IN_PLAY and now.stage.phase is Phase.PLOT:
            assert ending(now.board, later.square) is MoveEnding.FLIES
    for name in FOREIGN:
        assert getattr(then, name) == getattr(now, name)


@given(views((Phase.DETECT, Phase.ENGAGE, Phase.OVER)), st.lists(ORDERS, max_size=4))
def test_of_windows_of_dice_nothing_is_foreseen(now: View, orders: list[Order]) -> None:
    assert Advice(now).after(orders) == now


def test_a_ship_without_orders_drifts() -> None:
    then = foreseen(own_ship(square=Square(7, 27), vector=Vector(2, -1)))
    assert (then.square, then.vector) == (Square(9, 26), Vector(2, -1))
    assert (then.thrust_spent, then.thrust_used) == (0, 0)


def test_thrust_and_turn_are_used() -> None:
    turned = Turn(ship=S1, steps=1)
    burnt = Thrust(ship=S1, to=(Compass.NE, Compass.E))
    then = foreseen(own_ship(thrust_spent=5), turned, burnt)
    assert (then.square, then.facing) == (Square(9, 26), Compass.NE)
    assert (then.thrust_spent, then.thrust_used) == (2, 3)
    back = foreseen(own_ship(), Turn(ship=S1, steps=-1), Thrust(ship=S1, to=(Compass.NW,)))
    assert (back.thrust_spent, back.thrust_used) == (1, 2)


def test_a_plant_goes_off_at_once_and_on_a_turn_later() -> None:
    assert not foreseen(own_ship(), Power(ship=S1, on=False)).powered
    cold = own_ship(powered=False, popped_out=False)
    started = foreseen(cold, Power(ship=S1, on=True))
    assert (started.powered, started.starting) == (False, True)
    running = foreseen(started)
    assert (running.powered, running.starting) == (True, False)


def test_a_ship_whose_plant_goes_off_keeps_jammer_and_probe_and_is_as_if_armoured() -> None:
    equipped = own_ship(specials=(Special.ECM, Special.PRB), ecm=True)
    then = foreseen(equipped, Power(ship=S1, on=False))
    assert then.specials == (Special.ECM, Special.PRB, Special.MAS)
    assert then.ecm


def test_what_cloaks_folds_its_sensors() -> None:
    then = foreseen(own_ship(cloak=True), Cloak(ship=S1, on=True))
    assert (then.cloaked, then.popped_out) == (True, False)


def test_sensors_and_turrets_are_as_they_are_ordered() -> None:
    then = foreseen(
        own_ship(), Sensors(ship=S1, out=False), Rotate(ship=S1, turret="T1", to=Arc.LEFT)
    )
    assert not then.popped_out
    assert [turret.arcs for turret in then.turrets] == [(Arc.LEFT,)]
    assert Arc.LEFT in then.firing_arcs
    assert Arc.RIGHT not in then.firing_arcs


def test_a_ship_that_lands_is_down_at_rest_with_folded_sensors() -> None:
    over = own_ship(square=Square(30, 30))
    then = foreseen(over, Land(ship=S1, body="Rock", sector=Compass.E))
    assert (then.landed, then.square, then.vector) == (ON_ROCK, Square(30, 30), Vector(0, 0))
    assert not then.popped_out
    down = foreseen(replace(BY_CERES, thrust_spent=5), Land(ship=S1, body="Ceres", environs=1))
    assert (down.landed, down.thrust_spent, down.thrust_used) == (ON_CERES, 1, 0)


def test_a_ship_that_lifts_off_flies_from_its_sector() -> None:
    down = own_ship(square=Square(14, 13), landed=ON_CERES, popped_out=False)
    then = foreseen(down, Lift(ship=S1))
    assert (then.landed, then.square, then.facing) == (None, Square(14, 13), Compass.SW)
    assert then.thrust_spent == 1


def test_what_a_ship_on_a_body_has_used_is_that_of_this_turn() -> None:
    down = own_ship(square=Square(14, 13), landed=ON_CERES, popped_out=False, thrust_used=5)
    assert foreseen(down).thrust_used == foreseen(down).thrust_spent == 0
    assert foreseen(down, Lift(ship=S1)).thrust_used == 1
    over = own_ship(square=Square(30, 30), thrust_used=5)
    landed = foreseen(replace(over, thrust_spent=5), Land(ship=S1, body="Rock", sector=Compass.E))
    assert (landed.thrust_used, landed.thrust_spent) == (0, 0)
    assert foreseen(replace(down, thrust_spent=5)).thrust_spent == 0


def test_a_volley_goes_on_to_where_it_was_sent_unless_it_is_sent_elsewhere() -> None:
    sent = VolleyView(missiles=4, aim=Square(10, 27), movements=1)
    flying = own_ship(square=Square(7, 27), kind=PieceKind.MISSILE, volley=sent)
    for orders, aim in (((), Square(10, 27)), ((Aim(ship=S1, at=Square(9, 24)),), Square(9, 24))):
        (then,) = Advice(view(Phase.PLOT, flying)).after(orders).own
        assert then.volley == VolleyView(missiles=4, aim=aim, movements=2)


def test_a_ship_that_leaves_the_map_or_crashes_is_gone_from_where_it_was() -> None:
    leaves = own_ship(square=Square(0, 5), vector=Vector(-2, 0))
    assert foreseen(leaves).fate is Fate.ESCAPED
    crashes = own_ship(square=Square(15, 20), vector=Vector(0, -8))
    assert ending(BOARD, Square(15, 12)) is MoveEnding.CRASHES
    assert (foreseen(crashes).fate, foreseen(crashes).square) == (Fate.DESTROYED, Square(15, 20))


def test_a_ship_is_deployed_before_it_moves() -> None:
    now = view(Phase.PLOT, turn=1, zone=("A6",))
    order = Deploy(ship=S1, at=Square(2, 27), vector=Vector(1, 0), facing=Compass.E)
    then = Advice(now).after([order])
    assert (then.own[0].square, then.own[0].facing) == (Square(3, 27), Compass.E)
    assert (then.stage.phase, then.zone) == (Phase.SCAN, ())


def test_a_scan_is_remembered_and_one_more_of_the_same_builds_on_it() -> None:
    scan = Scan(ship=S1, type=ScanType.VISUAL, size=ScanSize.BOX, at="B5")
    first = foreseen(own_ship(), scan, phase=Phase.SCAN)
    assert first.habit is not None
    assert (first.habit.turn, first.habit.at, first.habit.streak) == (3, Square(7, 22), 0)
    again = Advice(view(Phase.SCAN, first, turn=4)).after([scan])
    assert again.own[0].habit is not None
    assert again.own[0].habit.streak == 1


def ordered(ship: OwnView, *orders: Order) -> OwnView:
    """Return the ship as it is foreseen after orders of a PLOT, allowed or not."""
    (found,) = after(view(Phase.PLOT, ship), orders).own
    return found


JAMMER = own_ship(specials=(Special.ECM,), ecm=True)


def test_a_running_plant_leaves_the_abilities_as_they_are() -> None:
    assert foreseen(JAMMER).specials == (Special.ECM,)
    assert foreseen(JAMMER).ecm is True


def test_a_jammer_is_switched_while_the_plant_runs_on() -> None:
    then = foreseen(JAMMER, Power(ship=S1, on=True, ecm=False))
    assert (then.ecm, then.powered, then.starting) == (False, True, False)


def test_a_ship_without_a_jammer_has_none_that_is_on() -> None:
    assert ordered(own_ship(specials=(), ecm=True)).ecm is None
    assert (
        ordered(own_ship(specials=(Special.ECM,)), Power(ship=S1, on=True, ecm=True)).ecm is None
    )


@pytest.mark.parametrize(("goal", "bound_for"), [(NOWHERE, None), ("Ceres", "Ceres")])
def test_a_standing_order_changes_where_a_ship_is_bound(goal: str, bound_for: str | None) -> None:
    bound = own_ship(bound_for="Vesta")
    assert ordered(bound, Stand(ship=S1, bound_for=goal)).bound_for == bound_for
    assert ordered(bound).bound_for == "Vesta"


def test_weapons_fire_through_their_own_arcs_and_those_that_do_not_work_through_none() -> None:
    weapons = (
        WeaponView(id="side", kind=WeaponKind.BEAM, arc=Arc.LEFT),
        WeaponView(id="wreck", kind=WeaponKind.BEAM, arc=Arc.REAR, works=False),
    )
    assert foreseen(own_ship(weapons=weapons)).firing_arcs == (Arc.LEFT,)


def test_a_remote_sensor_drifts_and_stays_what_it_is() -> None:
    remote = own_ship(kind=PieceKind.REMOTE, vector=Vector(1, 0), weapons=(), turrets=())
    odd = replace(remote, firing_arcs=(Arc.REAR,))
    there = replace(odd, square=Square(8, 27), thrust_spent=0, thrust_used=0)
    assert foreseen(odd) == there


def test_fighters_that_are_launched_are_no_more_aboard() -> None:
    carrier = own_ship(flights=3)
    launch = Launch(ship=S1, what=Launchable.FIGHTER)
    assert ordered(carrier, launch, launch).flights == 1
    remote = Launch(ship=S1, what=Launchable.REMOTE)
    assert ordered(carrier, remote).flights == 3
    down = replace(carrier, square=Square(14, 13), landed=ON_CERES)
    assert ordered(down, launch).flights == 3


def test_a_scan_that_names_no_place_is_not_remembered() -> None:
    now = view(Phase.SCAN)
    scan = Scan(ship=S1, type=ScanType.VISUAL, size=ScanSize.BOX, at="Z9")
    assert after(now, (scan,)) == now


def test_a_scan_is_remembered_by_place_kind_and_size() -> None:
    scan = Scan(ship=S1, type=ScanType.VISUAL, size=ScanSize.BOX, at="B5")
    habit = foreseen(own_ship(), scan, phase=Phase.SCAN).habit
    assert habit is not None
    assert (habit.square, habit.type, habit.size) == (
        own_ship().square,
        ScanType.VISUAL,
        ScanSize.BOX,
    )


def test_the_places_of_a_set_up_are_gone_with_its_window() -> None:
    now = ground_view(turn=1, areas=AREAS)
    assert now.areas
    assert after(now, ()).areas == ()


def test_a_scan_is_made_after_the_move_of_the_plot_and_in_its_own_window_at_once() -> None:
    turn = (Turn(ship=S1, steps=1),)
    plot = view(Phase.PLOT)
    assert scanning(plot, turn) == after(plot, turn) != plot
    scan = (Scan(ship=S1, type=ScanType.VISUAL, size=ScanSize.BOX, at="B5"),)
    assert scanning(view(Phase.SCAN), scan) == view(Phase.SCAN)
