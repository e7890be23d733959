"""Running the modules of the page in Node, which tests without it are skipped for."""

import json
import os
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import msgspec
import pytest

from page.files import PAGE

SCRIPTS: Final = Path(__file__).parent / "js"

TIMEOUT_S: Final = 200


def need(program: str | None, what: str) -> str:
    """Return the path of a program; skip the test without it, or fail it where no skip may be."""
    if program is None:
        if os.environ.get("SUNGLARE_NO_SKIPS"):
            pytest.fail(f"{what} is not installed", pytrace=False)
        pytest.skip(f"{what} is not installed")
    return program


def node(*words: str | Path) -> subprocess.CompletedProcess[str]:
    """Run Node with these words and return how it ended."""
    program = need(shutil.which("node"), "Node")
    return subprocess.run(
        [program, *words],
        capture_output=True,
        text=True,
        timeout=TIMEOUT_S,
        check=False,
        env={**os.environ, "PAGE": str(PAGE)},
    )


class Script:
    """A script of ours on the page that answers each line with a line, in one process."""

    def __init__(self, script: str) -> None:
        """Start it; skip the test without Node."""
        program = need(shutil.which("node"), "Node")
        self._process = subprocess.Popen(
            [program, SCRIPTS / script, PAGE],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            encoding="utf-8",
        )

    def answer(self, value: object) -> Any:
        """Return what the script prints for a value; both are JSON."""
        process = self._process
        assert process.stdin is not None
        assert process.stdout is not None
        # Letters beyond ASCII are escaped: Node takes some of them for the end of a line.
        process.stdin.write(json.dumps(msgspec.to_builtins(value)) + "\n")
        process.stdin.flush()
        line = process.stdout.readline()
        assert line, "the script has ended"
        return json.loads(line)

    def close(self) -> None:
        """End its input, and with that the script, and wait for it."""
        self._process.communicate(timeout=TIMEOUT_S)
        assert self._process.returncode == 0


def printed(script: str, *words: str | Path) -> Iterator[Any]:
    """Run a script of ours on the page and yield the values that it prints, a line each."""
    done = node(SCRIPTS / script, PAGE, *words)
    assert done.returncode == 0, done.stderr
    yield from map(json.loads, done.stdout.splitlines())
