"""A restart keeps what the seats' feeds hold for those who come back: their rings."""

import pytest

from builders.beats import Hall
from sunglare_protocol.codec import Form
from sunglare_protocol.ids import Side, audience_of
from sunglare_server.match.data.options import MatchOptions
from sunglare_server.match.record import ChatSaid, OrdersGiven
from sunglare_server.runtime import resume_buffers
from sunglare_server.runtime.encoded_message import EncodedMessage
from sunglare_server.runtime.feed import RING
from sunglare_server.runtime.resume_buffers import RING_BYTES, ResumeBuffers

A, B = Side("A"), Side("B")
TURNS = 6
ROUND_MS = 3_000


async def played(turns: int = TURNS, words: int = 0, form: Form = Form.PACKED) -> Hall:
    """Play some turns of a match without orders, with so many words said in each window."""
    hall = Hall(form=form)
    await hall.open(MatchOptions(clock="test"))
    await go_on(hall, turns, words)
    return hall


async def go_on(hall: Hall, turns: int, words: int = 0) -> None:
    """Play so many turns more."""
    until = hall.runner.state.standing.turn + turns
    while hall.runner.state.standing.turn < until:
        window = hall.runner.state.standing.window
        for _ in range(words):
            hall.command(A, ChatSaid(text="a word"))
        for side in hall.runner.state.awaited:
            hall.command(side, OrdersGiven(window=window, rev=1, orders=(), lock=True))
        await hall.clock.run_for(ROUND_MS)


def held(hall: Hall, side: Side) -> list[tuple[int, bytes]]:
    """Return the ring of a seat."""
    return packed(hall.runner.feeds[audience_of(side)].ring)


def packed(ring: object) -> list[tuple[int, bytes]]:
    """Return numbered parcels as bytes."""
    return [(seq, one.encoded(Form.PACKED)) for seq, one in ring]  # type: ignore[attr-defined]


@pytest.mark.parametrize("words", [0, 3])
@pytest.mark.parametrize("form", [Form.PACKED, Form.COMPACT], ids=["packed", "compact"])
async def test_a_restart_keeps_the_rings_byte_for_byte(words: int, form: Form) -> None:
    hall = await played(words=words, form=form)
    for _ in range(3):
        before = {side: held(hall, side) for side in (A, B)}
        assert before[A][0][0] == 1
        await hall.restart()
        for side in (A, B):
            again = held(hall, side)
            assert again[: len(before[side])] == before[side]
            # A restart itself is told.
            assert [seq for seq, _ in again] == list(range(1, len(again) + 1))
        await go_on(hall, 2, words)


@pytest.mark.parametrize("turns", range(1, 6))
async def test_a_restart_keeps_all_of_the_first_turns_whether_any_state_is_kept_yet(
    turns: int,
) -> None:
    hall = await played(turns)
    before = {side: held(hall, side) for side in (A, B)}
    await hall.restart()
    for side in (A, B):
        assert held(hall, side)[: len(before[side])] == before[side]
        assert before[side][0][0] == 1


async def test_who_missed_much_is_sent_all_of_it_after_a_restart() -> None:
    hall = await played()
    await hall.restart()
    feed = hall.runner.feeds[audience_of(B)]
    missed = feed.missed(3)
    assert missed is not None
    assert [one.message.seq for one in missed] == list(range(4, feed.ring[-1][0] + 1))  # type: ignore[union-attr]


async def test_no_more_posts_are_kept_than_a_ring_holds() -> None:
    hall = await played(turns=8, words=12)
    before = held(hall, A)
    assert len(before) == RING
    assert before[0][0] > 1
    await hall.restart()
    again = held(hall, A)
    assert len(again) == RING
    assert again[0][0] >= before[0][0]
    assert dict(again).items() >= {seq: data for seq, data in before if seq >= again[0][0]}.items()


async def test_no_more_bytes_are_kept_than_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    hall = await played()
    whole = held(hall, A)
    most = sum(len(data) for _, data in whole) // 2
    monkeypatch.setattr(resume_buffers, "RING_BYTES", most)
    await hall.restart()
    cut = [post for post in held(hall, A) if post in whole]
    assert cut == whole[-len(cut) :]
    assert 0 < len(cut) < len(whole)


def numbered(*seqs: int) -> tuple[tuple[int, EncodedMessage], ...]:
    """Return posts of which nothing but number and size matters here."""
    return tuple((seq, EncodedMessage(None, bytes([seq % 256]) * 1000)) for seq in seqs)


def test_turns_that_no_ring_needs_any_more_are_dropped() -> None:
    kept = ResumeBuffers()
    stored: tuple[bytes, ...] = ()
    for turn in range(100):
        stored = kept.note({audience_of(A): numbered(*range(turn * 10 + 1, turn * 10 + 11))})
    assert len(stored) * 10 - RING < 10
    again = ResumeBuffers(stored)
    assert [seq for seq, _ in again.before(audience_of(A), 1001)] == list(range(1001 - RING, 1001))
    assert RING * 1000 < RING_BYTES


def test_a_gap_or_damage_in_what_is_stored_ends_it_there() -> None:
    kept = ResumeBuffers()
    kept.note({audience_of(A): numbered(1, 2, 3)})
    first, second = kept.note({audience_of(A): numbered(5, 6)})
    again = ResumeBuffers((first, second))
    assert [seq for seq, _ in again.before(audience_of(A), 7)] == [5, 6]
    assert again.before(audience_of(A), 9) == []
    assert again.before(audience_of(B), 7) == []
    torn = ResumeBuffers((first, second[: len(second) // 2]))
    assert torn.before(audience_of(A), 7) == []
    assert [seq for seq, _ in torn.before(audience_of(A), 4)] == [1, 2, 3]


def test_what_was_packed_is_read_from_its_pack_but_for_the_newest_post() -> None:
    kept = ResumeBuffers()
    ring: list[tuple[int, EncodedMessage]] = []
    wanted: list[tuple[int, bytes]] = []
    for turn in range(5):
        fresh = numbered(*range(turn * 3 + 1, turn * 3 + 4))
        ring += fresh
        wanted += packed(fresh)
        kept.note({audience_of(A): ring})
    assert packed(ring) == wanted
    assert [encoded_message.is_shelved for _, encoded_message in ring] == [True] * 14 + [False]


async def test_a_ring_in_memory_has_no_more_bytes_than_is_said_but_for_its_oldest_turns(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    whole = held(await played(turns=12), A)
    most = sum(len(data) for _, data in whole) // 4
    monkeypatch.setattr(resume_buffers, "RING_BYTES", most)
    cut = held(await played(turns=12), A)
    assert cut == whole[-len(cut) :]
    assert most <= sum(len(data) for _, data in cut) < 3 * most
