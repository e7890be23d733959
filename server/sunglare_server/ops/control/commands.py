"""The operator's commands: a table of what each says, takes and asks, and their program."""

import argparse
from collections.abc import Callable
from functools import cache, partial
from pathlib import Path
from typing import Final, NamedTuple, final

from sunglare_protocol.errors import SunglareError
from sunglare_protocol.ids import Side
from sunglare_server.cli import Argument, argument
from sunglare_server.config import control_path, setting
from sunglare_server.ops.cluster.engine_call import ask_engine
from sunglare_server.ops.control import requests
from sunglare_server.ops.control.answers import Answer
from sunglare_server.ops.control.control_client import call
from sunglare_server.ops.control.formatting import answer_lines, is_well
from sunglare_server.ops.control.local_commands import (
    ENGINE,
    LOCAL_COMMANDS,
    SERVER,
    Given,
    LocalCommand,
    failed,
    say,
)
from sunglare_server.ops.control.requests import Request, RequestError
from sunglare_server.ops.control.times import lasting, seconds_of, until
from sunglare_server.ops.privacy.export_file import write_person
from sunglare_server.sqlite.schema import OpenError

EPILOG: Final = """\
Every command asks the server that runs on the database file, through the socket next to it, or
with `--nats` all workers of a cluster, of which `--worker` names one;
`check` works without a server, too, `repair` only without, and `scenario` and `credentials` need
none, unless seals are renewed. A match may be named by the first letters of its id.

exit codes: 0 done, 1 refused or no server answers, 2 wrong usage;
            of check and scenario: 0 everything fits, 1 a fault was found, 2 nothing was checked;
            of drill: 0 all of it worked, 1 something did not, 2 it could not begin
            of repair: 0 everything was brought, 1 all but what is listed, 2 nothing
            of credentials: 0 made, 2 nothing was made
"""


@final
class Command(NamedTuple):
    """A command that asks a server: its help, the request that it makes, and what it takes.

    Of the arguments in a tuple of their own one alone may be given.
    """

    help: str
    request: Callable[[Given], Request]
    arguments: tuple[Argument | tuple[Argument, ...], ...] = ()


_RESTORING: Final = ("restore", "clear")
_ASIDE: Final = argument(
    "do", "if they are set aside as damaged: what to do", nargs="?", choices=_RESTORING
)
_ACCOUNT: Final = argument("name", "the account's name, or its id")
_MATCH: Final = argument("match", "the match's id")
_WHOLE_ID: Final = argument("match", "the match's whole id")
_NAME: Final = argument("name", "the name")
_NEW_FILE: Final = argument("file", "a new file")
_LISTED_WHY: Final = argument("--reason", "why, for the list of bans", default="")
_CASTER: Final = (
    _MATCH,
    argument("name", "the account's name"),
    argument("feed", "the feed", choices=("caster",)),
)
_WHOM: Final = (
    argument("name", "the account's name, or its id", nargs="?"),
    argument("--address", "or an address or network", metavar="NETWORK"),
)
_SANCTION: Final = (
    *_WHOM,
    argument("--for", "how long, as 12h or 7d", dest="lasts", type=seconds_of, metavar="TIME"),
    argument("--reason", "the reason, which the account is shown", default=""),
)


def _path(text: str) -> str:
    """Return a path as a server understands it, from the root of the file system."""
    return str(Path(text).absolute())


def _restore(what: requests.Aside, do: str | None) -> requests.Restore | None:
    """Return the request that decides on what was set aside; None if nothing is to be done."""
    return None if do is None else requests.Restore(what=what, clear=do == "clear")


COMMANDS: Final[dict[str, Command | LocalCommand]] = {
    "status": Command("show the server's state", lambda _: requests.StatusAsked()),
    "matches": Command(
        "list the matches",
        lambda it: requests.MatchesAsked(over=it.over, quarantined=it.quarantined),
        (
            argument("--quarantined", "only quarantined ones", action="store_true"),
            argument("--over", "those that ended, too", action="store_true"),
        ),
    ),
    "say": Command(
        "send a message to all seats, or to those of one match",
        lambda it: requests.Say(text=" ".join(it.text), match=it.match),
        (
            argument("text", "what to say", nargs="+"),
            argument("--match", "only to the seats of this match"),
        ),
    ),
    "kick": Command(
        "remove an account from all seats, or the holder of one seat; seats of running matches"
        " give up",
        lambda it: requests.Kick(
            name=it.name, match=it.match, side=None if it.side is None else Side(it.side)
        ),
        (
            argument("name", "the account's name", nargs="?"),
            argument("--match", "or the match"),
            argument("--side", "and the side of the seat"),
        ),
    ),
    "ban": Command(
        "ban an account, an address or a network",
        lambda it: requests.Ban(
            name=it.name, address=it.address, reason=it.reason, lasts_s=it.lasts
        ),
        _SANCTION,
    ),
    "unban": Command(
        "lift a ban",
        lambda it: requests.Ban(name=it.name, address=it.address, on=False),
        _WHOM,
    ),
    "mute": Command(
        "mute the chat of an account, an address or a network",
        lambda it: requests.Mute(
            name=it.name, address=it.address, reason=it.reason, lasts_s=it.lasts
        ),
        _SANCTION,
    ),
    "unmute": Command(
        "lift a mute",
        lambda it: requests.Mute(name=it.name, address=it.address, on=False),
        _WHOM,
    ),
    "log": Command(
        "list the operators' actions, with who did them",
        lambda it: _restore("log", it.do) or requests.DeedsAsked(most=it.last),
        (
            _ASIDE,
            argument(
                "--last", "so many entries (default: 50)", type=int, default=50, metavar="NUMBER"
            ),
        ),
    ),
    "rename": Command(
        "give an account another name, and bar the old one",
        lambda it: requests.Rename(name=it.name, new=it.new, reason=it.reason, free=it.free),
        (
            _ACCOUNT,
            argument("new", "its new name (default: a guest's)", nargs="?"),
            argument("--free", "let others take the old", action="store_true"),
            _LISTED_WHY,
        ),
    ),
    "bar": Command(
        "bar a name, and names that look like it",
        lambda it: requests.BarName(name=it.name, reason=it.reason),
        (_NAME, _LISTED_WHY),
    ),
    "unbar": Command(
        "allow a barred name again", lambda it: requests.BarName(name=it.name, on=False), (_NAME,)
    ),
    "export-person": Command(
        "write everything that is stored about an account to a new file",
        lambda it: requests.PersonAsked(name=it.name),
        (_ACCOUNT, argument("file", "a new file, in JSON")),
    ),
    "whois": Command(
        "show the account behind an access-log mark (30 days); the operators' log notes it",
        lambda it: requests.Whois(mark=it.mark),
        (argument("mark", "the `mark` of a line of the access log"),),
    ),
    "forget": Command(
        "erase the name and the token of an account, as its owner could",
        lambda it: requests.ForgetPerson(name=it.name),
        (_ACCOUNT,),
    ),
    "bans": Command(
        "list who is banned or muted, and barred names, until when and why",
        lambda it: _restore("bans", it.do) or requests.BansAsked(),
        (_ASIDE,),
    ),
    "grant": Command(
        "let a commentator's account see the truth of a match without delay",
        lambda it: requests.GrantCaster(match=it.match, name=it.name, feed=it.feed),
        _CASTER,
    ),
    "revoke": Command(
        "revoke a commentator's grant",
        lambda it: requests.RevokeCaster(match=it.match, name=it.name, feed=it.feed),
        _CASTER,
    ),
    "pause": Command(
        "pause a match until `resume`", lambda it: requests.Pause(match=it.match), (_MATCH,)
    ),
    "resume": Command(
        "resume a paused match", lambda it: requests.Pause(match=it.match, on=False), (_MATCH,)
    ),
    "adjourn": Command(
        "end a match without a winner", lambda it: requests.Adjourn(match=it.match), (_MATCH,)
    ),
    "drop": Command(
        "delete a match in quarantine, or one that is over, by its whole id",
        lambda it: requests.DropMatch(match=it.match),
        (_WHOLE_ID,),
    ),
    "export": Command(
        "write the records of a match, as they lie, to a new file",
        lambda it: requests.ExportMatch(match=it.match, path=_path(it.file)),
        (_WHOLE_ID, argument("file", "a new file, written by the server")),
    ),
    "drain": Command(
        "start no new matches, and stop after the last one or at the announced time",
        lambda it: requests.Drain(
            now=it.now, in_ms=it.at if it.wait is None else it.wait, note=it.note, off=it.off
        ),
        (
            (
                argument("--now", "end at once, as by SIGTERM", action="store_true"),
                argument("--at", "end at this time of day, as 21:00", type=until, metavar="TIME"),
                argument(
                    "--in",
                    "end after this time, as 30m",
                    dest="wait",
                    type=lasting,
                    metavar="TIME",
                ),
                argument("--off", "cancel an earlier drain", action="store_true"),
            ),
            argument(
                "--note", "a note that is announced with the time", default="", metavar="TEXT"
            ),
        ),
    ),
    "reload": Command(
        "reload settings, certificate, scenarios and ships, as SIGHUP does",
        lambda _: requests.Reload(),
    ),
    "backup": Command(
        "copy the database, while the server runs, to a new file",
        lambda it: requests.Backup(path=_path(it.file)),
        (_NEW_FILE,),
    ),
    "dump": Command(
        "write all that is stored of a match to a new file, for another server",
        lambda it: requests.DumpMatch(match=it.match, path=_path(it.file)),
        (_MATCH, _NEW_FILE),
    ),
    "import": Command(
        "import a dumped match, to continue or to keep it here",
        lambda it: requests.ImportMatch(path=_path(it.file)),
        (argument("file", "a file that `dump` has made"),),
    ),
    "archive": Command(
        "write a record file of each finished match to a folder, with an index",
        lambda it: requests.ArchiveRecords(path=_path(it.folder)),
        (argument("folder", "where the files are, or are to be"),),
    ),
    "prune": Command(
        "delete finished matches with all that is stored of them",
        lambda it: requests.Prune(
            days=it.older_than,
            dry=it.dry_run,
            archived=None if it.archived is None else _path(it.archived),
        ),
        (
            argument(
                "--older-than", "that ended so long ago", type=int, required=True, metavar="DAYS"
            ),
            argument(
                "--archived", "only those whose files `archive` has made there", metavar="FOLDER"
            ),
            argument("--dry-run", "only count them", action="store_true"),
        ),
    ),
    "reports": Command(
        "list the players' reports of each other",
        lambda it: (
            _restore("reports", it.do)
            or requests.ReportsAsked(all=it.all, done=it.done, drop=it.drop)
        ),
        (
            _ASIDE,
            argument("--all", "done ones, too", action="store_true"),
            argument("--done", "mark those of this match as done", metavar="MATCH"),
            argument("--drop", "delete those of this match", metavar="MATCH"),
        ),
    ),
    "ratings": Command(
        "rebuild all ratings from the stored results",
        lambda it: (
            requests.FoldRatings()
            if it.what == "rebuild"
            else requests.Restore(what="ratings", clear=it.what == "clear")
        ),
        (argument("what", "what to do", choices=("rebuild", *_RESTORING)),),
    ),
    **LOCAL_COMMANDS,
}
"""The commands, by their word."""

_ASKING: Final = (
    *SERVER,
    *ENGINE,
    argument("--json", "print the answer as it came", action="store_true"),
    argument("--worker", "over an engine: ask this one", metavar="NAME"),
)


def operate(arguments: list[str]) -> int:
    """Do the operator's command that the arguments begin with; return the exit code."""
    given = parser().parse_args(arguments)
    command = COMMANDS[given.command]
    try:
        if isinstance(command, LocalCommand):
            return command.run(given, partial(_asked, given))
        return _answered(command, given)
    except OpenError as error:
        return failed(str(error), 2)
    except SunglareError as error:
        return failed(str(error), 2 if isinstance(command, LocalCommand) else 1)


def _answered(command: Command, given: Given) -> int:
    """Ask until nothing is left to do, and print the answers; return the exit code."""
    missing: tuple[str, ...] = ()
    left = 1
    while left:
        answer = _asked(given, command.request(given))
        if answer.person is not None:
            write_person(Path(given.file), answer.person)
            answer = Answer(done=f"{given.file}: everything that is stored of {given.name}")
        say(*([requests.encode(answer).decode()] if given.json else answer_lines(answer)))
        left, missing = answer.left, answer.missing
        if not is_well(answer):
            return failed("a server can store nothing now", 1)
    return failed(f"not all was done: {', '.join(missing)}", 1) if missing else 0


def _asked(given: Given, request: Request) -> Answer:
    """Ask all workers over the engine that is named, or the one server behind a socket."""
    if given.nats:
        credentials = Path(given.credentials) if given.credentials else None
        worker: str | None = getattr(given, "worker", None)
        return ask_engine(given.nats, credentials, request, worker)
    path = control_path(given.control, Path(given.journal))
    if path is None:
        raise RequestError("--control off names no socket to ask at")
    return call(path, request)


_SETTINGS: Final = ("journal", "control", "nats", "credentials", "data")
"""The arguments that are settings as well: what counts where they are not given."""


def parser() -> argparse.ArgumentParser:
    """Return what reads the commands, with the defaults that the environment has now."""
    return _parser(tuple(setting(name) for name in _SETTINGS))


@cache
def _parser(defaults: tuple[str, ...]) -> argparse.ArgumentParser:
    whole = argparse.ArgumentParser(
        prog="sunglare-server", epilog=EPILOG, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    commands = whole.add_subparsers(dest="command", required=True, metavar="command")
    add_commands(commands, **dict(zip(_SETTINGS, defaults, strict=True)))
    return whole


def add_commands(
    commands: "argparse._SubParsersAction[argparse.ArgumentParser]",
    **defaults: str,
) -> None:
    """Add the parser of every command, with the defaults of those arguments that are settings."""
    for name, command in COMMANDS.items():
        one = commands.add_parser(name, help=command.help, description=command.help)
        shared = () if isinstance(command, LocalCommand) else _ASKING
        one.set_defaults(**defaults)
        for taken in (*shared, *command.arguments):
            ways = (taken,) if isinstance(taken, Argument) else taken
            to = one if isinstance(taken, Argument) else one.add_mutually_exclusive_group()
            for way in ways:
                to.add_argument(way.name, help=way.help, **way.options)
