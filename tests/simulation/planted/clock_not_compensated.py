"""A window that was open while the server was away closes as if it had been there."""

from collections.abc import Callable

import pytest

from sunglare_server.host.lifesigns import Outage
from sunglare_server.host.runner import Runner

_recover = Runner.recover


async def _recover_at_once(
    self: Runner, ready: Callable[[], None], outage: Outage | None = None
) -> None:
    del outage
    await _recover(self, ready, None)


def plant(patch: pytest.MonkeyPatch) -> None:
    """Plant it."""
    patch.setattr(Runner, "recover", _recover_at_once)
