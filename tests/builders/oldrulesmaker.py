"""Writes a database file as this program leaves it: one match finished, one in the middle.

`python tests/builders/oldrulesmaker.py tests/data/rules_<version>.json.xz` belongs to every raise
of the rules version, run once on the last program before it. It uses little of the program, so
that older ones run it as well.
"""

import asyncio
import base64
import contextlib
import json
import lzma
import sqlite3
import sys
import tempfile
from contextlib import closing
from pathlib import Path

from sunglare_client.bot import decide
from sunglare_client.bots import BOTS
from sunglare_client.errors import RefusedError
from sunglare_client.link.connection import Connection, connect
from sunglare_client.link.seat import Seat
from sunglare_protocol.ids import Side
from sunglare_protocol.messages import Create, Created, Frame, Over
from sunglare_protocol.views import View
from sunglare_server.app import App
from sunglare_server.config import Settings
from sunglare_server.match.record import RULES_VERSION

SCENARIO = "picket-line"
TURNS = 2
"""So many turns are played before A gives up, or the server ends."""

ENTROPY = {"A": b"a" * 32, "B": b"b" * 32}


async def main(target: Path) -> None:
    """Play both matches and write everything there is to know of them."""
    with tempfile.TemporaryDirectory() as folder:
        journal = Path(folder) / "journal.db"
        app = App(Settings(port=0, journal=journal, bots=()))
        url = await app.start()
        told = {"rules": RULES_VERSION, **await _played(url)}
        await app.stop()
        with closing(sqlite3.connect(journal)) as file:
            told["sql"] = "\n".join(file.iterdump())
    Path.write_bytes(target, lzma.compress(json.dumps(told).encode()))


async def _played(url: str) -> dict[str, object]:
    told: dict[str, object] = {}
    for name in ("over", "running"):
        lines = [await connect(url, name=f"{first} {name}") for first in ("Anna", "Boris")]
        seats = await _seated(lines)
        ends = await asyncio.gather(*(_play(seat, gives_up=name == "over") for seat in seats))
        told[name] = {
            "match": seats[0].match,
            "tickets": {seat.side: seat.ticket for seat in seats},
            "have": {seat.side: seat.picture.have for seat in seats},
            "head": ends[0],
        }
        if name == "over":
            file = await lines[0].record(seats[0].match)
            told["record"] = base64.b64encode(file).decode()
        for seat in seats:
            await seat.close()
    return told


async def _seated(lines: list[Connection]) -> list[Seat]:
    created = await lines[0].expect(
        Created, Create, scenario=SCENARIO, options={"clock": "test"}, title="Sunday"
    )
    seats = [
        await Seat.join(line, match=created.match, side=Side(side), entropy=ENTROPY[side])
        for line, side in zip(lines, ENTROPY, strict=True)
    ]
    for seat in seats:
        await seat.ready()
    return seats


async def _play(seat: Seat, *, gives_up: bool) -> str:
    """Play so far as is wanted; return the head told at the end, if it came to that."""
    bot = BOTS["random"](ord(seat.side))
    async for post in seat:
        if isinstance(post, Over):
            return post.head
        if not isinstance(post, Frame) or not isinstance(post.view, View):
            continue
        if post.turn > TURNS:
            if not gives_up:
                return ""
            if seat.side == "A":
                await seat.resign()
            continue
        orders = decide(bot, post.view)
        with contextlib.suppress(RefusedError):
            # A window that goes on without us is none of our business.
            await seat.orders(orders)
    raise AssertionError("it stopped before the end")


if __name__ == "__main__":
    asyncio.run(main(Path(sys.argv[1])))
