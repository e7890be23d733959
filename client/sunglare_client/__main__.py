"""The command line of the client: `sunglare`, with a subcommand for each thing to do."""

import argparse
import asyncio
import inspect
import logging
import os
import sys
from collections.abc import Sequence

from sunglare_client.cli.signals import until_signalled
from sunglare_client.commands.arguments import SUBCOMMANDS, command_line
from sunglare_client.text.printable import printable
from sunglare_protocol.errors import SunglareError

OK = 0
FAILED = 1
LOST = 3
INTERRUPTED = 130


def main(argv: Sequence[str] | None = None) -> int:
    """Do what the command line says and return the exit code."""
    words = sys.argv[1:] if argv is None else argv
    command = next((word for word in words if not word.startswith("-")), "")
    parser = command_line(command)
    options = parser.parse_args(words, argparse.Namespace(words=words[1:]))
    if options.command == "play":
        _refuse_unfit(parser, options)
    # Here and not above, so that --version and --help load no message of the protocol.
    from sunglare_client.errors import LostError

    try:
        return _run(options)
    except LostError as lost:
        return _fail(LOST, lost)
    except (SunglareError, TimeoutError, OSError) as fault:
        if isinstance(fault, BrokenPipeError):
            _drop_output()
            return FAILED
        return _fail(FAILED, fault)
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
    sentence = str(why) or type(why).__name__
    print(f"sunglare: {printable(sentence)}", file=sys.stderr)
    return code


def _drop_output() -> None:
    """Let nothing more be written where nobody reads; else the exit would complain."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


if __name__ == "__main__":
    sys.exit(main())
