"""The server under load, in a process of its own: the whole product, its journal included.

Only its entropy is seeded, so that the recorded matches go the same way whenever they are played.
"""

import asyncio
import cProfile
import signal
import sys
from pathlib import Path

from meter import tell_cpu_time

from sunglare_server.app import App
from sunglare_server.base.entropy import SeededEntropy
from sunglare_server.cli import read_settings
from sunglare_server.logs import set_up_logs
from sunglare_server.process import loop_factory, tune_python

SEED = b"the bench"

UNBOUND = ("--message-rate", "1000000", "--address-rate", "1000000", "--openings", "1000000")
"""The bench is one address that plays many matches flat out."""


async def serve(arguments: list[str]) -> None:
    """Run the server with these settings until the input ends."""
    metered = asyncio.create_task(_metered())
    await App(read_settings(arguments), entropy=SeededEntropy(SEED)).run()
    await metered


async def _metered() -> None:
    await tell_cpu_time()
    signal.raise_signal(signal.SIGTERM)


def main() -> None:
    """Serve with the journal and log in the folder named, on the event loop named.

    With a third argument the calls of the event loop's thread are counted and saved there.
    """
    folder, loop, *profile = sys.argv[1:]
    set_up_logs("json", Path(folder) / "server.log", "info")
    journal = str(Path(folder) / "journal.db")
    arguments = ["--port", "0", "--journal", journal, "--loop", loop, *UNBOUND]
    tune_python()
    with asyncio.Runner(loop_factory=loop_factory(loop)) as runner:
        if not profile:
            runner.run(serve(arguments))
            return
        calls = cProfile.Profile()
        calls.runcall(runner.run, serve(arguments))
        calls.dump_stats(profile[0])


if __name__ == "__main__":
    main()
