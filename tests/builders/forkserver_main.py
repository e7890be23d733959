"""The program of the fork server: imports the product once, then forks a process a request.

It reads requests from the socket whose descriptor is its only argument. A request is its length in
four bytes, sent with the descriptors of standard input, output and error, and then a JSON object:
the `module`, the `code` or the `file` that is run as `python -m`, `python -c` or `python` does,
its `words`, whether its path is a `safe_path` as with `-P`, the `environment`, the `folder`, the
`group` of the new process (-1: that of the fork server) and whether it leads a `session`. The
answer is the process id in four bytes.

A process is forked by another that ends at once. Its parent is then the nearest subreaper above:
the caller makes itself one, so that it can wait for the process as for any child.

A program that may start others gets a fork server of its own, forked before it runs: that is its
child, so what it forks can become the program's. It is clean whatever the program has done since.
"""

import asyncio
import atexit
import gc
import io
import json
import os
import runpy
import signal
import socket
import sys
import threading
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any, Final

IMPORTED: Final = (
    "sunglare_client.__main__",
    "sunglare_client.fork_server",
    "sunglare_server.__main__",
    "sunglare_server.archivist",
    "sunglare_server.app",
    "sunglare_server.gateway_app",
    "sunglare_server.cli",
    "sunglare_server.logs",
    "sunglare_server.process",
    "sunglare_server.config_report",
    "sunglare_arena.__main__",
    "sunglare_arena.moment",
    "sunglare_arena.verify",
    "sunglare_arena.why",
    "builders.forkserver",
    "encodings.idna",
)
"""What the programs import, their own modules included."""

LENGTH: Final = 4
"""Bytes of a length and of a process id, big-endian."""

STREAMS: Final = 3

SENT_TO_GROUPS: Final = (signal.SIGINT, signal.SIGTERM)

PARENTS: Final[dict[str, frozenset[str]]] = {
    "sunglare_client": frozenset({"arena", "demo", "learn", "lobby", "play", "verify", "why"}),
    "sunglare_server": frozenset(),
}
"""The programs that may start others, by module: those subcommands, or all if there are none."""


def main(descriptor: int) -> None:
    """Serve requests until the caller closes the socket; in a forked process, run its program."""
    line = socket.socket(fileno=descriptor)
    sys.path.insert(0, str(Path(__file__).parents[1]))
    for module in IMPORTED:
        import_module(module)
    _import_subcommands()
    del sys.path[0]
    _let_uvloop_use_popen()
    _read_data_once()
    gc.collect()
    gc.freeze()
    line.sendall(os.getpid().to_bytes(LENGTH, "big"))
    _leave_quickly(_run(_served(line)))


def _import_subcommands() -> None:
    """Import what the subcommands of the client import when they are used."""
    from sunglare_client.commands.arguments import SUBCOMMANDS, command_line

    command_line()
    for subcommand in SUBCOMMANDS.values():
        import_module(subcommand.run.function.__module__)


def _let_uvloop_use_popen() -> None:
    """Have uvloop, which forks on its own, start programs as asyncio's loop does: by `Popen`.

    asyncio's loop has no child watchers any more from Python 3.14 on, so they stay apart there.
    """
    try:
        import uvloop
    except ModuleNotFoundError:
        return
    if sys.version_info < (3, 14):
        for name in ("subprocess_exec", "_make_subprocess_transport", "_child_watcher_callback"):
            setattr(uvloop.Loop, name, getattr(asyncio.SelectorEventLoop, name))
        uvloop.Loop._debug = False  # type: ignore[attr-defined]  # noqa: SLF001


def _read_data_once() -> None:
    """Have a program find the shipped data and the watch page read, as its modules imported.

    To read them takes half of what the start of a server takes otherwise.
    """
    from msgspec.structs import replace

    from sunglare_arena import series
    from sunglare_server import app
    from sunglare_server.base import library
    from sunglare_server.gateway.assets import shipped_assets

    shipped_assets()
    load, shipped = library.load_library, library.load_library()

    def read(extra: Path | None = None) -> library.Library:
        if extra is not None:
            return load(extra)
        return replace(shipped, scenarios=dict(shipped.scenarios))

    for module in (app, library, series):
        vars(module)["load_library"] = read


def _served(line: socket.socket) -> dict[str, Any]:
    """Fork what is asked for; the caller ends it by closing the socket.

    Return in a forked process alone, with the request that it is to run.
    """
    handlers = {number: signal.getsignal(number) for number in SENT_TO_GROUPS}
    while True:
        head, streams, _, _ = socket.recv_fds(line, LENGTH, STREAMS)
        if not head:
            os._exit(0)
        request: dict[str, Any] = json.loads(
            line.recv(int.from_bytes(head, "big"), socket.MSG_WAITALL)
        )
        if process := _forked(streams):
            line.sendall(process.to_bytes(LENGTH, "big"))
            continue
        line.detach()
        for number, handler in handlers.items():
            signal.signal(number, handler)
        _become(request)
        its_line = _its_server() if _may_start_others(request) else None
        if its_line is None:
            return request
        line = its_line


def _may_start_others(request: dict[str, Any]) -> bool:
    commands = PARENTS.get(request.get("module", ""))
    return commands is not None and (not commands or bool(commands & {*request["words"][:1]}))


def _its_server() -> socket.socket | None:
    """Fork a server for this process; return its line in the server, None in this process.

    Signals that are sent to the whole group are the program's: the server ends with its line.
    """
    from builders.forkserver import install

    ours, theirs = socket.socketpair()
    if server := os.fork():
        theirs.close()
        install(ours, server)
        return None
    ours.close()
    for number in SENT_TO_GROUPS:
        signal.signal(number, signal.SIG_IGN)
    nothing = os.open(os.devnull, os.O_RDWR)
    for stream in range(STREAMS):
        os.dup2(nothing, stream)
    os.close(nothing)
    return theirs


def _forked(streams: list[int]) -> int:
    """Return the id of a new process; in that process 0, once its parent is the subreaper."""
    end, begin = os.pipe()
    between = os.fork()
    if between:
        os.close(begin)
        process = int.from_bytes(os.read(end, LENGTH), "big")
        os.waitpid(between, 0)
        for descriptor in (end, *streams):
            os.close(descriptor)
        return process
    gate, held = os.pipe()
    process = os.fork()
    if process:
        os.write(begin, process.to_bytes(LENGTH, "big"))
        os._exit(0)  # which closes the last copy of `held`
    os.close(held)
    os.read(gate, 1)
    for number, stream in enumerate(streams):
        os.dup2(stream, number)
    os.closerange(STREAMS, max(*streams, end, begin, gate, held) + 64)
    return 0


def _become(request: dict[str, Any]) -> None:
    """Become the process that was asked for, but for its program."""
    if request["session"]:
        os.setsid()
    if request["group"] >= 0:
        os.setpgid(0, request["group"])
    os.environ.clear()
    os.environ.update(request["environment"])
    os.chdir(request["folder"])
    sys.path[0] = _first_path(request)
    if request["safe_path"]:
        del sys.path[0]
    sys.argv = [request.get("module") or request.get("file", "-c"), *request["words"]]
    sys.stdin = io.TextIOWrapper(io.BufferedReader(io.FileIO(0, closefd=False)))
    sys.stdout, sys.stderr = _writer(1, sys.stdout.errors), _writer(2, "backslashreplace")
    for name in ("stdin", "stdout", "stderr"):
        setattr(sys, f"__{name}__", getattr(sys, name))


def _first_path(request: dict[str, Any]) -> str:
    """Return where a program looks first for what it imports."""
    if "file" in request:
        return str(Path(request["file"]).resolve().parent)
    return os.getcwd() if "module" in request else ""


def _run(request: dict[str, Any]) -> int:
    """Run what was asked for as the main program; return its exit code."""
    try:
        if "code" in request:
            _run_code(request["code"])
        elif "file" in request:
            runpy.run_path(request["file"], run_name="__main__")
        else:
            _run_module(request["module"])
    except SystemExit as ended:
        if not isinstance(ended.code, int | None):
            raise
        return ended.code or 0
    return 0


def _run_code(code: str) -> None:
    main_module = sys.modules["__main__"] = ModuleType("__main__")
    exec(compile(code, "<string>", "exec"), vars(main_module))  # noqa: S102 - a test's own


def _run_module(name: str) -> None:
    # It is to be run under the name `__main__`.
    sys.modules.pop(f"{name}.__main__" if f"{name}.__main__" in IMPORTED else name, None)
    runpy.run_module(name, run_name="__main__", alter_sys=True)


def _leave_quickly(code: int) -> None:
    """End this process as the interpreter does, but for freeing all that was imported.

    Where its output can't be written it returns, and leaves that to be said by the interpreter.
    """
    threading._shutdown()  # type: ignore[attr-defined]  # noqa: SLF001
    atexit._run_exitfuncs()  # noqa: SLF001
    gc.collect()
    try:
        sys.stdout.flush()
        sys.stderr.flush()
    except (OSError, ValueError):
        sys.exit(code)
    os._exit(code)


def _writer(number: int, errors: str | None) -> io.TextIOWrapper:
    raw = io.BufferedWriter(io.FileIO(number, "w", closefd=False))
    return io.TextIOWrapper(raw, errors=errors, line_buffering=number == 2 or os.isatty(number))


if __name__ == "__main__":
    main(int(sys.argv[1]))
