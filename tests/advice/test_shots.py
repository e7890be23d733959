"""Shots that the own view allows or not whatever the range: from a cloak, homing, nova guns."""

import msgspec
import pytest

from builders.advice import assert_refused
from builders.views import C1, C2, S1, S2, WEAPONS, contact, own_ship, view
from sunglare_protocol.geometry import Square
from sunglare_protocol.ids import Handle, OwnId
from sunglare_protocol.orders import Bombard, Defend, Fire, Hold, Order
from sunglare_protocol.refusals import Code, Rejected
from sunglare_protocol.surface import Cell, Site
from sunglare_protocol.views import CloakRules, ContactView, OwnView, View, VolleyView, WeaponView
from sunglare_protocol.words.armament import DefencePolicy, WeaponKind
from sunglare_protocol.words.cloak import CloakVariant
from sunglare_protocol.words.ladder import Fix, Phase
from sunglare_protocol.words.pieces import PieceKind
from sunglare_rules.advice.check.check import check
from sunglare_rules.advice.check.returning import answered
from sunglare_server.match.ids import PieceId

MISSILE = WeaponView(id="missile", kind=WeaponKind.MSL, damage=(4, 4, 4, 4))
NOVA_GUN = WeaponView(id="nova", kind=WeaponKind.NOVA)
ARMED = own_ship(weapons=(*WEAPONS, MISSILE))
COLD = own_ship(weapons=(*WEAPONS, MISSILE), powered=False)
HIDDEN = own_ship(cloak=True, cloaked=True, popped_out=False, weapons=(*WEAPONS, MISSILE))
GUNSHIP = own_ship(weapons=(*WEAPONS, NOVA_GUN), point_defence=2)
SWEEPER = contact(signatures=("sweep",))
WORKING = ("beam", "torpedo", "turret beam", "missile")


def engage(
    *ships: OwnView, contacts: tuple[ContactView, ...] = (), jam: bool = False, turn: int = 3
) -> View:
    """Return an ENGAGE window; with `jam` of a match in which a cloaked ship never fires."""
    variant = CloakVariant.JAM if jam else CloakVariant.RETURN_FIRE
    seen = view(Phase.ENGAGE, *ships, contacts=contacts, turn=turn)
    return msgspec.structs.replace(seen, cloak_rules=CloakRules(cloaks=True, variant=variant))


def fire(weapon: str = "beam", at: Handle | None = C1, **fields: object) -> Fire:
    """Return a shot of the first ship."""
    return msgspec.structs.replace(Fire(ship=S1, weapon=weapon, at=at), **fields)


# Weapons held for a cloaked ship that fires.


def test_a_ship_that_shows_holds_a_dumb_weapon_that_works() -> None:
    assert check(engage(ARMED), (Hold(ship=S1, weapon="beam"),)) is None


@pytest.mark.parametrize(
    ("ship", "weapon", "jam", "code", "at"),
    [
        pytest.param(ARMED, "wreck", False, Code.ORDER_WEAPON, "weapon", id="a wreck"),
        pytest.param(HIDDEN, "beam", False, Code.ORDER_CLOAK, "ship", id="a cloaked ship"),
        pytest.param(ARMED, "beam", True, Code.ORDER_CLOAK, "ship", id="in a match of jamming"),
        pytest.param(ARMED, "missile", False, Code.ORDER_WEAPON, "weapon", id="a missile"),
        pytest.param(COLD, "beam", False, Code.ORDER_POWER, "ship", id="without power"),
    ],
)
def test_nothing_else_is_held(ship: OwnView, weapon: str, jam: bool, code: Code, at: str) -> None:
    problem = check(engage(ship, jam=jam), (Hold(ship=S1, weapon=weapon),))
    assert_refused(problem, code, f"$.orders[0].{at}")
    assert problem is not None
    dumb = tuple(kind for kind in WORKING if kind != "missile")
    offered = {"wreck": WORKING, "missile": dumb}
    assert problem.choices == (offered[weapon] if code is Code.ORDER_WEAPON else ())


def test_an_area_weapon_is_not_held_and_nothing_is_held_beside_a_nova_gun() -> None:
    seen = engage(GUNSHIP)
    problem = check(seen, (Hold(ship=S1, weapon="nova"),))
    assert_refused(problem, Code.ORDER_WEAPON, "$.orders[0].weapon")
    both = (Fire(ship=S1, weapon="nova"), Hold(ship=S1, weapon="beam"))
    assert check(seen, both[:1]) is None
    assert_refused(check(seen, both), Code.ORDER_NOVA, "$.orders[0]")


def test_nothing_is_held_where_nobody_has_a_cloak() -> None:
    seen = msgspec.structs.replace(engage(ARMED), cloak_rules=CloakRules())
    problem = check(seen, (Hold(ship=S1, weapon="beam"),))
    assert_refused(problem, Code.ORDER_CLOAK, "$.orders[0].ship")


# Shots from a cloak.


def test_a_cloaked_ship_fires_at_a_ship_that_swept_this_turn() -> None:
    assert check(engage(HIDDEN, contacts=(SWEEPER,)), (fire(),)) is None


@pytest.mark.parametrize(
    ("weapon", "held", "jam", "at"),
    [
        pytest.param("beam", contact(), False, "at", id="at a ship that did not sweep"),
        pytest.param(
            "beam",
            msgspec.structs.replace(SWEEPER, turn=2),
            False,
            "at",
            id="that swept last turn",
        ),
        pytest.param("missile", SWEEPER, False, "weapon", id="with a missile"),
        pytest.param("beam", SWEEPER, True, "ship", id="in a match of jamming"),
    ],
)
def test_a_cloaked_ship_fires_nothing_else(
    weapon: str, held: ContactView, jam: bool, at: str
) -> None:
    problem = check(engage(HIDDEN, contacts=(held,), jam=jam), (fire(weapon),))
    assert_refused(problem, Code.ORDER_CLOAK, f"$.orders[0].{at}")


# Answers.

ONE, TWO = PieceId("B/S1"), PieceId("B/S2")


def by_name(piece: str) -> bytes:
    return piece.encode()


def against_name(piece: str) -> bytes:
    return bytes(255 - byte for byte in piece.encode())


def answer(
    shooters: dict[PieceId, Handle | Square], *held: ContactView, weapon: str = "beam"
) -> PieceId | None:
    """Return whom a held weapon answers; a die would take the lower id."""
    return answered(engage(contacts=held), Hold(ship=S1, weapon=weapon), shooters, by_name)


def solved(handle: Handle, x: int, y: int) -> ContactView:
    """Return a cloaked ship in that square that the side has a solution on."""
    return contact(handle=handle, fix=Fix.SOLUTION, square=Square(x, y))


def test_a_held_weapon_answers_the_nearest_that_it_can_hit() -> None:
    assert answer({ONE: Square(7, 22), TWO: Square(7, 23)}) == TWO
    assert answer({ONE: Square(7, 22), TWO: Square(7, 30)}) == ONE
    assert answer({ONE: C1, TWO: Square(7, 22)}, solved(C1, 7, 18)) == TWO
    assert answer({ONE: C1}, solved(C1, 7, 18)) == ONE


def test_the_range_is_long_without_a_solution_and_true_with_one() -> None:
    # The beam of class 2 reaches 24 mu; 9 squares are 21.6 of them and count as 43.2.
    assert answer({ONE: C1}, solved(C1, 7, 18)) == ONE
    assert answer({ONE: Square(7, 18)}) is None
    assert answer({ONE: C1}, contact(handle=C1, fix=Fix.DETECTED, square=Square(7, 18))) is None


def test_a_held_weapon_answers_nobody_if_it_cannot() -> None:
    assert answer({}) is None
    assert answer({ONE: Square(7, 31)}) is None
    assert answer({ONE: C2}) is None
    assert answer({ONE: C2}, solved(C1, 7, 22), solved(C2, 7, 31)) is None
    assert answer({ONE: Square(7, 22)}, weapon="wreck") is None
    gone = Hold(ship=OwnId("S9"), weapon="beam")
    assert answered(engage(), gone, {ONE: Square(7, 22)}, by_name) is None


def test_a_die_decides_between_ships_equally_near() -> None:
    there: dict[PieceId, Handle | Square] = {ONE: Square(6, 23), TWO: Square(8, 23)}
    held = Hold(ship=S1, weapon="beam")
    ties = (by_name, against_name, lambda _: b"")
    assert [answered(engage(), held, there, tie) for tie in ties] == [ONE, TWO, ONE]


# Points and homing weapons.


def test_a_ship_fires_at_points_by_bombarding() -> None:
    problem = check(engage(contacts=(contact(),)), (fire(point=Cell(2, 2)),))
    assert_refused(problem, Code.ORDER_PIECE, "$.orders[0].point")


VOLLEY = own_ship(
    kind=PieceKind.MISSILE,
    volley=VolleyView(missiles=4, aim=Square(7, 27), movements=1),
    weapons=(WeaponView(id="M1", kind=WeaponKind.SALVO, rank=4),),
)
TRACK = contact(fix=Fix.TRACKED, handle=C2, square=Square(8, 27))
SOLVED = contact(fix=Fix.SOLUTION, handle=Handle("cccccc"), square=Square(6, 27))


@pytest.mark.parametrize("fix", [Fix.CONTACT, Fix.DETECTED])
def test_a_homing_weapon_needs_a_live_track_or_a_solution(fix: Fix) -> None:
    near = contact(fix=fix, square=Square(7, 26))
    seen = engage(VOLLEY, contacts=(near, TRACK, SOLVED))
    problem = check(seen, (fire("M1"),))
    assert_refused(problem, Code.ORDER_STATE, "$.orders[0].at")
    assert problem is not None
    assert problem.choices == (TRACK.handle, SOLVED.handle)
    assert check(seen, (fire("M1", TRACK.handle),)) is None
    assert check(seen, (fire("M1", SOLVED.handle),)) is None


# Nova guns.

NOVA = fire("nova", None)


def nova(*orders: Order, ship: OwnView = GUNSHIP) -> Rejected | None:
    """Return what ENGAGE says to the orders of that ship and another one, with a contact ahead."""
    return check(engage(ship, own_ship(id=S2), contacts=(contact(),)), orders)


@pytest.mark.parametrize(
    "others",
    [
        pytest.param((), id="alone"),
        pytest.param((Defend(ship=S1, policy=DefencePolicy.HOLD),), id="beside point defence"),
        pytest.param((Fire(ship=S2, weapon="beam", at=C1),), id="beside another ship's beam"),
    ],
)
def test_a_nova_gun_is_the_only_thing_its_ship_fires(others: tuple[Order, ...]) -> None:
    assert nova(NOVA, *others) is None
    assert nova(*others, NOVA) is None


@pytest.mark.parametrize(
    "other",
    [fire(), Bombard(ship=S1, weapon="beam", at=Site("Ceres", 1), cell=Cell(1, 1))],
    ids=["at a piece", "at a point"],
)
def test_a_nova_gun_is_not_fired_with_anything_else(other: Order) -> None:
    assert_refused(nova(NOVA, other), Code.ORDER_NOVA, "$.orders[0]")


@pytest.mark.parametrize(
    ("order", "ship", "code", "at"),
    [
        pytest.param(
            NOVA, own_ship(weapons=(NOVA_GUN,), thrust_spent=1), Code.ORDER_NOVA, "", id="thrust"
        ),
        pytest.param(fire("nova"), GUNSHIP, Code.ORDER_NOVA, ".at", id="a target"),
        pytest.param(
            NOVA,
            own_ship(weapons=(NOVA_GUN,), cloak=True, cloaked=True),
            Code.ORDER_CLOAK,
            ".weapon",
            id="a cloak",
        ),
    ],
)
def test_a_nova_gun_is_fired_shown_without_thrust_and_along_the_facing(
    order: Fire, ship: OwnView, code: Code, at: str
) -> None:
    assert_refused(nova(order, ship=ship), code, f"$.orders[0]{at}")
