"""What attacks come to: dice, arcs and witnesses."""

from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from builders.learned import fired, shot
from builders.truths import (
    A1,
    A2,
    B1,
    BOARD,
    CORVETTE,
    CRUISER,
    DICE,
    FRIGATE,
    A,
    B,
    C,
    D,
    armed,
    beam,
    holding,
    ship,
    torpedo,
    truth_of,
)
from sunglare_protocol.geometry import Asteroid, Board, Compass, Landing, Square
from sunglare_protocol.ids import Side
from sunglare_protocol.words.armament import WeaponKind
from sunglare_protocol.words.ladder import Fate, Fix
from sunglare_protocol.words.pieces import Arc, TurretKind
from sunglare_server.match.data.scenario import ShipClass, TurretData, Weapon
from sunglare_server.match.dice import Dice
from sunglare_server.match.events.space import ShooterExposed, ShotFired
from sunglare_server.match.resolve.firing import Attack, exposures
from sunglare_server.match.truth.truth import ShipTruth, Truth

SEEDS = st.binary(min_size=32, max_size=32)


def one_shot(
    weapon: Weapon, away: tuple[int, int], screens: int = 0, dice: Dice = DICE
) -> ShotFired:
    shooter = ship(A, at=(10, 20), kind=armed(weapon))
    target = ship(B, at=(10 + away[0], 20 - away[1]), kind=replace(FRIGATE, screens=screens))
    [made] = fired(truth_of(shooter, target), Attack(A1, weapon.id, B1), dice=dice)
    return made


# Dice and damage.


@pytest.mark.parametrize(
    ("away", "dice"),
    [
        ((0, 5), (1, 2, 3)),
        ((3, 4), (1, 2, 3)),
        ((1, 5), (0, 1, 2)),
        ((0, 10), (0, 1, 2)),
        ((1, 10), (0, 0, 1)),
        ((0, 15), (0, 0, 1)),
        ((1, 15), (0, 0, 0)),
    ],
    ids=["12 mu", "12 mu aslant", "beyond 12", "24 mu", "beyond 24", "36 mu", "beyond 36"],
)
def test_a_beam_battery_loses_a_die_for_every_further_12_mu(
    away: tuple[int, int], dice: tuple[int, int, int]
) -> None:
    for rank, base in enumerate(dice, 1):
        made = one_shot(beam("B1", rank), away)
        # Every six is rolled again, once.
        assert len(made.dice) == base + made.dice.count(6)


POINTS = {0: {4: 1, 5: 1, 6: 2}, 1: {5: 1, 6: 2}, 2: {5: 1, 6: 1}}


@given(SEEDS, st.integers(0, 2), st.integers(1, 3))
def test_beam_dice_score_by_their_face_and_the_screens(
    seed: bytes, screens: int, rank: int
) -> None:
    made = one_shot(beam("B1", rank), (0, 3), screens, Dice(seed=seed))
    assert made.damage == sum(POINTS[screens].get(die, 0) for die in made.dice)


@given(SEEDS)
def test_lost_screens_protect_no_more(seed: bytes) -> None:
    target = replace(ship(B, at=(10, 18), kind=CRUISER), lost=("screens",))
    shooter = ship(A, at=(10, 20), kind=armed(beam("B1", 3)))
    [made] = fired(truth_of(shooter, target), Attack(A1, "B1", B1), dice=Dice(seed=seed))
    assert made.damage == sum(POINTS[0].get(die, 0) for die in made.dice)


@pytest.mark.parametrize(
    ("away", "needed"),
    [
        ((1, 2), 2),
        ((0, 3), 3),
        ((3, 4), 3),
        ((2, 7), 4),
        ((0, 8), 5),
        ((0, 10), 5),
        ((6, 10), 6),
        ((6, 11), None),
    ],
)
@given(seed=SEEDS)
def test_a_torpedo_hits_by_range_for_one_die_of_damage(
    away: tuple[int, int], needed: int | None, seed: bytes
) -> None:
    made = one_shot(torpedo("P1"), away, screens=2, dice=Dice(seed=seed))
    if needed is None:
        assert (made.dice, made.damage) == ((), 0)
    elif made.dice[0] >= needed:
        assert made.dice[1:] == (made.damage,)
    else:
        assert (len(made.dice), made.damage) == (1, 0)


def test_each_weapon_rolls_its_own_dice() -> None:
    weapons = tuple(beam(f"B{number}", 3) for number in range(1, 7))
    shooter = ship(A, at=(10, 20), kind=armed(*weapons))
    attacks = [Attack(A1, weapon.id, B1) for weapon in weapons]
    made = fired(truth_of(shooter, ship(B, at=(10, 18))), *attacks)
    assert len(made) == 6
    assert len({event.dice for event in made}) > 1


def test_the_order_in_which_attacks_came_in_makes_no_difference() -> None:
    truth = truth_of(ship(A), ship(A, 2), ship(B, at=(10, 8)))
    attacks = (Attack(A1, "B1", B1), Attack(A1, "P1", B1), Attack(A2, "B1", B1))
    results = {fired(truth, *some) for some in permutations(attacks)}
    assert len(results) == 1


# Arcs.


def arc_of(
    shooter: ShipTruth, target: ShipTruth, weapon: str, fix: Fix = Fix.TRACKED
) -> Arc | None:
    truth = holding(truth_of(shooter, target), A, B1, fix)
    [made] = fired(truth, Attack(A1, weapon, B1))
    return made.arc


@pytest.mark.parametrize(
    ("at", "arc"), [((10, 15), Arc.FRONT), ((10, 25), Arc.REAR)], ids=["ahead", "astern"]
)
def test_the_arc_used_is_recorded_with_each_shot(at: tuple[int, int], arc: Arc) -> None:
    shooter = ship(A, at=(10, 20), kind=armed(beam("B1", 2, arc)))
    assert arc_of(shooter, ship(B, at=at), "B1") is arc


@pytest.mark.parametrize(
    ("at", "arc"), [((10, 15), Arc.FRONT), ((10, 25), Arc.REAR)], ids=["ahead", "astern"]
)
def test_a_turret_weapon_uses_the_arc_of_its_turret_that_holds_the_target(
    at: tuple[int, int], arc: Arc
) -> None:
    gun = Weapon(id="B1", kind=WeaponKind.BEAM, rank=2, turret="T1")
    turret = TurretData(id="T1", kind=TurretKind.DOUBLE, arcs=(Arc.FRONT, Arc.REAR))
    shooter = ship(A, at=(10, 20), kind=replace(FRIGATE, weapons=(gun,), turrets=(turret,)))
    assert arc_of(shooter, ship(B, at=at), "B1") is arc


@pytest.mark.parametrize("kind", [CORVETTE, CRUISER], ids=["smaller", "larger"])
def test_a_target_in_the_same_square_is_in_no_arc(kind: ShipClass) -> None:
    shooter = ship(A, at=(10, 20))
    assert arc_of(shooter, ship(B, at=(10, 20), kind=kind), "B1") is None


def test_a_target_in_the_same_square_is_fired_at_with_range_0() -> None:
    made = one_shot(beam("B1", 1), (0, 0))
    assert len(made.dice) == 1 + made.dice.count(6)


def test_the_arc_is_judged_by_what_the_attacker_holds_and_not_by_hidden_facts() -> None:
    # A contact counts as a small base facing north: seen from a ship that faces north-east its
    # corner reaches the strip ahead, which the base as it really stands does not.
    gun = beam("B1", 2, Arc.BULLSEYE)
    shooter = replace(ship(A, at=(10, 20), kind=armed(gun, like=CORVETTE)), facing=Compass.NE)
    target = replace(ship(B, at=(13, 19), kind=CORVETTE), facing=Compass.NE)
    assert arc_of(shooter, target, "B1", Fix.CONTACT) is Arc.BULLSEYE
    assert arc_of(shooter, target, "B1", Fix.TRACKED) is None


# Who sees the shooter.


def witnesses(truth: Truth, *made: ShotFired) -> dict[str, tuple[Side, ...]]:
    events = [
        exposure for exposure in exposures(truth, made) if isinstance(exposure, ShooterExposed)
    ]
    return {event.piece: event.witnesses for event in events}


def test_witnesses_are_the_side_shot_at_and_every_side_in_line_of_sight() -> None:
    # The shooter is near north of Ceres: near and far south are hidden from it.
    shooter = ship(A, at=(15, 10))
    truth = truth_of(
        shooter, ship(B, at=(20, 10)), ship(C, at=(15, 16)), ship(D, at=(3, 3)), board=BOARD
    )
    assert witnesses(truth, shot(A1, B1)) == {A1: (B, D)}


def test_the_side_shot_at_is_a_witness_even_out_of_sight() -> None:
    truth = truth_of(ship(A, at=(15, 10)), ship(B, at=(15, 16)), board=BOARD)
    assert witnesses(truth, shot(A1, B1)) == {A1: (B,)}


def test_one_ship_in_sight_is_enough() -> None:
    truth = truth_of(
        ship(A, at=(15, 10)),
        ship(B, at=(20, 10)),
        ship(C, at=(15, 16)),
        ship(C, 2, (3, 3)),
        board=BOARD,
    )
    assert witnesses(truth, shot(A1, B1)) == {A1: (B, C)}


@pytest.mark.parametrize("fate", [Fate.DESTROYED, Fate.ESCAPED])
def test_a_ship_that_was_out_of_play_before_sees_nothing(fate: Fate) -> None:
    gone = replace(ship(C, at=(3, 3)), fate=fate)
    truth = truth_of(ship(A, at=(15, 10)), ship(B, at=(20, 10)), gone, board=BOARD)
    assert witnesses(truth, shot(A1, B1)) == {A1: (B,)}


def test_the_ground_of_an_asteroid_hides_a_shooter_from_a_landed_witness() -> None:
    board = Board(asteroids=(Asteroid(name="Rock", at=Square(20, 20)),))
    landed = replace(ship(C, at=(20, 20)), landing=Landing(body="Rock", sector=Compass.W))
    truth = truth_of(ship(A, at=(25, 20)), ship(B, at=(26, 20)), landed, board=board)
    assert witnesses(truth, shot(A1, B1)) == {A1: (B,)}


def test_the_shooters_own_side_is_no_witness() -> None:
    truth = truth_of(ship(A, at=(15, 10)), ship(A, 2, (3, 3)), ship(B, at=(20, 10)))
    assert witnesses(truth, shot(A1, B1)) == {A1: (B,)}


def test_every_ship_that_fired_is_exposed_once() -> None:
    truth = truth_of(ship(A), ship(A, 2), ship(B, at=(12, 10)))
    made = (shot(A1, B1), shot(A1, B1), shot(B1, A2))
    assert witnesses(truth, *made) == {A1: (B,), B1: (A,)}


def test_a_tracks_echo_stands_for_its_base() -> None:
    # A large base two squares beside the shooter reaches the strip ahead, a small one does not.
    gun = beam("B1", 2, Arc.BULLSEYE)
    shooter = ship(A, at=(10, 20), kind=armed(gun, like=CORVETTE))
    beside = ship(B, at=(12, 18), kind=CRUISER)
    assert arc_of(shooter, beside, "B1", Fix.TRACKED) is Arc.BULLSEYE
    assert arc_of(shooter, beside, "B1", Fix.CONTACT) is None
