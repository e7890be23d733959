"""One match out of a server and into another, by `dump` and `import`: running, over, refused."""

import os
import stat
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from builders.damage import flipped
from builders.fakeclock import FakeClock
from builders.operators import asked, typed
from builders.players import Player, created, finished, play_on, started
from builders.ratedmatches import noted_over, rated_match, resigned, to_turn_2
from builders.ratedresults import ANN, BEN
from builders.runners import loaded_runner, runners_of
from builders.servers import running_app
from builders.venues import Venue
from builders.wires import Talker, met
from sunglare_protocol.ids import MatchId
from sunglare_protocol.messages import MatchInfo, Report
from sunglare_server.app import App
from sunglare_server.match.record import Owned, body_of, time_of
from sunglare_server.ops.control.requests import DumpMatch, ImportMatch, ReportsAsked, RequestError
from sunglare_server.ports.matchdump import Dump, DumpError, packed_dump, read_dump
from sunglare_server.ports.store import hash_of

HOUR_MS = 3_600_000
START_MS = 1_000_000

Capsys = pytest.CaptureFixture[str]


def read(path: Path) -> bytes:
    """Return what stands in a file."""
    return path.read_bytes()


def write(path: Path, data: bytes) -> None:
    """Put something into a file."""
    path.write_bytes(data)


async def dumped(app: App, match: MatchId, path: Path) -> Path:
    """Dump a match."""
    await asked(app, DumpMatch(match=match, path=str(path)))
    return path


async def names_of(talker: Talker, match: MatchId) -> list[str | None]:
    """Return who sits in a match, as anybody is told."""
    info = await talker.info(match)
    assert isinstance(info, MatchInfo)
    return [seat.name for seat in info.line.seats]


async def test_a_match_that_runs_goes_on_at_another_server_with_its_seats_and_people(
    venue: Venue, tmp_path: Path, capsys: Capsys
) -> None:
    os.mkdir(tmp_path / "other")
    file = tmp_path / "x.match"
    app = await venue.open()
    async with met(app.url, "anna") as anna, met(app.url, "boris") as boris:
        left, right = await started([anna, boris])
        await play_on([left, right], 4)
        account = app.lobby.rooms[left.match].seats[0].account
        await app.lobby.accounts.add_solved(account, "02-sun")
        done = await typed(capsys, app, "dump", left.match[:8], str(file))
        assert done.out.startswith(f"{file}: {left.match}, running, ")
    assert stat.S_IMODE(os.stat(file).st_mode) == 0o600
    async with running_app(tmp_path / "other") as other:
        done = await typed(capsys, other, "import", str(file))
        assert (done.code, done.err) == (0, "")
        assert done.out.startswith(f"{left.match} goes on here, with ")
        async with met(other.url, token=anna.token) as first, met(other.url) as second:
            assert first.welcome is not None
            assert first.welcome.name == "anna"
            assert await names_of(first, left.match) == ["anna", "boris"]
            assert await other.lobby.accounts.solved(account) == ("02-sun",)
            # One by the account, the other by the ticket alone.
            players = [
                await left.resume(first, as_account=True),
                await right.resume(second),
            ]
            assert players[0].newest == left.newest
            await play_on(players, 4)
            await finished(players)


async def test_nobody_is_charged_for_the_way_and_a_rated_match_counts_where_it_ends(
    venue: Venue, tmp_path: Path
) -> None:
    os.mkdir(tmp_path / "other")
    clock = FakeClock(START_MS)
    app = await venue.open(clock)
    match = await rated_match(app, clock, ANN, BEN)
    before = runners_of(app.lobby.matches)[match].state
    file = await dumped(app, match, tmp_path / "x.match")
    later = FakeClock(clock.now_ms() + HOUR_MS)
    async with running_app(tmp_path / "other", later) as other:
        await other.operator.perform(ImportMatch(path=str(file)))
        runner = await loaded_runner(other.lobby.matches, other.lobby.rooms[match])
        assert runner is not None
        records = await runner.archiving.records()
        left = len(read_dump(read(file)).records)
        own = body_of(records[left])
        assert isinstance(own, Owned)
        assert own.outage_ms == later.now_ms() - (time_of(records[left - 1]) or 0)
        assert runner.state.standing.window == before.standing.window
        for side in runner.state.standing.sides:
            runner.seat_connections.came(side)
        await to_turn_2(other, later, match)
        await resigned(other, later, match, "B")
        await noted_over(other, later, match)
        strength = await other.lobby.ladder.ratings.strength("shadow-of-ceres", ANN)
        assert strength.matches == 1
    assert (await app.lobby.ladder.ratings.strength("shadow-of-ceres", ANN)).matches == 0


async def ended_with_report(venue: Venue) -> tuple[App, Player]:
    """Play a match to its end, after one has told the operator of the other."""
    app = await venue.open()
    async with met(app.url, "anna") as anna, met(app.url, "boris") as boris:
        players = await started([anna, boris])
        await anna.accepted(Report, match=players[0].match, side="B", text="he is rude")
        await finished(players)
        await runners_of(app.lobby.matches)[players[0].match].over.wait()
        await runners_of(app.lobby.matches)[players[0].match].archiving.analysed()
    return app, players[0]


async def test_a_match_that_is_over_gives_the_same_file_at_another_server(
    venue: Venue, tmp_path: Path
) -> None:
    os.mkdir(tmp_path / "other")
    app, player = await ended_with_report(venue)
    async with met(app.url) as somebody:
        record = await somebody.record(player.match)
    file = await dumped(app, player.match, tmp_path / "x.match")
    async with running_app(tmp_path / "other") as other:
        done = (await asked(other, ImportMatch(path=str(file)))).done
        assert done is not None
        assert " is over, with " in done
        async with met(other.url) as somebody:
            assert await somebody.record(player.match) == record
        reports = (await asked(other, ReportsAsked())).reports
        assert reports is not None
        assert [(row.by, row.of, row.text) for row in reports] == [("anna", "boris", "he is rude")]
    # And after a start.
    async with running_app(tmp_path / "other") as other, met(other.url) as somebody:
        assert await somebody.record(player.match) == record


async def test_a_match_that_is_here_is_refused_whatever_became_of_it(
    venue: Venue, tmp_path: Path
) -> None:
    app = await venue.open()
    async with met(app.url) as anna, met(app.url) as boris:
        left, right = await started([anna, boris])
        file = await dumped(app, left.match, tmp_path / "x.match")
        for _ in range(2):
            with pytest.raises(RequestError, match=f"this server has {left.match} already"):
                await asked(app, ImportMatch(path=str(file)))
            await play_on([left, right], 1)
        await finished([left, right])
        with pytest.raises(RequestError, match=f"this server has {left.match} already"):
            await asked(app, ImportMatch(path=str(file)))


async def test_a_name_that_somebody_else_has_here_stays_his(venue: Venue, tmp_path: Path) -> None:
    os.mkdir(tmp_path / "other")
    app = await venue.open()
    async with met(app.url, "anna") as anna, met(app.url, "boris") as boris:
        left, right = await started([anna, boris])
        file = await dumped(app, left.match, tmp_path / "x.match")
    async with running_app(tmp_path / "other") as other, met(other.url, "anna") as namesake:
        done = (await asked(other, ImportMatch(path=str(file)))).done
        assert done is not None
        assert done.endswith("; not known here, so shown as someone: anna")
        assert await names_of(namesake, left.match) == ["someone", "boris"]
        async with met(other.url) as guest, met(other.url, token=boris.token) as second:
            # A ticket is good whoever shows it.
            players = [await left.resume(guest), await right.resume(second)]
            await play_on(players, 2)


async def test_nothing_is_brought_in_of_a_file_that_is_damaged(
    venue: Venue, tmp_path: Path
) -> None:
    os.mkdir(tmp_path / "other")
    app, player = await ended_with_report(venue)
    whole = read(await dumped(app, player.match, tmp_path / "x.match"))
    damaged = tmp_path / "damaged.match"
    async with running_app(tmp_path / "other") as other:
        for bit in (3, len(whole) * 4, len(whole) * 8 - 1):
            write(damaged, flipped(whole, bit))
            with pytest.raises(RequestError, match=f"cannot import {damaged}: "):
                await asked(other, ImportMatch(path=str(damaged)))
        assert other.storage.database is not None
        for table in ("record", "room", "person", "ticket", "finished", "archive", "report"):
            rows = await other.storage.database.query(f"SELECT count(*) FROM {table}")  # noqa: S608
            assert rows == [(0,)], table


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("x.match", "named from the root"),
        ("/nowhere/at/all/x.match", "No such file or directory"),
    ],
)
async def test_a_file_that_is_not_to_be_had_is_told(venue: Venue, name: str, why: str) -> None:
    app = await venue.open()
    async with met(app.url) as anna, met(app.url) as boris:
        left, _ = await started([anna, boris])
        for request in (ImportMatch(path=name), DumpMatch(match=left.match, path=name)):
            with pytest.raises(RequestError, match=why):
                await asked(app, request)


async def test_an_import_from_a_pipe_is_refused_without_a_wait(
    venue: Venue, tmp_path: Path
) -> None:
    app = await venue.open()
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(RequestError, match="only a regular file is read here"):
        await asked(app, ImportMatch(path=str(tmp_path / "pipe")))


async def test_a_dump_replaces_no_file_and_a_match_that_waits_has_none(
    venue: Venue, tmp_path: Path
) -> None:
    app = await venue.open()
    write(tmp_path / "precious", b"mine")
    async with met(app.url) as anna, met(app.url) as boris:
        left, _ = await started([anna, boris])
        with pytest.raises(RequestError, match="there is such a file already"):
            await dumped(app, left.match, tmp_path / "precious")
    assert read(tmp_path / "precious") == b"mine"
    carl = await venue.one()
    waiting = await created(carl)
    with pytest.raises(RequestError, match="it has not begun"):
        await dumped(app, waiting, tmp_path / "y.match")
    assert not os.path.exists(tmp_path / "y.match")  # noqa: ASYNC240


async def one(venue: Venue, tmp_path: Path, windows: int) -> Dump:
    """Return what is dumped of a match that runs."""
    app = await venue.open()
    async with met(app.url) as anna, met(app.url) as boris:
        players = await started([anna, boris])
        await play_on(players, windows)
        path = await dumped(app, players[0].match, tmp_path / f"{windows}.match")
    await venue.close()
    return read_dump(read(path))


async def test_a_file_is_read_as_it_was_written_and_holds_no_secret_of_a_player(
    venue: Venue, tmp_path: Path
) -> None:
    app = await venue.open()
    async with met(app.url, "anna") as anna, met(app.url) as boris:
        left, _ = await started([anna, boris])
        data = read(await dumped(app, left.match, tmp_path / "x.match"))
    assert packed_dump(read_dump(data)) == data
    assert anna.token.encode() not in data
    assert left.ticket.encode() not in data
    assert hash_of(left.ticket).encode() in data


async def test_what_was_put_together_by_hand_is_refused_where_it_does_not_fit(
    venue: Venue, tmp_path: Path
) -> None:
    first, second = await one(venue, tmp_path, 2), await one(venue, tmp_path, 3)
    forged = {
        "record 2: ": replace(first, records=(first.records[0], *first.records[2:])),
        "it is a record of another match": replace(first, records=second.records),
        "it is the room of": replace(first, room=second.room),
        "of two moments": replace(first, is_finished=True),
        "it has not begun": replace(first, records=()),
    }
    for why, dump in forged.items():
        with pytest.raises(DumpError, match=why):
            read_dump(packed_dump(dump))


@given(st.binary(max_size=200))
def test_whatever_stands_in_a_file_is_refused_in_words(data: bytes) -> None:
    with pytest.raises(DumpError) as refused:
        read_dump(data)
    assert str(refused.value)
