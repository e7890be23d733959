"""The server of `fanout.py`, in a process of its own: the whole product, its slices timed.

For each line on its input it tells its CPU time, and the longest that sending to spectators has
held the loop since the line before. Nothing of the product is changed for that: the gallery is
called through a wrapper that looks at the clocks.
"""

import asyncio
import json
import signal
import sys
import time
from pathlib import Path
from typing import final

from meter import for_each_line

from sunglare_server.app import App
from sunglare_server.base.entropy import SeededEntropy
from sunglare_server.cli import read_settings
from sunglare_server.gateway.outbox import Outbox
from sunglare_server.logs import set_up_logs
from sunglare_server.process import loop_factory, tune_python
from sunglare_server.runtime.spectator_fanout import SpectatorBroadcaster

SEED = b"the bench"

UNBOUND = (
    *("--connections", "20000", "--connections-per-address", "20000", "--handshake-s", "120"),
    *("--message-rate", "1000000", "--address-rate", "1000000", "--openings", "1000000"),
)
"""The bench is one address with thousands of spectators."""


@final
class Slices:
    """How long each slice of sends holds the loop: what it puts, and the writes it leads to.

    The loop makes those writes before it begins the next slice. `turn_ms` is from one slice to the
    next on the clock, with all that comes in between: inputs, pings, the windows of other matches.
    `busy_ms` is the processor time of the same, which no other program can lengthen.
    """

    def __init__(self) -> None:
        """Begin without any."""
        self.sends_ms: list[float] = []
        self.turn_ms: list[float] = []
        self.busy_ms: list[float] = []
        self._sending_s: float | None = None
        self._begun = self._busy = 0.0

    def watch(self) -> None:
        """Time every slice from now on."""
        serve, flush = SpectatorBroadcaster._serve, Outbox.flush  # noqa: SLF001 - measured from outside

        def timed(broadcaster: SpectatorBroadcaster) -> None:
            self._note()
            self._begun, self._sending_s = time.perf_counter(), 0.0
            self._busy = time.thread_time()
            serve(broadcaster)
            self._sending_s += time.perf_counter() - self._begun
            if not broadcaster._waiting:  # noqa: SLF001
                asyncio.get_running_loop().call_soon(self._note)

        def flushed(outbox: Outbox) -> None:
            begun = time.perf_counter()
            flush(outbox)
            if self._sending_s is not None and not outbox.is_seated:
                self._sending_s += time.perf_counter() - begun

        setattr(SpectatorBroadcaster, serve.__name__, timed)
        setattr(Outbox, flush.__name__, flushed)

    def _note(self) -> None:
        if self._sending_s is not None:
            self.sends_ms.append(self._sending_s * 1000)
            self.turn_ms.append((time.perf_counter() - self._begun) * 1000)
            self.busy_ms.append((time.thread_time() - self._busy) * 1000)
        self._sending_s = None

    def told(self) -> str:
        """Return what was noted since the last time, as JSON."""
        cpu_s = time.process_time()
        found = {
            "cpu_s": cpu_s,
            "sends_ms": self.sends_ms,
            "turn_ms": self.turn_ms,
            "busy_ms": self.busy_ms,
        }
        self.sends_ms, self.turn_ms, self.busy_ms = [], [], []
        return json.dumps(found)


async def serve(arguments: list[str], slices: Slices) -> None:
    """Run the server with these settings until the input ends."""

    async def metered() -> None:
        await for_each_line(slices.told)
        signal.raise_signal(signal.SIGTERM)

    meter = asyncio.create_task(metered())
    await App(read_settings(arguments), entropy=SeededEntropy(SEED)).run()
    await meter


def main() -> None:
    """Serve with everything in the folder named, on the event loop named."""
    folder, loop = sys.argv[1:]
    set_up_logs("json", Path(folder) / "server.log", "info")
    journal = str(Path(folder) / "journal.db")
    where = ["--port", "0", "--journal", journal, "--data", folder, "--loop", loop]
    slices = Slices()
    slices.watch()
    tune_python()
    with asyncio.Runner(loop_factory=loop_factory(loop)) as runner:
        runner.run(serve([*where, *UNBOUND], slices))


if __name__ == "__main__":
    main()
