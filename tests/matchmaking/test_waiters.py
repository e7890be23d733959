"""Who waits for a quick match, and who is put together."""

import hypothesis.strategies as st
from hypothesis import given

from sunglare_server.matchmaking.queue import (
    NEAR_POINTS,
    SILENT_MS,
    WIDER_POINTS,
    MatchQueue,
    QueueEntry,
)

NOW_MS = 1_000_000


def waiter(
    account: str, *, waits_s: int = 0, points: int = 1500, family: str = "f", rated: bool = True
) -> QueueEntry:
    since_ms = NOW_MS - waits_s * 1000
    return QueueEntry(
        account=account,
        family=family,
        rated=rated,
        since_ms=since_ms,
        asked_ms=NOW_MS,
        points=points,
    )


def waiting(*waiters: QueueEntry) -> MatchQueue:
    """Return a queue in which these wait."""
    queue = MatchQueue()
    for one in waiters:
        queue.put(one)
    return queue


def grouped(queue: MatchQueue, number: int = 2, *, rated: bool = True) -> list[str]:
    return [one.account for one in queue.group("f", number, NOW_MS, rated=rated)]


def test_one_alone_is_put_together_with_nobody() -> None:
    assert grouped(waiting(waiter("a"))) == []


def test_who_has_waited_longest_is_served_first() -> None:
    assert grouped(waiting(waiter("a"), waiter("b", waits_s=9), waiter("c", waits_s=3))) == [
        "b",
        "c",
    ]


def test_of_those_who_wait_the_nearest_is_the_opponent() -> None:
    far, near = waiter("b", points=1650, waits_s=4), waiter("c", points=1520)
    assert grouped(waiting(waiter("a", waits_s=5), far, near)) == ["a", "c"]


def test_who_is_too_far_off_is_met_after_a_longer_wait() -> None:
    gap = NEAR_POINTS + 5 * WIDER_POINTS
    far = waiter("b", points=1500 + gap)
    assert grouped(waiting(waiter("a", waits_s=4), far)) == []
    assert grouped(waiting(waiter("a", waits_s=5), far)) == ["a", "b"]


def test_who_finds_nobody_keeps_nobody_else_waiting() -> None:
    lone = waiter("a", waits_s=9, points=9000)
    assert grouped(waiting(lone, waiter("b"), waiter("c"))) == ["b", "c"]


def test_rated_and_unrated_are_kept_apart_and_so_are_families() -> None:
    queue = waiting(waiter("a"), waiter("b", rated=False), waiter("c", family="g"))
    assert grouped(queue) == grouped(queue, rated=False) == []


def test_a_group_of_four_needs_four() -> None:
    three = [waiter(name) for name in "abc"]
    assert grouped(waiting(*three), 4) == []
    assert grouped(waiting(*three, waiter("d")), 4) == ["a", "b", "c", "d"]


def test_whoever_asks_again_keeps_his_place_but_not_for_something_else() -> None:
    queue = waiting(waiter("a", waits_s=9))
    queue.put(waiter("a"))
    assert queue.of("a") == waiter("a", waits_s=9)
    queue.put(waiter("a", family="g"))
    assert queue.of("a") == waiter("a", family="g")


def test_who_falls_silent_or_hangs_up_has_left() -> None:
    queue = waiting(waiter("a"), waiter("b"))
    queue.sweep(NOW_MS + SILENT_MS, lambda account: account == "a")
    assert (queue.of("a"), queue.of("b")) == (waiter("a"), None)
    queue.sweep(NOW_MS + SILENT_MS + 1, lambda _: True)
    assert len(queue) == 0


@given(
    st.lists(st.tuples(st.integers(0, 60), st.integers(500, 2500)), max_size=9),
    st.integers(2, 4),
)
def test_a_group_is_of_so_many_different_people_near_enough_to_the_first(
    known: list[tuple[int, int]], number: int
) -> None:
    queue = waiting(
        *[waiter(f"{n}", waits_s=waits, points=points) for n, (waits, points) in enumerate(known)]
    )
    found = queue.group("f", number, NOW_MS, rated=True)
    assert len({one.account for one in found}) == len(found)
    assert len(found) in (0, number)
    for one in found[1:]:
        most = NEAR_POINTS + WIDER_POINTS * (NOW_MS - found[0].since_ms) // 1000
        assert abs(one.points - found[0].points) <= most
