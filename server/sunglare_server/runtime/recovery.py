"""Loading a match from its records, from a snapshot where one is of use."""

from typing import TypeAlias, final

import msgspec

from sunglare_protocol.ids import MatchId
from sunglare_server.match.data.scenario import Scenario
from sunglare_server.match.record import (
    FIRST_EPOCH,
    Opened,
    Record,
    RecordError,
    body_of,
    chain,
    epoch_of,
    unpacked,
)
from sunglare_server.match.state import MatchState, digest
from sunglare_server.match.step import step
from sunglare_server.ports.journal import Journal
from sunglare_server.runtime.batch import Sealed
from sunglare_server.runtime.fold_history import WaitIdle, past_folded
from sunglare_server.runtime.resume_buffers import ResumeBuffers
from sunglare_server.runtime.snapshots import (
    TURNS_SHOWN,
    is_due,
    starts_turn,
    stored_rings,
    unpacked_snapshot,
)

_Kept: TypeAlias = tuple[int, Sealed]
"""A snapshot: the number of its record, and the record with the state after it."""


@final
class Loaded(msgspec.Struct, frozen=True):
    """A match as its records have it: the number of the last one, and the records from a start on.

    `shown` is the place in `sealed` from which on what was sent can be sent again: whole turns, as
    many as `TURNS_SHOWN` or back to where the rings go. `kept` are the numbers and states of the
    snapshots that are there, and `rings` what the newest of them has of earlier turns. `is_owing`:
    the owner's record could not be stored yet.
    """

    scenario: Scenario
    number: int
    sealed: tuple[Sealed, ...]
    shown: int
    kept: tuple[tuple[int, MatchState], ...]
    rings: ResumeBuffers
    is_owing: bool = False

    @property
    def epoch(self) -> int:
        """Return the epoch of the owner who wrote the last record."""
        return epoch_of(self.sealed[-1].blob) or FIRST_EPOCH


async def load(match: MatchId, journal: Journal, wait_idle: WaitIdle) -> Loaded:
    """Return a match from its records; raise `RecordError` if they can't be used."""
    stored = await journal.snapshots(match)
    first = stored[0][0] if stored else 1
    blobs = await journal.read(match, first - 1)
    kept = _usable(stored, first, blobs)
    scenario = _scenario(blobs[:1] if first == 1 else await journal.read(match, 0, 1))
    if not kept:
        blobs = blobs if first == 1 else await journal.read(match)
        return await _folded(scenario, [], blobs, (), wait_idle)
    number, oldest = kept[0]
    rings = ResumeBuffers(stored_rings(dict(stored)[kept[-1][0]]))
    found = await _folded(scenario, [oldest], blobs[number - first + 1 :], kept, wait_idle)
    return msgspec.structs.replace(found, rings=rings)


async def opened_with(match: MatchId, journal: Journal) -> Scenario:
    """Return what a match was opened with; raise `RecordError` if that can't be read."""
    return _scenario(await journal.read(match, 0, 1))


def _scenario(opening: tuple[bytes, ...]) -> Scenario:
    """Return what is played, which the first record alone has whole."""
    if not opening:
        raise RecordError(1, "there are no records")
    body = unpacked(opening[0], 1, b"").b
    if not isinstance(body, Opened):
        raise RecordError(1, "a match does not begin with it")
    return body.scenario


async def _folded(
    scenario: Scenario,
    sealed: list[Sealed],
    blobs: tuple[bytes, ...],
    kept: tuple[_Kept, ...],
    wait_idle: WaitIdle,
) -> Loaded:
    """Return the match of the records `blobs`, which follow on the oldest snapshot, if any."""
    last = (kept[0][0] if kept else 0) + len(blobs)
    turns = [0] * len(sealed)
    for number, blob in enumerate(blobs, last - len(blobs) + 1):
        await wait_idle()
        if number == 1:
            await past_folded(body_of(blob), wait_idle)
        before, state = (sealed[-1].blob, sealed[-1].stepped.state) if sealed else (b"", None)
        sealed.append(sealed_again(state, before, blob, number))
        if starts_turn(state, sealed[-1]):
            turns.append(len(sealed) - 1)
    states = tuple([(at, entry.stepped.state) for at, entry in kept])
    since = kept[-1][0] - kept[0][0] if kept else _since_opening(turns)
    shown = min(turns[-TURNS_SHOWN:][0], since)
    return Loaded(scenario, last, tuple(sealed), shown, states, ResumeBuffers())


def _since_opening(turns: list[int]) -> int:
    """Return from where on a match without snapshots is shown; at `turns` its turns begin.

    All of one is that is too short to have any as yet; else no more than has to be.
    """
    first = next((place for place in turns if is_due(place + 1, 0)), turns[-1])
    return turns[0] if first >= turns[-TURNS_SHOWN:][0] else turns[-1]


def _usable(
    stored: tuple[tuple[int, bytes], ...], first: int, blobs: tuple[bytes, ...]
) -> tuple[_Kept, ...]:
    """Return the snapshots that fit the records from number `first` on, the oldest first."""
    found: list[_Kept] = []
    for number, blob in stored:
        if number - first < len(blobs):
            record = blobs[number - first]
            sealed = unpacked_snapshot(blob, record, chain(record))
            found += [(number, sealed)] if sealed is not None else []
    return tuple(found)


def sealed_again(state: MatchState | None, before: bytes, blob: bytes, number: int) -> Sealed:
    """Return stored record `number`, `blob`, stepped from the state after the one `before` it.

    Raise `RecordError` if it can't be used.
    """
    record = unpacked(blob, number, before)
    if state is not None:
        _check_digest(state, record)
    return Sealed(blob, chain(blob), step(state, record), record.t)


def _check_digest(state: MatchState, record: Record) -> None:
    if record.h and digest(state) != record.h:
        raise RecordError(record.n, "the records before it come to another state than they did")
