"""Whether players notice a storm of HTTP: windows of a match while many fetch what they can.

The server has no limit of an address, so what bounds the storm is the server's places for HTTP
alone. README.md beside this says what is measured and what it came to.
"""

import argparse
import asyncio
import contextlib
import json
import statistics
import subprocess
from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple, final

from fanout import APART_S, WARM, far, on_ours, opened
from run import child, line_of, tell

from sunglare_protocol.codec import Form, encode_client
from sunglare_protocol.ids import MatchId
from sunglare_protocol.messages import Resign

FETCHING, WINDOWS, RUNS = 64, 200, 3
_RESIGN = 1_000_000


@final
class Run(NamedTuple):
    """How long the windows of a run took in ms, and which answers the storm got."""

    took_ms: list[float]
    came: Counter[str]


async def ended(url: str) -> MatchId:
    """Play some windows of a match and end it; return it."""
    match = await opened(url)
    await match.begin()
    await match.play(WINDOWS, 0)
    await match.send(encode_client(Resign(id=_RESIGN, match=match.match), Form.PACKED))
    await asyncio.sleep(1)
    await match.close()
    return match.match


@contextlib.contextmanager
def storm(url: str, over: MatchId, fetching: int) -> Iterator[subprocess.Popen[str] | None]:
    """Have so many fetch; nobody for none."""
    if not fetching:
        yield None
        return
    with child("http_storm_clients.py", url, over, str(fetching)) as clients:
        yield clients


def run(windows: int, fetching: int, loop: str) -> Run:
    """Play a match on a new server while so many fetch."""

    async def part(server: subprocess.Popen[str], url: str) -> Run:
        del server
        over, match = await ended(url), await opened(url)
        await match.begin()
        await match.play(WARM, APART_S)
        with storm(url, over, fetching) as clients:
            if clients is not None:
                await asyncio.to_thread(line_of, clients)
            took_ms = await match.play(windows, APART_S)
            came = Counter[str]()
            if clients is not None:
                tell(clients)
                came.update(json.loads(await asyncio.to_thread(line_of, clients)))
        await match.close()
        return Run(took_ms, came)

    return on_ours(part, loop)


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description="Measure whether players notice HTTP.")
    parser.add_argument("--fetching", type=int, default=FETCHING)
    parser.add_argument("--windows", type=int, default=WINDOWS)
    parser.add_argument("--runs", type=int, default=RUNS)
    parser.add_argument("--loop", default="auto")
    given = parser.parse_args()
    calm, stormy = list[Run](), list[Run]()
    for _ in range(given.runs):
        calm.append(run(given.windows, 0, given.loop))
        stormy.append(run(given.windows, given.fetching, given.loop))
    for name, runs in (("calm", calm), (f"{given.fetching} fetch", stormy)):
        shares = [
            statistics.median(far(each.took_ms, share) for each in runs) for share in (0.5, 0.99)
        ]
        by_run = " ".join(f"{far(each.took_ms, 0.99):.1f}" for each in runs)
        print(f"  {name:12}{shares[0]:7.1f} ms at p50{shares[1]:7.1f} ms at p99   {by_run}")
    came = sum((each.came for each in stormy), Counter[str]())
    print(f"  answers: {dict(came)}")


if __name__ == "__main__":
    main()
