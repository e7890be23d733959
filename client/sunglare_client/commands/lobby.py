"""`sunglare lobby`: the matches of a server by number, to join, to watch or to open one."""

import argparse
import asyncio
import contextlib
import sys
from collections.abc import AsyncIterator, Callable, Coroutine
from typing import Any, Final

from sunglare_client.cli.flags import add_face, add_server
from sunglare_client.commands.arguments import command_line
from sunglare_client.commands.playing import play
from sunglare_client.commands.watch import watch
from sunglare_client.fullscreen.lobbying import Lobbying
from sunglare_client.fullscreen.opening import can_fill, full_screen
from sunglare_client.link.connecting import connected
from sunglare_client.link.connection import Connection
from sunglare_client.terminal.display import Display
from sunglare_client.terminal.lobby_model import LeaveLobby, LobbyModel, Words, shown_lists
from sunglare_client.terminal.screen import CTRL_D, screen_on, typed_lines
from sunglare_client.terminal.shared_lines import SharedLines
from sunglare_client.text.json_line import json_line
from sunglare_protocol.messages import ListMatches, Matches

LOOK_S: Final = 3.0
"""OWN: how often the lists are fetched while they are on the screen."""

_COMMANDS: Final[dict[str, Callable[[argparse.Namespace], Coroutine[Any, Any, int]]]] = {
    "play": play,
    "watch": watch,
}


def add_lobby(parser: argparse.ArgumentParser) -> None:
    """Add what `sunglare lobby` takes."""
    add_server(parser)
    add_face(parser)
    parser.add_argument(
        "--json", action="store_true", help="for programs: the lists as one JSON object, no more"
    )


async def lobby(options: argparse.Namespace) -> int:
    """Show the matches, and play or watch what is chosen, until the player leaves; return 0."""
    if options.json:
        async with await connected(options.url, options) as connection:
            print(json_line(await connection.expect(Matches, ListMatches)))
        return 0
    while True:
        words = await _chosen(options)
        if words is None:
            return 0
        await _COMMANDS[words[0]](command_line(words[0]).parse_args([*words, *_ways(options)]))
        if not sys.stdin.isatty():
            return 0


def _ways(options: argparse.Namespace) -> list[str]:
    """Return the options for where, who and how that the lobby was started with."""
    ways = ["--url", options.url]
    flags = ("plain", "lines", "mono", "still", "ascii")
    ways += [f"--{flag}" for flag in flags if getattr(options, flag)]
    return ways


async def _chosen(options: argparse.Namespace) -> Words | None:
    """Return the command line of what is chosen; None if the player leaves."""
    async with await connected(options.url, options) as connection:
        lobby = LobbyModel(options.url, connection.welcome.name)
        screen = screen_on(sys.stdout, ascii_only=options.ascii)
        if options.plain or options.lines or not can_fill():
            lines = SharedLines(typed_lines(sys.stdin))
            try:
                return await asked(lobby, connection, lines, screen)
            finally:
                await lines.close()
        async with full_screen(
            ascii_only=screen.ascii_only, mono=options.mono, still=options.still
        ) as stage:
            stage.scene = Lobbying(lobby)
            looking = asyncio.create_task(_kept_fresh(lobby, connection, stage))
            asking = asyncio.create_task(asked(lobby, connection, stage.lines(), stage))
            try:
                await asyncio.wait({looking, asking}, return_when=asyncio.FIRST_COMPLETED)
                if looking.done():
                    looking.result()
                return await asking
            finally:
                for task in (looking, asking):
                    task.cancel()
                await asyncio.gather(looking, asking, return_exceptions=True)


async def asked(
    lobby: LobbyModel, connection: Connection, lines: AsyncIterator[str], display: Display
) -> Words | None:
    """Show the lists and ask until something is chosen; return it, or None to leave."""
    await _look(lobby, connection, display)
    if not display.keeps_board:
        display.show(lobby.rows())
    display.show(lobby.help_lines()[:1])
    async for line in lines:
        if line == CTRL_D:
            return None
        try:
            chosen = lobby.obey(line)
        except LeaveLobby:
            return None
        if isinstance(chosen, tuple):
            return chosen
        await _look(lobby, connection, display)
        display.show(chosen if display.keeps_board or chosen else lobby.rows())
    return None


async def _look(lobby: LobbyModel, connection: Connection, display: Display) -> None:
    lobby.take(await shown_lists(connection))
    display.draw()


async def _kept_fresh(lobby: LobbyModel, connection: Connection, display: Display) -> None:
    with contextlib.suppress(asyncio.CancelledError):
        while True:
            await asyncio.sleep(LOOK_S)
            await _look(lobby, connection, display)
