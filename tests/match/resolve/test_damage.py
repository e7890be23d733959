"""What damage comes to: threshold checks and destroyed ships."""

from collections.abc import Iterable

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from builders.learned import fired, shot
from builders.truths import (
    A1,
    A2,
    B1,
    B2,
    C1,
    CRUISER,
    DICE,
    FRIGATE,
    A,
    B,
    C,
    D,
    applied,
    armed,
    beam,
    dice_where,
    only,
    ship,
    truth_of,
    with_ship,
)
from sunglare_protocol.geometry import Compass
from sunglare_protocol.words.ladder import Fate
from sunglare_server.match.data.scenario import ShipClass
from sunglare_server.match.dice import Dice
from sunglare_server.match.events.space import (
    DamageTaken,
    Event,
    ShipDestroyed,
    ShotFired,
    SystemLost,
)
from sunglare_server.match.ids import PieceId
from sunglare_server.match.resolve.firing import Attack, consequences, damages
from sunglare_server.match.truth.truth import Truth

SEEDS = st.binary(min_size=32, max_size=32)


def resolved(truth: Truth, made: Iterable[ShotFired], dice: Dice = DICE) -> list[Event]:
    some = tuple(made)
    hurt = list(damages(truth, some))
    return [*hurt, *consequences(truth, applied(truth, hurt), some, dice)]


def hurt_by(
    kind: ShipClass, before: int, damage: int, **changes: object
) -> tuple[Truth, ShotFired]:
    target = replace(ship(B, kind=kind), damage=before, **changes)
    return truth_of(ship(A), target), shot(A1, B1, damage)


def test_the_damage_of_all_shots_at_a_ship_is_one_sum() -> None:
    truth = truth_of(ship(A), ship(A, 2), ship(B), ship(B, 2))
    made = (shot(A1, B1, 2), shot(A2, B1, 1), shot(A2, B2, 0), shot(B1, A1, 1))
    assert sorted(damages(truth, made), key=lambda damage: str(damage)) == [
        DamageTaken(piece=A1, damage=1),
        DamageTaken(piece=B1, damage=3),
    ]


@pytest.mark.parametrize(("before", "damage"), [(0, 16), (12, 4), (15, 1), (0, 40)])
def test_the_last_box_gone_destroys_the_ship(before: int, damage: int) -> None:
    truth, made = hurt_by(FRIGATE, before, damage)
    events = resolved(truth, [made])
    assert only(events, ShipDestroyed) == [ShipDestroyed(piece=B1, cause="fire", killers=(A,))]
    assert only(events, SystemLost) == []
    assert applied(truth, events).ships[B1].fate is Fate.DESTROYED


def test_a_ship_with_one_box_left_is_in_play() -> None:
    truth, made = hurt_by(FRIGATE, 0, 15)
    assert only(resolved(truth, [made]), ShipDestroyed) == []


def test_all_fire_is_simultaneous_and_the_destroyed_still_fire() -> None:
    weak = replace(armed(beam("B1", 3)), hull=1)
    truth = truth_of(ship(A, at=(10, 20), kind=weak), ship(B, at=(10, 18), kind=weak))
    truth = with_ship(truth, B1, facing=Compass.S)
    attacks = (Attack(A1, "B1", B1), Attack(B1, "B1", A1))
    dice = dice_where(
        lambda dice: all(event.damage for event in fired(truth, *attacks, dice=dice))
    )
    events = resolved(truth, fired(truth, *attacks, dice=dice), dice)
    gone = {event.piece: event.killers for event in only(events, ShipDestroyed)}
    assert gone == {A1: (B,), B1: (A,)}


def test_killers_are_the_sides_whose_attacks_did_damage() -> None:
    target = replace(ship(B), damage=15)
    truth = truth_of(ship(A), target, ship(C), ship(D))
    made = (shot(A1, B1, 1), shot(C1, B1, 0), shot(PieceId("D/S1"), B1, 2))
    [gone] = only(resolved(truth, made), ShipDestroyed)
    assert gone.killers == (A, D)


def all_systems_lost(truth: Truth, made: ShotFired, number: int) -> list[SystemLost]:
    def good(dice: Dice) -> bool:
        return len(only(resolved(truth, [made], dice), SystemLost)) == number

    return only(resolved(truth, [made], dice_where(good)), SystemLost)


@pytest.mark.parametrize(
    ("before", "damage", "needed"),
    [(3, 1, 6), (0, 4, 6), (4, 4, 5), (0, 8, 5), (8, 4, 4), (0, 12, 4), (3, 12, 4), (7, 1, 5)],
)
@given(seed=SEEDS)
def test_crossing_the_end_of_a_row_makes_one_check_at_the_worst_row(
    before: int, damage: int, needed: int, seed: bytes
) -> None:
    truth, made = hurt_by(FRIGATE, before, damage)
    lost = only(resolved(truth, [made], Dice(seed=seed)), SystemLost)
    assert {loss.needed for loss in lost} <= {needed}
    assert all(loss.die >= needed for loss in lost)
    assert len({loss.system for loss in lost}) == len(lost)


@pytest.mark.parametrize(("before", "damage"), [(0, 3), (4, 3), (8, 3), (12, 3)])
@given(seed=SEEDS)
def test_within_a_row_there_is_no_check(before: int, damage: int, seed: bytes) -> None:
    truth, made = hurt_by(FRIGATE, before, damage)
    assert only(resolved(truth, [made], Dice(seed=seed)), SystemLost) == []


@pytest.mark.parametrize(
    ("kind", "out", "systems"),
    [
        (FRIGATE, False, {"B1", "P1", "drive"}),
        (FRIGATE, True, {"B1", "P1", "drive", "sensors"}),
        (CRUISER, False, {"B1", "P1", "drive", "screens"}),
        (CRUISER, True, {"B1", "P1", "drive", "sensors", "screens"}),
    ],
    ids=["folded", "popped out", "screens", "screens and popped out"],
)
def test_a_check_rolls_for_every_working_system_and_for_sensors_only_popped_out(
    kind: ShipClass, out: bool, systems: set[str]
) -> None:
    truth, made = hurt_by(kind, 0, kind.hull - 1, popped_out=out)
    assert {loss.system for loss in all_systems_lost(truth, made, len(systems))} == systems


def test_what_is_lost_already_is_not_rolled_for() -> None:
    truth, made = hurt_by(CRUISER, 0, 27, popped_out=False, lost=("B1", "screens"), drive_losses=2)
    assert {loss.system for loss in all_systems_lost(truth, made, 1)} == {"P1"}


def test_lost_sensors_are_folded_and_their_loss_is_kept() -> None:
    truth = truth_of(replace(ship(A), popped_out=True), ship(B))
    one = applied(truth, [SystemLost(piece=A1, system="sensors", die=6, needed=6)]).ships[A1]
    assert "sensors" in one.lost
    assert not one.popped_out


@pytest.mark.parametrize(("rating", "left"), [(3, (3, 1, 0)), (4, (4, 2, 0)), (2, (2, 1, 0))])
def test_the_first_drive_loss_halves_thrust_rounding_down_and_the_second_ends_it(
    rating: int, left: tuple[int, int, int]
) -> None:
    truth = truth_of(ship(A, kind=replace(FRIGATE, thrust=rating)), ship(B))
    loss = SystemLost(piece=A1, system="drive", die=6, needed=6)
    seen = [applied(truth, [loss] * times).ships[A1].thrust for times in range(3)]
    assert tuple(seen) == left


def test_a_drive_hit_once_is_rolled_for_again() -> None:
    truth, made = hurt_by(FRIGATE, 8, 4, drive_losses=1)
    assert "drive" in {loss.system for loss in all_systems_lost(truth, made, 3)}


def test_a_ship_that_takes_no_damage_is_not_checked() -> None:
    target = replace(ship(B), damage=4)
    truth = truth_of(ship(A), target)
    assert resolved(truth, [shot(A1, B1, 0)]) == []
