"""The page in a frame of another one: that one, on a port of its own, and what its frame says."""

import asyncio
import contextlib
import threading
from collections.abc import Iterator
from functools import partial
from http.server import HTTPServer, SimpleHTTPRequestHandler
from pathlib import Path
from typing import Any, final

from page.browser import SEEN_S, Tab


@contextlib.contextmanager
def around(folder: Path, address: str) -> Iterator[str]:
    """Serve a page that has this address in a frame, and return where."""
    shown = folder / "around"
    shown.mkdir()
    (shown / "index.html").write_text(f'<iframe src="{address}"></iframe>')
    (shown / "favicon.ico").write_bytes(b"")
    handler = partial(SimpleHTTPRequestHandler, directory=str(shown))
    with HTTPServer(("127.0.0.1", 0), handler) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}/"
        finally:
            server.shutdown()
            thread.join()


@final
class Frame:
    """The frame of a page, in which expressions are evaluated."""

    def __init__(self, tab: Tab, context: int) -> None:
        """Evaluate in this context of a tab."""
        self._tab, self._context = tab, context

    async def value(self, script: str) -> Any:
        """Return what an expression results in, once that is true."""
        waits = (
            "new Promise((done) => { const look = () => {"
            f" const value = {script};"
            " if (value) done(value); else setTimeout(look, 50); }; look(); })"
        )
        told = await self._tab.tell(
            "Runtime.evaluate",
            expression=waits,
            contextId=self._context,
            awaitPromise=True,
            returnByValue=True,
        )
        assert "exceptionDetails" not in told, told["exceptionDetails"]
        return told["result"]["value"]


async def frame_of(tab: Tab) -> Frame:
    """Return the one frame of the page, once it has come to its address."""
    async with asyncio.timeout(SEEN_S):
        while True:
            tree = (await tab.tell("Page.getFrameTree"))["frameTree"]
            (frame,) = tree["childFrames"]
            if frame["frame"]["url"].startswith("http"):
                break
            await asyncio.sleep(0.05)
    made = await tab.tell("Page.createIsolatedWorld", frameId=frame["frame"]["id"])
    return Frame(tab, made["executionContextId"])
