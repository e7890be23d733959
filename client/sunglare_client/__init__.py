"""Thin clients of a server: they draw views and send orders, and hold no rule of their own."""

from sunglare_client.advice import Advice
from sunglare_client.bot import Bot, BotMatch, play, run
from sunglare_client.connection import Connection, connect
from sunglare_client.errors import (
    BotError,
    GapError,
    LostError,
    RefusedError,
    SupersededError,
)
from sunglare_client.hooks import Hooks
from sunglare_client.matchlog import MatchLog
from sunglare_client.patience import Patience
from sunglare_client.picture import Picture
from sunglare_client.seat import Seat

__all__ = [
    "Advice",
    "Bot",
    "BotError",
    "BotMatch",
    "Connection",
    "GapError",
    "Hooks",
    "LostError",
    "MatchLog",
    "Patience",
    "Picture",
    "RefusedError",
    "Seat",
    "SupersededError",
    "connect",
    "play",
    "run",
]
