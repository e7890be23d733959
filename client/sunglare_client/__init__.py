"""Thin clients of a server: they draw views and send orders, and hold no rule of their own.

Each name is imported with its module when it is first used: a program that needs one of them, and
`sunglare` itself, begin without the modules of all others.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
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

_MODULES = {
    "Advice": "advice",
    "Bot": "bot",
    "BotError": "errors",
    "BotMatch": "bot",
    "Connection": "link.connection",
    "GapError": "errors",
    "Hooks": "link.callbacks",
    "LostError": "errors",
    "MatchLog": "link.matchlog",
    "Moment": "authoring.moment",
    "Patience": "link.patience",
    "Picture": "link.picture",
    "RefusedError": "errors",
    "Seat": "link.seat",
    "SupersededError": "errors",
    "connect": "link.connection",
    "play": "bot",
    "read_moment": "authoring.moment",
    "run": "commands.bot_program",
    "sample_moments": "authoring.moment",
}
"""The module of each name."""


def __getattr__(name: str) -> Any:
    """Import a name of `__all__` when it is first asked for."""
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    found = getattr(import_module(f"{__name__}.{_MODULES[name]}"), name)
    globals()[name] = found
    return found
