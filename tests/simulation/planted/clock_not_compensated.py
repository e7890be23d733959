"""A window that was open while the server was away closes as if it had been there."""

from collections.abc import Callable

import pytest

from sunglare_server.host.runner import Runner

_recover = Runner.recover


async def _recover_at_once(self: Runner, ready: Callable[[], None], began_ms: int) -> None:
    del began_ms
    await _recover(self, ready, 0)


def plant(patch: pytest.MonkeyPatch) -> None:
    """Plant it."""
    patch.setattr(Runner, "recover", _recover_at_once)
