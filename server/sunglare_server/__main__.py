"""The command line of the server and of its operator."""

import asyncio
import sys

from sunglare_protocol.errors import SunglareError


def main(arguments: list[str] | None = None) -> int:
    """Run the server until it is told to end, or an operator's command; return the exit code."""
    try:
        # Here and not above, so that a missing extra is one sentence and no stack trace.
        from sunglare_server.app import App, loop_factory, tune_python
        from sunglare_server.config import read_settings
        from sunglare_server.logs import set_up_logs
        from sunglare_server.ops.commands import COMMANDS, operate
    except ModuleNotFoundError as missing:
        return _failed(f"{missing.name} is missing: pip install 'sunglare[server]' brings it")
    words = sys.argv[1:] if arguments is None else arguments
    if words and words[0] in COMMANDS:
        return operate(words)
    settings = read_settings(words)
    try:
        set_up_logs(settings.log_format, settings.log_file, settings.log_level)
        tune_python()
        with asyncio.Runner(loop_factory=loop_factory(settings.loop)) as runner:
            return runner.run(App(settings).run())
    except (SunglareError, OSError) as fault:
        return _failed(str(fault))


def _failed(why: str) -> int:
    sys.stderr.write(f"sunglare-server: {why}\n")
    return 1


if __name__ == "__main__":
    sys.exit(main())
