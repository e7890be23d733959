"""The past of a match that is played on from a turn of another one: folded, then begun again.

Theory of operation. A match is the fold of its records, and so is one that begins at a turn of
another: its opening record (`PlayedOn`) holds the stored records of that other match, byte for
byte, from its opening up to the one that began the turn. They are folded by the same `step`, and
their state there is where the new match begins. Nothing is looked up anywhere: the new match can
be folded, verified and explained when the other one is long deleted. Records are held and no
state, since they are what the format promises; that their fold is what was played is
proved by their chain and digests, and a `RecordError` here is one of the first record. Records
are small (those of the longest shipped match take 70 KB packed), but folding them takes time, so
a host folds them in slices (`folding`) before the step that needs them; the state is kept for it.
The other match may itself have been played on; its opening record then holds its own past, and
`DEPTH_MOST` bounds how often.

Of the state at the turn the new match takes the truth, what each audience has learned, and where
the turn stands. All else is new, as in any match that opens: seats, ids of commands, numbers of
frames, clocks with full banks, who has resigned, pauses, draws, and the seeds. A side without a
piece in play stays out.

The old seed is public, so nothing that is rolled from now on may follow from it. What it was used
for, and what it is now:
- rosters, places, and every die of earlier turns: they are in the truth, and were public with it;
- the initiative of the turn: rolled already, and shown to all with the turn's first frame;
- every die and tie after that: by the new match seed, under the same keys. No die is rolled
  before its window closes, so nothing lies in the truth that was rolled and not yet used;
- handles and labels: those in force stay, so that each side knows its contacts again; new
  ones follow from the new seed, and the mint passes over one that is still held;
- the state's digests and the server's commitment: by the new seeds.

What was hidden at that turn is no secret any more: the whole record of a finished match is open.
What follows is as secret as ever. Such a match is unrated, and every list says where it is from.
"""

import zlib
from collections.abc import Callable, Generator
from typing import Final

import msgspec

from sunglare_protocol.ids import MatchId
from sunglare_protocol.words.ladder import Phase
from sunglare_server.match.clock.attendance import new_attendance
from sunglare_server.match.clock.presets import PRESETS, release_ms
from sunglare_server.match.clock.seats import new_clock, shown_banks
from sunglare_server.match.data.options import RULING
from sunglare_server.match.dice import match_seed
from sunglare_server.match.record import (
    Opened,
    Past,
    PlayedOn,
    Record,
    RecordError,
    body_of,
    unpacked,
)
from sunglare_server.match.state import FramePost, MatchState, Stepped, digest

PACKED_BYTES_MOST = 1024 * 1024
"""OWN: the longest past, packed; those of the longest shipped match take a fifteenth of it."""

UNPACKED_BYTES_MOST = 16 * PACKED_BYTES_MOST
"""The most that a past is unpacked to."""

DEPTH_MOST = 8
"""OWN: how many matches one may have been played on from, each from a turn of the one before."""

_KEPT = 4
"""States that were folded and are kept for the step that needs them."""

_LEVEL = 6

Step = Callable[[MatchState | None, Record], Stepped]
"""`step`, which folds the past as it folds everything."""

_folded: Final[dict[Past, MatchState]] = {}
_blobs: msgspec.msgpack.Decoder[tuple[bytes, ...]] = msgspec.msgpack.Decoder(tuple[bytes, ...])


def past_of(match: MatchId, turn: int, records: tuple[bytes, ...]) -> Past | None:
    """Return the past of a match that begins at `turn` of `match`, which these records began.

    None if it is too long, or was played on too often, to be held by one record.
    """
    packed = zlib.compress(msgspec.msgpack.encode(records), _LEVEL)
    past = Past(match=match, turn=turn, packed=packed)
    is_short = len(packed) <= PACKED_BYTES_MOST and sum(map(len, records)) < UNPACKED_BYTES_MOST
    return past if is_short and depth(past) <= DEPTH_MOST else None


def depth(past: Past) -> int:
    """Return from how many matches one was played on, each from the one before."""
    found = 0
    within: Past | None = past
    while within is not None and found <= DEPTH_MOST:
        found += 1
        opening = body_of(records_of(within)[0])
        within = opening.past if isinstance(opening, PlayedOn) else None
    return found


def records_of(past: Past) -> tuple[bytes, ...]:
    """Return the records that a past holds; raise `RecordError` if there are none."""
    unpacking = zlib.decompressobj()
    try:
        data = unpacking.decompress(past.packed, UNPACKED_BYTES_MOST)
        records = _blobs.decode(data)
    except (zlib.error, msgspec.DecodeError):
        records = ()
    if not records:
        raise RecordError(1, "its past cannot be read")
    return records


def played_on(opened: Opened, past: Past) -> PlayedOn:
    """Return an opening as that of a match which begins where `past` ends."""
    fields = {name: getattr(opened, name) for name in Opened.__struct_fields__}
    return PlayedOn(**fields, past=past)


def folding(opened: PlayedOn, step: Step) -> Generator[None, None, MatchState]:
    """Fold the past of a match record by record; return the state at its turn, and keep it.

    Raise `RecordError` if it is not the past of such a match.
    """
    state = _folded.get(opened.past)
    if state is None:
        if depth(opened.past) > DEPTH_MOST:
            raise RecordError(1, "it was played on too often")
        state = yield from _fold(opened.past, step)
        while len(_folded) >= _KEPT:
            del _folded[next(iter(_folded))]
        _folded[opened.past] = state
    return _checked(opened, state)


def begun(opened: PlayedOn, now_ms: int, step: Step) -> Stepped:
    """Return the first state of a match that is played on, and its opening frame."""
    past = folding(opened, step)
    while True:
        try:
            next(past)
        except StopIteration as done:
            return Stepped(_anew(done.value, opened, now_ms), posts=(FramePost(),))


def _fold(past: Past, step: Step) -> Generator[None, None, MatchState]:
    state: MatchState | None = None
    before = b""
    for number, blob in enumerate(records_of(past), 1):
        record = _of_past(past, blob, number, before, state)
        if isinstance(record.b, PlayedOn):
            yield from folding(record.b, step)
        state, before = step(state, record).state, blob
        yield
    if state is None or state.standing.turn != past.turn or state.standing.phase is not Phase.PLOT:
        raise RecordError(1, f"its past does not end where turn {past.turn} begins")
    return state


def _of_past(
    past: Past, blob: bytes, number: int, before: bytes, state: MatchState | None
) -> Record:
    record = unpacked(blob, number, before)
    if record.m != past.match:
        raise RecordError(1, "its past is that of another match")
    if state is not None and record.h and record.h != digest(state):
        raise RecordError(1, "its past leads to another state than it did")
    return record


def opening_of(past: Past) -> Opened:
    """Return how the match was opened from which one is played on; raise `RecordError` if bad."""
    opening = body_of(records_of(past)[0])
    if not isinstance(opening, Opened):
        raise RecordError(1, "its past cannot be read")
    return opening


def _checked(opened: PlayedOn, state: MatchState) -> MatchState:
    """Return `state`, from which a match by that opening must be able to go on."""
    old = opening_of(opened.past)
    if opened.scenario != old.scenario:
        raise RecordError(1, "it plays on another scenario than its past")
    if any(getattr(opened.options, name) != getattr(old.options, name) for name in RULING):
        raise RecordError(1, "it plays by other rules than its past")
    return state


def _anew(state: MatchState, opened: PlayedOn, now_ms: int) -> MatchState:
    """Return the beginning of a new match where `state` is: what is not taken over is new."""
    options, sides = opened.options, state.truth.sides
    preset = PRESETS[options.clock]
    opens_ms = release_ms(preset, now_ms, options.allowance_beats)
    entropies = tuple(seat.entropy for seat in opened.seats if seat.entropy)
    clocks = dict.fromkeys(sides, new_clock(preset))
    return MatchState(
        board=state.board,
        scenario=state.scenario,
        options=options,
        server_seed=opened.server_seed,
        seed=match_seed(opened.server_seed, entropies),
        truth=state.truth,
        intel={
            audience: msgspec.structs.replace(intel, options=options)
            for audience, intel in state.intel.items()
        },
        standing=state.standing,
        opened_ms=opens_ms,
        moved_ms=opens_ms,
        told_ms=opens_ms,
        seqs=dict.fromkeys(state.intel, 1),
        clocks=clocks,
        attendance=dict.fromkeys(sides, new_attendance(preset)),
        shown_banks=shown_banks(clocks) if preset.bank_ms else {},
    )
