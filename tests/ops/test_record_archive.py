"""The archive of one server: a record file of each finished match, an index, `prune` after it."""

import hashlib
import json
import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from builders.operators import asked, typed
from builders.players import finished, started
from builders.records import read_record
from builders.runners import runners_of
from builders.venues import Venue
from builders.wires import met
from sunglare_protocol.ids import MatchId, Side
from sunglare_protocol.messages import Forget
from sunglare_server.app import App
from sunglare_server.archive.recordindex import (
    INDEX,
    IndexLine,
    NoIndexError,
    packed_index,
    read_index,
)
from sunglare_server.ops.backup.record_archive import MOST_AT_ONCE
from sunglare_server.ops.control.requests import ArchiveRecords, Prune, RequestError

LINES = st.builds(
    IndexLine,
    match=st.text("abcdefgh", min_size=26, max_size=26).map(MatchId),
    ended_ms=st.integers(0, 2**53),
    scenario=st.text(),
    rated=st.booleans(),
    names=st.dictionaries(st.sampled_from("ABCD").map(Side), st.text()),
    bots=st.lists(st.sampled_from("ABCD").map(Side)).map(tuple),
    bytes=st.integers(0, 2**31),
    sha256=st.text("0123456789abcdef", min_size=64, max_size=64),
)

GOOD = IndexLine(
    match=MatchId("a" * 26),
    ended_ms=1,
    scenario="duel",
    rated=False,
    names={},
    bots=(),
    bytes=1,
    sha256="0" * 64,
)

Capsys = pytest.CaptureFixture[str]


async def ended(app: App, *names: str) -> MatchId:
    """Play a match of two to its end."""
    async with met(app.url, names[0]) as left, met(app.url, names[1]) as right:
        over = await finished(await started([left, right]))
        await runners_of(app.lobby.matches)[over.match].over.wait()
        return over.match


def read(path: Path) -> bytes:
    """Return what stands in a file."""
    return path.read_bytes()


def lines(folder: Path) -> list[dict[str, object]]:
    """Return the lines of an index, as any program reads them."""
    return [json.loads(line) for line in read(folder / INDEX).splitlines()]


async def test_each_finished_match_has_a_file_and_a_line_and_what_runs_has_none(
    venue: Venue, tmp_path: Path, capsys: Capsys
) -> None:
    app, folder = await venue.open(), tmp_path / "games"
    matches = [await ended(app, "anna", "boris"), await ended(app, "carl", "dora")]
    async with met(app.url) as emil, met(app.url) as fred:
        await started([emil, fred])
        done = await typed(capsys, app, "archive", str(folder))
    assert (done.code, done.out) == (0, f"{folder}: 2 files made\n")
    assert sorted(os.listdir(folder)) == sorted([INDEX, *(f"{match}.sgr" for match in matches)])
    told = {line["match"]: line for line in lines(folder)}
    assert list(told) == matches
    for match in matches:
        data = read(folder / f"{match}.sgr")
        assert read_record(data).header["match"] == match
        assert told[match]["bytes"] == len(data)
        assert told[match]["sha256"] == hashlib.sha256(data).hexdigest()
    assert told[matches[0]]["names"] == {"A": "anna", "B": "boris"}
    again = await typed(capsys, app, "archive", str(folder))
    assert again.out == f"{folder}: 0 files made\n"


async def test_whoever_is_forgotten_is_no_more_in_the_archive_after_the_next_one(
    venue: Venue, tmp_path: Path
) -> None:
    app = await venue.open()
    match = await ended(app, "anna", "boris")
    async with met(app.url, "carl") as carl, met(app.url, "dora") as dora:
        over = await finished(await started([carl, dora]))
        await runners_of(app.lobby.matches)[over.match].over.wait()
        await asked(app, ArchiveRecords(path=str(tmp_path)))
        await carl.accepted(Forget)
    assert (await asked(app, ArchiveRecords(path=str(tmp_path)))).done == (
        f"{tmp_path}: 1 file made"
    )
    assert b"carl" not in read(tmp_path / f"{over.match}.sgr")
    named = {line["match"]: line["names"] for line in lines(tmp_path)}
    assert named[over.match] == {"A": "someone", "B": "dora"}
    assert named[match] == {"A": "anna", "B": "boris"}


async def test_prune_after_an_archive_deletes_what_is_in_it_alone(
    venue: Venue, tmp_path: Path, capsys: Capsys
) -> None:
    app, folder = await venue.open(), tmp_path / "games"
    match = await ended(app, "anna", "boris")
    words = ("prune", "--older-than", "0", "--archived", str(folder))
    before = await typed(capsys, app, *words)
    assert before.out == (
        "deleted 0 of 1 finished matches; 1 are not in the archive as they are here\n"
    )
    await asked(app, ArchiveRecords(path=str(folder)))
    whole = read(folder / f"{match}.sgr")
    (folder / f"{match}.sgr").write_bytes(whole[:-1])
    assert "deleted 0 of 1" in (await typed(capsys, app, *words)).out
    (folder / f"{match}.sgr").write_bytes(whole)
    assert (await typed(capsys, app, *words)).out == "deleted 1 of 1 finished matches\n"
    # What is gone here stays there.
    await asked(app, ArchiveRecords(path=str(folder)))
    assert [line["match"] for line in lines(folder)] == [match]
    assert read(folder / f"{match}.sgr") == whole


async def test_many_matches_are_archived_some_at_a_time(
    venue: Venue, tmp_path: Path, capsys: Capsys
) -> None:
    app = await venue.open()
    for number in range(MOST_AT_ONCE + 1):
        await ended(app, f"left {number}", f"right {number}")
    done = await typed(capsys, app, "archive", str(tmp_path / "games"))
    assert done.out.splitlines() == [
        f"{tmp_path}/games: {MOST_AT_ONCE} files made, 1 match left",
        f"{tmp_path}/games: 1 file made",
    ]
    assert len(lines(tmp_path / "games")) == MOST_AT_ONCE + 1


@given(st.lists(LINES, max_size=6))
def test_an_index_is_read_as_it_was_written(found: list[IndexLine]) -> None:
    index = {line.match: line for line in found}
    packed = packed_index(index)
    assert read_index(packed) == index
    ends = [json.loads(line)["ended_ms"] for line in packed.splitlines()]
    assert ends == sorted(ends)


@pytest.mark.parametrize("damage", [b"\xff", b"{}", b"[" * 10_000, b'{"match": 1}'])
def test_what_is_no_line_of_an_index_is_told_by_its_number(damage: bytes) -> None:
    good = packed_index({GOOD.match: GOOD})
    with pytest.raises(NoIndexError, match="line 2: "):
        read_index(good + damage + b"\n")


async def test_a_folder_that_cannot_be_used_is_told(venue: Venue, tmp_path: Path) -> None:
    app = await venue.open()
    (tmp_path / "file").write_bytes(b"")
    with pytest.raises(RequestError, match=r"cannot archive to .*file: "):
        await asked(app, ArchiveRecords(path=str(tmp_path / "file")))
    with pytest.raises(RequestError, match="named from the root"):
        await asked(app, ArchiveRecords(path="games"))
    with pytest.raises(RequestError, match="named from the root"):
        await asked(app, Prune(days=0, archived="games"))
    (tmp_path / INDEX).write_bytes(b"no line\n")
    with pytest.raises(RequestError, match=f"{INDEX}, line 1: "):
        await asked(app, ArchiveRecords(path=str(tmp_path)))
