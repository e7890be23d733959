"""Volleys of salvo missiles as pieces: launched, flown, aimed anew, gone."""

import pytest

from builders.advice import assert_refused
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

FAR, MISSILES = Square(30, 30), Launchable.MISSILES


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
    assert getattr(fight.own(A, M1).volley, "missiles", None) == launch.missiles
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
    assert emitter_of(fight.truth, fight.truth.ships[AM1]).burns is not cold


def test_after_its_first_turn_a_cold_volley_burns_to_the_square_of_its_launch() -> None:
    fight = battle(vector=(2, 1))
    fight.turn(sent((20, 11), cold=True))
    fight.plot()
    assert fight.own(A, M1).square == Square(20, 11)
    assert emitter_of(fight.truth, fight.truth.ships[AM1]).burns


def test_a_volley_gets_a_new_aim_in_each_later_plot() -> None:
    fight = battle()
    fight.turn(sent((10, 16)))
    fight.turn({A: "aim M1 18,22"})
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


def past_a_planet(at: tuple[int, int]) -> Battle:
    """Return a match in which A's lancer at 10,10 has launched east; a planet stands there."""
    planet = Planet(name="Ceres", at=Square(*at), size=PlanetSize.SMALL)
    ships = (placed(A, 1, LANCER, (10, 10)), placed(B, 1, FRIGATE, (30, 30)))
    fight = Battle(*ships, board=Board(planets=(planet,)))
    fight.plot(sent((19, 10)))
    return fight


def test_a_volley_that_ends_in_a_planet_is_gone() -> None:
    fight = past_a_planet((19, 10))
    assert fight.truth.ships[AM1].fate is Fate.DESTROYED
    assert fight.view(A).own[1:] == ()


def test_planets_in_between_do_not_matter() -> None:
    fight = past_a_planet((14, 10))
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
        (Launch(ship=S1, what=MISSILES, weapon="B1", at=FAR), Code.ORDER_LAUNCH, ".weapon"),
        (Launch(ship=S1, what=MISSILES, weapon="M1"), Code.ORDER_LAUNCH, ".at"),
        (Launch(ship=S1, what=MISSILES, weapon="M1", at=Square(99, 3)), Code.ORDER_PLACE, ".at"),
        (Launch(ship=S1, what=MISSILES, weapon="M1", at=Square(21, 10)), Code.ORDER_RANGE, ".at"),
        (Launch(ship=S1, what=Launchable.FIGHTER), Code.ORDER_LAUNCH, ".what"),
        (Aim(ship=S1, at=FAR), Code.ORDER_PIECE, ""),
    ],
    ids=["no launcher", "no square", "off the map", "beyond 24 mu", "no fighters", "no volley"],
)
def test_a_launch_that_cannot_be_made_is_refused(order: Launch | Aim, code: Code, at: str) -> None:
    assert_refused(check(battle().view(A), (order,)), code, f"$.orders[0]{at}")


def test_the_reach_of_a_launch_counts_from_the_end_of_the_plot() -> None:
    fight = battle(vector=(1, 0))
    [launch] = sent((21, 10))[A]
    assert fight.refused(A, launch) is None
    assert fight.refused(A, Thrust(ship=S1, to=()), "turn S1 1", launch) is None
    assert fight.refused(A, "power S1 off", launch) is Code.ORDER_POWER


def test_a_launcher_launches_once_a_turn() -> None:
    assert battle().refused(A, "launch S1.M1 12,10; launch S1.M1 13,10") is Code.ORDER_TWICE


def test_a_volley_takes_no_order_but_aim_and_fire() -> None:
    fight = battle()
    fight.turn(sent((12, 12)))
    for order in (Turn(ship=M1, steps=1), Power(ship=M1, on=False), Thrust(ship=M1, to=())):
        assert fight.refused(A, order) is Code.ORDER_PIECE
        assert getattr(check(fight.view(A), (order,)), "choices", ()) == ("aim", "fire")
    assert fight.refused(A, "aim M1 12,23") is Code.ORDER_RANGE


def test_a_launcher_is_not_fired_and_a_ship_without_defence_has_none_to_order() -> None:
    fight = battle().fighting(looks=(A,))
    fire = Fire(ship=S1, weapon="M1", at=fight.at(A, Square(14, 10)))
    assert_refused(check(fight.view(A), (fire,)), Code.ORDER_WEAPON, "$.orders[0].weapon")
    assert fight.refused(B, Defend(ship=S1, policy=DefencePolicy.HOLD)) is Code.ORDER_DEFENCE
