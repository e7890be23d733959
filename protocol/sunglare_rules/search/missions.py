"""Missions of groups of agents: what a group rolls against, and the event that may follow.

Source: Freedom in the Galaxy 10.1b and 10.2b speak of events during missions; the missions are
OWN, search of our rule book §2, "Missions".
"""

import enum
from collections.abc import Sequence
from fractions import Fraction
from typing import NamedTuple

from sunglare_protocol.words.search import MissionKind, StepFault
from sunglare_rules.search.agents import Agent, OnGround

SIDES = 10
"""The sides of the dice of missions and events."""

CROWD = 3
"""OWN: a group of this many or more works better."""

CROWD_BONUS = 1
"""OWN: what a crowd adds to the die."""

SABOTAGE_DAMAGE = 2
"""OWN: the damage that sabotage does to a ground unit, unless it silences the unit's weapons."""

DETECTED_MOST = 2
"""OWN: the highest event die by which the group is detected."""

SEARCHED_AT = 3
"""OWN: the event die by which a detected group is searched for, and another one detected."""


class Rating(enum.Enum):
    """The rating of its members by which a group works."""

    INTELLIGENCE = "intelligence"
    COMBAT = "combat"


class Task(NamedTuple):
    """What a mission asks for: the rating that counts, and what die and rating must reach."""

    rating: Rating
    target: int


TASKS = {
    MissionKind.SPY: Task(Rating.INTELLIGENCE, 9),
    MissionKind.SABOTAGE: Task(Rating.INTELLIGENCE, 11),
    MissionKind.STEAL: Task(Rating.INTELLIGENCE, 10),
    MissionKind.DELIVER: None,
    MissionKind.FREE: Task(Rating.COMBAT, 10),
}
"""OWN: the task of each mission; nothing is rolled to deliver."""


class MissionEvent(enum.Enum):
    """What comes of the event die of a mission."""

    NOTHING = "nothing"
    DETECTED = "detected"
    SEARCH = "search"


def mission_problem(group: Sequence[Agent], others: Sequence[str]) -> StepFault | None:
    """Return why that group cannot go on a mission, if so.

    `others` are the names of those who are in another group of this turn already. OWN: no mission
    is worked from aboard a ship.
    """
    if not group:
        return StepFault.NOBODY
    if any(not isinstance(agent.at, OnGround) for agent in group):
        return StepFault.NOT_ON_GROUND
    if any(agent.at != group[0].at for agent in group):
        return StepFault.APART
    if any(agent.stacked for agent in group):
        return StepFault.STACKED
    if any(agent.name in others for agent in group):
        return StepFault.IN_OTHER_GROUP
    return None


def die_needed(kind: MissionKind, group: Sequence[Agent]) -> int:
    """Return the lowest die by which a mission succeeds: 1 or less always, above 10 never."""
    task = TASKS[kind]
    if task is None:
        return 1
    best = max(_rating(agent, task.rating) for agent in group)
    return task.target - best - CROWD_BONUS * (len(group) >= CROWD)


def _rating(agent: Agent, rating: Rating) -> int:
    return agent.combat if rating is Rating.COMBAT else agent.intelligence


def succeeds(kind: MissionKind, group: Sequence[Agent], die: int) -> bool:
    """Return whether a mission succeeds with `die`, 1 to 10; to deliver, every die will do."""
    return die >= die_needed(kind, group)


def success_chance(kind: MissionKind, group: Sequence[Agent]) -> Fraction:
    """Return the exact chance that a mission succeeds."""
    losing = min(max(die_needed(kind, group) - 1, 0), SIDES)
    return Fraction(SIDES - losing, SIDES)


def mission_event(die: int, detected: bool) -> MissionEvent:
    """Return what the event die, 1 to 10, brings a group that is detected or not.

    It is rolled for every mission, whether that succeeds or not.
    """
    if die <= DETECTED_MOST:
        return MissionEvent.DETECTED
    if die == SEARCHED_AT:
        return MissionEvent.SEARCH if detected else MissionEvent.DETECTED
    return MissionEvent.NOTHING


def sabotaged(named: str | None, present: Sequence[str], die: int) -> str | None:
    """Return which enemy ground unit sabotage hits; None if none is present.

    That is the one named, if it is there; otherwise that of the die, 1 to their number.
    """
    if not present:
        return None
    return named if named is not None and named in present else present[die - 1]
