"""Fights after a search: wounds, policies, order of wounds, endings."""

import random
from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from builders.fights import (
    ATTACKER,
    DEFENDER,
    DICE,
    FIGHTERS,
    KEPT_OUT,
    agents,
    duel,
    fighter,
    party,
    shown,
)
from builders.searches import TOWN, A, rated
from sunglare_protocol.words.search import FightOutcome, FightPolicy, Soldier
from sunglare_rules.search.agents import Agent
from sunglare_rules.search.fights import (
    SOLDIER_COMBAT,
    WOUNDS_FROM,
    Fight,
    Fighter,
    agent_party,
    fought,
    lines,
    patrol_party,
    total,
    wounds_dealt,
)
from sunglare_rules.search.patrols import Patrol

FIGHTERS_LISTS = st.lists(
    st.builds(lambda combat, endurance: (combat, endurance), st.integers(0, 6), st.integers(1, 6)),
    min_size=1,
    max_size=6,
)


def names(fighters: tuple[Fighter, ...]) -> list[str]:
    """Return the names of fighters in their order."""
    return [one_fighter.name for one_fighter in fighters]


@pytest.mark.parametrize(
    ("soldier", "combat"),
    [
        (Soldier.CONSCRIPT, 1),
        (Soldier.MILITIA, 1),
        (Soldier.LINE, 2),
        (Soldier.REGULAR, 2),
        (Soldier.STORMTROOPER, 3),
        (Soldier.MARINE, 4),
        (Soldier.ELITE, 4),
    ],
    ids=lambda value: str(getattr(value, "value", value)),
)
def test_a_patrol_fights_with_the_combat_of_its_soldiers(soldier: Soldier, combat: int) -> None:
    patrol = patrol_party(Patrol(soldier, 5))
    assert total(patrol.fighters) == 5 * combat
    assert names(patrol.fighters) == ["1", "2", "3", "4", "5"]
    assert {one_fighter.endurance for one_fighter in patrol.fighters} == {1}


def test_every_soldier_has_a_combat_rating() -> None:
    assert set(SOLDIER_COMBAT) == set(Soldier)


@pytest.mark.parametrize(
    ("die", "own", "other", "wounds"),
    [
        pytest.param(3, 5, 5, 0, id="3 points are no wound"),
        pytest.param(4, 5, 5, 1, id="4 points are one"),
        pytest.param(8, 5, 5, 2, id="8 points are two"),
        pytest.param(10, 6, 3, 3, id="the margin adds"),
        pytest.param(1, 2, 12, 0, id="never less than none"),
        pytest.param(10, 2, 0, 2, id="no more than the own total"),
        pytest.param(10, 0, 0, 0, id="without combat there are no wounds"),
    ],
)
def test_die_and_margin_make_wounds(die: int, own: int, other: int, wounds: int) -> None:
    assert wounds_dealt(die, own, other) == wounds


@pytest.mark.parametrize("faces", list(product((5, 6), repeat=4)), ids=str)
def test_those_who_flee_try_before_every_round(faces: tuple[int, ...]) -> None:
    harmless = party(fighter("Rusk", combat=0)), party(fighter("Vane", combat=0))
    dice = {FIGHTERS + 4 * round_: face for round_, face in enumerate(faces)}
    fight = fought(*harmless, FightPolicy.FLEE, shown(dice, other=10))
    rounds = faces.index(5) if 5 in faces else 10
    assert len(fight.rounds) == rounds
    assert fight.ending is (FightOutcome.BROKEN_OFF if rounds < 10 else FightOutcome.TIME)


@pytest.mark.parametrize(
    ("policy", "index", "most"),
    [(FightPolicy.FLEE, FIGHTERS, 5), (FightPolicy.SCREEN, KEPT_OUT, 8)],
    ids=["fighters", "kept out"],
)
def test_breaking_off_has_its_chance(policy: FightPolicy, index: int, most: int) -> None:
    pair = [(0, 1), (0, 1)]
    away = sum(bool(duel([(0, 1)], pair, policy, {index: die}, 10).escaped) for die in DICE)
    assert Fraction(away, 10) == Fraction(most, 10)


def test_nobody_breaks_off_who_is_to_fight() -> None:
    fight = duel([(0, 1)], [(0, 1), (0, 1)], FightPolicy.FIGHT, {})
    assert fight.ending is FightOutcome.TIME
    assert names(fight.standing) == ["A0", "A1"]


def test_one_roll_takes_all_who_flee() -> None:
    fight = duel([(4, 1)], [(1, 1)] * 4, FightPolicy.FLEE, {FIGHTERS: 5})
    assert names(fight.escaped) == ["A0", "A1", "A2", "A3"]
    assert fight.rounds == ()


def test_a_screen_is_the_best_of_them_and_of_equals_the_first() -> None:
    group = (fighter("Dray", 1), fighter("Rusk", 4), fighter("Vane", 4))
    assert lines(group, FightPolicy.SCREEN) == (group[1:2], (group[0], group[2]))
    assert lines(group, FightPolicy.FIGHT) == (group, ())
    assert lines(group, FightPolicy.FLEE) == (group, ())


def test_a_screen_fights_alone_and_takes_all_wounds() -> None:
    defenders = party(fighter("Dray", 1), fighter("Rusk", 3, endurance=4), fighter("Vane", 2))
    dice = {KEPT_OUT: 9, ATTACKER: 10, DEFENDER: 10, KEPT_OUT + 4: 8, FIGHTERS + 8: 5}
    fight = fought(
        patrol_party(Patrol(Soldier.LINE, 2)), defenders, FightPolicy.SCREEN, shown(dice)
    )
    # Totals 4 and 3: 11 // 4 wounds for the agent, 9 // 4 for the patrol, which is gone then.
    assert fight.ending is FightOutcome.ATTACKERS_GONE
    assert [(one_fighter.name, one_fighter.wounds) for one_fighter in fight.standing] == [
        ("Dray", 0),
        ("Rusk", 2),
        ("Vane", 0),
    ]


def test_a_screen_tries_to_get_away_only_when_the_rest_are_away() -> None:
    dice = {FIGHTERS: 1, KEPT_OUT: 9, FIGHTERS + 4: 1, KEPT_OUT + 4: 8, FIGHTERS + 8: 5}
    fight = duel([(0, 1)], [(0, 1), (1, 1)], FightPolicy.SCREEN, dice)
    assert names(fight.escaped) == ["A0", "A1"]
    assert len(fight.rounds) == 2


def test_when_the_screen_falls_the_next_steps_up() -> None:
    defenders = party(fighter("Dray", 1), fighter("Rusk", 3), fighter("Vane", 2))
    fight = fought(agents("B", [(6, 9)], True), defenders, FightPolicy.SCREEN, shown({}, other=10))
    assert names(fight.defenders_fallen) == ["Rusk", "Vane", "Dray"]
    assert fight.ending is FightOutcome.DEFENDERS_GONE


def test_wounds_beyond_the_screen_harm_nobody_else() -> None:
    defenders = party(fighter("Rusk", 3, endurance=1), fighter("Vane", 2))
    dice = {ATTACKER: 10, KEPT_OUT: 9, FIGHTERS + 4: 5}
    fight = fought(agents("B", [(9, 9)], True), defenders, FightPolicy.SCREEN, shown(dice))
    assert fight.rounds[0].defender_wounds == 4
    assert (names(fight.defenders_fallen), names(fight.escaped)) == (["Rusk"], ["Vane"])


def test_a_round_has_what_each_side_fought_with_when_it_began() -> None:
    defenders = party(fighter("Rusk", 3), fighter("Vane", 2))
    fight = fought(
        agents("B", [(6, 9), (1, 9)], True), defenders, FightPolicy.SCREEN, shown({}, 9)
    )
    # Rusk screens, and falls; Vane, who did not get away, is the next.
    assert [(bout.attack, bout.defence) for bout in fight.rounds] == [(7, 3), (7, 2)]


def test_both_sides_strike_at_once() -> None:
    fight = duel([(4, 1)], [(4, 1)], FightPolicy.FIGHT, {}, 4)
    assert fight.ending is FightOutcome.BOTH_GONE
    assert len(fight.rounds) == 1


def test_wounds_fall_in_the_owners_order_and_last() -> None:
    group = [rated("Dray", combat=1), rated("Rusk", combat=1), rated("Vane", combat=1)]
    assert names(agent_party(group, ("Vane", "Dray")).fighters) == ["Vane", "Dray", "Rusk"]
    defenders = party(fighter("Vane", 1, 3, wounds=1), fighter("Dray", 1, 3))
    dice = {ATTACKER: 4, ATTACKER + 4: 1}
    fight = fought(agents("B", [(2, 9)], True), defenders, FightPolicy.FIGHT, shown(dice))
    assert [(one_fighter.name, one_fighter.wounds) for one_fighter in fight.standing] == [
        ("Vane", 2),
        ("Dray", 0),
    ]


def test_agents_come_to_a_fight_with_their_ratings_and_wounds() -> None:
    rusk = Agent(name="Rusk", owner=A, at=TOWN, combat=3, endurance=4, wounds=2)
    assert agent_party([rusk, rated("Vane", combat=1)]) == party(
        fighter("Rusk", 3, endurance=4, wounds=2), fighter("Vane", 1), ordered=False
    )


def test_a_soldier_falls_at_the_first_wound_and_the_first_soldier_first() -> None:
    fight = fought(
        patrol_party(Patrol(Soldier.MILITIA, 4)),
        agents("A", [(4, 9)], True),
        FightPolicy.FIGHT,
        shown({DEFENDER: 8}),
    )
    assert names(fight.attackers_fallen) == ["1", "2"]
    assert names(fight.attackers) == ["3", "4"]


@pytest.mark.parametrize("face", [1, 2, 3])
def test_without_an_order_a_die_of_those_alive_chooses(face: int) -> None:
    defenders = agents("A", [(1, 1), (1, 1), (1, 1)], False)
    sides_seen = []

    def roll(sides: int, index: int) -> int:
        if index >= WOUNDS_FROM:
            sides_seen.append((sides, index))
            return min(face, sides)
        return 8 if index == ATTACKER else 1

    fight = fought(agents("B", [(3, 9)], True), defenders, FightPolicy.FIGHT, roll)
    chosen = {1: ["A0", "A1"], 2: ["A1", "A2"], 3: ["A2", "A1"]}[face]
    assert names(fight.defenders_fallen)[:2] == sorted(chosen)
    assert sides_seen[:2] == [(3, WOUNDS_FROM), (2, WOUNDS_FROM + 1)]


def test_no_die_is_read_for_two_purposes() -> None:
    read: list[tuple[int, int]] = []

    def roll(sides: int, index: int) -> int:
        read.append((sides, index))
        return min(7, sides)

    fought(
        agents("B", [(2, 4)] * 3, False), agents("A", [(2, 4)] * 3, False), FightPolicy.FLEE, roll
    )
    assert len(read) == len(set(read))
    assert len({index for _, index in read}) == len(read)


@given(
    FIGHTERS_LISTS,
    FIGHTERS_LISTS,
    st.sampled_from(FightPolicy),
    st.booleans(),
    st.randoms(use_true_random=False),
)
def test_a_fight_ends_within_ten_rounds_and_loses_nobody(
    attack: list[tuple[int, int]],
    defence: list[tuple[int, int]],
    policy: FightPolicy,
    ordered: bool,
    luck: random.Random,
) -> None:
    attackers, defenders = agents("B", attack, ordered), agents("A", defence, ordered)
    fight = fought(attackers, defenders, policy, lambda sides, _: luck.randint(1, sides))
    assert len(fight.rounds) <= 10
    assert sorted(names(fight.attackers + fight.attackers_fallen)) == names(attackers.fighters)
    ended = fight.standing + fight.escaped + fight.defenders_fallen
    assert sorted(names(ended)) == names(defenders.fighters)
    alive = fight.attackers + fight.standing + fight.escaped
    assert all(one_fighter.wounds < one_fighter.endurance for one_fighter in alive)
    dead = fight.attackers_fallen + fight.defenders_fallen
    assert all(one_fighter.wounds == one_fighter.endurance for one_fighter in dead)
    assert sum(one_fighter.wounds for one_fighter in ended) <= sum(
        bout.defender_wounds for bout in fight.rounds
    )


@given(FIGHTERS_LISTS, FIGHTERS_LISTS, st.randoms(use_true_random=False))
def test_a_fight_ends_for_the_reason_given(
    attack: list[tuple[int, int]], defence: list[tuple[int, int]], luck: random.Random
) -> None:
    fight = fought(
        agents("B", attack, True),
        agents("A", defence, True),
        FightPolicy.SCREEN,
        lambda sides, _: luck.randint(1, sides),
    )
    assert fight.ending is reason(fight)


def reason(fight: Fight) -> FightOutcome:
    """Return the ending that a fight's survivors speak of."""
    if fight.attackers and fight.standing:
        return FightOutcome.TIME
    if fight.attackers:
        return FightOutcome.BROKEN_OFF if fight.escaped else FightOutcome.DEFENDERS_GONE
    return (
        FightOutcome.ATTACKERS_GONE if fight.standing or fight.escaped else FightOutcome.BOTH_GONE
    )
