"""Following a match without a seat: the feed's windows as lines, as they come."""

import asyncio
from collections.abc import AsyncIterator, Mapping

from sunglare_client.connection import Connection, Post
from sunglare_client.drawing import draw_truth
from sunglare_client.errors import LostError
from sunglare_client.newsline import news_line
from sunglare_client.screen import Screen
from sunglare_client.story import result_lines, window_lines
from sunglare_protocol.ids import MatchId, Side
from sunglare_protocol.ladder import Phase
from sunglare_protocol.messages import Bye, Frame, Info, MatchInfo, News, Over
from sunglare_protocol.views import TruthView


async def follow(
    posts: AsyncIterator[Post | Bye],
    match: MatchId,
    screen: Screen,
    *,
    names: Mapping[Side, str],
    pace_s: float = 0.0,
    maps: bool = False,
) -> Over:
    """Show the posts of a match until its end, and return that; raise `LostError` before it.

    At least `pace_s` seconds pass between two windows shown. With `maps` a truth feed is drawn
    at the start of each turn.
    """
    async for post in posts:
        if isinstance(post, Bye) or post.match != match:
            continue
        match post:
            case Frame():
                screen.show(_frame_lines(post, screen, maps=maps))
                await asyncio.sleep(pace_s)
            case News():
                screen.show([news_line(post)])
            case Over():
                screen.show(result_lines(post, names))
                return post
    raise LostError("the server stopped before the match was over")


async def seat_names(connection: Connection, match: MatchId) -> dict[Side, str]:
    """Return the names of those who sit in a match, by side."""
    info = await connection.expect(MatchInfo, Info, match=match)
    return {seat.side: seat.name for seat in info.line.seats if seat.name}


def _frame_lines(frame: Frame, screen: Screen, *, maps: bool) -> list[str]:
    lines = window_lines(frame)
    view = frame.view
    if maps and isinstance(view, TruthView) and view.stage.phase is Phase.PLOT:
        lines += draw_truth(view, ascii_only=screen.ascii_only, width=screen.width)
    return lines
