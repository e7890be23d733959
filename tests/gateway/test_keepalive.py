"""The pulse: who gives signs of life stays, who does not is cut, and our own stops cut nobody."""

import asyncio
import gc
import weakref
from pathlib import Path
from typing import final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from builders.fakeclock import FakeClock
from builders.servers import running_app
from builders.wires import WAIT_S, met
from sunglare_protocol.messages import Ping, Pong
from sunglare_server.app import TIDY_MS, tidied
from sunglare_server.gateway import keepalive
from sunglare_server.gateway.keepalive import PING_S, Keepalive
from sunglare_server.runtime.scheduler import Scheduler


@final
class Listener:
    """A line that answers so many times, and then no more."""

    def __init__(self, answers: int) -> None:
        """Begin before the first ping."""
        self.is_gone = self.is_cut = False
        self.asked = 0
        self._answers = answers

    def ask(self) -> bool:
        """Take a ping if the last one was answered."""
        if self.asked > self._answers:
            return False
        self.asked += 1
        return True

    def cut(self) -> None:
        """Note the end."""
        self.is_cut = self.is_gone = True


async def rounds(lines: list[Listener], count: int, *, are_late: bool = False) -> None:
    """Ask all of these so many times."""
    asking = Keepalive()
    for line in lines:
        asking.take(line)
    now = asyncio.get_running_loop().time()
    for number in range(1, count + 1):
        # As if the time between had gone, and a little of the test's own.
        await asking._round(now + 1 + number * PING_S, is_late=are_late)  # noqa: SLF001
    asking.stop()


@given(st.lists(st.integers(0, 5), max_size=80))
def test_whoever_leaves_a_ping_unanswered_is_cut_at_the_next_one(answers: list[int]) -> None:
    lines = [Listener(count) for count in answers]
    asyncio.run(rounds(lines, 4))
    assert [line.is_cut for line in lines] == [count < 3 for count in answers]


@given(st.lists(st.integers(0, 5), max_size=80))
def test_where_we_come_late_nobody_is_cut(answers: list[int]) -> None:
    lines = [Listener(count) for count in answers]
    asyncio.run(rounds(lines, 4, are_late=True))
    assert not any(line.is_cut for line in lines)


async def test_who_is_gone_is_asked_no_more() -> None:
    line = Listener(9)
    line.is_gone = True
    await rounds([line], 2)
    assert line.asked == 0


async def test_a_connection_that_answers_stays_and_one_that_does_not_is_cut(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(keepalive, "PING_S", 1.0)
    async with running_app(tmp_path) as app, met(app.url) as awake, met(app.url) as silent:
        assert app.admission.inside == 2
        silent.socket.transport.pause_reading()
        async with asyncio.timeout(WAIT_S):
            while app.admission.inside == 2:  # noqa: ASYNC110 - the server tells nobody
                await asyncio.sleep(0.01)
        assert isinstance(await awake.ask(Ping), Pong)
        silent.socket.transport.abort()


class Knot:
    """What refers to itself, so that nothing but the collector ends it."""

    def __init__(self) -> None:
        """Tie it."""
        self.itself = self


async def test_what_is_new_is_looked_through_while_nobody_is_due() -> None:
    clock = FakeClock()
    scheduler = Scheduler(clock)
    knot = weakref.ref(Knot())
    gc.disable()
    task = asyncio.create_task(tidied(scheduler, clock))
    try:
        await clock.run_for(TIDY_MS - 1)
        assert knot() is not None
        await clock.run_for(1)
        assert knot() is None
    finally:
        task.cancel()
        gc.enable()
