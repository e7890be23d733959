"""Bots in processes of their own: they play the same, and what they do harms nobody but them."""

import os
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import pytest

from builders.commandlines import SOURCES
from builders.strangers import GONE_S, is_gone_soon, noted, runs, strangers_in
from sunglare_arena.contest import Conditions, Contest, contested
from sunglare_arena.entrants import ArenaError
from sunglare_arena.findings import Findings
from sunglare_arena.isolation import PROCESSES_MOST, Limits, load
from sunglare_arena.series import scenario_called


@pytest.fixture
def strangers(tmp_path: Path) -> str:
    """Return the path of a file with bots."""
    return strangers_in(tmp_path)


def found(conditions: Conditions, *bots: str, turns: int = 2) -> Findings:
    """Return what one match of these bots comes to."""
    ceres = scenario_called("shadow-of-ceres")
    wanted = Contest(scenarios=(ceres,), bots=bots, matches=1, turns=turns)
    findings = Findings(wanted)
    for result in contested(wanted, conditions, 1):
        findings.take(result)
    return findings


def played(
    *bots: str, turns: int = 2, answer_s: float = 60.0, think_s: float | None = None
) -> Findings:
    """Return what one match comes to in which each bot has a process of its own."""
    limits = Limits(answer_s=answer_s)
    return found(Conditions(limits=limits, think_s=think_s), *bots, turns=turns)


def test_bots_play_the_same_match_in_processes_of_their_own() -> None:
    bots = ("scout", "lurker")
    here, there = found(Conditions(), *bots, turns=3), played(*bots, turns=3)
    assert there.transcript == here.transcript
    assert there.tally == here.tally


@pytest.mark.parametrize(
    ("bot", "windows", "words"),
    [
        ("Hanging", ["1.engage"], "no answer in 2 s, so its process was ended"),
        ("Dying", ["1.engage"], "its process was ended by SIGSEGV"),
        ("Leaving", ["1.engage", "2.engage"], "its process ended with code 7"),
        ("Vanishing", ["1.engage", "2.engage"], "its process ended with code 0"),
        ("Greedy", ["1.engage", "2.engage"], "MemoryError"),
        ("Stillborn", ["start"], "RuntimeError: not <today>"),
    ],
)
def test_a_bot_that_fails_loses_its_window_and_the_match_goes_on(
    strangers: str, bot: str, windows: list[str], words: str
) -> None:
    answer_s = 2.0 if bot == "Hanging" else 60.0
    findings = played(f"{strangers}:{bot}", "random", answer_s=answer_s)
    faults = findings.tally.faults
    assert [fault.window for fault in faults] == windows
    assert all(words in fault.text for fault in faults)
    assert {fault.entrant for fault in faults} == {0}
    assert {fault.is_late for fault in faults} == {bot == "Hanging"}
    (outcome,) = findings.outcomes
    assert outcome.turn == 2
    assert outcome.used[1]["deploy"] == 2


def test_after_a_few_processes_a_seat_gives_no_orders_any_more(strangers: str) -> None:
    turns = PROCESSES_MOST + 2
    findings = played(f"{strangers}:Leaving", "random", turns=turns)
    windows = [fault.window for fault in findings.tally.faults]
    assert windows == [f"{turn}.engage" for turn in range(1, PROCESSES_MOST + 1)]
    assert findings.outcomes[0].turn == turns


def test_a_file_that_hangs_when_it_is_read_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sunglare_arena.isolation.START_S", 0.2)
    (tmp_path / "hanging.py").write_text("while True: pass")
    with pytest.raises(ArenaError, match=r"hanging.py' cannot be loaded: no answer in 0.2 s"):
        load(str(tmp_path / "hanging.py"), Limits())


def test_nonsense_on_the_line_ends_the_process_that_sends_it(strangers: str) -> None:
    findings = played(f"{strangers}:Babbling", "random", turns=1)
    assert findings.tally.faults
    assert {fault.entrant for fault in findings.tally.faults} == {0}
    assert "bytes at once" in findings.tally.faults[0].text


def test_what_comes_too_late_is_no_orders(strangers: str) -> None:
    findings = played(f"{strangers}:Slow", "random", think_s=0.1)
    faults = findings.tally.faults
    assert {fault.window for fault in faults} == {"1.engage", "2.engage"}
    assert all(fault.is_late for fault in faults)
    assert findings.tally.scores[0].late == len(faults)


class Ended(NamedTuple):
    """A match of a bot that starts a process against one that gives up, and the bots' folder."""

    findings: Findings
    folder: Path


@pytest.fixture(scope="module")
def ended(tmp_path_factory: pytest.TempPathFactory) -> Ended:
    folder = tmp_path_factory.mktemp("strangers")
    bots = strangers_in(folder)
    return Ended(played(f"{bots}:Parent", f"{bots}:Faint", turns=5), folder)


def test_an_isolated_bot_that_gives_up_loses_at_once(ended: Ended) -> None:
    (outcome,) = ended.findings.outcomes
    assert (outcome.winner, outcome.turn, outcome.faults) == (0, 1, ())


def test_what_a_bot_has_started_is_gone_after_its_match(ended: Ended) -> None:
    assert ended.findings.tally.faults == ()
    assert is_gone_soon(noted(ended.folder, "child"))


SEAT = """
import sys
from sunglare_arena.isolation import Isolated, Limits
from sunglare_client.bot import BotMatch
from sunglare_protocol.ids import MatchId, Side
from sunglare_server.ports.cards import class_cards, scenario_card
from sunglare_arena.livematch import options_of
from sunglare_arena.series import scenario_called

ceres = scenario_called("shadow-of-ceres")
card, classes = scenario_card(ceres, options_of(ceres)), class_cards(ceres, Side("A"))
mind = Isolated(sys.argv[1], 0, Limits())
mind.start(BotMatch(match=MatchId("a" * 26), side=Side("A"), card=card, classes=classes))
print("ready", flush=True)
sys.stdin.read()
"""


def test_a_process_of_a_bot_ends_with_whoever_started_it_however_that_ends(
    strangers: str, tmp_path: Path
) -> None:
    env = {**os.environ, "PYTHONPATH": SOURCES}
    pipe = subprocess.PIPE
    command = [sys.executable, "-c", SEAT, f"{strangers}:Hanging"]
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, env=env, text=True) as starter:
        assert starter.stdout is not None
        assert starter.stdout.readline() == "ready\n"
        bot = noted(tmp_path, "hanging A")
        assert runs(bot)
        starter.kill()
        starter.wait(GONE_S)
    assert is_gone_soon(bot)
