"""The server of the timing test, in a process of its own, with windows of one beat.

It is the whole product, journal included. Only the clock preset `blitz` is shortened and has no
bank, and a window may be as short as a beat, so that thousands go by in a minute; and a fault is
planted if a second argument asks for it.
The first line on standard output is the number of nanoseconds by which the server's clock is
ahead of the steady clock of the machine.
"""

import asyncio
import sys
import time
from pathlib import Path

from msgspec.structs import replace

from builders.openlimits import FLAGS
from planted import late_release
from sunglare_server.app import App
from sunglare_server.base.clock import SystemClock
from sunglare_server.cli import read_settings
from sunglare_server.logs import set_up_logs
from sunglare_server.match.clock import presets as clocks
from sunglare_server.match.clock.presets import BEAT_MS, PRESETS
from sunglare_server.process import loop_factory, tune_python

VEIL = """
title = "Veil"
turns = 200
fixed = true
options = { clock = "blitz", scan_slots = "sealed" }
[sides.A]
ships = [{ name = "Eye", type = "raider", at = [2, 20], facing = "N", cloaked = true }]
[sides.B]
ships = [
    { name = "Shade", type = "corvette", at = [36, 17], facing = "N" },
    { name = "Gloom", type = "corvette", at = [37, 18], facing = "N" },
    { name = "Murk", type = "corvette", at = [38, 19], facing = "N" },
    { name = "Dusk", type = "corvette", at = [36, 20], facing = "N" },
    { name = "Haze", type = "corvette", at = [37, 21], facing = "N" },
    { name = "Smoke", type = "corvette", at = [38, 22], facing = "N" },
]
"""
"""Six ships that turn, and listen for a cloaked one, where nobody sees or hears them."""


def main() -> None:
    """Serve with everything in the folder named until told to end."""
    folder, plants = Path(sys.argv[1]), sys.argv[2:]
    if "late" in plants:
        late_release.plant()
    PRESETS["blitz"] = replace(
        PRESETS["blitz"],
        plot_ms=BEAT_MS,
        sense_ms=BEAT_MS,
        fire_ms=BEAT_MS,
        bank_ms=0,
        extra_ms=0,
        counts_misses=False,
    )
    clocks.FLOOR_MS = BEAT_MS
    (folder / "scenarios").mkdir()
    (folder / "scenarios" / "veil.toml").write_text(VEIL)
    set_up_logs("json", folder / "server.log", "info")
    journal = str(folder / "journal.db")
    where = ("--port", "0", "--journal", journal, "--data", str(folder))
    settings = read_settings([*where, *FLAGS])
    tune_python()
    clock = SystemClock()
    print(time.time_ns() - time.monotonic_ns(), flush=True)  # noqa: T201 - for the parent
    with asyncio.Runner(loop_factory=loop_factory("auto")) as runner:
        sys.exit(runner.run(App(settings, clock).run()))


if __name__ == "__main__":
    main()
