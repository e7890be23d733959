"""The command line of the arena: what it takes, what it says, and how it ends."""

import re
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from builders.badbots import bad_bots
from documents.doctables import BOTS, fenced
from sunglare_arena.__main__ import FAULTY, OK, UNFIT, main
from sunglare_client.__main__ import main as client
from sunglare_client.cli.arena_args import arena_fault, arena_parser
from sunglare_client.cli.streams import FAILED
from sunglare_protocol.extras import install_command


@pytest.fixture
def bad(tmp_path: Path) -> str:
    """Return the path of a file with bad bots."""
    return bad_bots(tmp_path)


def told(*arguments: str, capsys: pytest.CaptureFixture[str]) -> tuple[int, str, str]:
    """Return exit code, output and complaints of the command line."""
    try:
        code = main(arguments)
    except SystemExit as left:
        code = int(left.code or 0)
    shown = capsys.readouterr()
    return code, shown.out, shown.err


def speedless(report: str) -> str:
    return re.sub(r"^.*(matches/s|thinking:).*$", "", report, flags=re.MULTILINE)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("random", "--scenario", "nowhere"), "no scenario 'nowhere': it is one of blip-parade, "),
        (("nobody",), "no bot 'nobody': it is one of random, "),
        (("{bad}:Nobody",), "has no bot class 'Nobody'"),
        (("{bad}:NUMBER",), "has no bot class 'NUMBER'"),
        (("{bad}",), "has not just one bot: it has several: "),
        (("{none}",), "has not just one bot: a class that derives from Bot is one"),
        (("missing.py:Bot",), "there is no file 'missing.py'"),
        (("missing.py",), "there is no file 'missing.py'"),
        (("{broken}:Bot",), "cannot be loaded: SyntaxError"),
        (("{leaving}",), "cannot be loaded: SystemExit: 0"),
        (("{vanishing}",), "cannot be loaded: its process ended with code 0"),
        (("random", "--jobs", "0"), "'0': a number from 1 to 64"),
        (("random", "--games", "x"), "'x': a number from 1 to 100000"),
        (("random", "--turns", "201"), "'201': a number from 1 to 200"),
        (("random", "--think", "0"), "'0': a number of seconds, such as 0.25"),
        (("random", "--memory", "63"), "'63': a number from 64 to 1048576"),
        (("random", "--isolate"), "unrecognized arguments: --isolate"),
        (("random", "--sprt", "0.5", "0.6"), "--sprt compares two bots, and 1 are named"),
        (("random", "lurker", "--sprt", "0.5", "1"), "'1': a score between 0 and 1"),
        (("random", "lurker", "--sprt", "0.6", "0.5"), "--sprt 0.6 0.5: P0 must be below P1"),
        (("random", "--speed"), "unrecognized arguments: --speed"),
        ((), "no bot is named; --all takes all shipped ones"),
        (("random", "--data", "nowhere"), "nowhere"),
        (("random", "--html", "nowhere/report.html"), "no folder nowhere for report.html"),
    ],
    ids=lambda part: " ".join(part) if isinstance(part, tuple) else None,
)
def test_what_cannot_be_played_is_said_in_a_sentence(
    bad: str,
    tmp_path: Path,
    arguments: Sequence[str],
    words: str,
    capsys: pytest.CaptureFixture[str],
) -> None:
    broken = tmp_path / "broken.py"
    broken.write_text("def (")
    leaving = tmp_path / "leaving.py"
    leaving.write_text("raise SystemExit(0)")
    vanishing = tmp_path / "vanishing.py"
    vanishing.write_text("import os; os._exit(0)")
    none = tmp_path / "none.py"
    none.write_text("from sunglare_client import Bot")
    files = {"broken": broken, "leaving": leaving, "vanishing": vanishing, "none": none}
    filled = [argument.format(bad=bad, **files) for argument in arguments]
    code, shown, said = told(*filled, capsys=capsys)
    assert (code, shown) == (UNFIT, "")
    assert words in said
    assert "Traceback" not in said


def test_the_report_says_who_won_how_often_and_what_was_ordered(
    capsys: pytest.CaptureFixture[str],
) -> None:
    few = ("--games", "2", "--turns", "2", "--jobs", "1")
    line = ("scout", "random", *few)
    code, shown, said = told(*line, capsys=capsys)
    assert (code, said) == (OK, "")
    row = r"^scout: 2 matches: \d won, \d drawn, \d lost; wins [\d.]+ % "
    assert re.search(row, shown, re.MULTILINE)
    assert "(95 % interval" in shown
    assert shown.count("crashes 0, refused orders 0") == 2
    assert re.search(r"^  orders: deploy 4, .*scan \d", shown, re.MULTILINE)
    assert re.search(r"^  not used: .*\bland\b", shown, re.MULTILINE)
    assert re.search(r"^2 matches, [\d.]+ % decided before the turn limit, ", shown, re.MULTILINE)
    assert re.search(r"^[\d.]+ matches/s, \d+ windows/s, ", shown, re.MULTILINE)
    assert speedless(told(*line, capsys=capsys)[1]) == speedless(shown)


@pytest.mark.parametrize(
    ("bot", "words"),
    [
        ("Clumsy", "match 0, 1.engage: crashed: ValueError"),
        ("Greedy", "1.plot: 2 refused: $.ord"),
        ("Quitting", "match 0, 1.plot: crashed: SystemExit: 0 ("),
    ],
)
def test_a_crash_or_a_refused_order_fails_the_command(
    bad: str, bot: str, words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    line = (f"{bad}:{bot}", "random", "--games", "4", "--turns", "2")
    code, shown, _ = told(*line, "--jobs", "1", capsys=capsys)
    assert code == FAULTY
    assert words in shown
    assert "more faults" in shown


def test_every_arena_command_of_the_pages_can_be_given() -> None:
    lines = [line for block in fenced(BOTS, "sh") for line in block.splitlines()]
    commands = [line.split()[2:] for line in lines if "sunglare arena" in line]
    assert len(commands) >= 3
    for words in commands:
        assert arena_fault(arena_parser().parse_args(words)) == ""


def test_an_install_without_the_server_is_refused_in_one_sentence(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "structlog", None)
    assert client(["arena", "random", "lurker"]) == FAILED
    sentence = f"The arena needs the server: {install_command('server', 'arena')}"
    assert capsys.readouterr().err == f"sunglare: {sentence}\n"
