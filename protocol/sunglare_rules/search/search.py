"""Searches for detected agents: search value, hiding value, the table and its die.

Source: Freedom in the Galaxy 10.2b; search of our rule book §2, "Search".
"""

import enum
from collections.abc import Sequence
from fractions import Fraction
from typing import NamedTuple

from sunglare_rules.search.agents import Agent

SIDES = 10
"""The sides of the die of a search."""

SEARCH_LEAST = 1
"""A search value below this finds nothing and is no search at all."""

ROWS = 9
"""The table's rows by hiding value; the first and the last take in whatever lies beyond."""

SINGLE_COLUMNS = 8
"""The first columns of the table stand for one search value each, all later ones for two."""

COLUMNS = 15
"""The table's columns; the last takes in all higher search values."""

NPC_WITS = 0
"""OWN: the intelligence in the hiding value of a group of NPCs alone."""


class SearchTry(NamedTuple):
    """A search that was tried: its values, the highest die that finds, the die, the answer.

    `needed` is None when nothing was rolled, for there was no one to find.
    """

    value: int
    hiding: int
    needed: int | None
    die: int | None
    found: bool


class SearchProblem(enum.Enum):
    """Why a side cannot search an environs; each follows from what that side knows."""

    NO_PIECES = "no_pieces"
    NO_ALERT = "no_alert"
    AGAIN = "again"
    NO_VALUE = "no_value"


def search_value(forces: Sequence[int], leadership: int, wits: Sequence[int]) -> int:
    """Return the search value of a side in an environs.

    `forces` are the AF of its ground units there, `leadership` is the rating of the agent who
    leads them (0 without one), `wits` the intelligence of its agents there without troops.
    """
    return sum(forces) + leadership + sum(wits)


def leader_of(stacked: Sequence[Agent], named: str | None = None) -> Agent | None:
    """Return who leads the troops in a search: the agent named, if it stands with them.

    OWN: if the one named does not, the best of them leads, of equals the first.
    """
    for agent in stacked:
        if agent.name == named:
            return agent
    return max(stacked, key=lambda agent: agent.leadership, default=None)


def hiding_value(wits: int, size: int, count: int) -> int:
    """Return the hiding value of `count` agents, NPCs included; crowds may go below zero.

    `wits` is the intelligence of one of them, `size` the size number of the environs.
    """
    return wits + size - count


def hiding_wits(group: Sequence[Agent], chosen: str | None = None) -> int:
    """Return the intelligence that a group hides by: of one who is no NPC.

    That is the one the owner chose, if it is in the group, otherwise the highest.
    """
    able = [agent for agent in group if not agent.npc]
    for agent in able:
        if agent.name == chosen:
            return agent.intelligence
    return max((agent.intelligence for agent in able), default=NPC_WITS)


def speaker(group: Sequence[Agent]) -> Agent:
    """Return who speaks for a group that is not empty, and whose standing orders it follows.

    OWN: the one of best leadership who is no NPC, of equals the first; of NPCs alone, one of them.
    """
    able = [agent for agent in group if not agent.npc] or group
    return max(able, key=lambda agent: agent.leadership)


def row(hiding: int) -> int:
    """Return the table's row for a hiding value, 1 to 9."""
    return min(max(hiding, 1), ROWS)


def column(value: int) -> int:
    """Return the table's column for a search value, 1 to 15; raise `ValueError` below 1."""
    if value < SEARCH_LEAST:
        raise ValueError(f"a search value of {value} is no search")
    if value <= SINGLE_COLUMNS:
        return value
    return min(SINGLE_COLUMNS + (value - SINGLE_COLUMNS + 1) // 2, COLUMNS)


def entry(hiding: int, value: int) -> int:
    """Return the highest die, 1 to 9, that finds agents; raise `ValueError` for no search."""
    ahead = column(value) - row(hiding)
    return 1 if ahead < 0 else 2 + ahead // 2


def chance(hiding: int, value: int) -> Fraction:
    """Return the exact chance to find agents who are there; 0 for a search value below 1."""
    return Fraction(entry(hiding, value) if value >= SEARCH_LEAST else 0, SIDES)


def search_problem(
    *, has_pieces: bool, alert_stands: bool, searched: bool, value: int
) -> SearchProblem | None:
    """Return why a side cannot search an environs, if so: nothing hidden makes a difference.

    `searched` is whether it has searched there this turn; searches by an event do not count.
    """
    if not has_pieces:
        return SearchProblem.NO_PIECES
    if not alert_stands:
        return SearchProblem.NO_ALERT
    if searched:
        return SearchProblem.AGAIN
    return SearchProblem.NO_VALUE if value < SEARCH_LEAST else None


def searched(
    value: int, group: Sequence[Agent], size: int, die: int, chosen: str | None = None
) -> SearchTry:
    """Return what a search for that group results in with `die`, 1 to 10.

    An empty group (all stand with troops) is not found, and nothing is rolled; to the searcher
    this looks like a failure. Nor is anything rolled with a value below 1.
    """
    hiding = hiding_value(hiding_wits(group, chosen), size, len(group))
    if not group or value < SEARCH_LEAST:
        return SearchTry(value, hiding, None, None, found=False)
    needed = entry(hiding, value)
    return SearchTry(value, hiding, needed, die, found=die <= needed)


def event_group(groups: Sequence[int], die: int) -> int:
    """Return which mission group an event searches for: that of the die, 1 to their number."""
    return groups[die - 1]
