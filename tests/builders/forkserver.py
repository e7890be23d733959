"""Starts the project's programs as processes forked from one that has imported them.

A server or client that is started from nothing spends most of its CPU seconds on imports, before
it does anything that a test looks at. `install` makes `subprocess.Popen`, on which asyncio's
functions are built too, hand `python -m sunglare_...` to a fork server (`forkserver_main`), and
`python -c` and `python FILE` with a program whose first line is `FORKABLE`. The process is a child
of this one, with the streams, environment, folder and process group that were asked for; it can be
waited for, halted and killed as any other. What that process starts in its turn is forked for it
in the same way, such as the bots of a server.

What could tell a difference is started from nothing as ever: another interpreter, other options of
it, another path or setting of Python's, a function to call before the program, descriptors to pass
on. `SUNGLARE_FORKSERVER=0` starts everything from nothing; so does a system without subreapers.
"""

import atexit
import ctypes
import inspect
import json
import os
import socket
import subprocess
import sys
import threading
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final, final

from builders.commandlines import SOURCES

MODULES: Final = (
    "sunglare_client",
    "sunglare_client.fork_server",
    "sunglare_server",
    "sunglare_arena",
    "sunglare_arena.moment",
    "sunglare_arena.verify",
    "sunglare_arena.why",
)
"""What is forked when it is run as a module."""

FORKABLE: Final = "# May be forked from a process that has imported the product.\n"
"""The first line of a program, a file or for `-c`, that is forked; others start from nothing."""

SWITCH: Final = "SUNGLARE_FORKSERVER"

PROGRAM: Final = Path(__file__).with_name("forkserver_main.py")

LENGTH: Final = 4

READ_AT_IMPORT: Final = ("PYTHON", "TEXTUAL", "MALLOC", "LD_", "LC_", "LANG")
"""How variables begin that are read once, at the start: the fork server's must be the same."""

PIPES: Final = ("p2cread", "p2cwrite", "c2pread", "c2pwrite", "errread", "errwrite")
"""The ends of the pipes between a process and its caller, as `Popen` names them."""

_SET_SUBREAPER: Final = 36  # prctl(2)


@final
class ForkServer:
    """The server of one process, begun with the first request; several threads may ask.

    With a `line` it is there already, and is the child `process`.
    """

    def __init__(self, line: socket.socket | None = None, process: int = 0) -> None:
        self._line = line
        self._process = process
        self._owner = os.getpid() if line is not None else 0
        self._lock = threading.Lock()

    def spawn(self, streams: Sequence[int], request: Mapping[str, object]) -> int:
        """Return the id of a new child that has these streams and runs what was asked for."""
        with self._lock:
            line = self._connected()
            body = json.dumps(request).encode()
            _subreaper(on=True)
            try:
                socket.send_fds(line, [len(body).to_bytes(LENGTH, "big")], streams)
                line.sendall(body)
                return _process_id(line)
            finally:
                _subreaper(on=False)

    def close(self) -> None:
        """End the server; what it has started goes on."""
        if self._line is not None and self._owner == os.getpid():
            self._line.close()
            os.waitpid(self._process, 0)
        self._line = None

    def _connected(self) -> socket.socket:
        """Return the line to the server of this process: a fork of it has one of its own."""
        if self._line is None or self._owner != os.getpid():
            ours, theirs = socket.socketpair()
            with theirs:
                started = subprocess.Popen(
                    [sys.executable, str(PROGRAM), str(theirs.fileno())],
                    pass_fds=[theirs.fileno()],
                    env={**os.environ, "PYTHONPATH": SOURCES},
                    stdin=subprocess.DEVNULL,
                )
            self._process, started.returncode = started.pid, 0  # it is waited for by `close`
            self._line, self._owner = ours, os.getpid()
            _process_id(ours)
        return self._line


def _process_id(line: socket.socket) -> int:
    answer = line.recv(LENGTH, socket.MSG_WAITALL)
    assert len(answer) == LENGTH, "the fork server has ended"
    return int.from_bytes(answer, "big")


def _subreaper(*, on: bool) -> int:
    return int(ctypes.CDLL(None).prctl(_SET_SUBREAPER, int(on), 0, 0, 0))


def install(line: socket.socket | None = None, process: int = 0) -> None:
    """Let every `python -m sunglare_…` of this process be forked, where that can be.

    It is by the server at the end of the `line`, a child `process`, or else by one that begins
    with the first request.
    """
    if os.environ.get(SWITCH) == "0" or sys.platform != "linux" or _subreaper(on=False):
        return
    server = ForkServer(line, process)
    atexit.register(server.close)
    # Private, but all of Popen stands on it; it has had these arguments since Python 3.11.
    from_nothing = subprocess.Popen._execute_child  # type: ignore[attr-defined]  # noqa: SLF001
    signature = inspect.signature(from_nothing)
    known, paths = read_at_import(os.environ), (SOURCES, os.environ.get("PYTHONPATH", SOURCES))

    def execute_child(self: Any, *given: Any) -> None:
        asked = signature.bind(self, *given).arguments
        request = request_of(asked, known, paths)
        if request is None:
            from_nothing(self, *given)
            return
        ends = [asked[name] for name in ("p2cread", "c2pwrite", "errwrite")]
        streams = [number if end == -1 else end for number, end in enumerate(ends)]
        self.pid = server.spawn(streams, request)
        self._child_created = True
        self._close_pipe_fds(*(asked[name] for name in PIPES))

    subprocess.Popen._execute_child = execute_child  # type: ignore[attr-defined]  # noqa: SLF001


def request_of(
    asked: Mapping[str, Any], known: Mapping[str, str], paths: Sequence[str] = (SOURCES,)
) -> dict[str, object] | None:
    """Return what the fork server is asked for; None where the process must start from nothing.

    `asked` are the arguments of `Popen._execute_child`, `known` the variables that are read at
    import and `paths` the values of `PYTHONPATH` that the server's modules were found by.
    """
    words = asked["args"]
    if isinstance(words, (str, bytes, os.PathLike)) or asked["shell"] or asked["executable"]:
        return None
    words = [os.fspath(word) for word in words]
    environment = dict(os.environ if asked["env"] is None else asked["env"])
    folder = os.getcwd() if asked["cwd"] is None else os.fspath(asked["cwd"])
    program = _program_of(words, folder)
    if program is None:
        return None
    if any(asked[name] for name in ("preexec_fn", "pass_fds")) or asked["umask"] >= 0:
        return None
    if any(asked[name] is not None for name in ("gid", "gids", "uid")):
        return None
    if environment.get("PYTHONPATH", SOURCES) not in paths or read_at_import(environment) != known:
        return None
    if any(Path(folder, name.partition(".")[0]).is_dir() for name in MODULES):
        return None  # what lies in the folder of a program is imported first
    return {
        **program,
        "environment": {os.fsdecode(k): os.fsdecode(v) for k, v in environment.items()},
        "folder": folder,
        "session": bool(asked["start_new_session"]),
        "group": asked["process_group"],
    }


def _program_of(words: Sequence[str], folder: str) -> dict[str, object] | None:
    """Return the module, code or file that is run, with its words, None if that is not forked.

    With `-P` it does not find what lies in its folder.
    """
    match words:
        case [sys.executable, "-m", module, *rest] if module in MODULES:
            return {"module": module, "words": rest, "safe_path": False}
        case [sys.executable, "-P", "-m", module, *rest] if module in MODULES:
            return {"module": module, "words": rest, "safe_path": True}
        case [sys.executable, "-c", code, *rest] if code.startswith(FORKABLE):
            return {"code": code, "words": rest, "safe_path": False}
        case [sys.executable, file, *rest] if _is_forkable(Path(folder, file)):
            return {"file": file, "words": rest, "safe_path": False}
        case _:
            return None


def _is_forkable(file: Path) -> bool:
    if file.suffix != ".py" or not file.is_file():
        return False
    with file.open(encoding="utf-8") as text:
        return text.readline() == FORKABLE


def read_at_import(environment: Mapping[str, str]) -> dict[str, str]:
    """Return the variables that the interpreter and libraries read only once, the path aside."""
    return {
        name: value
        for name, value in environment.items()
        if name.startswith(READ_AT_IMPORT) and name != "PYTHONPATH"
    }
