"""Shots that the own view allows or not whatever the range: from a cloak, homing, nova guns."""

import pytest
from msgspec.structs import replace

from builders.advice import checked, offered, refusal
from builders.orders import Written, typed
from builders.ties import against_name, by_name
from builders.views import C1, C2, S1, S2, WEAPONS, contact, own_ship, view
from sunglare_protocol.geometry import Square
from sunglare_protocol.ids import Handle
from sunglare_protocol.orders import Fire, Hold
from sunglare_protocol.refusals import Rejected
from sunglare_protocol.surface import Cell
from sunglare_protocol.views import CloakRules, ContactView, OwnView, View, VolleyView, WeaponView
from sunglare_protocol.words.armament import WeaponKind
from sunglare_protocol.words.cloak import CloakVariant
from sunglare_protocol.words.ladder import Fix, Phase
from sunglare_protocol.words.pieces import PieceKind
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
    return replace(seen, cloak_rules=CloakRules(cloaks=True, variant=variant))


def fire(weapon: str = "beam", at: Handle | None = C1, **fields: object) -> Fire:
    """Return a shot of the first ship."""
    return replace(Fire(ship=S1, weapon=weapon, at=at), **fields)


# Weapons held for a cloaked ship that fires.


def test_a_ship_that_shows_holds_a_dumb_weapon_that_works() -> None:
    assert checked(engage(ARMED), "hold S1.beam") is None


DUMB = WORKING[:-1]


@pytest.mark.parametrize(
    ("ship", "weapon", "jam", "refused", "choices"),
    [
        pytest.param(ARMED, "wreck", False, "order/weapon [0].weapon", WORKING, id="a wreck"),
        pytest.param(HIDDEN, "beam", False, "order/cloak [0].ship", (), id="a cloaked ship"),
        pytest.param(ARMED, "beam", True, "order/cloak [0].ship", (), id="a match of jamming"),
        pytest.param(ARMED, "missile", False, "order/weapon [0].weapon", DUMB, id="a missile"),
        pytest.param(COLD, "beam", False, "order/power [0].ship", (), id="without power"),
    ],
)
def test_nothing_else_is_held(
    ship: OwnView, weapon: str, jam: bool, refused: str, choices: tuple[str, ...]
) -> None:
    problem = checked(engage(ship, jam=jam), f"hold S1.{weapon}")
    assert (refusal(problem), offered(problem)) == (refused, choices)


def test_an_area_weapon_is_not_held_and_nothing_is_held_beside_a_nova_gun() -> None:
    seen = engage(GUNSHIP)
    assert refusal(checked(seen, "hold S1.nova")) == "order/weapon [0].weapon"
    assert checked(seen, "fire S1.nova") is None
    assert refusal(checked(seen, "fire S1.nova; hold S1.beam")) == "order/nova [0]"


def test_nothing_is_held_where_nobody_has_a_cloak() -> None:
    seen = replace(engage(ARMED), cloak_rules=CloakRules())
    assert refusal(checked(seen, "hold S1.beam")) == "order/cloak [0].ship"


# Shots from a cloak.


def test_a_cloaked_ship_fires_at_a_ship_that_swept_this_turn() -> None:
    assert checked(engage(HIDDEN, contacts=(SWEEPER,)), fire()) is None


SWEPT = replace(SWEEPER, turn=2)


@pytest.mark.parametrize(
    ("weapon", "held", "jam", "at"),
    [
        pytest.param("beam", contact(), False, "at", id="at a ship that did not sweep"),
        pytest.param("beam", SWEPT, False, "at", id="that swept last turn"),
        pytest.param("missile", SWEEPER, False, "weapon", id="with a missile"),
        pytest.param("beam", SWEEPER, True, "ship", id="in a match of jamming"),
    ],
)
def test_a_cloaked_ship_fires_nothing_else(
    weapon: str, held: ContactView, jam: bool, at: str
) -> None:
    problem = checked(engage(HIDDEN, contacts=(held,), jam=jam), fire(weapon))
    assert refusal(problem) == f"order/cloak [0].{at}"


# Answers.

ONE, TWO = PieceId("B/S1"), PieceId("B/S2")


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
    gone = typed("hold S9.beam")
    assert answered(engage(), gone, {ONE: Square(7, 22)}, by_name) is None


def test_a_die_decides_between_ships_equally_near() -> None:
    there: dict[PieceId, Handle | Square] = {ONE: Square(6, 23), TWO: Square(8, 23)}
    held = typed("hold S1.beam")
    ties = (by_name, against_name, lambda _: b"")
    assert [answered(engage(), held, there, tie) for tie in ties] == [ONE, TWO, ONE]


# Points and homing weapons.


def test_a_ship_fires_at_points_by_bombarding() -> None:
    problem = checked(engage(contacts=(contact(),)), fire(point=Cell(2, 2)))
    assert refusal(problem) == "order/piece [0].point"


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
    problem = checked(seen, fire("M1"))
    assert refusal(problem) == "order/state [0].at"
    assert offered(problem) == (TRACK.handle, SOLVED.handle)
    assert checked(seen, fire("M1", TRACK.handle)) is None
    assert checked(seen, fire("M1", SOLVED.handle)) is None


# Nova guns.

NOVA = fire("nova", None)


def nova(*orders: Written, ship: OwnView = GUNSHIP) -> Rejected | None:
    """Return what ENGAGE says to the orders of that ship and another one, with a contact ahead."""
    return checked(engage(ship, own_ship(id=S2), contacts=(contact(),)), *orders)


@pytest.mark.parametrize(
    "other",
    ["", "defend S1 hold", "fire S2.beam aaaaaa"],
    ids=["alone", "beside point defence", "beside another ship's beam"],
)
def test_a_nova_gun_is_the_only_thing_its_ship_fires(other: str) -> None:
    assert nova(NOVA, other) is None
    assert nova(other, NOVA) is None


@pytest.mark.parametrize(
    "other",
    ["fire S1.beam aaaaaa", "bombard S1.beam Ceres 1 B2"],
    ids=["at a piece", "at a point"],
)
def test_a_nova_gun_is_not_fired_with_anything_else(other: str) -> None:
    assert refusal(nova(NOVA, other)) == "order/nova [0]"


@pytest.mark.parametrize(
    ("order", "fields", "refused"),
    [
        pytest.param(NOVA, {"thrust_spent": 1}, "order/nova [0]", id="thrust"),
        pytest.param(fire("nova"), {}, "order/nova [0].at", id="a target"),
        pytest.param(
            NOVA, {"cloak": True, "cloaked": True}, "order/cloak [0].weapon", id="a cloak"
        ),
    ],
)
def test_a_nova_gun_is_fired_shown_without_thrust_and_along_the_facing(
    order: Fire, fields: dict[str, object], refused: str
) -> None:
    ship = replace(GUNSHIP, **fields)
    assert refusal(nova(order, ship=ship)) == refused
