"""What may be launched, sent elsewhere and told to defend, and which examples of it are listed."""

import pytest
from msgspec.structs import replace

from builders.advice import checked, offered, plot, refusal
from builders.orders import read
from builders.views import C2, S1, WEAPONS, contact, own_ship, view
from sunglare_protocol.geometry import Square, Vector
from sunglare_protocol.orders import Aim, Launch
from sunglare_protocol.views import ContactView, OwnView, View, VolleyView, WeaponView
from sunglare_protocol.words.armament import DefencePolicy, Launchable, WeaponKind
from sunglare_protocol.words.ladder import Fate, Fix, Phase
from sunglare_protocol.words.pieces import PieceKind
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
    assert refusal(problem) == "order/launch [0].weapon"
    assert offered(problem) == ("rack",)


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
    problem = plot(replace(plain, **extra), ship=LANCER)
    assert refusal(problem) == "order/launch [0]"


@pytest.mark.parametrize(
    ("x", "refused"),
    [
        pytest.param(11, None, id="24 mu away"),
        pytest.param(12, "order/range [0].at", id="farther"),
        pytest.param(0, None, id="at the edge of the map"),
        pytest.param(-1, "order/place [0].at", id="beyond it"),
    ],
)
def test_a_volley_is_sent_to_a_square_of_the_map_within_24_mu(x: int, refused: str | None) -> None:
    assert refusal(plot(Aim(ship=S1, at=Square(x, 27)), ship=VOLLEY)) == refused


@pytest.mark.parametrize(
    ("ship", "line", "choices"),
    [(LANCER, "aim S1 7,22", ()), (VOLLEY, "turn S1 +1", ("aim", "fire"))],
    ids=["a ship is not aimed", "a volley is aimed and attacks"],
)
def test_a_piece_takes_the_orders_of_its_kind(
    ship: OwnView, line: str, choices: tuple[str, ...]
) -> None:
    problem = plot(line, ship=ship)
    assert refusal(problem) == "order/piece [0]"
    assert offered(problem) == choices


@pytest.mark.parametrize("policy", list(DefencePolicy))
def test_only_a_ship_with_point_defence_is_told_to_defend(policy: DefencePolicy) -> None:
    line = f"defend S1 {policy.value}"
    assert checked(view(Phase.ENGAGE, own_ship(point_defence=1)), line) is None
    assert refusal(checked(view(Phase.ENGAGE, own_ship()), line)) == "order/defence [0].ship"


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
        *read("launch S1 fighter; launch S1 remote"),
    ]


def test_examples_of_aims_go_to_what_is_near_and_five_squares_ahead() -> None:
    # The volley flies on to (6, 27); what is 11 squares off is out of its reach.
    near, far = contact(square=Square(1, 20)), contact(square=Square(12, 27))
    expected = [Aim(ship=S1, at=at) for at in (near.square, Square(6, 22))]
    assert list(ordnance(seen(VOLLEY, near, far), VOLLEY)) == expected


def test_a_ship_without_launchers_and_a_closed_window_have_no_examples() -> None:
    assert list(ordnance(seen(own_ship(), HELD), own_ship())) == []
    assert list(ordnance(seen(LANCER, HELD, phase=Phase.ENGAGE), LANCER)) == []
