"""Held weapons: which cloaked ship that fires they answer, how far, and who hears of it."""

import pytest
from msgspec.structs import replace

from builders.cloak import TOUGH, fired, missed_fight, raider
from builders.hunts import GUNSHIP, hider
from builders.ordnance import S1, Battle
from builders.truths import A1, B1, C1, A, B, C, only, ship
from sunglare_protocol.geometry import Compass, Square
from sunglare_protocol.notices import OwnHit, ShotResult
from sunglare_protocol.orders import Hold
from sunglare_protocol.words.ladder import Fate
from sunglare_server.match.events.cloak import CloakedFired
from sunglare_server.match.events.space import DamageTaken, ShotFired

ARMED = replace(TOUGH, name="armed", weapons=GUNSHIP.weapons)
HELD = tuple(Hold(ship=S1, weapon=weapon) for weapon in ("B1", "B2", "B3", "P1"))


@pytest.mark.parametrize(
    ("distance", "weapons"),
    [
        pytest.param(4, ["B2", "B3", "P1"], id="9.6 mu count as 21.6"),
        pytest.param(6, ["B3", "P1"], id="14.4 mu count as 28.8"),
        pytest.param(7, ["B3"], id="16.8 mu count as 33.6"),
        pytest.param(8, [], id="19.2 mu count as 38.4"),
    ],
)
def test_held_weapons_answer_an_unfound_cloaked_ship_as_a_detected_one(
    distance: int, weapons: list[str]
) -> None:
    fight = missed_fight(distance, ARMED)
    events = fight.engage({A: fired(fight), B: HELD})
    answers = [shot for shot in only(events, ShotFired) if shot.piece == B1]
    assert [shot.weapon for shot in answers] == weapons
    assert {shot.target for shot in answers} <= {A1}
    assert only(events, CloakedFired) == [CloakedFired(piece=A1, side=B)]


def test_held_weapons_answer_at_the_true_range_where_there_is_a_solution() -> None:
    fight = Battle(raider((10, 20)), replace(ship(B, at=(10, 13), kind=ARMED), facing=Compass.S))
    fight.fighting(detect={B: "sweep S1"})
    events = fight.engage({A: fired(fight), B: HELD})
    # 7 squares are 16.8 mu.
    answers = [shot.weapon for shot in only(events, ShotFired) if shot.piece == B1]
    assert answers == ["B2", "B3", "P1"]


def test_nothing_is_fired_spent_or_told_of_a_held_weapon_without_a_cloaked_ship_that_fires() -> (
    None
):
    fight, idle = missed_fight(kind=ARMED), missed_fight(kind=ARMED)
    events = fight.engage({B: HELD})
    idle.engage()
    assert only(events, ShotFired) == []
    assert fight.told(A) == idle.told(A)
    assert fight.view(A) == idle.view(A)
    assert fight.own(B, S1).heat == 0


def test_a_third_side_answers_only_a_cloaked_ship_that_it_has_found() -> None:
    def answers(*, swept: bool) -> list[str]:
        fight = Battle(
            raider((10, 20)),
            ship(B, at=(10, 16), kind=TOUGH),
            replace(ship(C, at=(10, 17), kind=ARMED), facing=Compass.S),
        )
        fight.fighting(detect=dict.fromkeys((B, C) if swept else (B,), "sweep S1"))
        events = fight.engage({A: fired(fight), C: HELD})
        return [shot.weapon for shot in only(events, ShotFired) if shot.piece == C1]

    assert answers(swept=True)
    assert not answers(swept=False)


def test_a_ship_that_is_destroyed_in_this_engage_still_answers() -> None:
    fight = missed_fight(kind=replace(ARMED, hull=1))
    events = fight.engage({A: fired(fight), B: HELD})
    assert [shot.piece for shot in only(events, ShotFired)].count(B1) == 3
    if only(events, DamageTaken):
        assert fight.course.state.truth.ships[B1].fate is Fate.DESTROYED


def test_the_answer_hits_the_cloaked_ship_and_its_owner_learns_of_it() -> None:
    fight = missed_fight(kind=ARMED)
    fight.engage({A: fired(fight), B: HELD})
    hits = fight.heard(A, OwnHit)
    assert [notice.weapon.value for notice in hits] == ["beam", "beam", "torpedo"]
    assert len(fight.heard(B, ShotResult)) == len(hits)


def test_of_several_that_fired_the_nearest_is_answered() -> None:
    fight = Battle(
        hider(A, 1, (10, 19), kind=GUNSHIP),
        hider(A, 2, (10, 18), kind=GUNSHIP),
        replace(ship(B, at=(10, 15), kind=ARMED), facing=Compass.S),
    )
    at = fight.fighting(detect={B: "sweep S1"}).at(A, Square(10, 15))
    events = fight.engage({A: f"fire S1.B3 {at}; fire S2.B3 {at}", B: HELD})
    targets = [shot.target for shot in only(events, ShotFired) if shot.piece == B1]
    assert targets
    assert set(targets) == {"A/S2"}
