"""What the seats do besides giving orders: chat, mute, pause, draw, resign, another match."""

import asyncio
import contextlib
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from builders.players import OPTIONS, Player, all_ready, created, play_on, seated, started
from builders.records import folded, read_record
from builders.servers import running_app
from builders.wires import WAIT_S, met
from sunglare_protocol.ids import MatchId, Side, audience_of
from sunglare_protocol.messages import (
    Accepted,
    AskPause,
    Chat,
    Ending,
    GiveOrders,
    Info,
    Join,
    ListMatches,
    Matches,
    MatchInfo,
    Mute,
    News,
    NewsKind,
    OfferDraw,
    Over,
    Refused,
    Rematch,
    Resign,
    RoomState,
    Seated,
    ServerMessage,
)
from sunglare_protocol.refusals import Code
from sunglare_server.host.clock import FakeClock

A, B, C = Side("A"), Side("B"), Side("C")
WINDOW_MS = 60_000
PAUSE_MS = 5 * 60_000


@contextlib.asynccontextmanager
async def table(
    folder: Path, seats: int = 2, clock: FakeClock | None = None, scenario: str = "shadow-of-ceres"
) -> AsyncIterator[tuple[str, list[Player]]]:
    """Run a server with a match that all seats have joined; give its address and the players."""
    async with contextlib.AsyncExitStack() as stack:
        app = await stack.enter_async_context(running_app(folder, clock))
        talkers = [await stack.enter_async_context(met(app.url)) for _ in range(seats)]
        yield app.url, await started(talkers, scenario=scenario)


def news(player: Player) -> list[tuple[NewsKind, Side | None, str]]:
    """Return the news of a match as one seat heard it."""
    return [(post.kind, post.side, post.text) for post in player.posts if isinstance(post, News)]


def is_gap_free(player: Player) -> bool:
    """Return whether a seat's numbers run from 1 without a gap."""
    numbers = [post.seq for post in player.posts]
    return numbers == list(range(1, len(numbers) + 1))


async def test_chat_reaches_all_but_those_who_muted_its_side(tmp_path: Path) -> None:
    async with table(tmp_path, 4, scenario="four-corners") as (_, players):
        anna, boris, clara, dana = players
        match = anna.match
        await anna.talker.accepted(Chat, match=match, text="  to all ")
        await boris.talker.accepted(Mute, match=match, side="A")
        await anna.talker.accepted(Chat, match=match, text="not to boris")
        await clara.talker.accepted(Chat, match=match, text="to all again")
        await boris.talker.accepted(Mute, match=match, side="A", on=False)
        await anna.talker.accepted(Chat, match=match, text="the last")
        await play_on(players, 1)
        whole = [
            (NewsKind.CHAT, A, "to all"),
            (NewsKind.CHAT, A, "not to boris"),
            (NewsKind.CHAT, C, "to all again"),
            (NewsKind.CHAT, A, "the last"),
        ]
        assert news(anna) == news(clara) == news(dana) == whole
        assert news(boris) == [whole[0], *whole[2:]]
        assert all(map(is_gap_free, players))
        assert boris.seen == anna.seen - 1


async def test_a_resignation_ends_a_duel(tmp_path: Path) -> None:
    async with table(tmp_path) as (_, (anna, boris)):
        await play_on([anna, boris], 2)
        await boris.talker.accepted(Resign, match=boris.match)
        overs = [await anna.over(), await boris.over()]
        assert [(over.result.winner, over.result.ending) for over in overs] == [
            (A, Ending.RESIGNED),
            (A, Ending.RESIGNED),
        ]
        assert news(anna) == [(NewsKind.SEAT, B, "resigned")]
        late = await anna.orders()
        assert isinstance(late, Refused)
        assert late.code is Code.MATCH_OVER
        assert await anna.talker.code(Chat, match=anna.match, text="gg") is Code.MATCH_OVER
        file = read_record(await boris.talker.record(boris.match))
        for player in (anna, boris):
            audience = audience_of(player.side)
            assert folded(file, audience)[audience] == player.talker.sequence(player.match)


async def test_the_others_play_on_when_one_of_four_resigns(tmp_path: Path) -> None:
    async with table(tmp_path, 4, scenario="four-corners") as (_, players):
        anna, *others = players
        await anna.talker.accepted(Resign, match=anna.match)
        await anna.talker.wait_for(lambda message: isinstance(message, News))
        refused = await anna.orders()
        assert isinstance(refused, Refused)
        assert (refused.code, refused.at) == (Code.WINDOW_OTHERS, "$.window")
        await play_on(others, 1)
        for player in others[:-1]:
            await player.talker.accepted(Resign, match=player.match)
        over = await others[-1].over()
    assert (over.result.winner, over.result.ending) == (others[-1].side, Ending.RESIGNED)


async def test_a_draw_is_sealed_until_all_have_offered_it(tmp_path: Path) -> None:
    async with table(tmp_path) as (_, (anna, boris)):
        match = anna.match
        await anna.talker.accepted(OfferDraw, match=match)
        await anna.talker.accepted(OfferDraw, match=match, on=False)
        await boris.talker.accepted(OfferDraw, match=match)
        await play_on([anna, boris], 2)
        assert news(anna) == news(boris) == []
        await anna.talker.accepted(OfferDraw, match=match)
        overs = [await anna.over(), await boris.over()]
        assert [over.result.ending for over in overs] == [Ending.DRAW, Ending.DRAW]
        assert [over.result.winner for over in overs] == [None, None]
        assert news(anna) == news(boris) == [(NewsKind.DRAW, None, "agreed")]


async def test_a_window_closes_at_its_deadline(tmp_path: Path) -> None:
    clock = FakeClock(1_000_000)
    async with table(tmp_path, clock=clock) as (_, (anna, boris)):
        window = anna.newest.window
        assert anna.newest.closes_ms == WINDOW_MS
        await anna.orders()
        await clock.run_for(WINDOW_MS - 1)
        assert isinstance(await boris.orders(lock=False), Accepted)
        assert anna.newest.window == window
        await clock.run_for(1)
        assert (await anna.frame(beside=window)).seq == 2
        refused = await boris.talker.refused(GiveOrders, match=boris.match, window=window, rev=9)
        assert (refused.code, refused.at) == (Code.WINDOW_CLOSED, "$.window")


async def test_a_pause_needs_all_and_any_of_them_ends_it(tmp_path: Path) -> None:
    clock = FakeClock(1_000_000)
    async with table(tmp_path, clock=clock) as (_, (anna, boris)):
        match, window = anna.match, anna.newest.window
        await clock.run_for(WINDOW_MS // 2)
        await anna.talker.accepted(AskPause, match=match)
        await boris.talker.accepted(AskPause, match=match)
        await clock.run_for(3 * WINDOW_MS)
        await anna.orders()
        await boris.talker.accepted(AskPause, match=match, on=False)
        await clock.run_for(WINDOW_MS // 2 - 1)
        await boris.orders(lock=False)
        assert anna.newest.window == window
        await clock.run_for(1)
        await anna.frame(beside=window)
        assert news(anna) == [
            (NewsKind.PAUSE, A, "asked"),
            (NewsKind.PAUSE, B, "paused"),
            (NewsKind.PAUSE, None, "over"),
        ]


async def test_a_pause_ends_by_itself_after_five_minutes(tmp_path: Path) -> None:
    clock = FakeClock(1_000_000)
    async with table(tmp_path, clock=clock) as (_, (anna, boris)):
        for player in (anna, boris):
            await player.talker.accepted(AskPause, match=player.match)
        await clock.run_for(PAUSE_MS - 1)
        await anna.orders(lock=False)
        assert [text for _, _, text in news(anna)] == ["asked", "paused"]
        await clock.run_for(1)
        await anna.talker.wait_for(
            lambda message: isinstance(message, News) and message.text == "over"
        )


async def test_later_orders_replace_earlier_ones_until_they_are_locked(tmp_path: Path) -> None:
    async with table(tmp_path) as (_, (anna, boris)):
        window = anna.newest.window
        assert not isinstance(await anna.orders(rev=3, lock=False), Refused)
        stale = await anna.orders(rev=3)
        assert isinstance(stale, Refused)
        assert (stale.code, stale.at) == (Code.REV_OLD, "$.rev")
        assert not isinstance(await anna.orders(rev=4, lock=True), Refused)
        await boris.orders()
        assert (await anna.frame(beside=window)).seq == 2


async def test_all_who_ask_for_another_match_get_one_with_the_sides_changed(
    tmp_path: Path,
) -> None:
    async with table(tmp_path) as (url, (anna, boris)), met(url) as stranger:
        match = anna.match
        assert await anna.talker.code(Rematch, match=match) is Code.MATCH_STARTED
        await boris.talker.accepted(Resign, match=match)
        await anna.over()
        await boris.over()
        assert await stranger.code(Rematch, match=match) is Code.SEAT_NONE
        await anna.talker.accepted(Rematch, match=match)
        await anna.talker.accepted(Rematch, match=match)
        assert len((await stranger.expect(Matches, ListMatches)).open) == 0
        await boris.talker.accepted(Rematch, match=match)
        told = await anna.talker.wait_for(
            lambda message: isinstance(message, News) and message.kind is NewsKind.SERVER
        )
        (line,) = (await stranger.expect(Matches, ListMatches)).open
        assert isinstance(told, News)
        assert told.text == f"rematch {line.match}"
        assert (line.scenario, line.clock, line.state) == (
            "shadow-of-ceres",
            OPTIONS["clock"],
            RoomState.LOBBY,
        )
        assert await stranger.code(Join, match=line.match) is Code.SEAT_TAKEN
        async with (
            met(url, token=anna.talker.token) as first,
            met(url, token=boris.talker.token) as second,
        ):
            left = await seated(first, line.match)
            right = await seated(second, line.match)
            assert (left.side, right.side) == (boris.side, anna.side)
            await all_ready([left, right])
            await play_on([left, right], 2)


@pytest.mark.parametrize("kind", [Resign, OfferDraw, AskPause])
async def test_nothing_happens_at_a_table_that_has_not_started(tmp_path: Path, kind: type) -> None:
    async with running_app(tmp_path) as app, met(app.url) as anna, met(app.url) as other:
        match = await created(anna)
        taken = await anna.expect(Seated, Join, match=match)
        assert taken.side == A
        early = await anna.refused(kind, match=match)
        assert early.code is Code.MATCH_NOT_STARTED
        assert await other.code(kind, match=match) is Code.SEAT_NONE
        assert not [message for message in anna.messages if isinstance(message, Over)]


async def test_a_rematch_is_taken_up_on_the_same_connections(tmp_path: Path) -> None:
    async with table(tmp_path) as (_, (anna, boris)):
        old = anna.match
        for _ in range(2):
            loser, winner = anna, boris
            await loser.talker.accepted(Resign, match=loser.match)
            for player in (anna, boris):
                await player.over()
            start = len(winner.talker.messages)
            for player in (anna, boris):
                await player.talker.accepted(Rematch, match=player.match)
            told = await winner.talker.wait_for(is_rematch, start)
            assert isinstance(told, News)
            match = MatchId(told.text.removeprefix("rematch "))
            anna, boris = [await seated(player.talker, match) for player in (anna, boris)]
            await all_ready([anna, boris])
            await play_on([anna, boris], 2)
        assert await anna.talker.code(Chat, match=old, text="hello") is Code.SEAT_NONE
        # Who plays on holds one seat, as before.
        other = await created(boris.talker)
        assert await boris.talker.code(Join, match=other) is Code.SEAT_ONE


def is_rematch(message: ServerMessage) -> bool:
    """Return whether a message tells of the room of a rematch."""
    return isinstance(message, News) and message.text.startswith("rematch ")


async def is_noted(player: Player) -> bool:
    """Return whether the room of a match says that it is over."""
    told = await player.talker.expect(MatchInfo, Info, match=player.match)
    return told.line.state is RoomState.OVER


async def test_the_card_of_a_match_that_is_over_is_told_without_loading_it(
    tmp_path: Path,
) -> None:
    async with table(tmp_path) as (_, (anna, boris)):
        running = await anna.talker.expect(MatchInfo, Info, match=anna.match)
        await boris.talker.accepted(Resign, match=boris.match)
        await anna.over()
        match, token = anna.match, anna.talker.token
        # The room notes the end a little after its last line is told.
        async with asyncio.timeout(WAIT_S):
            while not await is_noted(anna):
                continue
    async with running_app(tmp_path) as app, met(app.url, token=token) as later:
        told = await later.expect(MatchInfo, Info, match=match)
        assert told.card == running.card
        assert (told.line.state, told.line.mine, told.line.turn) == (RoomState.OVER, "A", 0)
        assert match not in app.lobby.matches.runners
