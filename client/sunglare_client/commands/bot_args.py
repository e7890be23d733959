"""Arguments of `sunglare bot`: a bot to run, to begin with, or to try."""

import argparse

from sunglare_client.bots import BOTS
from sunglare_client.cli.bot_names import add_level, bot_name
from sunglare_client.cli.flags import Commands, add_keep_log, add_server, add_url, added
from sunglare_client.commands.bot_program import add_seat_and_account
from sunglare_protocol.words.ladder import Phase

RUN_HELP = """\
examples:
  sunglare bot run scout --match ID --name night-watch
  sunglare bot run scout --name night-watch

With --name the bot keeps its account: the token lies next to yours, in a file for the server and
the name. So the same command takes its seat again after a crash, and without a match every seat
that it left. Only one process at a time plays under a name. SUNGLARE_TOKEN, where it is set, says
who plays instead.

exit codes:
  0    played to the end
  1    refused, or nothing to play, or another process plays under the name
  3    the connection is lost
"""

NEW_HELP = """\
example:
  sunglare bot new night_owl

Two files are written here: night_owl.py, a bot that plays, and test_night_owl.py, which tries it
on a moment of each kind of window. Nothing is written over.

exit codes:
  0  written
  1  a bad name, or a file is there already; a sentence on standard error says which
"""

MOMENT_HELP = """\
examples:
  sunglare bot moment match.sgr --turn 5 --side A
  sunglare bot moment match.sgr --turn 5 --side A --phase scan --bot night_owl.py:NightOwl
  sunglare bot moment ID --turn 9 --side B --past --out test_the_ambush.py

Two files are written: a test that asks the bot for its orders at that moment, and as JSON what the
side knew then, and nothing else. It takes the record of a match that is over.

exit codes:
  0  written
  1  a bad name, or a file is there already, or the record can't be fetched or read
  2  wrong usage, no replay, no such turn, side or window
"""

_TURN_DIGITS_MOST = 6


def add_bot(parser: argparse.ArgumentParser) -> None:
    """Add the ways of `sunglare bot`."""
    parser.epilog = "examples:\n  sunglare bot run scout --match ID\n  sunglare bot new night_owl"
    ways = parser.add_subparsers(dest="bot_command", required=True, metavar="way")
    _add_run(ways)
    new = added(ways, "new", "write a new bot that plays, and its test", NEW_HELP)
    new.add_argument("bot", metavar="name", help="what it is called, such as night_owl")
    _add_moment(ways)


def _add_run(ways: Commands) -> None:
    parser = added(ways, "run", "play a match with a bot, or resume its matches", RUN_HELP)
    parser.add_argument("name", type=bot_name, choices=sorted(BOTS), help="which bot")
    add_level(parser)
    add_url(parser)
    add_seat_and_account(parser, "as_name")
    add_keep_log(parser, "nowhere")


def _add_moment(ways: Commands) -> None:
    parser = added(ways, "moment", "make a test from a moment of a replay", MOMENT_HELP)
    parser.add_argument("replay", metavar="match", help="a file, or the id of a match")
    parser.add_argument("--turn", type=_turn, required=True, metavar="N", help="the turn")
    parser.add_argument("--side", required=True, help="the side whose view it is, such as A")
    phases = [phase.value for phase in Phase if phase is not Phase.OVER]
    parser.add_argument(
        "--phase", choices=phases, help="the window (default: the first that asks the side)"
    )
    parser.add_argument(
        "--bot",
        default="scout",
        type=bot_name,
        help="a shipped bot or file.py:Class (default: scout)",
    )
    parser.add_argument(
        "--past", action="store_true", help="with all that the side was sent before it"
    )
    parser.add_argument("--out", metavar="FILE", help="the test to write (default: its name)")
    add_server(parser)


def _turn(text: str) -> int:
    """Return the number of a turn."""
    if not (text.isascii() and text.isdecimal() and len(text) <= _TURN_DIGITS_MOST):
        raise argparse.ArgumentTypeError(f"{text!r} is no turn such as 5")
    return int(text)
