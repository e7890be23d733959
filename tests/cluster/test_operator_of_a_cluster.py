"""The operator of a cluster: the commands as typed, with his own credential, and two workers."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import NamedTuple

import msgspec
import pytest
from structlog.testing import capture_logs

from builders.data import shipped
from builders.engines import Engines, running_engines
from builders.openlimits import OPEN
from builders.operators import Typed
from builders.players import created, seated
from builders.wires import Talker, met
from sunglare_protocol.ids import NO_MATCH, MatchId
from sunglare_protocol.messages import Chat, Create, Frame, News, Over
from sunglare_protocol.refusals import Code
from sunglare_server.app import App
from sunglare_server.base.entropy import SystemEntropy
from sunglare_server.cluster.client.authorization import authorization
from sunglare_server.cluster.client.credentials import file_of, read_credential
from sunglare_server.cluster.client.permissions import Role
from sunglare_server.config import Duty, Settings
from sunglare_server.gateway_app import Edge
from sunglare_server.ops.cluster.credentials import Plan, make_credentials
from sunglare_server.ops.control.answers import Answer, Cluster, MatchRow
from sunglare_server.ops.control.commands import operate
from sunglare_server.ports.sanctions import SanctionKind

pytestmark = pytest.mark.needs_nats

HOLDERS = (
    (Role.WORKER, "w1"),
    (Role.WORKER, "w2"),
    (Role.PLAYERS, "g1"),
)

WAIT_S = 60.0

Capsys = pytest.CaptureFixture[str]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder of credentials that the operator's command has made."""
    made = tmp_path_factory.mktemp("credentials")
    make_credentials(Plan(made, HOLDERS), SystemEntropy())
    return made


@pytest.fixture(scope="module")
def guarded(folder: Path) -> Iterator[Engines]:
    """Run an engine that lets in whoever has one of these credentials."""
    credentials = [read_credential(path) for path in folder.glob("*.json")]
    with running_engines(1, authorization(credentials)) as engines:
        yield engines


class Site(NamedTuple):
    """What a test works with: the engine, its credentials, and what is printed."""

    engines: Engines
    folder: Path
    capsys: Capsys

    @contextlib.asynccontextmanager
    async def worker(self, name: str) -> AsyncIterator[App]:
        """Run a worker in this process."""
        settings = Settings(
            duty=Duty.WORKER,
            name=name,
            bots=(),
            nats=self.engines.urls,
            credentials=file_of(self.folder, Role.WORKER, name),
            development=True,
            **OPEN,
        )
        app = App(settings, library=shipped())
        await app.start()
        try:
            yield app
        finally:
            await app.stop()

    @contextlib.asynccontextmanager
    async def gateway(self) -> AsyncIterator[Edge]:
        """Run a gateway for players in this process."""
        settings = Settings(
            duty=Duty.GATEWAY,
            name="g1",
            port=0,
            nats=self.engines.urls,
            credentials=file_of(self.folder, Role.PLAYERS, "g1"),
            **OPEN,
        )
        edge = Edge(settings)
        await edge.start()
        try:
            yield edge
        finally:
            await edge.stop()

    async def typed(self, *words: str) -> Typed:
        """Type a command for all workers and return what came of it."""
        self.capsys.readouterr()
        ways = ["--nats", ",".join(self.engines.urls)]
        ways += ["--credentials", str(file_of(self.folder, Role.OPERATOR, "operator"))]
        with capture_logs():
            code = await asyncio.to_thread(operate, [*words, *ways])
        printed = self.capsys.readouterr()
        return Typed(code, printed.out, printed.err)

    async def told(self, *words: str) -> Answer:
        """Return the answer to a command."""
        return msgspec.json.decode((await self.typed(*words, "--json")).out, type=Answer)

    async def there(self) -> Cluster:
        """Return who is there."""
        cluster = (await self.told("status")).cluster
        assert cluster is not None
        return cluster

    async def rows(self, *words: str) -> dict[str, MatchRow]:
        """Return the matches that are listed."""
        return {row.match: row for row in (await self.told("matches", *words)).matches or ()}


@pytest.fixture
def site(guarded: Engines, folder: Path, capsys: Capsys) -> Site:
    """Give a test its engine."""
    return Site(guarded, folder, capsys)


class Played(NamedTuple):
    """Two workers with a gateway, and people who have a room with each of the workers."""

    one: App
    other: App
    anna: Talker
    boris: Talker
    rooms: dict[str, MatchId]
    """The room with each worker, by its name."""
    url: str
    """Where the gateway is."""


async def room_with(app: App, host: Talker) -> MatchId:
    """Return a room of `host` that this worker owns: any may be chosen for it."""
    while True:
        match = await created(host)
        if match in app.lobby.rooms:
            return match


@contextlib.asynccontextmanager
async def played(site: Site) -> AsyncIterator[Played]:
    """Run two workers and a gateway, with a room for each worker in which two people sit."""
    async with (
        site.worker("w1") as one,
        site.worker("w2") as other,
        site.gateway() as edge,
        met(edge.url, "anna") as anna,
        met(edge.url, "boris") as boris,
    ):
        rooms: dict[str, MatchId] = {}
        async with asyncio.timeout(WAIT_S):
            for name, app in (("w1", one), ("w2", other)):
                match = rooms[name] = await room_with(app, anna)
                await seated(anna, match)
                await seated(boris, match)
        yield Played(one, other, anna, boris, rooms, edge.url)


async def test_all_workers_are_asked_and_each_does_its_part(site: Site) -> None:
    async with played(site) as scene:
        await the_standing_has_a_line_for_each(site, scene)
        await matches_of_all_are_listed_once(site, scene)
        await a_word_reaches_whom_it_concerns(site, scene)
        await a_mute_holds_with_all(site, scene)
        await what_one_owns_others_leave_to_it(site, scene)
        await all_read_their_files_again(site)
        await what_a_cluster_cannot_do_is_said(site)
        await an_end_of_one_worker_is_told_to_nobody(site, scene)
        await an_end_of_all_is_told_by_the_gateway(site, scene)
        await a_match_that_is_over_is_deleted(site, scene)
        await a_ban_holds_with_all(site, scene)
        await one_worker_is_drained(site, scene)


async def the_standing_has_a_line_for_each(site: Site, scene: Played) -> None:
    there = await site.there()
    assert [line.name for line in there.workers] == ["w1", "w2"]
    for line in there.workers:
        assert line.standing is not None
        assert (line.standing.journal, line.standing.state) == ("nats", "serving")
        assert line.standing.matches["waiting"] >= 1
    async with asyncio.timeout(WAIT_S):
        # It says with each sign of life how many it has.
        while there.gateways[0].connections != 2:
            there = await site.there()
    (gateway,) = there.gateways
    assert (gateway.name, gateway.trust) == ("g1", "players")
    printed = (await site.typed("status")).out.splitlines()
    # How many engines there are is known a moment after the start.
    shown = [line for line in printed if line and not line.startswith("engines")]
    assert [line.split()[0] for line in shown] == [
        "worker", "w1", "w2", "2", "gateway", "g1"
    ]  # fmt: skip
    alone = (await site.told("status", "--worker", "w2")).standing
    assert alone is not None
    assert alone.matches["waiting"] == len(scene.other.lobby.rooms)


async def matches_of_all_are_listed_once(site: Site, scene: Played) -> None:
    rows = await site.rows()
    assert set(scene.rooms.values()) <= set(rows)
    assert len(rows) == len(scene.one.lobby.rooms) + len(scene.other.lobby.rooms)
    assert [seat.name for seat in rows[scene.rooms["w2"]].seats] == ["anna", "boris"]


async def a_word_reaches_whom_it_concerns(site: Site, scene: Played) -> None:
    mine = scene.rooms["w2"]
    assert (await site.typed("say", "to one", "--match", mine)).out == "told 1 match\n"
    await scene.boris.told("operator: to one")
    done = await site.typed("say", "to all")
    assert done.code == 0
    told = [f"{name}: told " for name in ("w1", "w2")]
    assert [line[: len("w1: told ")] for line in done.out.splitlines()] == told
    await scene.boris.told("operator: to all")


async def a_mute_holds_with_all(site: Site, scene: Played) -> None:
    assert (await site.typed("mute", "boris")).out == "boris is muted\n"
    async with asyncio.timeout(WAIT_S):
        for app in (scene.one, scene.other):
            while app.lobby.policy.count(SanctionKind.MUTE) != 1:  # noqa: ASYNC110 - the engine tells it in time
                await asyncio.sleep(0.01)
    for match in scene.rooms.values():
        assert await scene.boris.code(Chat, match=match, text="x") is Code.CHAT_MUTED
    assert (await site.typed("unmute", "boris")).out == "boris is heard again\n"


async def a_match_that_is_over_is_deleted(site: Site, scene: Played) -> None:
    async with met(scene.url, "carla") as carla, met(scene.url, "dirk") as dirk:
        async with asyncio.timeout(WAIT_S):
            match = await room_with(scene.one, carla)
        for talker in (carla, dirk):
            await seated(talker, match)
        done = await site.typed("drop", match)
        assert (done.code, "is waiting and not in quarantine" in done.err) == (1, True)
        assert (await site.rows("--quarantined")) == {}
        for talker in (carla, dirk):
            await talker.ready(match)
        await carla.came(Frame)
        assert (await site.typed("adjourn", match)).code == 0
        await carla.came(Over)
    async with asyncio.timeout(WAIT_S):
        while (done := await site.typed("drop", match)).code:
            # The worker may not have heard yet that the lines have ended.
            assert "is being watched" in done.err
    assert done.out == f"{match} is deleted, with all that was kept of it\n"
    assert match not in await site.rows("--over")
    assert await scene.one.storage.journal.last(match) == 0


async def a_ban_holds_with_all(site: Site, scene: Played) -> None:
    done = await site.typed("ban", "anna", "--for", "1d", "--reason", "spam")
    assert done.code == 0
    assert [line[: len("w1: anna is banned")] for line in done.out.splitlines()] == [
        "w1: anna is banned",
        "w2: anna is banned",
    ]
    assert await scene.anna.wait_closed() == 1008
    assert scene.anna.farewell is Code.OPERATOR_BANNED
    for app in (scene.one, scene.other):
        (one,) = app.lobby.policy.holding
        assert (one.kind, one.reason) == (SanctionKind.BAN, "spam")
    # Each worker has done its part, and noted who says that he asked for it.
    deeds = (await site.told("log", "--last", "2")).deeds or ()
    assert [('"ban"' in row.asked, "as told" in row.by) for row in deeds] == [(True, True)] * 2
    (row,) = (await site.told("bans")).bans or ()
    assert (row.kind, row.whom) == ("ban", "anna")
    assert (await site.typed("unban", "anna")).out == "anna may come back\n"


async def what_one_owns_others_leave_to_it(site: Site, scene: Played) -> None:
    mine = scene.rooms["w2"]
    done = await site.typed("kick", "--match", mine[:12], "--side", "B")
    assert (done.code, done.out) == (0, f"{mine}: the seat B is cleared\n")
    assert [seat.name for seat in (await site.rows())[mine].seats] == ["anna"]
    done = await site.typed("kick", "--match", mine, "--side", "B", "--worker", "w1")
    assert done.code == 1
    assert f"{mine} is another worker's" in done.err
    done = await site.typed("pause", mine)
    assert (done.code, f"{mine} is waiting, not running" in done.err) == (1, True)
    assert "0 matches have an id that begins with 'zz9'" in (await site.typed("pause", "zz9")).err


async def all_read_their_files_again(site: Site) -> None:
    done = await site.typed("reload")
    told = [f"{name}: read again; changed: nothing" for name in ("w1", "w2")]
    assert (done.code, done.out.splitlines()) == (0, told)


async def what_a_cluster_cannot_do_is_said(site: Site) -> None:
    for words, right in (
        (("backup", "/x.db"), "`Backup of a cluster`"),
        (("prune", "--older-than", "1"), "`Many machines`"),
        (
            ("drain",),
            "drain takes one worker, by `--worker NAME`, or `--in` or `--at`; there are: w1,",
        ),
        (("drain", "--worker", "g1"), "g1 is a gateway, which is asked over its own `--control`"),
        (("drain", "--worker", "w9"), "no worker is called 'w9'; there are: w1, w2"),
    ):
        done = await site.typed(*words)
        assert (done.code, done.out) == (1, "")
        assert right in done.err


def heard_of_all(talker: Talker) -> list[str]:
    """Return what a connection was told of the whole server."""
    return [news.text for news in talker.every(News) if news.match == NO_MATCH]


async def an_end_of_one_worker_is_told_to_nobody(site: Site, scene: Played) -> None:
    done = await site.typed("drain", "--worker", "w2", "--in", "1h")
    assert done.code == 0
    assert done.out.endswith("; the others take its matches over, so nobody is told\n")
    assert scene.other.operator.site.end.closing is not None
    # Until then it does all that it did.
    assert await room_with(scene.other, scene.anna)
    done = await site.typed("drain", "--worker", "w2", "--off")
    assert done.code == 0
    assert scene.other.operator.site.end.closing is None
    assert heard_of_all(scene.anna) == []


async def an_end_of_all_is_told_by_the_gateway(site: Site, scene: Played) -> None:
    done = await site.typed("drain", "--in", "1h", "--note", "An upgrade")
    assert done.code == 0
    assert [line.split(":")[0] for line in done.out.splitlines()] == ["w1", "w2"]
    await scene.anna.told("ends: An upgrade")
    assert await scene.anna.code(Create, scenario="shadow-of-ceres") is Code.SERVER_CLOSING
    assert (await site.typed("drain", "--off")).code == 0
    await scene.anna.told("does not end")
    assert heard_of_all(scene.anna) == ["ends: An upgrade", "does not end"]
    await created(scene.anna)


async def one_worker_is_drained(site: Site, scene: Played) -> None:
    done = await site.typed("drain", "--worker", "w2")
    assert done.out == "the worker ends now; the others take its matches over\n"
    assert scene.other.operator.drained.is_set()
    assert not scene.one.operator.drained.is_set()


async def test_without_a_worker_a_command_says_so(site: Site) -> None:
    done = await site.typed("status")
    assert (done.code, done.out) == (1, "")
    assert done.err == "sunglare-server: no worker answers on the engine\n"


async def test_without_an_engine_a_command_says_where_it_looked(
    site: Site, tmp_path: Path, capsys: Capsys
) -> None:
    nowhere = ["--nats", "nats://127.0.0.1:1", "--credentials", str(tmp_path / "no.json")]
    assert await asyncio.to_thread(operate, ["status", *nowhere]) == 1
    assert "no.json" in capsys.readouterr().err
    own = str(file_of(site.folder, Role.OPERATOR, "operator"))
    words = ["status", "--nats", "nats://127.0.0.1:1", "--credentials", own]
    with capture_logs():
        assert await asyncio.to_thread(operate, words) == 1
    assert capsys.readouterr().err.startswith("sunglare-server: no engine at 127.0.0.1:1: ")
