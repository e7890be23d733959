"""Attacks of volleys: whom they choose, how point defence meets them, who learns of them."""

import pytest

from builders.ordnance import (
    AM1,
    FRIGATE,
    LANCER,
    M1,
    S1,
    Battle,
    Orders,
    battle,
    keen,
    placed,
    sent,
)
from builders.truths import B1, A, B, only
from sunglare_protocol.geometry import Square
from sunglare_protocol.ids import OwnId
from sunglare_protocol.notices import (
    ContactDestroyed,
    InitiativeDrawn,
    OwnDestroyed,
    OwnHit,
    ShotResult,
    ShotSeen,
)
from sunglare_protocol.orders import Fire
from sunglare_protocol.refusals import Code
from sunglare_protocol.words.armament import WeaponKind
from sunglare_protocol.words.scans import Echo
from sunglare_rules.advice.check.check import check
from sunglare_server.match.events.space import (
    ContactMade,
    ShipDestroyed,
    ShooterExposed,
    ShotFired,
)
from sunglare_server.match.ids import PieceId


def struck(fight: Battle, orders: Orders | None = None) -> list[ShotFired]:
    """Return the attacks of missiles in a turn in which A tracks what it can."""
    fight.plot(sent((14, 10)))
    fight.scan(A)
    happened = only(fight.engage(orders), ShotFired)
    return [shot for shot in happened if shot.kind is WeaponKind.SALVO]


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
    events = fight.engage()
    [shot] = only(events, ShotFired)
    assert len(shot.dice) == getattr(volley, "missiles", None)
    assert shot.damage == sum(shot.dice)
    [gone] = [event for event in only(events, ShipDestroyed) if event.piece == AM1]
    assert (gone.cause, gone.killers) == ("spent", ())


def test_a_volley_without_a_live_track_stays() -> None:
    fight = battle()
    fight.plot(sent((14, 10)))
    assert only(fight.engage(), ShotFired) == []
    assert fight.has(A, M1)


def test_a_mere_contact_is_not_attacked_and_cannot_be_named() -> None:
    # B's radar gives B's ship away as a contact, to A as to all others.
    fight = battle().fighting(looks=(B,), plot=sent((14, 10)))
    fire = Fire(ship=M1, weapon="M1", at=fight.at(A, Square(14, 10)))
    assert fight.refused(A, fire) is Code.ORDER_STATE
    assert "live track" in getattr(check(fight.view(A), (fire,)), "text", "")
    assert only(fight.engage(), ShotFired) == []


def test_a_volley_may_be_told_whom_to_attack() -> None:
    fight = Battle(
        placed(A, 1, LANCER, (10, 10)),
        placed(B, 1, FRIGATE, (14, 10)),
        placed(B, 2, FRIGATE, (14, 12)),
    )
    fight.fighting(looks=(A,), plot=sent((14, 10)))
    handle = fight.at(A, Square(14, 12))
    [shot] = only(fight.engage({A: f"fire M1.M1 {handle}"}), ShotFired)
    assert shot.target == PieceId("B/S2")


def test_missiles_give_nobody_away_but_the_target_learns_what_hit_it() -> None:
    fight = battle().fighting(looks=(A,), plot=sent((14, 10)))
    events = fight.engage()
    [shot] = only(events, ShotFired)
    assert only(events, ShooterExposed) == []
    assert OwnHit(ship=S1, weapon=WeaponKind.SALVO, damage=shot.damage) in fight.told(B)
    assert not fight.heard(B, ShotSeen)


@pytest.mark.parametrize("points", [1, 3, 9])
def test_point_defence_takes_a_missile_a_point_and_both_sides_learn_how_many(points: int) -> None:
    bare, defended = struck(battle()), struck(fight := battle(defence=points))
    came = len(bare[0].dice)
    stopped = min(points, came)
    assert (defended[0].stopped, len(defended[0].dice)) == (stopped, came - stopped)
    own = [notice.stopped for notice in fight.heard(A, ShotResult)]
    hit = [notice.stopped for notice in fight.heard(B, OwnHit)]
    assert (own, hit) == ([stopped], [stopped])
    assert not fight.has(A, M1)


def test_a_point_defence_that_holds_takes_none() -> None:
    assert struck(battle(defence=2), {B: "defend S1 hold"})[0].stopped == 0
    assert struck(battle(defence=2), {B: "defend S1 all"})[0].stopped > 0


def test_a_cold_or_lost_point_defence_takes_none() -> None:
    fight = battle(defence=2)
    fight.plot({**sent((14, 10)), B: "power S1 off"})
    fight.scan(A)
    assert [shot.stopped for shot in only(fight.engage(), ShotFired)] == [0]


def test_one_defence_meets_all_volleys_and_the_largest_first() -> None:
    fight = battle(defence=4)
    fight.plot(sent((14, 10), (14, 11)))
    fight.scan(A)
    sizes = {own.id: own.volley.missiles for own in fight.view(A).own if own.volley is not None}
    stopped = {OwnId(shot.piece[2:]): shot.stopped for shot in only(fight.engage(), ShotFired)}
    assert sum(stopped.values()) == min(4, sum(sizes.values()))
    assert max(stopped.values()) == min(4, max(sizes.values()))


def test_a_volley_that_is_shot_down_attacks_all_the_same() -> None:
    fight = Battle(placed(A, 1, LANCER, (10, 10)), placed(B, 1, keen("frigate"), (14, 12)))
    fight.fighting(looks=(A, B), plot=sent((14, 10)))
    handle = fight.at(B, Square(14, 10))
    events = fight.engage({B: f"fire S1.B1 {handle}; fire S1.P1 {handle}"})
    assert {shot.kind for shot in only(events, ShotFired)} >= {WeaponKind.SALVO, WeaponKind.BEAM}
    [gone] = [event for event in only(events, ShipDestroyed) if event.piece == AM1]
    assert gone.cause in ("fire", "spent")
    assert (gone.cause == "fire") == (gone.killers == (B,))
    assert fight.heard(B, ContactDestroyed)
    assert OwnDestroyed(ship=M1, cause=gone.cause) in fight.told(A)


def test_a_scan_may_find_a_volley_like_any_piece() -> None:
    fight = battle()
    fight.plot(sent((14, 12)))
    found = [event.piece for event in only(fight.scan(B), ContactMade)]
    assert AM1 in found
    [track] = [contact for contact in fight.view(B).contacts if contact.square == Square(14, 12)]
    assert track.size is Echo.MISSILE


def test_the_end_of_a_volley_is_told_to_nobody_who_does_not_hold_it() -> None:
    fight = battle()
    for plot in (sent((10, 16)), None, None):
        fight.turn(plot)
    assert not fight.has(A, M1)
    assert {type(notice) for notice in fight.told(B)} == {InitiativeDrawn}
    assert fight.view(B).contacts == ()
