"""When an announced end is told again."""

from hypothesis import given
from hypothesis import strategies as st

from sunglare_server.base.shutdown import TOLD_MS, Closing, news_of, told_again_ms

MOMENTS = st.integers(min_value=0, max_value=10**13)


@given(at_ms=MOMENTS, before_ms=st.integers(min_value=1, max_value=8 * 24 * 3_600_000))
def test_an_end_is_told_at_its_marks_and_never_after_it(at_ms: int, before_ms: int) -> None:
    closing, now_ms = Closing(at_ms), at_ms - before_ms
    told: list[int] = []
    while (now_ms := told_again_ms(closing, now_ms)) < at_ms:
        told.append(at_ms - now_ms)
    assert now_ms == at_ms
    assert told == sorted((mark for mark in TOLD_MS if mark < before_ms), reverse=True)


@given(at_ms=MOMENTS, now_ms=MOMENTS)
def test_what_is_left_is_told_and_never_less_than_nothing(at_ms: int, now_ms: int) -> None:
    assert news_of(Closing(at_ms), now_ms).ends_ms == max(0, at_ms - now_ms)
