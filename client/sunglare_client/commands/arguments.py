"""What the command line of the client takes: its subcommands, their options, and their help."""

import argparse
import math
from functools import cache

from sunglare_client.cli.flags import (
    URL,
    Commands,
    add_code,
    add_face,
    add_mine,
    add_screen,
    add_server,
    added,
)
from sunglare_client.cli.match_args import add_host, add_play
from sunglare_client.commands.bot_args import add_bots
from sunglare_client.commands.ladder import add_ladder
from sunglare_client.conformance.conforming import add_conformance
from sunglare_client.export.options import (
    EXPORT_HELP,
    REPLAY_HELP,
    add_export_options,
    add_replay_options,
)
from sunglare_protocol import __version__
from sunglare_protocol.ids import CASTER, OMNI, PUBLIC, SIDES
from sunglare_protocol.messages import Listing

DOCTOR_HELP = """\
exit codes:
  0  one can play here
  1  something that is needed is not there; a line that begins with ! says what
"""

LEARN_HELP = """\
What is solved is kept beside the tokens; without a number those not solved come in turn.

exit codes:
  0  all that were given were solved
  1  one was skipped or left
"""

_EPILOG = """\
examples:
  sunglare demo                                 watch two bots; ends by itself
  sunglare learn                                learn it by seven puzzles
  sunglare play                                 just play, against a bot
  sunglare play --local                         the same, on a private server
  sunglare lobby                                see what there is to join or watch
  sunglare play --new shadow-of-ceres           open a match and wait for somebody
  sunglare host shadow-of-ceres                 open a match for two others
  sunglare play --match ID --side B             take a seat, or come back to it
  sunglare play --match ID --plain < orders.txt play from a file
  sunglare bot run sweeper --match ID           seat a bot
  sunglare bot new night_owl                    begin to write one
  sunglare arena a.py sweeper --games 400       measure a bot against another
  sunglare watch                                follow the most eventful match
  sunglare watch ID --feed public               follow a match
  sunglare ladder                               see who is how strong
  sunglare grant ID Anna                        let Anna watch the truth, late
  sunglare grant ID Anna A                      let Anna see what your side A sees
  sunglare record ID --out match.sgr            keep the whole match after its end
  sunglare replay match.sgr                     go through it, window by window
  sunglare export match.sgr --as html           make one file that any browser opens
  sunglare verify match.sgr                     check its dice and everything else in it
  sunglare why match.sgr B.S1 --side A --turn 3 why side A did not see it then
  sunglare account export FILE                  take your account to another machine
  sunglare doctor                               what this terminal and network can do
  sunglare conformance ws://127.0.0.1:8765      whether a server speaks the protocol

Inside a match say help; every error says what would be right.

exit codes:
  0    done
  1    refused or failed; a sentence on standard error says why
  2    wrong usage
  3    the connection failed or was lost
  130  interrupted
"""


@cache
def command_line() -> argparse.ArgumentParser:
    """Return what reads a command line of `sunglare`."""
    parser = argparse.ArgumentParser(
        prog="sunglare",
        description="Matches between players who must not know everything.",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=f"sunglare {__version__}")
    commands = parser.add_subparsers(dest="command", required=True, metavar="command")
    add_play(commands)
    add_host(commands)
    _add_learn(commands)
    lobby = added(commands, "lobby", "see the matches of a server, join, watch or open one")
    add_server(lobby)
    add_face(lobby)
    _add_watch(commands)
    add_bots(commands)
    _add_matches(commands)
    add_ladder(commands)
    _add_record(commands)
    _add_replay(commands)
    _add_export(commands)
    _add_verify(commands)
    _add_why(commands)
    _add_account(commands)
    _add_grant(commands)
    _add_report(commands)
    add_server(added(commands, "doctor", "say what this terminal and network can do", DOCTOR_HELP))
    add_conformance(commands)
    add_server(added(commands, "forget", "have the server delete your name and token"))
    show = added(commands, "demo", "watch two bots on a private server; ends by itself")
    show.add_argument("--ascii", action="store_true", help="draw with ASCII only")
    show.add_argument("--seed", default="", help="show the same match every time")
    show.add_argument("--url", help="play on the server there, in place of a private one")
    return parser


def _add_learn(commands: Commands) -> None:
    learn = added(commands, "learn", "learn the game by puzzles with one idea each", LEARN_HELP)
    learn.add_argument("lesson", nargs="?", type=int, help="its number (default: all not solved)")
    learn.add_argument(
        "--list", action="store_true", help="say which there are, and which are solved"
    )
    learn.add_argument("--ascii", action="store_true", help="draw with ASCII only")
    add_face(learn)


def _add_record(commands: Commands) -> None:
    record = added(commands, "record", "save the record of a match")
    record.add_argument("match", help="the match")
    record.add_argument("--out", required=True, help="the file to write, such as match.sgr")
    add_code(record)
    add_mine(record, "to have its private notes in this file, too")
    add_server(record)


def _add_account(commands: Commands) -> None:
    account = added(
        commands,
        "account",
        "take your account to another machine, renew its token, or have it tell you of turns",
        "examples:\n  sunglare account export anna.token --url wss://play.example.org\n"
        "  sunglare account import anna.token --url wss://play.example.org\n"
        "  sunglare account webhook https://ntfy.example.org/anna --url wss://play.example.org\n"
        "  sunglare account renew --url wss://play.example.org",
    )
    ways = account.add_subparsers(dest="account_command", required=True, metavar="way")
    export = added(ways, "export", "write your account to a new file that only you can read")
    take = added(ways, "import", "be on a server whoever the file says")
    take.add_argument(
        "--replace", action="store_true", help="forget another account that is kept here"
    )
    for way in (export, take):
        way.add_argument("file", help="the file, such as anna.token")
        way.add_argument("--url", default=URL, help=f"the server (default: {URL})")
    renew = added(
        ways,
        "renew",
        "exchange your token for another one, for instance after a theft",
        "The old token opens nothing any more, nor do tickets of your seats, and all your\n"
        "connections end. Export the account again for your other machines.",
    )
    renew.add_argument("--url", default=URL, help=f"the server (default: {URL})")
    hook = added(
        ways,
        "webhook",
        "have the server post to an address when a match by correspondence waits for you",
        "The address is of https, and the server's operator must allow it. It is told\n"
        '{"your_turn":true} once a minute at most, and nothing of the match.',
    )
    which = hook.add_mutually_exclusive_group(required=True)
    which.add_argument("address", nargs="?", help="such as https://ntfy.example.org/anna")
    which.add_argument("--off", action="store_true", help="tell none any more")
    add_server(hook)


def _add_report(commands: Commands) -> None:
    report = added(
        commands,
        "report",
        "tell the operator of the player of a side in a match of yours; nobody else learns of it",
        "example:\n  sunglare report ID B insults all of us",
    )
    report.add_argument("match", help="the match")
    report.add_argument("side", choices=SIDES, help="the side, such as B")
    report.add_argument("text", nargs="+", help="what the operator should know")
    add_server(report)


def _seconds(text: str) -> float:
    """Return a time in seconds."""
    try:
        seconds = float(text)
    except ValueError:
        seconds = math.nan
    if not 0 < seconds < math.inf:
        raise argparse.ArgumentTypeError(f"{text!r} is no number of seconds, such as 3600")
    return seconds


def _add_grant(commands: Commands) -> None:
    """Add `grant` and `revoke`, which take the same."""
    grant = added(
        commands,
        "grant",
        "let somebody watch the truth of a match that you opened, or the view of your side",
        "examples:\n  sunglare grant ID Anna\n  sunglare grant ID Anna A\n\n"
        "omni needs the option truth_feed. With a rated clock nothing is granted. All seats are\n"
        "told. Whoever was granted the view of a side gets no other feed of the match and no\n"
        "seat in it, afterwards neither.",
    )
    revoke = added(
        commands, "revoke", "take a grant back", "example:\n  sunglare revoke ID Anna A"
    )
    for parser in (grant, revoke):
        parser.add_argument("match", help="the match")
        parser.add_argument("to", metavar="name", help="the name of who may watch")
        parser.add_argument(
            "feed",
            nargs="?",
            default=str(OMNI),
            choices=(str(OMNI), *SIDES),
            help="omni: the truth, delayed; a letter: the view of that side (default: omni)",
        )
        add_server(parser)


def _add_matches(commands: Commands) -> None:
    matches = added(
        commands,
        "matches",
        "list open, running and own matches, or those that are over",
        "examples:\n  sunglare matches\n  sunglare matches --over\n"
        "  sunglare matches --which over\n  sunglare matches --wait --for 3600\n\n"
        "exit codes of --wait:\n  0  it is your turn\n  1  it has not been in that time\n"
        "  3  the connection was lost",
    )
    lists = matches.add_mutually_exclusive_group()
    which = [listing.value for listing in Listing]
    lists.add_argument("--which", choices=which, help="this list alone (default: the first 3)")
    lists.add_argument(
        "--over", action="store_true", help="your own that are over, with those played here"
    )
    lists.add_argument(
        "--wait", action="store_true", help="end as soon as it is your turn in one of your own"
    )
    matches.add_argument(
        "--for",
        dest="for_s",
        metavar="SECONDS",
        type=_seconds,
        help="with --wait: how long at most (default: as long as it takes)",
    )
    matches.add_argument(
        "--after", metavar="PLACE", help="go on after this place, as the list itself says it"
    )
    add_server(matches)


def _add_replay(commands: Commands) -> None:
    parser = added(commands, "replay", "show a match that is over, window by window", REPLAY_HELP)
    add_replay_options(parser)
    add_code(parser)
    add_mine(parser, "to show its private notes")
    add_screen(parser)
    add_server(parser)


def _add_export(commands: Commands) -> None:
    about = "make a picture, an animation, a page or a text of a match that is over"
    parser = added(commands, "export", about, EXPORT_HELP)
    add_export_options(parser)
    add_code(parser)
    add_server(parser)


def _add_verify(commands: Commands) -> None:
    parser = added(
        commands,
        "verify",
        "check the record of a finished match: its dice, its orders, every frame",
        "example:\n  sunglare verify match.sgr --mine match.log\n\n"
        "exit codes:\n  0  everything fits\n  1  a difference, which is named\n"
        "  2  nothing to check: wrong usage, or no whole record",
    )
    parser.add_argument("file", help="the record, as sunglare record saves it")
    add_mine(parser, "to check as well")


def _add_why(commands: Commands) -> None:
    parser = added(
        commands,
        "why",
        "say from the record of a finished match why a side did not see something",
        "examples:\n  sunglare why match.sgr --side A\n"
        "  sunglare why match.sgr B.S1 --side A --turn 3\n\n"
        "exit codes:\n  0  said\n  1  the record is not what it says\n"
        "  2  nothing to say: wrong usage, no whole record, no such side, turn or piece",
    )
    parser.add_argument("file", help="the record, as sunglare record saves it")
    parser.add_argument("piece", nargs="?", help="a foreign piece, as B.S1 or S1 (default: all)")
    parser.add_argument("--side", required=True, help="the side that looked")
    parser.add_argument("--turn", type=int, help="the turn (default: all)")


def _add_watch(commands: Commands) -> None:
    parser = added(commands, "watch", "follow a match without a seat")
    parser.add_argument(
        "match", nargs="?", help="the match (default: the public one in which most goes on)"
    )
    parser.add_argument(
        "--feed",
        default=str(PUBLIC),
        choices=(str(PUBLIC), str(OMNI), str(CASTER), *SIDES),
        help="omni: the truth, delayed; caster: at once; a letter: the view of that side",
    )
    add_code(parser)
    add_face(parser)
    add_server(parser)
