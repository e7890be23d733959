"""Our server under the yardstick's load: the whole product, its journal included, without limits.

    serve.py FOLDER

Only its entropy is seeded, so that recorded matches go the same way whenever they are played. It
runs with this checkout's modules or, by another Python, with those of an earlier one.
"""

import asyncio
import sys
from pathlib import Path

from sunglare_server.app import App
from sunglare_server.base.entropy import SeededEntropy
from sunglare_server.cli import read_settings
from sunglare_server.logs import set_up_logs
from sunglare_server.process import loop_factory, tune_python

SEED = b"the bench"
DATA = Path(__file__).resolve().parent / "data"

UNBOUND = (
    "message-rate",
    "address-rate",
    "openings",
    "connections",
    "connections-per-address",
    "matches",
    "matches-per-account",
    "rooms-per-address",
    "seats-per-account",
    "seats-per-bot",
    "guesses",
)
"""The limits that one address which plays many matches flat out would meet."""


async def serve(folder: Path) -> None:
    """Run the server until it is told to end; it prints `listening on URL`."""
    limits = [word for name in UNBOUND for word in (f"--{name}", "1000000")]
    arguments = ["--port", "0", "--journal", str(folder / "journal.db"), "--data", str(DATA)]
    await App(read_settings([*arguments, *limits]), entropy=SeededEntropy(SEED)).run()


def main() -> None:
    """Serve with the journal and the log in the folder named."""
    folder = Path(sys.argv[1])
    set_up_logs("json", folder / "server.log", "info")
    tune_python()
    with asyncio.Runner(loop_factory=loop_factory("auto")) as runner:
        runner.run(serve(folder))


if __name__ == "__main__":
    main()
