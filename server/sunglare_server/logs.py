"""The set-up of structlog: console or JSON lines, with match and connection bound."""

import contextlib
import os
import sys
from pathlib import Path
from typing import Final, TextIO, cast, final

import structlog

LEVELS = {"debug": 10, "info": 20, "warning": 30, "error": 40}
"""The numbers of the log levels."""

_OWNER_ALONE: Final = 0o600


@final
class LogFile:
    """A log file that is opened again once another program has moved or deleted it.

    So a rotation from outside needs no signal; while the new file can't be opened, lines go on
    to the old one. A file that it creates is its owner's alone; one that is there keeps its mode.
    """

    def __init__(self, path: Path) -> None:
        """Append to the file at `path`; raise `OSError` if that can't be."""
        self._path = path
        self._stream = _appended(path)
        self._place = _place(os.fstat(self._stream.fileno()))

    def write(self, text: str) -> int:
        """Append text, to the file that has the name now."""
        if self._has_moved():
            self._open_again()
        return self._stream.write(text)

    def flush(self) -> None:
        """Hand everything to the system."""
        self._stream.flush()

    def isatty(self) -> bool:
        """Return whether it is a terminal."""
        return self._stream.isatty()

    def close(self) -> None:
        """Close the file."""
        self._stream.close()

    def _has_moved(self) -> bool:
        try:
            return _place(self._path.stat()) != self._place
        except OSError:
            return True

    def _open_again(self) -> None:
        with contextlib.suppress(OSError):
            stream = _appended(self._path)
            self._stream.close()
            self._stream = stream
            self._place = _place(os.fstat(stream.fileno()))


def _appended(path: Path) -> TextIO:
    # Lines name accounts and addresses; with 0o666 only the umask would decide who reads them.
    return open(path, "a", encoding="utf-8", buffering=1, opener=_opened)


def _opened(path: str, flags: int) -> int:
    return os.open(path, flags, _OWNER_ALONE)


def _place(found: os.stat_result) -> tuple[int, int]:
    return found.st_dev, found.st_ino


def set_up_logs(log_format: str, log_file: Path | None, level: str) -> None:
    """Send log lines of at least `level` to `log_file`, or to standard error."""
    stream: TextIO = sys.stderr if log_file is None else cast("TextIO", LogFile(log_file))
    is_json = log_format == "json"
    last = _json() if is_json else _console(is_terminal=stream.isatty())
    structlog.configure(
        processors=[
            structlog.contextvars.merge_contextvars,
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            *last,
        ],
        wrapper_class=structlog.make_filtering_bound_logger(LEVELS[level]),
        logger_factory=structlog.PrintLoggerFactory(stream),
        cache_logger_on_first_use=False,
    )


def _json() -> list[structlog.typing.Processor]:
    # Without the local variables of the frames: they hold truth, seeds and orders.
    plain = structlog.tracebacks.ExceptionDictTransformer(show_locals=False)
    return [structlog.processors.ExceptionRenderer(plain), structlog.processors.JSONRenderer()]


def _console(*, is_terminal: bool) -> list[structlog.typing.Processor]:
    # Names and texts come from people: a console line shows them as Python would quote them.
    plain = structlog.dev.plain_traceback
    return [
        structlog.dev.ConsoleRenderer(
            colors=is_terminal, repr_native_str=True, exception_formatter=plain
        )
    ]
