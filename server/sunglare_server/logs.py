"""The set-up of structlog: console or JSON lines, with match and connection bound."""

import sys
from pathlib import Path
from typing import TextIO

import structlog

LEVELS = {"debug": 10, "info": 20, "warning": 30, "error": 40}
"""The numbers of the log levels."""


def set_up_logs(log_format: str, log_file: Path | None, level: str) -> None:
    """Send log lines of at least `level` to `log_file`, or to standard error."""
    stream: TextIO = sys.stderr
    if log_file is not None:
        stream = log_file.open("a", encoding="utf-8", buffering=1)
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
