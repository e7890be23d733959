"""A raised rules version takes nothing away: matches of older rules stay, as far as they can.

Whoever raises the version stores a file of the version before it:
`tests/builders/oldrulesmaker.py`.
"""

import asyncio
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import msgpack  # type: ignore[import-untyped]
import msgspec
import pytest

from builders.oldrules import STORED, file_of, raise_rules, saved_record, told, values
from builders.records import link
from builders.servers import running_app
from builders.watchers import watch
from builders.wires import met
from sunglare_arena.verify import main as verify
from sunglare_client.link.connection import connect
from sunglare_client.link.seat import Seat
from sunglare_protocol.ids import OMNI, PUBLIC, MatchId
from sunglare_protocol.messages import (
    Chat,
    FetchRecord,
    Leave,
    News,
    NewsKind,
    Over,
    Resume,
    Resumed,
    RoomState,
    Watch,
)
from sunglare_protocol.messages.replies import Ending, Result
from sunglare_protocol.refusals import Code
from sunglare_server.match.record import RULES_VERSION
from sunglare_server.ops.control.commands import operate
from sunglare_server.ops.control.overview import rows
from sunglare_server.ops.repair.database_check import check_file
from sunglare_server.ports.rooms import Room

ARCHIVED = 4
"""From these rules on what each audience was sent of a match that is over is stored with it."""

OTHERS = [STORED[0], STORED[-1], *STORED[1:-1]]
"""All of them, the oldest and the newest first."""

OLDER = [rules for rules in STORED if rules < ARCHIVED]
NEVER_STORED = [
    *((rules, "running") for rules in OTHERS[:2]),
    *((rules, "over") for rules in OLDER),
    *((rules, "running") for rules in OTHERS[2:]),
]


@pytest.fixture(params=OTHERS)
def rules(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> int:
    """Return each stored version of the rules, under a program that plays others."""
    if request.param == RULES_VERSION:
        raise_rules(monkeypatch)
    found: int = request.param
    return found


def records_in(path: Path, match: str) -> list[bytes]:
    """Return the records of a match in a closed file."""
    with closing(sqlite3.connect(path)) as file:
        sql = "SELECT blob FROM record WHERE match = ? ORDER BY n"
        return [blob for (blob,) in file.execute(sql, (match,))]


def test_every_version_of_the_rules_before_ours_has_a_stored_file() -> None:
    assert STORED[: RULES_VERSION - 1] == list(range(1, RULES_VERSION))


@pytest.mark.parametrize("version", [stored for stored in STORED if stored == RULES_VERSION])
async def test_matches_of_our_own_rules_go_on_and_are_shown(version: int, tmp_path: Path) -> None:
    file_of(version, tmp_path)
    over, running = (MatchId(told(version)[state]["match"]) for state in ("over", "running"))
    async with running_app(tmp_path) as app, met(app.url) as stranger:
        assert app.lobby.rooms[running].state is RoomState.RUNNING
        assert await stranger.record(over) == saved_record(version)
        await watch(stranger, over, OMNI)
        end = await stranger.came(Over)
        assert end.head == told(version)["over"]["head"]


async def test_a_running_match_of_other_rules_is_ended_as_adjourned(
    rules: int, tmp_path: Path
) -> None:
    path = file_of(rules, tmp_path)
    running = MatchId(told(rules)["running"]["match"])
    before = records_in(path, running)
    async with running_app(tmp_path) as app, met(app.url) as stranger:
        listed = await stranger.listed()
        assert not listed.running
        room = await app.lobby.registry.find(running)
        assert isinstance(room, Room)
        assert room.state is RoomState.OVER
        states = {row.match: row.state for row in await rows(app.operator.site, over=True)}
        assert states == dict.fromkeys(states, "over")
        assert await rows(app.operator.site, over=False) == ()
    after = records_in(path, running)
    assert after[:-2] == before
    adjourned, closed = (msgpack.unpackb(blob) for blob in after[-2:])
    assert (adjourned["b"]["t"], closed["b"]["t"]) == ("adjourn", "close")
    assert (adjourned["p"], closed["p"]) == (link(before[-1]), link(after[-2]))


async def test_a_second_start_ends_nothing_again(rules: int, tmp_path: Path) -> None:
    path = file_of(rules, tmp_path)
    running = told(rules)["running"]["match"]
    for _ in range(2):
        async with running_app(tmp_path):
            pass
    found = records_in(path, running)
    assert [msgpack.unpackb(blob)["k"] for blob in found].count("close") == 1


async def test_a_start_that_broke_off_is_made_good_by_the_next(rules: int, tmp_path: Path) -> None:
    path = file_of(rules, tmp_path)
    running = MatchId(told(rules)["running"]["match"])
    async with running_app(tmp_path):
        pass
    with closing(sqlite3.connect(path)) as file:
        # The records are stored; neither the end, nor what is archived of it, nor the room is.
        file.execute("DELETE FROM finished WHERE match = ?", (running,))
        file.execute("DELETE FROM archive WHERE match = ?", (running,))
        file.commit()
    ended = records_in(path, running)
    async with running_app(tmp_path) as app:
        room = await app.lobby.registry.find(running)
        assert isinstance(room, Room)
        assert room.state is RoomState.OVER
        url, seat = app.url, told(rules)["running"]["tickets"]["A"]
        async with met(url) as anna:
            await anna.expect(Resumed, Resume, match=running, ticket=seat, have=0)
            over = await anna.came(Over)
    assert isinstance(over, Over)
    assert over.result.ending is Ending.ADJOURNED
    assert records_in(path, running) == ended


@pytest.mark.parametrize("side", ["A", "B"])
async def test_the_seats_of_an_adjourned_match_are_told(
    rules: int, side: str, tmp_path: Path
) -> None:
    path = file_of(rules, tmp_path)
    kept = told(rules)["running"]
    match, have = MatchId(kept["match"]), kept["have"][side]
    async with running_app(tmp_path) as app, met(app.url) as line:
        back = await line.expect(
            Resumed, Resume, match=match, ticket=kept["tickets"][side], have=have
        )
        over = await line.came(Over)
        assert (back.side, back.card.name, back.card.sides) == (side, "picket-line", ("A", "B"))
        news = line.every(News)
        assert [(item.kind, item.text) for item in news] == [(NewsKind.SERVER, "match/rules")]
        assert isinstance(over, Over)
        assert (over.seq, over.result) == (
            have + 1,
            Result(winner=None, ending=Ending.ADJOURNED, points={}),
        )
        assert await line.code(Chat, match=match, text="oh") is Code.SEAT_NONE
    assert over.head == link(records_in(path, match)[-2]).hex()


async def test_the_library_s_own_seat_comes_to_the_end(rules: int, tmp_path: Path) -> None:
    file_of(rules, tmp_path)
    kept = told(rules)["running"]
    async with running_app(tmp_path) as app:
        line = await connect(app.url)
        seat = await Seat.resume(line, MatchId(kept["match"]), kept["tickets"]["B"])
        async with asyncio.timeout(10), seat:
            posts = [post async for post in seat]
    assert [type(post) for post in posts] == [News, Over]


@pytest.mark.parametrize(("rules", "which"), NEVER_STORED, indirect=["rules"])
async def test_what_was_never_stored_is_refused_with_the_rules_it_needs(
    rules: int, which: str, tmp_path: Path
) -> None:
    file_of(rules, tmp_path)
    match = MatchId(told(rules)[which]["match"])
    async with running_app(tmp_path) as app, met(app.url) as stranger:
        for feed in (PUBLIC, OMNI):
            refused = await stranger.refused(Watch, match=match, feed=feed)
            assert refused.code is Code.MATCH_RULES
            assert f"version {rules}" in refused.text
            # What was refused is not watched.
            assert await stranger.code(Leave, match=match) is Code.MATCH_STARTED
        info = await stranger.info(match)
        assert info.line.state is RoomState.OVER
        assert (info.card.name, info.card.sides) == ("picket-line", ("A", "B"))
        assert info.card.options["clock"] == "test"


@pytest.mark.parametrize("rules", OLDER, indirect=True)
async def test_the_seat_of_a_match_that_ended_earlier_is_refused_likewise(
    rules: int, tmp_path: Path
) -> None:
    file_of(rules, tmp_path)
    kept = told(rules)["over"]
    async with running_app(tmp_path) as app, met(app.url) as anna:
        refused = await anna.refused(
            Resume, match=kept["match"], ticket=kept["tickets"]["A"], have=0
        )
    assert refused.code is Code.MATCH_RULES
    assert f"version {rules}" in refused.text


@pytest.mark.parametrize("rules", [rules for rules in STORED if rules >= ARCHIVED], indirect=True)
async def test_what_was_stored_of_a_match_that_is_over_is_shown_under_other_rules(
    rules: int, tmp_path: Path
) -> None:
    file_of(rules, tmp_path)
    kept = told(rules)["over"]
    match, ticket = MatchId(kept["match"]), kept["tickets"]["A"]
    async with running_app(tmp_path) as app, met(app.url) as anna, met(app.url) as stranger:
        back = await anna.expect(Resumed, Resume, match=match, ticket=ticket, have=0)
        assert back.side == "A"
        assert isinstance(await anna.came(Over), Over)
        await watch(stranger, match, PUBLIC)
        assert isinstance(await stranger.came(Over), Over)


@pytest.mark.parametrize(("rules", "which"), NEVER_STORED, indirect=["rules"])
async def test_the_record_of_a_match_of_other_rules_gives_its_inputs(
    rules: int, which: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = file_of(rules, tmp_path)
    match = told(rules)[which]["match"]
    async with running_app(tmp_path) as app, met(app.url) as stranger:
        data = await stranger.record(MatchId(match))
    header, *records = values(data)
    assert records == records_in(path, match)
    assert (header["rules"], header["match"], header["records"]) == (rules, match, len(records))
    assert header["ending"] == (None if which == "over" else "adjourned")
    saved = tmp_path / "match.sgr"
    saved.write_bytes(data)
    assert verify([str(saved)]) == 2
    said = capsys.readouterr()
    assert "NOT FOLDED" in said.err
    assert f"version {rules}" in said.err
    assert f"{len(records)}: each follows from the last" in said.out
    assert "A revealed as pledged, B revealed as pledged" in said.out
    records[3] = records[3][:-1] + bytes([records[3][-1] ^ 1])
    saved.write_bytes(b"".join(map(msgspec.msgpack.encode, (header, *records))))
    assert verify([str(saved)]) == 1


def trailer_of(data: bytes) -> dict[str, Any]:
    """Return the trailer of a record file."""
    maps = [value for value in values(data) if isinstance(value, dict)]
    (trailer,) = [value for value in maps if "rolls" in value]
    return trailer


def test_a_file_saved_under_other_rules_is_checked_and_not_folded(
    rules: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    saved = tmp_path / "match.sgr"
    saved.write_bytes(saved_record(rules))
    assert verify([str(saved)]) == 2
    said = capsys.readouterr()
    assert "NOT FOLDED" in said.err
    rolls = len(trailer_of(saved_record(rules))["rolls"])
    assert f"{rolls}: as the seed has them" in said.out


def test_a_forged_die_under_other_rules_is_found(
    rules: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    right = trailer_of(saved_record(rules))
    before = msgspec.msgpack.encode(right)
    assert before in saved_record(rules)
    rolled = right["rolls"][0][-1]
    # Of the same length, so that all else in the file stands where it stood.
    forged = ("b" if rolled[0] != "b" else "c") + rolled[1:] if isinstance(rolled, str) else 99
    right["rolls"][0][-1] = forged
    after = msgspec.msgpack.encode(right)
    assert len(after) == len(before)
    data = saved_record(rules).replace(before, after).replace(link(before), link(after))
    saved = tmp_path / "match.sgr"
    saved.write_bytes(data)
    assert verify([str(saved)]) == 1
    assert "the seed gives" in capsys.readouterr().out


async def test_the_check_says_what_was_not_folded(
    rules: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = file_of(rules, tmp_path)
    async with running_app(tmp_path):
        pass
    found = list(check_file(path))
    assert len(found) == 2
    assert all(
        result.fault is None and f"rules {rules}" in (result.unfolded or "") for result in found
    )
    assert operate(["check", str(path)]) == 0
    assert capsys.readouterr().out.count("not folded") == 2


async def test_matches_of_other_rules_are_pruned_when_they_are_old(
    rules: int, tmp_path: Path
) -> None:
    path = file_of(rules, tmp_path)
    async with running_app(tmp_path) as app, met(app.url) as stranger:
        control = str(app.settings.control_path)
        asked = ["prune", "--older-than", "0", "--journal", str(path), "--control", control]
        assert await asyncio.to_thread(operate, asked) == 0
        over = MatchId(told(rules)["over"]["match"])
        assert await stranger.code(FetchRecord, match=over) is Code.MATCH_UNKNOWN
    with closing(sqlite3.connect(path)) as file:
        for table in ("record", "finished", "archive", "room", "ticket", "snapshot"):
            assert file.execute(f"SELECT count(*) FROM {table}").fetchall() == [(0,)], table  # noqa: S608 - named above


async def test_a_broken_chain_is_never_written_on(rules: int, tmp_path: Path) -> None:
    path = file_of(rules, tmp_path)
    running = MatchId(told(rules)["running"]["match"])
    with closing(sqlite3.connect(path)) as file:
        sql = "SELECT name FROM pragma_table_info('record')"
        columns = [name for (name,) in file.execute(sql)]
        if "sum" in columns:
            file.execute("UPDATE record SET sum = NULL")
        file.execute("UPDATE record SET blob = zeroblob(9) WHERE match = ? AND n = 3", (running,))
        file.commit()
    before = records_in(path, running)
    async with running_app(tmp_path) as app, met(app.url) as stranger:
        assert await stranger.code(Watch, match=running, feed=PUBLIC) is Code.MATCH_FAULT
        assert app.lobby.rooms[running].state is RoomState.RUNNING
    assert records_in(path, running) == before
