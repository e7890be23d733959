"""A program that the fork server starts cannot be told from one that was started from nothing."""

import os
import signal
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from builders.commandlines import SOURCES
from builders.forkserver import FORKABLE, SWITCH, request_of
from builders.players import created, seated
from builders.processes import heed_interrupts
from builders.servers import server_process
from builders.wires import met
from sunglare_protocol.messages import AddBot

CLIENT = (sys.executable, "-m", "sunglare_client")

FROM_NOTHING = {"PYTHONHASHSEED": "1"}
"""A setting that the fork server's processes cannot take."""

IS_FORKED = pytest.mark.skipif(
    os.environ.get(SWITCH) == "0" or sys.platform != "linux", reason="nothing is forked here"
)


def ran(*words: str, folder: Path, **more: str) -> tuple[int, str, str]:
    environment = {**os.environ, "PYTHONPATH": SOURCES, "SUNGLARE_HOME": str(folder), **more}
    done = subprocess.run(
        [*CLIENT, *words],
        env=environment,
        cwd=folder,
        capture_output=True,
        text=True,
        input="",
        timeout=60,
        check=False,
    )
    return done.returncode, done.stdout, done.stderr


@pytest.mark.parametrize(
    "words",
    [("--help",), ("nonsense",), ("verify", "missing"), ("replay", "missing"), ("play", "--help")],
    ids=" ".join,
)
def test_a_forked_process_says_and_returns_what_one_from_nothing_does(
    tmp_path: Path, words: tuple[str, ...]
) -> None:
    assert ran(*words, folder=tmp_path) == ran(*words, folder=tmp_path, **FROM_NOTHING)


SELF = """
import sys
print(__name__, sys.argv, [sys.path[0]], __name__ in sys.modules, "told" in globals())
sys.exit(3)
"""


@pytest.mark.parametrize("is_file", [False, True], ids=["code", "file"])
def test_a_forked_program_says_and_returns_what_one_from_nothing_does(
    is_file: bool, tmp_path: Path
) -> None:
    file = tmp_path / "told.py"
    file.write_text(FORKABLE + SELF)
    program = [str(file)] if is_file else ["-c", FORKABLE + SELF]

    def told(environment: dict[str, str]) -> tuple[int, str]:
        words = [sys.executable, *program, "a", "b"]
        done = subprocess.run(words, env=environment, capture_output=True, text=True, check=False)
        return done.returncode, done.stdout + done.stderr

    environment = {**os.environ, "PYTHONPATH": SOURCES}
    assert told(environment) == told({**environment, **FROM_NOTHING})
    assert told(environment)[0] == 3


@IS_FORKED
def test_a_forked_process_is_a_child_that_is_killed_and_waited_for(tmp_path: Path) -> None:
    with server_process(tmp_path) as server:
        told = Path(f"/proc/{server.pid}/cmdline").read_bytes().decode()
        assert "forkserver_main" in told
        parent = Path(f"/proc/{server.pid}/stat").read_text().rpartition(")")[2].split()[1]
        assert int(parent) == os.getpid()
        assert os.getpgid(server.pid) == server.pid
        server.halt()
        server.go_on()
        server.kill()
        assert not server.is_running


@IS_FORKED
def test_a_forked_process_has_the_folder_and_the_descriptors_it_was_given_and_no_more(
    tmp_path: Path,
) -> None:
    held = os.open(tmp_path, os.O_RDONLY)
    try:
        with server_process(tmp_path) as server:
            place = Path(f"/proc/{server.pid}")
            files = {os.readlink(link) for link in (place / "fd").iterdir()}
            assert (place / "cwd").resolve() == Path.cwd()
            assert str(tmp_path) not in files
    finally:
        os.close(held)


def commands_of_children(process: int) -> list[bytes]:
    """Return the command lines of what a process has started and not ended."""
    tasks = Path(f"/proc/{process}/task").iterdir()
    children = " ".join((task / "children").read_text() for task in tasks).split()
    return [Path(f"/proc/{child}/cmdline").read_bytes() for child in children]


@IS_FORKED
async def test_what_a_forked_process_starts_is_forked_too_and_its_child(tmp_path: Path) -> None:
    with server_process(tmp_path) as server:
        async with met(server.url) as anna:
            match = (await seated(anna, await created(anna))).match
            await anna.accepted(AddBot, match=match, name="random")
            told = commands_of_children(server.pid)
    # The bot, and the fork server that it is from.
    assert [b"forkserver_main" in line for line in told] == [True, True]


@IS_FORKED
def test_a_forked_process_that_is_interrupted_says_so_by_its_code(
    tmp_path: Path,
) -> None:
    with subprocess.Popen(
        [*CLIENT, "play", "--local"],
        env={**os.environ, "PYTHONPATH": SOURCES, "SUNGLARE_HOME": str(tmp_path)},
        cwd=tmp_path,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
    ) as playing:
        assert playing.stdout is not None
        assert playing.stdout.readline()
        assert os.getsid(playing.pid) == playing.pid
        playing.send_signal(signal.SIGINT)
        # Its input stays open: the end of that would be another reason to leave.
        assert playing.wait(60) == 130


def test_a_program_is_interrupted_by_tests_that_run_in_the_background() -> None:
    heeded = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        heed_interrupts()
        with subprocess.Popen(["/bin/cat"], stdin=subprocess.PIPE) as reading:
            reading.send_signal(signal.SIGINT)
    finally:
        signal.signal(signal.SIGINT, heeded)
    assert reading.returncode == -signal.SIGINT


PLAIN: dict[str, Any] = {
    "args": list(CLIENT),
    "executable": None,
    "shell": False,
    "env": {"HOME": "/"},
    "cwd": None,
    "preexec_fn": None,
    "pass_fds": (),
    "umask": -1,
    "gid": None,
    "gids": None,
    "uid": None,
    "start_new_session": False,
    "process_group": -1,
}


def test_a_module_of_ours_in_our_interpreter_is_forked() -> None:
    assert request_of({**PLAIN, "args": [*CLIENT, "play"]}, {}) == {
        "module": "sunglare_client",
        "words": ["play"],
        "safe_path": False,
        "environment": {"HOME": "/"},
        "folder": str(Path.cwd()),
        "session": False,
        "group": -1,
    }


def test_a_program_is_forked_only_if_its_first_line_allows_it() -> None:
    code = f"{FORKABLE}pass"
    found = request_of({**PLAIN, "args": [sys.executable, "-c", code, "word"]}, {})
    assert found is not None
    assert (found["code"], found["words"]) == (code, ["word"])
    assert "module" not in found


def test_a_program_in_a_file_is_forked_only_if_its_first_line_allows_it(tmp_path: Path) -> None:
    file = tmp_path / "told.py"
    asked = {**PLAIN, "args": [sys.executable, "told.py", "word"], "cwd": tmp_path}
    assert request_of(asked, {}) is None
    file.write_text(f"pass\n{FORKABLE}")
    assert request_of(asked, {}) is None
    file.write_text(f"{FORKABLE}pass")
    found = request_of(asked, {})
    assert found is not None
    assert (found["file"], found["words"]) == ("told.py", ["word"])


@pytest.mark.parametrize(
    "changes",
    [
        {"args": ["python", "-m", "sunglare_client"]},
        {"args": [sys.executable, "-I", "-m", "sunglare_client"]},
        {"args": [sys.executable, "-m", "pytest"]},
        {"args": [sys.executable, "-c", "pass"]},
        {"args": [sys.executable, "-c", f"pass\n{FORKABLE}"]},
        {"args": [sys.executable, "-c"]},
        {"args": [sys.executable, "-m"]},
        {"args": "true", "shell": True},
        {"executable": "/bin/true"},
        {"env": {"PYTHONPATH": "elsewhere"}},
        {"env": {"PYTHONUTF8": "1"}},
        {"env": {"LANG": "C"}},
        {"preexec_fn": os.getpid},
        {"pass_fds": (5,)},
        {"umask": 0o77},
        {"uid": 1},
    ],
    ids=str,
)
def test_what_could_tell_a_difference_is_started_from_nothing(changes: dict[str, Any]) -> None:
    assert request_of({**PLAIN, **changes}, {}) is None


def test_what_lies_in_the_folder_of_a_program_is_run_in_place_of_ours(tmp_path: Path) -> None:
    (tmp_path / "sunglare_client").mkdir()
    assert request_of({**PLAIN, "cwd": tmp_path}, {}) is None


@pytest.mark.parametrize("words", [CLIENT, list(CLIENT)], ids=["tuple", "list"])
def test_the_command_may_be_any_sequence(words: Sequence[str]) -> None:
    assert request_of({**PLAIN, "args": words}, {}) is not None
