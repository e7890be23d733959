"""A small match each of whose windows asks something of both sides, for the tests of the page."""

import asyncio
import contextlib
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Final

from builders.players import Player
from sunglare_server.base.library import SHIPPED

NAME: Final = "close-quarters"

TEXT: Final = """
title = "Close quarters"
turns = 2
map = { columns = 2, rows = 2 }
fixed = true
[sides.A]
zone = ["A1"]
ships = [
    { name = "Hood", type = "hooded-dreadnought", at = [2, 5], facing = "E" },
    { name = "Ear", type = "sentinel", at = [2, 7], facing = "E" },
]
[sides.B]
zone = ["B1"]
ships = [{ name = "Wren", type = "raider", at = [7, 5], facing = "W" }]
"""
"""One ship may sweep for the cloak of another, and one has a weapon that needs no target."""


def data_of(folder: Path) -> Path:
    """Write the data of a server that offers this match; return their folder."""
    file = folder / "data/scenarios" / f"{NAME}.toml"
    file.parent.mkdir(parents=True)
    file.write_text(TEXT)
    return folder / "data"


def data_of_changed(folder: Path, name: str, old: str, new: str) -> Path:
    """Write the data of a server that offers a changed `shadow-of-ceres`; return their folder."""
    file = folder / "data/scenarios" / f"{name}.toml"
    file.parent.mkdir(parents=True)
    duel = (SHIPPED / "scenarios" / "shadow-of-ceres.toml").read_text(encoding="utf-8")
    assert old in duel
    file.write_text(duel.replace(old, new), encoding="utf-8")
    return folder / "data"


@contextlib.asynccontextmanager
async def answering(player: Player) -> AsyncIterator[None]:
    """Have a seat lock every window that asks it, without an order, until the block ends."""
    task = asyncio.create_task(_answer(player))
    try:
        yield
    finally:
        task.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await task


async def _answer(player: Player) -> None:
    while True:
        window = player.newest.window
        if player.is_asked:
            await player.ordered()
        await player.frame(beside=window)
