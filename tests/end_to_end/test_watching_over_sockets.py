"""Who may follow what: the public feed, the truth and its delay, the record before and after."""

import io
from typing import Any

import msgpack  # type: ignore[import-untyped]
import pytest

from builders.players import all_ready, created, finished, play_on, seated
from builders.records import folded, read_record
from builders.venues import Venue
from builders.watchers import DELAYED, OPEN, Options, frames, name_of, reached, show, truths, watch
from builders.wires import met
from sunglare_protocol.codec import Form, encode_server
from sunglare_protocol.ids import CASTER, OMNI, PUBLIC, audience_of
from sunglare_protocol.messages import FetchRecord, Frame, Join, Over, Piece, Ready, Watch
from sunglare_protocol.refusals import Code
from sunglare_protocol.views import TruthView

WINDOWS_A_TURN = 5


async def test_the_public_feed_is_open_to_everybody(venue: Venue) -> None:
    host, players = await show(venue, DELAYED)
    url = venue.app.url
    stranger = await venue.one()
    match = players[0].match
    for talker in (host, stranger):
        told = await watch(talker, match, PUBLIC)
        assert (told.feed, told.delay_turns, told.delay_s) == (PUBLIC, 0, 0)
    await all_ready(players)
    await play_on(players, 6)
    async with met(url, token=players[0].talker.token) as second:
        await watch(second, match, PUBLIC)
        await reached(second, players[0].seen)
        assert [frame.seq for frame in frames(second)] == [players[0].seen]
    over = await finished(players)
    await reached(stranger, over.seq)
    await reached(host, over.seq)
    file = read_record(await host.record(match))
    sent = folded(file, PUBLIC)[PUBLIC]
    assert host.sequence(match) == stranger.sequence(match) == sent


async def test_nobody_with_a_seat_sees_the_truth(venue: Venue) -> None:
    host, players = await show(venue, OPEN)
    url = venue.app.url
    stranger = await venue.one()
    match = players[0].match
    await all_ready(players)
    told = await players[0].talker.fault(Watch, match=match, feed=OMNI)
    assert told == (Code.FEED_CLOSED, "$.feed")
    async with met(url, token=players[0].talker.token) as second:
        assert await second.code(Watch, match=match, feed=OMNI) is Code.FEED_CLOSED
    for talker in (host, stranger):
        await watch(talker, match, OMNI)
        await reached(talker, 1)
        assert isinstance(frames(talker)[0].view, TruthView)


@pytest.mark.parametrize("device", ["same connection", "another connection"])
async def test_the_truth_ends_for_who_takes_a_seat(venue: Venue, device: str) -> None:
    watcher, boris = await venue.some(2)
    is_other = device == "another connection"
    sitter = await venue.one(token=watcher.token) if is_other else watcher
    match = await created(boris, options=OPEN)
    await watch(watcher, match, OMNI)
    players = [await seated(sitter, match), await seated(boris, match)]
    await all_ready(players)
    await play_on(players, 3)
    await finished(players)
    assert not [frame for frame in frames(watcher) if isinstance(frame.view, TruthView)]


@pytest.mark.parametrize("options", [DELAYED, {**OPEN, "omni_delay_s": 30}], ids=["turns", "s"])
async def test_a_delayed_truth_is_for_the_host_and_told_to_the_seats(
    venue: Venue, options: Options
) -> None:
    host, players = await show(venue, options)
    stranger = await venue.one()
    match = players[0].match
    assert await stranger.fault(Watch, match=match, feed=OMNI) == (Code.FEED_CLOSED, "$.feed")
    told = await watch(host, match, OMNI)
    delays = options["omni_delay_turns"], options["omni_delay_s"]
    assert (told.delay_turns, told.delay_s) == delays
    await players[0].talker.ping()
    assert truths(players[0].talker) == [f"truth {name_of(host)}"]


@pytest.mark.parametrize("feed", ["C", "everything", ""])
async def test_no_other_feed_is_known(venue: Venue, feed: str) -> None:
    _, players = await show(venue, OPEN)
    stranger = await venue.one()
    refused = await stranger.refused(Watch, match=players[0].match, feed=feed)
    assert (refused.code, refused.at) == (Code.FEED_UNKNOWN, "$.feed")
    assert refused.choices == (PUBLIC, OMNI, CASTER, "A", "B")


async def test_a_delay_of_a_turn_holds_the_truth_back(venue: Venue) -> None:
    host, players = await show(venue, DELAYED)
    match = players[0].match
    await watch(host, match, OMNI)
    await all_ready(players)
    # The turn after it has begun, and nothing has moved in that yet.
    await play_on(players, WINDOWS_A_TURN)
    await host.ping()
    assert frames(host) == []
    await play_on(players, 1)
    await reached(host, WINDOWS_A_TURN)
    await play_on(players, 1)
    await host.ping()
    assert [frame.seq for frame in frames(host)] == list(range(1, WINDOWS_A_TURN + 1))
    assert {frame.turn for frame in frames(host)} == {1}
    over = await finished(players)
    await reached(host, over.seq)
    file = read_record(await host.record(match))
    assert host.sequence(match) == folded(file, OMNI)[OMNI]


async def test_a_delay_of_seconds_holds_the_truth_back(venue: Venue) -> None:
    clock = await venue.still()
    host, players = await show(venue, {**OPEN, "omni_delay_s": 30})
    match = players[0].match
    await watch(host, match, OMNI)
    await all_ready(players)
    await clock.run_for(10_000)
    await play_on(players, WINDOWS_A_TURN + 1)
    await clock.run_for(19_999)
    await host.listed()
    assert frames(host) == []
    await clock.run_for(1)
    await reached(host, 1)
    await clock.run_for(10_000)
    await reached(host, WINDOWS_A_TURN)
    assert [frame.seq for frame in frames(host)] == [1, 2, 3, 4, 5]


async def test_who_comes_late_begins_with_a_keyframe_and_misses_nothing_more(venue: Venue) -> None:
    _, players = await show(venue, OPEN)
    stranger = await venue.one()
    match = players[0].match
    await all_ready(players)
    await play_on(players, 3)
    await watch(stranger, match, OMNI)
    await reached(stranger, 4)
    await play_on(players, 2)
    await reached(stranger, 6)
    assert [frame.seq for frame in frames(stranger)] == [4, 5, 6]


async def test_a_hole_in_what_is_kept_is_bridged_by_a_keyframe(venue: Venue) -> None:
    _, players = await show(venue, OPEN)
    url = venue.app.url
    match = players[0].match
    async with met(url) as first:
        await watch(first, match, PUBLIC)
        await all_ready(players)
        await play_on(players, 2)
        await reached(first, 3)
        await first.leave(match)
        await play_on(players, 2)
        assert [frame.seq for frame in frames(first)] == [1, 2, 3]
        await watch(first, match, PUBLIC, have=3)
        await reached(first, 5)
        await play_on(players, 1)
        await watch(first, match, PUBLIC, have=5)
        await play_on(players, 1)
        await reached(first, 7)
    assert [frame.seq for frame in frames(first)] == [1, 2, 3, 5, 6, 6, 7]
    second = await venue.one()
    await watch(second, match, PUBLIC, have=0)
    await reached(second, 7)
    assert [frame.seq for frame in frames(second)] == [7]


async def test_the_end_of_watching_is_not_the_end_of_a_seat(venue: Venue) -> None:
    __, players = await show(venue, OPEN)
    anna = players[0].talker
    await all_ready(players)
    await watch(anna, players[0].match, PUBLIC)
    await watch(anna, players[0].match, PUBLIC)
    await anna.leave(players[0].match)
    start = len(anna.messages)
    await play_on(players, 2)
    own = anna.every(Frame, start)
    assert {frame.view.audience for frame in own if not isinstance(frame.view, TruthView)} == {"A"}
    assert len(own) == 2


async def test_after_the_end_the_truth_is_for_everybody(venue: Venue) -> None:
    _, players = await show(venue, DELAYED)
    stranger = await venue.one()
    match = players[0].match
    await all_ready(players)
    await play_on(players, 2)
    over = await finished(players)
    for talker in (stranger, players[0].talker):
        start = len(talker.messages)
        await watch(talker, match, OMNI)
        end = await talker.came(Over, start)
        shown = talker.every(Frame, start)
        assert end == over
        assert [isinstance(frame.view, TruthView) for frame in shown] == [True]
        assert shown[0].seq < over.seq


async def test_the_record_is_sealed_before_the_end(venue: Venue) -> None:
    host, players = await show(venue, OPEN)
    stranger = await venue.one()
    match = players[0].match
    await all_ready(players)
    await play_on(players, 4)
    for talker in (host, stranger):
        assert await talker.code(FetchRecord, match=match) is Code.RECORD_SEALED
    for player in players:
        header, *own = parts(await player.talker.record(match))
        sent = [encode_server(post, Form.PACKED) for post in player.posts]
        assert own == sent
        assert (header["format"], header["audience"]) == ("sunglare-frames", player.side)
    await finished(players)
    whole = await stranger.record(match)
    assert whole == await players[0].talker.record(match)
    assert read_record(whole).header["format"] == "sunglare-record"
    rest = await stranger.expect(Piece, FetchRecord, match=match, from_byte=100)
    assert (rest.data, rest.from_byte, rest.last) == (whole[100:], 100, True)
    behind = await stranger.expect(Piece, FetchRecord, match=match, from_byte=10**9)
    assert (behind.data, behind.last) == (b"", True)


async def test_a_finished_match_is_there_after_a_restart(venue: Venue) -> None:
    __, players = await show(venue, DELAYED)
    match = players[0].match
    await all_ready(players)
    await play_on(players, 2)
    over = await finished(players)
    whole = await players[0].talker.record(match)
    await venue.close()
    stranger = await venue.one()
    assert await stranger.record(match) == whole
    await watch(stranger, match, OMNI)
    assert await stranger.came(Over) == over
    assert await stranger.code(Join, match=match) is Code.MATCH_STARTED
    assert await stranger.code(Ready, match=match) is Code.MATCH_STARTED
    again = await venue.one(token=players[0].talker.token)
    back = await players[0].resume(again, have=over.seq - 1)
    assert await back.over() == over
    assert audience_of(back.side) == "A"


def parts(data: bytes) -> list[Any]:
    """Return the values of a MessagePack stream."""
    return list(msgpack.Unpacker(io.BytesIO(data), max_buffer_size=len(data)))
