"""An upgrade as the operator's page has it, from the file that each earlier version has left."""

import shutil
import sqlite3
import urllib.request
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from builders.dumps import DUMPS, are_ours, dumped
from builders.oldrules import STORED, file_of, told
from builders.operators import socket_of
from builders.servers import ServerProcess, server_process
from builders.wires import Talker, met
from sunglare_protocol.ids import MatchId
from sunglare_protocol.messages import Ending, GiveOrders, Over, Resume, Resumed
from sunglare_server.match.record import RULES_VERSION
from sunglare_server.ops.control.commands import operate
from sunglare_server.ops.control.control_client import call
from sunglare_server.ops.control.requests import Drain, MatchesAsked
from sunglare_server.sqlite.schema import VERSION

LEFT = {
    **{f"rules of version {rules}": (file_of, rules) for rules in reversed(STORED)},
    **{f"tables of version {version}": (dumped, version) for version in DUMPS},
}
"""What each earlier program has left, the newest first."""


@pytest.fixture(params=LEFT)
def journal(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """Return the database that an earlier program has left."""
    write, version = LEFT[request.param]
    path: Path = write(version, tmp_path)
    return path


def states(folder: Path) -> Iterator[str]:
    """Yield the states of all matches, as the operator is shown them."""
    for row in call(socket_of(folder), MatchesAsked(over=True)).matches or ():
        # One that runs is loaded when somebody comes for it, or by and by.
        yield "running" if row.state == "idle" else row.state


def test_what_an_earlier_version_left_is_checked_taken_up_and_can_be_gone_back_to(
    journal: Path, tmp_path: Path
) -> None:
    goes_on = are_ours(journal)
    backup = tmp_path / "before.db"
    shutil.copy(journal, backup)
    kept = backup.read_bytes()
    # The new program looks at the backup first, and leaves it as it is.
    assert operate(["check", str(backup)]) == 0
    assert backup.read_bytes() == kept
    with server_process(tmp_path) as server:
        ready = server.url.replace("ws://", "http://").replace("/play", "/readyz")
        # A balancer asks by the name that players use, whether the operator has listed it or not.
        probe = urllib.request.Request(ready, headers={"Host": "play.example"})  # noqa: S310 - ours
        with urllib.request.urlopen(probe) as answer:  # noqa: S310 - our own server
            assert answer.read() == b"ready\n"
        assert ("incompatible_match_adjourned" in server.said()) is not goes_on
        found = sorted(states(tmp_path))
        runs = [state for state in found if state != "waiting"]
        assert runs == (["over", "running"] if goes_on else ["over", "over"])
        call(socket_of(tmp_path), Drain(now=True))
        assert server.wait() == 0
        assert operate(["check", str(journal)]) == 0
        # Back again: the backup is taken as the file was, with all that it had.
        shutil.copy(backup, journal)
        server.start()
        assert sorted(states(tmp_path)) == found
        assert server.terminate() == 0


async def came_back(talker: Talker, rules: int) -> MatchId:
    """Take the seat of A again, by the ticket that it had before the upgrade."""
    running = told(rules)["running"]
    match = MatchId(running["match"])
    wish = {"match": match, "ticket": running["tickets"]["A"], "have": running["have"]["A"]}
    await talker.expect(Resumed, Resume, **wish)
    return match


@pytest.mark.parametrize("rules", STORED)
async def test_whoever_played_before_an_upgrade_plays_on_or_is_told_why_not(
    rules: int, tmp_path: Path
) -> None:
    file_of(rules, tmp_path)
    with server_process(tmp_path) as server:
        async with met(server.url) as anna:
            match = await came_back(anna, rules)
            if rules != RULES_VERSION:
                over = await anna.came(Over)
                assert (over.result.ending, over.result.winner) == (Ending.ADJOURNED, None)
                return
            await anna.told("restarted")
            back = anna.every(Resumed)[-1]
            orders = {"window": back.window, "rev": back.rev + 1, "orders": (), "lock": True}
            await anna.accepted(GiveOrders, id=back.last_id + 1, match=match, **orders)


def test_a_file_of_a_later_version_is_refused_and_left_as_it_is(tmp_path: Path) -> None:
    path = dumped(max(DUMPS), tmp_path)
    with closing(sqlite3.connect(path)) as file:
        file.execute("UPDATE schema_version SET version = ?", (VERSION + 1,))
        file.commit()
    before = path.read_bytes()
    server = ServerProcess(tmp_path)
    with pytest.raises(AssertionError, match="does not listen"):
        server.start()
    assert server.said().endswith(
        f"sunglare-server: cannot use the database {path}: its tables have version {VERSION + 1},"
        f" this program knows versions up to {VERSION}; start the newer program that wrote it\n"
    )
    assert path.read_bytes() == before
