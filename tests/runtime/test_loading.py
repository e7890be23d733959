"""Loading a match: from its records alone or from snapshots, with the same bytes for everybody."""

from functools import cache
from random import Random

import msgspec
import pytest

from builders.memoryjournal import MemoryJournal
from builders.played import Rig, rig
from builders.scenarios import scenarios
from builders.truths import MATCH
from sunglare_protocol.codec import Form
from sunglare_protocol.ids import OMNI, PUBLIC, audience_of
from sunglare_server.match.record import HASH_BYTES, RecordError, chain, unpacked
from sunglare_server.match.state import MatchState, digest
from sunglare_server.match.step import step
from sunglare_server.runtime.batch import Sealed
from sunglare_server.runtime.feeds import Feeds
from sunglare_server.runtime.recovery import Loaded, load
from sunglare_server.runtime.snapshots import (
    TURNS_SHOWN,
    Snapshots,
    packed_snapshot,
    starts_turn,
    unpacked_snapshot,
)
from sunglare_server.runtime.spectator_fanout import SpectatorBroadcaster

WINDOWS = 36
FLIPS = 200


async def at_once() -> None:
    """Wait for nobody."""


@cache
def played(name: str, windows: int = WINDOWS, **options: int | str) -> Rig:
    """Return a match after some windows of random orders, which no test changes."""
    rng = Random(name)
    match = rig(scenarios()[name], 5, PUBLIC, **options)
    for _ in range(windows):
        if not match.state.is_over:
            match.play(rng, 1)
    return match


@cache
def sealed_of(match: Rig) -> tuple[Sealed, ...]:
    """Return the records of a match with what each comes to."""
    state: MatchState | None = None
    before, found = b"", []
    for number, blob in enumerate(match.journal, 1):
        record = unpacked(blob, number, before)
        stepped = step(state, record)
        found.append(Sealed(blob, chain(blob), stepped, record.t))
        state, before = stepped.state, blob
    return tuple(found)


async def kept_by(match: Rig, *, with_snapshots: bool = True) -> MemoryJournal:
    """Return a journal that holds a match, with the snapshots that a runner would keep."""
    journal = MemoryJournal()
    await journal.append(MATCH, 1, tuple(match.journal))
    snapshots = Snapshots(MATCH, journal)
    before: MatchState | None = None
    for number, sealed in enumerate(sealed_of(match), 1):
        if with_snapshots and starts_turn(before, sealed):
            snapshots.keep(number, sealed)
        before = sealed.stepped.state
    await snapshots.settled()
    return journal


def shown(loaded: Loaded, now_ms: int) -> dict[str, object]:
    """Return all that a match gives out after loading: rings, keyframes, and what still waits."""
    state = loaded.sealed[-1].stepped.state
    feeds = Feeds.loaded(MATCH, loaded, SpectatorBroadcaster())
    feeds.release(now_ms, state)
    told: dict[str, object] = {"state": digest(state), "number": loaded.number}
    for audience, feed in feeds.items():
        ring = [(seq, encoded_message.encoded(Form.PACKED)) for seq, encoded_message in feed.ring]
        whole = [encoded_message.encoded(Form.PACKED) for encoded_message in feed.keyframe()]
        told[audience] = (ring, whole, feed.next_release_ms(state))
    return told


@pytest.mark.parametrize("name", scenarios())
def test_a_state_is_read_from_a_snapshot_as_it_was(name: str) -> None:
    sealed = sealed_of(played(name))[-1]
    found = unpacked_snapshot(packed_snapshot(sealed), sealed.blob, sealed.head)
    assert found is not None
    assert found.stepped.state == sealed.stepped.state
    assert digest(found.stepped.state) == digest(sealed.stepped.state)
    assert found.stepped.posts == sealed.stepped.posts


@pytest.mark.parametrize("delay", [0, 1, 2])
@pytest.mark.parametrize("name", ["duel", "parade", "siege"])
async def test_with_and_without_snapshots_everybody_is_sent_the_same(
    name: str, delay: int
) -> None:
    match = played(name, truth_feed="yes", omni_delay_turns=delay)
    journal = await kept_by(match)
    assert await journal.snapshots(MATCH)
    with_them = await load(MATCH, journal, at_once)
    without = await load(MATCH, await kept_by(match, with_snapshots=False), at_once)
    assert len(with_them.sealed) < len(without.sealed)
    assert shown(with_them, match.now) == shown(without, match.now)


@pytest.mark.parametrize("lost", range(1, 4))
async def test_the_loss_of_any_snapshot_changes_nothing(lost: int) -> None:
    match = played("melee", truth_feed="yes", omni_delay_turns=2)
    journal = await kept_by(match)
    whole = shown(await load(MATCH, journal, at_once), match.now)
    kept = await journal.snapshots(MATCH)
    fewer = await kept_by(match, with_snapshots=False)
    for place, (number, blob) in enumerate(kept, 1):
        if place != lost:
            await fewer.keep_snapshot(MATCH, number, blob, 0)
    assert len(await fewer.snapshots(MATCH)) == len(kept) - 1
    loaded = await load(MATCH, fewer, at_once)
    # What the turns before come to is made from the records where the oldest snapshot is lost.
    assert shown(loaded, match.now)["state"] == whole["state"]
    assert shown(loaded, match.now)["A"] == whole["A"]


async def test_a_loaded_match_shows_whole_turns_and_tells_the_rest_by_a_keyframe() -> None:
    match = played("duel")
    loaded = await load(MATCH, await kept_by(match), at_once)
    feeds = Feeds.loaded(MATCH, loaded, SpectatorBroadcaster())
    feeds.release(match.now, match.state)
    feed = feeds[audience_of(match.sides[0])]
    turns = {loaded.sealed[loaded.shown].stepped.state.standing.turn, match.state.standing.turn}
    assert max(turns) - min(turns) == TURNS_SHOWN - 1
    first = feed.ring[0][0]
    assert first > 1
    assert feed.missed(first - 1) == [encoded_message for _, encoded_message in feed.ring]
    assert feed.missed(first - 2) is None


async def test_a_delayed_truth_is_not_let_out_by_loading() -> None:
    match = played("duel", truth_feed="yes", omni_delay_turns=3)
    loaded = await load(MATCH, await kept_by(match), at_once)
    feeds = Feeds.loaded(MATCH, loaded, SpectatorBroadcaster())
    feeds.release(match.now, match.state)
    released = feeds[OMNI].released
    assert released is not None
    assert released.standing.turn == match.state.standing.moved_turn - 3


@pytest.mark.parametrize("fault", ["version", "rules", "field", "head", "torn", "noise"])
async def test_a_snapshot_that_does_not_fit_is_passed_over(fault: str) -> None:
    match = played("duel")
    journal = await kept_by(match)
    whole = shown(await load(MATCH, journal, at_once), match.now)
    for number, blob in await journal.snapshots(MATCH):
        await journal.keep_snapshot(MATCH, number, damaged(blob, fault), 0)
    loaded = await load(MATCH, journal, at_once)
    assert len(loaded.sealed) == len(match.journal)
    assert shown(loaded, match.now) == whole


def damaged(blob: bytes, fault: str) -> bytes:
    """Return a snapshot with something wrong in it."""
    if fault == "torn":
        return blob[:-1]
    if fault == "noise":
        return b"\xc1" * 20
    made = msgspec.msgpack.decode(blob[HASH_BYTES:])
    wrong = {"version": ("v", 99), "rules": ("rules", 99), "field": ("weather", "fair")}
    key, value = wrong.get(fault, ("head", bytes(16)))
    body = msgspec.msgpack.encode({**made, key: value})
    return chain(body) + body


def test_a_snapshot_with_a_flipped_bit_is_passed_over() -> None:
    sealed = sealed_of(played("duel"))[-1]
    blob, rng = packed_snapshot(sealed), Random(1)
    for _ in range(FLIPS):
        place = rng.randrange(len(blob))
        flipped = bytearray(blob)
        flipped[place] ^= 1 << rng.randrange(8)
        found = unpacked_snapshot(bytes(flipped), sealed.blob, sealed.head)
        assert found is None, place


async def test_a_snapshot_behind_the_last_record_is_passed_over() -> None:
    match = played("duel")
    journal = await kept_by(match)
    for number, blob in await journal.snapshots(MATCH):
        await journal.keep_snapshot(MATCH, number + 10_000, blob, number + 1)
    assert len((await load(MATCH, journal, at_once)).sealed) == len(match.journal)


async def test_records_that_come_to_another_state_stop_the_match() -> None:
    match = played("duel", 10)
    blobs = list(match.journal)
    number = 16
    record = msgspec.msgpack.decode(blobs[number - 1])
    blobs[number - 1] = msgspec.msgpack.encode({**record, "h": bytes(16)}, order="sorted")
    journal = MemoryJournal()
    await journal.append(MATCH, 1, tuple(blobs[:number]))
    with pytest.raises(RecordError, match="record 16: the records before it"):
        await load(MATCH, journal, at_once)


async def test_a_match_without_records_cannot_be_loaded() -> None:
    with pytest.raises(RecordError, match="no records"):
        await load(MATCH, MemoryJournal(), at_once)


async def test_no_more_snapshots_are_kept_than_the_delay_needs() -> None:
    for delay in (0, 1, 3):
        journal = await kept_by(played("duel", truth_feed="yes", omni_delay_turns=delay))
        # A turn more, for at its start its movement is still to come.
        needed = delay + 2 if delay else 1
        assert len(await journal.snapshots(MATCH)) == max(needed, TURNS_SHOWN)
