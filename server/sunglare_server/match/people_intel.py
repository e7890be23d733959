"""What one audience has learned of agents, and its own items and standing order. See `intel`."""

from typing import final

import msgspec

from sunglare_protocol.people_views import AlertView, FoundView, ItemView, SpyView
from sunglare_protocol.searchwords import Strike


@final
class AgentsIntel(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """What one audience has learned of agents.

    `alerts` are the places near which agents of others are; `found` and `spied` memories of what
    searches and spies found out, the newest last; `items` are those of own objectives, `strike`
    is the side's own standing order.
    """

    alerts: tuple[AlertView, ...] = ()
    found: tuple[FoundView, ...] = ()
    spied: tuple[SpyView, ...] = ()
    items: tuple[ItemView, ...] = ()
    strike: Strike = Strike.PATROL
