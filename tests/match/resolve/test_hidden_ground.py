"""Shots that hidden facts make impossible: accepted, rolled, and told like a miss."""

import pytest
from msgspec.structs import replace

from builders.advice import refused
from builders.learned import fired
from builders.matches import Course, scenario_of
from builders.truths import (
    A1,
    B1,
    BOARD,
    CORVETTE,
    A,
    B,
    armed,
    beam,
    only,
    ship,
    torpedo,
    truth_of,
)
from sunglare_protocol.geometry import Compass, Landing, Square
from sunglare_protocol.words.ladder import Phase
from sunglare_server.match.dice import Dice
from sunglare_server.match.events.space import DamageTaken, ShotFired
from sunglare_server.match.resolve.firing import Attack

SEEDS = [number.to_bytes(32, "big") for number in range(40)]
EAST_FACE = Landing(body="Rock", sector=Compass.E)


def shot_from(at: tuple[int, int], weapon: str, seed: bytes) -> ShotFired:
    """Return a shot at a ship on the east face of the asteroid in (30, 30)."""
    shooter = ship(A, at=at, kind=armed(beam("B1", 3), torpedo("P1")))
    prey = replace(ship(B, at=(30, 30), kind=CORVETTE), landing=EAST_FACE)
    truth = truth_of(shooter, prey, board=BOARD)
    [made] = fired(truth, Attack(A1, weapon, B1), dice=Dice(seed=seed))
    return made


@pytest.mark.parametrize("weapon", ["B1", "P1"])
def test_the_ground_of_an_asteroid_stops_every_shot_from_behind_it(weapon: str) -> None:
    behind = [shot_from((26, 30), weapon, seed) for seed in SEEDS]
    assert {shot.damage for shot in behind} == {0}
    assert any(shot_from((34, 30), weapon, seed).damage for seed in SEEDS)


def test_the_dice_of_a_shot_that_could_not_hit_are_those_of_a_miss() -> None:
    beams = [shot_from((26, 30), "B1", seed).dice for seed in SEEDS]
    # Twelve mu and less: three dice, none of which scores against any screens.
    assert {len(dice) for dice in beams} == {3}
    assert {die for dice in beams for die in dice} == {1, 2, 3}
    # Four squares: a torpedo hits on 3 or more, and has one die as long as it misses.
    assert {shot_from((26, 30), "P1", seed).dice for seed in SEEDS} == {(1,), (2,)}


def test_a_shot_that_does_not_pass_the_ground_keeps_the_dice_it_had() -> None:
    open_space = truth_of(
        ship(A, at=(34, 30), kind=armed(beam("B1", 3))), ship(B, at=(30, 30), kind=CORVETTE)
    )
    for seed in SEEDS:
        [made] = fired(open_space, Attack(A1, "B1", B1), dice=Dice(seed=seed))
        assert shot_from((34, 30), "B1", seed).dice == made.dice


def test_such_a_shot_is_accepted_for_the_attacker_does_not_know_better() -> None:
    shooter = replace(ship(A, 1, (26, 30)), facing=Compass.E)
    spotter = replace(ship(A, 2, (34, 30)), popped_out=True)
    course = Course(scenario_of(shooter, spotter, ship(B, at=(30, 30)), board=BOARD))
    course.orders(B, "land S1 Rock E")
    course.close_until(Phase.SCAN, A)
    course.orders(A, "scan S2 visual 1box G7 nosense")
    course.close_until(Phase.ENGAGE)
    [contact] = course.view(A).contacts
    assert (contact.square, contact.landed) == (Square(30, 30), None)
    order = f"fire S1.B1 {contact.handle}"
    assert refused(course.view(A), order) is None
    events = course.close_with(Phase.ENGAGE, {A: order})
    assert [shot.damage for shot in only(events, ShotFired)] == [0]
    assert only(events, DamageTaken) == []
