"""The commands of README and the players' page run, line by line, on one server."""

import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from builders.commandlines import SOURCES, without_settings
from builders.openlimits import FLAGS
from builders.servers import server_process
from documents.doctables import PLAYING, README, ROOT, fenced

PATIENCE_S = 60
"""Seconds in which a command ends by itself, or ends after SIGTERM."""

SEED = "s24"
"""A server on which the demonstration is a match of more than seven turns."""

ELSEWHERE = {
    "make test": "Makefile",
    "make clean": "Makefile",
    "make demo": "tests/end_to_end/test_the_demo.py",
    "make play": "tests/end_to_end/test_just_playing.py",
    "make cluster": "tests/end_to_end/test_the_cluster.py",
    "sunglare learn": "tests/client/test_lessons.py",
    "sunglare play": "tests/end_to_end/test_just_playing.py",
    "sunglare verify match.sgr --mine match.log": "tests/arena/test_verify_log.py",
}
"""The commands that are not run here, with the file that runs them or says what they do."""

HOST = "--name Ada"
"""The command that has this opens the match that others join and watch."""

OTHER = re.compile(r"--name Bo|sunglare forget")
"""The commands of another player, who has a home of their own."""

RUN_ON = re.compile(
    rf"sunglare-server --|sunglare (watch|host)\b|sunglare play .*(--quick|{HOST}|--clock)"
)
"""The commands that wait for others, and are ended by SIGTERM when the page is done."""

WAITS = re.compile(r"listening on|others join with|-- turn|This waits|waiting for")
"""How the line begins after which such a command waits."""

SMALLER = {"--host 0.0.0.0": "--host 127.0.0.1 --port 0", "--games 200": "--games 1"}
SMALLER |= {"--for 3600": "--for 1"}
"""What makes a command fit into a test."""

LEAVING = "quit\nquit yes\n"
"""What is typed: a lesson ends with the first line, a match with the second."""

GOOD_ENDS = (0, -15, 143)
"""The exit codes of a command that was ended by SIGTERM."""


def commands(page: str) -> list[str]:
    """Return the commands of a page in their order, each once, without comments."""
    lines = [line for block in fenced(page, "sh") for line in block.splitlines()]
    return list(dict.fromkeys(re.sub(r" +#.*", "", line).strip() for line in lines))


class Reader:
    """A reader of a page who types its commands in a folder, with a server at `url`.

    `ended` is the id of a match that is over, `opened` of that of `HOST`.
    """

    def __init__(self, folder: Path, url: str) -> None:
        """Play the demonstration there, and leave a match against a house bot open."""
        self.folder, self.url, self.ended, self.opened = folder, url, "", ""
        self.waiting: list[tuple[str, subprocess.Popen[str]]] = []
        self.run(f"sunglare demo --url {url}")
        (saved,) = (path for path in (folder / ".demo").glob("*-*.sgr"))
        self.ended = saved.stem.rpartition("-")[2]
        self.wait_with(f"sunglare play --url {url} --new shadow-of-ceres --bot lurker")

    def try_out(self, line: str) -> str:
        """Run a command as the page has it; return what is wrong with its end, if anything."""
        for there, here in SMALLER.items() | {("ws://192.0.2.7:8765", self.url)}:
            line = line.replace(there, here)
        line = line.replace("2bprcyup", self.ended).replace("obzqvq4z", self.opened)
        return self.wait_with(line) if RUN_ON.match(line) else self.run(line)

    def run(self, line: str) -> str:
        """Run a command that ends by itself; it reads that it is to leave."""
        process = self._started(line)
        out, err = process.communicate(LEAVING, timeout=PATIENCE_S)
        return f"{line}: {process.returncode}, {err or out}" if process.returncode else ""

    def wait_with(self, line: str) -> str:
        """Start a command that waits for others, and read until it does; return what is wrong."""
        process = self._started(line)
        self.waiting.append((line, process))
        assert process.stdout is not None
        for said in process.stdout:
            if HOST in line and (found := re.match(r"match (\w{26})", said)):
                self.opened = found[1]
            elif WAITS.match(said):
                return ""
        return f"{line}: ends, {process.communicate(timeout=PATIENCE_S)[1]}"

    def end(self) -> list[str]:
        """End what still waits; return what did not end as it should."""
        faults = []
        for line, process in reversed(self.waiting):
            process.terminate()
            out, err = process.communicate(timeout=PATIENCE_S)
            if process.returncode not in GOOD_ENDS:
                faults.append(f"{line}: {process.returncode}, {err or out}")
        return faults

    def _started(self, line: str) -> subprocess.Popen[str]:
        program, *words = shlex.split(line)
        home = self.folder / ("home of another" if OTHER.search(line) else "home")
        module = {"sunglare": "sunglare_client", "sunglare-server": "sunglare_server"}[program]
        return subprocess.Popen(
            [sys.executable, "-m", module, *words],
            cwd=self.folder,
            env=without_settings(PYTHONPATH=SOURCES, SUNGLARE_HOME=str(home)),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )


@pytest.fixture
def reader(tmp_path: Path) -> Iterator[Reader]:
    """Return a reader with the bot of README in the folder, and end all that was started."""
    (code,) = fenced(README, "python")
    (tmp_path / "gunner.py").write_text(code, encoding="utf-8")
    with server_process(tmp_path, *FLAGS, "--seed", SEED) as server:
        found = Reader(tmp_path, server.url.removesuffix("/play"))
        try:
            yield found
        finally:
            found.end()


def test_the_commands_that_other_tests_run_stand_on_a_page() -> None:
    named = {*commands(README), *commands(PLAYING)}
    assert not [line for line in ELSEWHERE if line not in named]
    assert not [path for path in ELSEWHERE.values() if not (ROOT / path).is_file()]


@pytest.mark.timeout(300)
@pytest.mark.parametrize("page", [README, PLAYING])
def test_every_command_of_the_page_does_what_it_is_for(reader: Reader, page: str) -> None:
    lines = [line for line in commands(page) if line not in ELSEWHERE]
    assert len(lines) > 8
    faults = [fault for line in lines if (fault := reader.try_out(line))]
    assert not [*faults, *reader.end()]
