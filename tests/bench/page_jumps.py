"""How long the watch page takes to any turn of a replay of `redondo`, in a real browser.

The file has the frames of every audience and the analysis. README.md beside this has what it came
to; it needs Chromium.
"""

import argparse
import asyncio
import random
import statistics
import tempfile
from pathlib import Path

import structlog
from replay_size import file_of

from builders.servers import running_app
from page.browser import Tab, browser_path
from page.watching import chosen, home, steps, visitor

JUMPS, WANTED_MS = 200, 50.0

SHOWN = "!document.getElementById('show').hidden"

LAST = "document.querySelectorAll('#eyes button').length - 1"
"""The button for all eyes side by side."""

JUMP = """
(async () => {
  const begun = performance.now();
  scrub.value = %d;
  scrub.dispatchEvent(new Event('input'));
  document.body.getBoundingClientRect();
  const done = performance.now() - begun;
  await new Promise((painted) => requestAnimationFrame(() => setTimeout(painted)));
  return [done, performance.now() - begun];
})()
"""
"""Goes to a window: ms until it is drawn and laid out, and until the browser has painted it."""


async def measured(data: bytes, eyes: str) -> tuple[list[float], list[float]]:
    """Return how long jumps to windows at random took, drawn and painted, through these eyes."""
    dice = random.Random(1)
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "match.sgr"
        file.write_bytes(data)
        async with running_app(Path(folder)) as app, visitor() as tab:
            await tab.open(home(app.url))
            await chosen(tab, file)
            await tab.until(SHOWN)
            await tab.value(f"document.querySelectorAll('#eyes button')[{eyes}].click()")
            last = await steps(tab)
            took = [await _jump(tab, dice.randint(0, last)) for _ in range(JUMPS)]
    drawn, painted = zip(*took, strict=True)
    return list(drawn), list(painted)


async def _jump(tab: Tab, index: int) -> tuple[float, float]:
    drawn, painted = await tab.value(JUMP % index)
    return drawn, painted


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description="Measure jumps through a replay on the page.")
    parser.add_argument("--scenario", default="redondo")
    given = parser.parse_args()
    if browser_path() is None:
        raise SystemExit("no browser was found")
    data = file_of(given.scenario).data
    print(
        f"{given.scenario}, a file of {len(data)} bytes, {JUMPS} jumps; wanted p95 {WANTED_MS:g}"
    )
    structlog.configure(logger_factory=structlog.ReturnLoggerFactory())
    for name, eyes in (("truth", "0"), ("side A", "1"), ("side by side", LAST)):
        drawn, painted = asyncio.run(measured(data, eyes))
        print(f"  {name}: drawn {_figures(drawn)}, painted {_figures(painted)}")


def _figures(took: list[float]) -> str:
    cuts = statistics.quantiles(took, n=20)
    return f"median {statistics.median(took):.1f}, p95 {cuts[-1]:.1f}, most {max(took):.1f} ms"


if __name__ == "__main__":
    main()
