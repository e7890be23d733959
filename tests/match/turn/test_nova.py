"""The nova gun in a match: its sweeps over three turns, whom they hit, and who learns of it."""

import pytest
from msgspec.structs import replace

from builders.advice import assert_refused
from builders.ordnance import S1, Battle, keen, placed
from builders.truths import A1, A2, B1, DICE, A, B, only, ship, truth_of
from sunglare_protocol.geometry import Asteroid, Board, Compass, Landing, Square
from sunglare_protocol.ids import PUBLIC
from sunglare_protocol.notices import ContactDestroyed, NovaSeen, OwnHit, ShotResult, ShotSeen
from sunglare_protocol.orders import Fire
from sunglare_protocol.refusals import Code
from sunglare_protocol.words.armament import WeaponKind
from sunglare_protocol.words.ladder import Phase
from sunglare_rules.advice.check.check import check
from sunglare_rules.advice.legal.legal import shots
from sunglare_rules.advice.odds.fire import shot_odds
from sunglare_server.match.events.space import (
    NovaFired,
    PointsScored,
    ShipDestroyed,
    ShooterExposed,
    ShotFired,
)
from sunglare_server.match.resolve.sweeping import sweeps
from sunglare_server.match.truth.truth import Nova

GUN = keen("dreadnought")
TARGET = keen("frigate", hull=200)
NOVA = (Fire(ship=S1, weapon="N1"),)


def battle(*at: tuple[int, int], hull: int = 200) -> Battle:
    """Return A's nova gun at 10,35 facing north, and frigates of B on these squares."""
    targets = (
        placed(B, number, replace(TARGET, hull=hull), spot) for number, spot in enumerate(at, 1)
    )
    return Battle(placed(A, 1, GUN, (10, 35)), *targets)


def swept(fight: Battle, *, fire: bool = False) -> list[tuple[str, int]]:
    """Return the pieces that a turn's sweeps hit, each with the number of dice."""
    shots_made = only(fight.turn(engage={A: NOVA} if fire else None), ShotFired)
    nova = [shot for shot in shots_made if shot.kind is WeaponKind.NOVA]
    return [(shot.target, len(shot.dice)) for shot in nova]


def test_three_sweeps_in_three_turns_go_farther_and_do_less() -> None:
    fight = battle((10, 30), (10, 22), (11, 12), (12, 12), (10, 34), (10, 37))
    assert swept(fight, fire=True) == [("B/S1", 6)]
    assert swept(fight) == [("B/S2", 4)]
    assert swept(fight) == [("B/S3", 2)]
    assert swept(fight) == []


def test_friend_and_foe_in_the_way_are_hit_alike_and_the_firer_not() -> None:
    fight = Battle(
        placed(A, 1, GUN, (10, 35)), placed(A, 2, TARGET, (10, 31)), placed(B, 1, TARGET, (10, 30))
    )
    assert swept(fight, fire=True) == [(A2, 6), (B1, 6)]


def test_what_stands_on_a_body_is_out_of_the_way() -> None:
    board = Board(asteroids=(Asteroid(name="Rock", at=Square(10, 30)),))
    truth = truth_of(
        replace(ship(A, at=(10, 35)), facing=Compass.N),
        replace(ship(B, at=(10, 30)), landing=Landing(body="Rock", sector=Compass.S)),
        board=board,
    )
    nova = Nova(piece=A1, weapon="N1", turn=1, square=Square(10, 35), facing=Compass.N)
    assert list(sweeps(replace(truth, novas=(nova,)), DICE)) == []


def test_the_sweeps_go_on_when_the_ship_is_gone_and_from_the_square_of_the_shot() -> None:
    fight = battle((10, 22), (14, 22))
    fight.turn(engage={A: NOVA})
    fight.plot({A: "thrust S1 NE"})
    assert fight.own(A, S1).square == Square(11, 34)
    [shot] = only(fight.engage(), ShotFired)
    assert shot.target == B1


def test_everybody_is_told_that_a_nova_blinds_but_not_where_or_by_whom() -> None:
    fight = battle((30, 5))
    events = fight.turn(engage={A: NOVA})
    assert only(events, NovaFired)
    assert only(events, ShooterExposed) == []
    assert all(NovaSeen(until=3) in intel.told for intel in fight.course.state.intel.values())
    assert not fight.heard(B, ShotSeen)
    assert fight.view(B).contacts == ()


def test_a_nova_spoils_passive_detection_in_the_two_turns_after_the_shot() -> None:
    fight = battle((30, 5))
    spoilt = []
    for turn in range(1, 5):
        fight.plot()
        fight.course.close_until(Phase.DETECT)
        spoilt.append(fight.truth.nova_in_play)
        until = 3 if turn in (2, 3) else 0
        assert (fight.view(A).nova_until, fight.course.view(PUBLIC).nova_until) == (until, until)
        fight.engage({A: NOVA} if turn == 1 else None)
    assert spoilt == [False, True, True, False]
    assert fight.truth.novas == ()


def test_the_firer_learns_what_it_did_only_to_what_it_holds() -> None:
    unseen = battle((10, 30))
    unseen.turn(engage={A: NOVA})
    assert not unseen.heard(A, ShotResult)
    [hit] = unseen.heard(B, OwnHit)
    assert (hit.weapon, hit.damage > 0) == (WeaponKind.NOVA, True)
    held = battle((10, 30))
    held.turn(engage={A: NOVA}, looks=(A,))
    [result] = held.heard(A, ShotResult)
    assert (result.weapon, result.damage) == ("N1", sum(result.dice))


@pytest.mark.parametrize("is_held", [True, False], ids=["held", "unseen"])
def test_a_kill_by_nova_scores_but_is_told_only_of_what_is_held(is_held: bool) -> None:
    fight = battle((10, 30), (30, 5), hull=1)
    events = fight.turn(engage={A: NOVA}, looks=(A,) if is_held else ())
    [gone] = only(events, ShipDestroyed)
    assert (gone.killers, gone.unaware) == (((A,), ()) if is_held else ((), (A,)))
    [scored] = only(events, PointsScored)
    assert (scored.side, scored.is_known) == (A, is_held)
    assert len(fight.heard(A, ContactDestroyed)) == is_held


def test_a_nova_gun_needs_a_ship_that_spent_no_thrust_and_fires_nothing_else() -> None:
    fight = battle((10, 30)).fighting(looks=(A,))
    beam = Fire(ship=S1, weapon="B1", at=fight.at(A, Square(10, 30)))
    assert check(fight.view(A), NOVA) is None
    for orders in ((*NOVA, beam), (beam, *NOVA)):
        assert fight.refused(A, *orders) is Code.ORDER_NOVA
    assert_refused(
        check(fight.view(A), (replace(NOVA[0], at=beam.at),)), Code.ORDER_NOVA, "$.orders[0].at"
    )


def test_a_ship_that_thrust_has_no_nova_this_turn() -> None:
    fight = battle((10, 30)).fighting(plot={A: "thrust S1 N"})
    assert fight.refused(A, *NOVA) is Code.ORDER_NOVA


def test_the_odds_of_a_nova_are_for_all_that_is_held_in_its_way() -> None:
    view = battle((10, 30), (10, 32), (20, 30)).fighting(looks=(A,)).view(A)
    assert NOVA[0] in set(shots(view))
    odds = shot_odds(view, NOVA[0])
    assert getattr(odds, "mean_hundredths", None) == 2 * 2100
    assert getattr(odds, "at", "") is None
