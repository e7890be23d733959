"""Who comes back is told how long ago the newest frame was made, though it waits for its beat."""

import pytest

from sunglare_server.host.batch import Sealed
from sunglare_server.host.feeds import Feeds

_hold = Feeds.queue


def _at_once(feeds: Feeds, sealed: Sealed) -> None:
    _hold(feeds, sealed)
    for feed in feeds.values():
        feed.released_ms = sealed.at_ms


def plant(patch: pytest.MonkeyPatch) -> None:
    """Plant it."""
    patch.setattr(Feeds, "queue", _at_once)
