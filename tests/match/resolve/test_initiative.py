"""Initiative: two dice and the best commander, equal totals by letter and turn."""

import pytest
from msgspec.structs import replace

from builders.truths import A, B, C, D, applied, dice_where, ship, truth_of
from sunglare_protocol.ids import Side
from sunglare_protocol.words.ladder import Fate
from sunglare_server.match.data.scenario import CrewData
from sunglare_server.match.dice import Dice
from sunglare_server.match.events.space import InitiativeRolled
from sunglare_server.match.resolve.initiative import commander_skill, initiative
from sunglare_server.match.truth.truth import ShipTruth


def led(side: Side, number: int, skill: int, fate: Fate = Fate.IN_PLAY) -> ShipTruth:
    return replace(ship(side, number), crew=CrewData(commander=skill), fate=fate)


FOUR = truth_of(ship(A), ship(B), ship(C), ship(D))


def all_equal(turn: int) -> Dice:
    return dice_where(lambda dice: len(set(initiative(FOUR, turn, dice).totals.values())) == 1)


@pytest.mark.parametrize(
    ("turn", "order"), [(1, (A, B, C, D)), (2, (D, C, B, A)), (7, (A, B, C, D))]
)
def test_equal_totals_go_to_the_lower_letter_on_odd_turns_and_the_higher_on_even(
    turn: int, order: tuple[Side, ...]
) -> None:
    assert initiative(FOUR, turn, all_equal(turn)).order == order


@pytest.mark.parametrize("turn", range(1, 9))
def test_the_highest_total_goes_first(turn: int) -> None:
    rolled = initiative(FOUR, turn, Dice(seed=bytes(32)))
    totals = [rolled.totals[side] for side in rolled.order]
    assert totals == sorted(totals, reverse=True)
    assert sorted(rolled.order) == [A, B, C, D]
    assert all(2 <= total <= 12 for total in totals)
    assert rolled.turn == turn


def test_the_best_commander_among_the_ships_in_play_counts() -> None:
    ships = (led(A, 1, 1), led(A, 2, 3), led(A, 3, 2), led(B, 1, 0))
    assert commander_skill(truth_of(*ships), A) == 3


@pytest.mark.parametrize("fate", [Fate.DESTROYED, Fate.ESCAPED])
def test_a_commander_who_is_out_of_play_does_not_count(fate: Fate) -> None:
    truth = truth_of(led(A, 1, 1), led(A, 2, 3, fate), led(B, 1, 0))
    assert commander_skill(truth, A) == 1


def test_a_side_without_ships_has_no_commander() -> None:
    truth = truth_of(led(A, 1, 3, Fate.DESTROYED), led(B, 1, 0))
    assert commander_skill(truth, A) == 0


@pytest.mark.parametrize("skill", [1, 2, 3])
def test_the_skill_is_added_to_the_dice(skill: int) -> None:
    dice = Dice(seed=bytes(32))
    without = initiative(truth_of(led(A, 1, 0), led(B, 1, 0)), 4, dice).totals
    with_skill = initiative(truth_of(led(A, 1, skill), led(B, 1, 0)), 4, dice).totals
    assert with_skill == {A: without[A] + skill, B: without[B]}


def test_each_turn_is_rolled_anew() -> None:
    dice = Dice(seed=bytes(32))
    totals = {tuple(initiative(FOUR, turn, dice).totals.values()) for turn in range(1, 12)}
    assert len(totals) > 1


def test_a_new_initiative_sets_the_turn() -> None:
    drawn = InitiativeRolled(turn=5, order=(B, A), totals={A: 2, B: 3})
    assert applied(truth_of(ship(A), ship(B)), [drawn]).turn == 5
