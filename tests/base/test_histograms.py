"""Durations by step: what is added up tells no more than in which step each of them lies."""

from bisect import bisect_left

from hypothesis import given
from hypothesis import strategies as st

from sunglare_protocol.refusals import Code
from sunglare_server.base.histograms import BOUNDS_MS, CounterByName, Histogram, is_of_play

DURATIONS = st.lists(st.floats(0, 20_000), max_size=20)


def spread_of(durations: list[float]) -> Histogram:
    histogram = Histogram()
    for ms in durations:
        histogram.note(ms)
    return histogram


@given(DURATIONS)
def test_every_duration_lies_in_one_step_that_is_not_below_it(durations: list[float]) -> None:
    histogram = spread_of(durations)
    assert histogram.count == len(durations)
    for place, bound in enumerate(BOUNDS_MS):
        assert sum(histogram.counts[: place + 1]) == sum(ms <= bound for ms in durations)


@given(DURATIONS)
def test_durations_of_the_same_steps_cannot_be_told_apart(durations: list[float]) -> None:
    bounds = (*BOUNDS_MS, 30_000)
    rounded = [float(bounds[bisect_left(BOUNDS_MS, ms)]) for ms in durations]
    ours, theirs = spread_of(durations), spread_of(rounded)
    assert (ours.counts, ours.most_ms) == (theirs.counts, theirs.most_ms)


@given(DURATIONS, DURATIONS)
def test_what_is_added_is_what_was_noted(first: list[float], second: list[float]) -> None:
    histogram = spread_of(first)
    histogram.add(spread_of(second))
    assert histogram.counts == spread_of(first + second).counts


def test_what_was_counted_is_added_by_name() -> None:
    ours, theirs = CounterByName(), CounterByName()
    ours.note("a")
    theirs.note("a", 2)
    theirs.note("b")
    ours.add(theirs)
    assert ours.by_name == {"a": 3, "b": 1}


def test_every_refusal_of_an_order_is_of_play_and_none_that_anybody_may_cause() -> None:
    of_orders = {code for code in Code if code.value.startswith(("order/", "window/", "ask/"))}
    assert of_orders == {code for code in of_orders if is_of_play(code)}
    anybodys = (Code.TICKET_BAD, Code.HELLO_TOKEN, Code.MESSAGE_BUSY, Code.SERVER_JOURNAL)
    assert not any(map(is_of_play, anybodys))
