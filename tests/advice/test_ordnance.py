"""What may be launched, sent elsewhere and told to defend, and which examples of it are listed."""

import msgspec
import pytest

from builders.advice import assert_refused, plot
from builders.views import C2, S1, WEAPONS, contact, own_ship, view
from sunglare_protocol.geometry import Square, Vector
from sunglare_protocol.orders import Aim, Defend, Launch, Order, Turn
from sunglare_protocol.refusals import Code
from sunglare_protocol.views import ContactView, OwnView, View, VolleyView, WeaponView
from sunglare_protocol.words.armament import DefencePolicy, Launchable, WeaponKind
from sunglare_protocol.words.ladder import Fate, Fix, Phase
from sunglare_protocol.words.pieces import PieceKind
from sunglare_rules.advice.check.check import check
from sunglare_rules.advice.check.launch import launchers
from sunglare_rules.advice.legal.legal import ordnance

LAUNCHER = WeaponView(id="rack", kind=WeaponKind.SALVO)
BROKEN = WeaponView(id="old rack", kind=WeaponKind.SALVO, works=False)
LANCER = own_ship(
    vector=Vector(1, 0), weapons=(*WEAPONS, LAUNCHER, BROKEN), flights=1, dispensers=1
)
VOLLEY = own_ship(
    kind=PieceKind.MISSILE,
    square=Square(1, 27),
    volley=VolleyView(missiles=4, aim=Square(6, 27), movements=1),
    weapons=(WeaponView(id="M1", kind=WeaponKind.SALVO, rank=4),),
)
AT = Square(7, 22)


def missiles(weapon: str = "rack", at: Square | None = AT, *, cold: bool = False) -> Launch:
    """Return the launch of a volley."""
    return Launch(ship=S1, what=Launchable.MISSILES, weapon=weapon, at=at, cold=cold)


# What is refused.


@pytest.mark.parametrize("weapon", ["beam", "old rack", "?"])
def test_a_volley_leaves_a_launcher_that_works(weapon: str) -> None:
    assert plot(missiles(), ship=LANCER) is None
    problem = plot(missiles(weapon), ship=LANCER)
    assert_refused(problem, Code.ORDER_LAUNCH, "$.orders[0].weapon")
    assert problem is not None
    assert problem.choices == ("rack",)


def test_a_volley_is_launched_by_ships_alone() -> None:
    assert launchers(LANCER) == (LAUNCHER,)
    assert launchers(VOLLEY) == ()


@pytest.mark.parametrize("what", [Launchable.FIGHTER, Launchable.REMOTE])
@pytest.mark.parametrize(
    "extra", [{"weapon": "rack"}, {"at": AT}, {"cold": True}], ids=["weapon", "square", "cold"]
)
def test_fighters_and_remote_sensors_are_launched_as_they_are(
    what: Launchable, extra: dict[str, object]
) -> None:
    plain = Launch(ship=S1, what=what)
    assert plot(plain, ship=LANCER) is None
    problem = plot(msgspec.structs.replace(plain, **extra), ship=LANCER)
    assert_refused(problem, Code.ORDER_LAUNCH, "$.orders[0]")


@pytest.mark.parametrize(
    ("at", "code"),
    [
        pytest.param(Square(11, 27), None, id="24 mu away"),
        pytest.param(Square(12, 27), Code.ORDER_RANGE, id="farther"),
        pytest.param(Square(0, 27), None, id="at the edge of the map"),
        pytest.param(Square(-1, 27), Code.ORDER_PLACE, id="beyond it"),
    ],
)
def test_a_volley_is_sent_to_a_square_of_the_map_within_24_mu(
    at: Square, code: Code | None
) -> None:
    problem = plot(Aim(ship=S1, at=at), ship=VOLLEY)
    assert (problem is None) is (code is None)
    if code is not None:
        assert_refused(problem, code, "$.orders[0].at")


@pytest.mark.parametrize(
    ("ship", "order", "choices"),
    [(LANCER, Aim(ship=S1, at=AT), ()), (VOLLEY, Turn(ship=S1, steps=1), ("aim", "fire"))],
    ids=["a ship is not aimed", "a volley is aimed and attacks"],
)
def test_a_piece_takes_the_orders_of_its_kind(
    ship: OwnView, order: Order, choices: tuple[str, ...]
) -> None:
    problem = plot(order, ship=ship)
    assert_refused(problem, Code.ORDER_PIECE, "$.orders[0]")
    assert problem is not None
    assert problem.choices == choices


@pytest.mark.parametrize("policy", list(DefencePolicy))
def test_only_a_ship_with_point_defence_is_told_to_defend(policy: DefencePolicy) -> None:
    order = Defend(ship=S1, policy=policy)
    assert check(view(Phase.ENGAGE, own_ship(point_defence=1)), (order,)) is None
    problem = check(view(Phase.ENGAGE, own_ship()), (order,))
    assert_refused(problem, Code.ORDER_DEFENCE, "$.orders[0].ship")


# What is listed.

HELD = contact()
GONE = contact(handle=C2, square=Square(9, 22), fate=Fate.DESTROYED)
REMEMBERED = contact(handle=None, fix=Fix.MEMORY, square=Square(11, 25))


def seen(ship: OwnView, *held: ContactView, phase: Phase = Phase.PLOT) -> View:
    return view(phase, ship, contacts=held)


def test_examples_of_volleys_go_to_what_is_known_and_five_squares_ahead_of_the_move() -> None:
    # The lancer drifts to (8, 27) and faces north.
    squares = (HELD.square, REMEMBERED.square, Square(8, 22))
    assert list(ordnance(seen(LANCER, HELD, GONE, REMEMBERED), LANCER)) == [
        *(missiles(at=at, cold=cold) for at in squares for cold in (False, True)),
        Launch(ship=S1, what=Launchable.FIGHTER),
        Launch(ship=S1, what=Launchable.REMOTE),
    ]


def test_examples_of_aims_go_to_what_is_near_and_five_squares_ahead() -> None:
    # The volley flies on to (6, 27); what is 11 squares off is out of its reach.
    near, far = contact(square=Square(1, 20)), contact(square=Square(12, 27))
    expected = [Aim(ship=S1, at=at) for at in (near.square, Square(6, 22))]
    assert list(ordnance(seen(VOLLEY, near, far), VOLLEY)) == expected


def test_a_ship_without_launchers_and_a_closed_window_have_no_examples() -> None:
    assert list(ordnance(seen(own_ship(), HELD), own_ship())) == []
    assert list(ordnance(seen(LANCER, HELD, phase=Phase.ENGAGE), LANCER)) == []
