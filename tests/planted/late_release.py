"""A fault in the release: frames after something hidden come three milliseconds late."""

from sunglare_server.match.events.cloak import PassiveRolled
from sunglare_server.match.events.space import Event, ShipMoved
from sunglare_server.match.state import Stepped
from sunglare_server.runtime.feed import Feed

DELAY_MS = 3

_hold = Feed.queue


def _is_hidden(event: Event) -> bool:
    is_burn = isinstance(event, ShipMoved) and event.thrust_used > 0
    return is_burn or isinstance(event, PassiveRolled)


def _hold_longer(feed: Feed, stepped: Stepped, head: str, release_ms: int) -> None:
    later_ms = DELAY_MS if any(map(_is_hidden, stepped.events)) else 0
    _hold(feed, stepped, head, release_ms + later_ms)


def plant() -> None:
    """Plant the fault in this process, for good."""
    Feed.queue = _hold_longer  # type: ignore[method-assign, assignment]
