"""The drill: what would be done after the loss of a disk, done on copies, to see that it works.

Theory of operation. A server of its own is started on a copy of the database, keeps a copy of
that in turn, and is killed amid a match. That second copy is checked record by record, another
server is started on it, and the seats of the match come back and play on. The real server is
asked for the first copy and for nothing else; all that is made goes away in the end.
"""

import shutil
import sqlite3
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Final

from sunglare_protocol.ids import MatchId
from sunglare_server.match.record import time_of
from sunglare_server.ops.backup.drill_seat import DrillError, DrillSeat, play_windows
from sunglare_server.ops.backup.drill_server import DrillServer
from sunglare_server.ops.repair.database_check import check_file
from sunglare_server.sqlite.schema import OpenError

WINDOWS: Final = 20
"""OWN: how many windows are played before the kill, and how many after it."""

LOST_MS_MOST: Final = 2_000
"""What a copy may be behind at most."""

COPY_S: Final = 600.0
"""OWN: how long the first whole copy of a drill may take."""

_PAUSE_S: Final = 0.1
"""OWN: between two windows before the kill, so that it comes amid a copy's second."""

_COUNT = "SELECT count(*) FROM record"
_SINCE = "SELECT CAST(blob AS BLOB) FROM record ORDER BY rowid LIMIT -1 OFFSET ?"

Tell = Callable[[str, str], None]
"""Reports a step that was taken: its name, and its outcome."""


def drill(first: Path, folder: Path, data: Path | None, tell: Tell) -> None:
    """Drill on the copy `first`, with all that it takes in `folder`; report each step.

    Raise `DrillError` at whatever does not work.
    """
    flags = () if data is None else ("--data", str(data.absolute()))
    second, third = folder / "second", folder / "third"
    for place in (second, third):
        place.mkdir()
    copy = second / first.name
    began_s = time.monotonic()
    with _server(first, "--copy", str(second), *flags) as server:
        _await_copy(copy)
        seats = _seated(server)
        for _ in range(WINDOWS):
            play_windows(seats, 1)
            time.sleep(_PAUSE_S)
        tell("played", f"{WINDOWS} windows of a match, on a server that copies what it stores")
        server.kill()
    tell("killed", "that server, amid the match")
    _tell_lost(first, copy, tell)
    _restore(copy, third / first.name)
    _verify(third / first.name, tell)
    with _server(third / first.name, *flags) as server:
        _play_on(server, seats, tell)
        server.end()
    _verify(third / first.name, tell)
    tell("passed", f"in {time.monotonic() - began_s:.0f} s")


@contextmanager
def drill_folder() -> Iterator[Path]:
    """Give a folder that no other user may enter, for as long as the block lasts."""
    with tempfile.TemporaryDirectory(prefix="sunglare-drill-") as folder:
        yield Path(folder)


@contextmanager
def _server(journal: Path, *flags: str) -> Iterator[DrillServer]:
    server = DrillServer(journal, *flags)
    try:
        yield server
    finally:
        server.kill()


def _await_copy(copy: Path) -> None:
    deadline_s = time.monotonic() + COPY_S
    while not copy.exists():
        if time.monotonic() > deadline_s:
            raise DrillError(f"no copy stands in {copy.parent} after {COPY_S:g} s")
        time.sleep(0.05)


def _seated(server: DrillServer) -> tuple[DrillSeat, DrillSeat]:
    """Seat two in a match, and let it run until the copy has their seats too."""
    seats = DrillSeat(server.url), DrillSeat(server.url)
    match = seats[0].open()
    for seat in seats:
        seat.join(match)
    play_windows(seats, 1)
    # Seats that were taken just before a disk is lost are lost with it.
    time.sleep(LOST_MS_MOST / 1000)
    return seats


def _tell_lost(first: Path, copy: Path, tell: Tell) -> None:
    """Report what the copy had not got; raise `DrillError` if that is too much."""
    with closing(sqlite3.connect(copy)) as file:
        ((kept,),) = file.execute(_COUNT)
    with closing(sqlite3.connect(first)) as file:
        times = [time_of(blob) for (blob,) in file.execute(_SINCE, (int(kept),))]
    made_ms = [at_ms for at_ms in times if at_ms is not None]
    lost_ms = made_ms[-1] - made_ms[0] if made_ms else 0
    words = f"the last {len(times)} records, of {lost_ms / 1000:.1f} s"
    if lost_ms > LOST_MS_MOST:
        raise DrillError(f"the copy lacks {words}")
    tell("lost", f"{words}, which the copy had not got")


def _restore(copy: Path, path: Path) -> None:
    for file in copy.parent.glob(f"{copy.name}*"):
        if not file.name.endswith(".lock"):
            shutil.copyfile(file, path.with_name(file.name))


def _verify(path: Path, tell: Tell) -> None:
    """Check a file, record by record; raise `DrillError` with the first fault."""
    matches = records = 0
    try:
        for checked in check_file(path):
            if checked.fault is not None:
                raise DrillError(f"{checked.match}: {checked.fault}")
            matches, records = matches + checked.is_match, records + checked.records
    except OpenError as error:
        raise DrillError(str(error)) from error
    tell("verified", f"{matches} matches, {records} records, no fault")


def _play_on(server: DrillServer, seats: tuple[DrillSeat, DrillSeat], tell: Tell) -> None:
    match = MatchId(seats[0].match)
    back = tuple(DrillSeat(server.url, token=seat.token) for seat in seats)
    for seat, before in zip(back, seats, strict=True):
        if seat.name != before.name:
            raise DrillError(f"{before.name} comes back as {seat.name}")
        seat.come_back(match, before.ticket)
    tell("restored", "elsewhere: both seats came back, by their tickets and under their names")
    play_windows(back, WINDOWS)
    back[0].resign()
    back[1].wait_over()
    tell("played on", f"{WINDOWS} windows more, and to the end of the match")
