"""Histories of a hunt and a second way to count its trackers."""

from collections.abc import Iterator, Sequence
from itertools import product

from sunglare_protocol.words.cloak import TrackerMode
from sunglare_rules.cloak.trackers import Trackers

WINDOW, DICE = TrackerMode.WINDOW, TrackerMode.DICE
NOTHING = Trackers()


def read(history: str) -> tuple[int, ...]:
    """Return the detectors of each turn, from a digit for their number or a dash for none."""
    return tuple(int(digit) for digit in history.replace("-", "0"))


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
