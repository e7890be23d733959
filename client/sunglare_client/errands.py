"""What the subcommands do: play, watch, list, fetch a record, run a bot."""

import argparse
import contextlib
import os
import sys
import tempfile
from itertools import cycle, islice
from pathlib import Path

from sunglare_client import bot as botting
from sunglare_client import identity
from sunglare_client.bots import BOTS
from sunglare_client.child import child_server
from sunglare_client.connection import Connection, connect
from sunglare_client.lists import shown
from sunglare_client.matchlog import kept_log
from sunglare_client.plain import Terminal
from sunglare_client.printable import printable
from sunglare_client.screen import screen_on, typed_lines
from sunglare_client.seat import Seat
from sunglare_client.seating import make_ready, put_away, seated, tell_log, whole_id
from sunglare_client.watching import follow, seat_names
from sunglare_protocol.ids import Audience
from sunglare_protocol.messages import (
    Accepted,
    AddBot,
    Forget,
    Listing,
    ListMatches,
    Matches,
    MatchLine,
    ScenarioCard,
    Seated,
    SeatState,
    Watch,
    Watching,
)

LOCAL_BOT = "sweeper"
"""Whom a local match seats against the player unless told otherwise."""

LOCAL_BOTS = {
    "picket-line": "hunter",
    "blip-parade": "prober",
    "orlog": "searcher",
    "redondo": "admiral",
}
"""The same, where another bot plays the scenario better."""

FIRST_LISTS = (Listing.OPEN, Listing.RUNNING, Listing.MINE)
"""The lists that are shown if none is named."""

TOKEN_VARIABLE = "SUNGLARE_TOKEN"  # noqa: S105 - the name of a variable
"""The environment variable in which a bot may be told who it is, as a server's own bots are."""

TICKET_VARIABLE = "SUNGLARE_TICKET"
"""The environment variable with the ticket of a seat that a bot is to take again."""


async def play(options: argparse.Namespace) -> int:
    """Take a seat and play it in the plain terminal; return the exit code."""
    async with contextlib.AsyncExitStack() as stack:
        url = options.url
        if options.local:
            folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="sunglare-"))
            url = await stack.enter_async_context(child_server(Path(folder)))
        connection = await _connected(url, options)
        seat = await stack.enter_async_context(await seated(connection, options))
        if isinstance(seat.taken, Seated):
            await _add_bots(connection, seat, options)
        await make_ready(seat)
        code = await _play_seat(connection, seat, options)
        put_away(seat, options)
        tell_log(seat, options)
        return code


async def watch(options: argparse.Namespace) -> int:
    """Follow a feed of a match; return the exit code."""
    screen = screen_on(sys.stdout, ascii_only=options.ascii)
    async with await _connected(options.url, options) as connection:
        match = await whole_id(connection, options.match)
        watching = await connection.expect(
            Watching, Watch, match=match, feed=Audience(options.feed)
        )
        screen.show([f"{watching.card.title}: {watching.card.brief}"])
        names = await seat_names(connection, match)
        await follow(connection.feed, match, screen, names=names, maps=True)
    return 0


async def list_matches(options: argparse.Namespace) -> int:
    """Print open, running and own matches, or a part of one list; return the exit code."""
    which = None if options.which is None else Listing(options.which)
    async with await _connected(options.url, options) as connection:
        found = await connection.expect(Matches, ListMatches, which=which, after=options.after)
    screen = screen_on(sys.stdout, ascii_only=options.ascii)
    for each in FIRST_LISTS if which is None else (which,):
        rows = [_match_row(line) for line in shown(found, each)] or ["  none"]
        if (after := found.more.get(each)) is not None:
            rows.append(f"  more: sunglare matches --which {each.value} --after {after}")
        screen.show([f"{each.value}:", *rows])
    return 0


async def fetch_record(options: argparse.Namespace) -> int:
    """Save the record of a match, or before its end the own frames; return the exit code."""
    async with await _connected(options.url, options) as connection:
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
    )
    winner = over.result.winner
    print(f"{options.name}: {'a draw' if winner is None else f'{winner} wins'}")
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


async def _connected(url: str, options: argparse.Namespace) -> Connection:
    """Connect as the person known on that server, and remember who that is."""
    if options.local:
        return await connect(url, name=options.name)
    connection = await connect(url, name=options.name, token=identity.load(url))
    identity.save(url, connection.welcome.token)
    return connection


def rivals(named: list[str], card: ScenarioCard, *, local: bool) -> list[str]:
    """Return the bots to seat: those named; in a local match they, or the usual one, fill it."""
    if not local:
        return named
    usual = named or [LOCAL_BOTS.get(card.name, LOCAL_BOT)]
    return list(islice(cycle(usual), len(card.sides) - 1))


async def _add_bots(connection: Connection, seat: Seat, options: argparse.Namespace) -> None:
    for name in rivals(options.bot or [], seat.card, local=options.local):
        await connection.expect(Accepted, AddBot, match=seat.match, name=name)


async def _play_seat(connection: Connection, seat: Seat, options: argparse.Namespace) -> int:
    screen = screen_on(sys.stdout, ascii_only=options.ascii)
    screen.show([f"{seat.card.title}: {seat.card.brief}", f"you are side {seat.side}"])
    if options.bot is None and not options.local and isinstance(seat.taken, Seated):
        screen.show([f"others join with: sunglare play --url {options.url} --match {seat.match}"])
    terminal = Terminal(
        seat,
        typed_lines(sys.stdin),
        screen,
        script=not sys.stdin.isatty(),
        quit_on_eof=options.quit_on_eof,
        names=await seat_names(connection, seat.match),
    )
    return await terminal.run()


def _match_row(line: MatchLine) -> str:
    seats = ", ".join(
        f"{seat.side} {seat.name or seat.state.value}"
        + (" (bot)" if seat.state is SeatState.BOT else "")
        for seat in line.seats
    )
    turn = f"turn {line.turn}" if line.turn else line.state.value
    mine = "  YOUR TURN" if line.your_turn else ""
    return printable(f"  {line.match}  {line.scenario}  {line.clock}  {turn}  {seats}{mine}")
