"""Webhooks over real sockets: an account is told that it is its turn, and nothing else."""

import asyncio
from collections.abc import AsyncIterator, Coroutine
from pathlib import Path
from typing import Any, TypeVar

import pytest

from builders.certificates import OPENSSL, made
from builders.fakeclock import FakeClock
from builders.hooks import HOST, Hook
from builders.players import Player, started
from builders.venues import Venue
from builders.wires import WAIT_S, Talker
from sunglare_protocol.messages import Accepted, Forget, SetWebhook
from sunglare_protocol.refusals import Code
from sunglare_server.accounts.webhooks import TELL_MS

pytestmark = pytest.mark.skipif(OPENSSL is None, reason="openssl makes the certificate")

T = TypeVar("T")

SLOW = {"clock": "correspondence"}


@pytest.fixture
async def hook(tmp_path: Path) -> AsyncIterator[Hook]:
    async with Hook(made(tmp_path, f"DNS:{HOST}")).listening() as hook:
        yield hook


async def in_time(clock: FakeClock, work: Coroutine[Any, Any, T]) -> T:
    """Return what comes of some work, for which time goes by."""
    task = asyncio.create_task(work)
    async with asyncio.timeout(WAIT_S):
        while not task.done():
            await clock.run_for(250)
            await asyncio.sleep(0.005)
    return await task


async def hooked(talker: Talker, path: str) -> None:
    """Name the hook as one's webhook."""
    await talker.accepted(SetWebhook, url=f"https://{HOST}{path}")


async def lock(clock: FakeClock, player: Player) -> None:
    """Give no orders and lock."""
    assert isinstance(await in_time(clock, player.orders(lock=True)), Accepted)


async def nobody_else_is_told(hook: Hook, count: int) -> None:
    """Check that no more come than so many, whatever is on its way."""
    await asyncio.sleep(0.2)
    assert len(hook.requests) == count


async def test_each_is_told_at_the_whole_minute_after_his_window_was_shown(
    hook: Hook, venue: Venue
) -> None:
    clock = await venue.still(post=hook)
    anna, boris = await venue.some(2)
    await hooked(anna, "/anna")
    await hooked(boris, "/boris")
    players = await in_time(clock, started([anna, boris], options=SLOW))
    await clock.run_for(TELL_MS)
    first = sorted(await hook.heard(2))
    assert [head.split()[1] for head in first] == [b"/anna", b"/boris"]
    await lock(clock, players[0])
    await clock.run_for(3 * TELL_MS)
    await nobody_else_is_told(hook, 2)
    await lock(clock, players[1])
    await clock.run_for(TELL_MS)
    assert sorted((await hook.heard(4))[2:]) == first


async def test_what_is_told_is_the_same_in_every_match_and_names_nothing_of_it(
    hook: Hook, venue: Venue
) -> None:
    clock = await venue.still(post=hook)
    for scenario in ("shadow-of-ceres", "picket-line"):
        anna, boris = await venue.some(2)
        await hooked(anna, "/")
        players = await in_time(
            clock, started([anna, boris], scenario=scenario, options=SLOW, title="Sunday")
        )
        await clock.run_for(TELL_MS)
        told = (await hook.heard(1 + (scenario == "picket-line")))[-1]
        for secret in (players[0].match, scenario, "Sunday", "guest"):
            assert secret.encode() not in told
    one, other = await hook.heard(2)
    assert one == other
    assert one.endswith(b'{"your_turn":true}')


async def test_who_takes_it_back_or_is_forgotten_is_told_no_more(hook: Hook, venue: Venue) -> None:
    clock = await venue.still(post=hook)
    anna, boris, carla = await venue.some(3)
    for talker, path in ((anna, "/anna"), (boris, "/boris"), (carla, "/carla")):
        await hooked(talker, path)
    players = await in_time(clock, started([anna, boris], options=SLOW))
    await carla.accepted(Forget)
    await boris.accepted(SetWebhook)
    await clock.run_for(TELL_MS)
    [told] = await hook.heard(1)
    assert told.split()[1] == b"/anna"
    await anna.accepted(Forget)
    await lock(clock, players[1])
    await clock.run_for(TELL_MS)
    await nobody_else_is_told(hook, 1)


async def test_a_webhook_outlives_the_server_which_does_not_tell_a_turn_twice(
    hook: Hook, venue: Venue
) -> None:
    clock = await venue.still(post=hook)
    anna, boris = await venue.some(2)
    await hooked(anna, "/anna")
    players = await in_time(clock, started([anna, boris], options=SLOW))
    await clock.run_for(TELL_MS)
    await hook.heard(1)
    await lock(clock, players[0])
    await venue.close()
    await venue.open(clock, post=hook)
    assert boris.welcome is not None
    player = await in_time(clock, players[1].resume(await venue.one(token=boris.token)))
    await clock.run_for(2 * TELL_MS)
    await nobody_else_is_told(hook, 1)
    await lock(clock, player)
    await clock.run_for(TELL_MS)
    assert len(set(await hook.heard(2))) == 1


async def test_a_match_on_another_clock_tells_nobody(hook: Hook, venue: Venue) -> None:
    clock = await venue.still(post=hook)
    anna, boris = await venue.some(2)
    await hooked(anna, "/anna")
    await in_time(clock, started([anna, boris], options={"clock": "test"}))
    await clock.run_for(2 * TELL_MS)
    await nobody_else_is_told(hook, 0)


async def test_without_the_operators_leave_none_is_taken(venue: Venue) -> None:
    anna = await venue.one()
    assert await anna.code(SetWebhook, url=f"https://{HOST}/") is Code.WEBHOOK_CLOSED
    await anna.accepted(SetWebhook)


async def test_what_may_be_no_webhook_is_refused_with_what_would_be_right(
    hook: Hook, venue: Venue
) -> None:
    await venue.open(post=hook)
    anna = await venue.one()
    for url in ("http://hooks.example.org/", "https://localhost/", "https://10.0.0.1/"):
        refused = await anna.refused(SetWebhook, url=url)
        assert (refused.code, refused.at) == (Code.WEBHOOK_URL, "$.url")
        assert "https://" in refused.text
    assert await anna.fault(SetWebhook, url="x" * 513) == (Code.MESSAGE_MALFORMED, "$.url")
