"""Callbacks of a seat for its tickets, its line and its log."""

from collections.abc import Callable
from typing import final

import msgspec

from sunglare_client.link.matchlog import MatchLog
from sunglare_protocol.ids import MatchId


@final
class Hooks(msgspec.Struct, frozen=True, kw_only=True):
    """The callbacks of a seat for what no post brings: new tickets, and the connection's state.

    A ticket is a secret; who keeps it can take the seat from another process. `log` gives the log
    in which the seat notes what it receives and sends.
    """

    on_ticket: Callable[[MatchId, str], None] | None = None
    on_link: Callable[[bool], None] | None = None
    log: Callable[[MatchId], MatchLog] | None = None
