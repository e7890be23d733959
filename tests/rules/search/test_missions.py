"""Missions of groups: who may go, what they roll against, and the event die."""

from collections import Counter
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from builders.cases import cases
from builders.searches import TOWN, WILDS, agent, rated
from sunglare_protocol.words.search import MissionKind, StepFault
from sunglare_rules.search.agents import Aboard, Agent
from sunglare_rules.search.missions import (
    MissionEvent,
    die_needed,
    mission_event,
    mission_problem,
    sabotaged,
    succeeds,
    success_chance,
)

DICE = range(1, 11)
SMART, STRONG = rated("Vane", intelligence=4), rated("Rusk", combat=5, intelligence=1)
THIRD = rated("Dray")


@cases(
    ("kind", "group", "needed"),
    {
        "spy with 4": (MissionKind.SPY, (SMART,), 5),
        "the best rating counts alone": (MissionKind.SPY, (SMART, STRONG), 5),
        "three are a crowd": (MissionKind.SPY, (SMART, STRONG, THIRD), 4),
        "sabotage with 4": (MissionKind.SABOTAGE, (SMART,), 7),
        "sabotage without wits": (MissionKind.SABOTAGE, (THIRD,), 11),
        "steal with 1": (MissionKind.STEAL, (STRONG,), 9),
        "free with combat 5": (MissionKind.FREE, (SMART, STRONG), 5),
        "deliver": (MissionKind.DELIVER, (THIRD,), 1),
    },
)
def test_a_mission_needs_its_target_less_the_best_rating(
    kind: MissionKind, group: tuple[Agent, ...], needed: int
) -> None:
    assert die_needed(kind, group) == needed
    assert [succeeds(kind, group, die) for die in DICE] == [die >= needed for die in DICE]


@pytest.mark.parametrize(
    ("kind", "group", "chance"),
    [
        (MissionKind.SPY, (SMART,), Fraction(6, 10)),
        (MissionKind.SABOTAGE, (THIRD,), Fraction(0)),
        (MissionKind.DELIVER, (THIRD,), Fraction(1)),
        (MissionKind.SPY, (rated(intelligence=9),), Fraction(1)),
    ],
)
def test_the_chance_of_a_mission_is_known(
    kind: MissionKind, group: tuple[Agent, ...], chance: Fraction
) -> None:
    assert success_chance(kind, group) == chance


@given(
    st.sampled_from(MissionKind),
    st.lists(
        st.builds(
            lambda wits, combat: rated(intelligence=wits, combat=combat),
            st.integers(0, 12),
            st.integers(0, 12),
        ),
        min_size=1,
        max_size=5,
    ),
)
def test_the_chance_is_the_share_of_faces_that_succeed(
    kind: MissionKind, group: list[Agent]
) -> None:
    good = sum(succeeds(kind, group, die) for die in DICE)
    assert success_chance(kind, group) == Fraction(good, 10)


@cases(
    ("detected", "events"),
    {
        "undetected": (False, {MissionEvent.DETECTED: 3, MissionEvent.NOTHING: 7}),
        "detected": (
            True,
            {MissionEvent.DETECTED: 2, MissionEvent.SEARCH: 1, MissionEvent.NOTHING: 7},
        ),
    },
)
def test_the_event_die_detects_or_starts_a_search(
    detected: bool, events: dict[MissionEvent, int]
) -> None:
    assert Counter(mission_event(die, detected) for die in DICE) == events


def test_a_three_is_what_starts_a_search() -> None:
    assert mission_event(3, detected=True) is MissionEvent.SEARCH
    assert mission_event(3, detected=False) is MissionEvent.DETECTED


@cases(
    ("group", "others", "problem"),
    {
        "fine": ((agent("Rusk"), agent("Vane")), (), None),
        "nobody": ((), (), StepFault.NOBODY),
        "aboard": ((agent("Rusk", Aboard("Yacht")),), (), StepFault.NOT_ON_GROUND),
        "apart": ((agent("Rusk", TOWN), agent("Vane", WILDS)), (), StepFault.APART),
        "with troops": ((agent("Rusk"), agent("Vane", stacked=True)), (), StepFault.STACKED),
        "in two groups": ((agent("Rusk"),), ("Rusk",), StepFault.IN_OTHER_GROUP),
    },
)
def test_a_group_is_free_agents_of_one_environs(
    group: tuple[Agent, ...], others: tuple[str, ...], problem: StepFault | None
) -> None:
    assert mission_problem(group, others) is problem


@cases(
    ("named", "present", "die", "hit"),
    {
        "the named": ("G2", ("G1", "G2"), 1, "G2"),
        "the named is gone": ("G9", ("G1", "G2"), 2, "G2"),
        "at random": (None, ("G1", "G2"), 1, "G1"),
        "no unit there": ("G2", (), 1, None),
    },
)
def test_sabotage_hits_the_named_unit_or_one_at_random(
    named: str | None, present: tuple[str, ...], die: int, hit: str | None
) -> None:
    assert sabotaged(named, present, die) == hit
