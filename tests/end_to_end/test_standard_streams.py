"""Standard streams that are closed or full, as under some supervisors: each gives a sentence."""

import contextlib
import subprocess
import sys
from pathlib import Path

import pytest

from builders.commandlines import without_settings
from builders.forkserver import FORKABLE
from builders.ptys import WAIT_S
from page.files import match_file

Row = tuple[str, int, tuple[str, ...]]
"""What is wrong with a standard stream, the exit code, and the words of a command."""

FIRST_ROWS: tuple[Row, ...] = (
    ("closed input", 0, ("learn", "--list")),
    ("closed input", 1, ("learn", "1", "--plain")),
    ("closed input", 3, ("watch", "abc")),
    ("closed output", 1, ("bots",)),
    ("closed errors", 3, ("matches",)),
    ("full output", 1, ("replay", "match.sgr")),
    ("full output", 1, ("export", "match.sgr", "--as", "txt", "--out", "match.txt")),
    ("full errors", 3, ("matches",)),
)
"""One of each way in which a command meets such a stream."""

OTHER_ROWS: tuple[Row, ...] = (
    ("closed input", 0, ("bots",)),
    ("closed input", 0, ("replay", "match.sgr")),
    ("closed input", 1, ("doctor",)),
    ("closed input", 1, ("lobby", "--plain")),
    ("closed input", 1, ("play", "--match", "abc")),
    ("closed output", 1, ("play", "--match", "abc")),
    ("closed errors", 0, ("verify", "match.sgr")),
    ("full output", 1, ("--help",)),
    ("full output", 1, ("bots",)),
    ("full output", 1, ("learn", "1", "--plain")),
    ("full output", 1, ("verify", "match.sgr")),
    ("full output", 1, ("why", "match.sgr", "--side", "A")),
    ("full errors", 2, ("arena",)),
)

ROWS = (*FIRST_ROWS, *OTHER_ROWS)

COMMANDS = (
    *dict.fromkeys(words for _, _, words in ROWS),
    ("--version",),
    ("host",),
    ("ladder",),
    ("record", "abc", "--out", "x.sgr"),
    ("grant", "abc", "Anna"),
    ("revoke", "abc", "Anna"),
    ("report", "abc", "B", "rude"),
    ("account", "renew"),
    ("account", "webhook", "--off"),
    ("forget",),
    ("bot", "run", "lurker", "--match", "abc"),
    ("bot", "moment", "match.sgr", "--turn", "1", "--side", "A"),
    ("conformance", "ws://127.0.0.1:1"),
)
"""Every command that starts no server, where none listens."""

STREAMS = tuple(dict.fromkeys(streams for streams, _, _ in ROWS))

CLIENT, SERVER = "sunglare_client", "sunglare_server"

CLOSING = """\
import importlib, os, sys
number = int(sys.argv[1])
name = ("stdin", "stdout", "stderr")[number]
os.close(number)
for each in (name, f"__{name}__"):
    setattr(sys, each, None)
program = importlib.import_module(f"{sys.argv[2]}.__main__")
sys.argv[:3] = ["sunglare"]
sys.exit(program.main())
"""
"""A program of ours with a standard stream closed: its number and the module are first."""


def begun(
    folder: Path,
    streams: str,
    words: tuple[str, ...],
    home: str = "home",
    module: str = CLIENT,
    *,
    is_unbuffered: bool = False,
) -> "subprocess.Popen[bytes]":
    """Run a program of ours with something wrong with one of its standard streams."""
    kind, name = streams.split()
    number = ("input", "output", "errors").index(name)
    program = [sys.executable, *(("-u",) if is_unbuffered else ()), "-m", module]
    if kind == "closed":
        program = [sys.executable, "-c", f"{FORKABLE}{CLOSING}", str(number), module]
    with Path("/dev/full").open("wb") as full:
        return subprocess.Popen(
            [*program, *words],
            cwd=folder,
            env=without_settings(SUNGLARE_HOME=home),
            stdin=subprocess.DEVNULL,
            stdout=full if streams == "full output" else subprocess.PIPE,
            stderr=full if streams == "full errors" else subprocess.PIPE,
        )


def said_by(process: "subprocess.Popen[bytes]") -> bytes:
    """Return what a program has said at its end: never more than sentences."""
    out, err = process.communicate(timeout=WAIT_S)
    for word in (b"Traceback", b"Exception ignored", b"NoneType"):
        assert word not in (out or b"") + (err or b""), (process.args, out, err)
    return err or b""


@pytest.mark.parametrize("rows", [FIRST_ROWS, OTHER_ROWS], ids=["some", "others"])
def test_a_standard_stream_that_is_closed_or_full_is_told_in_a_sentence(
    rows: tuple[Row, ...], tmp_path: Path
) -> None:
    (tmp_path / "match.sgr").write_bytes(match_file("shadow-of-ceres"))
    with contextlib.ExitStack() as stack:
        running = [
            stack.enter_context(begun(tmp_path, streams, words)) for streams, _, words in rows
        ]
        for (streams, code, words), process in zip(rows, running, strict=True):
            err = said_by(process)
            assert process.returncode == code, (streams, words, err)
            if code == 1 and words != ("doctor",):
                told = f"standard {streams.split()[1]} {SAID[streams]}".encode()
                assert told in err, (streams, words)
                assert err.count(b"\n") == 1, (streams, words, err)


@pytest.mark.parametrize(
    ("module", "words"),
    [(CLIENT, "bots"), (SERVER, "config"), (CLIENT, "--help"), (SERVER, "--help")],
)
def test_a_full_output_is_told_without_a_buffer_of_python_too(
    module: str, words: str, tmp_path: Path
) -> None:
    with begun(tmp_path, "full output", (words,), module=module, is_unbuffered=True) as process:
        err = said_by(process)
        assert process.returncode == 1, err
        name = "sunglare" if module == CLIENT else "sunglare-server"
        assert err == f"{name}: standard output {SAID['full output']}\n".encode()


SAID = {
    "closed input": "is closed, and",
    "closed output": "is closed; send",
    "full output": "cannot be written: No space left on device",
}
"""What is said of a stream."""


@pytest.mark.parametrize("streams", STREAMS)
def test_every_command_bears_a_standard_stream_that_is_closed_or_full(
    streams: str, tmp_path: Path
) -> None:
    (tmp_path / "match.sgr").write_bytes(match_file("shadow-of-ceres"))
    for words in COMMANDS:
        with begun(tmp_path, streams, words) as process:
            err = said_by(process)
            assert process.returncode in (0, 1, 2, 3), (words, err)


SERVES = ("--port", "0", "--journal", "journal.db", "--until-input-ends")

ROWS_OF_THE_SERVER = (
    ("open input", 0, SERVES),
    ("closed input", 0, SERVES),
    ("closed output", 0, SERVES),
    ("closed errors", 0, SERVES),
    ("closed output", 0, ("config",)),
    ("full output", 1, ("config",)),
    ("full output", 1, ("--version",)),
    ("full output", 1, ("completion", "bash")),
)


def test_a_server_bears_a_standard_stream_that_is_closed_or_full(tmp_path: Path) -> None:
    for streams, code, words in ROWS_OF_THE_SERVER:
        with begun(tmp_path, streams, words, module=SERVER) as process:
            err = said_by(process)
            assert process.returncode == code, (streams, words, err)
            if code:
                assert err == f"sunglare-server: standard output {SAID[streams]}\n".encode()
