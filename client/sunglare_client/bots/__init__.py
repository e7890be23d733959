"""Bots: players without a person, on the same socket and the same views as everybody."""

from sunglare_client.bot import Bot
from sunglare_client.bots.admiral import Admiral
from sunglare_client.bots.deceiver import Deceiver
from sunglare_client.bots.drifter import Drifter
from sunglare_client.bots.hunter import Hunter
from sunglare_client.bots.marshal import Marshal
from sunglare_client.bots.privateer import Privateer
from sunglare_client.bots.prober import Prober
from sunglare_client.bots.raider import Raider
from sunglare_client.bots.random_legal import RandomLegal
from sunglare_client.bots.searcher import Searcher
from sunglare_client.bots.spymaster import Spymaster
from sunglare_client.bots.surveyor import Surveyor
from sunglare_client.bots.sweeper import Sweeper

__all__ = [
    "BOTS",
    "Admiral",
    "Deceiver",
    "Drifter",
    "Hunter",
    "Marshal",
    "Privateer",
    "Prober",
    "Raider",
    "RandomLegal",
    "Searcher",
    "Spymaster",
    "Surveyor",
    "Sweeper",
]

_SHIPPED: tuple[type[Bot], ...] = (
    RandomLegal,
    Drifter,
    Sweeper,
    Hunter,
    Prober,
    Searcher,
    Admiral,
    Raider,
    Deceiver,
    Spymaster,
    Surveyor,
    Marshal,
    Privateer,
)

BOTS: dict[str, type[Bot]] = {bot.name: bot for bot in _SHIPPED}
"""The bots by name."""
