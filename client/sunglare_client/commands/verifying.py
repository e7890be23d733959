"""Runs programs that need the rules of a server as processes of their own."""

import argparse
import importlib.util
import os
import subprocess
import sys

from sunglare_client.cli.flags import add_json, add_mine
from sunglare_protocol.errors import SunglareError
from sunglare_protocol.extras import install_command, is_installed

PROGRAM = "sunglare_arena.verify"
"""The module that checks records."""

EXPLAINER = "sunglare_arena.why"
"""The module that says from a record why a side did not see something."""

TELLER = "sunglare_arena.moment"
"""The module that reads from a record what a side knew of its match before turn 1."""

CLIENT_VARIABLE = "SUNGLARE_CLIENT"
"""The environment variable with the id of the process that started one, and with which it ends."""

LEAVE_S = 20.0
"""How long a program may take to end after an interruption; another one ends it at once."""

ARENA = "sunglare_arena"
"""The program that plays bots against one another."""


class VerifyingError(SunglareError):
    """The program is not there, or can't read the record; the text says why."""


def add_verify(parser: argparse.ArgumentParser) -> None:
    """Add what `sunglare verify` takes."""
    parser.epilog = (
        "example:\n  sunglare verify match.sgr --mine match.log\n\n"
        "exit codes:\n  0  everything fits\n  1  a difference, which is named\n"
        "  2  nothing to check: wrong usage, or no whole record"
    )
    parser.add_argument("file", help="the record, as sunglare record saves it")
    add_mine(parser, "to check as well")
    add_json(parser)


def add_why(parser: argparse.ArgumentParser) -> None:
    """Add what `sunglare why` takes."""
    parser.epilog = (
        "examples:\n  sunglare why match.sgr --side A\n"
        "  sunglare why match.sgr B.S1 --side A --turn 3\n\n"
        "exit codes:\n  0  said\n  1  the record is not what it says\n"
        "  2  nothing to say: wrong usage, no whole record, no such side, turn or piece"
    )
    parser.add_argument("file", help="the record, as sunglare record saves it")
    parser.add_argument("piece", nargs="?", help="a foreign piece, as B.S1 or S1 (default: all)")
    parser.add_argument("--side", required=True, help="the side that looked")
    parser.add_argument("--turn", type=int, help="the turn (default: all)")
    add_json(parser)


def verify(options: argparse.Namespace) -> int:
    """Check a record, perhaps with the log of a seat, and return the exit code.

    Raise `VerifyingError` where it is not installed.
    """
    mine = () if options.mine is None else (f"--mine={options.mine}",)
    return _run(PROGRAM, *mine, *_form(options), "--", options.file)


def explain(options: argparse.Namespace) -> int:
    """Say why a side did not see a piece, or all foreign ones, and return the exit code.

    Raise `VerifyingError` where it is not installed.
    """
    asked = () if options.turn is None else ("--turn", str(options.turn))
    about = () if options.piece is None else (options.piece,)
    side = f"--side={options.side}"
    return _run(EXPLAINER, side, *asked, *_form(options), "--", options.file, *about)


def told_in(data: bytes, side: str) -> bytes:
    """Return what a side of the record in `data` knew before turn 1, as JSON.

    Raise `VerifyingError` where the program is not installed, or there is no such record.
    """
    command = _command(TELLER, f"--side={side}")
    done = subprocess.run(command, input=data, capture_output=True, check=False)  # noqa: S603 - our own program
    if done.returncode:
        *_, said = done.stderr.decode(errors="replace").splitlines() or [""]
        raise VerifyingError(said or "The program that reads records ended without a word.")
    return done.stdout


def arena(options: argparse.Namespace) -> int:
    """Play bots against one another as the words of the subcommand say; return the exit code.

    Raise `VerifyingError` where the program, or the server that it plays with, is not installed.
    """
    if not is_installed("server"):
        raise VerifyingError(f"The arena needs the server: {install_command('server', 'arena')}")
    return _run(ARENA, *options.words)


def _form(options: argparse.Namespace) -> tuple[str, ...]:
    return ("--json",) if options.json else ()


def _run(program: str, *asked: str) -> int:
    env = {**os.environ, CLIENT_VARIABLE: str(os.getpid())}
    with subprocess.Popen(_command(program, *asked), env=env) as process:  # noqa: S603 - our own program
        try:
            return process.wait()
        except BaseException:
            # Ctrl-C comes to both: the program says what it has found so far, and ends by itself.
            try:
                process.wait(LEAVE_S)
            except subprocess.TimeoutExpired:
                pass
            finally:
                process.kill()
            raise


def _command(program: str, *asked: str) -> tuple[str, ...]:
    if importlib.util.find_spec(program.partition(".")[0]) is None:
        raise VerifyingError(f"This needs the rules of the game: {install_command()}")
    # Bots that are named to the arena may import what lies next to them; nothing else may.
    path = () if program == ARENA else ("-P",)
    return sys.executable, *path, "-m", program, *asked
