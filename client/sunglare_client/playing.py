"""`sunglare play`: a seat is taken, the others are filled, and the match is played to its end."""

import argparse
import contextlib
import sys
import tempfile
from collections.abc import AsyncIterator, Iterator
from functools import partial
from itertools import cycle, islice
from pathlib import Path

from sunglare_client.fullscreen.means import FullMeans
from sunglare_client.fullscreen.opening import can_fill, full_screen
from sunglare_client.link.calling import connected
from sunglare_client.link.child import child_server
from sunglare_client.link.connection import Connection
from sunglare_client.link.reconnecting import BACK, CUT
from sunglare_client.link.seat import Seat
from sunglare_client.link.seating import (
    keep_record,
    make_ready,
    put_away,
    seated,
    tell_log,
    way_back,
)
from sunglare_client.terminal.face import Face
from sunglare_client.terminal.means import Means, PlainMeans
from sunglare_client.terminal.plain import Terminal
from sunglare_client.terminal.screen import Screen, can_edit, screen_on, typed_lines
from sunglare_client.text.terms import agrees, is_unusual, term_lines
from sunglare_client.watching import seat_names
from sunglare_protocol.messages import Accepted, AddBot, ScenarioCard, Seated

LOCAL_BOT = "sweeper"
"""Whom a local match seats against the player unless told otherwise."""

LOCAL_BOTS = {
    "picket-line": "hunter",
    "blip-parade": "prober",
    "orlog": "searcher",
    "redondo": "admiral",
}
"""The same, where another bot plays the scenario better."""


async def play(options: argparse.Namespace) -> int:
    """Take a seat and play it in the terminal; return the exit code."""
    screen = screen_on(sys.stdout, ascii_only=options.ascii)
    async with contextlib.AsyncExitStack() as stack:
        url = options.url
        if options.local:
            folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="sunglare-"))
            url = await stack.enter_async_context(child_server(Path(folder)))
        connection = await connected(url, options)
        faces: list[Face] = [screen]
        on_link = partial(_tell_link, faces)
        seat = await stack.enter_async_context(await seated(connection, options, on_link))
        has_left = False
        try:
            code = await _played(connection, seat, options, screen, faces)
            faces.append(screen)
            has_left = code is None
        finally:
            if seat.picture.over is None and not has_left:
                print(way_back(seat, options), flush=True)
        if code is None:
            return 0
        put_away(seat, options)
        tell_log(seat, options)
        if options.local and seat.picture.over is not None:
            print(await keep_record(connection, seat))
        return code


def rivals(named: list[str], card: ScenarioCard, *, local: bool) -> list[str]:
    """Return the bots to seat: those named; in a local match they, or the usual one, fill it."""
    if not local:
        return named
    usual = named or [LOCAL_BOTS.get(card.name, LOCAL_BOT)]
    return list(islice(cycle(usual), len(card.sides) - 1))


async def _add_bots(connection: Connection, seat: Seat, options: argparse.Namespace) -> None:
    for name in rivals(options.bot or [], seat.card, local=options.local):
        await connection.expect(Accepted, AddBot, match=seat.match, name=name)


async def _played(
    connection: Connection,
    seat: Seat,
    options: argparse.Namespace,
    screen: Screen,
    faces: list[Face],
) -> int | None:
    """Fill the other seats as the options say, begin, and play to the end.

    Return the exit code; None if the player did not come to terms and has left the seat.
    """
    if isinstance(seat.taken, Seated):
        await _add_bots(connection, seat, options)
    async with _opened(screen, options) as means:
        faces.append(means.face)
        _introduce(means.face, seat, options)
        if _is_asked(seat, options) and not await agrees(means.lines, means.face.show):
            await seat.leave()
            return None
        await make_ready(seat)
        terminal = Terminal(
            seat,
            means.lines,
            means.face,
            script=not sys.stdin.isatty(),
            quit_on_eof=options.quit_on_eof,
            names=await seat_names(connection, seat.match),
            doubt=lambda: seat.dice_doubt,
        )
        means.show(terminal, seat.card.title)
        code = await terminal.run()
        if seat.picture.over is not None:
            await means.linger()
        return code


@contextlib.asynccontextmanager
async def _opened(screen: Screen, options: argparse.Namespace) -> AsyncIterator[Means]:
    """Yield what a match is played with: the full screen where there is room, else lines."""
    if not (options.plain or options.lines) and can_fill():
        async with full_screen(ascii_only=screen.ascii_only, mono=options.mono) as stage:
            yield FullMeans(stage)
        return
    with _typing(screen, options) as (lines, playing):
        yield PlainMeans(lines, screen, playing)


@contextlib.contextmanager
def _typing(
    screen: Screen, options: argparse.Namespace
) -> Iterator[tuple[AsyncIterator[str], list[Terminal]]]:
    """Yield the lines that are typed, from a line editor where there is one.

    The editor completes words with the terminal that is put into the list that comes with them.
    """
    playing: list[Terminal] = []
    if options.plain or not can_edit():
        yield typed_lines(sys.stdin), playing
        return
    from sunglare_client.terminal.lineedit import above_the_line, edited_lines

    def complete(line: str) -> list[str]:
        return playing[0].complete(line) if playing else []

    with above_the_line() as stream, screen.through(stream):
        yield edited_lines(complete), playing


def _introduce(screen: Face, seat: Seat, options: argparse.Namespace) -> None:
    """Show what is played and by which options, before the seat is ready."""
    screen.show([f"{seat.card.title}: {seat.card.brief}", f"you are side {seat.side}"])
    screen.show(term_lines(seat.card))
    if options.bot is None and not options.local and isinstance(seat.taken, Seated):
        screen.show([f"others join with: sunglare play --url {options.url} --match {seat.match}"])


def _is_asked(seat: Seat, options: argparse.Namespace) -> bool:
    """Return whether a person has come to terms that somebody else has set."""
    is_guest = options.match is not None or options.code is not None
    is_new = is_guest and isinstance(seat.taken, Seated)
    return is_new and sys.stdin.isatty() and is_unusual(seat.card)


def _tell_link(faces: list[Face], up: bool) -> None:
    """Say on the face that is shown now whether the connection stands."""
    faces[-1].show([BACK if up else CUT])
