"""Arguments of `play` and `host`: the match, its terms, and the other seats."""

import argparse

from sunglare_client.cli.bot_names import add_level, bot_name
from sunglare_client.cli.flags import (
    add_code,
    add_face,
    add_keep_log,
    add_server,
)
from sunglare_client.link.seating import SCENARIO

_TERMS = ("clock", "option", "title", "private", "rated")
"""Arguments for the caller who opens a match."""


def add_play(parser: argparse.ArgumentParser) -> None:
    """Add what `sunglare play` takes."""
    parser.epilog = (
        "examples:\n  sunglare play --local\n  sunglare play --local --bot lurker --side B\n"
        "  sunglare play --new shadow-of-ceres --clock standard\n"
        "  sunglare play --new picket-line --option afk=pause --title 'Friday evening'\n"
        "  sunglare play --quick shadow-of-ceres\n  sunglare play --match ID\n"
        "  sunglare play --from ID --turn 7 --bot hunter"
    )
    add_server(parser)
    parser.set_defaults(url=None)
    which = parser.add_mutually_exclusive_group()
    which.add_argument("--match", help="the match to join")
    which.add_argument("--new", metavar="SCENARIO", help="open a match on this scenario")
    which.add_argument(
        "--from", metavar="MATCH", dest="origin", help="continue a finished match; with --turn"
    )
    which.add_argument(
        "--quick",
        metavar="FAMILY",
        help="wait for an opponent of similar strength, and play a rated match",
    )
    add_code(parser, "the code of a private match, to join or with --from")
    parser.add_argument("--turn", type=int, help="the turn from whose start --from continues")
    parser.add_argument("--side", help="the side to take (default: any)")
    _add_house_bots(parser)
    parser.add_argument(
        "--local", action="store_true", help="start a private server and play against bots"
    )
    _add_terms(parser)
    add_face(parser)
    forms = parser.add_mutually_exclusive_group()
    forms.add_argument(
        "--json", action="store_true", help="for programs: every line out is one JSON object"
    )
    forms.add_argument(
        "--speech", action="store_true", help="for screen readers: sentences only, no map"
    )
    add_keep_log(parser, "in the folder logs next to your tokens; with --local nowhere")
    parser.add_argument(
        "--quit-on-eof", action="store_true", help="leave when the input ends, not at the end"
    )


def _add_house_bots(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--bot",
        metavar="NAME",
        action="append",
        type=bot_name,
        help="seat this bot of the server's; repeatable",
    )
    add_level(parser)


def _add_terms(parser: argparse.ArgumentParser) -> None:
    """Add what a new match may be opened with."""
    parser.add_argument("--clock", help="the clock of a new match, such as standard")
    parser.add_argument(
        "--option",
        metavar="NAME=VALUE",
        action="append",
        type=_option,
        help="an option of a new match, such as truth_feed=yes; repeatable; "
        "a wrong name or value lists the right ones",
    )
    parser.add_argument("--title", default="", help="the title of a new match in the lists")
    parser.add_argument("--private", action="store_true", help="a new match is joined by code")
    parser.add_argument(
        "--rated",
        action="store_true",
        help="a new match counts for ratings; takes a rated clock, such as standard",
    )


def add_host(parser: argparse.ArgumentParser) -> None:
    """Add what `sunglare host` takes."""
    parser.epilog = (
        "examples:\n  sunglare host shadow-of-ceres --clock blitz\n"
        "  sunglare host redondo --private --option scan_slots=sealed\n\n"
        "It prints how to take each seat, and who has arrived. If you end it before the match\n"
        "begins, you have ten minutes to return with a seat; then the match is closed."
    )
    parser.add_argument(
        "new", metavar="SCENARIO", nargs="?", help=f"the scenario (default: {SCENARIO})"
    )
    _add_house_bots(parser)
    _add_terms(parser)
    add_server(parser)
    parser.set_defaults(origin=None, turn=None, code=None)


def _option(text: str) -> tuple[str, str | int]:
    """Return the name and the value in `NAME=VALUE`; numbers are values too."""
    name, sign, value = text.partition("=")
    if not sign:
        raise argparse.ArgumentTypeError(f"{text!r} is no NAME=VALUE, such as truth_feed=yes")
    return name, int(value) if value.isdecimal() else value


def unfit(options: argparse.Namespace) -> str | None:
    """Return what does not go together in a command line of `play`."""
    if options.quick is not None and options.local:
        return "play: a private server has no quick matches"
    if options.code is not None and (options.new, options.quick) != (None, None):
        return "play: --code is of a match that there is, not of a new one"
    by_code = None if options.origin is not None else options.code
    if (options.match, by_code, options.quick) != (None, None, None):
        given = (name for name in _TERMS if getattr(options, name))
        if (term := next(given, None)) is not None:
            return f"play: --{term} is for a new match; who opened this one has set its terms"
    if options.origin is None:
        return None if options.turn is None else "play: --turn goes with --from"
    if options.turn is None:
        return "play: --from needs --turn, such as --turn 7"
    return "play: a private server has no match to play on" if options.local else None
