"""The command line of the client: `sunglare`, with a subcommand for each thing to do."""

import argparse
import asyncio
import inspect
import logging
import sys
from collections.abc import Sequence
from functools import partial

from sunglare_client.cli.signals import until_signalled
from sunglare_client.cli.streams import CLOSED_INPUT, FAILED, StreamError, fail, with_streams
from sunglare_client.commands.arguments import SUBCOMMANDS, command_line
from sunglare_client.text.printable import printable
from sunglare_protocol.errors import SunglareError
from sunglare_protocol.standard_streams import unwritten

OK = 0
LOST = 3
INTERRUPTED = 130

WITHOUT_A_SERVER = (
    "--url names another one, sunglare-server starts one here,"
    " and sunglare play --local needs none."
)
"""What may be done where no server answers."""

_READING = ("play", "lobby", "learn")
"""The commands that do what is typed."""


def main(argv: Sequence[str] | None = None) -> int:
    """Do what the command line says and return the exit code."""
    words = sys.argv[1:] if argv is None else argv
    return with_streams("sunglare", partial(_main, words, can_read=sys.stdin is not None))


def _main(words: Sequence[str], *, can_read: bool) -> int:
    command = next((word for word in words if not word.startswith("-")), "")
    parser = command_line(command)
    options = parser.parse_args(words, argparse.Namespace(words=words[1:]))
    if options.command == "play":
        _refuse_unfit(parser, options)
    # Here and not above, so that --version and --help load no message of the protocol.
    from sunglare_client.errors import LostError, UnreachableError

    try:
        is_reading = options.command in _READING and not getattr(options, "list", False)
        if is_reading and not can_read:
            raise StreamError(CLOSED_INPUT)
        return _run(options)
    except UnreachableError as fault:
        return _fail(LOST, f"{fault} {WITHOUT_A_SERVER}")
    except LostError as lost:
        return _fail(LOST, lost)
    except (SunglareError, TimeoutError, OSError) as fault:
        if isinstance(fault, BrokenPipeError):
            return FAILED
        return _fail(FAILED, unwritten() or fault)
    except KeyboardInterrupt:
        return _fail(INTERRUPTED, "interrupted")


def _refuse_unfit(parser: argparse.ArgumentParser, options: argparse.Namespace) -> None:
    from sunglare_client.cli.match_args import unfit

    if fault := unfit(options):
        parser.error(fault)


def _run(options: argparse.Namespace) -> int:
    logging.basicConfig(level=logging.WARNING, format="%(levelname)s %(name)s %(message)s")
    done = SUBCOMMANDS[options.command].run(options)
    return asyncio.run(until_signalled(done)) if inspect.iscoroutine(done) else int(done)


def _fail(code: int, why: object) -> int:
    return fail("sunglare", code, printable(str(why) or type(why).__name__))


if __name__ == "__main__":
    sys.exit(main())
