"""The two trackers of a hunted ship: window and dice, and what gives a solution."""

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from builders.trackers import DICE, NOTHING, WINDOW, dice_by_hand, hits_by_hand, read, tree
from sunglare_protocol.words.cloak import TrackerMode
from sunglare_rules.cloak.trackers import (
    MULTI,
    SINGLE,
    Tracker,
    Trackers,
    counted,
    is_empty,
    solution,
    solution_dice,
    solution_window,
    stepped,
)

FULL = Trackers(
    multi=Tracker(hits=(True,) * 3, count=3, turns=3),
    single=Tracker(hits=(True,) * 10, count=10, turns=10),
)
HISTORIES = st.lists(st.integers(0, 3), max_size=30)


def after(history: Sequence[int]) -> Trackers:
    """Return both trackers after turns with these numbers of detectors and no sweep."""
    trackers = NOTHING
    for detectors in history:
        trackers = stepped(trackers, detectors, False)
    return trackers


def test_one_tracker_looks_back_three_turns_and_the_other_ten() -> None:
    assert (MULTI.span, MULTI.needed, MULTI.detectors) == (3, 2, 2)
    assert (SINGLE.span, SINGLE.needed, SINGLE.detectors) == (10, 6, 1)


@pytest.mark.parametrize(
    ("history", "multi", "single"),
    [
        pytest.param("---", (0, 0), (0, 0), id="nothing found, no dice"),
        pytest.param("1", (0, 0), (1, 1), id="first found by one ship"),
        pytest.param("2", (1, 1), (1, 1), id="first found by two ships"),
        pytest.param("3", (1, 1), (1, 1), id="more than two is no more than two"),
        pytest.param("11", (0, 0), (2, 2), id="each hit raises both dice"),
        pytest.param("1-", (0, 0), (1, 2), id="a miss raises TURNS only"),
        pytest.param("22", (2, 2), (2, 2), id="pairs count for both"),
        pytest.param("222", (3, 3), (3, 3), id="COUNT and TURNS stop at three"),
        pytest.param("22222", (3, 3), (5, 5), id="no higher than three"),
        pytest.param("2-", (1, 2), (1, 2), id="one pair and a miss"),
        pytest.param("2--", (0, 0), (1, 3), id="at zero the dice go"),
        pytest.param("22-", (1, 3), (2, 3), id="TURNS reaches three in this very turn"),
        pytest.param("221", (1, 3), (3, 3), id="one ship is a miss for the pair dice"),
        pytest.param("222--", (1, 3), (3, 5), id="three hits survive two misses"),
        pytest.param("222---", (0, 0), (3, 6), id="but not three"),
        pytest.param("2---2", (1, 1), (2, 5), id="after the end it starts anew"),
        pytest.param("1111111111", (0, 0), (10, 10), id="ten of ten"),
        pytest.param("111111111111", (0, 0), (10, 10), id="no more than ten"),
        pytest.param("1111111111-", (0, 0), (9, 10), id="TURNS stays, COUNT falls"),
        pytest.param("1--------", (0, 0), (1, 9), id="one hit lasts nine turns"),
        pytest.param("1---------", (0, 0), (0, 0), id="and goes in the tenth"),
    ],
)
def test_the_dice_count_as_the_rule_says(
    history: str, multi: tuple[int, int], single: tuple[int, int]
) -> None:
    trackers = after(read(history))
    assert (trackers.multi.count, trackers.multi.turns) == multi
    assert (trackers.single.count, trackers.single.turns) == single


@given(HISTORIES)
def test_dice_and_window_agree_with_a_second_way_to_count(history: list[int]) -> None:
    trackers = after(history)
    for rule, tracker in ((MULTI, trackers.multi), (SINGLE, trackers.single)):
        hits = [detectors >= rule.detectors for detectors in history]
        assert (tracker.count, tracker.turns) == dice_by_hand(hits, rule.span)
        assert counted(tracker, DICE) == tracker.count
        assert counted(tracker, WINDOW) == hits_by_hand(hits, rule.span)


@given(HISTORIES)
def test_a_window_holds_the_last_turns_from_its_oldest_hit_on(history: list[int]) -> None:
    trackers = after(history)
    for rule, tracker in ((MULTI, trackers.multi), (SINGLE, trackers.single)):
        assert tracker.hits[:1] in ((), (True,))
        assert len(tracker.hits) <= rule.span
        whole = (False,) * (rule.span - len(tracker.hits)) + tracker.hits
        padded = [False] * rule.span + [detectors >= rule.detectors for detectors in history]
        assert whole == tuple(padded[-rule.span :])


@given(HISTORIES)
def test_the_pair_tracker_never_outlives_the_other(history: list[int]) -> None:
    trackers = after(history)
    for mode in TrackerMode:
        assert counted(trackers.multi, mode) <= counted(trackers.single, mode)
        assert is_empty(trackers, mode) == (counted(trackers.single, mode) == 0)


def test_ten_turns_without_a_hit_end_a_hunt_by_the_window() -> None:
    assert not is_empty(after(read("1---------")), WINDOW)
    assert is_empty(after(read("1----------")), WINDOW)


def test_a_hunt_ends_by_the_dice_when_both_pairs_are_removed() -> None:
    # The window still holds the hit on the turn in which the dice go.
    trackers = after(read("1---------"))
    assert is_empty(trackers, DICE)
    assert not is_empty(trackers, WINDOW)


def test_a_forgotten_hunt_is_as_if_it_had_never_been() -> None:
    assert after(read("211" + "-" * 13)) == NOTHING
    assert is_empty(NOTHING, WINDOW)
    assert is_empty(NOTHING, DICE)


@given(HISTORIES, st.integers(0, 3))
def test_a_sweep_fills_both_trackers_whatever_was_before(
    history: list[int], detectors: int
) -> None:
    trackers = stepped(after(history), detectors, True)
    assert trackers == FULL
    for mode in TrackerMode:
        assert solution(trackers, detectors, True, mode)


@pytest.mark.parametrize(
    ("misses", "window", "dice"),
    [
        pytest.param(1, True, True, id="after one miss"),
        pytest.param(3, True, True, id="after three"),
        pytest.param(4, True, True, id="after four"),
        pytest.param(5, False, True, id="after five"),
        pytest.param(6, False, False, id="after six"),
    ],
)
def test_a_sweep_is_remembered_for_some_turns(misses: int, window: bool, dice: bool) -> None:
    trackers = stepped(NOTHING, 0, True)
    for _ in range(misses):
        trackers = stepped(trackers, 0, False)
    trackers = stepped(trackers, 1, False)
    assert solution_window(trackers, 1, False) is window
    assert solution_dice(trackers, 1, False) is dice


@given(HISTORIES)
def test_a_solution_takes_a_detection_this_turn(history: list[int]) -> None:
    for trackers in (stepped(FULL, 0, False), after([*history, 0])):
        assert not solution_window(trackers, 0, False)
        assert not solution_dice(trackers, 0, False)


@pytest.mark.parametrize(
    ("history", "window", "dice"),
    [
        pytest.param("2", False, False, id="one pair"),
        pytest.param("22", True, True, id="two pairs in a row"),
        pytest.param("2-2", True, True, id="two of the last three"),
        pytest.param("2--2", False, False, id="two of the last four"),
        pytest.param("221", True, False, id="two pairs, then one ship alone"),
        pytest.param("212", True, True, id="one ship alone between two pairs"),
        pytest.param("121", False, False, id="one pair among single finds"),
        pytest.param("11111", False, False, id="five single finds"),
        pytest.param("111111", True, True, id="six single finds"),
        pytest.param("1-1-1-1-11", True, True, id="six of the last ten"),
        pytest.param("1-1-1-1-1-1", False, False, id="six of the last eleven"),
        pytest.param("1112--11", True, True, id="a pair is also one of the six"),
        pytest.param("222--2", False, True, id="the dice remember too long"),
    ],
)
def test_what_gives_a_solution(history: str, window: bool, dice: bool) -> None:
    turns = read(history)
    trackers = after(turns)
    assert solution_window(trackers, turns[-1], False) is window
    assert solution_dice(trackers, turns[-1], False) is dice


def test_solutions_agree_with_a_second_way_to_count_on_every_short_history() -> None:
    for history, _ in tree((0, 1, 2), 8):
        pairs, finds = [count >= 2 for count in history], [count >= 1 for count in history]
        window = finds[-1] and (hits_by_hand(pairs, 3) >= 2 or hits_by_hand(finds, 10) >= 6)
        dice = finds[-1] and (dice_by_hand(pairs, 3)[0] >= 2 or dice_by_hand(finds, 10)[0] >= 6)
        trackers = after(history)
        assert solution_window(trackers, history[-1], False) == window
        assert solution_dice(trackers, history[-1], False) == dice
