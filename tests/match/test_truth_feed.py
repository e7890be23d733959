"""The feed of the truth lags by whole turns, each with its movement, and by seconds."""

import re

import pytest

from builders.beats import START_MS, Came, Hall, rated
from builders.matches import scenario_of
from builders.truths import A, B, ship
from sunglare_protocol.ids import OMNI, Audience
from sunglare_protocol.messages import Frame, Over
from sunglare_server.match.data.options import MatchOptions

TURNS = 7
LONG_MATCH = scenario_of(ship(A, at=(5, 30)), ship(B, at=(30, 5)), turns=TURNS)
MOVED = re.compile(r"(\d+)\.scan(\.1)?")
"""The window that follows the movement of a turn, by whose number it is called."""


def frames(hall: Hall, audience: Audience) -> list[Came]:
    """Return the frames of an audience, with their times."""
    return [came for came in hall.ears[audience].came if isinstance(came.message, Frame)]


def moved_ms(hall: Hall) -> dict[int, int]:
    """Return when the movement of each turn was shown to a side."""
    times: dict[int, int] = {}
    for came in frames(hall, Audience("A")):
        assert isinstance(came.message, Frame)
        if (found := MOVED.fullmatch(came.message.window)) is not None:
            times.setdefault(int(found[1]), came.at_ms)
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
    await hall.open(
        rated(clock="demo", truth_feed="yes", omni_delay_turns=turns, omni_delay_s=seconds),
        LONG_MATCH,
    )
    for _ in range(3):
        await hall.clock.run_for(7_250)
        if restart:
            await hall.restart()
    while not hall.runner.is_told_over:
        await hall.clock.run_for(250)
    made = moved_ms(hall)
    early = [came for came in frames(hall, OMNI) if came.at_ms < over_ms(hall)]
    delay = max(turns, 1) if turns or seconds else 0
    for came in early if delay else []:
        frame = came.message
        assert isinstance(frame, Frame)
        for turn in range(frame.turn + 1, frame.turn + delay + 1):
            assert turn in made, f"{frame.window} was shown before turn {turn} moved"
            assert made[turn] <= came.at_ms
    shown = {came.message.turn for came in early if isinstance(came.message, Frame)}
    assert max(shown) >= TURNS - max(delay, 1) - seconds // 4
    # Nobody misses anything for it: the end brings the rest.
    windows = [
        came.message.window for came in frames(hall, OMNI) if isinstance(came.message, Frame)
    ]
    seats = [
        came.message.window
        for came in frames(hall, Audience("A"))
        if isinstance(came.message, Frame)
    ]
    assert list(dict.fromkeys(windows)) == list(dict.fromkeys(seats))


async def test_the_seconds_of_a_delay_count_from_the_release_of_the_frame() -> None:
    hall = Hall(OMNI)
    await whole_match(hall, omni_delay_turns=1, omni_delay_s=9)
    seats = {
        came.message.window: came.at_ms
        for came in frames(hall, Audience("A"))
        if isinstance(came.message, Frame)
    }
    for came in frames(hall, OMNI):
        assert isinstance(came.message, Frame)
        if came.at_ms < over_ms(hall):
            assert came.at_ms >= seats[came.message.window] + 9_000


async def test_the_end_ends_every_delay() -> None:
    hall = Hall(OMNI)
    await whole_match(hall, omni_delay_turns=100, omni_delay_s=1000)
    assert {came.at_ms for came in frames(hall, OMNI)} == {over_ms(hall)}
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
    assert [type(parcel.message) for parcel in feed.keyframe()] == [Frame, Over]
    assert hall.ears[OMNI].times(Over) == hall.ears[Audience("A")].times(Over)
