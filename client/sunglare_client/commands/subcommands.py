"""What the subcommands do: play, watch, list, fetch a record, show and export it, run a bot."""

import argparse
import sys
from pathlib import Path
from typing import NamedTuple, final

from sunglare_client.bots import BOTS
from sunglare_client.commands import bot_program as botruns
from sunglare_client.export import exporting
from sunglare_client.fullscreen.opening import can_fill, full_screen
from sunglare_client.fullscreen.replaying import go_through_on
from sunglare_client.fullscreen.spectating import watch_on_stage
from sunglare_client.link import identity
from sunglare_client.link.connecting import connected
from sunglare_client.link.connection import Connection, connect
from sunglare_client.link.renewing import renew
from sunglare_client.link.seating import (
    whole_id,
)
from sunglare_client.replays.choosing import NoSuchError, eyes_of, steps_of
from sunglare_client.replays.finding import file_named, read_file
from sunglare_client.replays.own import record_with, recording_with
from sunglare_client.replays.recording import read_recording
from sunglare_client.replays.showing import go_through, print_all
from sunglare_client.spectating.spectators import watch_on_lines
from sunglare_client.terminal.screen import screen_on, typed_lines
from sunglare_client.text.printable import printable
from sunglare_protocol.errors import SunglareError
from sunglare_protocol.ids import Audience, MatchId, Side
from sunglare_protocol.messages import (
    Accepted,
    Forget,
    GrantFeed,
    Listing,
    ListMatches,
    Matches,
    Report,
    RevokeFeed,
    SetWebhook,
)
from sunglare_protocol.replay.file import FILE_BYTES_MOST
from sunglare_protocol.replay.values import ReplayError

UNUSABLE = 2
"""The exit code where a replay is damaged or does not have what is wanted of it."""


async def watch(options: argparse.Namespace) -> int:
    """Follow a feed of a match; return the exit code."""
    screen = screen_on(sys.stdout, ascii_only=options.ascii)
    async with await connected(options.url, options) as connection:
        match = await _watched(connection, options.match)
        feed = Audience(options.feed)
        if options.plain or options.lines or not can_fill():
            lines = typed_lines(sys.stdin) if sys.stdin.isatty() else None
            await watch_on_lines(connection, match, feed, screen, lines, options.code)
            return 0
        async with full_screen(
            ascii_only=screen.ascii_only, mono=options.mono, still=options.still
        ) as stage:
            await watch_on_stage(stage, connection, match, feed, options.code)
    return 0


async def replay(options: argparse.Namespace) -> int:
    """Show a replay in the terminal; return the exit code."""
    try:
        recording = read_recording((await replay_data(options)).data)
        if options.mine is not None:
            recording = recording_with(recording, Path(options.mine))
        eyes, indices = eyes_of(recording, options.eyes), steps_of(recording, options.turns)
    except (ReplayError, NoSuchError) as fault:
        return unusable(fault)
    screen = screen_on(sys.stdout, ascii_only=options.ascii)
    if sys.stdin.isatty() and sys.stdout.isatty() and not options.plain:
        if can_fill() and not options.lines:
            async with full_screen(
                ascii_only=screen.ascii_only, mono=options.mono, still=options.still
            ) as stage:
                await go_through_on(stage, recording, eyes, indices[0])
            return 0
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
        found = await replay_data(options)
        print(exporting.export(found.data, found.name, options))
    except (ReplayError, NoSuchError) as fault:
        return unusable(fault)
    return 0


def unusable(fault: SunglareError) -> int:
    """Say what is wrong with a replay, or with what is wanted of it, and return the exit code."""
    print(f"sunglare: {printable(str(fault))}", file=sys.stderr)
    return UNUSABLE


@final
class Found(NamedTuple):
    """A replay: its bytes, and what it is called."""

    data: bytes
    name: str


async def replay_data(options: argparse.Namespace) -> Found:
    """Return the bytes of the replay that is named, from a file or else from the server."""
    file = file_named(options.replay)
    if file is not None:
        return Found(read_file(file), file.stem)
    async with await connected(options.url, options) as connection:
        match = await whole_id(connection, options.replay)
        # One byte too many tells that it is too large.
        data = await connection.record(match, most=FILE_BYTES_MOST + 1, code=options.code)
    return Found(data, match[:8])


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
        match = await whole_id(connection, options.match)
        data = await connection.record(match, code=options.code)
    return _saved(data, Path(options.out), options.mine)


def _saved(data: bytes, path: Path, log: str | None) -> int:
    """Write a record, with the notes of a log for its owner alone; return the exit code."""
    if log is None:
        path.write_bytes(data)
    else:
        data = record_with(data, Path(log))
        identity.write_private(path, data)
    print(f"{path}: {len(data)} bytes")
    return 0


async def run_bot(options: argparse.Namespace) -> int:
    """Play a match, or those that were left, with a bot of ours; return the exit code."""
    bots = botruns.instances(BOTS[options.name], options.seed)
    for over in await botruns.run_bot(bots, botruns.run_of(options, options.as_name)):
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


async def report(options: argparse.Namespace) -> int:
    """Tell the operator something of the player of a side; return the exit code."""
    async with await connected(options.url, options) as connection:
        match = await whole_id(connection, options.match)
        side, text = Side(options.side), " ".join(options.text)
        await connection.expect(Accepted, Report, match=match, side=side, text=text)
    print(f"the operator is told of {side}, and nobody else")
    return 0


async def set_webhook(options: argparse.Namespace) -> int:
    """Name what the server tells that it is one's turn, or nothing; return the exit code."""
    async with await connected(options.url, options) as connection:
        await connection.expect(Accepted, SetWebhook, url=options.address)
    if options.address is None:
        print("the server tells no address any more that it is your turn")
    else:
        print("the server tells this address when a match by correspondence waits for you")
    return 0


async def renew_account(options: argparse.Namespace) -> int:
    """Exchange the token of one's account; return the exit code."""
    await renew(options.url)
    print(f"you have another token on {options.url}, in {identity.path(options.url)}")
    print("the old one, all tickets of your seats and all your connections have ended")
    return 0


async def forget(options: argparse.Namespace) -> int:
    """Have the server delete name and token, and delete the token here; return the exit code."""
    if identity.load_next(options.url) is not None:
        await renew(options.url)
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
