"""The compact form on real sockets: what comes whole, what as a change, and what both make."""

from typing import Any

import msgspec

from builders.players import all_ready, created, finished, play_on, seated
from builders.records import folded, read_record
from builders.venues import Venue
from builders.watchers import OPEN, frames, reached, show, watch
from builders.wires import Talker
from sunglare_protocol.codec import PAD_STEP, Form, encode_server
from sunglare_protocol.compact import PADDED_LEAST
from sunglare_protocol.ids import OMNI, PUBLIC, audience_of
from sunglare_protocol.seals import canonical

WINDOWS = 12


def told(talker: Talker) -> list[dict[str, Any]]:
    """Return the frames and changes that came, as they came."""
    heard = [msgspec.msgpack.decode(data) for data in talker.raw]
    return [message for message in heard if message["t"] in ("frame", "change")]


def kinds(talker: Talker) -> list[str]:
    """Return of each frame that came whether it was whole or a change."""
    return [message["t"] for message in told(talker)]


def forms(talker: Talker) -> list[bytes]:
    """Return what the chain of the frames that came is made of."""
    return [canonical(encode_server(frame, Form.PACKED), Form.PACKED) for frame in frames(talker)]


async def test_a_feed_comes_whole_at_first_then_in_changes_that_make_the_same_frames(
    venue: Venue,
) -> None:
    _, players = await show(venue, OPEN)
    pairs: list[tuple[Talker, Talker]] = []
    for feed in (PUBLIC, OMNI):
        pairs.append((await venue.one(), await venue.one(form=Form.COMPACT)))
        for talker in pairs[-1]:
            await watch(talker, players[0].match, feed)
    await all_ready(players)
    await play_on(players, WINDOWS)
    over = await finished(players)
    for packed, compact in pairs:
        await reached(packed, over.seq)
        await reached(compact, over.seq)
        assert frames(compact) == frames(packed)
        assert forms(compact) == forms(packed)
        assert kinds(compact) == ["frame", *["change"] * (len(frames(packed)) - 1)]
        assert sum(map(len, compact.raw)) < sum(map(len, packed.raw))


async def test_a_seat_that_comes_back_gets_one_frame_whole_and_what_followed_in_changes(
    venue: Venue,
) -> None:
    anna, boris = await venue.one(form=Form.COMPACT), await venue.one()
    match = await created(anna, options=OPEN)
    players = [await seated(anna, match), await seated(boris, match)]
    await all_ready(players)
    await play_on(players, 2)
    have = players[0].seen
    await play_on(players, 3)
    later = await venue.one(form=Form.COMPACT)
    players[0] = await players[0].resume(later, have)
    await play_on(players, 3)
    over = await finished(players)
    await players[0].caught_up(over.seq)
    file = read_record(await boris.record(match))
    sent = folded(file, audience_of(players[0].side))[audience_of(players[0].side)]
    for talker in (anna, later):
        heard = [encode_server(frame, Form.PACKED) for frame in frames(talker)]
        assert heard == [sent[frame.seq] for frame in frames(talker)]
        assert kinds(talker) == ["frame", *["change"] * (len(heard) - 1)]
    assert frames(later)[0].seq == have + 1


async def test_two_feeds_of_a_match_on_one_line_do_not_change_each_other(venue: Venue) -> None:
    _, players = await show(venue, OPEN)
    both = await venue.one(form=Form.COMPACT)
    alone = await venue.one()
    match = players[0].match
    await watch(both, match, PUBLIC)
    await watch(alone, match, OMNI)
    await all_ready(players)
    await play_on(players, 3)
    await watch(both, match, OMNI)
    await play_on(players, 3)
    over = await finished(players)
    await reached(both, over.seq)
    await reached(alone, over.seq)
    mine = {form for form in forms(both) if b"truth" in form}
    assert mine
    assert mine <= set(forms(alone))


async def test_changes_of_a_rated_match_are_filled_up_to_1024_bytes_or_more(
    venue: Venue,
) -> None:
    anna, boris = await venue.one(form=Form.COMPACT), await venue.one()
    match = await created(anna, options={"pad_frames": "yes", "clock": "test"})
    players = [await seated(anna, match), await seated(boris, match)]
    await all_ready(players)
    await play_on(players, WINDOWS)
    await finished(players)
    changes = [data for data in anna.raw if msgspec.msgpack.decode(data)["t"] == "change"]
    assert len(changes) >= WINDOWS
    assert all(len(data) % PAD_STEP == 0 and len(data) >= PADDED_LEAST for data in changes)
    assert list(told(anna)[-1])[-1] == "pad"
    assert not any(frame.pad for frame in frames(anna)[1:])
