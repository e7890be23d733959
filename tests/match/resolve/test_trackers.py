"""The trackers of a match: how finds and turns fill and empty them, and what gives a solution."""

from collections.abc import Sequence

import pytest
from msgspec.structs import replace

from builders.hunts import hider, seeker
from builders.truths import A1, A2, B1, A, B, applied, only, truth_of, with_ship
from sunglare_protocol.words.cloak import TrackerMode
from sunglare_protocol.words.ladder import Fate, Fix
from sunglare_server.match.events.cloak import (
    CloakSwitched,
    HuntEnded,
    HuntStepped,
    JamEnded,
    PassiveRolled,
    SweepRolled,
)
from sunglare_server.match.events.space import Event
from sunglare_server.match.resolve.cloak import endings, steps
from sunglare_server.match.truth.truth import Truth

WINDOW, BY_DICE = TrackerMode.WINDOW, TrackerMode.DICE


# Trackers.


def step(truth: Truth, finds: Sequence[Event], mode: TrackerMode = WINDOW) -> Truth:
    return applied(truth, steps(truth, finds, mode))


def finds(history: str, turn: int) -> list[Event]:
    """Return the rolls of a turn: as many ears as its digit says."""
    ears = 0 if history[turn] == "-" else 2 if history[turn] == "D" else int(history[turn])
    return [PassiveRolled(piece=piece, die=1, found=(B1,)) for piece in (A1, A2)[:ears]]


HUNTED = truth_of(seeker(A, 1, (10, 20)), seeker(A, 2, (12, 20)), hider(B, 1, (12, 5), 5))


@pytest.mark.parametrize(
    ("history", "by_window", "by_dice"),
    [
        pytest.param("2", False, False, id="a first detection is none"),
        pytest.param("22", True, True, id="two pairs in a row"),
        pytest.param("2-2", True, True, id="two of three"),
        pytest.param("221", True, False, id="2 2 1: turns say yes, the pair dice have dropped"),
        pytest.param("DDD--D", False, True, id="DDD--D: the dice forget which turn was a hit"),
        pytest.param("11111", False, False, id="one ship alone five times"),
        pytest.param("111111", True, True, id="one ship alone six times"),
        pytest.param("222---2", False, False, id="too long ago"),
    ],
)
def test_turns_and_dice_decide_as_the_rule_book_says(
    history: str, by_window: bool, by_dice: bool
) -> None:
    truth, last = HUNTED, None
    for turn in range(len(history)):
        events = tuple(steps(truth, finds(history, turn), WINDOW))
        [last] = only(events, HuntStepped)
        truth = applied(truth, events)
    assert last is not None
    assert (last.solution_window, last.solution_dice) == (by_window, by_dice)
    assert last.fix is (Fix.SOLUTION if by_window else Fix.DETECTED)


def test_the_option_lets_the_dice_decide() -> None:
    truth = step(step(HUNTED, finds("2", 0), BY_DICE), finds("2", 0), BY_DICE)
    [one] = only(steps(truth, finds("1", 0), BY_DICE), HuntStepped)
    assert (one.fix, one.solution_window, one.solution_dice) == (Fix.DETECTED, True, False)


def test_a_solution_takes_a_detection_this_turn() -> None:
    truth = step(step(HUNTED, finds("2", 0)), finds("2", 0))
    [missed] = only(steps(truth, (), WINDOW), HuntStepped)
    assert missed.fix is None
    assert not missed.solution_window


def test_a_sweep_fills_both_trackers_and_is_a_solution_whatever_else_heard() -> None:
    found = [SweepRolled(piece=A1, dice=(3,), found=(B1,)), *finds("2", 0)[1:]]
    [one] = only(steps(HUNTED, found, WINDOW), HuntStepped)
    assert one.fix is Fix.SOLUTION
    multi, single = one.trackers.multi, one.trackers.single
    assert [(multi.count, multi.turns), (single.count, single.turns)] == [(3, 3), (10, 10)]


def test_a_side_without_a_find_has_no_hunt() -> None:
    assert list(steps(HUNTED, (), WINDOW)) == []


def test_a_hunt_ends_ten_turns_after_its_only_find() -> None:
    truth = step(HUNTED, finds("1", 0))
    for _ in range(9):
        events = tuple(steps(truth, (), WINDOW))
        assert only(events, HuntEnded) == []
        truth = applied(truth, events)
    events = tuple(steps(truth, (), WINDOW))
    assert len(only(events, HuntEnded)) == 1
    assert applied(truth, events).hunts_of(A) == {}


@pytest.mark.parametrize(
    "change",
    [
        pytest.param({"cloaked": False}, id="uncloaks"),
        pytest.param({"fate": Fate.ESCAPED}, id="leaves"),
        pytest.param({"fate": Fate.DESTROYED}, id="dies unseen"),
        pytest.param({"cloaks": 2}, id="has cloaked again"),
    ],
)
def test_a_ship_that_is_no_longer_there_to_hear_is_missed(change: dict[str, object]) -> None:
    truth = step(HUNTED, finds("2", 0))
    [one] = only(steps(with_ship(truth, B1, **change), (), WINDOW), HuntStepped)
    assert (one.quarry, one.fix) == (truth.ships[B1].quarry, None)


def test_a_ship_that_cloaks_again_is_a_new_quarry_with_new_trackers() -> None:
    truth = step(HUNTED, finds("2", 0))
    off, on = CloakSwitched(piece=B1, on=False), CloakSwitched(piece=B1, on=True)
    again = applied(truth, (off, on))
    events = only(steps(again, finds("2", 0), WINDOW), HuntStepped)
    assert [event.fix for event in events] == [None, Fix.DETECTED]
    assert events[0].quarry != events[1].quarry


def test_empty_trackers_and_a_jam_end_with_the_turn() -> None:
    truth = replace(step(HUNTED, finds("1", 0)), jam_end=1)
    assert [type(ending) for ending in endings(truth, WINDOW)] == [JamEnded]
    assert list(endings(replace(truth, jam_end=2), WINDOW)) == []
