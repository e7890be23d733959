"""The exact chances of fights after a search, summed over every throw of the dice."""

from collections import Counter
from collections.abc import Mapping
from fractions import Fraction
from itertools import product

from builders.fights import (
    ATTACKER,
    DEFENDER,
    DICE,
    FIGHTERS,
    KEPT_OUT,
    duel,
    fighter,
    party,
    shown,
)
from sunglare_protocol.words.search import FightOutcome, FightPolicy, Soldier
from sunglare_rules.search.fights import Party, Roll, fought, patrol_party
from sunglare_rules.search.patrols import Patrol


def test_one_round_of_three_line_soldiers_against_a_fleeing_agent_has_known_chances() -> None:
    # Totals 6 and 3: the agent takes 1, 2 or 3 wounds on 1-4, 5-8, 9-10, and deals one on 7-10;
    # half of the time he is off before that.
    agent = party(fighter("Rusk", combat=3, endurance=3))
    counted: Counter[tuple[int, int] | str] = Counter()
    for attack, defence, leaving in product(DICE, repeat=3):
        first = shown({ATTACKER: attack, DEFENDER: defence, FIGHTERS: leaving, 6: 1})
        fight = fought(patrol_party(Patrol(Soldier.LINE, 3)), agent, FightPolicy.FLEE, first)
        one = fight.rounds[0] if fight.rounds else None
        counted[(one.defender_wounds, one.attacker_wounds) if one else "off"] += 1
    assert counted == {
        "off": 500,
        (1, 0): 5 * 4 * 6,
        (1, 1): 5 * 4 * 4,
        (2, 0): 5 * 4 * 6,
        (2, 1): 5 * 4 * 4,
        (3, 0): 5 * 2 * 6,
        (3, 1): 5 * 2 * 4,
    }


def test_the_exact_chance_of_a_duel_to_the_end() -> None:
    # Equals of combat 1 and endurance 1: each deals one wound on 4 to 10, independently.
    outcomes: Counter[FightOutcome] = Counter()
    for attack, defence in product(DICE, repeat=2):
        dice = {ATTACKER: attack, DEFENDER: defence}
        fight = duel([(1, 1)], [(1, 1)], FightPolicy.FIGHT, dice)
        outcomes[fight.ending] += 1
    assert outcomes == {
        FightOutcome.BOTH_GONE: 49,
        FightOutcome.DEFENDERS_GONE: 21,
        FightOutcome.ATTACKERS_GONE: 21,
        FightOutcome.TIME: 9,
    }


class Unread(Exception):
    """A die that the script does not hold yet, by its index."""


def scripted(dice: Mapping[int, int]) -> Roll:
    """Return a roll that shows these dice and raises `Unread` for any other."""

    def roll(_: int, index: int) -> int:
        if index not in dice:
            raise Unread(index)
        return dice[index]

    return roll


def chances(
    attackers: Party, defenders: Party, policy: FightPolicy, faces: Mapping[int, Mapping[int, int]]
) -> dict[FightOutcome, Fraction]:
    """Return the exact chance of each ending.

    `faces` holds, for each of the four dice of a round, faces that stand for how many of ten.
    """
    endings: dict[FightOutcome, Fraction] = {}
    open_: list[tuple[dict[int, int], Fraction]] = [({}, Fraction(1))]
    while open_:
        dice, share = open_.pop()
        try:
            ending = fought(attackers, defenders, policy, scripted(dice)).ending
        except Unread as unread:
            (index,) = unread.args
            for face, of_ten in faces[index % 4].items():
                open_.append(({**dice, index: face}, share * Fraction(of_ten, 10)))
        else:
            endings[ending] = endings.get(ending, Fraction(0)) + share
    return endings


def test_the_exact_chances_of_an_agent_who_runs_from_a_conscript() -> None:
    # Totals 1 and 2: the conscript wounds on 5 to 10, the agent on 3 to 10; half of the time he
    # is off before. A round that changes nothing has 1/2 * 4/10 * 2/10 = 1/25.
    faces = {FIGHTERS: {5: 5, 6: 5}, ATTACKER: {4: 4, 5: 6}, DEFENDER: {2: 2, 3: 8}}
    agent = party(fighter("Rusk", combat=2))
    found = chances(patrol_party(Patrol(Soldier.CONSCRIPT, 1)), agent, FightPolicy.FLEE, faces)
    again = sum(Fraction(1, 25) ** round_ for round_ in range(10))
    assert found == {
        FightOutcome.BROKEN_OFF: Fraction(1, 2) * again,
        FightOutcome.DEFENDERS_GONE: Fraction(1, 2) * Fraction(6, 10) * Fraction(2, 10) * again,
        FightOutcome.ATTACKERS_GONE: Fraction(1, 2) * Fraction(4, 10) * Fraction(8, 10) * again,
        FightOutcome.BOTH_GONE: Fraction(1, 2) * Fraction(6, 10) * Fraction(8, 10) * again,
        FightOutcome.TIME: Fraction(1, 25) ** 10,
    }
    assert sum(found.values()) == 1


def test_the_exact_chances_of_a_screen_that_covers_one_friend() -> None:
    # Five elite soldiers against a screen that cannot hurt them and falls by any die: the friend
    # is off first with 8/10; if not, the screen falls and the friend, alone now, has 5/10.
    faces = {KEPT_OUT: {8: 8, 9: 2}, FIGHTERS: {5: 5, 6: 5}, ATTACKER: {1: 10}, DEFENDER: {10: 10}}
    pair = party(fighter("Rusk", combat=1), fighter("Dray", combat=0))
    found = chances(patrol_party(Patrol(Soldier.ELITE, 5)), pair, FightPolicy.SCREEN, faces)
    assert found == {
        FightOutcome.BROKEN_OFF: Fraction(8, 10) + Fraction(2, 10) * Fraction(5, 10),
        FightOutcome.DEFENDERS_GONE: Fraction(2, 10) * Fraction(5, 10),
    }
