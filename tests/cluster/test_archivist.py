"""The archivist: a file of each finished match, whole or not at all; what is old is let go of."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager, AsyncExitStack
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from structlog.testing import capture_logs

from builders.clusters import engine_on
from builders.engines import Engines
from builders.fakeclock import FakeClock
from builders.players import Player, finished, play_on, started
from builders.records import read_record
from builders.servers import running_app
from builders.steps_of_work import Dying, Paced, Plan
from builders.wires import WAIT_S, Talker, met
from page.asking import asked
from sunglare_arena.verify import verified
from sunglare_protocol.ids import PUBLIC, MatchId
from sunglare_protocol.messages import (
    Accepted,
    Create,
    FetchRecord,
    Forget,
    From,
    Info,
    Report,
    Resume,
    Watch,
)
from sunglare_protocol.refusals import Code
from sunglare_protocol.replay.analysis import ANALYSIS
from sunglare_server.app import App
from sunglare_server.archive.recordfolder import RecordFolder
from sunglare_server.base.clock import SystemClock
from sunglare_server.cluster.archive.archivist import AGAIN_MS, YOUNG_MS, Archivist
from sunglare_server.cluster.client.engine import Engine
from sunglare_server.cluster.journal.journal import NatsJournal
from sunglare_server.cluster.journal.match_streams import SHARDS
from sunglare_server.cluster.store.store import NatsStore
from sunglare_server.config import Duty

pytestmark = pytest.mark.needs_nats

DAY_MS = 86_400_000
STEPS_MOST = 200

OVERTAKEN_AT_MOST = 40
"""By then an archivist is done with one match."""


class Scene(NamedTuple):
    """A worker with a gateway, an engine beside them for an archivist, and its folder."""

    app: App
    anna: Talker
    boris: Talker
    engine: Engine
    journal: NatsJournal
    store: NatsStore
    folder: RecordFolder
    clock: FakeClock

    def archivist(self, days: int | None = None) -> Archivist:
        """Return an archivist that keeps matches for so many days, or for ever."""
        keep_ms = None if days is None else days * DAY_MS
        return Archivist(self.journal, self.store, self.folder, self.clock, keep_ms)

    async def played(self) -> list[Player]:
        """Play a short match to its end."""
        async with self.back(self.anna) as anna, self.back(self.boris) as boris:
            players = await started([anna, boris])
            await play_on(players, 2)
            await finished(players)
        async with asyncio.timeout(WAIT_S):
            while not await self._is_put_away(players[0].match):  # noqa: ASYNC110 - the engine says
                await asyncio.sleep(0.01)
        return players

    async def _is_put_away(self, match: MatchId) -> bool:
        """Return whether the worker is done with a match that is over."""
        is_analysed = await self.journal.archived(match, ANALYSIS) is not None
        return is_analysed and f"$KV.lease.m.{match}" not in await self.left(match)

    def back(self, talker: Talker) -> AbstractAsyncContextManager[Talker]:
        """Open another line for somebody: one holds the seat of one match."""
        assert talker.welcome is not None
        return met(self.app.url, token=talker.welcome.token)

    async def left(self, match: MatchId) -> list[str]:
        """Return every subject of the engine that names a match, but for marks of what is gone."""
        found = []
        for stream in await self.engine.streams.streams_info():
            name = stream.config.name or ""
            for subject in await self.engine.subjects(name, ">"):
                newest = await self.engine.newest(name, subject) if match in subject else None
                if newest is not None and not newest.is_deletion:
                    found.append(subject)
        return found


@pytest.fixture
async def scene(node: Engines, tmp_path: Path) -> AsyncIterator[Scene]:
    """Give a test a worker that has played nothing."""
    road: dict[str, Any] = {"nats": node.urls, "development": True}
    async with AsyncExitStack() as stack:
        app = await stack.enter_async_context(running_app(tmp_path, duty=Duty.WORKER, **road))
        anna = await stack.enter_async_context(met(app.url, "anna"))
        boris = await stack.enter_async_context(met(app.url, "boris"))
        engine = await engine_on(node)
        stack.push_async_callback(engine.close)
        store = await NatsStore.open(engine)
        stack.push_async_callback(store.close)
        folder = RecordFolder(tmp_path / "records")
        folder.prepare()
        journal = await NatsJournal.open(engine)
        clock = FakeClock(SystemClock().now_ms() + YOUNG_MS)
        yield Scene(app, anna, boris, engine, journal, store, folder, clock)


def files_of(scene: Scene) -> list[str]:
    folder = scene.folder.path_of(MatchId("x")).parent
    return sorted(path.name for path in folder.iterdir())


async def test_the_file_of_a_match_is_what_record_gives_and_the_match_stays(scene: Scene) -> None:
    match = (await scene.played())[0].match
    running = (await started([scene.anna, scene.boris]))[0].match
    archivist = scene.archivist()
    await archivist.look()
    scene.clock.advance(1_000 * DAY_MS)
    await archivist.look()
    data = scene.folder.path_of(match).read_bytes()
    assert files_of(scene) == [f"{match}.sgr"]
    assert data == await scene.anna.record(match)
    assert read_record(data).header["names"] == {"A": "anna", "B": "boris"}
    assert verified(data)
    # One that goes on goes on.
    async with met(scene.app.url) as stranger:
        assert await stranger.code(FetchRecord, match=running) is Code.RECORD_SEALED


async def test_nothing_of_a_match_that_goes_on_is_touched_even_if_it_is_marked(
    scene: Scene,
) -> None:
    players = await started([scene.anna, scene.boris])
    match = players[0].match
    await play_on(players, 1)
    before = await scene.left(match)
    records = await scene.journal.read(match)
    await scene.journal.mark_leaving(match)
    scene.clock.advance(1_000 * DAY_MS)
    with capture_logs() as lines:
        await scene.archivist(days=1).look()
    assert set(before) < set(await scene.left(match))
    assert await scene.journal.read(match) == records
    assert files_of(scene) == []
    assert [line["log_level"] for line in lines] == ["error"]
    await play_on(players, 1)


async def test_what_is_old_enough_is_let_go_of_and_is_then_unknown_to_everybody(
    scene: Scene,
) -> None:
    players = await scene.played()
    match = players[0].match
    archivist = scene.archivist(days=3)
    scene.clock.advance(2 * DAY_MS)
    await archivist.look()
    data = scene.folder.path_of(match).read_bytes()
    assert await scene.anna.record(match) == data
    scene.clock.advance(2 * DAY_MS)
    await archivist.look()
    assert await scene.left(match) == []
    assert await scene.journal.finished() == ()
    assert scene.folder.path_of(match).read_bytes() == data
    assert verified(data)
    async with met(scene.app.url) as stranger:
        assert await stranger.code(FetchRecord, match=match) is Code.MATCH_UNKNOWN
        assert await stranger.code(Watch, match=match, feed=PUBLIC) is Code.MATCH_UNKNOWN
        assert await stranger.code(Info, match=match) is Code.MATCH_UNKNOWN
        assert (
            await stranger.code(Report, match=match, side="A", text="this") is Code.MATCH_UNKNOWN
        )
        played_on = await stranger.code(Create, origin=From(match=match, turn=1))
        assert played_on is Code.MATCH_UNKNOWN
        ticket = players[0].ticket
        assert await stranger.code(Resume, match=match, ticket=ticket) is Code.TICKET_BAD
    assert (await asked(scene.app.url, f"/replay/{match}.sgr")).status == 404
    async with scene.back(scene.boris) as boris:
        assert await boris.code(Resume, match=match) is Code.SEAT_NONE
    # A match that follows is like any other one.
    after = (await scene.played())[0].match
    await archivist.look()
    assert f"{after}.sgr" in files_of(scene)


async def test_whoever_is_forgotten_is_someone_in_the_file_as_long_as_the_match_is_there(
    scene: Scene,
) -> None:
    match = (await scene.played())[0].match
    archivist = scene.archivist()
    await archivist.look()
    assert isinstance(await scene.boris.ask(Forget), Accepted)
    await archivist.look()
    data = scene.folder.path_of(match).read_bytes()
    assert read_record(data).header["names"] == {"A": "anna", "B": "someone"}
    assert b"boris" not in data
    assert verified(data)


async def test_a_match_that_cannot_be_written_is_told_and_tried_again_and_never_let_go_of(
    scene: Scene,
) -> None:
    match = (await scene.played())[0].match
    archivist = scene.archivist(days=1)
    scene.clock.advance(2 * DAY_MS)
    in_its_place = scene.folder.path_of(match)
    in_its_place.mkdir()
    before = await scene.left(match)
    with capture_logs() as lines:
        await archivist.look()
        await archivist.look()
    assert [line["log_level"] for line in lines] == ["error"]
    assert lines[0]["match"] == match
    assert await scene.left(match) == before
    in_its_place.rmdir()
    scene.clock.advance(AGAIN_MS)
    await archivist.look()
    assert verified(in_its_place.read_bytes())
    assert await scene.left(match) == []


async def test_a_file_that_was_damaged_is_written_anew_before_its_match_is_let_go_of(
    scene: Scene,
) -> None:
    match = (await scene.played())[0].match
    archivist = scene.archivist(days=1)
    await archivist.look()
    path = scene.folder.path_of(match)
    data = path.read_bytes()
    path.write_bytes(data[: len(data) // 2])
    scene.clock.advance(2 * DAY_MS)
    await archivist.look()
    assert path.read_bytes() == data
    assert await scene.left(match) == []


async def test_an_archivist_that_dies_anywhere_leaves_a_match_to_the_next_one(
    scene: Scene,
) -> None:
    scene.clock.advance(2 * DAY_MS)
    for steps in range(STEPS_MOST):
        match = (await scene.played())[0].match
        record = await scene.anna.record(match)
        is_done = await Dying(scene.archivist(days=1).look(), steps)
        if await scene.journal.last(match) == 0 or await scene.journal.leaving():
            # Once it is marked, its file is there.
            assert scene.folder.path_of(match).read_bytes() == record
        code = await said_of(scene, match)
        assert code in (None, Code.MATCH_UNKNOWN, Code.MATCH_FAULT)
        await let_go(scene, match)
        assert scene.folder.path_of(match).read_bytes() == record
        if is_done:
            return
    raise AssertionError("it never came to its end")


async def let_go(scene: Scene, match: MatchId) -> None:
    """Have archivists look until a match is let go of.

    What one that has died here had begun to write may still be on its way to the disk.
    """
    async with asyncio.timeout(WAIT_S):
        while await scene.left(match):
            await scene.archivist(days=1).look()


async def said_of(scene: Scene, match: MatchId) -> Code | None:
    """Return why the record of a match is refused; None if it is given."""
    answer = await scene.anna.ask(FetchRecord, match=match)
    return getattr(answer, "code", None)


async def test_an_archivist_that_finds_a_match_half_deleted_by_another_one_spoils_nothing(
    scene: Scene,
) -> None:
    scene.clock.advance(2 * DAY_MS)
    for steps in range(OVERTAKEN_AT_MOST):
        match = (await scene.played())[0].match
        record = await scene.anna.record(match)
        # The slow one is overtaken, at one of its steps, by one that does all there is to do.
        plan = Plan([0] * steps + [1] * STEPS_MOST)
        slow = Paced(scene.archivist(days=1).look(), plan, 0)
        quick = Paced(scene.archivist(days=1).look(), plan, 1)
        with capture_logs() as lines:
            await asyncio.gather(slow, quick)
        assert [line for line in lines if line["log_level"] == "error"] == []
        await let_go(scene, match)
        assert scene.folder.path_of(match).read_bytes() == record


@pytest.mark.parametrize("end", ["first", "last"])
async def test_a_match_without_all_of_its_records_is_not_written_and_not_let_go_of(
    scene: Scene, end: str
) -> None:
    match = (await scene.played())[0].match
    names = [f"MLOG_{shard}" for shard in range(SHARDS)]
    found = {name: await scene.engine.subjects(name, f"mlog.*.{match}") for name in names}
    ((stream, subject),) = [(name, subject) for name in names for subject in found[name]]
    if end == "first":
        lost = await scene.engine.following(stream, subject, 1)
    else:
        lost = await scene.engine.newest(stream, subject)
    assert lost is not None
    await scene.engine.streams.delete_msg(stream, lost.seq)
    scene.clock.advance(2 * DAY_MS)
    with capture_logs() as lines:
        await scene.archivist(days=1).look()
    assert [(line["log_level"], line["match"]) for line in lines] == [("error", match)]
    assert files_of(scene) == []
    assert await scene.journal.last(match)
    assert await scene.store.room(match) is not None


async def test_two_archivists_at_once_do_what_one_does(scene: Scene) -> None:
    matches = [(await scene.played())[0].match for _ in range(2)]
    scene.clock.advance(2 * DAY_MS)
    with capture_logs() as lines:
        await asyncio.gather(*(scene.archivist(days=1).look() for _ in range(3)))
        for match in matches:
            await let_go(scene, match)
    assert files_of(scene) == sorted(f"{match}.sgr" for match in matches)
    for match in matches:
        assert verified(scene.folder.path_of(match).read_bytes())
        assert await scene.left(match) == []
    assert [line for line in lines if line["log_level"] == "error"] == []


async def test_what_a_worker_stores_of_a_match_that_was_let_go_of_goes_as_well(
    scene: Scene,
) -> None:
    match = (await scene.played())[0].match
    archivist = scene.archivist(days=1)
    scene.clock.advance(2 * DAY_MS)
    await archivist.look()
    assert await scene.left(match) == []
    await scene.journal.finish(match, ((ANALYSIS, b"late"),))
    other = MatchId("z" * 26)
    await scene.journal.finish(other, ((ANALYSIS, b"of a match that never was here"),))
    await archivist.look()
    assert await scene.left(match) == []
    assert await scene.journal.finished() == (other,)


async def test_a_match_whose_archive_is_damaged_is_told_and_keeps_no_other_one_waiting(
    scene: Scene,
) -> None:
    matches = sorted([(await scene.played())[0].match for _ in range(2)])
    damaged, whole = matches
    for subject in await scene.engine.subjects("PARTS", f"part.{damaged}.>"):
        await scene.engine.purge("PARTS", subject)
    scene.clock.advance(2 * DAY_MS)
    with capture_logs() as lines:
        await scene.archivist(days=1).look()
    assert {line["match"]: line["log_level"] for line in lines} == {
        damaged: "error",
        whole: "info",
    }
    assert files_of(scene) == [f"{whole}.sgr"]
    assert await scene.journal.last(damaged)
    assert await scene.left(whole) == []
