"""`sunglare bot new` and `bot moment`: what is written runs, and what can't be is told."""

import contextlib
import io
import os
import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import msgspec
import pytest

from builders.commandlines import SOURCES
from builders.moments import NAME, moment, samples
from page.files import match_file
from sunglare_client.__main__ import main
from sunglare_client.advice import Advice
from sunglare_client.authoring.moment import (
    MomentError,
    packed_moment,
    read_moment,
    sample_moments,
)
from sunglare_client.authoring.writing import AuthoringError, bot_named, new_bot
from sunglare_client.bot import is_asked
from sunglare_client.bots import BOTS
from sunglare_client.export.cutting import layer_alone
from sunglare_protocol.codec import Form, decode_server, encode_server
from sunglare_protocol.ids import Side
from sunglare_protocol.words.ladder import Phase

PATIENCE_S = 120


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Work in a folder of its own, in which a match lies."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "match.sgr").write_bytes(match_file(NAME))
    return tmp_path


def ran(*command: str) -> subprocess.CompletedProcess[str]:
    """Return what a program of Python's said, of a folder without a configuration of ours."""
    return subprocess.run(
        (sys.executable, "-m", *command),
        env={**os.environ, "PYTHONPATH": SOURCES, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"},
        capture_output=True,
        text=True,
        timeout=PATIENCE_S,
        check=False,
    )


@dataclass(frozen=True)
class Written:
    """A folder in which bots and tests were written as they are in the tests below.

    One run of pytest and of the linter looks at all of it: `passed` and `failed` are the tests by
    name, as `file::function`, and `words` is what pytest said.
    """

    folder: Path
    outputs: dict[str, str]
    passed: frozenset[str]
    failed: frozenset[str]
    words: str
    is_tidy: bool

    def count(self, file: str) -> int:
        """Return how many tests of a file have passed; none of it may have failed."""
        assert not [test for test in self.failed if test.startswith(f"{file}::")], self.words
        return sum(test.startswith(f"{file}::") for test in self.passed)


CLASHING: Final = ("bot", "view", "a", "x_1", "true")
"""Names of bots that mean something in the files that are written, or nearly do."""

GREEDY: Final = (
    "from sunglare_client import Bot\nfrom sunglare_protocol.orders import Thrust\n\n\n"
    "class Greedy(Bot):\n    def on_window(self, view, advice):\n"
    "        return [Thrust(ship=s.id, to=(s.facing,) * 9) for s in advice.ships()]\n"
)
"""A bot whose orders are illegal."""

MOMENT: Final = ("bot", "moment", "match.sgr", "--turn", "3", "--side", "A")

COMMANDS: Final = {
    "new": ("bot", "new", "night_owl"),
    "moment": MOMENT,
    "past": (
        *("bot", "moment", "match.sgr", "--turn", "2", "--side", "b", "--phase", "scan"),
        *("--bot", "night_owl.py:NightOwl", "--past", "--out", "test_there.py"),
    ),
    "greedy": (*MOMENT, "--bot", "greedy.py:Greedy", "--out", "test_greedy.py"),
}


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Written:
    """Give a folder with all that is written in these tests, and what its tests come to."""
    folder = tmp_path_factory.mktemp("authoring")
    (folder / "match.sgr").write_bytes(match_file(NAME))
    (folder / "greedy.py").write_text(GREEDY)
    for name in CLASHING:
        new_bot(name, folder)
    outputs = {}
    with contextlib.chdir(folder):
        for kind, words in COMMANDS.items():
            with contextlib.redirect_stdout(io.StringIO()) as out:
                assert main(words) == 0
            outputs[kind] = out.getvalue()
        tested = ran("pytest", "-q", "-rA", "--tb=short", "-p", "no:cacheprovider")
        is_clean = is_tidy()
    results = re.findall(r"^(PASSED|FAILED|ERROR) (\S+)", tested.stdout, re.MULTILINE)
    passed = frozenset(test for word, test in results if word == "PASSED")
    failed = frozenset(test for word, test in results if word != "PASSED")
    return Written(folder, outputs, passed, failed, tested.stdout + tested.stderr, is_clean)


def is_tidy() -> bool:
    """Return whether a linter has nothing to say of the folder, nor its formatter."""
    rules = ("--isolated", "--no-cache")
    linted = ran("ruff", "check", *rules, "--extend-select", "I,UP,B,N", ".")
    formatted = ran("ruff", "format", "--check", *rules, ".")
    return (linted.returncode, formatted.returncode) == (0, 0)


def test_all_that_is_written_is_tidy(written: Written) -> None:
    assert written.is_tidy


def test_every_test_that_is_written_passes_but_that_of_illegal_orders(written: Written) -> None:
    files = {path.name for path in written.folder.glob("test_*.py")}
    assert {test.partition("::")[0] for test in written.passed} == files - {"test_greedy.py"}
    assert {test.partition("::")[0] for test in written.failed} == {"test_greedy.py"}


def said(*words: str, capsys: pytest.CaptureFixture[str]) -> tuple[int, str, str]:
    """Return exit code, output and complaints of the client."""
    try:
        code = main(words)
    except SystemExit as left:
        code = int(left.code or 0)
    shown = capsys.readouterr()
    return code, shown.out, shown.err


# --- a new bot


def test_a_new_bot_and_its_test_run_as_they_are_written(written: Written) -> None:
    assert written.outputs["new"] == (
        "night_owl.py and test_night_owl.py written; next: python -m pytest test_night_owl.py\n"
    )
    assert written.count("test_night_owl.py") == 2


def test_a_new_bot_plays_by_its_own_name() -> None:
    new_bot("night_owl", Path())
    done = ran("night_owl", "--match", "m" * 26, "--url", "ws://127.0.0.1:9")
    assert done.returncode == 1
    assert done.stderr.startswith("night-owl: No server answers at")


def test_no_name_that_is_let_through_clashes_with_what_the_file_says(written: Written) -> None:
    for name in CLASHING:
        assert written.count(f"test_{name}.py") == 2, name


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("NightOwl", "no name for a bot"),
        ("night-owl", "such as night_owl"),
        ("../owl", "no name for a bot"),
        ("", "no name for a bot"),
        ("o" * 41, "40 at most"),
        ("éclair", "no name for a bot"),
        ("class", "something else already"),
        ("random", "something else already"),
        ("scout", "something else already"),
        ("pytest", "something else already"),
        ("sunglare_client", "something else already"),
        ("test_owl", "something else already"),
    ],
)
def test_a_bad_name_is_told_in_one_sentence_and_nothing_is_written(
    name: str, words: str, home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, out, err = said("bot", "new", name, capsys=capsys)
    assert (code, out) == (1, "")
    assert words in err
    assert err.count("\n") == 1
    assert [path.name for path in home.iterdir()] == ["match.sgr"]


@pytest.mark.parametrize("there", ["night_owl.py", "test_night_owl.py"])
def test_nothing_is_written_over_and_not_half_of_it(there: str, home: Path) -> None:
    (home / there).write_text("mine")
    with pytest.raises(AuthoringError, match=f"{there} is there already"):
        new_bot("night_owl", Path())
    assert (home / there).read_text() == "mine"
    assert {path.name for path in home.iterdir()} == {"match.sgr", there}


# --- a moment of a replay


def test_a_moment_becomes_a_test_that_runs(written: Written) -> None:
    assert written.outputs["moment"].endswith("next: python -m pytest test_turn_3_plot_a.py\n")
    assert read_moment(written.folder / "test_turn_3_plot_a.json") == moment(3, Phase.PLOT)
    assert written.count("test_turn_3_plot_a.py") == 1


def test_a_moment_may_be_of_a_bot_beside_it_and_with_its_past(written: Written) -> None:
    kept = read_moment(written.folder / "test_there.json")
    assert kept == moment(2, Phase.SCAN, past=True, side=Side("B"))
    assert [frame.seq for frame in kept.frames] == list(range(1, len(kept.frames) + 1))
    assert written.count("test_there.py") == 1


def test_a_moment_whose_bot_orders_what_is_illegal_fails(written: Written) -> None:
    assert [test.partition("::")[0] for test in written.failed] == ["test_greedy.py"]
    assert "orders[0]" in written.words


@pytest.mark.parametrize(
    ("changes", "code", "words"),
    [
        ({"--turn": "99"}, 2, "It has no such turn, only 1 to"),
        ({"--turn": "five"}, 2, "'five' is no turn such as 5"),
        ({"--side": "C"}, 2, "of a side 'C'; its sides are: A, B."),
        ({"--side": "omni"}, 2, "of a side 'OMNI'; its sides are: A, B."),
        ({"--phase": "over"}, 2, "invalid choice: 'over'"),
        ({"--bot": "nobody"}, 1, "There is no bot 'nobody': it is one of random, "),
        ({"--bot": "none.py:None"}, 1, "There is no file 'none.py'."),
        ({"--bot": "none.py:1"}, 1, "or file.py:Class."),
        ({"--out": "moment.py"}, 1, "'moment.py' is no name of a test, such as test_moment.py"),
    ],
    ids=str,
)
def test_a_moment_that_is_not_there_is_told_with_what_is(
    changes: dict[str, str],
    code: int,
    words: str,
    home: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    asked = {"--turn": "3", "--side": "A", **changes}
    flags = [word for pair in asked.items() for word in pair]
    done = said("bot", "moment", "match.sgr", *flags, capsys=capsys)
    assert done[0] == code
    assert words in done[2]
    assert [path.name for path in home.iterdir()] == ["match.sgr"]


def _frames_alone(data: bytes) -> bytes:
    return layer_alone(data, "A")


def _cut(data: bytes) -> bytes:
    return data[:-40]


def _foreign(data: bytes) -> bytes:
    return data[:0] + b"not a match"


def _changed(data: bytes) -> bytes:
    place = data.index(b"shadow-of-ceres", 200)
    return data[:place] + b"S" + data[place + 1 :]


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (_frames_alone, "what one side was sent before the end"),
        (_cut, "This file was cut: its end is missing."),
        (_foreign, "This is no record of a match."),
        (_changed, "it is not the record that was stored"),
    ],
    ids=["frames alone", "cut", "foreign", "changed"],
)
def test_a_file_without_a_whole_record_is_told_as_that(
    change: object, words: str, home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert callable(change)
    (home / "match.sgr").write_bytes(change(match_file(NAME)))
    code, _, err = said("bot", "moment", "match.sgr", "--turn", "2", "--side", "A", capsys=capsys)
    assert code in (1, 2)
    assert words in err
    assert err.count("\n") == 1


def test_a_bot_elsewhere_is_told_that_it_must_stand_beside_the_test(home: Path) -> None:
    (home / "elsewhere").mkdir()
    (home / "elsewhere" / "owl.py").write_text("")
    with pytest.raises(AuthoringError, match="both must stand in one folder"):
        bot_named("elsewhere/owl.py:Owl", home)


# --- moments themselves


def test_nothing_of_what_others_were_sent_is_in_a_moment() -> None:
    kept = packed_moment(moment(3, Phase.ENGAGE, past=True))
    foreign = moment(3, Phase.ENGAGE, side=Side("B")).view.own
    for frame in moment(3, Phase.ENGAGE, past=True).frames:
        assert getattr(frame.view, "audience", "") == "A"
    assert not any(ship.name.encode() in kept for ship in foreign)


@pytest.mark.parametrize("bot", BOTS)
def test_every_shipped_bot_orders_something_legal_at_the_sample_moments(bot: str) -> None:
    for sample in sample_moments():
        assert sample.problem(sample.orders(BOTS[bot](seed=1))) is None


def test_the_sample_moments_are_those_of_a_match_as_it_is_played_today() -> None:
    assert sample_moments() == samples()


def test_the_sample_moments_have_every_window_and_something_to_fire_at() -> None:
    phases = [sample.view.stage.phase for sample in sample_moments()]
    assert phases == [Phase.PLOT, Phase.PLOT, Phase.SCAN, Phase.DETECT, Phase.ENGAGE]
    assert any(Advice(sample_moments()[-1].view).shots())
    assert all(is_asked(sample.view, sample.side) for sample in sample_moments())


def test_a_moment_is_the_frame_that_was_sent(tmp_path: Path) -> None:
    path, kept = tmp_path / "m.json", moment(3, Phase.ENGAGE)
    path.write_bytes(packed_moment(kept))
    read = read_moment(path)
    for frame, was in zip(read.frames, kept.frames, strict=True):
        data = encode_server(was, Form.PACKED)
        assert encode_server(frame, Form.PACKED) == data
        assert decode_server(data, Form.PACKED) == frame
    assert read.notices == kept.notices
    assert read.told == kept.told


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"[]",
        b"[" * 5_000,
        b'{"format": "sunglare-moment", "version": 2}',
        b'{"format": "another"}',
        b"\xff\xfe",
    ],
    ids=["empty", "a list", "deep", "later", "another", "no text"],
)
def test_what_is_no_moment_is_told_in_one_sentence(data: bytes, tmp_path: Path) -> None:
    path = tmp_path / "m.json"
    path.write_bytes(data)
    with pytest.raises(MomentError, match=r"m\.json holds no moment of a match: "):
        read_moment(path)


def test_a_window_that_asks_the_side_nothing_is_no_moment(tmp_path: Path) -> None:
    path, kept = tmp_path / "m.json", moment(3, Phase.SCAN)
    path.write_bytes(packed_moment(msgspec.structs.replace(kept, side=Side("B"))))
    with pytest.raises(MomentError, match="asks B nothing"):
        read_moment(path)


def test_a_moment_without_a_frame_is_none(tmp_path: Path) -> None:
    path, kept = tmp_path / "m.json", moment(3, Phase.SCAN)
    path.write_bytes(packed_moment(msgspec.structs.replace(kept, frames=())))
    with pytest.raises(MomentError, match="length >= 1"):
        read_moment(path)
