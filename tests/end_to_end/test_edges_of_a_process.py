"""The edges of the client's process: signals, job control, streams, folders and addresses."""

import contextlib
import os
import re
import signal
from collections.abc import Iterator
from pathlib import Path

from builders.ptys import ALTERNATE_SCREEN, WAIT_S, Pty, sunglare_on_pty
from builders.servers import server_process
from page.files import match_file

MATCH = re.compile(rb"match (\w{26})")


@contextlib.contextmanager
def every_full_screen(folder: Path) -> Iterator[dict[str, Pty]]:
    """Show everything that has a full screen, by its command."""
    file = folder / "match.sgr"
    file.write_bytes(match_file("shadow-of-ceres"))
    shown: dict[str, Pty] = {}
    with contextlib.ExitStack() as stack:
        server = stack.enter_context(server_process(folder))

        def run(*words: str) -> Pty:
            return stack.enter_context(sunglare_on_pty(folder / str(len(shown)), *words))

        url = ("--url", server.url)
        shown["play"] = run("play", *url, "--new", "shadow-of-ceres")
        shown["lobby"] = run("lobby", *url)
        shown["learn"] = run("learn")
        shown["replay"] = run("replay", str(file))
        shown["play"].wait_for(b"match ")
        found = MATCH.search(shown["play"].drawn)
        assert found is not None
        shown["watch"] = run("watch", *url, found[1].decode())
        shown["play in lines"] = run("play", *url, "--new", "shadow-of-ceres", "--lines")
        for name, mark in MARKS.items():
            shown[name].wait_for(mark)
        yield shown


MARKS = {
    "play": b"Shadow of Ceres",
    "lobby": b"LOBBY",
    "learn": b"Lesson",
    "play in lines": b"\x1b[?2004h",
    "replay": b"REPLAY",
    "watch": b"Shadow of Ceres",
}
"""What stands on each full screen; the line editor has bracketed paste switched on."""


def test_a_signal_that_ends_a_full_screen_leaves_the_terminal_as_it_was(tmp_path: Path) -> None:
    with every_full_screen(tmp_path) as shown:
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
        shown.wait_for(b"Ctrl-D leave", before)
        shown.type(b"?!")
        shown.wait_for(b"?!", before)
        shown.process.send_signal(signal.SIGTERM)
        assert shown.wait_for_end() == 143
        assert shown.modes_left_on() == set()
        assert shown.is_cooked()


def test_a_full_screen_ends_with_a_terminal_that_goes_away(tmp_path: Path) -> None:
    with sunglare_on_pty(tmp_path, "learn", has_session=True) as shown:
        shown.wait_for(b"Ctrl-D leave")
        shown.hang_up()
        assert shown.process.wait(WAIT_S) == 129
