"""The command line of the client: `sunglare`, with a subcommand for each thing to do."""

import argparse
import asyncio
import logging
import os
import sys
from collections.abc import Callable, Coroutine, Sequence
from pathlib import Path
from typing import Any

from sunglare_client.authoring.bidding import bot
from sunglare_client.cli.match_args import unfit
from sunglare_client.commands import subcommands as commands
from sunglare_client.commands.arguments import command_line
from sunglare_client.commands.demo import demo
from sunglare_client.commands.doctor import doctor
from sunglare_client.commands.hosting import host
from sunglare_client.commands.ladder import show_ladder
from sunglare_client.commands.lobby import lobby
from sunglare_client.commands.match_lists import list_matches
from sunglare_client.commands.playing import play
from sunglare_client.commands.verifying import arena, explain, verify
from sunglare_client.conformance.conforming import conform
from sunglare_client.errors import LostError
from sunglare_client.learning.teaching import learn
from sunglare_client.link.account_file import export_account, import_account
from sunglare_client.text.printable import printable
from sunglare_protocol.errors import SunglareError

OK = 0
FAILED = 1
LOST = 3
INTERRUPTED = 130

_COMMANDS: dict[str, Callable[[argparse.Namespace], Coroutine[Any, Any, int]]] = {
    "play": play,
    "host": host,
    "lobby": lobby,
    "learn": learn,
    "watch": commands.watch,
    "doctor": doctor,
    "conformance": conform,
    "matches": list_matches,
    "ladder": show_ladder,
    "record": commands.fetch_record,
    "replay": commands.replay,
    "export": commands.export,
    "bot": bot,
    "grant": commands.grant,
    "revoke": commands.revoke,
    "report": commands.report,
    "forget": commands.forget,
}


def main(argv: Sequence[str] | None = None) -> int:
    """Do what the command line says and return the exit code."""
    parser = command_line()
    words = sys.argv[1:] if argv is None else argv
    options = parser.parse_args(words)
    if options.command == "play" and (fault := unfit(options)):
        parser.error(fault)
    try:
        return _run(options, words)
    except LostError as lost:
        return _fail(LOST, lost)
    except (SunglareError, TimeoutError, OSError) as fault:
        if isinstance(fault, BrokenPipeError):
            _drop_output()
            return FAILED
        return _fail(FAILED, fault)
    except KeyboardInterrupt:
        return _fail(INTERRUPTED, "interrupted")


def _run(options: argparse.Namespace, words: Sequence[str]) -> int:
    logging.basicConfig(level=logging.WARNING, format="%(levelname)s %(name)s %(message)s")
    if options.command in _COMMANDS:
        return asyncio.run(_COMMANDS[options.command](options))
    match options.command:
        case "bots":
            return commands.list_bots()
        case "account":
            return _account(options)
        case "arena":
            return arena(words[1:])
        case "verify":
            return verify(options.file, options.mine)
        case "why":
            return explain(options.file, options.side, options.turn, options.piece)
        case _:
            return asyncio.run(demo(ascii_only=options.ascii, seed=options.seed, url=options.url))


def _account(options: argparse.Namespace) -> int:
    if options.account_command == "webhook":
        return asyncio.run(commands.set_webhook(options))
    if options.account_command == "renew":
        return asyncio.run(commands.renew_account(options))
    file = Path(options.file)
    if options.account_command == "export":
        export_account(options.url, file)
        print(f"{file}: your account on {options.url}; whoever has this file is you there")
    else:
        import_account(options.url, file, replace=options.replace)
        print(f"you are on {options.url} whoever {file} says")
    return OK


def _fail(code: int, why: object) -> int:
    sentence = str(why) or type(why).__name__
    print(f"sunglare: {printable(sentence)}", file=sys.stderr)
    return code


def _drop_output() -> None:
    """Let nothing more be written where nobody reads; else the exit would complain."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


if __name__ == "__main__":
    sys.exit(main())
