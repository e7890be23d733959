"""The two trackers of a hunted ship, as windows of turns and as dice, and the solution they give.

Source: Full Thrust cloak detection of 2001, the fire control solution and the pair of dice that
keeps count of it; cloak hunting of our rule book §3, "Tracker update".

A side keeps a pair of trackers for each cloaked ship it hunts. OWN: the last turns themselves
are the rule and the dice its bookkeeping; both are kept always, and the match option says which
of them decides.
"""

from typing import NamedTuple, assert_never, final

import msgspec

from sunglare_protocol.words.cloak import TrackerMode


class TrackerRule(NamedTuple):
    """What one of the trackers asks for.

    `span`: the turns it looks back on, and the highest face of its dice; `needed`: how many of
    them must be hits; `detectors`: how many different ships must detect for a turn to be a hit.
    """

    span: int
    needed: int
    detectors: int


MULTI = TrackerRule(span=3, needed=2, detectors=2)
"""Two of three turns. OWN: in each of them at least two ships detected, whichever they were."""

SINGLE = TrackerRule(span=10, needed=6, detectors=1)
"""Six of ten turns. OWN: not always the same ship, and a turn of several detectors counts too."""


@final
class Tracker(msgspec.Struct, frozen=True, kw_only=True):
    """One tracker: the last turns from the oldest remembered hit on, and its pair of dice.

    Without dice on the table `count` and `turns` are 0. The value without arguments is empty.
    """

    hits: tuple[bool, ...] = ()
    count: int = 0
    turns: int = 0


@final
class Trackers(msgspec.Struct, frozen=True, kw_only=True):
    """Both trackers that one side keeps for one cloaked ship."""

    multi: Tracker = Tracker()
    single: Tracker = Tracker()


def stepped(trackers: Trackers, detectors: int, swept: bool) -> Trackers:
    """Return both trackers after a turn; to be called once a turn, after sweeps and passive rolls.

    `detectors`: how many different ships of the side detected the hunted one passively;
    `swept`: whether a sweep of the side found it, which fills both trackers whatever the rolls
    did. OWN: a turn without any chance to detect counts as a miss.
    """
    return Trackers(
        multi=tracker_stepped(MULTI, trackers.multi, detectors, swept),
        single=tracker_stepped(SINGLE, trackers.single, detectors, swept),
    )


def tracker_stepped(rule: TrackerRule, tracker: Tracker, detectors: int, swept: bool) -> Tracker:
    """Return one tracker after a turn, as `stepped` does for both."""
    if swept:
        return Tracker(hits=(True,) * rule.span, count=rule.span, turns=rule.span)
    is_hit = detectors >= rule.detectors
    count, turns = _dice_stepped(rule, tracker.count, tracker.turns, is_hit)
    return Tracker(hits=_hits_stepped(rule, tracker.hits, is_hit), count=count, turns=turns)


def counted(tracker: Tracker, mode: TrackerMode) -> int:
    """Return the hits that a tracker remembers: those in its window, or its COUNT die."""
    match mode:
        case TrackerMode.WINDOW:
            return sum(tracker.hits)
        case TrackerMode.DICE:
            return tracker.count
        case _:
            assert_never(mode)


def is_fulfilled(rule: TrackerRule, tracker: Tracker, mode: TrackerMode) -> bool:
    """Return whether a tracker has the hits that its rule needs."""
    return counted(tracker, mode) >= rule.needed


def turns_missing(rule: TrackerRule, tracker: Tracker, mode: TrackerMode) -> int:
    """Return after how many hits in a row, that of this turn the first, it has all it needs."""
    turns = 0
    while not turns or not is_fulfilled(rule, tracker, mode):
        tracker, turns = tracker_stepped(rule, tracker, rule.detectors, swept=False), turns + 1
    return turns


def is_empty(trackers: Trackers, mode: TrackerMode) -> bool:
    """Return whether nothing is left of the hunt: no hit in a window, or no dice on the table."""
    return counted(trackers.multi, mode) == counted(trackers.single, mode) == 0


def solution(trackers: Trackers, detectors: int, swept: bool, mode: TrackerMode) -> bool:
    """Return whether the side has a fire control solution this turn.

    `trackers` as they stand after the turn's step; `detectors` and `swept` as given to it. A
    solution takes a detection this turn, and either tracker may fulfil the rest.
    """
    if swept:
        return True
    return detectors >= 1 and (
        is_fulfilled(MULTI, trackers.multi, mode) or is_fulfilled(SINGLE, trackers.single, mode)
    )


def solution_window(trackers: Trackers, detectors: int, swept: bool) -> bool:
    """Return `solution` as the last turns give it."""
    return solution(trackers, detectors, swept, TrackerMode.WINDOW)


def solution_dice(trackers: Trackers, detectors: int, swept: bool) -> bool:
    """Return `solution` as the dice give it."""
    return solution(trackers, detectors, swept, TrackerMode.DICE)


def _hits_stepped(rule: TrackerRule, hits: tuple[bool, ...], is_hit: bool) -> tuple[bool, ...]:
    latest = (*hits, is_hit)[-rule.span :]
    # Misses before the oldest hit say nothing, so an empty tracker has one form only.
    return latest[latest.index(True) :] if True in latest else ()


def _dice_stepped(rule: TrackerRule, count: int, turns: int, is_hit: bool) -> tuple[int, int]:
    """Return COUNT and TURNS after a turn.

    OWN: a miss lowers COUNT if TURNS is at its maximum after this turn's own increment.
    """
    if count == 0:
        return (1, 1) if is_hit else (0, 0)
    turns = min(rule.span, turns + 1)
    if is_hit:
        count = min(rule.span, count + 1)
    elif turns == rule.span:
        count -= 1
    return (count, turns) if count > 0 else (0, 0)
