"""Token buckets: a rate is kept over any time, and waits are long enough and no longer."""

from hypothesis import given
from hypothesis import strategies as st

from sunglare_server.gateway.token_bucket import Bucket, Buckets, Rate

RATES = st.builds(Rate, st.integers(1, 1000), st.integers(1, 60_000), st.integers(1, 500))
STEPS = st.lists(st.tuples(st.integers(0, 5_000), st.integers(1, 600)), max_size=60)


def test_a_bucket_gives_its_burst_at_once_and_then_one_for_each_token_that_comes_in() -> None:
    bucket = Bucket(Rate(10, 1_000, 3), 0)
    assert [bucket.take(1, 0) for _ in range(4)] == [0, 0, 0, 100]
    assert bucket.take(1, 99) == 1
    assert bucket.take(1, 100) == 0
    assert bucket.take(1, 100) == 100


def test_a_quiet_bucket_holds_no_more_than_its_burst() -> None:
    bucket = Bucket(Rate(1, 1_000, 2), 0)
    assert [bucket.take(1, 3_600_000) for _ in range(3)] == [0, 0, 1_000]


def test_what_costs_more_than_a_bucket_holds_takes_a_full_one() -> None:
    bucket = Bucket(Rate(1, 1_000, 5), 0)
    assert bucket.take(50, 0) == 0
    assert bucket.take(50, 0) == 5_000


def test_a_charge_leaves_nothing_and_never_less() -> None:
    bucket = Bucket(Rate(1, 1_000, 5), 0)
    bucket.charge(500, 0)
    assert bucket.take(1, 0) == 1_000


@given(RATES, STEPS)
def test_no_more_is_given_than_the_burst_and_what_came_in(
    rate: Rate, steps: list[tuple[int, int]]
) -> None:
    bucket, now_ms, given_out = Bucket(rate, 0), 0, 0
    for pause_ms, cost in steps:
        now_ms += pause_ms
        if bucket.take(cost, now_ms) == 0:
            given_out += min(cost, rate.burst)
    assert given_out * rate.period_ms <= rate.burst * rate.period_ms + now_ms * rate.tokens


@given(RATES, STEPS)
def test_after_the_wait_that_was_told_there_is_enough_and_a_millisecond_before_there_is_not(
    rate: Rate, steps: list[tuple[int, int]]
) -> None:
    bucket, now_ms = Bucket(rate, 0), 0
    for pause_ms, cost in steps:
        now_ms += pause_ms
        wait_ms = bucket.take(cost, now_ms)
        if wait_ms:
            assert bucket.take(cost, now_ms + wait_ms - 1) == 1
            assert bucket.take(cost, now_ms + wait_ms) == 0
            now_ms += wait_ms


@given(st.lists(st.integers(0, 30).map(str), max_size=200))
def test_no_more_keys_are_kept_than_the_limit_however_many_come(keys: list[str]) -> None:
    buckets = Buckets(Rate(1, 1_000, 1), most=8)
    for key in keys:
        buckets.of(key, 0)
    assert len(buckets) <= 8
    assert len(buckets) == min(8, len(set(keys)))


def test_of_many_keys_whoever_was_quiet_longest_is_forgotten() -> None:
    buckets = Buckets(Rate(1, 1_000, 1), most=2)
    for key in ("a", "b", "a", "c"):
        buckets.of(key, 0).take(1, 0)
    assert buckets.of("a", 0).take(1, 0) == 1_000
    assert buckets.of("b", 0).take(1, 0) == 0
