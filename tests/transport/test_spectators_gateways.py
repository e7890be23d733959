"""A gateway for spectators gets nothing of a side, whatever it says."""

from typing import Any, get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import fields

from builders.memorytransport import Posted
from builders.remotematches import SCENARIO, A, B, Person, RemoteMatches, yonder
from builders.runners import runners_of
from canary.words import Words
from sunglare_protocol import messages
from sunglare_protocol.codec import Form, encode_client
from sunglare_protocol.ids import OMNI, PUBLIC, Audience, MatchId, WindowId
from sunglare_protocol.messages import ClientMessage
from sunglare_protocol.refusals import Code
from sunglare_server.base.library import Library
from sunglare_server.transport.messages import (
    ClientRequest,
    Disconnected,
    FetchRecord,
    FetchSince,
    Reattach,
    RecordChunk,
    Request,
    Response,
    sealed_up,
)
from sunglare_server.transport.subjects import Trust, of_anybody, of_match, of_worker
from transport.words_of_sides import OF_A, OF_B, asked, canaries, card_of, secrets_of, token_of

CASTER = Audience("caster")

FEEDS = (PUBLIC, OMNI, OF_A, OF_B, CASTER, Audience("nobody"))

KINDS = {kind.__name__: kind for kind in get_args(ClientMessage)}


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
        "act": "ask",
        "lesson": "02-sun",
        "entropy": "00" * 16,
        "token_hash": "00" * 32,
        "family": SCENARIO,
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


async def drawn(
    y: RemoteMatches, draw: Draw, people: tuple[Person, ...], match: MatchId, command: int
) -> Request:
    """Return the request that was drawn."""
    what, kind, feed, who, has_token, number, _ = draw
    person = None if who >= len(people) else people[who]
    context = await card_of(y, "s1", number, person, is_own=has_token)
    if what == "speak":
        token = token_of(person) if person is not None and has_token else ""
        message = made(kind, match, feed, token, command)
        return ClientRequest(context, encode_client(message, Form.PACKED))
    if what == "back":
        return Reattach(context, match, A if has_token else None, feed)
    if what == "after":
        return FetchSince(context, match, feed, 0)
    return FetchRecord(match) if what == "fetch" else Disconnected(context)


def subject_of(draw: Draw, match: MatchId) -> str:
    """Return where it is asked."""
    return (
        of_match(Trust.SPECTATORS, match, "s1"),
        of_anybody(Trust.SPECTATORS, "s1"),
        of_worker(Trust.SPECTATORS, "w", "s1"),
    )[draw[-1]]


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
        state, room = runners_of(y.lobby.matches)[match].state, y.lobby.rooms[match]
        for number, draw in enumerate(draws):
            request = sealed_up(await drawn(y, draw, (ann, bob, eve), match, number + 1))
            answer = await asked(y, "s1", subject_of(draw, match), request)
            if isinstance(answer, Response):
                assert {hold.feed for hold in answer.holds} <= {PUBLIC, OMNI}
                assert not any(hold.is_seat for hold in answer.holds)
            assert answer != RecordChunk() or draw[0] == "fetch"
        assert runners_of(y.lobby.matches)[match].state is state
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


async def test_a_spectator_may_stop_watching_and_leaves_nothing_else() -> None:
    async with yonder() as y:
        near, stand = await y.gate("near"), await y.gate("s1", Trust.SPECTATORS)
        ann, bob, eve = await near.one("ann"), await near.one("bob"), await stand.one("eve")
        match = await y.duel(ann, bob)
        early = await eve.expect(messages.Refused, messages.Leave, match=match)
        assert early.code is Code.SERVER_SPECTATORS
        await eve.expect(messages.Watching, messages.Watch, match=match, feed=PUBLIC)
        await y.play(match, 1)
        seen = len(eve.peer.posts(match))
        assert seen
        await eve.accepted(messages.Leave, match=match)
        await y.play(match, 1)
        assert len(eve.peer.posts(match)) == seen


def _is_open_to_spectators(post: Posted) -> bool:
    feeds = (f".{PUBLIC}", f".{OMNI}")
    is_feed = post.subject.startswith("view.") and post.subject.endswith(feeds)
    return is_feed or post.subject.startswith(("here.", "took.")) or post.subject == "line.s1"
