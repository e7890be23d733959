"""How long the watch page takes to draw 105 pieces, beside as many plain shapes, in a browser."""

import asyncio
import tempfile
from pathlib import Path

import structlog

from builders.servers import running_app
from page.browser import browser_path
from page.drawing import MOST, Drawing, measured
from page.watching import home, visitor


async def drawing() -> Drawing:
    """Return what it took on the page of a server."""
    with tempfile.TemporaryDirectory() as folder:
        async with running_app(Path(folder)) as app, visitor() as tab:
            await tab.open(home(app.url))
            return await measured(tab)


def main() -> None:
    """Print the figures; without a browser one line."""
    if browser_path() is None:
        print("The drawing of the watch page was not measured: no browser was found.")
        return
    structlog.configure(logger_factory=structlog.ReturnLoggerFactory())
    took = asyncio.run(drawing())
    shapes, worded = took.shapes, took.worded
    print(f"The watch page, ms of script for {took.number} pieces; wanted {MOST:g}x plain shapes:")
    print(f"  pieces {took.pieces:.3f}, plain shapes {shapes:.3f}: {took.ratio:.1f}x")
    print(
        f"  board with names at first {took.first:.3f}: {took.first / shapes:.1f}x plain shapes,"
    )
    print(f"  drawn again {took.board:.3f}: {took.whole:.1f}x plain shapes,")
    print(f"    {took.board / worded:.1f}x plain shapes with the same words ({worded:.3f})")


if __name__ == "__main__":
    main()
