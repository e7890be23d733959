"""The lists of legal orders: complete where they are finite, and never wrong."""

from itertools import islice

from hypothesis import given
from msgspec.structs import replace

from builders.ground import FAR_SITE, SITE, planet
from builders.orders import read, typed
from builders.terminals import AGENT, GUARD, with_ground
from builders.terminals import view as ground_view
from builders.views import C2, ON_ROCK, ROCK, S1, S2, WEAPONS, contact, own_ship, view, views
from sunglare_protocol.geometry import Board, Compass, Landing, Square, Vector
from sunglare_protocol.orders import (
    Bombard,
    Deploy,
    Lift,
    Order,
    Power,
    Rotate,
    Scan,
    Sensors,
    Thrust,
    Turn,
)
from sunglare_protocol.orders.agents import Stand
from sunglare_protocol.surface import Arm, Cell
from sunglare_protocol.views import View, WeaponView
from sunglare_protocol.views.ground import ArmView, SurfaceView, TokenView
from sunglare_protocol.words.armament import WeaponKind
from sunglare_protocol.words.ladder import Fix, Phase
from sunglare_protocol.words.pieces import Arc
from sunglare_protocol.words.scans import ScanSize, ScanType
from sunglare_protocol.words.search import FightPolicy
from sunglare_rules.advice.check.check import check
from sunglare_rules.advice.legal.legal import bombardments, legal, plots, scans, shots
from sunglare_rules.advice.legal.shots import LegalShot, aimed_shots


@given(views())
def test_every_legal_order_is_allowed(seen: View) -> None:
    for order in legal(seen):
        assert check(seen, (order,)) is None


@given(views(phases=(Phase.PLOT,)))
def test_every_plan_is_allowed_as_a_whole(seen: View) -> None:
    for ship in seen.own:
        for plan in plots(seen, ship):
            assert check(seen, plan) is None


@given(views(phases=(Phase.SCAN, Phase.PLOT)))
def test_every_scan_is_allowed(seen: View) -> None:
    for ship in seen.own:
        for order in scans(seen, ship):
            assert check(seen, (order,)) is None


@given(views(phases=(Phase.ENGAGE, Phase.SCAN)))
def test_every_shot_is_allowed(seen: View) -> None:
    for order in shots(seen):
        assert check(seen, (order,)) is None


def kinds(orders: tuple[Order, ...]) -> set[type[Order]]:
    """Return the kinds among the orders."""
    return {type(order) for order in orders}


def test_a_ship_in_space_has_these_kinds_of_order() -> None:
    found = legal(view(Phase.PLOT))
    assert kinds(found) == {Turn, Thrust, Power, Sensors, Rotate}
    assert [order.steps for order in found if isinstance(order, Turn)] == [-2, -1, 1, 2]
    rotations = [order.to for order in found if isinstance(order, Rotate)]
    assert rotations == [Arc.FRONT, Arc.REAR, Arc.LEFT]


def test_a_landed_ship_has_these_kinds_of_order() -> None:
    ship = own_ship(square=ROCK.at, landed=ON_ROCK, popped_out=False)
    assert kinds(legal(view(Phase.PLOT, ship))) == {Lift, Power, Rotate}


def test_a_ship_in_turn_1_is_deployed_in_the_middle_of_every_box_of_its_zone() -> None:
    found = legal(view(Phase.PLOT, turn=1, zone=("A1", "B1", "D3")))
    deployed = [order.at for order in found if isinstance(order, Deploy)]
    assert deployed == [Square(2, 2), Square(7, 2), Square(17, 12)]


def test_scans_are_listed_with_one_centre_for_each_type_and_size() -> None:
    found = legal(view(Phase.SCAN, slot="A"))
    assert {(order.type, order.size, order.at) for order in found if isinstance(order, Scan)} == {
        (scan_type, size, at)
        for scan_type in ScanType
        for size, at in (
            (ScanSize.SQUARE, Square(7, 27)),
            (ScanSize.SQUARES, Square(7, 27)),
            (ScanSize.BOX, "B6"),
            (ScanSize.BOXES, "B6"),
        )
    }


def test_another_sides_slot_a_closed_window_and_the_end_offer_nothing() -> None:
    assert legal(view(Phase.SCAN, slot="B")) == ()
    assert list(scans(view(Phase.SCAN, slot="B"), own_ship())) == []
    assert legal(view(Phase.OVER)) == ()
    assert list(plots(view(Phase.SCAN), own_ship())) == []
    assert list(shots(view(Phase.PLOT, contacts=(contact(),)))) == []


def test_all_scans_of_a_ship_are_every_box_and_the_squares_about_it() -> None:
    found = list(scans(view(Phase.SCAN, slot="A"), own_ship()))
    # Two box sizes on 64 boxes, the own box of 25 squares, nine boxes of 25 squares.
    assert len(found) == 5 * (2 * 64 + 25 + 9 * 25)
    assert len(set(found)) == len(found)
    assert all(order.sense for order in found)


def test_boxes_are_listed_row_after_row_from_the_north() -> None:
    seen = replace(view(Phase.SCAN, own_ship(square=Square(7, 7))), board=Board(columns=3, rows=2))
    found = (scan.at for scan in scans(seen, seen.own[0]) if scan.size is ScanSize.BOX)
    assert list(islice(found, 6)) == ["A1", "B1", "C1", "A2", "B2", "C2"]


def test_a_ship_in_the_corner_has_fewer_squares_about_it() -> None:
    ship = own_ship(square=Square(0, 0), popped_out=False)
    found = list(scans(view(Phase.SCAN, ship, slot="A"), ship))
    assert len(found) == 2 * (2 * 64 + 25 + 4 * 25)


def test_plans_of_a_drive_hold_every_turn_and_every_sum_of_thrust_once() -> None:
    ship = own_ship(thrust=2)
    plans = list(plots(view(Phase.PLOT, ship), ship))
    assert len(set(plans)) == len(plans)
    assert () in plans
    moves = {tuple(order for order in plan if isinstance(order, Turn | Thrust)) for plan in plans}
    # Drift, four turns, and for each of three turns one or two points into three headings.
    assert len(moves) == 1 + 4 + 3 * (3 + 6)


def test_plans_combine_moves_with_switches_that_leave_them_possible() -> None:
    plans = list(plots(view(Phase.PLOT), own_ship()))
    assert read("power S1 off; sensors S1 in; turn S1 +1") in plans
    assert read("sensors S1 in; thrust S1 N") in plans
    assert all(kinds(plan) != {Power, Thrust} for plan in plans)


def test_plans_land_and_lift_off() -> None:
    slow = own_ship(square=Square(14, 13), vector=Vector(1, 0))
    plans = list(plots(view(Phase.PLOT, slow), slow))
    assert read("land S1 Ceres 1") in plans
    landed = own_ship(square=ROCK.at, landed=ON_ROCK, popped_out=False)
    plans = list(plots(view(Phase.PLOT, landed), landed))
    assert read("lift S1") in plans
    assert all(kinds(plan) <= {Lift, Power} for plan in plans)


def test_shots_are_all_weapons_of_all_ships_at_all_they_bear_on() -> None:
    # S1 faces north: beam ahead, torpedo astern, turret to the right. S2 faces south.
    ahead = contact()
    astern = contact(handle=C2, square=Square(7, 32))
    stale = contact(handle=None, fix=Fix.MEMORY)
    turned = own_ship(id=S2, facing=Compass.S)
    seen = view(Phase.ENGAGE, own_ship(), turned, contacts=(ahead, astern, stale))
    ones, twos = "fire S1.beam aaaaaa; fire S1.torpedo bbbbbb", "fire S2.beam bbbbbb"
    expected = read(ones, twos, "fire S2.torpedo aaaaaa")
    assert tuple(shots(seen)) == expected
    assert legal(seen) == expected


NEEDLE = WeaponView(id="needle", kind=WeaponKind.NEEDLE, arc=Arc.FRONT)
NOVA_GUN = WeaponView(id="nova", kind=WeaponKind.NOVA)


def test_a_needle_beam_is_also_listed_at_the_drive_and_a_nova_gun_without_a_target() -> None:
    ship = own_ship(weapons=(*WEAPONS, NEEDLE, NOVA_GUN))
    seen = view(Phase.ENGAGE, ship, contacts=(contact(),))
    expected = read("fire S1.beam aaaaaa; fire S1.needle aaaaaa; fire S1.nova")
    assert tuple(shots(seen)) == expected
    assert legal(seen) == (*expected, typed("fire S1.needle aaaaaa drive"))


def test_a_legal_shot_of_a_nova_gun_names_ship_and_weapon_and_no_target() -> None:
    ship = own_ship(weapons=(NOVA_GUN,))
    order = typed("fire S1.nova")
    assert list(aimed_shots(view(Phase.ENGAGE, ship))) == [
        LegalShot(order=order, ship=ship, weapon=NOVA_GUN, target=None, bearing=None)
    ]


MISSILE = WeaponView(id="missile", kind=WeaponKind.MSL, damage=(4, 4, 4, 4))
CANNON = WeaponView(id="cannon", kind=WeaponKind.SCAP, arc=Arc.FRONT, damage=(4, 3, 2, 0))
DOWN = Landing(body="Ceres", sector=Compass.N, environs=1, cell=Cell(3, 2))
BATTERY = replace(GUARD, weapons=(ArmView(id="D1", kind=Arm.SDS_CM, damage=(4, 4, 4, 4)),))
HELD = TokenView(label="C6", cell=Cell(9, 1), turn=3, handle=C2)


def besieging(phase: Phase) -> View:
    """Return the view of a landed ship and a battery on a planet with two maps, a token on one."""
    ship = own_ship(square=Square(15, 11), landed=DOWN, weapons=(MISSILE, CANNON))
    return replace(
        view(phase, ship),
        board=Board(planets=(planet(),)),
        ground=(BATTERY,),
        surfaces=(SurfaceView(site=SITE, seen=True, tokens=(HELD,)),),
    )


def test_missiles_are_listed_at_the_tokens_of_a_map_or_its_middle_by_ships_then_by_units() -> None:
    # Both maps are 12 cells wide and 6 high.
    points = ((SITE, HELD.cell), (FAR_SITE, Cell(6, 3)))
    assert list(bombardments(besieging(Phase.ENGAGE))) == [
        Bombard(ship=piece, weapon=weapon, at=site, cell=cell)
        for piece, weapon in ((S1, "missile"), (BATTERY.id, "D1"))
        for site, cell in points
    ]
    assert list(bombardments(besieging(Phase.PLOT))) == []


def test_the_orders_of_agents_are_among_the_legal_ones() -> None:
    found = legal(with_ground(ground_view(Phase.PLOT)))
    for policy in FightPolicy:
        assert Stand(ship=AGENT.id, fight=policy) in found
