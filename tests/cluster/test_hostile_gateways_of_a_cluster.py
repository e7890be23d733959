"""What a stolen credential of a gateway brings at a real engine, beside an honest gateway."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import nats.errors
import pytest

from builders.engines import Engines, running_engines
from builders.players import created, seated
from builders.wires import met
from cluster.test_operator_of_a_cluster import WAIT_S, Capsys, Site
from sunglare_protocol.codec import Form, encode_client
from sunglare_protocol.ids import OMNI, PUBLIC, Audience, MatchId, Side
from sunglare_protocol.messages import Chat, Frame
from sunglare_server.base.entropy import SystemEntropy
from sunglare_server.cluster.client.authorization import authorization
from sunglare_server.cluster.client.connection import Connection
from sunglare_server.cluster.client.credentials import Credential, file_of, read_credential
from sunglare_server.cluster.client.permissions import Role
from sunglare_server.ops.cluster.credentials import Plan, make_credentials
from sunglare_server.transport.messages import (
    TRANSPORT_VERSION,
    ClientContext,
    ClientRequest,
    ErrorResponse,
    FetchRecord,
    FetchSince,
    MatchStatusQuery,
    Reattach,
    RecordChunk,
    RenewClaim,
    Request,
    Response,
    SignedClaim,
    WorkerHeartbeat,
    answer_of,
    mark_of,
    sealed_up,
)
from transport.test_spectators_gateways import KINDS, made

pytestmark = pytest.mark.needs_nats

HOLDERS = (
    (Role.WORKER, "w1"),
    (Role.PLAYERS, "g1"),
    (Role.PLAYERS, "g9"),
    (Role.SPECTATORS, "s9"),
)
STOLEN = {"req": HOLDERS[2], "look": HOLDERS[3]}
FEEDS = (Audience("A"), Audience("B"), Audience("caster"), OMNI, PUBLIC)
OTHERS = ("view.>", "view.*.A", "line.g1", "here.gateway.*", "req.>", "peer.>", "_INBOX_g1.>")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder of credentials, among them two that are stolen."""
    made_in = tmp_path_factory.mktemp("credentials")
    make_credentials(Plan(made_in, HOLDERS), SystemEntropy())
    return made_in


@pytest.fixture(scope="module")
def guarded(folder: Path) -> Iterator[Engines]:
    """Run an engine that lets in whoever has one of these credentials."""
    credentials = [read_credential(path) for path in folder.glob("*.json")]
    with running_engines(1, authorization(credentials)) as engines:
        yield engines


@contextlib.asynccontextmanager
async def thief_of(site: Site, trust: str) -> AsyncIterator[tuple[Connection, Credential]]:
    """Return a connection with a stolen credential, and whose it was."""
    stolen = read_credential(file_of(site.folder, *STOLEN[trust]))
    connection = await Connection.open(site.engines.urls, stolen.name, stolen)
    try:
        yield connection, stolen
    finally:
        await connection.close()


def requests_of(match: MatchId, account: str, name: str) -> list[Request]:
    """Return what a thief may ask who knows the ids of an account and of a match."""
    bare = ClientContext(name, 1, 1, Form.PACKED, road=TRANSPORT_VERSION)
    seal = SignedClaim(account, "anna", False, "", bytes(16), bytes(4), 1, bytes(16))
    forged = ClientContext(name, 1, 2, Form.PACKED, None, None, seal, TRANSPORT_VERSION)
    asked: list[Request] = [FetchSince(bare, match, feed, 0) for feed in FEEDS]
    for card in (bare, forged):
        asked += [
            ClientRequest(
                card, encode_client(made(kind, match, Audience("A"), "", 1), Form.PACKED)
            )
            for kind in KINDS
            # Without a token anybody may say hello, as somebody new.
            if kind != "Hello"
        ]
        asked += [
            Reattach(card, match, Side("A"), None),
            Reattach(card, match, None, Audience("A")),
        ]
        asked += [RenewClaim(card)]
    return [*asked, FetchRecord(match), MatchStatusQuery(match, account)]


@pytest.mark.parametrize("trust", STOLEN)
async def test_a_stolen_credential_brings_nothing_of_a_match_and_changes_nothing(
    guarded: Engines, folder: Path, capsys: Capsys, trust: str
) -> None:
    site = Site(guarded, folder, capsys)
    async with (
        site.worker("w1") as worker,
        site.gateway() as edge,
        met(edge.url, f"anna {trust}") as anna,
        met(edge.url, f"boris {trust}") as boris,
        asyncio.timeout(WAIT_S),
    ):
        match = await created(anna)
        for talker in (anna, boris):
            await seated(talker, match)
        for talker in (anna, boris):
            await talker.ready(match)
        await anna.came(Frame)
        room, handle = worker.lobby.rooms[match], worker.lobby.matches.handle(match)
        assert handle is not None
        account = room.seats[0].account
        async with thief_of(site, trust) as (thief, stolen):
            heard: list[str] = []

            async def note(message: object) -> None:
                heard.append(str(message))

            for subject in OTHERS:
                await thief.client.subscribe(subject, cb=note)
            here = sealed_up(WorkerHeartbeat("w9", 1, took=mark_of(match)))
            for subject in ("here.worker.w9", f"here.worker.{stolen.name}", "line.g1"):
                await thief.client.publish(subject, here)
            await thief.client.publish(f"here.gateway.{stolen.name}", here)
            for request in requests_of(match, account, stolen.name):
                for where in (match, "any"):
                    subject = f"{trust}.{where}.talk.{stolen.name}"
                    answered = await thief.request(subject, sealed_up(request), WAIT_S)
                    answer = answer_of(answered.data)
                    assert (
                        isinstance(answer, ErrorResponse)
                        or answer == RecordChunk()
                        or _is_empty(answer)
                    )
            with pytest.raises(nats.errors.Error):
                await thief.request(f"{trust}.{match}.talk.g1", b"", 0.2)
            await anna.accepted(Chat, match=match, text="still here")
            assert heard == []
        assert worker.lobby.rooms[match] == room
        assert not handle.is_told_over


def _is_empty(answer: object) -> bool:
    """Return whether an answer gives nothing but a refusal."""
    assert isinstance(answer, Response)
    return not answer.said and not answer.holds and answer.seal is None
