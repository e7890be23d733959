"""Fighters, parties and scripted dice for the tests of fights after a search."""

from collections.abc import Mapping

from sunglare_protocol.words.search import FightPolicy
from sunglare_rules.search.fights import Fight, Fighter, Party, Roll, fought

DICE = range(1, 11)
ATTACKER, DEFENDER, FIGHTERS, KEPT_OUT = 0, 1, 2, 3
"""What the first four indexes are for; every further round adds four."""


def shown(dice: Mapping[int, int], other: int = 1) -> Roll:
    """Return a roll that shows these dice by index, and `other` for the rest."""
    return lambda sides, index: dice.get(index, min(other, sides))


def fighter(name: str, combat: int = 2, endurance: int = 1, wounds: int = 0) -> Fighter:
    """Return one fighter."""
    return Fighter(name=name, combat=combat, endurance=endurance, wounds=wounds)


def party(*fighters: Fighter, ordered: bool = True) -> Party:
    """Return fighters as a party."""
    return Party(fighters, ordered)


def agents(name: str, ratings: list[tuple[int, int]], ordered: bool) -> Party:
    """Return a party of those combat and endurance ratings, called by name and number."""
    return party(
        *(fighter(f"{name}{at}", *rating) for at, rating in enumerate(ratings)), ordered=ordered
    )


def duel(
    attack: list[tuple[int, int]],
    defence: list[tuple[int, int]],
    policy: FightPolicy,
    dice: Mapping[int, int],
    other: int = 1,
) -> Fight:
    """Return a fight of agents B0, B1 and so on against A0, A1 and so on, of those ratings."""
    parties = agents("B", attack, True), agents("A", defence, True)
    return fought(*parties, policy, shown(dice, other))
