"""Plans of a window: fire and scans again, what is held, sensors at set-up; all of it legal."""

from random import Random

import pytest
from msgspec.structs import replace

from builders.desks import SCENES, frames_of, view_in
from builders.randomplayer import random_orders
from builders.views import BOARD, C1, C2, S1, S2, S3, WEAPONS, contact, own_ship, view
from sunglare_protocol.geometry import Compass, Square
from sunglare_protocol.ids import Handle, OwnId
from sunglare_protocol.messages.answers import ShotOdds
from sunglare_protocol.orders import (
    Cloak,
    Deploy,
    Fire,
    Hold,
    Land,
    Order,
    Power,
    Scan,
    Sensors,
    Thrust,
    Turn,
)
from sunglare_protocol.views import CloakRules, HabitView, OwnView, View, WeaponView
from sunglare_protocol.words.armament import SystemAim, WeaponKind
from sunglare_protocol.words.ladder import Fix, Phase
from sunglare_protocol.words.pieces import Arc, PieceKind
from sunglare_protocol.words.scans import ScanSize, ScanType
from sunglare_rules.advice.check.check import check
from sunglare_rules.advice.odds.fire import shot_odds
from sunglare_rules.advice.plans.again import beside, scans_again, scans_before
from sunglare_rules.advice.plans.fire import fire_all
from sunglare_rules.advice.plans.policy import (
    Policy,
    following,
    holds_of_free,
    sensors_out,
)
from sunglare_rules.advice.plans.routes import Route, Waypoint, route
from sunglare_rules.advice.seen.lookup import ships_in_play
from sunglare_rules.fire.nova import touches

VIEWS = 6
"""Views of each match on which plans are made."""

CLOAKS = CloakRules(cloaks=True)


def policies(seen: View, rng: Random) -> Policy:
    """Return a policy that holds everything, with routes of all ships that have one."""
    squares = [Square(rng.randrange(30), rng.randrange(30)) for _ in range(2)]
    ways = (
        route(seen, ship.id, Waypoint(square, stop=rng.random() < 0.5))
        for ship, square in zip(ships_in_play(seen), squares, strict=False)
    )
    return Policy(holds=True, routes=tuple(way for way in ways if isinstance(way, Route)))


def seen_in(scene: tuple[str, int, int]) -> list[tuple[View, tuple[Order, ...]]]:
    """Return views of a random match that are asked for orders, each with a plan beside."""
    rng = Random(scene[1])
    frames = [view_in(frame) for seat in frames_of(*scene).values() for frame in seat]
    chosen = rng.sample(frames, min(VIEWS, len(frames)))
    opening = [one for one in frames if one.stage.turn == 1 and one.stage.phase is Phase.PLOT]
    return [(one, rng.choice(((), random_orders(rng, one)))) for one in (*chosen, *opening)]


@pytest.mark.parametrize("scene", SCENES, ids=lambda scene: scene[0])
def test_whatever_a_plan_adds_is_legal_beside_the_orders_there_are(
    scene: tuple[str, int, int],
) -> None:
    rng = Random(scene[1])
    for seen, plan in seen_in(scene):
        policy = policies(seen, rng)
        for added in (
            fire_all(seen, plan),
            scans_again(seen, plan),
            following(seen, policy, plan),
            beside(seen, plan, random_orders(rng, seen)),
        ):
            assert check(seen, (*plan, *added)) is None
            assert not set(added) & set(plan)


@pytest.mark.parametrize("scene", SCENES, ids=lambda scene: scene[0])
def test_a_plan_is_a_function_of_the_view_alone(scene: tuple[str, int, int]) -> None:
    for seen, plan in seen_in(scene)[:4]:
        again = replace(seen, own=tuple(replace(ship) for ship in seen.own))
        policy = policies(seen, Random(1))
        assert fire_all(seen, plan) == fire_all(again, plan)
        assert following(seen, policy, plan) == following(again, policies(again, Random(1)), plan)


# Fire.

N = Compass.N
IN = own_ship(popped_out=False)
AHEAD = contact(square=Square(7, 25))
FARTHER = contact(handle=C2, label="C2", square=Square(7, 18))
FIGHT = view(Phase.ENGAGE, own_ship(), contacts=(FARTHER, AHEAD))


def test_every_weapon_that_bears_fires_at_what_it_damages_most() -> None:
    shots = fire_all(FIGHT)
    assert [shot.weapon for shot in shots if isinstance(shot, Fire)] == ["beam", "turret beam"]
    assert {shot.at for shot in shots if isinstance(shot, Fire)} == {C1}
    near, far = (shot_odds(FIGHT, Fire(ship=S1, weapon="beam", at=at)) for at in (C1, C2))
    assert isinstance(near, ShotOdds)
    assert isinstance(far, ShotOdds)
    assert near.mean_hundredths > far.mean_hundredths


@pytest.mark.parametrize(
    "order",
    [Fire(ship=S1, weapon="beam", at=C2), Hold(ship=S1, weapon="beam")],
    ids=["fires", "is held"],
)
def test_a_weapon_that_has_an_order_keeps_it(order: Order) -> None:
    seen = replace(FIGHT, cloak_rules=CLOAKS)
    assert check(seen, (order,)) is None
    assert fire_all(seen, (order,)) == (Fire(ship=S1, weapon="turret beam", at=C1),)


def test_where_nothing_is_held_nothing_fires() -> None:
    assert fire_all(view(Phase.ENGAGE, own_ship())) == ()
    assert fire_all(view(Phase.PLOT, own_ship(), contacts=(AHEAD,))) == ()


def test_a_needle_beam_names_the_drive_unless_its_target_is_cloaked() -> None:
    gun = WeaponView(id="needle", kind=WeaponKind.NEEDLE, arc=Arc.FRONT)
    seen = view(Phase.ENGAGE, own_ship(weapons=(gun,)), contacts=(AHEAD,))
    assert fire_all(seen) == (Fire(ship=S1, weapon="needle", at=C1, system=SystemAim.DRIVE),)
    found = replace(seen, contacts=(replace(AHEAD, fix=Fix.SOLUTION),))
    assert fire_all(found) == (Fire(ship=S1, weapon="needle", at=C1),)


def test_a_nova_gun_fires_alone_or_not_at_all() -> None:
    nova = WeaponView(id="nova", kind=WeaponKind.NOVA)
    swept = next(square for square in BOARD.area.squares() if touches(IN.square, N, 0, square))
    crowd = tuple(
        replace(AHEAD, handle=Handle(one * 6), label=one, square=swept) for one in "abcdefgh"
    )
    armed = view(Phase.ENGAGE, own_ship(weapons=(*WEAPONS, nova)), contacts=crowd)
    assert fire_all(armed) == (Fire(ship=S1, weapon="nova"),)
    friend = own_ship(id=S2, square=swept)
    shots = fire_all(replace(armed, own=(*armed.own, friend)))
    assert shots
    assert Fire(ship=S1, weapon="nova") not in shots
    given = (Fire(ship=S1, weapon="beam", at=crowd[0].handle),)
    assert Fire(ship=S1, weapon="nova") not in fire_all(armed, given)


# Scans and orders again.

HABIT = HabitView(
    turn=2, square=Square(7, 27), type=ScanType.VISUAL, size=ScanSize.BOX, at=Square(7, 22)
)
FINE = replace(HABIT, size=ScanSize.SQUARES)
SAME = Scan(ship=S1, type=ScanType.VISUAL, size=ScanSize.BOX, at="B5", sense=True)


def test_a_scan_is_made_again_of_the_same_type_size_and_place() -> None:
    seen = view(Phase.SCAN, own_ship(habit=HABIT), turn=3)
    assert scans_again(seen) == (SAME,)


@pytest.mark.parametrize(
    "ship",
    [
        pytest.param(own_ship(habit=FINE, square=Square(30, 27)), id="out of its reach now"),
        pytest.param(own_ship(habit=HABIT, popped_out=False), id="with its sensors folded"),
        pytest.param(own_ship(habit=HABIT, cloaked=True), id="under a cloak"),
        pytest.param(own_ship(habit=replace(HABIT, turn=1)), id="of a turn before the last"),
        pytest.param(own_ship(), id="of a ship that made none"),
    ],
)
def test_a_scan_that_cannot_be_made_again_is_left(ship: OwnView) -> None:
    assert scans_again(view(Phase.SCAN, ship, turn=3)) == ()


def test_a_ship_that_scans_already_makes_no_scan_again() -> None:
    seen = view(Phase.SCAN, own_ship(habit=HABIT), turn=3)
    assert scans_before(seen) == (SAME,)
    assert scans_again(seen, (replace(SAME, size=ScanSize.BOXES),)) == ()


def test_orders_are_given_again_as_far_as_they_can_stand() -> None:
    seen = view(Phase.PLOT, own_ship())
    before = (
        Deploy(ship=S1, at=Square(7, 27)),
        Turn(ship=S1, steps=1),
        Turn(ship=S3, steps=1),
        Sensors(ship=S1, out=False),
    )
    assert beside(seen, (), before) == (before[1], before[3])
    assert beside(seen, (Turn(ship=S1, steps=-1),), before) == (before[3],)


# What is held.


def test_every_free_dumb_weapon_is_held_and_one_that_fires_is_not() -> None:
    seen = replace(FIGHT, cloak_rules=CLOAKS)
    free = holds_of_free(seen)
    assert [order.weapon for order in free if isinstance(order, Hold)] == [
        "beam",
        "torpedo",
        "turret beam",
    ]
    firing = (Fire(ship=S1, weapon="beam", at=C1),)
    assert holds_of_free(seen, firing) == free[1:]
    assert holds_of_free(seen, free) == ()
    assert following(seen, Policy(holds=True), firing) == free[1:]
    assert following(seen, Policy(), firing) == ()
    assert following(seen, Policy(holds=True), (), (S1,)) == ()


def test_without_cloaks_and_outside_engage_nothing_is_held() -> None:
    assert holds_of_free(FIGHT) == ()
    plotting = replace(view(Phase.PLOT, own_ship()), cloak_rules=CLOAKS)
    assert following(plotting, Policy(holds=True)) == ()


# Sensors at set-up.


def out(ship: OwnId = S1) -> Sensors:
    """Return the order that pops the sensors of a ship out."""
    return Sensors(ship=ship, out=True)


def set_up(*ships: OwnView, turn: int = 1, phase: Phase = Phase.PLOT) -> View:
    """Return the view of a set-up."""
    return view(phase, *ships, turn=turn, zone=("B6",))


def test_at_set_up_the_sensors_of_all_ships_go_out() -> None:
    other = replace(IN, id=S2)
    assert sensors_out(set_up(IN, other)) == (out(), out(S2))
    assert following(set_up(IN, other), Policy()) == (out(), out(S2))


@pytest.mark.parametrize(
    ("ship", "plan"),
    [
        pytest.param(IN, (Sensors(ship=S1, out=False),), id="an order keeps them in"),
        pytest.param(replace(IN, cloak=True, cloaked=True), (), id="it is cloaked"),
        pytest.param(replace(IN, cloak=True), (Cloak(ship=S1, on=True),), id="it cloaks"),
        pytest.param(
            replace(IN, cloak=True),
            (Deploy(ship=S1, at=Square(7, 27), cloaked=True),),
            id="it is deployed cloaked",
        ),
        pytest.param(
            replace(IN, square=Square(14, 13)),
            (Land(ship=S1, body="Ceres", environs=1),),
            id="it lands",
        ),
        pytest.param(replace(IN, powered=False), (), id="its power is off"),
        pytest.param(IN, (Power(ship=S1, on=False),), id="its power is cut"),
        pytest.param(replace(IN, kind=PieceKind.DECOY), (), id="it has nothing to scan with"),
        pytest.param(replace(IN, hull_sensors_work=False), (), id="they are destroyed"),
        pytest.param(own_ship(), (), id="they are out already"),
    ],
)
def test_the_sensors_of_a_ship_stay_as_they_are(ship: OwnView, plan: tuple[Order, ...]) -> None:
    seen = set_up(ship)
    assert check(seen, plan) is None
    assert sensors_out(seen, plan) == ()


@pytest.mark.parametrize(("turn", "phase"), [(2, Phase.PLOT), (1, Phase.SCAN)])
def test_after_the_set_up_sensors_are_the_players_own(turn: int, phase: Phase) -> None:
    assert sensors_out(set_up(IN, turn=turn, phase=phase)) == ()


# Routes beside a plan.


def test_an_order_for_its_flight_takes_the_place_of_a_leg_and_others_stand_beside_it() -> None:
    seen = view(Phase.PLOT, own_ship(square=Square(20, 34)))
    way = route(seen, S1, Waypoint(Square(20, 24)))
    assert isinstance(way, Route)
    policy = Policy().on_route(way)
    leg = way.leg(3)
    assert leg
    assert following(seen, policy) == leg
    assert following(seen, policy, (Sensors(ship=S1, out=False),)) == leg
    assert following(seen, policy, (Thrust(ship=S1, to=()),)) == ()
    assert following(seen, policy, (Power(ship=S1, on=False),)) == ()
    assert following(seen, policy, (), (S1,)) == ()
    assert policy.without(S1) == Policy()
    assert policy.on_route(way) == policy
