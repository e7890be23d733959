"""Bots: programs that play on the same socket and the same views as people."""

from sunglare_client.bot import Bot
from sunglare_client.bots.admiral import Admiral
from sunglare_client.bots.hunter import Hunter
from sunglare_client.bots.levels import levelled
from sunglare_client.bots.lurker import Lurker
from sunglare_client.bots.raider import Raider
from sunglare_client.bots.random_legal import RandomLegal
from sunglare_client.bots.scout import Scout
from sunglare_protocol.botnames import LEVELLED, split_name

__all__ = [
    "BOTS",
    "Admiral",
    "Hunter",
    "Lurker",
    "Raider",
    "RandomLegal",
    "Scout",
    "shipped",
]

_SHIPPED: tuple[type[Bot], ...] = (RandomLegal, Scout, Hunter, Lurker, Raider, Admiral)

BOTS: dict[str, type[Bot]] = {bot.name: bot for bot in _SHIPPED}
"""The bots by name."""


def shipped(name: str) -> type[Bot] | None:
    """Return the bot of a name, which may have a level in it such as `hunter-2`; else None."""
    if name not in BOTS and name not in LEVELLED:
        return None
    bot, level = split_name(name)
    return levelled(BOTS[bot], level)
