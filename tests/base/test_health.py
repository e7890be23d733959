"""What writes tell of the health of what stores, at times that are given."""

import asyncio

import pytest

from sunglare_server.base.storage_errors import MediumError
from sunglare_server.base.storage_health import (
    BEATLESS_MS,
    FORGOTTEN_MS,
    UNANSWERED_MS,
    Health,
    WriteHealth,
    WriteOutcome,
)

T = 1_000.0
"""When the first write begins."""


def failing(*, is_refused: bool = False, place: str = "log") -> WriteHealth:
    health = WriteHealth()
    health.begin(place, T)
    health.failed(place, T, is_refused=is_refused)
    return health


def test_a_write_that_is_acknowledged_in_time_leaves_all_well() -> None:
    health = WriteHealth()
    health.begin("log", T)
    assert health.unstored_ms(T + UNANSWERED_MS - 1) is None
    health.stored("log", T + UNANSWERED_MS - 1)
    assert health.unstored_ms(T + 100 * UNANSWERED_MS) is None


def test_a_refusal_counts_at_once_until_a_write_is_acknowledged() -> None:
    health = failing(is_refused=True)
    assert health.unstored_ms(T) == 0
    assert health.unstored_ms(T + 60_000) == 60_000
    health.begin("log", T + 60_000)
    assert health.unstored_ms(T + 60_000) == 60_000
    health.stored("log", T + 60_001)
    assert health.unstored_ms(T + 60_001) is None


def test_silence_counts_from_the_first_write_over_all_its_tries() -> None:
    health = failing()
    health.begin("log", T + 2_000)
    assert health.unstored_ms(T + UNANSWERED_MS - 1) is None
    assert health.unstored_ms(T + UNANSWERED_MS) == UNANSWERED_MS
    health.failed("log", T + UNANSWERED_MS, is_refused=False)
    assert health.unstored_ms(T + UNANSWERED_MS + 500) == UNANSWERED_MS + 500


def test_an_acknowledgement_starts_the_time_of_those_that_still_wait_again() -> None:
    health = WriteHealth()
    health.begin("log", T)
    health.begin("log", T + 3_000)
    health.stored("log", T + 3_200)
    assert health.unstored_ms(T + UNANSWERED_MS) is None
    assert health.unstored_ms(T + 3_200 + UNANSWERED_MS) == UNANSWERED_MS


def test_a_write_that_is_given_up_says_nothing() -> None:
    health = WriteHealth()
    health.begin("log", T)
    health.given_up("log")
    assert health.unstored_ms(T + 10 * UNANSWERED_MS) is None


def test_a_place_is_not_well_because_another_one_is() -> None:
    health = failing(is_refused=True)
    health.begin("rooms", T + 10)
    health.stored("rooms", T + 20)
    assert health.unstored_ms(T + 20) == 20


def test_a_failure_that_is_not_repeated_is_forgotten_while_others_store() -> None:
    health = failing(is_refused=True)
    health.begin("rooms", T + FORGOTTEN_MS - 1)
    health.stored("rooms", T + FORGOTTEN_MS - 1)
    assert health.unstored_ms(T + FORGOTTEN_MS - 1) is not None
    health.begin("rooms", T + FORGOTTEN_MS)
    health.stored("rooms", T + FORGOTTEN_MS)
    assert health.unstored_ms(T + FORGOTTEN_MS) is None


def test_a_beat_forgets_it_likewise() -> None:
    health = failing(is_refused=True)
    health.beat(T + FORGOTTEN_MS, 500)
    assert health.unstored_ms(T + FORGOTTEN_MS) is None


def test_a_write_that_is_under_way_is_not_forgotten() -> None:
    health = failing()
    health.begin("log", T + 1)
    health.beat(T + FORGOTTEN_MS, 500)
    assert health.unstored_ms(T + FORGOTTEN_MS) == FORGOTTEN_MS


def test_beats_that_stay_away_count_where_nothing_is_written() -> None:
    health = WriteHealth()
    assert health.unstored_ms(T + BEATLESS_MS) is None
    health.beat(T, 500)
    assert health.unstored_ms(T + BEATLESS_MS - 1) is None
    assert health.unstored_ms(T + BEATLESS_MS) == BEATLESS_MS
    health.beat(T + BEATLESS_MS, 500)
    assert health.unstored_ms(T + BEATLESS_MS) is None


def test_who_has_matches_waits_for_a_beat_no_longer_than_for_a_write() -> None:
    health = WriteHealth()
    health.beat(T, 500)
    assert health.unstored_ms(T + UNANSWERED_MS - 1, has_matches=True) is None
    assert health.unstored_ms(T + UNANSWERED_MS, has_matches=True) == UNANSWERED_MS
    assert health.unstored_ms(T + UNANSWERED_MS) is None


def test_beats_that_are_far_apart_have_the_time_of_two() -> None:
    health = WriteHealth()
    health.beat(T, BEATLESS_MS)
    assert health.unstored_ms(T + 2 * BEATLESS_MS - 1) is None
    assert health.unstored_ms(T + 2 * BEATLESS_MS) == 2 * BEATLESS_MS


def test_a_probe_is_wanted_only_while_a_failed_place_is_left_alone() -> None:
    assert not WriteHealth().wants_probe()
    health = failing()
    assert health.wants_probe()
    health.begin("log", T + 1)
    assert not health.wants_probe()
    health.stored("log", T + 2)
    assert not health.wants_probe()


@pytest.mark.parametrize(
    ("outcome", "is_well"),
    [
        (WriteOutcome.ANSWERED, True),
        (WriteOutcome.REFUSED, False),
        (WriteOutcome.UNANSWERED, True),
    ],
)
def test_an_error_counts_as_it_is_judged(outcome: WriteOutcome, is_well: bool) -> None:
    health = Health(lambda: T)
    with pytest.raises(MediumError), health.writing("log", lambda _: outcome):
        raise MediumError("no")
    assert (health.why() is None) is is_well


def test_a_write_that_is_cancelled_says_nothing() -> None:
    now_ms = [T]
    health = Health(lambda: now_ms[0])
    with pytest.raises(asyncio.CancelledError), health.writing("log"):
        raise asyncio.CancelledError
    now_ms[0] += 10 * UNANSWERED_MS
    assert health.why() is None


def test_what_is_known_to_be_full_is_not_well_before_any_write() -> None:
    health = Health(lambda: T)
    health.note_refusal("log")
    assert health.why() == "nothing can be stored"
    with health.writing("log"):
        pass
    assert health.why() is None
