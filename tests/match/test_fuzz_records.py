"""Damaged journals: a record that is none is refused with `RecordError`, and folding is pure.

`make fuzz` tries 20,000 records of each match.
"""

import os
from functools import lru_cache
from random import Random

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from builders.hostile import as_bytes, changed, mutated
from builders.played import Rig, rig
from builders.scenarios import scenarios
from sunglare_protocol.codec import Form
from sunglare_server.match.record import (
    Adjourned,
    Closed,
    DrawOffered,
    Kind,
    Muted,
    Owned,
    PauseAsked,
    PauseEnded,
    Record,
    RecordError,
    Resigned,
    Slipped,
    unpacked,
)
from sunglare_server.match.state import MatchState, digest
from sunglare_server.match.step import step

LONG = bool(os.environ.get("SUNGLARE_LONG"))
TRIES = 20_000 if LONG else 500
BYTES_MOST = 64 * 1024

NAMES = ("duel", "orlog", "picket-line") if LONG else ("duel",)


@lru_cache(maxsize=4)
def match_of(name: str) -> tuple[bytes, ...]:
    """Return the records of a match in which every kind of thing happens."""
    match = rig(scenarios()[name], 4)
    match.play(Random(4), 6)
    a, b = match.sides[:2]
    match.put(Slipped(window=match.state.standing.window, by_ms=250), kind=Kind.TICK)
    match.put(Owned(outage_ms=5_000), kind=Kind.OWN)
    match.say(a, "a word")
    match.put(Muted(whom=a, on=True), b)
    match.put(DrawOffered(on=True), a)
    _pause(match)
    match.play(Random(5), 4)
    match.put(Resigned(), b)
    if not match.state.is_over:
        match.put(Adjourned(), kind=Kind.TICK)
    match.put(Owned(), kind=Kind.OWN)
    match.put(Closed(), kind=Kind.CLOSE)
    return tuple(match.journal)


def _pause(match: Rig) -> None:
    for side in match.sides:
        match.put(PauseAsked(on=True), side)
    match.put(PauseEnded(), kind=Kind.TICK)


@lru_cache(maxsize=4)
def states_of(name: str) -> tuple[MatchState | None, ...]:
    """Return the state before each record of that match."""
    found: list[MatchState | None] = [None]
    before = b""
    for number, data in enumerate(match_of(name), 1):
        found.append(step(found[-1], unpacked(data, number, before)).state)
        before = data
    return tuple(found)


def read(data: bytes, number: int, before: bytes) -> Record | RecordError:
    """Return the record in `data`, or why it is refused; anything else is raised."""
    try:
        return unpacked(data, number, before)
    except RecordError as error:
        return error


def fault_of(state: MatchState | None, record: Record) -> Exception | None:
    """Return what comes of folding a record that may say anything, None if it folds."""
    try:
        step(state, record)
    except Exception as fault:  # noqa: BLE001 - whoever folds a stored journal takes any fault
        return fault
    return None


def check(data: bytes, number: int, before: bytes, state: MatchState | None) -> None:
    """Check that `data` is refused with its number, or leaves the state what it was."""
    record = read(data, number, before)
    if isinstance(record, RecordError):
        assert record.number == number
        assert len(str(record)) < 500
        return
    digests = None if state is None else digest(state)
    assert not isinstance(fault_of(state, record), RecursionError | MemoryError)
    assert digests == (None if state is None else digest(state))


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.timeout(600)
def test_a_record_with_its_bytes_changed_is_refused_or_folds_without_a_trace(name: str) -> None:
    records, rng = match_of(name), Random(name)
    before = states_of(name)
    for _ in range(TRIES):
        index = rng.randrange(len(records))
        data = mutated(rng, records[index], records, Form.PACKED, BYTES_MOST)
        check(data, index + 1, records[index - 1] if index else b"", before[index])


@pytest.mark.timeout(600)
@settings(max_examples=2_000 if LONG else settings().max_examples, deadline=None)
@given(st.data())
def test_a_record_with_a_value_changed_is_refused_or_folds_without_a_trace(
    data: st.DataObject,
) -> None:
    records = match_of("duel")
    index = data.draw(st.integers(0, len(records) - 1))
    said = as_bytes(changed(msgspec.msgpack.decode(records[index]), data), Form.PACKED)
    check(said, index + 1, records[index - 1] if index else b"", states_of("duel")[index])


def test_a_record_of_a_kind_that_nobody_knows_is_refused_without_all_that_it_says() -> None:
    first, second = match_of("duel")[:2]
    body = msgspec.msgpack.decode(second) | {"b": {"t": "x" * 1_000}}
    check(msgspec.msgpack.encode(body), 2, first, states_of("duel")[1])


@pytest.mark.parametrize("index", [0, 1, -2])
def test_whatever_is_changed_in_a_record_the_next_one_does_not_follow_from_it(index: int) -> None:
    records = match_of("duel")
    number = range(len(records))[index] + 1
    rng, following = Random(index), records[number]
    for _ in range(200):
        data = mutated(rng, records[number - 1], records, Form.PACKED, BYTES_MOST)
        if data != records[number - 1]:
            with pytest.raises(RecordError, match="does not follow"):
                unpacked(following, number + 1, data)


def test_the_records_that_are_changed_are_of_every_kind() -> None:
    kinds = {msgspec.msgpack.decode(data)["b"]["t"] for data in match_of("duel")}
    assert kinds >= {"open", "orders", "due", "slip", "chat", "mute", "draw", "pause", "unpause"}
    assert kinds >= {"resign", "close"}
