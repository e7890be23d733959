"""Matches played in process: a rig around `step`, small scenarios, and what leaves as bytes.

A rig keeps the journal as the list of bytes that a store would hold; `refold` folds it again.
"""

from collections.abc import Iterable, Iterator
from random import Random
from typing import final

import msgspec
import pytest

from builders.randomplayer import random_orders
from second_reading.due import MisgrantedError, misgranted
from sunglare_arena.invariants import broken
from sunglare_protocol.codec import Form, decode_server, encode_server
from sunglare_protocol.ids import OMNI, PUBLIC, Audience, MatchId, Side, audience_of
from sunglare_protocol.messages import ServerMessage
from sunglare_protocol.orders import Order
from sunglare_protocol.views import View
from sunglare_server.match import frames
from sunglare_server.match.data.options import MatchOptions
from sunglare_server.match.data.scenario import Scenario
from sunglare_server.match.events.space import Event
from sunglare_server.match.fog import view as fog
from sunglare_server.match.record import (
    DIGEST_EVERY,
    FIRST_EPOCH,
    RECORD_VERSION,
    RULES_VERSION,
    Body,
    ChatSaid,
    Kind,
    Opened,
    OrdersGiven,
    Owned,
    Record,
    Seat,
    WindowDue,
    chain,
    packed,
    unpacked,
)
from sunglare_server.match.state import MatchState, Stepped, digest
from sunglare_server.match.step import step

MATCH = MatchId("aaaaaaaaaaaaaaaaaaaaaaaaaa")
START_MS = 1_000_000


def opened(scenario: Scenario, seed: int, options: MatchOptions) -> Opened:
    """Return the opening of a match whose dice follow from `seed`."""
    seats = tuple(Seat(side=side, account=f"account {side}") for side in scenario.sides)
    return Opened(
        rules=RULES_VERSION,
        scenario=scenario,
        options=options,
        seats=seats,
        server_seed=seed.to_bytes(32, "big"),
        data_hash="none",
    )


def wire(message: ServerMessage) -> bytes:
    """Return the bytes of a message, which the typed decoder must read and write back alike."""
    data = encode_server(message, Form.PACKED)
    assert encode_server(decode_server(data, Form.PACKED), Form.PACKED) == data
    return data


def audiences(scenario: Scenario) -> tuple[Audience, ...]:
    """Return every audience of a match: the sides, `public` and `omni`."""
    return (*map(audience_of, scenario.sides), PUBLIC, OMNI)


def view_of(state: MatchState, audience: Audience) -> View:
    """Return what `audience` sees now."""
    return fog.view(state.intel[audience], state.standing, state.board)


def unread(patch: pytest.MonkeyPatch) -> None:
    """Let the matches of rigs go on whoever is told what: something else shall find a leak."""
    patch.setattr(f"{__name__}.misgranted", lambda *_: [])


@final
class Rig:
    """A match in progress: its state, its journal, and what each audience was sent."""

    def __init__(self, audiences: Iterable[Audience]) -> None:
        """Hold no match yet; only what `audiences` are sent is kept."""
        self.journal: list[bytes] = []
        self.sent: dict[Audience, list[bytes]] = {audience: [] for audience in audiences}
        self.now = START_MS
        self.last: Stepped | None = None
        self._state: MatchState | None = None
        self._number = 0
        self._epoch = FIRST_EPOCH
        self._previous = b""

    @property
    def state(self) -> MatchState:
        """Return the present state."""
        assert self._state is not None
        return self._state

    @property
    def sides(self) -> tuple[Side, ...]:
        """Return the sides of the match."""
        return self.state.standing.sides

    def fork(self, state: MatchState, audiences: Iterable[Audience]) -> "Rig":
        """Return a rig that goes on from `state` with a journal of its own."""
        other = Rig(audiences)
        other.now, other._state = self.now, state
        other._number, other._previous = self._number, self._previous
        other._epoch = self._epoch
        return other

    def take(self, kind: Kind, body: Body, side: Side | None = None) -> Stepped:
        """Write a record of `body`, fold it, and keep what it sends.

        The invariants must hold, and whoever learns of it must be due to.
        """
        number = self._number + 1
        is_owned = isinstance(body, Owned)
        self._epoch += is_owned
        is_marked = self._state is not None and (is_owned or number % DIGEST_EVERY == 0)
        record = Record(
            v=RECORD_VERSION,
            m=MATCH,
            n=number,
            k=kind,
            t=self.now,
            b=body,
            s=side,
            c=None if side is None else number,
            e=self._epoch,
            p=chain(self._previous) if self._previous else b"",
            h=digest(self.state) if is_marked else b"",
        )
        data = packed(record)
        stepped = step(self._state, record)
        assert not (faults := broken(self._state, stepped)), faults
        if self._state is not None:
            told = misgranted(self._state.truth, stepped.events, stepped.state.options)
            if told:
                raise MisgrantedError(told)
        self._number, self._previous, self._state = number, data, stepped.state
        self.last = stepped
        self.journal.append(data)
        head = chain(data).hex()
        for audience, sent in self.sent.items():
            sent.extend(map(wire, frames.posted(MATCH, stepped, audience, head)))
        return stepped

    def give(self, side: Side, orders: tuple[Order, ...], *, lock: bool = True) -> Stepped:
        """Give the orders of one seat for the open window."""
        window, rev = self.state.standing.window, self._number
        body = OrdersGiven(window=window, rev=rev, orders=orders, lock=lock)
        return self.take(Kind.COMMAND, body, side)

    def say(self, side: Side, text: str) -> Stepped:
        """Let one seat say something to all."""
        return self.take(Kind.COMMAND, ChatSaid(text=text), side)

    def close(self, after_ms: int = 700) -> Stepped:
        """Close the open window, that long after the last record."""
        self.now += after_ms
        return self.take(Kind.TICK, WindowDue(window=self.state.standing.window))

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


def rig(scenario: Scenario, seed: int, *kept: Audience, **options: str) -> Rig:
    """Return a match at its first window; by default all that all audiences get is kept."""
    chosen = msgspec.convert({"clock": "test", **options}, MatchOptions)
    made = Rig(kept or audiences(scenario))
    made.take(Kind.OPEN, opened(scenario, seed, chosen))
    return made


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
