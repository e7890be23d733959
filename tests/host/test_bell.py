"""The bell that wakes all matches of a server: releases first, each match in its turn."""

from structlog.testing import capture_logs

from builders.fakeclock import FakeClock
from sunglare_server.runtime.scheduler import Bell, Ring


async def test_the_bell_rings_all_releases_first_in_the_order_of_entering() -> None:
    clock, rung = FakeClock(), list[str]()
    bell = Bell(clock)
    members = [
        bell.enter(lambda n=n: rung.append(f"release {n}"), lambda n=n: rung.append(f"wake {n}"))  # type: ignore[misc]
        for n in range(3)
    ]
    for ring in (Ring.WAKE, Ring.RELEASE):
        for member in reversed(members):
            bell.set(member, ring, 250)
    await clock.run_for(249)
    assert rung == []
    await clock.run_for(1)
    assert rung == [f"{what} {n}" for what in ("release", "wake") for n in range(3)]
    for member in members:
        bell.leave(member)


async def test_with_each_ring_another_one_is_the_first() -> None:
    clock, rung = FakeClock(), list[int]()
    bell = Bell(clock)
    members = [
        bell.enter(lambda n=n: rung.append(n), lambda: None)  # type: ignore[misc]
        for n in range(3)
    ]
    orders: list[list[int]] = []
    for beat in range(1, 5):
        for member in members[:2] if beat == 3 else members:
            bell.set(member, Ring.RELEASE, 250 * beat)
        await clock.run_for(250)
        orders.append(rung.copy())
        rung.clear()
    assert orders == [[0, 1, 2], [1, 2, 0], [0, 1], [1, 2, 0]]
    for member in members:
        bell.leave(member)


async def test_who_fails_when_rung_does_not_silence_the_bell_for_the_others() -> None:
    clock, rung = FakeClock(), list[str]()
    bell = Bell(clock)

    def fail() -> None:
        raise RuntimeError("a bug")

    members = [bell.enter(fail, fail), bell.enter(lambda: rung.append("rung"), fail)]
    for member in members:
        bell.set(member, Ring.RELEASE, 10)
    with capture_logs() as lines:
        await clock.run_for(10)
    assert rung == ["rung"]
    assert [line["event"] for line in lines] == ["a match failed when it was rung"]
    for member in members:
        bell.leave(member)


async def test_who_has_left_is_not_rung() -> None:
    clock, rung = FakeClock(), list[str]()
    bell = Bell(clock)
    gone, kept = (bell.enter(lambda: rung.append("rung"), lambda: None) for _ in range(2))
    bell.set(gone, Ring.RELEASE, 10)
    bell.set(kept, Ring.RELEASE, 20)
    bell.leave(gone)
    await clock.run_for(15)
    assert rung == []
    await clock.run_for(5)
    assert rung == ["rung"]
    bell.leave(kept)
    assert clock.next_due_ms() is None
