"""Matches that are judged at every step, mostly played by random orders, and kept as bytes.

`refold` folds the journal of a rig again, as a server does after a restart.
"""

from collections.abc import Iterable, Iterator
from copy import copy
from random import Random
from typing import final

import msgspec
import pytest

from builders.matches import Match, opened, options, view_of
from builders.randomplayer import random_orders
from builders.truths import MATCH, seed_of
from second_reading.due import MisgrantedError, misgranted
from sunglare_arena.invariants import broken
from sunglare_protocol.codec import Form, decode_server, encode_server
from sunglare_protocol.ids import OMNI, PUBLIC, Audience, Side, audience_of
from sunglare_protocol.messages import ServerMessage
from sunglare_protocol.orders import Order
from sunglare_server.match import frames
from sunglare_server.match.data.options import OptionValue
from sunglare_server.match.data.scenario import Scenario
from sunglare_server.match.events.space import Event
from sunglare_server.match.record import (
    Opened,
    PlayedOn,
    Record,
    chain,
    unpacked,
)
from sunglare_server.match.state import MatchState, Stepped, digest
from sunglare_server.match.step import step

START_MS = 1_000_000


def wire(message: ServerMessage) -> bytes:
    """Return the bytes of a message, which the typed decoder must read and write back alike."""
    data = encode_server(message, Form.PACKED)
    assert encode_server(decode_server(data, Form.PACKED), Form.PACKED) == data
    return data


def audiences(scenario: Scenario) -> tuple[Audience, ...]:
    """Return every audience of a match: the sides, `public` and `omni`."""
    return (*map(audience_of, scenario.sides), PUBLIC, OMNI)


def unread(patch: pytest.MonkeyPatch) -> None:
    """Let the matches of rigs go on whoever is told what: something else shall find a leak."""
    patch.setattr(f"{__name__}.misgranted", lambda *_: [])


@final
class Rig(Match):
    """A match whose every step is judged; what chosen audiences are sent is kept as bytes."""

    def __init__(self, opening: Opened | PlayedOn, audiences: Iterable[Audience]) -> None:
        """Start the match at `START_MS`; only what `audiences` are sent is kept."""
        self.sent: dict[Audience, list[bytes]] = {audience: [] for audience in audiences}
        super().__init__(opening, START_MS)

    def fork(self, state: MatchState, audiences: Iterable[Audience]) -> "Rig":
        """Return a rig that goes on from `state` with a journal of its own."""
        other = copy(self)
        other.records, other.journal = [*self.records], [*self.journal]
        other.sent = {audience: [] for audience in audiences}
        other.go_on_from(state)
        return other

    def _taken(self) -> None:
        """Judge the step, and keep what it sends.

        The invariants must hold, and every audience must learn what it is due, and no more.
        """
        before, stepped = self.before, self.last
        assert not (faults := broken(before, stepped)), faults
        if before is not None:
            told = misgranted(before.truth, stepped.events, stepped.state.options)
            if told:
                raise MisgrantedError(told)
        head = chain(self.journal[-1]).hex()
        for audience, sent in self.sent.items():
            sent.extend(map(wire, frames.posted(MATCH, stepped, audience, head)))

    def close(self, after_ms: int = 700) -> Stepped:
        """Close the open window, that long after the last record."""
        return super().close(after_ms)

    def ordered(self, rng: Random) -> dict[Side, tuple[Order, ...]]:
        """Return random legal orders for every side that has a say in the open window."""
        standing = self.state.standing
        return {
            side: random_orders(rng, view_of(self.state, audience_of(side)))
            for side in standing.sides
            if standing.takes_orders_of(side)
        }

    def windows(
        self, rng: Random
    ) -> Iterator[tuple[MatchState, dict[Side, tuple[Order, ...]], tuple[Event, ...]]]:
        """Play to the end with random orders; yield how each window began, orders and events."""
        while not self.state.is_over:
            before, orders = self.state, self.ordered(rng)
            for side, given in orders.items():
                self.give(side, given)
            yield before, orders, self.close().events

    def play(self, rng: Random, windows: int) -> None:
        """Play that many windows with random orders, or to the end of the match."""
        for _ in range(windows):
            if self.state.is_over:
                return
            for side, orders in self.ordered(rng).items():
                self.give(side, orders)
            if rng.random() < 0.05:
                self.say(self.sides[0], "a word")
            self.close()


def rig(scenario: Scenario, seed: int, *kept: Audience, **wish: OptionValue) -> Rig:
    """Return a match at its first window; by default all that all audiences get is kept."""
    opening = opened(scenario, options(**wish), seed_of(seed))
    return Rig(opening, kept or audiences(scenario))


@final
class Folded(msgspec.Struct, frozen=True):
    """What a journal folds to: the digest of the last state and all that was sent."""

    digest: bytes
    sent: dict[Audience, list[bytes]]


class DigestError(AssertionError):
    """A stored digest is not that of the state to which the records before it fold."""


def refold(journal: list[bytes], kept: Iterable[Audience]) -> Folded:
    """Return the fold of the stored records; raise `RecordError` where one is damaged.

    Every sixteenth record holds a digest of the state before it; raise `DigestError` where it
    is not that state's. All records are read before the first is folded.
    """
    state: MatchState | None = None
    sent: dict[Audience, list[bytes]] = {audience: [] for audience in kept}
    for record, data in list(read(journal)):
        if record.h and (state is None or record.h != digest(state)):
            raise DigestError(record.n)
        stepped = step(state, record)
        state = stepped.state
        for audience, lines in sent.items():
            lines.extend(map(wire, frames.posted(MATCH, stepped, audience, chain(data).hex())))
    assert state is not None
    return Folded(digest(state), sent)


def read(journal: list[bytes]) -> Iterator[tuple[Record, bytes]]:
    """Yield the stored records with their bytes; raise `RecordError` at the first bad one."""
    before = b""
    for number, data in enumerate(journal, start=1):
        yield unpacked(data, number, before), data
        before = data
