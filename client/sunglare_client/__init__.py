"""Thin clients of a server: they draw views and send orders, and hold no rule of their own."""

from sunglare_client.advice import Advice
from sunglare_client.authoring.moment import Moment, read_moment, sample_moments
from sunglare_client.bot import Bot, BotMatch, play
from sunglare_client.commands.bot_program import run
from sunglare_client.errors import (
    BotError,
    GapError,
    LostError,
    RefusedError,
    SupersededError,
)
from sunglare_client.link.callbacks import Hooks
from sunglare_client.link.connection import Connection, connect
from sunglare_client.link.matchlog import MatchLog
from sunglare_client.link.patience import Patience
from sunglare_client.link.picture import Picture
from sunglare_client.link.seat import Seat

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
    "Moment",
    "Patience",
    "Picture",
    "RefusedError",
    "Seat",
    "SupersededError",
    "connect",
    "play",
    "read_moment",
    "run",
    "sample_moments",
]
