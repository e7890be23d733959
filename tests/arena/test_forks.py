"""The fork server of the arena: clean processes, their ends, and what comes when it is gone."""

import os
import signal
import socket
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from threading import Timer

import pytest

from builders.strangers import is_gone_soon, runs, strangers_in
from sunglare_arena.contest import Conditions, Contest, contested
from sunglare_arena.entrants import games
from sunglare_arena.findings import Findings
from sunglare_arena.forks import LEAVE_S, ForkServer
from sunglare_arena.isolation import Isolated, Limits
from sunglare_arena.playing import played
from sunglare_arena.series import limited, scenario_called

MEMORY = Limits().memory


@pytest.fixture(scope="module")
def forks() -> Iterator[ForkServer]:
    """Give a server of its own for these tests."""
    with closing(ForkServer()) as server:
        yield server


def begun(forks: ForkServer) -> tuple[int, socket.socket, int]:
    """Start a process; return it with the socket and the pipe that it lives by."""
    ours, theirs = socket.socketpair()
    life, held = os.pipe()
    process = forks.start(theirs.fileno(), life, MEMORY)
    theirs.close()
    os.close(life)
    return process, ours, held


def test_a_process_whose_line_is_closed_ends_by_itself_with_its_code(forks: ForkServer) -> None:
    process, line, held = begun(forks)
    assert runs(process)
    line.close()
    assert is_gone_soon(process)
    assert forks.end(process) == 1
    os.close(held)


def test_a_process_that_is_gone_from_its_line_is_given_time_to_end(forks: ForkServer) -> None:
    process, line, held = begun(forks)
    os.kill(process, signal.SIGSTOP)
    line.close()
    go_on = Timer(4 * LEAVE_S, os.kill, (process, signal.SIGCONT))
    go_on.start()
    assert forks.end(process, is_gone=True) == 1
    go_on.join()
    os.close(held)


def test_a_process_that_goes_on_is_killed(forks: ForkServer) -> None:
    process, line, held = begun(forks)
    assert forks.end(process) is None
    assert not runs(process)
    line.close()
    os.close(held)


def test_processes_of_a_server_that_is_gone_end_by_their_pipe(forks: ForkServer) -> None:
    process, line, held = begun(forks)
    forks.close()
    another, other_line, other_held = begun(forks)
    assert forks.end(process) is None
    assert runs(another)
    os.close(held)
    assert is_gone_soon(process)
    for end in (line, other_line):
        end.close()
    os.close(other_held)


def test_a_process_of_a_bot_has_nothing_of_the_bots_before_it(tmp_path: Path) -> None:
    bot = f"{strangers_in(tmp_path)}:Counting"
    ceres = limited(scenario_called("shadow-of-ceres"), 1)
    notes = [
        note.text
        for game in games(ceres.sides, 1, 2, 0, swap=True)
        for noted in played(
            ceres, game, (lambda seed: Isolated(bot, seed, Limits()),)
        ).notes.values()
        for note in noted
    ]
    assert notes == ["number 0"] * 4


@pytest.mark.parametrize("matches", [1, 2])
def test_a_bot_that_kills_the_fork_server_ends_no_match(matches: int, tmp_path: Path) -> None:
    bot = f"{strangers_in(tmp_path)}:Parricide"
    wanted = Contest(
        scenarios=(scenario_called("shadow-of-ceres"),),
        bots=(bot, "random"),
        matches=matches,
        turns=2,
    )
    findings = Findings(wanted)
    for result in contested(wanted, Conditions(limits=Limits()), 1):
        findings.take(result)
    assert [outcome.turn for outcome in findings.outcomes] == [2] * matches
    assert findings.tally.faults == ()
