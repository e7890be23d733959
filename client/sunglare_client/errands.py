"""What the subcommands do: play, watch, list, fetch a record, show and export it, run a bot."""

import argparse
import contextlib
import os
import secrets
import sys
import tempfile
from collections.abc import AsyncIterator, Iterator
from functools import partial
from itertools import cycle, islice
from pathlib import Path
from typing import NamedTuple

from sunglare_client import bot as botting
from sunglare_client.bots import BOTS
from sunglare_client.export import exporting
from sunglare_client.link import identity
from sunglare_client.link.calling import connected
from sunglare_client.link.child import child_server
from sunglare_client.link.connection import Connection, connect
from sunglare_client.link.matchlog import kept_log
from sunglare_client.link.reconnecting import BACK, CUT
from sunglare_client.link.sealing import ENTROPY_BYTES
from sunglare_client.link.seat import Seat
from sunglare_client.link.seating import (
    keep_record,
    make_ready,
    put_away,
    seated,
    tell_log,
    way_back,
    whole_id,
)
from sunglare_client.replays.choosing import NoSuchError, eyes_of, steps_of
from sunglare_client.replays.finding import file_named, read_file
from sunglare_client.replays.recording import read_recording
from sunglare_client.replays.showing import go_through, print_all
from sunglare_client.terminal.plain import Terminal
from sunglare_client.terminal.screen import Screen, can_edit, screen_on, typed_lines
from sunglare_client.text.printable import printable
from sunglare_client.text.terms import agrees, is_unusual, term_lines
from sunglare_client.watching import Watcher, seat_names
from sunglare_protocol.errors import SunglareError
from sunglare_protocol.ids import Audience, MatchId
from sunglare_protocol.messages import (
    Accepted,
    AddBot,
    Forget,
    GrantFeed,
    Listing,
    ListMatches,
    Matches,
    RevokeFeed,
    ScenarioCard,
    Seated,
)
from sunglare_protocol.replay.file import FILE_BYTES_MOST
from sunglare_protocol.replay.values import ReplayError

LOCAL_BOT = "sweeper"
"""Whom a local match seats against the player unless told otherwise."""

LOCAL_BOTS = {
    "picket-line": "hunter",
    "blip-parade": "prober",
    "orlog": "searcher",
    "redondo": "admiral",
}
"""The same, where another bot plays the scenario better."""

UNUSABLE = 2
"""The exit code where a replay is damaged or does not have what is wanted of it."""

TOKEN_VARIABLE = "SUNGLARE_TOKEN"  # noqa: S105 - the name of a variable
"""The environment variable in which a bot may be told who it is, as a server's own bots are."""

TICKET_VARIABLE = "SUNGLARE_TICKET"
"""The environment variable with the ticket of a seat that a bot is to take again."""

ENTROPY_VARIABLE = "SUNGLARE_ENTROPY"
"""The environment variable with what a server's own bot is to pledge, so that its seed decides."""


async def play(options: argparse.Namespace) -> int:
    """Take a seat and play it in the terminal; return the exit code."""
    screen = screen_on(sys.stdout, ascii_only=options.ascii)
    async with contextlib.AsyncExitStack() as stack:
        url = options.url
        if options.local:
            folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="sunglare-"))
            url = await stack.enter_async_context(child_server(Path(folder)))
        connection = await connected(url, options)
        on_link = partial(_tell_link, screen)
        seat = await stack.enter_async_context(await seated(connection, options, on_link))
        has_left = False
        try:
            code = await _played(connection, seat, options, screen)
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


async def watch(options: argparse.Namespace) -> int:
    """Follow a feed of a match; return the exit code."""
    screen = screen_on(sys.stdout, ascii_only=options.ascii)
    async with await connected(options.url, options) as connection:
        match = await _watched(connection, options.match)
        await Watcher(connection, match, Audience(options.feed), screen).watch()
    return 0


async def replay(options: argparse.Namespace) -> int:
    """Show a replay in the terminal; return the exit code."""
    try:
        recording = read_recording((await _replay_data(options)).data)
        eyes, indices = eyes_of(recording, options.eyes), steps_of(recording, options.turns)
    except (ReplayError, NoSuchError) as fault:
        return _unusable(fault)
    screen = screen_on(sys.stdout, ascii_only=options.ascii)
    if sys.stdin.isatty() and sys.stdout.isatty() and not options.plain:
        screen.show([recording.fault] if recording.fault else [])
        await go_through(recording, eyes, indices[0], screen)
        return 0
    why = print_all(recording, eyes, screen, options.turns)
    if why:
        print(f"sunglare: {printable(why)}", file=sys.stderr)
    return 0


async def export(options: argparse.Namespace) -> int:
    """Make a file of a replay; return the exit code."""
    try:
        found = await _replay_data(options)
        print(exporting.export(found.data, found.name, options))
    except (ReplayError, NoSuchError) as fault:
        return _unusable(fault)
    return 0


def _unusable(fault: SunglareError) -> int:
    """Say what is wrong with a replay, or with what is wanted of it, and return the exit code."""
    print(f"sunglare: {printable(str(fault))}", file=sys.stderr)
    return UNUSABLE


class _Found(NamedTuple):
    data: bytes
    name: str


async def _replay_data(options: argparse.Namespace) -> _Found:
    """Return the bytes of the replay that is named, from a file or else from the server."""
    file = file_named(options.replay)
    if file is not None:
        return _Found(read_file(file), file.stem)
    async with await connected(options.url, options) as connection:
        match = await whole_id(connection, options.replay)
        # One byte too many tells that it is too large.
        data = await connection.record(match, most=FILE_BYTES_MOST + 1)
    return _Found(data, match[:8])


async def _watched(connection: Connection, named: str | None) -> MatchId:
    """Return the match that is named, else the public one in which most goes on."""
    if named is not None:
        return await whole_id(connection, named)
    found = await connection.expect(Matches, ListMatches, which=Listing.LIVELY, most=1)
    if not found.lively:
        raise SunglareError("no public match is running now; see: sunglare matches")
    return found.lively[0].match


async def fetch_record(options: argparse.Namespace) -> int:
    """Save the record of a match, or before its end the own frames; return the exit code."""
    async with await connected(options.url, options) as connection:
        data = await connection.record(await whole_id(connection, options.match))
    return _write(Path(options.out), data)


def _write(path: Path, data: bytes) -> int:
    path.write_bytes(data)
    print(f"{path}: {len(data)} bytes")
    return 0


async def run_bot(options: argparse.Namespace) -> int:
    """Play one match with a bot of ours; return the exit code."""
    player = BOTS[options.name](options.seed)
    over = await botting.play(
        player,
        options.url,
        match=options.match,
        code=options.code,
        side=options.side,
        name=options.as_name,
        token=os.environ.get(TOKEN_VARIABLE),
        ticket=os.environ.get(TICKET_VARIABLE),
        strict=options.strict,
        log=kept_log(options.keep_log),
        entropy=bytes.fromhex(os.environ.get(ENTROPY_VARIABLE, ""))
        or secrets.token_bytes(ENTROPY_BYTES),
    )
    winner = over.result.winner
    print(f"{options.name}: {'a draw' if winner is None else f'{winner} wins'}")
    return 0


async def grant(options: argparse.Namespace) -> int:
    """Let somebody watch a feed of a match; return the exit code."""
    return await _tell_of_feed(options, GrantFeed, "may watch {feed}")


async def revoke(options: argparse.Namespace) -> int:
    """Let somebody watch a feed of a match no more; return the exit code."""
    return await _tell_of_feed(options, RevokeFeed, "may watch {feed} no more")


async def _tell_of_feed(
    options: argparse.Namespace, kind: type[GrantFeed | RevokeFeed], done: str
) -> int:
    feed = Audience(options.feed)
    async with await connected(options.url, options) as connection:
        match = await whole_id(connection, options.match)
        await connection.expect(Accepted, kind, match=match, name=options.to, feed=feed)
    print(printable(f"{options.to} {done.format(feed=feed)}; all seats are told"))
    return 0


async def forget(options: argparse.Namespace) -> int:
    """Have the server delete name and token, and delete the token here; return the exit code."""
    token = identity.load(options.url)
    if token is None:
        print("this server knows nothing of you")
        return 0
    async with await connect(options.url, token=token) as connection:
        await connection.expect(Accepted, Forget)
    identity.drop(options.url)
    print('name and token are deleted; matches keep "someone"')
    return 0


def list_bots() -> int:
    """Print the bots of this client; return the exit code."""
    for name, kind in sorted(BOTS.items()):
        print(f"{name:<14}{(kind.__doc__ or '').strip().splitlines()[0]}")
    return 0


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
    connection: Connection, seat: Seat, options: argparse.Namespace, screen: Screen
) -> int | None:
    """Fill the other seats as the options say, begin, and play to the end.

    Return the exit code; None if the player did not come to terms and has left the seat.
    """
    if isinstance(seat.taken, Seated):
        await _add_bots(connection, seat, options)
    with _typing(screen, options) as (lines, playing):
        _introduce(screen, seat, options)
        if _is_asked(seat, options) and not await agrees(lines, screen.show):
            await seat.leave()
            return None
        await make_ready(seat)
        terminal = Terminal(
            seat,
            lines,
            screen,
            script=not sys.stdin.isatty(),
            quit_on_eof=options.quit_on_eof,
            names=await seat_names(connection, seat.match),
            doubt=lambda: seat.dice_doubt,
        )
        playing.append(terminal)
        return await terminal.run()


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


def _introduce(screen: Screen, seat: Seat, options: argparse.Namespace) -> None:
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


def _tell_link(screen: Screen, up: bool) -> None:
    screen.show([BACK if up else CUT])
