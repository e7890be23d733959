"""Who may follow what: the public feed, the truth and its delay, the record before and after."""

import contextlib
import io
from pathlib import Path
from typing import Any

import msgpack  # type: ignore[import-untyped]
import pytest

from builders.players import Player, all_ready, created, play_on, seated
from builders.records import folded, read_record
from builders.servers import running_app
from builders.watchers import DELAYED, OPEN, Options, frames, name_of, reached, show, truths, watch
from builders.wires import met
from sunglare_protocol.codec import Form, encode_server
from sunglare_protocol.ids import OMNI, PUBLIC, audience_of
from sunglare_protocol.messages import (
    FetchRecord,
    Frame,
    Join,
    Leave,
    Over,
    Piece,
    Ping,
    Pong,
    Ready,
    Resign,
    Watch,
)
from sunglare_protocol.refusals import Code
from sunglare_protocol.views import TruthView
from sunglare_server.host.clock import FakeClock

WINDOWS_A_TURN = 5


async def finished(players: list[Player]) -> Over:
    """End a match and return its end."""
    await players[1].talker.accepted(Resign, match=players[1].match)
    await players[1].over()
    return await players[0].over()


async def test_the_public_feed_is_open_to_everybody(tmp_path: Path) -> None:
    async with show(tmp_path, DELAYED) as (url, host, players), met(url) as stranger:
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


async def test_nobody_with_a_seat_sees_the_truth(tmp_path: Path) -> None:
    async with show(tmp_path, OPEN) as (url, host, players), met(url) as stranger:
        match = players[0].match
        await all_ready(players)
        refused = await players[0].talker.refused(Watch, match=match, feed=OMNI)
        assert (refused.code, refused.at) == (Code.FEED_CLOSED, "$.feed")
        async with met(url, token=players[0].talker.token) as second:
            assert await second.code(Watch, match=match, feed=OMNI) is Code.FEED_CLOSED
        for talker in (host, stranger):
            await watch(talker, match, OMNI)
            await reached(talker, 1)
            assert isinstance(frames(talker)[0].view, TruthView)


@pytest.mark.parametrize("device", ["same connection", "another connection"])
async def test_the_truth_ends_for_who_takes_a_seat(tmp_path: Path, device: str) -> None:
    async with running_app(tmp_path) as app, contextlib.AsyncExitStack() as stack:
        watcher = await stack.enter_async_context(met(app.url))
        sitter = watcher
        if device == "another connection":
            sitter = await stack.enter_async_context(met(app.url, token=watcher.token))
        boris = await stack.enter_async_context(met(app.url))
        match = await created(boris, options=OPEN)
        await watch(watcher, match, OMNI)
        players = [await seated(sitter, match), await seated(boris, match)]
        await all_ready(players)
        await play_on(players, 3)
        await finished(players)
        assert not [frame for frame in frames(watcher) if isinstance(frame.view, TruthView)]


@pytest.mark.parametrize("options", [DELAYED, {**OPEN, "omni_delay_s": 30}], ids=["turns", "s"])
async def test_a_delayed_truth_is_for_the_host_and_told_to_the_seats(
    tmp_path: Path, options: Options
) -> None:
    async with show(tmp_path, options) as (url, host, players), met(url) as stranger:
        match = players[0].match
        refused = await stranger.refused(Watch, match=match, feed=OMNI)
        assert (refused.code, refused.at) == (Code.FEED_CLOSED, "$.feed")
        told = await watch(host, match, OMNI)
        assert (told.delay_turns, told.delay_s) == (
            options["omni_delay_turns"],
            options["omni_delay_s"],
        )
        await players[0].talker.expect(Pong, Ping)
        assert truths(players[0].talker) == [f"truth {name_of(host)}"]


@pytest.mark.parametrize("feed", ["A", "B", "everything", ""])
async def test_no_other_feed_is_known(tmp_path: Path, feed: str) -> None:
    async with show(tmp_path, OPEN) as (url, _, players), met(url) as stranger:
        refused = await stranger.refused(Watch, match=players[0].match, feed=feed)
        assert (refused.code, refused.at) == (Code.FEED_UNKNOWN, "$.feed")
        assert refused.choices == (PUBLIC, OMNI)


async def test_a_delay_of_a_turn_holds_the_truth_back(tmp_path: Path) -> None:
    async with show(tmp_path, DELAYED) as (_, host, players):
        match = players[0].match
        await watch(host, match, OMNI)
        await all_ready(players)
        # The turn after it has begun, and nothing has moved in that yet.
        await play_on(players, WINDOWS_A_TURN)
        await host.expect(Pong, Ping)
        assert frames(host) == []
        await play_on(players, 1)
        await reached(host, WINDOWS_A_TURN)
        await play_on(players, 1)
        await host.expect(Pong, Ping)
        assert [frame.seq for frame in frames(host)] == list(range(1, WINDOWS_A_TURN + 1))
        assert {frame.turn for frame in frames(host)} == {1}
        over = await finished(players)
        await reached(host, over.seq)
        file = read_record(await host.record(match))
        assert host.sequence(match) == folded(file, OMNI)[OMNI]


async def test_a_delay_of_seconds_holds_the_truth_back(tmp_path: Path) -> None:
    clock = FakeClock(1_000_000)
    options: Options = {**OPEN, "omni_delay_s": 30}
    async with show(tmp_path, options, clock) as (_, host, players):
        match = players[0].match
        await watch(host, match, OMNI)
        await all_ready(players)
        await clock.run_for(10_000)
        await play_on(players, WINDOWS_A_TURN + 1)
        await clock.run_for(19_999)
        await host.expect(Pong, Ping)
        assert frames(host) == []
        await clock.run_for(1)
        await reached(host, 1)
        await clock.run_for(10_000)
        await reached(host, WINDOWS_A_TURN)
        assert [frame.seq for frame in frames(host)] == [1, 2, 3, 4, 5]


async def test_who_comes_late_begins_with_a_keyframe_and_misses_nothing_more(
    tmp_path: Path,
) -> None:
    async with show(tmp_path, OPEN) as (url, _, players), met(url) as stranger:
        match = players[0].match
        await all_ready(players)
        await play_on(players, 3)
        await watch(stranger, match, OMNI)
        await reached(stranger, 4)
        await play_on(players, 2)
        await reached(stranger, 6)
        assert [frame.seq for frame in frames(stranger)] == [4, 5, 6]


async def test_a_hole_in_what_is_kept_is_bridged_by_a_keyframe(tmp_path: Path) -> None:
    async with show(tmp_path, OPEN) as (url, _, players):
        match = players[0].match
        async with met(url) as first:
            await watch(first, match, PUBLIC)
            await all_ready(players)
            await play_on(players, 2)
            await reached(first, 3)
            await first.accepted(Leave, match=match)
            await play_on(players, 2)
            assert [frame.seq for frame in frames(first)] == [1, 2, 3]
            await watch(first, match, PUBLIC, have=3)
            await reached(first, 5)
            await play_on(players, 1)
            await watch(first, match, PUBLIC, have=5)
            await play_on(players, 1)
            await reached(first, 7)
        assert [frame.seq for frame in frames(first)] == [1, 2, 3, 5, 6, 6, 7]
        async with met(url) as second:
            await watch(second, match, PUBLIC, have=0)
            await reached(second, 7)
            assert [frame.seq for frame in frames(second)] == [7]


async def test_the_end_of_watching_is_not_the_end_of_a_seat(tmp_path: Path) -> None:
    async with show(tmp_path, OPEN) as (_, __, players):
        anna = players[0].talker
        await all_ready(players)
        await watch(anna, players[0].match, PUBLIC)
        await watch(anna, players[0].match, PUBLIC)
        await anna.accepted(Leave, match=players[0].match)
        start = len(anna.messages)
        await play_on(players, 2)
        own = [message for message in anna.messages[start:] if isinstance(message, Frame)]
    assert {frame.view.audience for frame in own if not isinstance(frame.view, TruthView)} == {"A"}
    assert len(own) == 2


async def test_after_the_end_the_truth_is_for_everybody(tmp_path: Path) -> None:
    async with show(tmp_path, DELAYED) as (url, _, players), met(url) as stranger:
        match = players[0].match
        await all_ready(players)
        await play_on(players, 2)
        over = await finished(players)
        for talker in (stranger, players[0].talker):
            start = len(talker.messages)
            await watch(talker, match, OMNI)
            end = await talker.wait_for(lambda message: isinstance(message, Over), start)
            shown = [message for message in talker.messages[start:] if isinstance(message, Frame)]
            assert end == over
            assert [isinstance(frame.view, TruthView) for frame in shown] == [True]
            assert shown[0].seq < over.seq


async def test_the_record_is_sealed_before_the_end(tmp_path: Path) -> None:
    async with show(tmp_path, OPEN) as (url, host, players), met(url) as stranger:
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


async def test_a_finished_match_is_there_after_a_restart(tmp_path: Path) -> None:
    async with show(tmp_path, DELAYED) as (_, __, players):
        match = players[0].match
        await all_ready(players)
        await play_on(players, 2)
        over = await finished(players)
        whole = await players[0].talker.record(match)
    async with running_app(tmp_path) as app, met(app.url) as stranger:
        assert await stranger.record(match) == whole
        await watch(stranger, match, OMNI)
        assert await stranger.wait_for(lambda message: isinstance(message, Over)) == over
        assert await stranger.code(Join, match=match) is Code.MATCH_STARTED
        assert await stranger.code(Ready, match=match) is Code.MATCH_STARTED
        async with met(app.url, token=players[0].talker.token) as again:
            back = await players[0].resume(again, have=over.seq - 1)
            assert await back.over() == over
            assert audience_of(back.side) == "A"


def parts(data: bytes) -> list[Any]:
    """Return the values of a MessagePack stream."""
    return list(msgpack.Unpacker(io.BytesIO(data), max_buffer_size=len(data)))
