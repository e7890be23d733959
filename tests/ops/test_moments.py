"""Moments as an operator types them."""

import argparse
import os
import time
from collections.abc import Iterator
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sunglare_server.ops.control.times import lasting, until_from

ZONE = "Europe/Berlin"


@pytest.fixture(autouse=True, scope="module")
def in_berlin() -> Iterator[None]:
    """Have this process live where summer time comes and goes."""
    before = os.environ.get("TZ")
    os.environ["TZ"] = ZONE
    time.tzset()
    yield
    os.environ.pop("TZ")
    if before is not None:
        os.environ["TZ"] = before
    time.tzset()


@given(
    hours=st.integers(min_value=0, max_value=999),
    minutes=st.integers(min_value=0, max_value=9999),
    seconds=st.integers(min_value=1, max_value=999_999),
)
def test_what_lasts_is_the_sum_of_its_parts(hours: int, minutes: int, seconds: int) -> None:
    parts = {"h": hours, "m": minutes, "s": seconds}
    text = "".join(f"{number}{unit}" for unit, number in parts.items() if number)
    assert lasting(text) == ((hours * 60 + minutes) * 60 + seconds) * 1000


@pytest.mark.parametrize(
    "text", ["", "0m", "30", "m", "30 m", "-5m", "1.5h", "5m1h", "1d", "\u0663m"]
)
def test_what_is_no_time_is_said_with_one_that_is(text: str) -> None:
    with pytest.raises(argparse.ArgumentTypeError, match="a time such as 30m, 90s or 1h30m"):
        lasting(text)


def at(text: str) -> datetime:
    """Return a moment as the clock on the wall shows it."""
    return datetime.fromisoformat(text).replace(tzinfo=ZoneInfo(ZONE))


@pytest.mark.parametrize(
    ("now", "text", "left"),
    [
        ("2026-11-26 20:30:00", "21:00", timedelta(minutes=30)),
        ("2026-11-26 20:59:59", "21:00", timedelta(seconds=1)),
        ("2026-11-26 21:00:00", "21:00", timedelta(days=1)),
        ("2026-11-26 23:00:00", "9:05", timedelta(hours=10, minutes=5)),
        # The night in which summer time begins lacks an hour, that in which it ends has one more.
        ("2026-03-28 22:00:00", "06:00", timedelta(hours=7)),
        ("2026-10-24 22:00:00", "06:00", timedelta(hours=9)),
    ],
)
def test_a_time_of_day_is_the_next_one_on_the_wall(now: str, text: str, left: timedelta) -> None:
    assert until_from(text, at(now)) == left // timedelta(milliseconds=1)


@given(
    now=st.datetimes(min_value=datetime(2020, 1, 1), max_value=datetime(2030, 1, 1)),  # noqa: DTZ001 - on the wall
    hour=st.integers(min_value=0, max_value=23),
    minute=st.integers(min_value=0, max_value=59),
)
def test_a_time_of_day_comes_within_a_day_and_an_hour(
    now: datetime, hour: int, minute: int
) -> None:
    left = until_from(f"{hour:02}:{minute:02}", now.astimezone())
    assert 0 <= left <= 25 * 3_600_000


@pytest.mark.parametrize("text", ["", "21", "24:00", "21:60", "9:5", "21:00:00", "9 pm"])
def test_what_is_no_time_of_day_is_said(text: str) -> None:
    with pytest.raises(argparse.ArgumentTypeError, match="a time of day, from 00:00 to 23:59"):
        until_from(text, at("2026-11-26 20:30:00"))
