"""A match on a road in which every name is a word of one side, and who asks by a carrier."""

import asyncio
from pathlib import Path

from msgspec.structs import replace

from builders.data import shipped
from builders.remotematches import SCENARIO, A, B, Person, RemoteMatches
from canary.words import Words, write_folder
from canary.world import twin
from sunglare_protocol import messages
from sunglare_protocol.codec import Form
from sunglare_protocol.ids import MatchId, audience_of
from sunglare_server.base.library import Library, load_library
from sunglare_server.transport.messages import TRANSPORT_VERSION, Answer, ClientContext, answer_of

OF_A, OF_B = audience_of(A), audience_of(B)

ASK_S = 5.0
"""So long an answer is waited for."""


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


async def canaries(y: RemoteMatches) -> tuple[Person, Person, Person, MatchId]:
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


def token_of(person: Person) -> str:
    """Return with which token somebody is known."""
    welcome = next(one for one in person.peer.messages if isinstance(one, messages.Welcome))
    return welcome.token


async def card_of(
    y: RemoteMatches, gateway: str, number: int, person: Person | None, *, is_own: bool = True
) -> ClientContext:
    """Return the card of a line of a gateway; of somebody's with the seal that a worker makes.

    Where it is not the gateway's own line, the seal is the one that the person has elsewhere.
    """
    bare = ClientContext(gateway, 1, number, Form.PACKED, road=TRANSPORT_VERSION)
    if person is None:
        return bare
    caller = person.talk.caller
    assert caller is not None
    seal = await y.seals.seal(caller, bare) if is_own else person.talk.seal
    return replace(bare, seal=seal)


async def asked(y: RemoteMatches, gate: str, subject: str, data: bytes) -> Answer:
    """Ask by the carrier of a gateway, whatever that would ask by itself."""
    carrier = next(one for one in y.road.carriers if one.name == gate)
    work = asyncio.ensure_future(carrier.request(subject, data, ASK_S))
    await y.until(work.done, "an answer")
    return answer_of(work.result())
