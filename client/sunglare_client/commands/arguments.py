"""The command line of the client: its subcommands, their options, and their help.

A subcommand is one row of `SUBCOMMANDS`. What it needs is imported when it is used, so that
`sunglare --help` and each subcommand begin without the modules of all others.
"""

import argparse
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pkgutil import resolve_name
from typing import Any, NamedTuple, final

from sunglare_client.cli.flags import added
from sunglare_protocol import __version__

_EPILOG = """\
examples:
  sunglare demo                                 watch two bots; ends by itself
  sunglare learn                                learn it by seven puzzles
  sunglare play                                 play against a bot
  sunglare play --local                         the same, on a private server
  sunglare lobby                                see what you can join or watch
  sunglare play --new shadow-of-ceres           open a match and wait for an opponent
  sunglare host shadow-of-ceres                 open a match for two others
  sunglare play --match ID --side B             take a seat, or come back to it
  sunglare play --match ID --plain < orders.txt play from a file
  sunglare bot run scout --match ID             seat a bot
  sunglare bot new night_owl                    begin to write one
  sunglare arena a.py scout --games 400         measure a bot against another
  sunglare watch                                follow the most eventful match
  sunglare watch ID --feed public               follow a match
  sunglare ladder                               see the ratings
  sunglare grant ID Anna                        let Anna watch the truth, late
  sunglare grant ID Anna A                      let Anna see what your side A sees
  sunglare record ID --out match.sgr            keep the whole match after its end
  sunglare replay match.sgr                     go through it, window by window
  sunglare export match.sgr --as html           make one file for any browser
  sunglare verify match.sgr                     check its dice, orders and frames
  sunglare why match.sgr B.S1 --side A --turn 3 why side A did not see it then
  sunglare account export FILE                  take your account to another machine
  sunglare doctor                               check this terminal and the network
  sunglare completion bash                      completion for bash
  sunglare conformance ws://127.0.0.1:8765      check a server's protocol

In a match, `help` lists the commands, and every error says what would be right.

exit codes:
  0    done
  1    refused or failed; a sentence on standard error says why
  2    wrong usage
  3    the connection failed or was lost
  130  interrupted; 143 or 129 ended by a signal, or with its terminal
"""


@final
@dataclass(frozen=True)
class Imported:
    """A function of the client as `module:function`; its module is imported when it is needed."""

    name: str

    def __call__(self, given: argparse.ArgumentParser | argparse.Namespace, /) -> Any:
        """Call the function with what a row of `SUBCOMMANDS` is given."""
        return self.function(given)

    @property
    def function(self) -> Callable[..., Any]:
        """Import the module and return the function."""
        found: Callable[..., Any] = resolve_name(f"sunglare_client.{self.name}")
        return found


@final
class Subcommand(NamedTuple):
    """A subcommand: its line in the help, what its parser takes, and what runs it.

    `run` takes the options and returns the exit code, or a coroutine that does.
    """

    name: str
    about: str
    add_arguments: Imported
    run: Imported


@cache
def command_line(command: str | None = None) -> argparse.ArgumentParser:
    """Return what reads a command line of `sunglare`.

    With `command` only this subcommand has its arguments, and only its modules are imported.
    """
    parser = argparse.ArgumentParser(
        prog="sunglare",
        description="Space-combat matches with hidden information.",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=f"sunglare {__version__}")
    commands = parser.add_subparsers(dest="command", required=True, metavar="command")
    for row in SUBCOMMANDS.values():
        subparser = added(commands, row.name, row.about)
        if command in (None, row.name):
            row.add_arguments(subparser)
    return parser


SUBCOMMANDS = {
    row.name: row
    for row in (
        Subcommand(
            "play",
            "take a seat and play it in this terminal",
            Imported("cli.match_args:add_play"),
            Imported("commands.playing:play"),
        ),
        Subcommand(
            "host",
            "open a match for other players, and keep it open until it begins",
            Imported("cli.match_args:add_host"),
            Imported("commands.hosting:host"),
        ),
        Subcommand(
            "learn",
            "learn the game in puzzles of one idea each",
            Imported("learning.teaching:add_learn"),
            Imported("learning.teaching:learn"),
        ),
        Subcommand(
            "lobby",
            "list a server's matches; join, watch or open one",
            Imported("commands.lobby:add_lobby"),
            Imported("commands.lobby:lobby"),
        ),
        Subcommand(
            "watch",
            "follow a match without a seat",
            Imported("commands.watch:add_watch"),
            Imported("commands.watch:watch"),
        ),
        Subcommand(
            "bots",
            "list the bots of this client",
            Imported("cli.flags:add_json"),
            Imported("commands.bots:list_bots"),
        ),
        Subcommand(
            "bot",
            "run a bot, start a new one, or test one on a moment of a replay",
            Imported("commands.bot_args:add_bot"),
            Imported("authoring.bidding:bot"),
        ),
        Subcommand(
            "arena",
            "play matches between bots without a server, and rate them",
            Imported("cli.arena_args:add_arena"),
            Imported("commands.verifying:arena"),
        ),
        Subcommand(
            "matches",
            "list open, running and your own matches, or finished ones",
            Imported("commands.match_lists:add_matches"),
            Imported("commands.match_lists:list_matches"),
        ),
        Subcommand(
            "ladder",
            "show ratings of players, with their intervals",
            Imported("commands.ladder:add_ladder"),
            Imported("commands.ladder:show_ladder"),
        ),
        Subcommand(
            "record",
            "save the record of a match",
            Imported("commands.record:add_record"),
            Imported("commands.record:fetch_record"),
        ),
        Subcommand(
            "replay",
            "replay a finished match, window by window",
            Imported("export.options:add_replay"),
            Imported("commands.replay:replay"),
        ),
        Subcommand(
            "export",
            "export a finished match as picture, animation, page or text",
            Imported("export.options:add_export"),
            Imported("commands.export:export"),
        ),
        Subcommand(
            "verify",
            "check the record of a finished match: its dice, its orders, every frame",
            Imported("commands.verifying:add_verify"),
            Imported("commands.verifying:verify"),
        ),
        Subcommand(
            "why",
            "explain from a finished match's record why a side did not see something",
            Imported("commands.verifying:add_why"),
            Imported("commands.verifying:explain"),
        ),
        Subcommand(
            "account",
            "export or import your account, renew its token, or set a webhook for turns",
            Imported("commands.account:add_account"),
            Imported("commands.account:account"),
        ),
        Subcommand(
            "grant",
            "let a spectator watch the truth of your match, or your side's view",
            Imported("commands.grants:add_grant"),
            Imported("commands.grants:grant"),
        ),
        Subcommand(
            "revoke",
            "revoke a grant",
            Imported("commands.grants:add_revoke"),
            Imported("commands.grants:revoke"),
        ),
        Subcommand(
            "report",
            "report a side's player in one of your matches to the operator; "
            "no player learns of it",
            Imported("commands.report:add_report"),
            Imported("commands.report:report"),
        ),
        Subcommand(
            "doctor",
            "check this terminal and the network",
            Imported("commands.doctor:add_doctor"),
            Imported("commands.doctor:doctor"),
        ),
        Subcommand(
            "completion",
            "print the shell's completion script for these commands",
            Imported("commands.completion:add_completion"),
            Imported("commands.completion:complete"),
        ),
        Subcommand(
            "conformance",
            "check a server against recorded sessions of the protocol",
            Imported("conformance.conforming:add_conformance"),
            Imported("conformance.conforming:conform"),
        ),
        Subcommand(
            "forget",
            "delete your name and token from the server",
            Imported("cli.flags:add_server"),
            Imported("commands.account:forget"),
        ),
        Subcommand(
            "demo",
            "watch two bots on a private server; ends by itself",
            Imported("commands.demo:add_demo"),
            Imported("commands.demo:demo"),
        ),
    )
}
"""The subcommands by name, in the order of the help."""
