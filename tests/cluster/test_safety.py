"""An engine is refused that may lose what it acknowledged, and what to change is said."""

import copy
from typing import Any, NamedTuple

import pytest

from builders.engines import ACCOUNTS, Engines, running_engines
from sunglare_server.cluster.client.connection import EngineError
from sunglare_server.cluster.client.durability_check import (
    UnsafeEngineError,
    faults_of,
    require_safety,
)

SAFE: dict[str, Any] = {
    "server_name": "n1",
    "version": "2.10.23",
    "max_payload": 8 * 1024 * 1024,
    "jetstream": {"config": {"sync_always": True}, "meta": {"cluster_size": 3}},
}


class Shown(NamedTuple):
    """A login of a test."""

    user: str
    password: str
    inbox: str = "_INBOX_x"


SYSTEM = Shown("sys", "sys")


def but(**other: Any) -> dict[str, Any]:
    """Return what a safe server says, but for something."""
    return {**copy.deepcopy(SAFE), **other}


def test_a_safe_engine_has_no_fault() -> None:
    assert faults_of([SAFE, SAFE]) == ()


def test_a_server_that_keeps_no_streams_may_be_as_it_likes() -> None:
    assert faults_of([SAFE, but(version="2.9.1", jetstream={}, max_payload=1)]) == ()


@pytest.mark.parametrize(
    ("answer", "fault"),
    [
        (but(version="2.10.22"), "n1 is of version 2.10.22: run at least 2.10.23"),
        (but(version="2.9.30"), "2.9.30"),
        (but(version="2.10.9-RC.99"), "2.10.9-RC.99"),
        (
            but(jetstream={"config": {"sync_interval": 1}, "meta": {"cluster_size": 3}}),
            "set `sync_interval: always`",
        ),
        (but(max_payload=1_048_576), "set `max_payload: 8MB`"),
    ],
)
def test_what_is_to_be_changed_is_said_with_the_name_of_the_server(
    answer: dict[str, Any], fault: str
) -> None:
    (said,) = faults_of([SAFE, answer])
    assert fault in said
    assert said.startswith("server n1 ")


@pytest.mark.parametrize("version", ["2.10.23", "2.11.0", "2.15.1", "3.0.0", "2.12.0-preview.1"])
def test_later_versions_are_new_enough(version: str) -> None:
    assert faults_of([but(version=version)]) == ()


def test_two_servers_are_too_few() -> None:
    config = {"sync_always": True}
    for meta in ({}, {"meta": {"cluster_size": 2}}):
        (said,) = faults_of([but(jetstream={"config": config, **meta})])
        assert "3 are needed" in said


def test_an_engine_that_tells_nothing_has_a_fault() -> None:
    assert "system account" in faults_of([])[0]


@pytest.mark.needs_nats
async def test_a_cluster_that_keeps_what_it_acknowledges_is_taken(cluster: Engines) -> None:
    await require_safety(cluster.urls, SYSTEM)


@pytest.mark.needs_nats
async def test_a_cluster_is_taken_while_one_of_its_servers_is_away(cluster: Engines) -> None:
    cluster.nodes[2].kill()
    await require_safety(cluster.urls, SYSTEM)


@pytest.mark.needs_nats
async def test_one_node_is_refused_unless_it_is_for_development(
    node: Engines, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(UnsafeEngineError, match="3 are needed"):
        await require_safety(node.urls, SYSTEM)
    await require_safety(node.urls, SYSTEM, is_development=True)
    assert "nats_durability_doubtful" in capsys.readouterr().out


@pytest.mark.needs_nats
@pytest.mark.parametrize("login", [None, Shown("worker", "worker")], ids=["none", "a worker's"])
async def test_an_engine_is_refused_of_which_it_can_not_be_told(
    cluster: Engines, login: Shown | None
) -> None:
    with pytest.raises(UnsafeEngineError, match="login of the system account"):
        await require_safety(cluster.urls, login)


@pytest.mark.needs_nats
async def test_a_wrong_password_is_said() -> None:
    wrong = Shown("sys", "wrong")
    with (
        running_engines(1, ACCOUNTS.replace("no_auth_user: worker", "")) as engines,
        pytest.raises(EngineError, match="Authorization Violation"),
    ):
        await require_safety(engines.urls, wrong, within_s=1.0)


@pytest.mark.needs_nats
async def test_a_server_that_writes_later_is_refused() -> None:
    with running_engines(1, ACCOUNTS, jetstream="sync_interval: 1s") as engines:
        with pytest.raises(UnsafeEngineError) as caught:
            await require_safety(engines.urls, SYSTEM)
        assert len(caught.value.faults) == 2
        assert "n0 acknowledges before it writes to disk" in caught.value.faults[0]
