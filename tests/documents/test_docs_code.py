"""The programs in the documents run as they stand: over sockets, against a house bot."""

import asyncio
import json
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path
from typing import NamedTuple

import pytest

from documents.doctables import BOTS, PROTOCOL, README, fenced, text_of
from sunglare_client import Connection, Seat, connect
from sunglare_protocol.ids import PUBLIC, MatchId, Side
from sunglare_protocol.messages import (
    Accepted,
    AddBot,
    Create,
    Created,
    Over,
    Seated,
    Watch,
    Watching,
)
from sunglare_protocol.messages.replies import Frame
from sunglare_protocol.notices import ScanAnswered
from sunglare_protocol.replay.file import FILE_BYTES_MOST, read_replay
from sunglare_protocol.replay.parts import PART_LEAST, UNFOLDED_ALL_MOST, UNFOLDED_BYTES_MOST
from sunglare_protocol.replay.values import DEPTH_MOST
from sunglare_server.app import App
from sunglare_server.config import Settings

PATIENCE_S = 200
"""A program of a page is done long before this."""

OPPONENT = "random"
"""The house bot against which the programs play."""


class Ran(NamedTuple):
    """How a program ended, and what it printed."""

    code: int
    out: str
    err: str


@pytest.fixture
async def server(tmp_path: Path) -> AsyncIterator[App]:
    """Run a whole server in this process."""
    app = App(Settings(port=0, journal=tmp_path / "journal.db", bots=(OPPONENT,)))
    await app.start()
    yield app
    await app.stop()


@pytest.fixture
async def lobby(server: App) -> AsyncIterator[Connection]:
    """Hold a connection without a seat."""
    async with await connect(server.url, name="onlooker") as connection:
        yield connection


Program = Callable[..., Awaitable[Ran]]


@pytest.fixture
def program(tmp_path: Path) -> Program:
    """Return what runs the code of a page as a program of its own, with some arguments."""

    async def run(code: str, *arguments: str | Path) -> Ran:
        file = tmp_path / "program.py"
        file.write_text(code, encoding="utf-8")
        pipe = asyncio.subprocess.PIPE
        process = await asyncio.create_subprocess_exec(
            sys.executable, file, *map(str, arguments), stdout=pipe, stderr=pipe
        )
        async with asyncio.timeout(PATIENCE_S):
            out, err = await process.communicate()
        return Ran(process.returncode or 0, out.decode(), err.decode())

    return run


def code_of(page: str, first_words: str) -> str:
    """Return the Python program of a page that begins with these words."""
    (found,) = (block for block in fenced(page, "python") if block.startswith(f'"""{first_words}'))
    return found


async def opened(lobby: Connection) -> MatchId:
    """Open a match with the house bot in it, and watch it."""
    created = await lobby.expect(
        Created, Create, scenario="shadow-of-ceres", options={"clock": "test"}
    )
    await lobby.expect(Accepted, AddBot, match=created.match, side=Side("B"), name=OPPONENT)
    await lobby.expect(Watching, Watch, match=created.match, feed=PUBLIC)
    return created.match


async def watched(lobby: Connection) -> tuple[Over, list[ScanAnswered]]:
    """Return the end of the match that is watched, and the scans made in it."""
    scans: list[ScanAnswered] = []
    async for post in lobby.feed:
        if isinstance(post, Over):
            return post, scans
        if isinstance(post, Frame):
            scans.extend(notice for notice in post.notices if isinstance(notice, ScanAnswered))
    pytest.fail("the match has no end")


async def test_the_bot_of_the_readme_plays_a_match(
    server: App, lobby: Connection, program: Program
) -> None:
    match = await opened(lobby)
    (code,) = fenced(README, "python")
    ran = await program(code, "--match", match, "--url", server.url, "--strict")
    assert ran == Ran(0, "", "")
    over, scans = await watched(lobby)
    assert set(over.result.points) == {"A", "B"}
    assert "A" in {scan.side for scan in scans}


def test_the_bot_of_the_readme_has_twenty_lines() -> None:
    (code,) = fenced(README, "python")
    assert len([line for line in code.splitlines() if line.strip()]) <= 20


async def test_the_duel_of_the_bot_page_comes_to_an_end(server: App, program: Program) -> None:
    ran = await program(code_of(BOTS, "A bot that counts"), server.url)
    assert (ran.code, ran.err) == (0, "")
    assert " wins: {'A': " in ran.out


async def test_a_player_without_our_library_is_never_refused(
    server: App, lobby: Connection, program: Program
) -> None:
    match = await opened(lobby)
    ran = await program(code_of(BOTS, "A whole player"), server.url, match)
    assert (ran.code, ran.err) == (0, "")
    over, scans = await watched(lobby)
    (line,) = ran.out.splitlines()
    assert json.loads(line)["points"] == over.result.points
    assert "A" in {scan.side for scan in scans}


async def resigned(server: App, lobby: Connection) -> tuple[Seated, Over, bytes]:
    """Return how a seat of a short match was taken, the end of that match, and its record."""
    match = await opened(lobby)
    async with await Seat.join(await connect(server.url), match=match) as seat:
        await seat.ready()
        async for post in seat:
            if isinstance(post, Frame):
                break
        await seat.resign()
    over, _ = await watched(lobby)
    assert isinstance(seat.taken, Seated)
    return seat.taken, over, await lobby.record(match)


async def test_the_reader_of_the_protocol_page_checks_a_record(
    server: App, lobby: Connection, program: Program, tmp_path: Path
) -> None:
    seated, over, record = await resigned(server, lobby)
    file = tmp_path / "match.sgr"
    file.write_bytes(record)
    ran = await program(code_of(PROTOCOL, "Read a record file"), file)
    assert (ran.code, ran.err) == (0, "")
    assert ran.out.splitlines()[1:] == [
        f"head {over.head}",
        f"seed {over.seed}",
        f"commitment {seated.commitment}",
    ]


async def test_the_reader_of_the_protocol_page_finds_a_changed_record(
    server: App, lobby: Connection, program: Program, tmp_path: Path
) -> None:
    _, _, record = await resigned(server, lobby)
    file = tmp_path / "match.sgr"
    file.write_bytes(record.replace(b"Kite", b"Bite"))
    ran = await program(code_of(PROTOCOL, "Read a record file"), file)
    assert ran.code == 1
    assert "AssertionError" in ran.err


async def test_the_second_program_of_the_protocol_page_prints_the_frames_of_an_audience(
    server: App, lobby: Connection, program: Program, tmp_path: Path
) -> None:
    _, _, record = await resigned(server, lobby)
    file = tmp_path / "match.sgr"
    file.write_bytes(record)
    layers = read_replay(record).layers.by_name
    assert layers.pop("analysis")
    assert set(layers) == {"A", "B", "public", "omni"}
    for audience, messages in layers.items():
        ran = await program(code_of(PROTOCOL, "Print every frame"), file, audience)
        assert (ran.code, ran.err) == (0, "")
        assert ran.out.splitlines() == [
            f"{sent['seq']} {sent['turn']} {sent['window']} {json.dumps(sent['view'])}"
            for sent in messages
            if sent["t"] == "frame"
        ]
        assert ran.out


def test_the_second_program_of_the_protocol_page_has_thirty_lines() -> None:
    assert len(code_of(PROTOCOL, "Print every frame").splitlines()) <= 30


def test_the_protocol_page_names_the_bounds_of_our_reader() -> None:
    (bounds,) = [line for line in text_of(PROTOCOL).splitlines() if "Our reader takes" in line]
    for bound in (
        f"{FILE_BYTES_MOST >> 20} MiB at most",
        f"more than {UNFOLDED_BYTES_MOST >> 20} MiB",
        f"more than {UNFOLDED_ALL_MOST >> 30} GiB of all",
        f"more than {DEPTH_MOST} lists and maps",
    ):
        assert bound in bounds
    assert f"takes {PART_LEAST} bytes or more is written once" in text_of(PROTOCOL)
