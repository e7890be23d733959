"""The operator's commands that need no server: `check`, `drill`, `repair` and so on."""

import argparse
import secrets
import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Final, NamedTuple, final

from sunglare_protocol.errors import SunglareError
from sunglare_server.base.entropy import SystemEntropy
from sunglare_server.cli import Argument, argument
from sunglare_server.cluster.client.credentials import file_of
from sunglare_server.cluster.client.permissions import Role
from sunglare_server.ops.backup.drill_command import NO_DRILL, Ask, run_drill
from sunglare_server.ops.cluster.credentials import Plan, make_credentials
from sunglare_server.ops.control.control_client import NoServerError
from sunglare_server.ops.control.formatting import answer_lines
from sunglare_server.ops.control.gateway_control import ASK_A_WORKER
from sunglare_server.ops.control.requests import Backup, RenewSeals, RequestError, StatusAsked
from sunglare_server.ops.control.scenario import examine
from sunglare_server.ops.repair.database_check import Checked, check_file
from sunglare_server.ops.repair.repair import repair

Given = argparse.Namespace
"""What was typed."""


@final
class LocalCommand(NamedTuple):
    """A command that needs no server: its help, what does it, and what it takes.

    `run` returns the exit code; it asks a server, if there is one, by its second argument.
    """

    help: str
    run: Callable[[Given, Ask], int]
    arguments: tuple[Argument, ...]


def say(*lines: str) -> None:
    """Print lines."""
    sys.stdout.write("".join(f"{line}\n" for line in lines))


def failed(why: str, code: int) -> int:
    """Print to standard error why a command has failed; return its exit code."""
    sys.stderr.write(f"sunglare-server: {why}\n")
    return code


NO_CHECK: Final = (
    "check looks at a database file, and this server has none: a worker checks the records of each"
    " match when it takes it up, and `sunglare verify` the record file of one that is over"
)
"""What is said where a check is asked of a server that has no database."""


def _check(given: Given, ask: Ask) -> int:
    if given.file is not None:
        return _report(given.file, check_file(Path(given.file)))
    if given.nats:
        raise RequestError(NO_CHECK)
    try:
        standing = ask(StatusAsked()).standing
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
        ask(Backup(path=str(copy)))
        return _report(f"{journal}, as the server holds it", check_file(copy))
    finally:
        copy.unlink(missing_ok=True)


def _drill(given: Given, ask: Ask) -> int:
    if given.nats:
        raise RequestError(NO_DRILL)
    data = Path(given.data) if given.data else None
    return run_drill(Path(given.journal), data, ask)


def _scenario(given: Given, _: Ask) -> int:
    path = Path(given.file)
    scenario, faults = examine(path, Path(given.data) if given.data else None)
    for fault in faults:
        failed(fault, 1)
    if scenario is None:
        return 1
    sides, turns = len(scenario.sides), scenario.data.turns
    say(f"{path.name}: no fault: {scenario.data.title}, {sides} sides, {turns} turns")
    return 0


def _repair(given: Given, _: Ask) -> int:
    out = Path(given.out)
    found = repair(Path(given.file), out)
    for loss in found.losses:
        say(f"LOST        {loss}")
    outcome = f"{len(found.losses)} losses" if found.losses else "nothing lost"
    say(f"{out}: {found.rows} rows brought from {given.file}, {outcome}")
    return 1 if found.losses else 0


def _credentials(given: Given, ask: Ask) -> int:
    made = (given.workers, given.players, given.spectators, given.engines, given.force)
    if given.renew_seals:
        if any(made):
            raise RequestError(
                "credentials --renew-seals makes no files: leave out what they take"
            )
        return _renew_seals(given, ask)
    if given.folder is None:
        raise RequestError("credentials takes the folder where the files are, or are to be")
    asked = {
        Role.WORKER: given.workers,
        Role.PLAYERS: given.players,
        Role.SPECTATORS: given.spectators,
    }
    holders = tuple((role, name) for role, names in asked.items() for name in names)
    plan = Plan(Path(given.folder), holders, given.engines, given.force)
    say(*(str(path) for path in make_credentials(plan, SystemEntropy())))
    return 0


def _renew_seals(given: Given, ask: Ask) -> int:
    if given.folder is not None and not given.credentials:
        operator = file_of(Path(given.folder), Role.OPERATOR, Role.OPERATOR.value)
        given.credentials = str(operator)
    # All workers of a cluster have the same wish, which the first of them fulfils.
    wish = secrets.token_hex(8)
    try:
        answer = ask(RenewSeals(wish=wish))
    except SunglareError as error:
        return failed(str(error), 1)
    say(*answer_lines(answer))
    if answer.missing:
        return failed(f"not all was done: {', '.join(answer.missing)}", 1)
    return 0


def _report(name: str, found: Iterable[Checked]) -> int:
    matches = records = faults = others = 0
    for checked in found:
        matches, records = matches + checked.is_match, records + checked.records
        if checked.unfolded is not None:
            say(f"not folded  {checked.match}: {checked.unfolded}")
        if checked.fault is not None:
            faults, others = faults + checked.is_match, others + (not checked.is_match)
            say(f"FAULT       {checked.match}: {checked.fault}")
    outcomes = [f"{faults} of them with a fault"] if faults else []
    outcomes += [f"{others} faults of the file"] if others else []
    outcome = ", ".join(outcomes or ["no fault"])
    say(f"{name}: {matches} matches, {records} records, {outcome}")
    return 1 if outcomes else 0


def _split(text: str) -> tuple[str, ...]:
    return tuple(text.split(","))


def _urls(text: str) -> tuple[str, ...]:
    return tuple(url for url in text.split(",") if url)


SERVER: Final = (
    argument("--journal", "the database file"),
    argument("--control", "the server's socket"),
)
"""The arguments that name one server."""

ENGINE: Final = (
    argument(
        "--nats", "ask all workers, over these servers of their engine", type=_urls, metavar="URLS"
    ),
    argument("--credentials", "the file that lets the operator in", metavar="FILE"),
)
"""The arguments that name all workers of a cluster."""

_DATA: Final = argument("--data", "folder with further ships and ground units")


def _names(flag: str, metavar: str, words: str) -> Argument:
    return argument(flag, words, type=_split, default=(), metavar=metavar)


LOCAL_COMMANDS: Final[dict[str, LocalCommand]] = {
    "check": LocalCommand(
        "check the database and the records of each match",
        _check,
        (*SERVER, *ENGINE, argument("file", "a database or backup that is not open", nargs="?")),
    ),
    "drill": LocalCommand(
        "kill a server on a copy of the database, and continue from the copy that it kept",
        _drill,
        (*SERVER, *ENGINE, _DATA),
    ),
    "repair": LocalCommand(
        "recover what can be read of a damaged database into a new file",
        _repair,
        (
            *SERVER,
            argument("file", "a database that no server uses; never written"),
            argument("out", "a new file"),
        ),
    ),
    "scenario": LocalCommand(
        "check a scenario file and list all of its faults",
        _scenario,
        (argument("file", "a scenario file"), _DATA),
    ),
    "credentials": LocalCommand(
        "make the credentials of a cluster's workers and gateways",
        _credentials,
        (
            *SERVER,
            *ENGINE,
            argument("folder", "where the files are, or are to be", nargs="?"),
            argument(
                "--renew-seals",
                "make nothing, but have the workers seal the lines of gateways with another key",
                action="store_true",
            ),
            _names("--workers", "NAMES", "names of new workers"),
            _names("--players", "NAMES", "names of new gateways for players"),
            _names("--spectators", "NAMES", "names of new gateways for spectators alone"),
            _names("--engines", "HOSTS", "hosts where engines run"),
            argument("--force", "replace secrets that are there", action="store_true"),
        ),
    ),
}
"""The commands that need no server, by their word."""
