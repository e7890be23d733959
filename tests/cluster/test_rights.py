"""What a stolen credential opens: a gateway is refused all but its work, by the engine itself."""

import contextlib
import json
import os
import signal
from collections.abc import AsyncIterator, Iterator, Mapping
from pathlib import Path

import pytest
from nats.js.api import KeyValueConfig, StreamInfo

from builders.cases import cases
from builders.engines import Engines, running_engines
from builders.natsclients import WAIT_S, NatsClient, greeted, guest
from cluster.rightstables import (
    LISTENING,
    LISTENING_OF_PLAYERS,
    LISTENING_OF_SPECTATORS,
    TELLING,
    TELLING_OF_PLAYERS,
    TELLING_OF_SPECTATORS,
)
from sunglare_server.base.clock import SystemClock
from sunglare_server.base.entropy import SystemEntropy
from sunglare_server.cluster.client.authorization import authorization
from sunglare_server.cluster.client.connection import Connection
from sunglare_server.cluster.client.credentials import Credential, file_of, read_credential
from sunglare_server.cluster.client.permissions import Rights, Role, rights_of
from sunglare_server.cluster.nats_transport import NatsTransport
from sunglare_server.ops.cluster.credentials import AUTHORIZATION, Plan, make_credentials

pytestmark = pytest.mark.needs_nats

HOLDERS = (
    (Role.WORKER, "w1"),
    (Role.PLAYERS, "g1"),
    (Role.SPECTATORS, "s1"),
)

WORKER, PLAYERS, SPECTATORS = HOLDERS

TOO_MUCH: dict[str, Rights] = {
    "may-read-a-side": Rights((), ("view.*.A",)),
    "may-read-one-side-of-one-match": Rights((), ("view.m1.B",)),
    "may-read-all-feeds": Rights((), ("view.>",)),
    "may-read-the-caster": Rights((), ("view.*.caster",)),
    "may-read-the-log": Rights((), ("mlog.>",)),
    "may-read-rooms": Rights((), ("$KV.rooms.>",)),
    "may-read-players-lines": Rights((), ("line.*",)),
    "may-read-a-workers-inbox": Rights((), ("_INBOX_w1.>",)),
    "may-write-the-log": Rights(("mlog.0.m1",), ()),
    "may-speak-as-a-player": Rights(("req.>",), ()),
    "may-speak-for-any-gateway": Rights(("look.>",), ()),
    "may-take-a-lease": Rights(("$KV.lease.>",), ()),
    "may-read-storage": Rights(("$JS.API.DIRECT.GET.>",), ()),
    "may-ask-storage": Rights(("$JS.API.>",), ()),
}
"""Rights that somebody might give spectators' gateways by mistake, beside their own."""

BY_HAND = '{ user: "worker-w9", password: "by hand" }'
"""An entry for which somebody has forgotten the rights."""

REFUSED = "-ERR 'Authorization Violation'"

BUCKETS = ("rooms", "accounts", "tickets", "lease", "secrets")


def planted_rights(role: Role, name: str) -> Rights:
    """Return the rights of the product, with one too many for who is named after it."""
    own, more = rights_of(role, name), TOO_MUCH.get(name, Rights((), ()))
    return Rights(own.publish + more.publish, own.subscribe + more.subscribe)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder of credentials that the operator's command has made."""
    made = tmp_path_factory.mktemp("credentials")
    planted = tuple((Role.SPECTATORS, name) for name in TOO_MUCH)
    make_credentials(Plan(made, HOLDERS + planted), SystemEntropy())
    return made


@pytest.fixture(scope="module")
def guarded(folder: Path) -> Iterator[Engines]:
    """Run an engine that lets in whoever has one of these credentials."""
    credentials = [read_credential(path) for path in folder.glob("*.json")]
    said = authorization(credentials, planted_rights)
    with running_engines(1, said.replace("users: [", f"users: [ {BY_HAND}", 1)) as engines:
        yield engines


@contextlib.asynccontextmanager
async def worker_in(engines: Engines, folder: Path) -> AsyncIterator[NatsClient]:
    """Let a worker in, who has stored a record, and something in each bucket."""
    async with guest(engines, credential_of(folder, WORKER)) as worker:
        storage = worker.client.jetstream()
        await storage.add_stream(name="MLOG_0", subjects=["mlog.0.>"], allow_direct=True)
        await storage.publish("mlog.0.m1", b"a record")
        for name in BUCKETS:
            bucket = await storage.create_key_value(KeyValueConfig(bucket=name))
            await bucket.put("k", b"a secret")
        yield worker


@contextlib.asynccontextmanager
async def carrier_as(guarded: Engines, credential: Credential) -> AsyncIterator[NatsTransport]:
    connection = await Connection.open(guarded.urls, credential.name, credential)
    carrier = NatsTransport(connection, SystemClock())
    try:
        yield carrier
    finally:
        await carrier.close()


def credential_of(folder: Path, holder: tuple[Role, str]) -> Credential:
    return read_credential(file_of(folder, *holder))


def samples(*tables: Mapping[str, tuple[str, str]]) -> list[tuple[str, str]]:
    """Return the patterns of some tables, each with a subject that it holds."""
    return [(pattern, row[0]) for table in tables for pattern, row in table.items()]


async def stored(worker: NatsClient) -> list[tuple[str | None, int, int, int]]:
    """Return of each stream how much it holds and how many read it."""
    infos: list[StreamInfo] = await worker.client.jetstream().streams_info()
    return sorted(
        (info.config.name, info.state.messages, info.state.last_seq, info.state.consumer_count)
        for info in infos
    )


SPECTATORS_PATTERNS = samples(LISTENING, LISTENING_OF_SPECTATORS)
SPECTATORS_SUBJECTS = [*TELLING, *TELLING_OF_SPECTATORS]


async def test_a_spectators_gateway_hears_nothing_but_what_any_spectator_may(
    guarded: Engines, folder: Path
) -> None:
    async with (
        worker_in(guarded, folder) as worker,
        guest(guarded, credential_of(folder, SPECTATORS)) as thief,
    ):
        assert await thief.told_ways(SPECTATORS_PATTERNS, worker) == []


async def test_a_spectators_gateway_changes_and_asks_nothing_of_what_is_stored(
    guarded: Engines, folder: Path
) -> None:
    async with (
        worker_in(guarded, folder) as worker,
        guest(guarded, credential_of(folder, SPECTATORS)) as thief,
    ):
        before = await stored(worker)
        assert await thief.telling_ways(SPECTATORS_SUBJECTS, worker) == []
        assert await stored(worker) == before
        assert [name for name, *_ in before] == [*sorted(f"KV_{b}" for b in BUCKETS), "MLOG_0"]


async def test_a_players_gateway_hears_no_log_no_storage_and_no_other_gateway(
    guarded: Engines, folder: Path
) -> None:
    async with (
        worker_in(guarded, folder) as worker,
        guest(guarded, credential_of(folder, PLAYERS)) as thief,
    ):
        patterns = samples(LISTENING, LISTENING_OF_PLAYERS)
        assert await thief.told_ways(patterns, worker) == []


async def test_a_players_gateway_changes_and_asks_nothing_of_what_is_stored(
    guarded: Engines, folder: Path
) -> None:
    async with (
        worker_in(guarded, folder) as worker,
        guest(guarded, credential_of(folder, PLAYERS)) as thief,
    ):
        before = await stored(worker)
        subjects = [*TELLING, *TELLING_OF_PLAYERS]
        assert await thief.telling_ways(subjects, worker) == []
        assert await stored(worker) == before


async def test_a_right_too_many_is_found(guarded: Engines, folder: Path) -> None:
    async with worker_in(guarded, folder) as worker:
        for name in TOO_MUCH:
            own = credential_of(folder, (Role.SPECTATORS, name))
            async with guest(guarded, own) as thief:
                assert await has_an_open_way(thief, worker), name


async def has_an_open_way(thief: NatsClient, worker: NatsClient) -> bool:
    """Return whether anything is open that should not be; nothing is tried after the first."""
    for pattern, sample in SPECTATORS_PATTERNS:
        if await thief.is_told(pattern, sample, worker):
            return True
    # What tells storage to forget is not tried where it might be done.
    subjects = [s for s in SPECTATORS_SUBJECTS if "DELETE" not in s and "PURGE" not in s]
    for subject in subjects:
        if await thief.can_tell(subject, worker):
            return True
    return False


async def test_an_answer_goes_to_the_inbox_of_who_asks_and_to_no_other(
    guarded: Engines, folder: Path
) -> None:
    own = credential_of(folder, PLAYERS)
    async with carrier_as(guarded, credential_of(folder, WORKER)) as worker:
        asked: list[bytes] = []

        async def answer(_: str, data: bytes) -> bytes:
            asked.append(data)
            return b"said with the worker's rights"

        await worker.serve("req.m1.talk.*", answer)
        thief = await Connection.open(guarded.urls, own.name, own)
        for elsewhere in ("_INBOX_g2.x", "_INBOX_w1.x", "_INBOX.x", "_INBOX_g1x.x", "line.g2"):
            await thief.client.publish("req.m1.talk.g1", b"elsewhere", reply=elsewhere)
        answered = await thief.request("req.m1.talk.g1", b"own", WAIT_S)
        assert answered.data
        await thief.close()
        assert asked == [b"own"]


@cases(
    ("holder", "patterns", "subjects"),
    {
        "spectators": (
            SPECTATORS,
            ["view.m1.public", "view.*.omni", "line.s1", "here.worker.*", "_INBOX_s1.x"],
            ["look.m1.talk.s1", "look.any.talk.s1", "look.worker.w1.talk.s1", "here.gateway.s1"],
        ),
        "players": (
            PLAYERS,
            ["view.m1.public", "view.*.omni", "line.g1", "here.worker.*", "_INBOX_g1.x"],
            ["req.m1.talk.g1", "req.any.talk.g1", "req.worker.w1.talk.g1", "here.gateway.g1"],
        ),
        "the operator": (
            (Role.OPERATOR, "operator"),
            ["_INBOX_operator.x"],
            ["ctl.w1", "ctl.all"],
        ),
    },
)
async def test_each_may_do_its_own_work(
    guarded: Engines,
    folder: Path,
    holder: tuple[Role, str],
    patterns: list[str],
    subjects: list[str],
) -> None:
    async with (
        worker_in(guarded, folder) as worker,
        guest(guarded, credential_of(folder, holder)) as one,
    ):
        told = [(pattern, pattern.replace("*", "m1").replace(">", "m1")) for pattern in patterns]
        assert await one.told_ways(told, worker) == patterns
        assert await one.telling_ways(subjects, worker) == subjects


async def test_who_is_added_by_hand_without_rights_has_none(
    guarded: Engines, folder: Path
) -> None:
    added = Credential(role=Role.WORKER, name="w9", password="by hand")
    async with worker_in(guarded, folder) as worker, guest(guarded, added) as one:
        feeds = [("view.m1.public", "view.m1.public"), ("_INBOX_w9.>", "_INBOX_w9.x")]
        assert await one.told_ways([*SPECTATORS_PATTERNS, *feeds], worker) == []
        assert await one.telling_ways(SPECTATORS_SUBJECTS, worker) == []


async def test_the_operator_reads_no_match(guarded: Engines, folder: Path) -> None:
    async with (
        worker_in(guarded, folder) as worker,
        guest(guarded, credential_of(folder, (Role.OPERATOR, "operator"))) as operator,
    ):
        own = "_INBOX_operator.>"
        patterns = [row for row in SPECTATORS_PATTERNS if row[0] != own]
        feeds = [("view.m1.public", "view.m1.public"), ("view.*.omni", "view.m1.omni")]
        assert await operator.told_ways([*patterns, *feeds], worker) == []
        before = await stored(worker)
        subjects = [subject for subject in TELLING if not subject.startswith("ctl.")]
        assert await operator.telling_ways(subjects, worker) == []
        assert await stored(worker) == before


async def test_the_system_account_tells_how_safely_is_stored_and_reaches_no_match(
    guarded: Engines, folder: Path
) -> None:
    system = credential_of(folder, (Role.SYSTEM, "system"))
    async with guest(guarded, system) as asking, worker_in(guarded, folder) as worker:
        answer = await asking.client.request("$SYS.REQ.SERVER.PING.VARZ", b"", WAIT_S)
        assert b'"sync_always":true' in answer.data
        told = [("mlog.>", "mlog.0.m1"), ("view.>", "view.m1.A"), ("$SYS.>", "$SYS.x")]
        assert await asking.told_ways(told, worker) == []
        subjects = ["mlog.0.m1", "$JS.API.INFO", "$SYS.REQ.SERVER.x.KICK", "ctl.all"]
        assert await asking.telling_ways(subjects, worker) == []


@cases(
    "shown",
    {
        "nothing": {},
        "a name alone": {"user": "spectators-s1"},
        "a wrong secret": {"user": "spectators-s1", "pass": "wrong"},
        "a token": {"auth_token": "spectators-s1"},
        "nobody": {"user": "", "pass": ""},
        "a name that is not there": {"user": "spectators-s9", "pass": "wrong"},
        "the engine's own way to meet": {"user": "route", "pass": "route"},
    },
)
async def test_nobody_gets_in_without_a_credential(
    guarded: Engines, shown: dict[str, str]
) -> None:
    assert await greeted(guarded, shown) == REFUSED


async def test_who_is_deleted_is_put_out_when_the_engine_reads_anew(tmp_path: Path) -> None:
    made, pid = tmp_path / "made", tmp_path / "pid"
    make_credentials(Plan(made, HOLDERS), SystemEntropy())
    first = (made / AUTHORIZATION).read_text()
    with running_engines(1, f"{first}\npid_file: {json.dumps(str(pid))}\n") as engines:
        async with (
            guest(engines, credential_of(made, SPECTATORS)) as thief,
            guest(engines, credential_of(made, PLAYERS)) as other,
        ):
            file_of(made, *SPECTATORS).unlink()
            make_credentials(Plan(made, ()), SystemEntropy())
            (node,) = engines.nodes
            config = node.folder / "server.conf"
            config.write_text(
                config.read_text().replace(first, (made / AUTHORIZATION).read_text())
            )
            os.kill(int(pid.read_text()), signal.SIGHUP)
            await thief.put_out()
            assert other.client.is_connected


async def test_a_secret_opens_one_name_alone(guarded: Engines, folder: Path) -> None:
    own = credential_of(folder, SPECTATORS)
    assert await greeted(guarded, {"user": own.user, "pass": own.password}) == "PONG"
    for user in ("players-g1", "worker-w1", "operator", "system", "spectators-may-read-a-side"):
        assert await greeted(guarded, {"user": user, "pass": own.password}) == REFUSED
