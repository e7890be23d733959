"""The secrecy of the road: frames on their beat, spectators' gateways, and who speaks for whom."""

import itertools

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from structlog.testing import capture_logs

from builders.feedmessages import parcels_of
from builders.remotematches import A, B, yonder
from builders.runners import runners_of
from canary.words import Words
from sunglare_protocol import messages
from sunglare_protocol.codec import Form, encode_client
from sunglare_protocol.ids import OMNI, PUBLIC, Audience, MatchId
from sunglare_server.base.library import Library
from sunglare_server.match.clock.presets import BEAT_MS
from sunglare_server.transport.messages import (
    TRANSPORT_VERSION,
    Backlog,
    ClientContext,
    ClientRequest,
    Disconnected,
    ErrorResponse,
    FetchRecord,
    FetchSince,
    GatewayHeartbeat,
    Reattach,
    RecordChunk,
    Request,
    Response,
    WorkerHeartbeat,
    mark_of,
    request_of,
    sealed_up,
)
from sunglare_server.transport.subjects import (
    OF_GATEWAYS,
    Trust,
    gateway_here,
    of_anybody,
    of_match,
    of_worker,
)
from transport.words_of_sides import OF_A, OF_B, asked, canaries, secrets_of

CASTER = Audience("caster")


async def test_the_names_of_a_sides_pieces_reach_its_own_lines_and_nobody_elses(
    library: Library, words: Words
) -> None:
    async with yonder(library=library) as y:
        ann, bob, eve, match = await canaries(y)
        far, looking = await y.gate("far"), await y.gate("s1", Trust.SPECTATORS)
        others = [await gate.one(name) for gate, name in ((far, "zoe"), (looking, "yve"))]
        for person in others:
            await person.expect(messages.Watching, messages.Watch, match=match, feed=PUBLIC)
        for feed in (OF_A, OF_B, OMNI, CASTER):
            await others[0].expect(messages.Refused, messages.Watch, match=match, feed=feed)
        await eve.expect(messages.Watching, messages.Watch, match=match, feed=OF_A)
        for gate in y.gates:
            gate.carrier.cut()
            await y.play(match, 2)
            gate.carrier.mend()
            await y.go_on(2_000)
        of_a, of_b = secrets_of(words, A), secrets_of(words, B)
        everything = {person: b"".join(person.peer.came) for person in (ann, bob, eve, *others)}
        assert _found(of_a, everything[ann]) == of_a
        assert _found(of_b, everything[bob]) == of_b
        assert _found(of_a, everything[eve]) == of_a
        assert not any(_found(of_b, everything[person]) for person in (ann, eve, *others))
        assert not any(_found(of_a, everything[person]) for person in (bob, *others))


def _found(secrets: list[bytes], data: bytes) -> list[bytes]:
    return [secret for secret in secrets if secret in data]


@pytest.mark.parametrize("what", ["speak", "back", "hung up"])
async def test_no_gateway_speaks_for_a_line_of_another(what: str) -> None:
    async with yonder() as y:
        near, _ = await y.gate("near"), await y.gate("far")
        ann, bob = await near.one("ann"), await near.one("bob")
        match = await y.duel(ann, bob)
        context = ann.talk.context
        resigns = encode_client(messages.Resign(id=99, match=match), Form.PACKED)
        requests: dict[str, Request] = {
            "speak": ClientRequest(context, resigns, is_known=True),
            "back": Reattach(context, match, A, None),
            "hung up": Disconnected(context, deliberate=True),
        }
        for subject in (
            of_match(Trust.PLAYERS, match, "far"),
            of_anybody(Trust.PLAYERS, "far"),
            of_worker(Trust.PLAYERS, "w", "far"),
            of_anybody(Trust.SPECTATORS, "far"),
        ):
            with capture_logs() as logs:
                answer = await asked(y, "far", subject, sealed_up(requests[what]))
            assert isinstance(answer, ErrorResponse)
            assert len(logs) == 1
        assert not runners_of(y.lobby.matches)[match].state.is_over
        await ann.accepted(messages.Chat, match=match, text="still here")


async def test_no_gateway_says_for_another_that_it_leaves_or_has_begun_anew() -> None:
    async with yonder() as y:
        near, far = await y.gate("near"), await y.gate("far")
        ann, bob = await near.one("ann"), await near.one("bob")
        match = await y.duel(ann, bob)
        signs = (
            GatewayHeartbeat("near", Trust.PLAYERS, 1, leaves=True),
            GatewayHeartbeat("near", Trust.PLAYERS, 2),
            WorkerHeartbeat("w", 1, leaves=True),
            WorkerHeartbeat("far", 1, took=mark_of(match)),
        )
        for said in signs:
            with capture_logs() as logs:
                far.carrier.publish(gateway_here("far"), sealed_up(said))
                await y.go_on(20)
            assert logs
        await y.go_on(10_000)
        assert len(y.reception.sessions) == 2
        await ann.accepted(messages.Chat, match=match, text="still here")


MATCH = MatchId("m" * 26)


def _spoilt(envelope: int, at: int, byte: int) -> bytes:
    context = ClientContext("near", 1, 1, Form.PACKED, road=TRANSPORT_VERSION)
    info = encode_client(messages.Info(id=1, match=MATCH), Form.PACKED)
    requests: tuple[Request, ...] = (
        ClientRequest(context, info),
        Reattach(context, MATCH, A, OF_A),
        FetchSince(context, MATCH, OF_A, 1),
        FetchRecord(MATCH),
        Disconnected(context),
    )
    whole = sealed_up(requests[envelope])
    return whole[:at] + bytes([byte]) + whole[at + 1 :]


def _is_of_another_road(data: bytes) -> bool:
    context = getattr(request_of(data), "context", None)
    return context is not None and context.road != TRANSPORT_VERSION


@given(
    data=st.binary(max_size=40)
    | st.builds(
        lambda envelope, at, byte: _spoilt(envelope, at, byte),
        st.sampled_from([0, 1, 2, 3, 4]),
        st.integers(0, 60),
        st.integers(0, 255),
    )
)
@example(data=_spoilt(0, 13, 2))
async def test_no_bytes_of_a_gateway_end_the_worker(data: bytes) -> None:
    async with yonder() as y:
        gate = await y.gate("near")
        for trust in OF_GATEWAYS:
            for subject in (of_anybody(trust, "near"), of_match(trust, MATCH, "near")):
                with capture_logs() as logs:
                    answer = await asked(y, "near", subject, data)
                assert isinstance(answer, ErrorResponse | Response | Backlog | RecordChunk)
                # Of a gateway of another release it is told once.
                assert len(logs) == isinstance(answer, ErrorResponse) or _is_of_another_road(data)
        gate.carrier.publish(gateway_here("near"), data)
        gate.carrier.publish("line.near", data)
        await y.go_on(20)
        # What was spoilt may say that this gateway has begun anew, for which its own lines pay.
        assert (await (await y.gate("far")).one("ann")).peer.came


@pytest.mark.parametrize("after_ms", [0, 70, 249])
async def test_frames_are_published_on_their_beat_and_nothing_before(after_ms: int) -> None:
    async with yonder() as y:
        near, far = await y.gate("near"), await y.gate("far")
        ann, bob = await near.one("ann"), await far.one("bob")
        match = await y.duel(ann, bob, clock="blitz")
        eve = await far.one("eve")
        await eve.expect(messages.Watching, messages.Watch, match=match, feed=PUBLIC)
        tap = y.tap(match, OF_A)
        await y.go_on(2_000 + after_ms)
        closes: list[int] = []
        for _ in range(6):
            start, known = len(y.road.posted), len(tap.came)
            runner = runners_of(y.lobby.matches)[match]
            for side in (A, B):
                y.command(match, side)
            locked = runner.state
            while len(tap.came) == known:
                await y.go_on(5)
                fresh = y.road.posted[start:]
                if len(tap.came) == known:
                    assert {post.subject.partition(".")[0] for post in fresh} <= {"here"}
                if not closes and runner.state is not locked:
                    closes.append(y.clock.now_ms())
            views = parcels_of(y.road.posted[start:])
            assert {(one.subject, one.feed) for one in views} == {
                ("line.near", OF_A),
                ("line.far", OF_B),
                (f"view.{match}.{PUBLIC}", PUBLIC),
            }
            assert {one.at_ms % BEAT_MS for one in views if one.shown.is_frame} == {0}
            assert len({one.at_ms for one in views}) == 1
        assert closes


async def test_a_feed_that_nobody_at_a_gateway_holds_is_not_published() -> None:
    async with yonder() as y:
        near = await y.gate("near")
        ann, bob = await near.one("ann"), await near.one("bob")
        match = await y.duel(ann, bob)
        y.tap(match, PUBLIC)
        await y.play(match, 3)
        assert {one.feed for one in parcels_of(y.road.posted)} == {OF_A, OF_B}
        bob.hang_up()
        await y.go_on(100)
        y.road.posted.clear()
        await y.play(match, 3)
        assert {one.feed for one in parcels_of(y.road.posted)} == {OF_A}


async def test_each_parcel_is_published_once_however_many_lines_follow_it() -> None:
    async with yonder() as y:
        gates = [await y.gate(f"g{number}") for number in range(3)]
        ann, bob = await gates[0].one("ann"), await gates[1].one("bob")
        match = await y.duel(ann, bob)
        for gate, number in itertools.product(gates, range(4)):
            one = await gate.one(f"{gate.name}x{number}")
            await one.expect(messages.Watching, messages.Watch, match=match, feed=PUBLIC)
        tap = y.tap(match, PUBLIC)
        await y.play(match, 3)
        shown = [one.shown for one in parcels_of(y.road.posted) if one.feed == PUBLIC]
        assert [(one.seq, one.packed) for one in shown[-len(tap.came) :]] == tap.posts(match)
        assert len(shown) == len({one.seq for one in shown})
