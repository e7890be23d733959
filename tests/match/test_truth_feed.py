"""The feed of the truth lags by whole turns, each with its movement, and by seconds."""

import re
from typing import NamedTuple

import pytest

from builders.beats import START_MS, Hall, rated
from builders.matches import scenario_of
from builders.truths import A, B, ship
from sunglare_protocol.ids import OMNI, Audience
from sunglare_protocol.messages import Frame, Over
from sunglare_server.match.data.options import MatchOptions

TURNS = 7
LONG_MATCH = scenario_of(ship(A, at=(5, 30)), ship(B, at=(30, 5)), turns=TURNS)
MOVED = re.compile(r"(\d+)\.scan(\.1)?")
"""The window that follows the movement of a turn, by whose number it is called."""


class Shown(NamedTuple):
    """A frame and when it came."""

    at_ms: int
    frame: Frame


def frames(hall: Hall, audience: str) -> list[Shown]:
    """Return the frames of an audience, with their times."""
    came = hall.ears[Audience(audience)].came
    return [Shown(one.at_ms, one.message) for one in came if isinstance(one.message, Frame)]


def windows(hall: Hall, audience: str) -> list[str]:
    """Return the windows of these frames, each once."""
    return list(dict.fromkeys(shown.frame.window for shown in frames(hall, audience)))


def moved_ms(hall: Hall) -> dict[int, int]:
    """Return when the movement of each turn was shown to a side."""
    times: dict[int, int] = {}
    for at_ms, frame in frames(hall, "A"):
        if (found := MOVED.fullmatch(frame.window)) is not None:
            times.setdefault(int(found[1]), at_ms)
    return times


def over_ms(hall: Hall) -> int:
    """Return when the end was shown."""
    (at_ms,) = hall.ears[Audience("A")].times(Over)
    return START_MS + at_ms


async def whole_match(hall: Hall, **options: int) -> None:
    """Play a match in which nobody gives orders to its end, with a feed of the truth."""
    await hall.open(rated(clock="demo", truth_feed="yes", **options), LONG_MATCH)
    while not hall.runner.is_told_over:
        await hall.clock.run_for(250)


@pytest.mark.parametrize("restart", [False, True])
@pytest.mark.parametrize("seconds", [0, 2, 11])
@pytest.mark.parametrize("turns", [0, 1, 2, 3])
async def test_the_movements_of_all_turns_of_the_delay_follow_what_is_shown(
    turns: int, seconds: int, *, restart: bool
) -> None:
    hall = Hall(OMNI)
    delays = {"omni_delay_turns": turns, "omni_delay_s": seconds}
    await hall.open(rated(clock="demo", truth_feed="yes", **delays), LONG_MATCH)
    for _ in range(3):
        await hall.clock.run_for(7_250)
        if restart:
            await hall.restart()
    while not hall.runner.is_told_over:
        await hall.clock.run_for(250)
    made = moved_ms(hall)
    early = [shown for shown in frames(hall, OMNI) if shown.at_ms < over_ms(hall)]
    delay = max(turns, 1) if turns or seconds else 0
    for at_ms, frame in early if delay else []:
        for turn in range(frame.turn + 1, frame.turn + delay + 1):
            assert turn in made, f"{frame.window} was shown before turn {turn} moved"
            assert made[turn] <= at_ms
    assert max(frame.turn for _, frame in early) >= TURNS - max(delay, 1) - seconds // 4
    # Nobody misses anything for it: the end brings the rest.
    assert windows(hall, OMNI) == windows(hall, "A")


async def test_the_seconds_of_a_delay_count_from_the_release_of_the_frame() -> None:
    hall = Hall(OMNI)
    await whole_match(hall, omni_delay_turns=1, omni_delay_s=9)
    seats = {frame.window: at_ms for at_ms, frame in frames(hall, "A")}
    for at_ms, frame in frames(hall, OMNI):
        if at_ms < over_ms(hall):
            assert at_ms >= seats[frame.window] + 9_000


async def test_the_end_ends_every_delay() -> None:
    hall = Hall(OMNI)
    await whole_match(hall, omni_delay_turns=100, omni_delay_s=1000)
    assert {at_ms for at_ms, _ in frames(hall, OMNI)} == {over_ms(hall)}
    assert hall.ears[OMNI].times(Over) == hall.ears[Audience("A")].times(Over)


@pytest.mark.parametrize(
    "options", [rated(), rated(truth_feed="yes"), rated(clock="demo")], ids=["rated", "yes", "no"]
)
async def test_without_a_truth_feed_nothing_is_shown_before_the_end(options: MatchOptions) -> None:
    hall = Hall(OMNI)
    await hall.open(options, LONG_MATCH)
    while not hall.runner.is_told_over:
        assert hall.ears[OMNI].came == []
        await hall.clock.run_for(250)
    feed = hall.runner.feeds[OMNI]
    assert feed.released is not None
    assert feed.released.result == hall.runner.state.result
    assert [type(encoded_message.message) for encoded_message in feed.keyframe()] == [Frame, Over]
    assert hall.ears[OMNI].times(Over) == hall.ears[Audience("A")].times(Over)
