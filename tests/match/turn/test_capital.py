"""Capital weapons of ships at ships in the match: to hit, point defence, damage, what is told."""

import pytest
from msgspec.structs import replace

from builders.advice import refused
from builders.sieges import GUNBOAT, MONITOR, engaged, handle, heard, refusal, rolling, told, view
from builders.truths import (
    A1,
    B1,
    CORVETTE,
    CRUISER,
    FRIGATE,
    A,
    B,
    holding,
    only,
    ship,
    truth_of,
    with_ship,
)
from sunglare_protocol.geometry import Square
from sunglare_protocol.ids import OwnId
from sunglare_protocol.notices import OwnHit, ShooterKnown, ShotResult, ShotSeen
from sunglare_protocol.orders import Defend, Fire
from sunglare_protocol.refusals import Code, Rejected
from sunglare_protocol.words.armament import DefencePolicy, WeaponKind
from sunglare_protocol.words.ladder import Fix
from sunglare_rules.advice.odds.fire import shot_odds
from sunglare_server.match.data.scenario import ShipClass
from sunglare_server.match.events.space import (
    DamageTaken,
    ShipDestroyed,
    ShooterExposed,
    ShotFired,
)
from sunglare_server.match.truth.truth import Truth

S1 = OwnId("S1")
HOLD = Defend(ship=S1, policy=DefencePolicy.HOLD)


def at_sea(
    target: ShipClass = CRUISER,
    at: tuple[int, int] = (10, 6),
    fix: Fix = Fix.TRACKED,
    by: ShipClass = MONITOR,
) -> Truth:
    """Return a truth in which A's monitor, facing north, holds a ship of B ahead of it."""
    return holding(truth_of(ship(A, kind=by), ship(B, 1, at, target)), A, B1, fix)


def shoot(weapon: str) -> Fire:
    return Fire(ship=S1, weapon=weapon, at=handle(B1))


def shot_of(truth: Truth, weapon: str, least: int, most: int = 12) -> ShotFired:
    dice = rolling(f"A/S1/{weapon}", least, most)
    (event,) = only(engaged(truth, {A: (shoot(weapon),)}, dice).events, ShotFired)
    return event


@pytest.mark.parametrize(("weapon", "by"), [("C1", MONITOR), ("C1", GUNBOAT), ("M1", MONITOR)])
@pytest.mark.parametrize("target", [CRUISER, FRIGATE], ids=["large", "medium"])
def test_at_medium_range_a_gunner_of_4_needs_6_against_large_craft(
    weapon: str, by: ShipClass, target: ShipClass
) -> None:
    truth = at_sea(target, by=by)
    assert shot_of(truth, weapon, 6, 6).damage > 0
    assert shot_of(truth, weapon, 5, 5).damage == 0


@pytest.mark.parametrize(
    ("weapon", "by", "needed"), [("C1", MONITOR, 11), ("C1", GUNBOAT, 9), ("M1", MONITOR, 6)]
)
def test_against_a_small_target_a_cap_adds_5_a_scap_3_and_a_missile_nothing(
    weapon: str, by: ShipClass, needed: int
) -> None:
    truth = at_sea(CORVETTE, by=by)
    assert shot_of(truth, weapon, needed, needed).damage > 0
    assert shot_of(truth, weapon, needed - 1, needed - 1).damage == 0


def test_the_damage_is_that_of_the_bracket_and_screens_do_not_help() -> None:
    assert CRUISER.screens == 1
    assert shot_of(at_sea(at=(10, 8)), "C1", 10).damage == 6
    assert shot_of(at_sea(at=(10, 6)), "C1", 10).damage == 4
    assert shot_of(at_sea(at=(11, 0), by=MONITOR), "M1", 10).damage == 4


def test_the_size_of_a_mere_contact_is_unknown_to_its_gunner_but_not_to_the_dice() -> None:
    odds = [shot_odds(view(at_sea(fix=fix), A), shoot("C1")) for fix in (Fix.CONTACT, Fix.TRACKED)]
    means = [0 if isinstance(chance, Rejected) else chance.mean_hundredths for chance in odds]
    assert 0 < means[0] < means[1]
    assert shot_of(at_sea(fix=Fix.CONTACT), "C1", 6, 6).damage == 4


def test_a_missile_needs_a_live_track_and_a_gun_does_not() -> None:
    seen = view(at_sea(fix=Fix.CONTACT), A)
    assert refused(seen, shoot("M1")) is Code.ORDER_STATE
    assert refused(seen, shoot("C1")) is None


def test_a_bracket_without_damage_is_out_of_range() -> None:
    seen = view(with_ship(at_sea(at=(10, 30)), A1, square=Square(10, 48)), A)
    assert refused(seen, shoot("C1")) is Code.ORDER_RANGE
    assert refused(seen, shoot("M1")) is None


def test_missiles_attack_all_around_and_guns_through_their_arc() -> None:
    behind = view(at_sea(at=(10, 14)), A)
    assert refused(behind, shoot("C1")) is Code.ORDER_ARC
    assert refused(behind, shoot("M1")) is None


def defended(points: int) -> Truth:
    return at_sea(replace(CRUISER, point_defence=points))


def test_two_points_of_defence_stop_a_missile_whatever_the_dice() -> None:
    shot = shot_of(defended(2), "M1", 12)
    assert (shot.damage, shot.stopped, shot.spent) == (0, 1, 2)


def test_one_point_makes_a_missile_harder_to_aim_and_halves_it() -> None:
    assert shot_of(defended(1), "M1", 6, 6).damage == 0
    shot = shot_of(defended(1), "M1", 7, 7)
    assert (shot.damage, shot.stopped, shot.spent) == (2, 0, 1)


def test_point_defence_does_nothing_against_guns() -> None:
    shot = shot_of(defended(9), "C1", 10)
    assert (shot.damage, shot.stopped, shot.spent) == (4, 0, 0)


@pytest.mark.parametrize(
    "change", [{"powered": False}, {"lost": ("point_defence",)}], ids=["shut down", "lost"]
)
def test_a_point_defence_that_does_not_work_spends_nothing(change: dict[str, object]) -> None:
    assert shot_of(with_ship(defended(2), B1, **change), "M1", 10).spent == 0


def test_a_point_defence_told_to_hold_spends_nothing() -> None:
    dice = rolling("A/S1/M1", 10)
    flow = engaged(defended(2), {A: (shoot("M1"),), B: (HOLD,)}, dice)
    (shot,) = only(flow.events, ShotFired)
    assert (shot.damage, shot.spent) == (4, 0)


def test_the_pool_of_a_turn_goes_to_the_first_missile_and_the_odd_point_to_the_next() -> None:
    boats = replace(MONITOR, weapons=(*MONITOR.weapons, replace(MONITOR.weapons[1], id="M2")))
    truth = at_sea(replace(CRUISER, point_defence=3), by=boats)
    flow = engaged(truth, {A: (shoot("M2"), shoot("M1"))})
    spent = {shot.weapon: shot.spent for shot in only(flow.events, ShotFired)}
    # Both are as dangerous: the first declared is stopped, the last point meets the other one.
    assert spent == {"M2": 2, "M1": 1}


def test_capital_weapons_fire_in_addition_to_all_others() -> None:
    flow = engaged(at_sea(), {A: (shoot("C1"), shoot("M1"), shoot("B1"))})
    kinds = {shot.kind for shot in only(flow.events, ShotFired)}
    assert kinds == {WeaponKind.CAP, WeaponKind.MSL, WeaponKind.BEAM}


def test_a_gun_gives_its_ship_away_and_a_missile_does_not() -> None:
    assert only(engaged(at_sea(), {A: (shoot("C1"),)}).events, ShooterExposed)
    flow = engaged(at_sea(), {A: (shoot("M1"),)})
    assert not only(flow.events, ShooterExposed)
    kinds = {type(notice) for notice in told(flow, "B")}
    assert not kinds & {ShotSeen, ShooterKnown}
    assert OwnHit in kinds


def test_the_target_learns_the_points_spent_and_the_attacker_that_it_was_stopped() -> None:
    flow = engaged(defended(2), {A: (shoot("M1"),)}, rolling("A/S1/M1", 12))
    (hit,) = heard(flow, "B", OwnHit)
    assert hit == OwnHit(ship=S1, weapon=WeaponKind.MSL, damage=0, stopped=1, spent=2)
    (result,) = heard(flow, "A", ShotResult)
    assert (result.damage, result.stopped) == (0, 1)


def test_hits_take_hull_boxes_and_can_destroy() -> None:
    truth = with_ship(at_sea(), B1, damage=CRUISER.hull - 4)
    flow = engaged(truth, {A: (shoot("C1"),)}, rolling("A/S1/C1", 6))
    assert only(flow.events, DamageTaken) == [DamageTaken(piece=B1, damage=4)]
    (gone,) = only(flow.events, ShipDestroyed)
    assert gone.killers == (A,)


def test_a_ship_without_power_fires_no_capital_weapon() -> None:
    assert refusal(with_ship(at_sea(), A1, powered=False), shoot("M1")) is Code.ORDER_POWER


def test_the_order_in_which_weapons_are_named_changes_no_roll() -> None:
    first = engaged(at_sea(), {A: (shoot("C1"), shoot("M1"))}).events
    second = engaged(at_sea(), {A: (shoot("M1"), shoot("C1"))}).events
    assert first == second
