"""Webhooks by the clock: who is due is told at the next whole minute, once, and no more."""

import asyncio
import contextlib
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from builders.fakeclock import FakeClock
from builders.stores import KINDS, storage_of
from builders.wires import WAIT_S
from sunglare_protocol.refusals import Code, Rejected
from sunglare_server.accounts.webhooks import FAILURES_MOST, TELL_MS, Webhooks
from sunglare_server.accounts.webhookurl import Target
from sunglare_server.ports.store import Account, Store

ANN, BEN = "a" * 32, "b" * 32
URL = "https://hooks.example.org/ann"
START_MS = 1_000_000
"""40 s after a whole minute."""


class Told:
    """Whom the webhooks tell, and when; takes what it is told, or not."""

    def __init__(self, clock: FakeClock) -> None:
        self.takes = True
        self.told: list[tuple[int, str]] = []
        self._clock = clock

    async def __call__(self, target: Target) -> bool:
        """Keep what was told when."""
        self.told.append((self._clock.now_ms(), f"https://{target.host}{target.path}"))
        return self.takes


@contextlib.asynccontextmanager
async def going(webhooks: Webhooks) -> AsyncIterator[None]:
    """Let the webhooks run."""
    running = asyncio.create_task(webhooks.run())
    try:
        yield
    finally:
        running.cancel()


async def a_minute(clock: FakeClock) -> None:
    """Go on to the next whole minute; whoever was due then has been told when this returns."""
    for time_ms in (clock.now_ms(), (clock.now_ms() // TELL_MS + 1) * TELL_MS):
        clock.advance(time_ms - clock.now_ms())
        async with asyncio.timeout(WAIT_S):
            # They sleep until the next minute once they are through.
            while clock.next_due_ms() is None:  # noqa: ASYNC110 - a test looks from outside
                await asyncio.sleep(0.001)


@pytest.fixture
def clock() -> FakeClock:
    return FakeClock(START_MS)


@pytest.fixture
def told(clock: FakeClock) -> Told:
    return Told(clock)


@pytest.fixture(params=KINDS)
async def store(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Store]:
    storage = await storage_of(request.param, tmp_path / "journal.db")
    for account in (ANN, BEN):
        name = account[0]
        await storage.store.add_account(
            Account(id=account, token_hash=name, name=name, name_key=name)
        )
    yield storage.store
    await storage.journal.close()


async def test_who_is_due_is_told_once_at_the_next_whole_minute(
    store: Store, clock: FakeClock, told: Told
) -> None:
    webhooks = Webhooks(store, clock, told)
    assert await webhooks.put(ANN, URL) is None
    async with going(webhooks):
        for _ in range(3):
            webhooks.note(ANN)
        await a_minute(clock)
        await a_minute(clock)
        assert told.told == [(1_020_000, URL)]
        webhooks.note(ANN)
        await a_minute(clock)
        assert told.told == [(1_020_000, URL), (1_140_000, URL)]


async def test_who_has_named_no_address_or_taken_it_back_is_not_told(
    store: Store, clock: FakeClock, told: Told
) -> None:
    webhooks = Webhooks(store, clock, told)
    assert await webhooks.put(ANN, URL) is None
    assert await webhooks.put(ANN, None) is None
    async with going(webhooks):
        webhooks.note(ANN)
        webhooks.note(BEN)
        await a_minute(clock)
    assert told.told == []


async def test_an_address_that_always_fails_is_set_aside_until_it_is_named_again(
    store: Store, clock: FakeClock, told: Told
) -> None:
    webhooks = Webhooks(store, clock, told)
    await webhooks.put(ANN, URL)
    told.takes = False
    async with going(webhooks):
        for _ in range(FAILURES_MOST + 3):
            webhooks.note(ANN)
            await a_minute(clock)
        assert len(told.told) == FAILURES_MOST
        await webhooks.put(ANN, URL)
        webhooks.note(ANN)
        await a_minute(clock)
        assert len(told.told) == FAILURES_MOST + 1


async def test_an_address_that_fails_now_and_then_is_told_on(
    store: Store, clock: FakeClock, told: Told
) -> None:
    webhooks = Webhooks(store, clock, told)
    await webhooks.put(ANN, URL)
    async with going(webhooks):
        for number in range(2 * FAILURES_MOST + 2):
            told.takes = number % FAILURES_MOST == 0
            webhooks.note(ANN)
            await a_minute(clock)
    assert len(told.told) == 2 * FAILURES_MOST + 2


@pytest.mark.parametrize("url", ["http://hooks.example.org/", "https://127.0.0.1/", ""])
async def test_what_is_no_webhook_is_refused_and_the_old_one_stays(
    store: Store, clock: FakeClock, told: Told, url: str
) -> None:
    webhooks = Webhooks(store, clock, told)
    await webhooks.put(ANN, URL)
    assert await webhooks.put(ANN, url) == Rejected(code=Code.WEBHOOK_URL, at="$.url")
    assert await store.webhook(ANN) == URL


async def test_where_the_operator_does_not_allow_them_none_is_taken_and_none_told(
    store: Store, clock: FakeClock
) -> None:
    await store.put_webhook(ANN, URL)
    webhooks = Webhooks(store, clock, None)
    assert await webhooks.put(BEN, URL) == Rejected(code=Code.WEBHOOK_CLOSED)
    webhooks.note(ANN)
    await webhooks.run()
    assert await webhooks.put(ANN, None) is None
    assert await store.webhook(ANN) is None


async def test_a_stored_address_that_is_none_is_not_told(
    store: Store, clock: FakeClock, told: Told
) -> None:
    await store.put_webhook(ANN, "https://127.0.0.1/")
    webhooks = Webhooks(store, clock, told)
    async with going(webhooks):
        webhooks.note(ANN)
        await a_minute(clock)
    assert told.told == []
