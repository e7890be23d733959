"""Standard streams that are closed or full: each gives a sentence, and no descriptor is reused."""

import sys
from collections.abc import Callable
from typing import Final

from sunglare_protocol.errors import SunglareError
from sunglare_protocol.standard_streams import (
    buffer_output,
    drop,
    fault_of_output,
    fill_closed_streams,
    unwritten,
)

FAILED: Final = 1

CLOSED_OUTPUT: Final = "standard output is closed; send it to a file, or to /dev/null"

CLOSED_INPUT: Final = (
    "standard input is closed, and this reads commands; give it a terminal, a file or /dev/null"
)


class StreamError(SunglareError):
    """A standard stream is not there that a command needs; the text says which."""


def with_streams(name: str, program: Callable[[], int]) -> int:
    """Run a program whose standard streams may be closed or full; return the exit code.

    It finds the null device in place of a closed one. Where standard output is closed it is not
    run, and where not all could be written there the exit code is that of a failure; a sentence on
    standard error says so.
    """
    is_mute = sys.stdout is None
    fill_closed_streams()
    if is_mute:
        return fail(name, FAILED, CLOSED_OUTPUT)
    buffer_output()
    code, fault = FAILED, None
    try:
        code = program()
        fault = unwritten()
    except SystemExit:
        _flush_errors()
        if (fault := unwritten()) is None:
            raise
    except OSError as raised:
        if raised.filename is not None:
            raise
        fault = unwritten()
        if fault is None:
            fault = fault_of_output(raised)
    if fault:
        return fail(name, code or FAILED, fault)
    # What a terminal that is gone did not take the interpreter writes again, and ends with 120.
    _flush_errors()
    return code if fault is None else code or FAILED


def fail(name: str, code: int, sentence: str) -> int:
    """Say on standard error why a program failed, if that can be written; return `code`."""
    try:
        sys.stderr.write(f"{name}: {sentence}\n")
    except OSError:
        drop(sys.stderr)
    _flush_errors()
    return code


def _flush_errors() -> None:
    try:
        sys.stderr.flush()
    except OSError:
        drop(sys.stderr)
