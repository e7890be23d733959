"""Replay equals live: a journal folds to the same state and the same bytes, or is found bad."""

import os
from collections.abc import Callable
from random import Random

import msgspec
import pytest

from builders.played import DigestError, Rig, audiences, read, refold, rig
from builders.scenarios import scenarios
from sunglare_protocol.codec import Form, decode_server
from sunglare_protocol.ids import OMNI, PUBLIC
from sunglare_protocol.messages import Frame, News
from sunglare_server.match.record import OrdersGiven, RecordError, chain, packed, unpacked
from sunglare_server.match.state import digest

OPTIONS = (
    {"scan_slots": "sequential", "contact_values": "no"},
    {"scan_slots": "sealed", "contact_values": "yes", "clock": "blitz"},
)


LONG = bool(os.environ.get("SUNGLARE_LONG"))
WHOLE = 10_000

WHOLE_MATCHES = sorted(
    set(scenarios()) - (frozenset() if LONG else {"redondo", "orlog"}),
    key=lambda name: (name != "duel", name),
)
"""The smallest scenario first. Of the largest one, which takes long, only the folds of prefixes
are compared each time."""


def _played(name: str, seed: int, windows: int, **options: str) -> Rig:
    match = rig(scenarios()[name], seed, **options)
    match.play(Random(seed), windows)
    return match


@pytest.mark.parametrize("name", WHOLE_MATCHES)
@pytest.mark.parametrize("options", OPTIONS, ids=("sequential", "sealed and padded"))
def test_the_fold_of_a_journal_is_the_match_that_was_played(
    name: str, options: dict[str, str]
) -> None:
    for seed in range(3):
        live = _played(name, seed, WHOLE, **options)
        again = refold(live.journal, audiences(scenarios()[name]))
        assert live.state.is_over
        assert again.digest == digest(live.state)
        assert again.sent == live.sent


@pytest.mark.parametrize("name", WHOLE_MATCHES)
def test_the_fold_of_a_prefix_is_the_match_at_that_point(name: str) -> None:
    whole, rng = _played(name, 5, WHOLE), Random(5)
    for _ in range(4):
        until = rng.randrange(1, len(whole.journal))
        again = refold(whole.journal[:until], audiences(scenarios()[name]))
        for audience, sent in again.sent.items():
            assert sent == whole.sent[audience][: len(sent)]


def test_every_audience_gets_one_frame_for_each_window_and_one_at_the_start() -> None:
    match = _played("duel", 3, 12)
    counts = {len(sent) for audience, sent in match.sent.items() if audience not in (PUBLIC, OMNI)}
    said = sum(isinstance(decode_server(data, Form.PACKED), News) for data in match.sent[PUBLIC])
    assert counts == {len(match.sent[PUBLIC])} == {1 + 12 + said}


def test_a_padded_frame_fills_whole_steps_for_every_audience() -> None:
    match = _played("melee", 4, 12, pad_frames="yes")
    sent = [data for messages in match.sent.values() for data in messages]
    frames = [data for data in sent if isinstance(decode_server(data, Form.PACKED), Frame)]
    assert len(frames) >= 13 * len(match.sent)
    assert {len(data) % 256 for data in frames} == {0}


def test_a_flipped_bit_in_a_record_is_found_when_the_journal_is_read() -> None:
    journal = _played("duel", 1, 20).journal
    rng = Random(1)
    for _ in range(300):
        index = rng.randrange(len(journal) - 1)
        damaged = bytearray(journal[index])
        damaged[rng.randrange(len(damaged))] ^= 1 << rng.randrange(8)
        with pytest.raises(RecordError) as caught:
            list(read([*journal[:index], bytes(damaged), *journal[index + 1 :]]))
        assert caught.value.number in (index + 1, index + 2)


def _without(journal: list[bytes], index: int) -> list[bytes]:
    return [*journal[:index], *journal[index + 1 :]]


def _doubled(journal: list[bytes], index: int) -> list[bytes]:
    return [*journal[: index + 1], *journal[index:]]


def _swapped(journal: list[bytes], index: int) -> list[bytes]:
    return [*journal[:index], journal[index + 1], journal[index], *journal[index + 2 :]]


@pytest.mark.parametrize("spoil", [_without, _doubled, _swapped])
def test_a_record_missing_doubled_or_out_of_place_is_found(
    spoil: Callable[[list[bytes], int], list[bytes]],
) -> None:
    journal = _played("duel", 2, 20).journal
    for index in range(len(journal) - 1):
        with pytest.raises(RecordError):
            list(read(spoil(journal, index)))


def test_a_journal_forged_from_one_record_on_is_found_by_a_digest() -> None:
    journal = _played("duel", 6, WHOLE).journal
    records = [record for record, _ in read(journal)]
    forged: list[bytes] = []
    has_changed = False
    for record in records:
        body = record.b
        if not has_changed and isinstance(body, OrdersGiven) and body.orders:
            body, has_changed = msgspec.structs.replace(body, orders=()), True
        p = chain(forged[-1]) if forged else b""
        forged.append(packed(msgspec.structs.replace(record, b=body, p=p)))
    assert has_changed
    assert unpacked(forged[-1], len(forged), forged[-2]).n == len(journal)
    with pytest.raises(DigestError):
        refold(forged, ())
