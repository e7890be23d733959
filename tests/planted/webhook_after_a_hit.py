"""Webhooks ring in every minute, whether a window waits or not, once a ship is damaged."""

import pytest

from sunglare_server.accounts.webhooks import Post, Webhooks
from sunglare_server.runtime.batch import Sealed
from sunglare_server.runtime.runner import Runner

_adopt, _tell = Runner._adopt, Webhooks._tell


def plant(patch: pytest.MonkeyPatch) -> None:
    """Plant it."""
    is_hit = False

    def noting(runner: Runner, sealed: Sealed) -> None:
        nonlocal is_hit
        is_hit = any(ship.damage for ship in sealed.stepped.state.truth.ships.values())
        _adopt(runner, sealed)

    async def telling(webhooks: Webhooks, account: str, post: Post) -> None:
        await _tell(webhooks, account, post)
        if is_hit:
            webhooks.note(account)

    patch.setattr(Runner, "_adopt", noting)
    patch.setattr(Webhooks, "_tell", telling)
