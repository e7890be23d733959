"""Volleys of salvo missiles as pieces: launched, flown, aimed anew, met by point defence, gone."""

import pytest
from msgspec.structs import replace

from ordnancerigs import M1, S1, Battle, Orders, keen, placed
from sunglare_protocol.armament import DefencePolicy, Launchable, WeaponKind
from sunglare_protocol.geometry import Board, Planet, PlanetSize, Square, Vector
from sunglare_protocol.ids import OwnId, audience_of
from sunglare_protocol.ladder import Fate, Phase
from sunglare_protocol.notices import (
    ContactDestroyed,
    InitiativeDrawn,
    OwnDestroyed,
    OwnHit,
    OwnLaunched,
    ShotResult,
    ShotSeen,
)
from sunglare_protocol.orders import Aim, Defend, Fire, Launch, Power, Thrust, Turn
from sunglare_protocol.pieces import PieceKind
from sunglare_protocol.refusals import Code
from sunglare_protocol.scanwords import Echo, Signature
from sunglare_rules.advice.check import check
from sunglare_rules.advice.emissions import own_signatures
from sunglare_server.match.events import (
    ContactMade,
    ShipDestroyed,
    ShooterExposed,
    ShotFired,
    VolleyLaunched,
    VolleyMoved,
)
from sunglare_server.match.ids import PieceId
from sunglare_server.match.resolve.scanning import emitter_of
from truthrigs import B1, A, B, only

AM1 = PieceId("A/M1")
LANCER = keen("lancer")
FRIGATE = keen("frigate")
FAR = Square(30, 30)


def sent(*where: tuple[int, int], cold: bool = False) -> Orders:
    """Return the launches of A's first ship at these squares, a launcher each."""
    launchers = ("M1", "M2")
    return {
        A: tuple(
            Launch(ship=S1, what=Launchable.MISSILES, weapon=weapon, at=Square(*at), cold=cold)
            for weapon, at in zip(launchers, where, strict=False)
        )
    }


def battle(
    at: tuple[int, int] = (14, 10), defence: int = 0, vector: tuple[int, int] = (0, 0)
) -> Battle:
    """Return A's lancer at 10,10 against a frigate of B with some point defence."""
    return Battle(
        placed(A, 1, LANCER, (10, 10), vector),
        placed(B, 1, replace(FRIGATE, point_defence=defence), at),
    )


def struck(fight: Battle, orders: Orders | None = None) -> list[ShotFired]:
    """Return the attacks of missiles in a turn in which A tracks what it can."""
    fight.plot(sent((14, 10)))
    fight.scan(A)
    return [
        shot for shot in only(fight.engage(orders), ShotFired) if shot.kind is WeaponKind.SALVO
    ]


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
    assert [each.own for each in only(events, VolleyLaunched)] == ["M1", "M2"]
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


# Attacks.


def test_a_volley_attacks_the_nearest_live_track_by_itself_and_is_gone() -> None:
    fight = battle()
    [shot] = struck(fight)
    assert shot.target == B1
    assert len(shot.dice) == fight.course.steps[-1].state.truth.ships[AM1].type.hull * len(
        shot.dice
    )
    assert shot.damage == sum(shot.dice)
    assert not fight.has(A, M1)


def test_every_missile_that_comes_through_does_a_die_of_damage() -> None:
    fight = battle()
    fight.plot(sent((14, 10)))
    fight.scan(A)
    volley = fight.own(A, M1).volley
    assert volley is not None
    events = fight.engage()
    [shot] = only(events, ShotFired)
    assert len(shot.dice) == volley.missiles
    assert shot.damage == sum(shot.dice)
    [gone] = [each for each in only(events, ShipDestroyed) if each.piece == AM1]
    assert (gone.cause, gone.killers) == ("spent", ())


def test_a_volley_without_a_live_track_stays() -> None:
    fight = battle()
    fight.plot(sent((14, 10)))
    assert only(fight.engage(), ShotFired) == []
    assert fight.has(A, M1)


def test_a_mere_contact_is_not_attacked_and_cannot_be_named() -> None:
    fight = battle()
    fight.plot(sent((14, 10)))
    # B's radar gives B's ship away as a contact, to A as to all others.
    fight.scan(B)
    handle = fight.at(A, Square(14, 10))
    fight.course.close_until(Phase.ENGAGE)
    refusal = check(fight.view(A), (Fire(ship=M1, weapon="M1", at=handle),))
    assert refusal is not None
    assert refusal.code is Code.ORDER_STATE
    assert "live track" in refusal.text
    assert only(fight.engage(), ShotFired) == []


def test_a_volley_may_be_told_whom_to_attack() -> None:
    fight = Battle(
        placed(A, 1, LANCER, (10, 10)),
        placed(B, 1, FRIGATE, (14, 10)),
        placed(B, 2, FRIGATE, (14, 12)),
    )
    fight.plot(sent((14, 10)))
    fight.scan(A)
    handle = fight.at(A, Square(14, 12))
    [shot] = only(fight.engage({A: (Fire(ship=M1, weapon="M1", at=handle),)}), ShotFired)
    assert shot.target == PieceId("B/S2")


def test_missiles_give_nobody_away_but_the_target_learns_what_hit_it() -> None:
    fight = battle()
    fight.plot(sent((14, 10)))
    fight.scan(A)
    events = fight.engage()
    [shot] = only(events, ShotFired)
    assert only(events, ShooterExposed) == []
    hit = OwnHit(ship=S1, weapon=WeaponKind.SALVO, damage=shot.damage)
    told = fight.told(B)
    assert hit in told
    assert not [each for each in told if isinstance(each, ShotSeen)]


@pytest.mark.parametrize("points", [1, 3, 9])
def test_point_defence_takes_a_missile_a_point_and_both_sides_learn_how_many(points: int) -> None:
    bare, defended = struck(battle()), struck(fight := battle(defence=points))
    came = len(bare[0].dice)
    stopped = min(points, came)
    assert (defended[0].stopped, len(defended[0].dice)) == (stopped, came - stopped)
    own = [each.stopped for each in fight.told(A) if isinstance(each, ShotResult)]
    hit = [each.stopped for each in fight.told(B) if isinstance(each, OwnHit)]
    assert (own, hit) == ([stopped], [stopped])
    assert not fight.has(A, M1)


def test_a_point_defence_that_holds_takes_none() -> None:
    hold = {B: (Defend(ship=S1, policy=DefencePolicy.HOLD),)}
    every = {B: (Defend(ship=S1, policy=DefencePolicy.ALL),)}
    assert struck(battle(defence=2), hold)[0].stopped == 0
    assert struck(battle(defence=2), every)[0].stopped > 0


def test_a_cold_or_lost_point_defence_takes_none() -> None:
    fight = battle(defence=2)
    fight.plot({**sent((14, 10)), B: (Power(ship=S1, on=False),)})
    fight.scan(A)
    assert [shot.stopped for shot in only(fight.engage(), ShotFired)] == [0]


def test_one_defence_meets_all_volleys_and_the_largest_first() -> None:
    fight = battle(defence=4)
    fight.plot(sent((14, 10), (14, 11)))
    fight.scan(A)
    sizes = {
        each.id: each.volley.missiles for each in fight.view(A).own if each.volley is not None
    }
    stopped = {OwnId(shot.piece[2:]): shot.stopped for shot in only(fight.engage(), ShotFired)}
    assert sum(stopped.values()) == min(4, sum(sizes.values()))
    assert max(stopped.values()) == min(4, max(sizes.values()))


def test_a_volley_that_is_shot_down_attacks_all_the_same() -> None:
    fight = Battle(
        placed(A, 1, LANCER, (10, 10)),
        placed(B, 1, keen("frigate"), (14, 12)),
    )
    fight.plot(sent((14, 10)))
    fight.scan(A, B)
    handle = fight.at(B, Square(14, 10))
    guns = tuple(Fire(ship=S1, weapon=each, at=handle) for each in ("B1", "P1"))
    events = fight.engage({B: guns})
    assert {shot.kind for shot in only(events, ShotFired)} >= {WeaponKind.SALVO, WeaponKind.BEAM}
    [gone] = [each for each in only(events, ShipDestroyed) if each.piece == AM1]
    assert gone.cause in ("fire", "spent")
    assert (gone.cause == "fire") == (gone.killers == (B,))
    assert [each for each in fight.told(B) if isinstance(each, ContactDestroyed)]
    assert OwnDestroyed(ship=M1, cause=gone.cause) in fight.told(A)


def test_a_scan_may_find_a_volley_like_any_piece() -> None:
    fight = battle()
    fight.plot(sent((14, 12)))
    found = [each.piece for each in only(fight.scan(B), ContactMade)]
    assert AM1 in found
    [track] = [each for each in fight.view(B).contacts if each.square == Square(14, 12)]
    assert track.size is Echo.MISSILE


def test_the_end_of_a_volley_is_told_to_nobody_who_does_not_hold_it() -> None:
    fight = battle()
    fight.turn(sent((10, 16)))
    fight.turn()
    fight.turn()
    assert not fight.has(A, M1)
    assert [each for each in fight.told(B) if not isinstance(each, InitiativeDrawn)] == []
    assert fight.view(B).contacts == ()


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
