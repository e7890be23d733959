"""The command `drill`: a copy of the database to begin with, and a line for each step."""

import secrets
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from sunglare_server.ops.backup.drill import drill, drill_folder
from sunglare_server.ops.backup.drill_seat import DrillError
from sunglare_server.ops.control.answers import Answer
from sunglare_server.ops.control.control_client import NoServerError
from sunglare_server.ops.control.gateway_control import ASK_A_WORKER
from sunglare_server.ops.control.requests import Backup, Request, RequestError, StatusAsked
from sunglare_server.ops.repair.file_checks import log_words
from sunglare_server.sqlite.private_copy import private_copy
from sunglare_server.sqlite.schema import OpenError

NO_DRILL: Final = (
    "drill begins with a database file, and this server has none: OPERATIONS says under `Backup of"
    " a cluster` how that is restored"
)
"""What is said where a drill is asked of a server that has no database."""

_NAME: Final = "games.db"

Ask = Callable[[Request], Answer]
"""Asks the server that runs on the database; raises `NoServerError` if none does."""


def run_drill(journal: Path, data: Path | None, ask: Ask) -> int:
    """Drill on a copy of a database, and say what was done; return the exit code.

    Raise `OpenError` or `RequestError` if there is no copy to begin with.
    """
    with drill_folder() as folder:
        (folder / "first").mkdir()
        first = folder / "first" / _NAME
        _step("copied", _first_copy(journal, first, ask))
        try:
            drill(first, folder, data, _step)
        except DrillError as error:
            sys.stderr.write(f"sunglare-server: the drill has failed: {error}\n")
            return 1
    return 0


def _first_copy(journal: Path, first: Path, ask: Ask) -> str:
    """Make the copy to begin with, and say of what it is."""
    with _readable(journal, ask) as (name, path):
        if not path.exists():
            return f"nothing, as {path} is not there: it begins with an empty database"
        with private_copy(path, first.parent) as copied:
            if copied.log_fault is not None:
                raise OpenError(path, log_words(copied.log_fault))
            for file in copied.path.parent.iterdir():
                ending = file.name.removeprefix(copied.path.name)
                file.rename(first.with_name(f"{_NAME}{ending}"))
        return name


@contextmanager
def _readable(journal: Path, ask: Ask) -> Iterator[tuple[str, Path]]:
    """Give what the database is called and where it can be read: a fresh copy if it is served."""
    try:
        standing = ask(StatusAsked()).standing
    except NoServerError:
        yield str(journal), journal
        return
    if standing is None:
        raise RequestError(ASK_A_WORKER)
    if not standing.has_file:
        raise RequestError(NO_DRILL)
    served = Path(standing.journal)
    # Where the server may write.
    copy = served.with_name(f".drill-{secrets.token_hex(8)}.db")
    try:
        ask(Backup(path=str(copy)))
        yield f"{served}, as the server holds it", copy
    finally:
        copy.unlink(missing_ok=True)


def _step(name: str, what: str) -> None:
    sys.stdout.write(f"{name:<11} {what}\n")
    sys.stdout.flush()
