"""The secrecy of the road: frames on their beat, spectators' gateways, and who speaks for whom."""

import asyncio
import itertools
from pathlib import Path
from typing import Any, get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import fields
from structlog.testing import capture_logs

from builders.data import shipped
from builders.roads import Posted
from builders.yonder import SCENARIO, A, B, Person, Yonder, yonder
from canary.words import Words, write_folder
from canary.world import twin
from sunglare_protocol import messages
from sunglare_protocol.codec import Form, encode_client
from sunglare_protocol.ids import OMNI, PUBLIC, Audience, MatchId, WindowId, audience_of
from sunglare_protocol.messages import ClientMessage
from sunglare_server.host.accounts import Caller
from sunglare_server.host.library import Library, load_library
from sunglare_server.match.clock.presets import BEAT_MS
from sunglare_server.road.envelopes import (
    After,
    Answer,
    Back,
    Card,
    Failed,
    Fetch,
    Here,
    HungUp,
    Missed,
    Part,
    Request,
    Speak,
    Told,
    answer_of,
    sealed_up,
    shown_of,
)
from sunglare_server.road.subjects import Trust, here, of_anybody, of_match, of_worker

OF_A, OF_B = audience_of(A), audience_of(B)

CASTER = Audience("caster")

FEEDS = (PUBLIC, OMNI, OF_A, OF_B, CASTER, Audience("nobody"))

KINDS = {kind.__name__: kind for kind in get_args(ClientMessage)}

ASK_S = 5.0


@pytest.fixture(scope="module")
def words() -> Words:
    """Give the tests words of which each is a name that nobody but one side knows."""
    return Words("road")


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory, words: Words) -> Library:
    """Give the tests a scenario in which every name is such a word."""
    return library_of(tmp_path_factory.mktemp("words"), words)


def library_of(folder: Path, words: Words) -> Library:
    """Return a library with a scenario in which every name is a word, written to a folder."""
    write_folder(folder / "data", (twin(shipped().scenarios[SCENARIO]),), words)
    return load_library(folder / "data")


def secrets_of(words: Words, *sides: str) -> list[bytes]:
    """Return the names of the pieces of these sides."""
    named = [
        (name, word)
        for name, word in words.known.items()
        if word.kind in ("ship", "unit", "agent")
    ]
    return [name.encode() for name, word in named if [*word.owners] in [[side] for side in sides]]


async def canaries(y: Yonder) -> tuple[Person, Person, Person, MatchId]:
    """Return two who play on a scenario of words, one who watches the feed of A, and the match."""
    gate = await y.gate("near")
    ann, bob, eve = [await gate.one(name) for name in ("ann", "bob", "eve")]
    match = await y.room(ann, f"{SCENARIO}-twin")
    for person, side in ((ann, A), (bob, B)):
        await person.expect(messages.Seated, messages.Join, match=match, side=side)
    for person in (ann, bob):
        await person.accepted(messages.Ready, match=match)
    await y.until(lambda: y.newest(match, A) > 0, "the first frames")
    await ann.accepted(messages.GrantFeed, match=match, name="eve", feed=OF_A)
    await y.play(match, 2)
    return ann, bob, eve, match


def caller_of(person: Person, *, has_token: bool) -> Caller:
    """Return what a gateway that knows somebody may say of them, or all but their token."""
    welcome = next(one for one in person.peer.messages if isinstance(one, messages.Welcome))
    caller = person.talk.caller
    assert caller is not None
    return Caller(caller.account, caller.name, welcome.token if has_token else "")


def made(kind: str, match: MatchId, feed: Audience, token: str, command: int) -> ClientMessage:
    """Return a message of a kind with all that it may have of a match."""
    known: dict[str, Any] = {
        "v": messages.PROTOCOL_VERSION,
        "id": command,
        "match": match,
        "feed": feed,
        "token": token or None,
        "side": A,
        "name": "eve",
        "text": "from afar",
        "window": WindowId("1.plot"),
        "rev": 1,
        "lock": True,
        "kind": "legal",
        "entropy": "00" * 16,
        "scenario": SCENARIO,
        "have": 1,
    }
    of = KINDS[kind]
    given = {one.name: known[one.name] for one in fields(of) if one.name in known}
    if kind in ("Hello", "Create", "Join"):
        given = {name: given[name] for name in given if name not in ("name", "side")}
    return of(**given)  # type: ignore[no-any-return]


@pytest.mark.parametrize("kind", KINDS)
def test_a_message_of_every_kind_can_be_made(kind: str) -> None:
    message = made(kind, MatchId("m" * 26), PUBLIC, "", 1)
    assert encode_client(message, Form.PACKED)


Draw = tuple[str, str, Audience, int, bool, int, int]
"""What is asked, of which kind, of which feed, by whom with a token or not, and where."""

DRAWS = st.tuples(
    st.sampled_from(["speak", "speak", "speak", "back", "after", "fetch", "hung up"]),
    st.sampled_from(sorted(KINDS)),
    st.sampled_from(FEEDS),
    st.integers(0, 3),
    st.booleans(),
    st.integers(1, 2),
    st.integers(0, 2),
)


def drawn(draw: Draw, people: tuple[Person, ...], match: MatchId, command: int) -> Request:
    """Return the request that was drawn."""
    what, kind, feed, who, has_token, number, _ = draw
    caller = None if who >= len(people) else caller_of(people[who], has_token=has_token)
    card = Card("s1", 1, number, Form.PACKED, None, None, caller)
    if what == "speak":
        token = "" if caller is None else caller.token
        message = made(kind, match, feed, token, command)
        return Speak(card, encode_client(message, Form.PACKED))
    if what == "back":
        return Back(card, match, A if has_token else None, feed)
    if what == "after":
        return After(match, feed, 0)
    return Fetch(match) if what == "fetch" else HungUp(card)


def subject_of(draw: Draw, match: MatchId) -> str:
    """Return where it is asked."""
    return (
        of_match(Trust.SPECTATORS, match, "s1"),
        of_anybody(Trust.SPECTATORS, "s1"),
        of_worker(Trust.SPECTATORS, "w", "s1"),
    )[draw[-1]]


async def asked(y: Yonder, gate: str, subject: str, data: bytes) -> Answer:
    """Ask by the carrier of a gateway, whatever that would ask by itself."""
    carrier = next(one for one in y.road.carriers if one.name == gate)
    work = asyncio.ensure_future(carrier.request(subject, data, ASK_S))
    await y.until(work.done, "an answer")
    return answer_of(work.result())


@given(draws=st.lists(DRAWS, min_size=1, max_size=12))
async def test_a_spectators_gateway_gets_nothing_of_a_side_and_does_nothing(
    library: Library, words: Words, draws: list[Draw]
) -> None:
    await nothing_is_got(library, words, draws)


async def nothing_is_got(library: Library, words: Words, draws: list[Draw]) -> None:
    """Ask what was drawn as a spectators' gateway, and check that it gets and does nothing."""
    async with yonder(library=library) as y:
        ann, bob, eve, match = await canaries(y)
        await y.gate("s1", Trust.SPECTATORS)
        y.road.answered.clear()
        state, room = y.lobby.matches.runners[match].state, y.lobby.rooms[match]
        for number, draw in enumerate(draws):
            request = sealed_up(drawn(draw, (ann, bob, eve), match, number + 1))
            answer = await asked(y, "s1", subject_of(draw, match), request)
            if isinstance(answer, Told):
                assert {hold.feed for hold in answer.holds} <= {PUBLIC, OMNI}
                assert not any(hold.is_seat for hold in answer.holds)
            assert answer != Part() or draw[0] == "fetch"
        assert y.lobby.matches.runners[match].state is state
        assert y.lobby.rooms[match] == room
        told = [data for subject, data in y.road.answered if subject.endswith(".s1")]
        told += [post.data for post in y.road.posted if _is_open_to_spectators(post)]
        assert told
        secrets = secrets_of(words, A, B)
        assert len(secrets) > 1
        assert not [secret for secret in secrets for data in told if secret in data]
        for person in (ann, bob, eve):
            assert person.peer.farewell is None
        tap = y.tap(match, OF_A)
        await y.play(match, 1)
        assert ann.peer.posts(match)[-len(tap.posts(match)) :] == tap.posts(match)


async def test_whom_a_spectators_gateway_has_its_token_says_and_nothing_else() -> None:
    async with yonder() as y:
        near, _ = await y.gate("near"), await y.gate("s1", Trust.SPECTATORS)
        ann, bob = await near.one("ann"), await near.one("bob")
        match = await y.duel(ann, bob)
        for number, has_token in enumerate((False, True), 1):
            caller = caller_of(ann, has_token=has_token)
            card = Card("s1", 1, number, Form.PACKED, None, None, caller)
            info = Speak(card, encode_client(messages.Info(id=1, match=match), Form.PACKED))
            answer = await asked(y, "s1", of_match(Trust.SPECTATORS, match, "s1"), sealed_up(info))
            assert isinstance(answer, Told if has_token else Failed)


def _is_open_to_spectators(post: Posted) -> bool:
    feeds = (f".{PUBLIC}", f".{OMNI}")
    is_feed = post.subject.startswith("view.") and post.subject.endswith(feeds)
    return is_feed or post.subject.startswith(("here.", "took.")) or post.subject == "line.s1"


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
        card = ann.talk.card
        resigns = encode_client(messages.Resign(id=99, match=match), Form.PACKED)
        requests: dict[str, Request] = {
            "speak": Speak(card, resigns, is_known=True),
            "back": Back(card, match, A, None),
            "hung up": HungUp(card, deliberate=True),
        }
        for subject in (
            of_match(Trust.PLAYERS, match, "far"),
            of_anybody(Trust.PLAYERS, "far"),
            of_worker(Trust.PLAYERS, "w", "far"),
            of_anybody(Trust.SPECTATORS, "far"),
        ):
            with capture_logs() as logs:
                answer = await asked(y, "far", subject, sealed_up(requests[what]))
            assert isinstance(answer, Failed)
            assert len(logs) == 1
        assert not y.lobby.matches.runners[match].state.is_over
        await ann.accepted(messages.Chat, match=match, text="still here")


async def test_no_gateway_says_for_another_that_it_leaves_or_has_begun_anew() -> None:
    async with yonder() as y:
        near, far = await y.gate("near"), await y.gate("far")
        ann, bob = await near.one("ann"), await near.one("bob")
        match = await y.duel(ann, bob)
        for said in (Here("near", 1, leaves=True), Here("near", 2), Here("w", 1, leaves=True)):
            with capture_logs() as logs:
                far.carrier.publish(here("far"), sealed_up(said))
                await y.go_on(20)
            assert logs
        await y.go_on(10_000)
        assert len(y.reception.guests) == 2
        await ann.accepted(messages.Chat, match=match, text="still here")


@given(
    data=st.binary(max_size=40)
    | st.builds(
        lambda envelope, at, byte: _spoilt(envelope, at, byte),
        st.sampled_from([0, 1, 2, 3, 4]),
        st.integers(0, 60),
        st.integers(0, 255),
    )
)
async def test_no_bytes_of_a_gateway_end_the_worker(data: bytes) -> None:
    async with yonder() as y:
        gate = await y.gate("near")
        for trust in Trust:
            for subject in (of_anybody(trust, "near"), of_match(trust, MATCH, "near")):
                with capture_logs() as logs:
                    answer = await asked(y, "near", subject, data)
                assert isinstance(answer, Failed | Told | Missed | Part)
                assert len(logs) == isinstance(answer, Failed)
        gate.carrier.publish(here("near"), data)
        gate.carrier.publish("line.near", data)
        await y.go_on(20)
        assert (await gate.one("ann")).peer.came


MATCH = MatchId("m" * 26)


def _spoilt(envelope: int, at: int, byte: int) -> bytes:
    card = Card("near", 1, 1, Form.PACKED)
    info = encode_client(messages.Info(id=1, match=MATCH), Form.PACKED)
    requests: tuple[Request, ...] = (
        Speak(card, info),
        Back(card, MATCH, A, OF_A),
        After(MATCH, OF_A, 1),
        Fetch(MATCH),
        HungUp(card),
    )
    whole = sealed_up(requests[envelope])
    return whole[:at] + bytes([byte]) + whole[at + 1 :]


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
            runner = y.lobby.matches.runners[match]
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
            views = [post for post in y.road.posted[start:] if post.subject.startswith("view.")]
            assert {post.subject for post in views} == {
                f"view.{match}.{feed}" for feed in (OF_A, OF_B, PUBLIC)
            }
            assert {post.at_ms % BEAT_MS for post in views if shown_of(post.data).is_frame} == {0}
            assert len({post.at_ms for post in views}) == 1
        assert closes


async def test_a_feed_that_nobody_at_a_gateway_holds_is_not_published() -> None:
    async with yonder() as y:
        near = await y.gate("near")
        ann, bob = await near.one("ann"), await near.one("bob")
        match = await y.duel(ann, bob)
        y.tap(match, PUBLIC)
        await y.play(match, 3)
        feeds = {post.subject for post in y.road.posted if post.subject.startswith("view.")}
        assert feeds == {f"view.{match}.{feed}" for feed in (OF_A, OF_B)}
        bob.hang_up()
        await y.go_on(100)
        y.road.posted.clear()
        await y.play(match, 3)
        feeds = {post.subject for post in y.road.posted if post.subject.startswith("view.")}
        assert feeds == {f"view.{match}.{OF_A}"}


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
        shown = [shown_of(data) for data in y.road.posted_to("view", match, PUBLIC)]
        assert [(one.seq, one.packed) for one in shown[-len(tap.came) :]] == tap.posts(match)
        assert len(shown) == len({one.seq for one in shown})
