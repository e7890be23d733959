"""Volleys of salvo missiles as pieces: launched, flown, aimed anew, gone."""

import pytest
from msgspec.structs import replace

from builders.ordnance import AM1, FRIGATE, LANCER, M1, S1, Battle, battle, placed, sent
from builders.truths import A, B, only
from sunglare_protocol.geometry import Board, Planet, PlanetSize, Square, Vector
from sunglare_protocol.ids import OwnId, audience_of
from sunglare_protocol.notices import OwnLaunched
from sunglare_protocol.orders import Aim, Defend, Fire, Launch, Power, Thrust, Turn
from sunglare_protocol.refusals import Code
from sunglare_protocol.words.armament import DefencePolicy, Launchable
from sunglare_protocol.words.ladder import Fate
from sunglare_protocol.words.pieces import PieceKind
from sunglare_protocol.words.scans import Echo, Signature
from sunglare_rules.advice.check.check import check
from sunglare_rules.advice.seen.emissions import own_signatures
from sunglare_server.match.events.space import ShipDestroyed, VolleyLaunched, VolleyMoved
from sunglare_server.match.resolve.scanning import emitter_of

FAR = Square(30, 30)


def test_a_volley_flies_from_the_end_of_its_ship_s_move_straight_to_its_square() -> None:
    fight = battle(vector=(2, 1))
    events = fight.plot(sent((20, 11)))
    [launch] = only(events, VolleyLaunched)
    [move] = only(events, VolleyMoved)
    assert launch.square == Square(12, 11)
    assert (move.square, move.vector) == (Square(20, 11), Vector(8, 0))
    volley = fight.own(A, M1)
    assert (volley.kind, volley.hull, volley.echo) == (PieceKind.MISSILE, 1, Echo.MISSILE)


def test_only_its_owner_is_told_of_a_launch_and_how_many_missiles_it_has() -> None:
    fight = battle()
    [launch] = only(fight.plot(sent((14, 14))), VolleyLaunched)
    assert 1 <= launch.missiles <= 6
    notice = OwnLaunched(ship=S1, piece=M1, missiles=launch.missiles)
    told = fight.course.state.intel.items()
    assert [audience for audience, intel in told if notice in intel.told] == [audience_of(A)]
    volley = fight.own(A, M1).volley
    assert volley is not None
    assert volley.missiles == launch.missiles
    assert fight.view(B).contacts == ()


def test_each_launcher_launches_a_volley_of_its_own() -> None:
    fight = battle()
    events = fight.plot(sent((14, 14), (6, 10)))
    assert [event.own for event in only(events, VolleyLaunched)] == ["M1", "M2"]
    assert fight.own(A, OwnId("M2")).square == Square(6, 10)


@pytest.mark.parametrize("cold", [False, True], ids=["hot", "cold"])
def test_a_cold_volley_drifts_with_its_ship_s_vector_and_does_not_burn(cold: bool) -> None:
    fight = battle(vector=(2, 1))
    fight.plot(sent((20, 11), cold=cold))
    volley = fight.own(A, M1)
    assert volley.square == (Square(14, 12) if cold else Square(20, 11))
    hot = {Signature.VISUAL_THRUST, Signature.IR_POWER, Signature.IR_THRUST}
    given = set(own_signatures(fight.view(A), volley))
    assert given & hot == (set() if cold else hot)
    truth = fight.course.state.truth
    assert emitter_of(truth, truth.ships[AM1]).burns is not cold


def test_after_its_first_turn_a_cold_volley_burns_to_the_square_of_its_launch() -> None:
    fight = battle(vector=(2, 1))
    fight.turn(sent((20, 11), cold=True))
    fight.plot()
    assert fight.own(A, M1).square == Square(20, 11)
    truth = fight.course.state.truth
    assert emitter_of(truth, truth.ships[AM1]).burns


def test_a_volley_gets_a_new_aim_in_each_later_plot() -> None:
    fight = battle()
    fight.turn(sent((10, 16)))
    fight.turn({A: (Aim(ship=M1, at=Square(18, 22)),)})
    assert fight.own(A, M1).square == Square(18, 22)


def test_without_a_new_aim_a_volley_stays_on_its_square() -> None:
    fight = battle()
    fight.turn(sent((10, 16)))
    fight.plot()
    assert fight.own(A, M1).square == Square(10, 16)


def test_a_volley_lives_through_three_movements() -> None:
    fight = battle()
    fight.turn(sent((10, 16)))
    fight.turn()
    fight.plot()
    assert fight.has(A, M1)
    [gone] = only(fight.engage(), ShipDestroyed)
    assert (gone.piece, gone.cause, gone.killers) == (AM1, "burnt out", ())
    assert not fight.has(A, M1)


def test_a_volley_that_ends_in_a_planet_is_gone() -> None:
    planet = Planet(name="Ceres", at=Square(16, 10), size=PlanetSize.SMALL)
    fight = Battle(
        placed(A, 1, LANCER, (10, 10)),
        placed(B, 1, FRIGATE, (30, 30)),
        board=Board(planets=(planet,)),
    )
    fight.plot(sent((16, 10)))
    assert fight.course.state.truth.ships[AM1].fate is Fate.DESTROYED
    assert fight.view(A).own[1:] == ()


def test_planets_in_between_do_not_matter() -> None:
    planet = Planet(name="Ceres", at=Square(14, 10), size=PlanetSize.SMALL)
    fight = Battle(
        placed(A, 1, LANCER, (10, 10)),
        placed(B, 1, FRIGATE, (30, 30)),
        board=Board(planets=(planet,)),
    )
    fight.plot(sent((19, 10)))
    assert fight.own(A, M1).square == Square(19, 10)


def test_a_ship_that_leaves_the_map_launches_nothing() -> None:
    fight = Battle(
        placed(A, 1, LANCER, (10, 1), (0, -4)),
        placed(A, 2, FRIGATE, (20, 20)),
        placed(B, 1, FRIGATE, (30, 30)),
    )
    assert only(fight.plot(sent((10, 4))), VolleyLaunched) == []


# What is refused.


@pytest.mark.parametrize(
    ("order", "code", "at"),
    [
        (
            Launch(ship=S1, what=Launchable.MISSILES, weapon="B1", at=FAR),
            Code.ORDER_LAUNCH,
            ".weapon",
        ),
        (Launch(ship=S1, what=Launchable.MISSILES, weapon="M1"), Code.ORDER_LAUNCH, ".at"),
        (
            Launch(ship=S1, what=Launchable.MISSILES, weapon="M1", at=Square(99, 3)),
            Code.ORDER_PLACE,
            ".at",
        ),
        (
            Launch(ship=S1, what=Launchable.MISSILES, weapon="M1", at=Square(21, 10)),
            Code.ORDER_RANGE,
            ".at",
        ),
        (Launch(ship=S1, what=Launchable.FIGHTER), Code.ORDER_LAUNCH, ".what"),
        (Aim(ship=S1, at=FAR), Code.ORDER_PIECE, ""),
    ],
    ids=["no launcher", "no square", "off the map", "beyond 24 mu", "no fighters", "no volley"],
)
def test_a_launch_that_cannot_be_made_is_refused(order: Launch | Aim, code: Code, at: str) -> None:
    refusal = check(battle().view(A), (order,))
    assert refusal is not None
    assert (refusal.code, refusal.at) == (code, f"$.orders[0]{at}")


def test_the_reach_of_a_launch_counts_from_the_end_of_the_plot() -> None:
    fight = battle(vector=(1, 0))
    [launch] = sent((21, 10))[A]
    assert check(fight.view(A), (launch,)) is None
    back = (Thrust(ship=S1, to=()), Turn(ship=S1, steps=1))
    assert check(fight.view(A), (*back, launch)) is None
    cold = check(fight.view(A), (Power(ship=S1, on=False), launch))
    assert cold is not None
    assert cold.code is Code.ORDER_POWER


def test_a_launcher_launches_once_a_turn() -> None:
    [launch] = sent((12, 10))[A]
    refusal = check(battle().view(A), (launch, replace(launch, at=Square(13, 10))))
    assert refusal is not None
    assert refusal.code is Code.ORDER_TWICE


def test_a_volley_takes_no_order_but_aim_and_fire() -> None:
    fight = battle()
    fight.turn(sent((12, 12)))
    for order in (Turn(ship=M1, steps=1), Power(ship=M1, on=False), Thrust(ship=M1, to=())):
        refusal = check(fight.view(A), (order,))
        assert refusal is not None
        assert (refusal.code, refusal.choices) == (Code.ORDER_PIECE, ("aim", "fire"))
    far = check(fight.view(A), (Aim(ship=M1, at=Square(12, 23)),))
    assert far is not None
    assert far.code is Code.ORDER_RANGE


def test_a_launcher_is_not_fired_and_a_ship_without_defence_has_none_to_order() -> None:
    fight = battle()
    fight.plot()
    fight.scan(A)
    fight.course.close()
    handle = fight.at(A, Square(14, 10))
    launcher = check(fight.view(A), (Fire(ship=S1, weapon="M1", at=handle),))
    assert launcher is not None
    assert (launcher.code, launcher.at) == (Code.ORDER_WEAPON, "$.orders[0].weapon")
    defence = check(fight.view(B), (Defend(ship=S1, policy=DefencePolicy.HOLD),))
    assert defence is not None
    assert defence.code is Code.ORDER_DEFENCE
