"""The sample of an engine's configuration, run with what the operator's command makes for it."""

import contextlib
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from nats.js.api import StorageType

from builders.engines import Engine, Engines
from builders.natsclients import guest
from sunglare_server.base.entropy import SystemEntropy, ticket_text
from sunglare_server.cluster.client.authorization import routes
from sunglare_server.cluster.client.connection import Connection, EngineError
from sunglare_server.cluster.client.credentials import CA, file_of, read_credential, trust_beside
from sunglare_server.cluster.client.permissions import Role
from sunglare_server.ops.cluster.certificates import ENGINE_CERTIFICATE, ENGINE_KEY
from sunglare_server.ops.cluster.credentials import AUTHORIZATION, ROUTES, Plan, make_credentials

pytestmark = pytest.mark.needs_nats

SAMPLE = Path(__file__).parents[2] / "server" / "contrib" / "engine.conf"

WAIT_S = 30
"""Seconds in which an engine has long since tried to join."""


def place(engine: Engine, made: Path) -> None:
    """Give an engine the sample, with addresses of its own, and what belongs beside it."""
    text = SAMPLE.read_text(encoding="utf-8")
    for word, own in {
        "server_name: n1": f"server_name: {engine.name}",
        '"0.0.0.0:4222"': f'"127.0.0.1:{engine.port}"',
        '"0.0.0.0:6222"': f'"127.0.0.1:{engine.route_port}"',
        '"127.0.0.1:8222"': f'"127.0.0.1:{engine.monitor_port}"',
        '"/var/lib/sunglare-engine"': f'"{engine.folder}"',
    }.items():
        assert text.count(word) == 1, word
        text = text.replace(word, own)
    text = text.replace('"/etc/sunglare-engine/', f'"{engine.folder}/')
    (engine.folder / "server.conf").write_text(text, encoding="utf-8")
    for name in (AUTHORIZATION, ROUTES, CA, ENGINE_CERTIFICATE, ENGINE_KEY):
        (engine.folder / name).write_bytes((made / name).read_bytes())


def meeting_places(engines: Engines) -> tuple[str, ...]:
    return tuple(f"127.0.0.1:{node.route_port}" for node in engines.nodes)


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return an empty folder for credentials."""
    return tmp_path_factory.mktemp("made")


@pytest.fixture(scope="module")
def three(tmp_path_factory: pytest.TempPathFactory, made: Path) -> Iterator[Engines]:
    """Run three engines as the sample has them."""
    engines = Engines(tmp_path_factory.mktemp("engines"), 3, "", "")
    make_credentials(Plan(made, ((Role.WORKER, "w1"),), meeting_places(engines)), SystemEntropy())
    for node in engines.nodes:
        place(node, made)
    try:
        engines.start()
        yield engines
    finally:
        engines.end()


@contextlib.contextmanager
def running_as_n9(intruder: Engine) -> Iterator[None]:
    """Run an engine by a name that none of the others has, which alone would be refused."""
    config = intruder.folder / "server.conf"
    config.write_text(config.read_text().replace("server_name: n0", "server_name: n9"))
    intruder.start()
    try:
        yield
    finally:
        intruder.end()


def wait_until(is_so: Callable[[], bool]) -> None:
    deadline = time.monotonic() + WAIT_S
    while not is_so():
        assert time.monotonic() < deadline
        time.sleep(0.02)


async def test_three_of_them_are_one_cluster_that_stores_at_once(
    three: Engines, made: Path
) -> None:
    for node in three.nodes:
        told = node.ask("/varz")
        assert told["jetstream"]["config"]["sync_always"]
        assert told["max_payload"] == 8 * 1024 * 1024
    mine = file_of(made, Role.WORKER, "w1")
    async with guest(three, read_credential(mine), trust_beside(mine)) as worker:
        stream = await worker.client.jetstream(timeout=WAIT_S).add_stream(
            name="MLOG_0", subjects=["mlog.0.>"], num_replicas=3
        )
        assert stream.config.storage == StorageType.FILE
        assert stream.cluster is not None
        assert len(stream.cluster.replicas or ()) == 2


async def test_a_worker_reaches_them_encrypted_and_trusts_no_other_certificate(
    three: Engines, made: Path, tmp_path: Path
) -> None:
    mine = file_of(made, Role.WORKER, "w1")
    login, urls = read_credential(mine), tuple(url.replace("nats:", "tls:") for url in three.urls)
    connection = await Connection.open(urls, "a worker", login, trust_beside(mine))
    await connection.close()
    make_credentials(Plan(tmp_path, (), meeting_places(three)), SystemEntropy())
    others = trust_beside(tmp_path / "operator.json")
    with pytest.raises(EngineError, match="certificate verify failed"):
        await Connection.open(urls, "a worker", login, others, within_s=3.0)


def test_an_engine_without_their_certificate_does_not_join(
    three: Engines, made: Path, tmp_path: Path
) -> None:
    folder = tmp_path / "engine"
    folder.mkdir()
    (intruder,) = Engines(folder, 1, "", "").nodes
    make_credentials(Plan(tmp_path / "own", (), meeting_places(three)), SystemEntropy())
    place(intruder, tmp_path / "own")
    (intruder.folder / ROUTES).write_bytes((made / ROUTES).read_bytes())
    with running_as_n9(intruder):
        wait_until(lambda: "TLS route handshake error" in intruder.log.read_text())
        for node in three.nodes:
            found = [route["remote_name"] for route in node.ask("/routez")["routes"]]
            assert "n9" not in found


def test_an_engine_without_their_secret_does_not_join(
    three: Engines, made: Path, tmp_path: Path
) -> None:
    (intruder,) = Engines(tmp_path, 1, "", "").nodes
    place(intruder, made)
    guessed = routes(meeting_places(three), ticket_text(SystemEntropy()))
    (intruder.folder / ROUTES).write_text(guessed)
    with running_as_n9(intruder):
        wait_until(lambda: "Authorization Violation" in intruder.log.read_text())
        for node in three.nodes:
            found = [route["remote_name"] for route in node.ask("/routez")["routes"]]
            assert sorted({*found}) == sorted(n.name for n in three.nodes if n is not node)
