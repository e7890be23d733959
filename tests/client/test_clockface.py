"""The player's clock: one warning 30 s and one 10 s before a window closes, and none twice."""

from hypothesis import given
from hypothesis import strategies as st

from sunglare_client.terminal.clockface import WARNINGS_S, Clockface


class Clock:
    """A clock that the test moves."""

    def __init__(self) -> None:
        self.now_s = 1000.0

    def __call__(self) -> float:
        """Return the time."""
        return self.now_s


def faced(closes_ms: int) -> tuple[Clockface, Clock]:
    """Return the clock face of a window that has just opened, and its clock."""
    clock = Clock()
    face = Clockface(clock)
    face.open(closes_ms, 60_000)
    return face, clock


def heard(face: Clockface, clock: Clock) -> list[str]:
    """Return the warnings of somebody who sleeps from each to the next."""
    warnings = []
    while (wait := face.warning_s()) is not None:
        clock.now_s += wait
        warnings.append(face.warning())
    return warnings


def test_a_window_is_warned_of_30_and_10_seconds_before_it_closes() -> None:
    assert WARNINGS_S == (30, 10)
    face, clock = faced(60_000)
    assert heard(face, clock) == ["* The window closes in 30 s.", "* The window closes in 10 s."]
    assert clock.now_s == 1050.0
    assert face.words() == "The window closes in 10 s, bank 60 s."


def test_a_window_that_opens_late_is_warned_of_once_or_not_at_all() -> None:
    assert len(heard(*faced(28_000))) == 1
    assert heard(*faced(9_000)) == []


def test_who_was_away_hears_one_warning_for_both() -> None:
    face, clock = faced(60_000)
    clock.now_s += 55
    assert face.warning() == "* The window closes in 5 s."
    assert face.warning() == ""
    assert face.warning_s() is None


def test_a_pause_stops_the_warnings_and_another_deadline_brings_them_back() -> None:
    face, clock = faced(60_000)
    face.stop()
    assert face.warning_s() is None
    face.move(40_000)
    assert len(heard(face, clock)) == 2


@given(
    closes_ms=st.integers(0, 200_000),
    steps=st.lists(st.floats(0, 50, allow_nan=False), max_size=30),
)
def test_no_warning_comes_early_or_twice(closes_ms: int, steps: list[float]) -> None:
    face, clock = faced(closes_ms)
    due = [warning for warning in WARNINGS_S if warning * 1000 < closes_ms]
    given_out = 0
    for step in steps:
        clock.now_s += step
        left = closes_ms / 1000 - (clock.now_s - 1000)
        given_out += bool(face.warning())
        passed = sum(left <= warning for warning in due)
        assert given_out <= passed
        assert bool(passed) <= given_out
