"""A server whose disk is lost goes on elsewhere, from the copy that it kept all the time."""

import asyncio
import os
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from builders.damage import left_by_crash
from builders.openlimits import FLAGS
from builders.players import finished, play_on, started
from builders.ratedresults import result
from builders.servers import running_app, server_process
from builders.wires import WAIT_S, met
from sunglare_protocol.messages import AskLadder, Ladder
from sunglare_server.ops.repair.database_check import check_file

Records = dict[str, list[bytes]]

_RECORDS = "SELECT match, CAST(blob AS BLOB) FROM record ORDER BY match, n"


def records_in(path: Path) -> Records:
    """Return the records of each match in a database, as another program reads it."""
    found: Records = {}
    with closing(sqlite3.connect(path)) as file:
        for match, blob in file.execute(_RECORDS):
            found.setdefault(match, []).append(blob)
    return found


def lines_in(path: Path) -> list[str]:
    """Return everything in a database but the last sign of life, which goes on by itself."""
    with closing(sqlite3.connect(path)) as file:
        return [line for line in file.iterdump() if '"alive"' not in line]


async def is_whole(journal: Path, copy: Path) -> None:
    """Return once the copy holds all that the journal does."""
    async with asyncio.timeout(WAIT_S):
        while lines_in(copy) != lines_in(journal):  # noqa: ASYNC110 - nothing tells of it
            await asyncio.sleep(0.1)


async def with_ratings(folder: Path, copy: Path) -> tuple[str, str]:
    """Have Anna win over Boris on a server that copies what it keeps; return their tokens."""
    async with (
        running_app(folder, copy=copy) as app,
        met(app.url, "anna") as anna,
        met(app.url, "boris") as boris,
    ):
        accounts = [await app.lobby.accounts.called(name) for name in ("anna", "boris")]
        played = result(1, *[account for account in accounts if account is not None])
        assert await app.lobby.ladder.ratings.add(played)
        return anna.token, boris.token


@pytest.mark.timeout(180)
async def test_after_the_loss_of_a_disk_seats_names_and_ratings_are_there_on_the_copy(
    tmp_path: Path,
) -> None:
    for name in ("here", "there", "restored"):
        os.mkdir(tmp_path / name)
    here, copy = tmp_path / "here", tmp_path / "there" / "journal.db"
    tokens = await with_ratings(here, copy.parent)
    with server_process(here, *FLAGS, "--copy", str(copy.parent)) as server:
        async with (
            met(server.url, token=tokens[0]) as anna,
            met(server.url, token=tokens[1]) as boris,
        ):
            async with met(server.url) as carl, met(server.url) as dora:
                over = await started([carl, dora])
                await finished(over)
            left, right = await started([anna, boris])
            await play_on([left, right], 3)
            await is_whole(server.journal, copy)
            held = records_in(server.journal)
            await asyncio.to_thread(server.kill)
        assert "Traceback" not in server.said()
    shutil.rmtree(here)
    shutil.copy(copy, tmp_path / "restored")
    assert records_in(tmp_path / "restored" / "journal.db") == held
    assert sorted(held) == sorted((over[0].match, left.match))
    with server_process(tmp_path / "restored") as server:
        async with (
            met(server.url, token=tokens[0]) as anna,
            met(server.url, token=tokens[1]) as boris,
        ):
            assert anna.welcome is not None
            assert anna.welcome.name == "anna"
            ladder = await anna.expect(Ladder, AskLadder)
            assert [line.name for line in ladder.lines] == ["anna", "boris"]
            left, right = await left.resume(anna), await right.resume(boris)
            await play_on([left, right], 3)
        assert "Traceback" not in server.said()


@pytest.mark.timeout(180)
async def test_a_kill_at_any_moment_leaves_a_copy_that_is_the_journal_as_it_was(
    tmp_path: Path,
) -> None:
    copy = tmp_path / "there" / "journal.db"
    os.mkdir(copy.parent)
    with server_process(tmp_path, *FLAGS, "--copy", str(copy.parent)) as server:
        for kill in range(2):
            async with met(server.url) as anna, met(server.url) as boris:
                playing = asyncio.create_task(play_on(await started([anna, boris]), 1_000))
                await asyncio.sleep(0.8 + 0.4 * kill)
                await asyncio.to_thread(server.kill)
                playing.cancel()
                await asyncio.gather(playing, return_exceptions=True)
            # To open the file itself would fold its log in.
            left = left_by_crash(server.journal, tmp_path / f"left {kill}")
            held, copied = records_in(left), records_in(copy)
            for match, records in copied.items():
                assert held[match][: len(records)] == records
            assert [one.fault for one in check_file(copy) if one.fault] == []
            server.start()
