"""What a window costs, told without a clock: calls, values, encodings, hashes, appends, bytes.

A match that was recorded is played again by a runner, with every seat on a compact line. What is
counted is what Python itself reports of the second time, when what is remembered between matches
is there. A ceiling is some way above what it came to when it was last set; whoever passes one has
made a window dearer, and whoever makes it much cheaper sets it lower.
"""

import re
from collections import Counter
from cProfile import Profile
from random import Random
from typing import Any, NamedTuple

import pytest

from builders.beats import Hall
from builders.matches import view_of
from builders.matchstore import stored
from builders.played import rig
from builders.scenarios import scenarios
from sunglare_protocol.codec import Form
from sunglare_protocol.compact import _is_same
from sunglare_protocol.ids import Side, audience_of
from sunglare_protocol.messages import Frame
from sunglare_rules.advice.check.check import check
from sunglare_server.match.record import Body, Opened, WindowDue, unpacked

WINDOWS = 24

_BUILT_IN = re.compile(r"method '?(?:\w+\.)*(\w+)")
"""The name in "<method 'encode' of 'msgspec.msgpack.Encoder' objects>", as a profile has it."""


class Ceiling(NamedTuple):
    """The most that a window may take, and a frame the bytes, in the mean of a match."""

    calls: int
    values: int
    encodes: int
    hashes: int
    appends: float
    bytes: int


CEILINGS = {
    "shadow-of-ceres": Ceiling(1040, 42, 8, 7, 1.05, 500),
    "four-corners": Ceiling(1290, 48, 13, 7, 1.05, 360),
    "redondo": Ceiling(7200, 210, 44, 41, 1.05, 1660),
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
    profile = Profile()
    profile.enable()
    try:
        hall = await replayed(records)
    finally:
        profile.disable()
    counts: Counter[str] = Counter()
    for entry in profile.getstats():
        if isinstance(entry.code, str):
            for name in _BUILT_IN.findall(entry.code):
                counts[name] += entry.callcount
        elif "/sunglare_" in entry.code.co_filename:
            counts["calls"] += entry.callcount
            if entry.code is _is_same.__code__:
                counts["encode"] -= _encodes_in(entry)
    return counts, hall


def _encodes_in(entry: Any) -> int:
    """Return how often a function of a profile has called an encoder by itself.

    The comparison of what is equal encodes only what is not one object, which depends on what
    the process has decoded before: msgspec shares strings among all that it decodes.
    """
    called = [sub for sub in entry.calls or () if isinstance(sub.code, str)]
    return sum(sub.callcount for sub in called if _BUILT_IN.findall(sub.code) == ["encode"])


@pytest.mark.parametrize("name", list(CEILINGS))
async def test_a_window_costs_no_more_than_it_is_allowed_to(name: str) -> None:
    records, most = recorded(name), CEILINGS[name]
    await (await replayed(records)).runner.stop()
    counts, hall = await counted(records)
    await hall.runner.stop()
    windows = sum(isinstance(body, WindowDue) for _, body in records)
    frames = [
        came.data
        for subscriber in hall.ears.values()
        for came in subscriber.came
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
    assert all(took.values()), told
    assert all(value <= getattr(most, what) for what, value in took.items()), told


@pytest.mark.parametrize("name", list(CEILINGS))
async def test_the_last_order_of_a_window_and_its_close_are_stored_at_once(name: str) -> None:
    records = recorded(name)
    hall = await replayed(records)
    await hall.runner.stop()
    windows = sum(isinstance(body, WindowDue) for _, body in records)
    # One append for each window, one for the opening, whatever was said besides.
    assert len(hall.journal.tried_ms) == windows + 1
