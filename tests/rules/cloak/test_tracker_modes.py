"""Where the window and the dice of trackers part, and how soon a constant hunt succeeds."""

from collections import Counter
from fractions import Fraction
from functools import cache
from itertools import pairwise, product
from math import comb

import pytest
from hypothesis import given
from hypothesis import strategies as st

from builders.cases import cases
from builders.trackers import DICE, NOTHING, WINDOW, dice_by_hand, hits_by_hand, read, tree
from sunglare_protocol.words.cloak import TrackerMode
from sunglare_rules.cloak.trackers import (
    MULTI,
    SINGLE,
    Tracker,
    TrackerRule,
    Trackers,
    is_fulfilled,
    solution,
    solution_dice,
    solution_window,
    stepped,
    tracker_stepped,
    turns_missing,
)


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
            hits = [count == 1 for count in history]
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


LATE, LATER = "1-----11111", "1---11111--1"


@cases(
    ("rule", "length", "before", "row", "dice_only", "window_only"),
    {
        "multi": (MULTI, 12, False, (24576, "96.80", 787, 0), "111--1", None),
        "multi, tested before": (MULTI, 12, True, (24576, "92.18", 1922, 0), "1--1", None),
        "single": (SINGLE, 16, False, (524288, "95.61", 18701, 4308), LATE, LATER),
        "single, tested before": (
            SINGLE,
            16,
            True,
            (524288, "93.47", 32537, 1720),
            LATE,
            "1----11111--1",
        ),
    },
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


@cases(
    ("ships", "p", "window", "dice"),
    {
        "one ship, one half": (
            1,
            Fraction(1, 2),
            (0, 0.0156, 0.3770, 0.5976, 0.7380),
            (0, 0.0156, 0.3770, 0.6497, 0.7361),
        ),
        "one ship, five sixths": (
            1,
            Fraction(5, 6),
            (0, 0.3349, 0.9845, 0.9982, 0.9999),
            (0, 0.3349, 0.9845, 0.9992, 0.9999),
        ),
        "two ships, one third": (
            2,
            Fraction(1, 3),
            (0.0343, 0.1127, 0.5640, 0.7728, 0.8826),
            (0.0343, 0.1127, 0.5640, 0.8092, 0.8809),
        ),
        "two ships, one half": (
            2,
            Fraction(1, 2),
            (0.1563, 0.4333, 0.9435, 0.9898, 0.9986),
            (0.1563, 0.4333, 0.9435, 0.9933, 0.9985),
        ),
        "three ships, one half": (
            3,
            Fraction(1, 2),
            (0.5, 0.8516, 0.9984, 0.9999, 1),
            (0.5, 0.8516, 0.9984, 1, 1),
        ),
    },
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


@given(st.lists(st.integers(0, 2), max_size=14), st.sampled_from(TrackerMode))
def test_what_is_missing_is_how_many_hits_in_a_row_bring_the_rest(
    past: list[int], mode: TrackerMode
) -> None:
    for rule in (MULTI, SINGLE):
        tracker = Tracker()
        for detectors in past:
            tracker = tracker_stepped(rule, tracker, detectors, swept=False)
        missing = turns_missing(rule, tracker, mode)
        assert 1 <= missing <= rule.needed
        for turn in range(1, missing + 1):
            tracker = tracker_stepped(rule, tracker, rule.detectors, swept=False)
            assert is_fulfilled(rule, tracker, mode) == (turn == missing)
