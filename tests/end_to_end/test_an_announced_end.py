"""An end that the operator announces: everybody hears of it, nothing begins, then it comes."""

import asyncio
import contextlib
import io
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from builders.data import shipped
from builders.openlimits import OPEN
from builders.operators import asked, typed
from builders.players import created, play_on, seated, started
from builders.venues import Venue
from builders.watchers import watch
from builders.wires import WAIT_S, Talker, dialled, met
from sunglare_client.link.connection import connect
from sunglare_client.spectating.watching import Watcher
from sunglare_client.terminal.screen import Screen
from sunglare_protocol.ids import NO_MATCH, PUBLIC
from sunglare_protocol.messages import Create, Frame, News, NewsKind
from sunglare_protocol.refusals import Code
from sunglare_server.app import App
from sunglare_server.config import Duty, Settings
from sunglare_server.gateway_app import Edge
from sunglare_server.ops.control.control_client import call
from sunglare_server.ops.control.requests import Drain, RequestError, StatusAsked

Capsys = pytest.CaptureFixture[str]

MINUTE_MS = 60_000
HOUR_MS = 60 * MINUTE_MS


def heard(talker: Talker) -> list[str]:
    """Return what a connection was told of the whole server."""
    return [news.text for news in talker.every(News) if news.match == NO_MATCH]


async def test_everybody_is_told_once_that_the_server_ends_and_nothing_begins(
    venue: Venue, capsys: Capsys
) -> None:
    anna, boris, clara, dana = await venue.named("anna", "boris", "clara", "dana")
    mute = await venue.unknown()
    players = await started([anna, boris])
    await watch(clara, players[0].match, PUBLIC)
    done = await typed(capsys, venue.app, "drain", "--in", "1h", "--note", "An upgrade")
    assert done.code == 0
    assert done.out.startswith("no match begins any more; the server ends in ")
    assert done.out.endswith(" UTC; everybody is told\n")
    for talker in (anna, boris, clara, dana):
        await talker.told("ends: An upgrade")
        (news,) = [news for news in talker.every(News) if news.match == NO_MATCH]
        assert (news.kind, news.seq, news.side) == (NewsKind.SERVER, 0, None)
        assert HOUR_MS - WAIT_S * 1000 < (news.ends_ms or 0) <= HOUR_MS
    # Whoever comes later is told as well, behind the welcome.
    late = await venue.one()
    await late.told("ends: An upgrade")
    assert mute.messages == []
    assert await dana.code(Create, scenario="shadow-of-ceres") is Code.SERVER_CLOSING
    await play_on(players, 1)
    status = await typed(capsys, venue.app, "status")
    assert "server      draining at " in status.out
    assert "\nends        in 59 min " in status.out


async def test_whoever_watches_at_a_terminal_is_shown_when_the_server_ends(
    venue: Venue, capsys: Capsys
) -> None:
    players = await started(await venue.some(2))
    written = io.StringIO()
    connection = await connect(venue.app.url)
    watcher = Watcher(connection, players[0].match, PUBLIC, Screen(written))
    watching = asyncio.ensure_future(watcher.watch())
    try:
        await typed(capsys, venue.app, "drain", "--in", "1h", "--note", "An upgrade")
        async with asyncio.timeout(WAIT_S):
            while ": An upgrade" not in written.getvalue():  # noqa: ASYNC110 - a stream
                await asyncio.sleep(0.01)
    finally:
        watching.cancel()
        await asyncio.gather(watching, return_exceptions=True)
        await connection.close()


async def test_the_end_comes_at_its_moment_whatever_runs(venue: Venue, capsys: Capsys) -> None:
    anna, boris = await venue.some(2)
    await started([anna, boris])
    await typed(capsys, venue.app, "drain", "--in", "1s")
    await anna.told("ends")
    async with asyncio.timeout(WAIT_S):
        await venue.app.operator.drained.wait()
    late = await typed(capsys, venue.app, "drain", "--off")
    assert late.err == "sunglare-server: it ends already, which can't be called off\n"


async def test_an_end_is_told_again_the_nearer_it_comes(venue: Venue) -> None:
    clock = await venue.still()
    anna, boris = await venue.some(2)
    end_ms = clock.now_ms() + 12 * MINUTE_MS
    await asked(venue.app, Drain(in_ms=12 * MINUTE_MS, note="An upgrade"))
    for times, minutes in enumerate((12, 10, 5, 2, 1), start=1):
        await clock.run_for(end_ms - minutes * MINUTE_MS - clock.now_ms())
        for talker in (anna, boris):
            await talker.told("ends: An upgrade", times)
            assert [news.ends_ms for news in talker.every(News)][-1] == minutes * MINUTE_MS
    assert not venue.app.operator.drained.is_set()
    await clock.run_for(MINUTE_MS)
    assert venue.app.operator.drained.is_set()


async def test_another_moment_replaces_the_first(venue: Venue, capsys: Capsys) -> None:
    anna = await venue.one()
    await typed(capsys, venue.app, "drain", "--in", "2h", "--note", "late")
    await typed(capsys, venue.app, "drain", "--in", "1h", "--note", "sooner")
    await anna.told("ends: sooner")
    assert heard(anna) == ["ends: late", "ends: sooner"]


async def test_an_end_that_is_called_off_is_told_and_matches_begin_again(
    venue: Venue, capsys: Capsys
) -> None:
    anna, boris, clara = await venue.some(3)
    room = await created(anna)
    players = [await seated(anna, room), await seated(boris, room)]
    await typed(capsys, venue.app, "drain", "--in", "1h")
    for player in players:
        await player.talker.ready(room)
    done = await typed(capsys, venue.app, "drain", "--off")
    assert (done.code, done.out) == (0, "the end is called off; matches begin again\n")
    for talker in (anna, boris, clara):
        await talker.told("does not end")
        assert heard(talker) == ["ends", "does not end"]
    # What was ready meanwhile begins, and new ones may.
    for player in players:
        await player.talker.came(Frame)
    await created(clara)
    standing = (await asked(venue.app, StatusAsked())).standing
    assert standing is not None
    assert (standing.state, standing.ends_s) == ("serving", None)
    again = await typed(capsys, venue.app, "drain", "--off")
    assert (again.code, again.err) == (1, "sunglare-server: no end is ordered\n")
    assert heard(await venue.one()) == []


async def test_a_drain_without_a_moment_is_told_to_nobody_and_called_off_as_well(
    venue: Venue, capsys: Capsys
) -> None:
    anna, boris = await venue.some(2)
    players = await started([anna, boris])
    await typed(capsys, venue.app, "drain")
    await typed(capsys, venue.app, "drain", "--off")
    await anna.resign(players[0].match)
    await players[1].over()
    await created(anna)
    assert heard(anna) == []
    assert not venue.app.operator.drained.is_set()


@pytest.mark.parametrize(
    ("request_", "why"),
    [
        (Drain(now=True, off=True), "by one of"),
        (Drain(in_ms=1, off=True), "by one of"),
        (Drain(note="hm"), "goes with"),
        (Drain(in_ms=0), "within a week"),
        (Drain(in_ms=8 * 24 * HOUR_MS), "within a week"),
        (Drain(in_ms=HOUR_MS, note="two\nlines"), "one line of 1 to 300"),
        (Drain(in_ms=HOUR_MS, note="x" * 301), "one line of 1 to 300"),
    ],
)
async def test_an_order_that_means_nothing_is_refused_and_changes_nothing(
    app: App, request_: Drain, why: str
) -> None:
    with pytest.raises(RequestError, match=why):
        await asked(app, request_)
    assert app.lobby.policy.is_draining is False
    assert app.operator.site.end.closing is None


@contextlib.asynccontextmanager
async def halves(folder: Path) -> AsyncIterator[tuple[App, Edge]]:
    """Run a worker and a gateway of it in this process, each with a control socket."""
    wish = {"journal": folder / "journal.db", "bots": (), "socket": folder / "road", **OPEN}
    app = App(Settings(port=0, duty=Duty.WORKER, name="w1", **wish), library=shipped())
    await app.start()
    try:
        control = str(folder / "g1.ctl")
        wish = {"worker": folder / "road", **OPEN}
        edge = Edge(Settings(port=0, duty=Duty.GATEWAY, name="g1", control=control, **wish))
        await edge.start()
        try:
            yield app, edge
        finally:
            await edge.stop()
    finally:
        await app.stop()


async def test_the_lines_of_a_gateway_hear_of_the_end_of_its_worker(
    tmp_path: Path, capsys: Capsys
) -> None:
    async with halves(tmp_path) as (app, edge), met(edge.url) as anna, met(edge.url) as boris:
        players = await started([anna, boris])
        await typed(capsys, app, "drain", "--in", "1h", "--note", "An upgrade")
        for talker in (anna, boris):
            await talker.told("ends: An upgrade")
        async with met(edge.url) as late:
            await late.told("ends: An upgrade")
        await play_on(players, 1)
        await typed(capsys, app, "drain", "--off")
        for talker in (anna, boris):
            await talker.told("does not end")
            assert heard(talker) == ["ends: An upgrade", "does not end"]


async def test_a_gateway_may_end_at_a_moment_by_itself(tmp_path: Path) -> None:
    async with halves(tmp_path) as (_, edge), met(edge.url) as anna, dialled(edge.url) as mute:
        done = await asyncio.to_thread(call, tmp_path / "g1.ctl", Drain(in_ms=HOUR_MS, note="hm"))
        assert done.done is not None
        assert done.done.endswith("and its 2 connections come back to another one")
        await anna.told("ends: hm")
        assert mute.messages == []
        standing = (await asyncio.to_thread(call, tmp_path / "g1.ctl", StatusAsked())).gateway
        assert standing is not None
        assert standing.state == "draining"
        await asyncio.to_thread(call, tmp_path / "g1.ctl", Drain(off=True))
        await anna.told("does not end")
        with pytest.raises(RequestError, match="no end is ordered"):
            await asyncio.to_thread(call, tmp_path / "g1.ctl", Drain(off=True))
        await asyncio.to_thread(call, tmp_path / "g1.ctl", Drain(in_ms=1))
        async with asyncio.timeout(WAIT_S):
            await edge.operator.drained.wait()
