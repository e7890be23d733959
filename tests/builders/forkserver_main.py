"""The program of the fork server: imports the product once, then forks a process a request.

It reads requests from the socket whose descriptor is its only argument. A request is its length in
four bytes, sent with the descriptors of standard input, output and error, and then a JSON object:
the `module` that is run as `python -m` does, its `words`, the `environment`, the `folder`,
the `group` of the new process (-1: that of the fork server) and whether it leads a `session`. The
answer is the process id in four bytes.

A process is forked by another that ends at once. Its parent is then the nearest subreaper above:
the caller makes itself one, so that it can wait for the process as for any child.
"""

import gc
import io
import json
import os
import runpy
import signal
import socket
import sys
from importlib import import_module
from typing import Any, Final

PROGRAMS: Final = ("sunglare_arena.moment", "sunglare_arena.verify", "sunglare_arena.why")
"""Modules of a package that are run as programs themselves."""

IMPORTED: Final = (
    "sunglare_client.__main__",
    "sunglare_server.__main__",
    "sunglare_server.archivist",
    "sunglare_server.app",
    "sunglare_server.edge",
    "sunglare_server.flags",
    "sunglare_server.process",
    "sunglare_server.sources",
    "sunglare_arena.__main__",
    *PROGRAMS,
)
"""What the programs import, their own modules included."""

LENGTH: Final = 4
"""Bytes of a length and of a process id, big-endian."""

STREAMS: Final = 3


def main(descriptor: int) -> None:
    """Serve requests until the caller closes the socket; in a forked process, run its program."""
    line = socket.socket(fileno=descriptor)
    for module in IMPORTED:
        import_module(module)
        if module.endswith("__main__"):
            del sys.modules[module]  # it is to be run under the name `__main__`
    gc.collect()
    gc.freeze()
    line.sendall(os.getpid().to_bytes(LENGTH, "big"))
    while True:
        head, streams, _, _ = socket.recv_fds(line, LENGTH, STREAMS)
        if not head:
            return
        request = json.loads(line.recv(int.from_bytes(head, "big"), socket.MSG_WAITALL))
        process = _forked(streams)
        if not process:
            line.detach()
            _run(request)
            return
        line.sendall(process.to_bytes(LENGTH, "big"))


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


def _run(request: dict[str, Any]) -> None:
    """Become the process that was asked for, and run its module as the main program."""
    if request["session"]:
        os.setsid()
    if request["group"] >= 0:
        os.setpgid(0, request["group"])
    # Whoever runs the tests in the background may have had interrupts ignored.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    os.environ.clear()
    os.environ.update(request["environment"])
    os.chdir(request["folder"])
    sys.path[0] = os.getcwd()
    sys.argv = [request["module"], *request["words"]]
    sys.stdin = io.TextIOWrapper(io.BufferedReader(io.FileIO(0, closefd=False)))
    sys.stdout, sys.stderr = _writer(1, sys.stdout.errors), _writer(2, "backslashreplace")
    for name in ("stdin", "stdout", "stderr"):
        setattr(sys, f"__{name}__", getattr(sys, name))
    if request["module"] in PROGRAMS:
        del sys.modules[request["module"]]  # it is run under the name `__main__`
    runpy.run_module(request["module"], run_name="__main__", alter_sys=True)


def _writer(number: int, errors: str | None) -> io.TextIOWrapper:
    raw = io.BufferedWriter(io.FileIO(number, "w", closefd=False))
    return io.TextIOWrapper(raw, errors=errors, line_buffering=number == 2 or os.isatty(number))


if __name__ == "__main__":
    main(int(sys.argv[1]))
