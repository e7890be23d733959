"""What a window costs, told without a clock: calls, values, encodings, hashes, appends, bytes.

A match that was recorded is played again by a runner, with every seat on a compact line. What is
counted is what Python itself reports of the second time, when what is remembered between matches
is there. A ceiling is some way above what it came to when it was last set; whoever passes one has
made a window dearer, and whoever makes it much cheaper sets it lower.
"""

import sys
from collections import Counter
from random import Random
from types import FrameType
from typing import Any, NamedTuple

import pytest

from builders.beats import Hall
from builders.matchstore import stored
from builders.played import rig, view_of
from builders.scenarios import scenarios
from sunglare_protocol.codec import Form
from sunglare_protocol.ids import Side, audience_of
from sunglare_protocol.messages import Frame
from sunglare_rules.advice.check.check import check
from sunglare_server.match.record import Body, Opened, WindowDue, unpacked

WINDOWS = 40


class Ceiling(NamedTuple):
    """The most that a window may take, and a frame the bytes, in the mean of a match."""

    calls: int
    values: int
    encodes: int
    hashes: int
    appends: float
    bytes: int


CEILINGS = {
    "shadow-of-ceres": Ceiling(1020, 42, 18, 6, 1.03, 480),
    "four-corners": Ceiling(1290, 48, 26, 7, 1.03, 350),
    "redondo": Ceiling(6500, 190, 75, 32, 1.03, 1420),
}
"""What calls are: of Python functions of ours. Values are those made by `replace`."""


@stored(list[bytes])
def journal_of(name: str) -> list[bytes]:
    """Return the stored records of a match of random players."""
    match, rng = rig(scenarios()[name], 5), Random(5)
    for _ in range(WINDOWS):
        for side, orders in match.ordered(rng).items():
            is_legal = check(view_of(match.state, audience_of(side)), orders) is None
            match.give(side, orders if is_legal else ())
        match.close()
    return match.journal


def recorded(name: str) -> list[tuple[Side | None, Body]]:
    """Return who said what in that match, and when a window closed."""
    found: list[tuple[Side | None, Body]] = []
    before = b""
    for number, blob in enumerate(journal_of(name), 1):
        record = unpacked(blob, number, before)
        found.append((record.s, record.b))
        before = blob
    return found


async def replayed(records: list[tuple[Side | None, Body]]) -> Hall:
    """Play the records again; each window closes with the lock of the last who is asked."""
    opening = records[0][1]
    assert isinstance(opening, Opened)
    hall = Hall(*(seat.side for seat in opening.seats), form=Form.COMPACT)
    await hall.begin(opening)
    for side, body in records[1:]:
        if side is not None:
            hall.command(side, body)
        if isinstance(body, WindowDue):
            assert hall.runner.state.standing.window == body.window
            await hall.clock.run_for(1)
            assert hall.runner.state.standing.window != body.window
    return hall


async def counted(records: list[tuple[Side | None, Body]]) -> tuple[Counter[str], Hall]:
    """Return what playing the records again calls, and the hall after it."""
    counts: Counter[str] = Counter()

    def note(frame: FrameType, event: str, called: Any) -> None:
        if event == "call" and "/sunglare_" in frame.f_code.co_filename:
            counts["calls"] += 1
        elif event == "c_call":
            counts[called.__name__] += 1

    sys.setprofile(note)
    try:
        hall = await replayed(records)
    finally:
        sys.setprofile(None)
    return counts, hall


@pytest.mark.parametrize("name", list(CEILINGS))
async def test_a_window_costs_no_more_than_it_is_allowed_to(name: str) -> None:
    records, most = recorded(name), CEILINGS[name]
    await (await replayed(records)).runner.stop()
    counts, hall = await counted(records)
    await hall.runner.stop()
    windows = sum(isinstance(body, WindowDue) for _, body in records)
    frames = [
        came.data
        for ear in hall.ears.values()
        for came in ear.came
        if isinstance(came.message, Frame)
    ]
    assert len(frames) == (windows + 1) * len(hall.ears)
    took = {
        "calls": counts["calls"] / windows,
        "values": counts["replace"] / windows,
        "encodes": counts["encode"] / windows,
        "hashes": (counts["digest"] + counts["hexdigest"]) / windows,
        "appends": len(hall.journal.tried_ms) / windows,
        "bytes": sum(map(len, frames)) / len(frames),
    }
    told = " ".join(f"{what} {value:.2f}" for what, value in took.items())
    assert all(value <= getattr(most, what) for what, value in took.items()), told


@pytest.mark.parametrize("name", list(CEILINGS))
async def test_the_last_order_of_a_window_and_its_close_are_stored_at_once(name: str) -> None:
    records = recorded(name)
    hall = await replayed(records)
    await hall.runner.stop()
    windows = sum(isinstance(body, WindowDue) for _, body in records)
    # One append for each window, one for the opening, whatever was said besides.
    assert len(hall.journal.tried_ms) == windows + 1
