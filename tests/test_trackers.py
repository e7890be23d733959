"""The two trackers of a hunted ship: window and dice, solutions, and where the two modes part."""

from collections import Counter
from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import cache
from itertools import pairwise, product
from math import comb

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sunglare_protocol.huntwords import TrackerMode
from sunglare_rules.trackers import (
    MULTI,
    SINGLE,
    Tracker,
    TrackerRule,
    Trackers,
    counted,
    is_empty,
    is_fulfilled,
    solution,
    solution_dice,
    solution_window,
    stepped,
    tracker_stepped,
)

WINDOW, DICE = TrackerMode.WINDOW, TrackerMode.DICE
NOTHING = Trackers()
FULL = Trackers(
    multi=Tracker(hits=(True,) * 3, count=3, turns=3),
    single=Tracker(hits=(True,) * 10, count=10, turns=10),
)
HISTORIES = st.lists(st.integers(0, 3), max_size=30)


def read(history: str) -> tuple[int, ...]:
    """Return the detectors of each turn, from a digit for their number or a dash for none."""
    return tuple(int(each) for each in history.replace("-", "0"))


def after(history: Sequence[int]) -> Trackers:
    """Return both trackers after turns with these numbers of detectors and no sweep."""
    trackers = NOTHING
    for detectors in history:
        trackers = stepped(trackers, detectors, False)
    return trackers


def tracker_after(rule: TrackerRule, history: Sequence[int]) -> Tracker:
    """Return one tracker after such turns."""
    tracker = Tracker()
    for detectors in history:
        tracker = tracker_stepped(rule, tracker, detectors, False)
    return tracker


def hits_by_hand(history: Sequence[bool], span: int) -> int:
    """Return the hits among the last turns of a history, written a second time."""
    return len([turn for turn in range(len(history)) if history[-1 - turn] and turn < span])


def dice_by_hand(history: Sequence[bool], span: int, *, before: bool = False) -> tuple[int, int]:
    """Return COUNT and TURNS after a history, written a second time.

    `before`: the other order, in which a miss asks for TURNS at its maximum before this turn
    raised it.
    """
    count = turns = 0
    for hit in history:
        if count == 0 and turns == 0:
            count, turns = int(hit), int(hit)
            continue
        was = turns
        if turns < span:
            turns += 1
        full = (was if before else turns) == span
        if hit and count < span:
            count += 1
        if not hit and full:
            count -= 1
        if count == 0:
            turns = 0
    return count, turns


def tree(faces: Sequence[int], length: int) -> Iterator[tuple[tuple[int, ...], int]]:
    """Yield every history up to that length, with how many of full length start with it."""
    for turns in range(1, length + 1):
        for history in product(faces, repeat=turns):
            yield history, len(faces) ** (length - turns)


class Parting:
    """How often two verdicts on the same histories agree, and the shortest that part them."""

    def __init__(self) -> None:
        self.weights: Counter[tuple[bool, bool]] = Counter()
        self.first: dict[tuple[bool, bool], tuple[int, ...]] = {}

    def add(self, window: bool, dice: bool, history: tuple[int, ...], weight: int) -> None:
        """Count a history; they come shortest first, and misses before hits."""
        self.weights[window, dice] += weight
        self.first.setdefault((window, dice), history)

    def row(self) -> tuple[int, str, int, int]:
        """Return the steps, the share that agrees, and both kinds of disagreement."""
        steps = self.weights.total()
        agree = self.weights[True, True] + self.weights[False, False]
        return (
            steps,
            f"{100 * agree / steps:.2f}",
            self.weights[False, True],
            self.weights[True, False],
        )


def parted(rule: TrackerRule, length: int, *, before: bool) -> Parting:
    """Return where window and dice of one tracker part, over all histories of that length."""
    parting = Parting()
    for history, weight in tree((0, 1), length):
        if history[-1]:
            hits = [each == 1 for each in history]
            window = hits_by_hand(hits, rule.span) >= rule.needed
            dice = dice_by_hand(hits, rule.span, before=before)[0] >= rule.needed
            parting.add(window, dice, history, weight)
    return parting


def program_parted(rule: TrackerRule, length: int) -> Parting:
    """Return the same by the program, whose trackers are kept from one turn to the next."""
    parting = Parting()
    trackers: dict[tuple[int, ...], Tracker] = {(): Tracker()}
    for history, weight in tree((0, 1), length):
        detectors = rule.detectors * history[-1]
        tracker = tracker_stepped(rule, trackers[history[:-1]], detectors, False)
        trackers[history] = tracker
        if history[-1]:
            window, dice = (is_fulfilled(rule, tracker, mode) for mode in (WINDOW, DICE))
            parting.add(window, dice, history, weight)
    return parting


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


@pytest.mark.parametrize(
    ("rule", "length", "before", "row", "dice_only", "window_only"),
    [
        pytest.param(MULTI, 12, False, (24576, "96.80", 787, 0), "111--1", None, id="multi"),
        pytest.param(
            MULTI, 12, True, (24576, "92.18", 1922, 0), "1--1", None, id="multi, tested before"
        ),
        pytest.param(
            SINGLE,
            16,
            False,
            (524288, "95.61", 18701, 4308),
            "1-----11111",
            "1---11111--1",
            id="single",
        ),
        pytest.param(
            SINGLE,
            16,
            True,
            (524288, "93.47", 32537, 1720),
            "1-----11111",
            "1----11111--1",
            id="single, tested before",
        ),
    ],
)
def test_window_and_dice_of_one_tracker_part_as_rarely_as_the_table_says(
    rule: TrackerRule,
    length: int,
    before: bool,
    row: tuple[int, str, int, int],
    dice_only: str,
    window_only: str | None,
) -> None:
    parting = parted(rule, length, before=before)
    assert parting.row() == row
    assert parting.first[False, True] == read(dice_only)
    assert parting.first.get((True, False)) == (window_only and read(window_only))
    if not before:
        program = program_parted(rule, length)
        assert (program.weights, program.first) == (parting.weights, parting.first)


def test_both_trackers_together_part_as_rarely_as_the_table_says() -> None:
    parting = Parting()
    trackers: dict[tuple[int, ...], Trackers] = {(): NOTHING}
    step = cache(stepped)
    for history, weight in tree((0, 1, 2), 11):
        now = step(trackers[history[:-1]], history[-1], False)
        trackers[history] = now
        if history[-1]:
            window, dice = (
                verdict(now, history[-1], False) for verdict in (solution_window, solution_dice)
            )
            parting.add(window, dice, history, weight)
    assert parting.row() == (1299078, "98.11", 4980, 19609)
    assert parting.first[False, True] == read("222--2")
    assert parting.first[True, False] == read("221")


def test_solutions_agree_with_a_second_way_to_count_on_every_short_history() -> None:
    for history, _ in tree((0, 1, 2), 8):
        pairs, finds = [each >= 2 for each in history], [each >= 1 for each in history]
        window = finds[-1] and (hits_by_hand(pairs, 3) >= 2 or hits_by_hand(finds, 10) >= 6)
        dice = finds[-1] and (dice_by_hand(pairs, 3)[0] >= 2 or dice_by_hand(finds, 10)[0] >= 6)
        trackers = after(history)
        assert solution_window(trackers, history[-1], False) == window
        assert solution_dice(trackers, history[-1], False) == dice


def only(trackers: Trackers, mode: TrackerMode) -> Trackers:
    """Return the trackers with only what that mode reads, so that like states fall together."""
    multi, single = trackers.multi, trackers.single
    if mode is WINDOW:
        return Trackers(multi=Tracker(hits=multi.hits), single=Tracker(hits=single.hits))
    return Trackers(
        multi=Tracker(count=multi.count, turns=multi.turns),
        single=Tracker(count=single.count, turns=single.turns),
    )


@cache
def hunted(trackers: Trackers, detectors: int, mode: TrackerMode) -> tuple[Trackers, bool]:
    """Return the trackers after a turn, and whether they give a solution."""
    now = stepped(trackers, detectors, False)
    return only(now, mode), solution(now, detectors, False, mode)


def hunt(ships: int, p: Fraction, mode: TrackerMode, turns: int) -> list[Fraction]:
    """Return the chance of a first solution by turn 0, 1 and so on, each ship detecting with p."""
    ways = [
        comb(ships, k) * p.numerator**k * (p.denominator - p.numerator) ** (ships - k)
        for k in range(ships + 1)
    ]
    hunting, total = Counter({NOTHING: 1}), 1
    chances = [Fraction(0)]
    for _ in range(turns):
        later: Counter[Trackers] = Counter()
        for (trackers, weight), (detectors, way) in product(hunting.items(), enumerate(ways)):
            now, solved = hunted(trackers, min(detectors, 2), mode)
            if not solved:
                later[now] += weight * way
        hunting, total = later, total * sum(ways)
        chances.append(1 - Fraction(hunting.total(), total))
    return chances


@pytest.mark.parametrize(
    ("ships", "p", "window", "dice"),
    [
        pytest.param(
            1,
            Fraction(1, 2),
            (0, 0.0156, 0.3770, 0.5976, 0.7380),
            (0, 0.0156, 0.3770, 0.6497, 0.7361),
            id="one ship, one half",
        ),
        pytest.param(
            1,
            Fraction(5, 6),
            (0, 0.3349, 0.9845, 0.9982, 0.9999),
            (0, 0.3349, 0.9845, 0.9992, 0.9999),
            id="one ship, five sixths",
        ),
        pytest.param(
            2,
            Fraction(1, 3),
            (0.0343, 0.1127, 0.5640, 0.7728, 0.8826),
            (0.0343, 0.1127, 0.5640, 0.8092, 0.8809),
            id="two ships, one third",
        ),
        pytest.param(
            2,
            Fraction(1, 2),
            (0.1563, 0.4333, 0.9435, 0.9898, 0.9986),
            (0.1563, 0.4333, 0.9435, 0.9933, 0.9985),
            id="two ships, one half",
        ),
        pytest.param(
            3,
            Fraction(1, 2),
            (0.5, 0.8516, 0.9984, 0.9999, 1),
            (0.5, 0.8516, 0.9984, 1, 1),
            id="three ships, one half",
        ),
    ],
)
def test_a_constant_hunt_succeeds_as_soon_as_the_table_says(
    ships: int, p: Fraction, window: tuple[float, ...], dice: tuple[float, ...]
) -> None:
    for mode, table in ((WINDOW, window), (DICE, dice)):
        chances = hunt(ships, p, mode, 20)
        assert all(earlier <= later for earlier, later in pairwise(chances))
        for turn, printed in zip((3, 6, 10, 15, 20), table, strict=True):
            assert abs(float(chances[turn]) - printed) <= 0.00005 + 1e-9, (mode, turn)


@pytest.mark.parametrize(
    ("ships", "turns"), [pytest.param(1, 13, id="one ship"), pytest.param(2, 7, id="two ships")]
)
def test_a_constant_hunt_agrees_with_counting_every_history(ships: int, turns: int) -> None:
    # With a chance of one half per ship, every way in which ships detect or not weighs the same.
    solved: Counter[TrackerMode] = Counter()
    for ways in product(product((0, 1), repeat=ships), repeat=turns):
        finds, pairs = [sum(way) >= 1 for way in ways], [sum(way) >= 2 for way in ways]
        ends = [turn for turn in range(1, turns + 1) if finds[turn - 1]]
        solved[WINDOW] += any(
            hits_by_hand(pairs[:end], 3) >= 2 or hits_by_hand(finds[:end], 10) >= 6 for end in ends
        )
        solved[DICE] += any(
            dice_by_hand(pairs[:end], 3)[0] >= 2 or dice_by_hand(finds[:end], 10)[0] >= 6
            for end in ends
        )
    for mode in TrackerMode:
        chance = Fraction(solved[mode], 2 ** (ships * turns))
        assert hunt(ships, Fraction(1, 2), mode, turns)[turns] == chance
