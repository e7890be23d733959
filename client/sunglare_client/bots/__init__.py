"""Bots: players without a person, on the same socket and the same views as everybody."""

from sunglare_client.bot import Bot
from sunglare_client.bots.admiral import Admiral
from sunglare_client.bots.hunter import Hunter
from sunglare_client.bots.lurker import Lurker
from sunglare_client.bots.raider import Raider
from sunglare_client.bots.random_legal import RandomLegal
from sunglare_client.bots.scout import Scout

__all__ = ["BOTS", "Admiral", "Hunter", "Lurker", "Raider", "RandomLegal", "Scout"]

_SHIPPED: tuple[type[Bot], ...] = (RandomLegal, Scout, Hunter, Lurker, Raider, Admiral)

BOTS: dict[str, type[Bot]] = {bot.name: bot for bot in _SHIPPED}
"""The bots by name."""
