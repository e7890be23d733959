"""The command line of the server and of its operator."""

import asyncio
import os
import sys
from collections.abc import Callable, Coroutine
from typing import TYPE_CHECKING, Any

from sunglare_protocol.errors import SunglareError
from sunglare_protocol.extras import install_command
from sunglare_protocol.standard_streams import buffer_output, fill_closed_streams, unwritten

if TYPE_CHECKING:
    from sunglare_server.config import Settings
    from sunglare_server.config_reload import ReadSettings
    from sunglare_server.process import Ending


EXTRAS = {"nats": "cluster", "opentelemetry": "trace"}
"""Which extra brings a library that only some need."""

WRONG_USAGE = 2
"""The exit code for words that are none of a command line's."""


def main(arguments: list[str] | None = None) -> int:
    """Run the server until it is stopped, or an operator's command; return the exit code.

    Without `arguments` it is the program itself: it takes those of the process, which ends soon
    afterwards even if a thread of it hangs.
    """
    try:
        # Here and not above, so that a missing extra is one sentence and no stack trace.
        from sunglare_server.process import bound_end, unbounded
    except ModuleNotFoundError as missing:
        return _missing(missing)
    if arguments is not None:
        return _done(arguments, unbounded)
    fill_closed_streams()
    buffer_output()
    code = 1
    try:
        code = _done(sys.argv[1:], bound_end)
    except SystemExit as ended:
        # Help that was asked for, or wrong usage.
        code = ended.code if isinstance(ended.code, int) else code
    except OSError:
        if (fault := unwritten()) is None:
            raise
        _failed(fault)
    finally:
        # All is written before the end is bounded, since its reader may take its time.
        fault = unwritten()
        if fault is not None and code == 0:
            code = _failed(fault)
        bound_end(code)
    return code


def _done(words: list[str], ending: "Ending") -> int:
    """Do what the words ask for; `ending` is called once the end of a server begins."""
    try:
        from sunglare_server.cli import read_settings, settings_of
        from sunglare_server.config import DUTIES, Duty
        from sunglare_server.config_report import say_unknown
        from sunglare_server.logs import set_up_logs
        from sunglare_server.process import loop_factory, tune_python
    except ModuleNotFoundError as missing:
        return _missing(missing)
    duty = DUTIES.get(words[0]) if words else None
    if duty is None and words and not words[0].startswith("-"):
        return _operated(words)
    flags = words if duty is None else words[1:]
    settings = read_settings(flags, duty or Duty.WHOLE)
    try:
        set_up_logs(settings.log_format, settings.log_file, settings.log_level)
        say_unknown(os.environ)
        served = _process(settings, lambda: settings_of(flags, settings.duty), ending)
        tune_python()
        with asyncio.Runner(loop_factory=loop_factory(settings.loop)) as runner:
            try:
                return runner.run(served())
            finally:
                # It waits for threads as well, also where the start has failed.
                ending()
    except ModuleNotFoundError as missing:
        return _missing(missing)
    except (SunglareError, OSError) as fault:
        return _failed(str(fault))


def _process(
    settings: "Settings", read: "ReadSettings", ending: "Ending"
) -> Callable[[], Coroutine[Any, Any, int]]:
    """Return what runs the process; a gateway never loads what knows the truth."""
    if settings.duty.value == "archivist":
        from sunglare_server.archivist import ArchivistProcess

        return lambda: ArchivistProcess(settings).run(ending)
    if settings.duty.value == "gateway":
        from sunglare_server.gateway_app import Edge

        return lambda: Edge(settings).run(read, ending)
    from sunglare_server.app import App

    return lambda: App(settings).run(read, ending)


def _operated(words: list[str]) -> int:
    if words[0] == "config":
        from sunglare_server.config_report import show

        return show(words[1:])
    if words[0] == "completion":
        from sunglare_server.ops.control.completion import print_script

        try:
            return print_script(words[1:])
        except ModuleNotFoundError as missing:
            return _missing(missing)
    from sunglare_server.cli import no_command
    from sunglare_server.ops.control.commands import COMMANDS, operate

    if words[0] not in COMMANDS:
        return _failed(no_command(words[0]), WRONG_USAGE)
    return operate(words)


def _missing(missing: ModuleNotFoundError) -> int:
    package = (missing.name or "").partition(".")[0]
    if package in sys.stdlib_module_names:
        # No installation brings what Python itself has, or has not, on a system.
        right = "a server runs on Linux and other Unix systems, with all of Python 3.11 or newer"
        return _failed(f"{missing.name} is missing, a part of Python: {right}")
    extra = EXTRAS.get(package, "server")
    return _failed(f"{missing.name} is missing; to install it: {install_command(extra)}")


def _failed(why: str, code: int = 1) -> int:
    if why:  # it is empty where the reader of a pipe has gone away
        sys.stderr.write(f"sunglare-server: {why}\n")
    return code


if __name__ == "__main__":
    sys.exit(main())
