"""Entrants of a series: bots by name, shipped or from a file, seated match after match."""

import base64
import hashlib
import importlib.util
import inspect
import os
import sys
from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from types import ModuleType
from typing import NamedTuple, TypeGuard, final

from sunglare_client.bot import Bot
from sunglare_client.bot_runtime.containment import contained, described, raised
from sunglare_client.bots import BOTS, shipped
from sunglare_protocol.errors import SunglareError
from sunglare_protocol.ids import MatchId, Side

_SEED_BYTES = 32
_BOT_SEED_BYTES = 6
_MATCH_BYTES = 16


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

    @property
    def match(self) -> MatchId:
        """Return the id of the match, which follows from its seed and who sits where."""
        seats = ",".join(f"{side}{entrant}" for side, entrant in self.seats)
        digest = hashlib.blake2b(seats.encode(), key=self.seed, digest_size=_MATCH_BYTES).digest()
        return MatchId(base64.b32encode(digest).decode().rstrip("=").lower())

    def bot_seed(self, side: Side) -> int:
        """Return the seed of the bot in a seat."""
        digest = hashlib.blake2b(side.encode(), key=self.seed, digest_size=_BOT_SEED_BYTES)
        return int.from_bytes(digest.digest(), "big")


def bot_called(name: str) -> type[Bot]:
    """Return the bot of that name, or of `file.py:Class`; raise `ArenaError` if there is none.

    A name may have a level in it, such as `hunter-2`. Where a file has one bot alone its class
    need not be named.
    """
    kind = shipped(name)
    if kind is not None:
        return kind
    path, colon, own = name.rpartition(":")
    if colon:
        return _named(path, own)
    if name.endswith(".py"):
        return _only(name)
    known = ", ".join(BOTS)
    raise ArenaError(f"there is no bot {name!r}: it is one of {known}, or file.py:Class")


def labels(names: Sequence[str]) -> tuple[str, ...]:
    """Return what the entrants of these names are called in tables: files without their folders.

    A name that stands there more than once has its number, from 1 on, behind it.
    """
    short = [name if shipped(name) else _short(name) for name in names]
    many = Counter(short)
    return tuple(
        label if many[label] == 1 else f"{label} #{short[: place + 1].count(label)}"
        for place, label in enumerate(short)
    )


def games(
    sides: tuple[Side, ...], entrants: int, matches: int, seed: int, *, swap: bool
) -> tuple[Game, ...]:
    """Return the matches of a series, each with a seed of its own that follows from `seed`.

    Fewer entrants than seats take turns around the table. With `swap` every seed is played as
    often as they can be seated otherwise, each time with all entrants one seat further on.
    """
    if entrants > len(sides):
        raise ArenaError(f"{entrants} bots are too many for {len(sides)} seats")
    # Where the seats are shared out evenly, all are back after as many moves as entrants.
    around = len(sides) if len(sides) % entrants else entrants
    rounds = around if swap else 1
    return tuple(
        _game(sides, entrants, number, _seed(seed, number // rounds), number % rounds)
        for number in range(matches)
    )


def _game(sides: tuple[Side, ...], entrants: int, number: int, seed: bytes, shift: int) -> Game:
    seats = ((side, (seat + shift) % len(sides) % entrants) for seat, side in enumerate(sides))
    return Game(number, seed, tuple(seats))


def _seed(seed: int, number: int) -> bytes:
    return hashlib.blake2b(f"{seed}/{number}".encode(), digest_size=_SEED_BYTES).digest()


def _short(name: str) -> str:
    path, colon, kind = name.rpartition(":") if not name.endswith(".py") else (name, "", "")
    return f"{Path(path).stem}{colon}{kind}"


def _named(path: str, kind: str) -> type[Bot]:
    found = getattr(_module(path), kind, None)
    if not _is_bot(found):
        raise ArenaError(f"{path!r} has no bot class {kind!r}")
    return found


def _only(path: str) -> type[Bot]:
    module = _module(path)
    found = [kind for kind in vars(module).values() if _is_bot(kind)]
    own = [kind for kind in found if kind.__module__ == module.__name__]
    if len(own) != 1:
        names = ", ".join(f"{path}:{kind.__name__}" for kind in own)
        what = f"it has several: {names}" if own else "a class that derives from Bot is one"
        raise ArenaError(f"{path!r} has not just one bot: {what}")
    return own[0]


def _is_bot(found: object) -> TypeGuard[type[Bot]]:
    return inspect.isclass(found) and issubclass(found, Bot)


@lru_cache
def _module(path: str) -> ModuleType:
    if not Path(path).is_file():
        raise ArenaError(f"there is no file {path!r}")
    digest = hashlib.blake2b(os.path.abspath(path).encode(), digest_size=_BOT_SEED_BYTES)
    name = f"entrant_{Path(path).stem}_{digest.hexdigest()}"
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise ArenaError(f"{path!r} is no Python file")
    module = sys.modules[name] = importlib.util.module_from_spec(spec)
    try:
        with contained():
            spec.loader.exec_module(module)
    except Exception as fault:
        raise ArenaError(f"{path!r} cannot be loaded: {described(raised(fault))}") from fault
    return module
