"""A gateway whose credential was stolen gets nothing by it but what its own lines may have."""

from collections.abc import Awaitable, Callable

import pytest
from msgspec.structs import replace
from structlog.testing import capture_logs

from builders.feedmessages import parcels_of
from builders.remotematches import A, Person, RemoteMatches, yonder
from builders.runners import runners_of
from sunglare_protocol import messages
from sunglare_protocol.codec import Form, decode_server, encode_client
from sunglare_protocol.ids import OMNI, PUBLIC, Audience, MatchId
from sunglare_protocol.refusals import Code
from sunglare_server.transport.log_limit import WINDOW_MS
from sunglare_server.transport.messages import (
    Answer,
    Backlog,
    ClientContext,
    ClientRequest,
    ErrorResponse,
    FetchRecord,
    FetchSince,
    GatewayHeartbeat,
    MatchStatusQuery,
    Reattach,
    RecordChunk,
    RenewClaim,
    Request,
    Response,
    SignedClaim,
    WorkerHeartbeat,
    mark_of,
    sealed_up,
)
from sunglare_server.transport.subjects import (
    OF_GATEWAYS,
    Trust,
    gateway_here,
    of_anybody,
    of_match,
    of_worker,
    worker_here,
)
from sunglare_server.worker.rpc_server import LOG_LINES_MOST, WHY_MOST
from transport.test_rights_at_gateways import secret
from transport.test_spectators_gateways import KINDS, made
from transport.words_of_sides import OF_A, OF_B, asked, card_of, token_of

CASTER = Audience("caster")
FEEDS = (OF_A, OF_B, CASTER, OMNI, PUBLIC)
HOSTILE = "g9"
NAMES = {Trust.PLAYERS: "players' gateway", Trust.SPECTATORS: "spectators' gateway"}
roles = pytest.mark.parametrize("trust", OF_GATEWAYS, ids=NAMES.get)


async def scene(y: RemoteMatches, trust: Trust, **options: str) -> tuple[Person, Person, MatchId]:
    """Return who plays at an honest gateway, and who is at the hostile one, and the match."""
    near, hostile = await y.gate("near"), await y.gate(HOSTILE, trust)
    ann, bob = await near.one("ann"), await near.one("bob")
    eve = await hostile.one("eve")
    match = await y.duel(ann, bob, **options)
    await y.play(match, 1)
    return ann, eve, match


async def asks(y: RemoteMatches, trust: Trust, match: MatchId, request: Request) -> list[Answer]:
    """Return what the hostile gateway is answered, wherever it may ask."""
    where = (
        of_match(trust, match, HOSTILE),
        of_anybody(trust, HOSTILE),
        of_worker(trust, "w", HOSTILE),
    )
    return [await asked(y, HOSTILE, subject, sealed_up(request)) for subject in where]


def said(context: ClientContext, message: messages.ClientMessage) -> ClientRequest:
    """Return a request that says something for a line."""
    return ClientRequest(context, encode_client(message, Form.PACKED))


def refusal_of(answer: Answer) -> Code | None:
    """Return why a message was refused; None if it was not."""
    assert isinstance(answer, Response)
    told = decode_server(answer.answer, Form.PACKED)
    return told.code if isinstance(told, messages.Refused) else None


async def plays_on(y: RemoteMatches, person: Person, match: MatchId) -> bool:
    """Return whether somebody in a seat is shown what comes next."""
    before = len(person.peer.posts(match))
    await y.play(match, 1)
    return len(person.peer.posts(match)) > before


Forge = Callable[[RemoteMatches, Person, Person], Awaitable[ClientContext]]
"""Makes a card on which a line of the hostile gateway says that it is somebody's."""


async def of_another_gateway(y: RemoteMatches, ann: Person, _: Person) -> ClientContext:
    return await card_of(y, HOSTILE, 77, ann, is_own=False)


async def of_another_line(_: RemoteMatches, __: Person, eve: Person) -> ClientContext:
    return replace(eve.talk.context, number=77)


async def with_another_account(_: RemoteMatches, ann: Person, eve: Person) -> ClientContext:
    assert ann.talk.caller is not None
    assert eve.talk.seal is not None
    seal = replace(eve.talk.seal, account=ann.talk.caller.account)
    return replace(eve.talk.context, number=77, seal=seal)


async def made_up(_: RemoteMatches, ann: Person, eve: Person) -> ClientContext:
    assert ann.talk.caller is not None
    assert eve.talk.seal is not None
    key = eve.talk.seal.key
    seal = SignedClaim(
        ann.talk.caller.account, "ann", False, "", bytes(16), key, 1_000_000, bytes(16)
    )
    return replace(eve.talk.context, number=77, seal=seal)


async def with_an_empty_mac(_: RemoteMatches, ann: Person, eve: Person) -> ClientContext:
    assert ann.talk.seal is not None
    return replace(eve.talk.context, number=77, seal=replace(ann.talk.seal, mac=b""))


async def with_a_later_time(_: RemoteMatches, __: Person, eve: Person) -> ClientContext:
    seal = eve.talk.seal
    assert seal is not None
    later = replace(seal, sealed_ms=seal.sealed_ms + 1)
    return replace(eve.talk.context, number=77, seal=later)


FORGED = (
    of_another_gateway,
    of_another_line,
    with_another_account,
    made_up,
    with_an_empty_mac,
    with_a_later_time,
)


@roles
async def test_a_line_is_whose_its_seal_says_and_nobody_elses(trust: Trust) -> None:
    async with yonder() as y:
        ann, eve, match = await scene(y, trust)
        room, state = y.lobby.rooms[match], runners_of(y.lobby.matches)[match].state
        asked_in_vain = 0
        for forge in FORGED:
            context = await forge(y, ann, eve)
            requests: list[Request] = [
                said(context, made(kind, match, OF_A, token_of(eve), 1)) for kind in KINDS
            ]
            requests += [
                RenewClaim(context),
                Reattach(context, match, A, None),
                Reattach(context, match, None, OF_A),
            ]
            for request in requests:
                with capture_logs() as logs:
                    answer = await asked(
                        y, HOSTILE, of_anybody(trust, HOSTILE), sealed_up(request)
                    )
                assert answer == ErrorResponse("w"), (forge.__name__, request)
                asked_in_vain += 1
                assert len(logs) == (asked_in_vain <= LOG_LINES_MOST)
        assert y.lobby.rooms[match] == room
        assert runners_of(y.lobby.matches)[match].state is state
        assert ann.peer.farewell is None
        with capture_logs() as logs:
            await y.go_on(WINDOW_MS)
        left_out = [line for line in logs if line["event"] == "log_lines_left_out"]
        assert [(line["gateway"], line["lines"]) for line in left_out] == [
            (HOSTILE, asked_in_vain - LOG_LINES_MOST)
        ]


@roles
async def test_no_log_line_quotes_a_request_at_length(trust: Trust) -> None:
    async with yonder() as y:
        _, eve, match = await scene(y, trust)
        forged = replace(eve.talk.context, gateway="g" * 100_000)
        here = sealed_up(GatewayHeartbeat("g" * 100_000, trust))
        with capture_logs() as logs:
            assert await asks(y, trust, match, RenewClaim(forged)) == [ErrorResponse("w")] * 3
            (await y.gate(HOSTILE, trust)).carrier.publish(gateway_here(HOSTILE), here)
            await y.go_on(1)
        assert [line["event"] for line in logs] == [
            *["gateway_request_unreadable"] * 3,
            "heartbeat_unreadable",
        ]
        assert all(len(line["why"]) <= WHY_MOST for line in logs)


@roles
async def test_a_line_without_a_seal_can_say_hello_and_nothing_else(trust: Trust) -> None:
    async with yonder() as y:
        _, eve, match = await scene(y, trust)
        for number, kind in enumerate(KINDS, 100):
            message = made(kind, match, PUBLIC, token_of(eve), 1)
            context = await card_of(y, HOSTILE, number, None)
            for answer in await asks(y, trust, match, said(context, message)):
                if kind != "Hello":
                    early = (Code.MESSAGE_EARLY, Code.SERVER_SPECTATORS)
                    assert refusal_of(answer) in early, kind


@roles
async def test_a_line_gets_its_seal_by_its_own_token_alone(trust: Trust) -> None:
    async with yonder() as y:
        ann, eve, match = await scene(y, trust)
        hello = messages.Hello(id=1, v=messages.PROTOCOL_VERSION, token=token_of(eve))
        context = await card_of(y, HOSTILE, 77, None)
        answer = await asked(
            y, HOSTILE, of_anybody(trust, HOSTILE), sealed_up(said(context, hello))
        )
        assert isinstance(answer, Response)
        assert answer.seal is not None
        assert eve.talk.caller is not None
        assert answer.seal.account == eve.talk.caller.account
        hello = messages.Hello(id=1, v=messages.PROTOCOL_VERSION, token=f"{token_of(ann)}x")
        context = await card_of(y, HOSTILE, 78, None)
        for vain in await asks(y, trust, match, said(context, hello)):
            assert isinstance(vain, Response)
            assert vain.seal is None


@roles
async def test_what_was_released_of_a_feed_is_told_only_for_a_line_that_holds_it(
    trust: Trust,
) -> None:
    async with yonder() as y:
        ann, eve, match = await scene(y, trust)
        for feed in FEEDS:
            for context in (eve.talk.context, replace(eve.talk.context, number=77)):
                for answer in await asks(y, trust, match, FetchSince(context, match, feed, 0)):
                    assert answer == Response("w", is_cut=True), feed
        foreign = FetchSince(ann.talk.context, match, OF_A, 0)
        assert await asks(y, trust, match, foreign) == [ErrorResponse("w")] * 3
        await eve.expect(messages.Watching, messages.Watch, match=match, feed=PUBLIC)
        (answer, *_) = await asks(y, trust, match, FetchSince(eve.talk.context, match, PUBLIC, 0))
        assert isinstance(answer, Backlog)
        assert answer.encoded_messages
        for feed in (OF_A, OF_B, CASTER, OMNI):
            (answer, *_) = await asks(
                y, trust, match, FetchSince(eve.talk.context, match, feed, 0)
            )
            assert answer == Response("w", is_cut=True), feed


@roles
async def test_a_seat_comes_back_by_the_newest_ticket_of_its_line_alone(trust: Trust) -> None:
    async with yonder() as y:
        ann, eve, match = await scene(y, trust)
        tickets = await y.store.tickets_of(match, A)
        older = await y.store.tickets_of(match, A)
        proofs = ("", "x" * 64, token_of(eve), tickets[-1].hash.upper())
        for proof in proofs:
            for answer in await asks(
                y, trust, match, Reattach(eve.talk.context, match, A, None, proof)
            ):
                assert isinstance(answer, ErrorResponse if trust is Trust.SPECTATORS else Response)
                assert not getattr(answer, "holds", ())
        assert older == await y.store.tickets_of(match, A)
        assert ann.peer.farewell is None
        assert await plays_on(y, ann, match)


@roles
async def test_a_feed_comes_back_by_its_proof_alone(trust: Trust) -> None:
    async with yonder() as y:
        ann, eve, match = await scene(y, trust)
        await eve.expect(messages.Watching, messages.Watch, match=match, feed=PUBLIC)
        own = eve.talk.back(match)
        (answer, *_) = await asks(y, trust, match, own)
        assert isinstance(answer, Response)
        assert [hold.feed for hold in answer.holds] == [PUBLIC]
        await eve.accepted(messages.Leave, match=match)
        proofs = (
            b"",
            bytes(16),
            own.feed_proof[:-1],
            y.seals.feed_proof(ann.talk.context, match, PUBLIC),
        )
        for proof in proofs:
            for answer in await asks(y, trust, match, replace(own, feed_proof=proof)):
                assert isinstance(answer, Response)
                assert answer.holds == ()
        # The right to the feed is looked at beside the proof.
        for feed in (OF_A, CASTER):
            proof = y.seals.feed_proof(eve.talk.context, match, feed)
            back = Reattach(eve.talk.context, match, None, feed, "", proof)
            for answer in await asks(y, trust, match, back):
                assert not getattr(answer, "holds", ())


@roles
async def test_how_a_match_stands_in_a_list_only_another_worker_may_ask(trust: Trust) -> None:
    async with yonder() as y:
        ann, _, match = await scene(y, trust)
        assert ann.talk.caller is not None
        glance = MatchStatusQuery(match, ann.talk.caller.account)
        with capture_logs() as logs:
            assert await asks(y, trust, match, glance) == [ErrorResponse("w")] * 3
        assert len(logs) == 3


@roles
async def test_no_record_of_a_match_that_goes_on_is_given_out(trust: Trust) -> None:
    async with yonder() as y:
        _, __, match = await scene(y, trust)
        assert await asks(y, trust, match, FetchRecord(match)) == [RecordChunk()] * 3


@roles
async def test_what_only_some_may_see_goes_to_the_gateways_of_their_lines_alone(
    trust: Trust,
) -> None:
    async with yonder() as y:
        _, eve, match = await scene(y, trust)
        await eve.expect(messages.Watching, messages.Watch, match=match, feed=PUBLIC)
        y.road.posted.clear()
        await y.play(match, 3)
        where = {(one.subject, one.feed) for one in parcels_of(y.road.posted)}
        assert where == {
            ("line.near", OF_A),
            ("line.near", OF_B),
            (f"view.{match}.{PUBLIC}", PUBLIC),
        }


async def test_nothing_of_a_private_match_is_shown_to_all_gateways() -> None:
    async with yonder() as y:
        near, far = await y.gate("near"), await y.gate("far")
        ann, bob, eve = await near.one("ann"), await near.one("bob"), await far.one("eve")
        room = await secret(y, ann, ann, bob)
        match = room.match
        shown = {"match": match, "code": room.code, "feed": PUBLIC}
        await eve.expect(messages.Watching, messages.Watch, **shown)
        tap, before = y.tap(match, PUBLIC), len(eve.peer.posts(match))
        await y.play(match, 2)
        assert not [post for post in y.road.posted if match in post.subject]
        where = [one.subject for one in parcels_of(y.road.posted) if one.feed == PUBLIC]
        assert set(where) == {"line.far"}
        assert eve.peer.posts(match)[before:] == tap.posts(match)


async def test_signs_of_life_name_no_match_and_a_gateway_that_holds_one_finds_it() -> None:
    async with yonder() as y:
        _, eve, match = await scene(y, Trust.PLAYERS)
        y.reception.own(match, True)
        await y.go_on(2_000)
        signs = [post for post in y.road.posted if post.subject.startswith("here.worker.")]
        assert any(mark_of(match) in post.data for post in signs)
        assert not any(match.encode() in post.data for post in y.road.posted if post in signs)
        assert eve.peer.farewell is None
        ann = y.people[0]
        taken = WorkerHeartbeat("w2", 1, took=mark_of(match))
        y.carrier.publish(worker_here("w2"), sealed_up(taken))
        y.road.asked.clear()
        await y.go_on(500)
        backs = [name for name, _, __ in y.road.asked if name == "near"]
        assert backs
        assert await plays_on(y, ann, match)


async def test_no_gateway_is_taken_for_a_worker() -> None:
    async with yonder() as y:
        ann, _, match = await scene(y, Trust.PLAYERS)
        hostile = next(gate for gate in y.gates if gate.name == HOSTILE)
        for data in (
            sealed_up(WorkerHeartbeat(HOSTILE, 1, took=mark_of(match))),
            sealed_up(WorkerHeartbeat(HOSTILE, 1, called="w9")),
        ):
            hostile.carrier.publish(gateway_here(HOSTILE), data)
        y.road.asked.clear()
        await y.go_on(1_000)
        near = next(gate for gate in y.gates if gate.name == "near")
        assert near.service.workers == ("w",)
        assert not [name for name, _, __ in y.road.asked if name == "near"]
        assert await plays_on(y, ann, match)
