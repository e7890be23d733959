"""Releases on the beat: how far after it frames arrive, and how many slip, which must be none.

Many matches at once on the server of the timing test, with windows of one beat, so that a
release of every match falls on every second beat; README.md beside it has the command.
"""

import argparse
import asyncio
import json
import tempfile
from pathlib import Path
from typing import Any

from secrecy.timing import Seen, observe, timing_server

MATCHES = 50
WINDOWS = 500


def tally(log: Path) -> dict[str, Any]:
    """Return what the server says of its releases when it stops."""
    lines = [json.loads(line) for line in log.read_text().splitlines()]
    return next(line for line in reversed(lines) if line["event"] == "stopped")


def spread(seen: list[Seen]) -> str:
    """Return how long after the nominal beat frames arrived."""
    late = sorted(frame.late_us / 1000 for frame in seen)
    middle, far = late[len(late) // 2], late[int(0.95 * len(late))]
    return f"median {middle:.1f} ms, 95 % within {far:.1f} ms, the last {late[-1]:.1f} ms"


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description="Measure releases on the beat.")
    parser.add_argument("--matches", type=int, default=MATCHES)
    parser.add_argument("--windows", type=int, default=WINDOWS, help="timed windows of them all")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        with timing_server(folder) as server:
            seen = asyncio.run(observe(server, given.matches, given.windows, "bench"))
        found = tally(folder / "server.log")
    print(f"{given.matches} matches with windows of one beat: {found['on_beat']} releases")
    print(f"  arrival after the beat     {spread(seen)}")
    print(f"  the latest release         {found['latest_ms']} ms after its beat")
    print(f"  slips, which must be 0     {found['slips']}", flush=True)


if __name__ == "__main__":
    main()
