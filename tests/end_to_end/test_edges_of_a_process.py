"""The edges of the client's process: signals, job control, folders and addresses."""

import asyncio
import contextlib
import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

from builders.operators import typed as operator_typed
from builders.players import created
from builders.ptys import ALTERNATE_SCREEN, WAIT_S, Pty, sunglare_on_pty
from builders.servers import server_process
from builders.venues import Venue
from end_to_end.test_standard_streams import begun, said_by
from page.files import match_file
from sunglare_client.__main__ import LOST
from sunglare_protocol.lessons.lesson import positions

MATCH = re.compile(rb"match (\w{26})")


SCREENS = {
    "play": (("play", "--new", "shadow-of-ceres"), b"Shadow of Ceres"),
    "lobby": (("lobby",), b"LOBBY"),
    "learn": (("learn",), b"Lesson"),
    "replay": (("replay", "../match.sgr"), b"REPLAY"),
    "watch": (("watch",), b"Shadow of Ceres"),
    "play in lines": (("play", "--new", "shadow-of-ceres", "--lines"), b"\x1b[?2004h"),
}
"""Everything that has a full screen or a line editor: its words, and what it draws.

The line editor has bracketed paste switched on.
"""


@contextlib.contextmanager
def screens(folder: Path, names: Iterable[str]) -> Iterator[dict[str, Pty]]:
    """Show some of `SCREENS`, with `play` before `watch`, which follows its match."""
    (folder / "match.sgr").write_bytes(match_file("shadow-of-ceres"))
    shown: dict[str, Pty] = {}
    with contextlib.ExitStack() as stack:
        server = stack.enter_context(server_process(folder))
        for name in names:
            words, _ = SCREENS[name]
            if name == "watch":
                found = MATCH.search(shown["play"].drawn)
                assert found is not None
                words = (*words, found[1].decode())
            if name not in ("learn", "replay"):
                words = (*words, "--url", server.url)
            one = sunglare_on_pty(folder / str(len(shown)), *words)
            shown[name] = stack.enter_context(one)
            if name == "play":
                shown[name].wait_for(b"match ")
        for name, one_shown in shown.items():
            one_shown.wait_for(SCREENS[name][1])
        yield shown


@pytest.mark.parametrize("names", [("play",), SCREENS], ids=["one", "all"])
def test_a_signal_that_ends_a_full_screen_leaves_the_terminal_as_it_was(
    names: Iterable[str], tmp_path: Path
) -> None:
    with screens(tmp_path, names) as shown:
        for one in shown.values():
            one.process.send_signal(signal.SIGTERM)
        for name, one in shown.items():
            assert one.wait_for_end() == 143, (name, one.drawn[-500:])
            assert one.modes_left_on() == set(), name
            assert one.is_cooked(), name
            assert b"Traceback" not in one.drawn, name
        assert b"come back with: sunglare play --url" in shown["play"].drawn


def test_a_full_screen_bears_bytes_that_are_no_letters_and_a_stop_by_its_shell(
    tmp_path: Path,
) -> None:
    with sunglare_on_pty(tmp_path, "learn") as shown:
        shown.wait_for(b"Ctrl-D leave")
        shown.type(b"caf\xe9 au lait")
        shown.wait_for(b"au lait")
        shown.type(b"\x1a")
        shown.wait_for_stop()
        assert shown.modes_left_on() == set()
        assert shown.is_cooked()
        before = len(shown.drawn)
        os.killpg(shown.process.pid, signal.SIGCONT)
        shown.wait_for(b"Ctrl-D leave", before)
        shown.type(b"?!")
        shown.wait_for(b"?!", before)
        assert ALTERNATE_SCREEN in shown.modes_left_on()
        assert not shown.is_cooked()
        shown.process.send_signal(signal.SIGHUP)
        assert shown.wait_for_end() == 129
        assert shown.modes_left_on() == set()
        assert shown.is_cooked()


def test_a_full_screen_that_was_stopped_unasked_takes_the_terminal_once_more(
    tmp_path: Path,
) -> None:
    with sunglare_on_pty(tmp_path, "learn") as shown:
        shown.wait_for(b"Ctrl-D leave")
        shown.process.send_signal(signal.SIGSTOP)
        shown.wait_for_stop()
        before = len(shown.drawn)
        shown.process.send_signal(signal.SIGCONT)
        # What it was about to draw when it was stopped may come before it takes the terminal.
        shown.wait_for(b"\x1b[?1049h", before)
        shown.wait_for(b"Ctrl-D leave", shown.drawn.index(b"\x1b[?1049h", before))
        shown.type(b"?!")
        shown.wait_for(b"?!", before)
        # It may be continued at any moment.
        for _ in range(20):
            shown.process.send_signal(signal.SIGCONT)
            shown.type(b"a")
        shown.process.send_signal(signal.SIGTERM)
        assert shown.wait_for_end() == 143
        assert shown.modes_left_on() == set()
        assert shown.is_cooked()


def test_an_interrupt_asks_before_a_match_is_left_whenever_it_comes(tmp_path: Path) -> None:
    with sunglare_on_pty(tmp_path, "play", "--local", "--lines") as shown:
        shown.wait_for(b"your orders, please")
        shown.type(b"goals\r")
        shown.process.send_signal(signal.SIGINT)
        shown.wait_for(b"Leave the match?")
        shown.type(b"n\r")
        shown.wait_for(b"> n")
        before = len(shown.drawn)
        shown.process.send_signal(signal.SIGINT)
        shown.wait_for(b"Leave the match?", before)
        shown.process.send_signal(signal.SIGINT)
        shown.wait_for(b"You have left the terminal", before)
        assert shown.wait_for_end() == 0
        assert shown.is_cooked()


def test_a_full_screen_ends_with_a_terminal_that_goes_away(tmp_path: Path) -> None:
    with sunglare_on_pty(tmp_path, "learn", has_session=True) as shown:
        shown.wait_for(b"Ctrl-D leave")
        shown.hang_up()
        assert shown.process.wait(WAIT_S) == 129


NOWHERE = "/dev/null/sunglare"
"""A home that cannot be written."""


def done(
    folder: Path, *words: str, typed: str = "", home: str = NOWHERE
) -> "subprocess.CompletedProcess[str]":
    """Run the client to its end."""
    return subprocess.run(
        [sys.executable, "-m", "sunglare_client", *words],
        cwd=folder,
        env={**os.environ, "SUNGLARE_HOME": home},
        input=typed,
        capture_output=True,
        text=True,
        timeout=WAIT_S,
        check=False,
    )


def test_a_guest_learns_and_plays_where_no_home_can_be_written(tmp_path: Path) -> None:
    solution = f"{positions()[0].lesson.accepted[0]}\n\n"
    learned = done(tmp_path, "learn", "1", "--plain", typed=solution)
    assert learned.returncode == 0, learned
    assert f"What you solve is not kept: {NOWHERE} cannot be written" in learned.stdout
    with server_process(tmp_path) as server:
        url = ("--url", server.url)
        open_one = ("play", *url, "--new", "shadow-of-ceres", "--plain")
        with begun(tmp_path, "open errors", open_one, home=NOWHERE) as playing:
            assert playing.stdout is not None
            assert any(b"others join with" in line for line in playing.stdout)
            playing.terminate()
            assert b"your token could not be kept" in playing.stdout.read()
            err = said_by(playing)
        assert err.startswith(f"sunglare: {NOWHERE} cannot be written".encode())
        assert err.count(b"\n") == 1
        refused = done(tmp_path, *open_one, "--name", "Ada")
        assert (refused.returncode, refused.stdout) == (1, "")
        assert refused.stderr.startswith("sunglare: a name needs its token to be kept")
        # The name is not lost with a token that could not be kept.
        listed = done(tmp_path, "matches", *url, "--name", "Ada", home=str(tmp_path / "home"))
        assert listed.returncode == 0, listed


MISSING = (
    ("record", "abc", "--out", "no/match.sgr"),
    ("export", "match.sgr", "--as", "svg", "--out", "no/match.svg"),
    ("account", "export", "no/anna.token"),
    ("bot", "moment", "match.sgr", "--turn", "1", "--side", "A", "--out", "no/moment"),
    ("arena", "random", "random", "--json", "no/lines.json"),
    ("arena", "random", "random", "--html", "no/report.html"),
)
"""Commands that are to write a file into a folder that is not there."""


def test_a_folder_that_is_missing_is_named_before_anything_is_done(tmp_path: Path) -> None:
    (tmp_path / "match.sgr").write_bytes(match_file("shadow-of-ceres"))
    for words in MISSING:
        ended = done(tmp_path, *words)
        assert ended.returncode in (1, 2), words
        assert "there is no folder no for " in ended.stderr, (words, ended.stderr)
        assert ended.stderr.count("\n") == 1, words


def test_a_dash_is_standard_output_and_what_follows_two_of_them_a_name(tmp_path: Path) -> None:
    data = match_file("shadow-of-ceres")
    (tmp_path / "-x.sgr").write_bytes(data)
    exported = done(tmp_path, "export", "--as", "svg", "--out", "-", "--", "-x.sgr")
    assert exported.returncode == 0, exported
    assert exported.stdout.startswith("<svg ")
    assert exported.stdout.endswith("</svg>\n") or exported.stdout.endswith("</svg>")
    assert exported.stderr == ""
    assert [path.name for path in tmp_path.iterdir()] == ["-x.sgr"]
    verified = done(tmp_path, "verify", "--", "-x.sgr")
    assert "unrecognized" not in verified.stderr
    assert "usage" not in verified.stderr
    explained = done(tmp_path, "why", "--side", "A", "--", "-x.sgr", "-S1")
    assert explained.returncode == 2
    assert "-S1" in explained.stderr
    assert "usage" not in explained.stderr


async def test_the_full_screen_says_why_it_ended_on_the_screen_that_stays(
    venue: Venue, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (anna,) = await venue.named("Anna")
    match = await created(anna)
    words = ("play", "--url", venue.app.url, "--match", match)
    with sunglare_on_pty(tmp_path, *words, "--name", "Boris") as first:
        await asyncio.to_thread(first.wait_for, b"Ctrl-D leave")
        with sunglare_on_pty(tmp_path, *words) as second:
            assert await asyncio.to_thread(first.wait_for_end) == LOST
            stays = first.left_behind()
            assert "Another connection has taken this seat." in stays
            assert "come back with" not in stays
            await asyncio.to_thread(second.wait_for, b"Ctrl-D leave")
            await operator_typed(capsys, venue.app, "ban", "boris", "--reason", "spam")
            assert await asyncio.to_thread(second.wait_for_end) == LOST
            assert "The reason: spam" in second.left_behind()
            assert "come back with" not in second.left_behind()


PLANT = """\
import pathlib, sys
with pathlib.Path(__file__).with_name("imported").open("a") as file:
    file.write(f"{sys.argv}\\n")
"""


def test_what_lies_in_the_current_folder_is_not_imported(tmp_path: Path) -> None:
    (tmp_path / "match.sgr").write_bytes(match_file("shadow-of-ceres"))
    for name in ("html", "msgspec", "structlog"):
        (tmp_path / f"{name}.py").write_text(PLANT)
    program = Path(sys.executable).with_name("sunglare")
    for words, until in (
        (("play", "--local"), b"you are side"),
        (("verify", "match.sgr"), b"frames"),
        (("why", "match.sgr", "--side", "A"), b"turn"),
    ):
        with subprocess.Popen(
            [program, *words],
            cwd=tmp_path,
            env={**os.environ, "SUNGLARE_HOME": "home"},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        ) as process:
            assert process.stdout is not None
            assert any(until in line for line in process.stdout), words
            process.terminate()
            said_by(process)
        assert not (tmp_path / "imported").exists(), (tmp_path / "imported").read_text()


def test_the_lobby_on_the_full_screen_ends_with_its_server_and_says_so(tmp_path: Path) -> None:
    with (
        server_process(tmp_path) as server,
        sunglare_on_pty(tmp_path, "lobby", "--url", server.url) as shown,
    ):
        shown.wait_for(b"LOBBY")
        server.kill()
        assert shown.wait_for_end() == LOST
        assert "sunglare: The connection is lost" in shown.left_behind()
