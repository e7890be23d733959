"""Standard streams of a process: some of them may be closed, or full."""

import io
import os
import sys
from typing import Final, TextIO

BUFFER: Final = 1 << 20
"""Bytes that standard output holds: more than any help that argparse writes at once."""


def fill_closed_streams() -> None:
    """Open the null device in place of standard streams that are closed.

    Their numbers would go to the next files and sockets that are opened, into which whatever is
    printed would be written; uvloop ends the process when it closes one.
    """
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        if getattr(sys, name) is None:
            opened = os.open(os.devnull, os.O_RDWR)
            if opened != number:
                os.dup2(opened, number)
                os.close(opened)
            os.set_inheritable(number, True)
            stream = os.fdopen(number, "w" if number else "r", encoding="utf-8", closefd=False)
            setattr(sys, name, stream)
            setattr(sys, f"__{name}__", stream)


def buffer_output() -> None:
    """Give the process's own standard output a buffer that keeps what could not be written.

    `unwritten` reports it later. Without a buffer, as with `PYTHONUNBUFFERED`, only the write
    raises, which argparse ignores, and a write that the device takes in part loses the rest. What
    Python would write at once is still written at the end of each line.
    """
    output = sys.stdout
    if output is not sys.__stdout__ or not isinstance(output, io.TextIOWrapper):
        return
    is_prompt = output.write_through or output.line_buffering
    buffered = open(  # noqa: SIM115 - it stays open as long as the process runs
        output.fileno(),
        "w",
        BUFFER,
        encoding=output.encoding,
        errors=output.errors,
        closefd=False,
    )
    buffered.reconfigure(line_buffering=is_prompt)
    sys.stdout = sys.__stdout__ = buffered  # type: ignore[misc]


def unwritten() -> str | None:
    """Return why standard output could not be written, None if it could; drop what is left of it.

    The text is empty where the reader of a pipe has gone away.
    """
    try:
        sys.stdout.flush()
    except OSError as fault:
        drop(sys.stdout)
        return fault_of_output(fault)
    return None


def fault_of_output(fault: OSError) -> str:
    """Return why a write failed; nothing where the reader of a pipe has gone away."""
    if isinstance(fault, BrokenPipeError):
        return ""
    return f"standard output cannot be written: {fault.strerror}"


def drop(stream: TextIO) -> None:
    """Let a stream lead nowhere: else the interpreter tries again at the exit, and complains."""
    opened = os.open(os.devnull, os.O_WRONLY)
    os.dup2(opened, stream.fileno())
    os.close(opened)
