"""The operator's commands: `sunglare-server status`, `matches`, `say` and so on."""

import argparse
import secrets
import sys
from collections.abc import Callable, Iterable
from functools import cache
from pathlib import Path
from typing import Final, NamedTuple, final

from sunglare_protocol.errors import SunglareError
from sunglare_protocol.ids import Side
from sunglare_server.base.entropy import SystemEntropy
from sunglare_server.cluster.client.credentials import file_of
from sunglare_server.cluster.client.permissions import Role
from sunglare_server.config import control_path, setting
from sunglare_server.ops.backup.drill_command import NO_DRILL, run_drill
from sunglare_server.ops.cluster.credentials import Plan, make_credentials
from sunglare_server.ops.cluster.engine_call import ask_engine
from sunglare_server.ops.control import requests
from sunglare_server.ops.control.answers import Answer
from sunglare_server.ops.control.control_client import NoServerError, call
from sunglare_server.ops.control.formatting import answer_lines, is_well
from sunglare_server.ops.control.gateway_control import ASK_A_WORKER
from sunglare_server.ops.control.requests import RequestError, Restore
from sunglare_server.ops.control.scenario import examine
from sunglare_server.ops.control.times import lasting, until
from sunglare_server.ops.moderation.moderation_cli import (
    ORDERLY,
    RESTORING,
    add_orderly,
    restoring,
)
from sunglare_server.ops.privacy.export_file import write_person
from sunglare_server.ops.repair.database_check import Checked, check_file
from sunglare_server.ops.repair.repair import repair
from sunglare_server.sqlite.schema import OpenError

Given = argparse.Namespace
"""What was typed."""

EPILOG: Final = """\
Every command asks the server that runs on the database file, through the socket beside it, or
with `--nats` all workers of a cluster, of which `--worker` names one;
`check` works without a server, too, `repair` only without, and `scenario` and `credentials` need
none, unless seals are renewed. A match may be named by the first letters of its id.

exit codes: 0 done, 1 refused or no server answers, 2 wrong usage;
            of check and scenario: 0 everything fits, 1 a fault was found, 2 nothing was checked;
            of drill: 0 all of it worked, 1 something did not, 2 it could not begin
            of repair: 0 everything was brought, 1 all but what is listed, 2 nothing
            of credentials: 0 made, 2 nothing was made
"""

REQUESTS: Final[dict[str, Callable[[Given], requests.Request]]] = {
    **ORDERLY,
    "status": lambda _: requests.StatusAsked(),
    "matches": lambda given: requests.MatchesAsked(over=given.over, quarantined=given.quarantined),
    "say": lambda given: requests.Say(text=" ".join(given.text), match=given.match),
    "kick": lambda given: requests.Kick(
        name=given.name, match=given.match, side=None if given.side is None else Side(given.side)
    ),
    "grant": lambda given: requests.GrantCaster(
        match=given.match, name=given.name, feed=given.feed
    ),
    "revoke": lambda given: requests.RevokeCaster(
        match=given.match, name=given.name, feed=given.feed
    ),
    "pause": lambda given: requests.Pause(match=given.match),
    "resume": lambda given: requests.Pause(match=given.match, on=False),
    "adjourn": lambda given: requests.Adjourn(match=given.match),
    "drain": lambda given: requests.Drain(
        now=given.now,
        in_ms=given.at if given.wait is None else given.wait,
        note=given.note,
        off=given.off,
    ),
    "reload": lambda _: requests.Reload(),
    "backup": lambda given: requests.Backup(path=str(Path(given.file).absolute())),
    "dump": lambda given: requests.DumpMatch(
        match=given.match, path=str(Path(given.file).absolute())
    ),
    "import": lambda given: requests.ImportMatch(path=str(Path(given.file).absolute())),
    "archive": lambda given: requests.ArchiveRecords(path=str(Path(given.folder).absolute())),
    "prune": lambda given: requests.Prune(
        days=given.older_than,
        dry=given.dry_run,
        archived=None if given.archived is None else str(Path(given.archived).absolute()),
    ),
    "ratings": lambda given: (
        requests.FoldRatings()
        if given.what == "rebuild"
        else Restore(what="ratings", clear=given.what == "clear")
    ),
    "reports": lambda given: (
        restoring("reports", given.do)
        or requests.ReportsAsked(all=given.all, done=given.done, drop=given.drop)
    ),
}
"""What each command asks of the server."""

NO_CHECK: Final = (
    "check looks at a database file, and this server has none: a worker checks the records of each"
    " match when it takes it up, and `sunglare verify` the record file of one that is over"
)
"""What is said where a check is asked of a server that has no database."""

COMMANDS: Final[dict[str, str]] = {
    "status": "say how the server is doing",
    "matches": "list the matches",
    "say": "tell all seats something, or those of one match",
    "kick": "remove an account from all seats, or whoever holds one seat; seats of running matches"
    " give up",
    "ban": "let an account, or all from an address or network, in no more",
    "unban": "let them in again",
    "mute": "take no chat of an account, or of all from an address or network",
    "unmute": "take it again",
    "log": "list what operators have done, and who",
    "rename": "give an account another name, and bar the old one",
    "bar": "let nobody take a name, nor one that looks like it",
    "unbar": "let people take it again",
    "export-person": "write everything that is stored of an account to a new file",
    "whois": "tell whose a mark of the access log is, for 30 days; the operators' log notes it",
    "forget": "erase the name and the token of an account, as its owner could",
    "bans": "list who is banned or muted, and barred names, until when and why",
    "grant": "let an account see the truth of a match without delay, as its commentator",
    "revoke": "take that back",
    "pause": "pause a match until `resume`",
    "resume": "let a paused match go on",
    "adjourn": "end a match without a winner",
    "drop": "delete a match in quarantine, or one that is over, by its whole id",
    "export": "write the records of a match, as they lie, to a new file",
    "drain": "begin no match any more, and end after the last one or when it is announced",
    "reload": "read settings, certificate, scenarios and ships again, as SIGHUP does",
    "backup": "copy the database, while the server runs, to a new file",
    "dump": "put all that is kept of a match into a new file, for another server",
    "import": "take up the match of such a file, to go on here or to be kept",
    "archive": "have a record file of each finished match in a folder, with an index",
    "prune": "delete finished matches with all that is kept of them",
    "reports": "list what players have reported of each other",
    "ratings": "fold the results of all rated matches anew",
    "check": "check the database: it is whole, and each match's records follow and fold",
    "drill": "kill a server on a copy of the database, and play on from the copy that it kept",
    "repair": "bring what can be brought of a damaged database into a new file",
    "scenario": "check a scenario file and tell all of its faults at once",
    "credentials": "make the secrets by which workers and gateways get into a cluster's engine",
}
"""The commands, and what each does."""


def operate(arguments: list[str]) -> int:
    """Do the operator's command that the arguments begin with; return the exit code."""
    given = parser().parse_args(arguments)
    try:
        if given.command in ALONE:
            return ALONE[given.command](given)
        missing: tuple[str, ...] = ()
        left = 1
        while left:
            answer = _asked(given, REQUESTS[given.command](given))
            if answer.person is not None:
                write_person(Path(given.file), answer.person)
                return 0
            _print(answer, as_json=given.json)
            left, missing = answer.left, answer.missing
            if not is_well(answer):
                return _failed("a server can store nothing now", 1)
        if missing:
            return _failed(f"not all was done: {', '.join(missing)}", 1)
    except OpenError as error:
        return _failed(str(error), 2)
    except SunglareError as error:
        return _failed(str(error), 2 if given.command in ALONE else 1)
    return 0


def _asked(given: Given, request: requests.Request) -> Answer:
    """Ask all workers over the engine that is named, or the one server behind a socket."""
    if given.nats:
        credentials = Path(given.credentials) if given.credentials else None
        worker: str | None = getattr(given, "worker", None)
        return ask_engine(given.nats, credentials, request, worker)
    path = control_path(given.control, Path(given.journal))
    if path is None:
        raise RequestError("--control off names no socket to ask at")
    return call(path, request)


def _print(answer: Answer, *, as_json: bool) -> None:
    if as_json:
        _say(requests.encode(answer).decode())
    else:
        _say(*answer_lines(answer))


def _check(given: Given) -> int:
    if given.file is not None:
        return _report(given.file, check_file(Path(given.file)))
    if given.nats:
        raise RequestError(NO_CHECK)
    try:
        standing = _asked(given, requests.StatusAsked()).standing
    except NoServerError:
        return _report(given.journal, check_file(Path(given.journal)))
    if standing is None:
        raise RequestError(ASK_A_WORKER)
    if not standing.has_file:
        raise RequestError(NO_CHECK)
    # The server has its beats to keep: it makes a copy, where it may write, and we check that.
    journal = Path(standing.journal)
    copy = journal.with_name(f".check-{secrets.token_hex(8)}.db")
    try:
        _asked(given, requests.Backup(path=str(copy)))
        return _report(f"{journal}, as the server holds it", check_file(copy))
    finally:
        copy.unlink(missing_ok=True)


def _drill(given: Given) -> int:
    if given.nats:
        raise RequestError(NO_DRILL)
    data = Path(given.data) if given.data else None
    return run_drill(Path(given.journal), data, lambda request: _asked(given, request))


def _scenario(given: Given) -> int:
    path = Path(given.file)
    scenario, faults = examine(path, Path(given.data) if given.data else None)
    for fault in faults:
        _failed(fault, 1)
    if scenario is None:
        return 1
    sides, turns = len(scenario.sides), scenario.data.turns
    _say(f"{path.name}: no fault: {scenario.data.title}, {sides} sides, {turns} turns")
    return 0


def _repair(given: Given) -> int:
    out = Path(given.out)
    found = repair(Path(given.file), out)
    for loss in found.losses:
        _say(f"LOST        {loss}")
    outcome = f"{len(found.losses)} losses" if found.losses else "nothing lost"
    _say(f"{out}: {found.rows} rows brought from {given.file}, {outcome}")
    return 1 if found.losses else 0


def _credentials(given: Given) -> int:
    made = (given.workers, given.players, given.spectators, given.engines, given.force)
    if given.renew_seals:
        if any(made):
            raise RequestError(
                "credentials --renew-seals makes no files: leave out what they take"
            )
        return _renew_seals(given)
    if given.folder is None:
        raise RequestError("credentials takes the folder where the files are, or are to be")
    asked = {
        Role.WORKER: given.workers,
        Role.PLAYERS: given.players,
        Role.SPECTATORS: given.spectators,
    }
    holders = tuple((role, name) for role, names in asked.items() for name in names)
    plan = Plan(Path(given.folder), holders, given.engines, given.force)
    _say(*(str(path) for path in make_credentials(plan, SystemEntropy())))
    return 0


def _renew_seals(given: Given) -> int:
    if given.folder is not None and not given.credentials:
        operator = file_of(Path(given.folder), Role.OPERATOR, Role.OPERATOR.value)
        given.credentials = str(operator)
    # All workers of a cluster have the same wish, which the first of them fulfils.
    wish = secrets.token_hex(8)
    try:
        answer = _asked(given, requests.RenewSeals(wish=wish))
    except SunglareError as error:
        return _failed(str(error), 1)
    _print(answer, as_json=False)
    if answer.missing:
        return _failed(f"not all was done: {', '.join(answer.missing)}", 1)
    return 0


def _report(name: str, found: Iterable[Checked]) -> int:
    matches = records = faults = others = 0
    for checked in found:
        matches, records = matches + checked.is_match, records + checked.records
        if checked.unfolded is not None:
            _say(f"not folded  {checked.match}: {checked.unfolded}")
        if checked.fault is not None:
            faults, others = faults + checked.is_match, others + (not checked.is_match)
            _say(f"FAULT       {checked.match}: {checked.fault}")
    outcomes = [f"{faults} of them with a fault"] if faults else []
    outcomes += [f"{others} faults of the file"] if others else []
    outcome = ", ".join(outcomes or ["no fault"])
    _say(f"{name}: {matches} matches, {records} records, {outcome}")
    return 1 if outcomes else 0


@final
class _Defaults(NamedTuple):
    """What counts where a flag is not given, by the environment."""

    journal: str
    control: str
    nats: str
    credentials: str
    data: str


def parser() -> argparse.ArgumentParser:
    """Return what reads the commands, with the defaults that the environment has now."""
    return _parser(_Defaults(*(setting(name.upper()) for name in _Defaults._fields)))


@cache
def _parser(defaults: _Defaults) -> argparse.ArgumentParser:
    whole = argparse.ArgumentParser(
        prog="sunglare-server",
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    commands = whole.add_subparsers(dest="command", required=True, metavar="command")
    parsers = {
        name: commands.add_parser(name, help=meaning, description=meaning)
        for name, meaning in COMMANDS.items()
    }
    for name, parser in parsers.items():
        if name == "scenario":
            continue
        parser.add_argument("--journal", default=defaults.journal, help="the database file")
        parser.add_argument("--control", default=defaults.control, help="the server's socket")
        if name == "repair":
            continue
        _add_engine(parser, defaults)
        if name not in ALONE:
            parser.add_argument("--json", action="store_true", help="print the answer as it came")
            parser.add_argument("--worker", metavar="NAME", help="over an engine: ask this one")
    for name in ("pause", "resume", "adjourn", "dump"):
        parsers[name].add_argument("match", help="the match's id")
    add_orderly(parsers)
    _add_grants(parsers["grant"], parsers["revoke"])
    parsers["matches"].add_argument("--over", action="store_true", help="those that ended, too")
    parsers["say"].add_argument("text", nargs="+", help="what to say")
    parsers["say"].add_argument("--match", help="only to the seats of this match")
    parsers["kick"].add_argument("name", nargs="?", help="the account's name")
    parsers["kick"].add_argument("--match", help="or the match")
    parsers["kick"].add_argument("--side", help="and the side of the seat")
    _add_drain(parsers["drain"])
    for name in ("backup", "dump"):
        parsers[name].add_argument("file", help="a new file")
    parsers["import"].add_argument("file", help="a file that `dump` has made")
    parsers["ratings"].add_argument("what", choices=("rebuild", *RESTORING), help="what to do")
    _add_files(parsers, defaults.data)
    _add_credentials(parsers["credentials"])
    return whole


def _add_drain(parser: argparse.ArgumentParser) -> None:
    ways = parser.add_mutually_exclusive_group()
    ways.add_argument("--now", action="store_true", help="end at once, as by SIGTERM")
    ways.add_argument("--at", type=until, metavar="TIME", help="end at this time of day, as 21:00")
    ways.add_argument(
        "--in", dest="wait", type=lasting, metavar="TIME", help="end after this time, as 30m"
    )
    ways.add_argument("--off", action="store_true", help="call off what was ordered before")
    parser.add_argument("--note", default="", metavar="TEXT", help="what is told with the time")


def _add_engine(parser: argparse.ArgumentParser, defaults: _Defaults) -> None:
    """Add what those take that can be asked of all workers of a cluster."""
    parser.add_argument(
        "--nats",
        type=_urls,
        default=defaults.nats,
        metavar="URLS",
        help="ask all workers, over these servers of their engine",
    )
    parser.add_argument(
        "--credentials",
        default=defaults.credentials,
        metavar="FILE",
        help="the file that lets the operator in",
    )


def _add_files(parsers: dict[str, argparse.ArgumentParser], data: str) -> None:
    """Add what those take that look after what is kept."""
    parsers["prune"].add_argument(
        "--older-than", type=int, required=True, metavar="DAYS", help="that ended so long ago"
    )
    parsers["prune"].add_argument(
        "--archived", metavar="FOLDER", help="only those whose files `archive` has made there"
    )
    parsers["archive"].add_argument("folder", help="where the files are, or are to be")
    parsers["prune"].add_argument("--dry-run", action="store_true", help="only count them")
    parsers["reports"].add_argument("--all", action="store_true", help="done ones, too")
    parsers["reports"].add_argument(
        "--done", metavar="MATCH", help="mark those of this match as done with"
    )
    parsers["reports"].add_argument("--drop", metavar="MATCH", help="delete those of this match")
    parsers["check"].add_argument("file", nargs="?", help="a database or backup that is not open")
    parsers["scenario"].add_argument("file", help="a scenario file")
    for name in ("scenario", "drill"):
        parsers[name].add_argument(
            "--data", default=data, help="folder with further ships and ground units"
        )
    parsers["repair"].add_argument("file", help="a database that no server uses; never written")
    parsers["repair"].add_argument("out", help="a new file")


def _add_credentials(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("folder", nargs="?", help="where the files are, or are to be")
    parser.add_argument(
        "--renew-seals",
        action="store_true",
        help="make nothing, but have the workers seal the lines of gateways with another key",
    )
    for flag, whose in (
        ("--workers", "of new workers"),
        ("--players", "of new gateways for players"),
        ("--spectators", "of new gateways for spectators alone"),
    ):
        parser.add_argument(flag, type=_names, default=(), metavar="NAMES", help=f"names {whose}")
    parser.add_argument(
        "--engines", type=_names, default=(), metavar="HOSTS", help="hosts where engines run"
    )
    parser.add_argument("--force", action="store_true", help="replace secrets that are there")


def _names(text: str) -> tuple[str, ...]:
    return tuple(text.split(","))


def _urls(text: str) -> tuple[str, ...]:
    return tuple(url for url in text.split(",") if url)


def _add_grants(*parsers: argparse.ArgumentParser) -> None:
    for parser in parsers:
        parser.add_argument("match", help="the match's id")
        parser.add_argument("name", help="the account's name")
        parser.add_argument("feed", choices=("caster",), help="the feed")


ALONE: Final[dict[str, Callable[[Given], int]]] = {
    "check": _check,
    "drill": _drill,
    "repair": _repair,
    "scenario": _scenario,
    "credentials": _credentials,
}
"""The commands that need no server, and what does each."""


def _say(*lines: str) -> None:
    sys.stdout.write("".join(f"{line}\n" for line in lines))


def _failed(why: str, code: int) -> int:
    sys.stderr.write(f"sunglare-server: {why}\n")
    return code
