"""The bell that wakes all matches of a server: releases first, each match in its turn."""

from structlog.testing import capture_logs

from builders.fakeclock import FakeClock
from sunglare_server.runtime.scheduler import Phase, Scheduler


async def test_the_bell_rings_all_releases_first_in_the_order_of_entering() -> None:
    clock, called = FakeClock(), list[str]()
    scheduler = Scheduler(clock)
    members = [
        scheduler.enter(
            lambda n=n: called.append(f"release {n}"),  # type: ignore[misc]
            lambda n=n: called.append(f"wake {n}"),  # type: ignore[misc]
        )
        for n in range(3)
    ]
    for ring in (Phase.WAKE, Phase.RELEASE):
        for member in reversed(members):
            scheduler.set(member, ring, 250)
    await clock.run_for(249)
    assert called == []
    await clock.run_for(1)
    assert called == [f"{what} {n}" for what in ("release", "wake") for n in range(3)]
    for member in members:
        scheduler.leave(member)


async def test_with_each_ring_another_one_is_the_first() -> None:
    clock, called = FakeClock(), list[int]()
    scheduler = Scheduler(clock)
    members = [
        scheduler.enter(lambda n=n: called.append(n), lambda: None)  # type: ignore[misc]
        for n in range(3)
    ]
    orders: list[list[int]] = []
    for beat in range(1, 5):
        for member in members[:2] if beat == 3 else members:
            scheduler.set(member, Phase.RELEASE, 250 * beat)
        await clock.run_for(250)
        orders.append(called.copy())
        called.clear()
    assert orders == [[0, 1, 2], [1, 2, 0], [0, 1], [1, 2, 0]]
    for member in members:
        scheduler.leave(member)


async def test_who_fails_when_rung_does_not_silence_the_bell_for_the_others() -> None:
    clock, called = FakeClock(), list[str]()
    scheduler = Scheduler(clock)

    def fail() -> None:
        raise RuntimeError("a bug")

    members = [scheduler.enter(fail, fail), scheduler.enter(lambda: called.append("called"), fail)]
    for member in members:
        scheduler.set(member, Phase.RELEASE, 10)
    with capture_logs() as lines:
        await clock.run_for(10)
    assert called == ["called"]
    assert [line["event"] for line in lines] == ["scheduler_callback_failed"]
    for member in members:
        scheduler.leave(member)


async def test_who_has_left_is_not_rung() -> None:
    clock, called = FakeClock(), list[str]()
    scheduler = Scheduler(clock)
    gone, kept = (scheduler.enter(lambda: called.append("called"), lambda: None) for _ in range(2))
    scheduler.set(gone, Phase.RELEASE, 10)
    scheduler.set(kept, Phase.RELEASE, 20)
    scheduler.leave(gone)
    await clock.run_for(15)
    assert called == []
    await clock.run_for(5)
    assert called == ["called"]
    scheduler.leave(kept)
    assert clock.next_due_ms() is None
