"""Bans whose table is damaged: the server starts without them, says so, and has them again."""

import os
import re
import sqlite3
from contextlib import closing
from pathlib import Path
from random import Random

import pytest

from builders.manypages import pages_in
from builders.operators import asked, typed
from builders.players import Player, play_on
from builders.scrapes import figures
from builders.venues import Venue
from builders.wires import Talker, met
from sunglare_protocol.messages import Hello
from sunglare_protocol.refusals import Code
from sunglare_server.ops.control.requests import BansAsked, StatusAsked

Capsys = pytest.CaptureFixture[str]
OTHERS = 60
FIGURE = 'sunglare_set_aside{what="bans"}'


async def before(venue: Venue, capsys: Capsys) -> tuple[list[Player], Talker]:
    """Have a match run and an account banned on a server that has ended; return both."""
    players = await venue.duel()
    await play_on(players, 1)
    (anna,) = await venue.named("anna")
    assert (await typed(capsys, venue.app, "ban", "anna", "--reason", "spam")).code == 0
    await venue.close()
    return players, anna


def filled(path: Path) -> None:
    """Put so many bans into a closed file that their table has many pages."""
    rows = [(f"{number:032x}", "x" * 150) for number in range(OTHERS)]
    with closing(sqlite3.connect(path)) as file, file:
        file.executemany("INSERT INTO sanction VALUES ('ban', ?, 1, NULL, ?)", rows)


def spoilt(path: Path) -> int:
    """Put noise on a page of bans, but not on Anna's; return how many were on it."""
    data = bytearray(path.read_bytes())
    size = int.from_bytes(data[16:18], "big")
    leaves = {n: p for n, p in pages_in(path).items() if (p.tree, p.kind) == ("sanction", "leaf")}
    number = next(n for n in leaves if b"spam" not in data[(n - 1) * size : n * size])
    data[(number - 1) * size : number * size] = Random(1).randbytes(size)
    path.write_bytes(data)
    return leaves[number].rows


async def set_aside(venue: Venue) -> tuple[str, ...]:
    """Return what the server says is set aside; its figure must say the same."""
    standing = (await asked(venue.app, StatusAsked())).standing
    assert standing is not None
    shown = (await figures(venue.app.metrics.port))[FIGURE]
    assert shown == ("bans" in standing.set_aside)
    return standing.set_aside


async def let_in(venue: Venue, talker: Talker) -> Code | None:
    """Return how the account of a talker is refused; None if it is let in."""
    stranger = await venue.unknown()
    answer = await stranger.ask(Hello, v=1, token=talker.token)
    return getattr(answer, "code", None)


async def banned(venue: Venue) -> int:
    """Return how many sanctions hold."""
    return len((await asked(venue.app, BansAsked())).bans or ())


async def test_damaged_bans_are_set_aside_and_brought_back_but_for_those_on_the_page(
    venue: Venue, tmp_path: Path, capsys: Capsys
) -> None:
    players, anna = await before(venue, capsys)
    path = tmp_path / "journal.db"
    filled(path)
    lost = spoilt(path)
    await venue.open(metrics=0)
    assert await set_aside(venue) == ("bans",)
    assert (
        "\nSET ASIDE   as damaged: bans; decide by `bans restore` or `bans clear`\n"
        in (await typed(capsys, venue.app, "status")).out
    )
    assert "SET ASIDE   as damaged: bans" in (await typed(capsys, venue.app, "bans")).out
    assert "SET ASIDE" not in (await typed(capsys, venue.app, "log")).out
    async with met(venue.app.url, token=players[0].talker.token) as back:
        assert (await (await players[0].resume(back)).frame()).view == players[0].view
    assert await let_in(venue, anna) is None
    assert (await typed(capsys, venue.app, "ban", "--address", "192.0.2.0/24")).code == 0
    done = await typed(capsys, venue.app, "bans", "restore")
    assert done.code == 1
    assert re.search(r"not all was done: \d+ loss", done.err)
    count = OTHERS + 1 - lost
    assert f"{count} sanctions in force again, 1 connection ended" in done.out
    assert re.search(r"LOST +what was on the damaged page \d+\n", done.out)
    assert await let_in(venue, anna) is Code.OPERATOR_BANNED
    for _ in range(2):
        assert (await set_aside(venue), await banned(venue)) == ((), count + 1)
        await venue.close()
        await venue.open(metrics=0)
    assert not [name for name in os.listdir(tmp_path) if ".part" in name]
    backup = await typed(capsys, venue.app, "backup", str(tmp_path / "copy.db"))
    assert backup.code == 0
    again = await typed(capsys, venue.app, "bans", "restore")
    assert (again.code, "no part of the bans is set aside" in again.err) == (1, True)


async def test_damaged_bans_are_given_up_and_the_warning_ends(
    venue: Venue, tmp_path: Path, capsys: Capsys
) -> None:
    _, anna = await before(venue, capsys)
    filled(tmp_path / "journal.db")
    spoilt(tmp_path / "journal.db")
    await venue.open(metrics=0)
    assert (await typed(capsys, venue.app, "bans", "clear")).code == 0
    for _ in range(2):
        assert (await set_aside(venue), await banned(venue)) == ((), 0)
        assert await let_in(venue, anna) is None
        await venue.close()
        await venue.open(metrics=0)


@pytest.mark.parametrize("do", ["restore", "clear"])
async def test_a_ban_that_cannot_be_read_is_told_like_a_table_and_all_others_hold(
    do: str, venue: Venue, tmp_path: Path, capsys: Capsys
) -> None:
    _, anna = await before(venue, capsys)
    with closing(sqlite3.connect(tmp_path / "journal.db")) as file, file:
        file.execute("INSERT INTO sanction VALUES ('bbn', ?, 1, NULL, '')", ("f" * 32,))
    await venue.open(metrics=0)
    assert (await set_aside(venue), await banned(venue)) == (("bans",), 1)
    done = await typed(capsys, venue.app, "bans", do)
    assert done.code == (do == "restore")
    assert ("LOST        1 that can't be read\n" in done.out) == (do == "restore")
    for _ in range(2):
        assert (await set_aside(venue), await banned(venue)) == ((), 1)
        assert await let_in(venue, anna) is Code.OPERATOR_BANNED
        await venue.close()
        await venue.open(metrics=0)
