"""Who plays: bots by name, shipped or from a file, and how they are seated match after match."""

import hashlib
import importlib.util
import inspect
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple, final

from sunglare_client.bot import Bot
from sunglare_client.bots import BOTS
from sunglare_protocol.errors import SunglareError
from sunglare_protocol.ids import Side

_SEED_BYTES = 32
_BOT_SEED_BYTES = 6


class ArenaError(SunglareError):
    """What was asked for cannot be played; the text says why and what would be right."""


@final
class Game(NamedTuple):
    """One match to come: its number, the server's seed, and the entrant in each seat.

    Entrants are counted from 0 in the order in which they were named.
    """

    number: int
    seed: bytes
    seats: tuple[tuple[Side, int], ...]

    def bot_seed(self, side: Side) -> int:
        """Return the seed of the bot in a seat."""
        digest = hashlib.blake2b(side.encode(), key=self.seed, digest_size=_BOT_SEED_BYTES)
        return int.from_bytes(digest.digest(), "big")


def bot_called(name: str) -> type[Bot]:
    """Return the bot of that name, or of `file.py:Class`; raise `ArenaError` if there is none."""
    if name in BOTS:
        return BOTS[name]
    path, colon, kind = name.rpartition(":")
    if not colon:
        known = ", ".join(BOTS)
        raise ArenaError(f"there is no bot {name!r}: it is one of {known}, or file.py:Class")
    return _from_file(path, kind)


def games(
    sides: tuple[Side, ...], entrants: int, matches: int, seed: int, *, swap: bool
) -> tuple[Game, ...]:
    """Return the matches of a series, each with a seed of its own that follows from `seed`.

    Fewer entrants than seats take turns around the table. With `swap` every seed is played as
    often as there are seats, each time with everybody one seat further on.
    """
    if entrants > len(sides):
        raise ArenaError(f"{entrants} bots are too many for {len(sides)} seats")
    rounds = len(sides) if swap else 1
    return tuple(
        _game(sides, entrants, number, _seed(seed, number // rounds), number % rounds)
        for number in range(matches)
    )


def _game(sides: tuple[Side, ...], entrants: int, number: int, seed: bytes, shift: int) -> Game:
    seats = ((side, (seat + shift) % len(sides) % entrants) for seat, side in enumerate(sides))
    return Game(number, seed, tuple(seats))


def _seed(seed: int, number: int) -> bytes:
    return hashlib.blake2b(f"{seed}/{number}".encode(), digest_size=_SEED_BYTES).digest()


@lru_cache
def _from_file(path: str, kind: str) -> type[Bot]:
    if not Path(path).is_file():
        raise ArenaError(f"there is no file {path!r}")
    spec = importlib.util.spec_from_file_location(Path(path).stem, path)
    if spec is None or spec.loader is None:
        raise ArenaError(f"{path!r} is no Python file")
    module = importlib.util.module_from_spec(spec)
    try:
        spec.loader.exec_module(module)
    except Exception as fault:
        raise ArenaError(f"{path!r} cannot be loaded: {type(fault).__name__}: {fault}") from fault
    found = getattr(module, kind, None)
    if not (inspect.isclass(found) and issubclass(found, Bot)):
        raise ArenaError(f"{path!r} has no bot class {kind!r}")
    return found
