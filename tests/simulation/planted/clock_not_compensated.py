"""A window that was open while the server was away closes as if it had been there."""

from collections.abc import Awaitable, Callable

from builders.plants import Real, in_place_of
from sunglare_server.base.heartbeat import Outage
from sunglare_server.runtime.runner import Runner


@in_place_of(Runner, "recover")
async def plant(
    real: Real[Awaitable[None]],
    self: Runner,
    ready: Callable[[], None],
    outage: Outage | None = None,
) -> None:
    del outage
    await real(self, ready, None)
