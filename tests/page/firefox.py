"""A second real browser for the tests of the page: Firefox, spoken to by WebDriver BiDi."""

import asyncio
import contextlib
import itertools
import json
import shutil
import tempfile
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any, Final, final

from websockets.asyncio.client import ClientConnection
from websockets.asyncio.client import connect as open_socket

from builders.wires import WAIT_S
from page.browser import MESSAGE_BYTES, Screen, running
from page.nodes import need

NAMES: Final = ("firefox-esr", "firefox")
"""What the browser is called by those who ship it."""

EVENTS: Final = ("log.entryAdded", "network.beforeRequestSent")

LOUD: Final = ("error", "warn")
"""The levels of what is written to the console that count as complaints."""


@final
class FirefoxTab(Screen):
    """One page of Firefox."""

    def __init__(self, socket: ClientConnection) -> None:
        """Speak over `socket`."""
        super().__init__()
        self.context = ""
        self._socket = socket
        self._ids = itertools.count(1)
        self._answers: dict[int, asyncio.Future[dict[str, Any]]] = {}
        self._reader = asyncio.create_task(self._read())

    async def tell(self, method: str, **parameters: Any) -> dict[str, Any]:
        """Have the browser do something and return its answer."""
        number = next(self._ids)
        answer = self._answers[number] = asyncio.get_running_loop().create_future()
        said = {"id": number, "method": method, "params": parameters}
        await self._socket.send(json.dumps(said))
        return await asyncio.wait_for(answer, WAIT_S)

    async def value(self, script: str) -> Any:
        """Return what an expression of JavaScript results in, as far as JSON has it."""
        told = await self.tell(
            "script.evaluate",
            expression=f"Promise.resolve({script}).then((one) => JSON.stringify(one ?? null))",
            target={"context": self.context},
            awaitPromise=True,
        )
        assert told["type"] == "success", told
        return json.loads(told["result"]["value"])

    async def click(self, x: float, y: float) -> None:
        """Click a point of what is in sight, in CSS pixels from its top left."""
        moved = {"type": "pointerMove", "x": round(x), "y": round(y)}
        acts = [moved, *({"type": f"pointer{way}", "button": 0} for way in ("Down", "Up"))]
        mouse = {"type": "pointer", "id": "mouse", "actions": acts}
        await self.tell("input.performActions", context=self.context, actions=[mouse])

    async def open(self, url: str) -> None:
        """Go to an address."""
        await self.tell("browsingContext.navigate", context=self.context, url=url, wait="complete")

    async def size(self, width: int, height: int) -> None:
        """Be a screen of that size."""
        about = {"context": self.context, "viewport": {"width": width, "height": height}}
        await self.tell("browsingContext.setViewport", **about)

    async def _read(self) -> None:
        async for line in self._socket:
            heard = json.loads(line)
            if heard["type"] == "event":
                self._note(heard["method"], heard["params"])
                continue
            answer = self._answers.pop(heard["id"])
            if answer.done():  # the wait for it ended
                continue
            if heard["type"] == "error":
                answer.set_exception(AssertionError(heard))
            else:
                answer.set_result(heard["result"])

    def _note(self, method: str, told: dict[str, Any]) -> None:
        if method == "network.beforeRequestSent" and told["context"] == self.context:
            self.asked.append(told["request"]["url"])
        elif method == "log.entryAdded" and told["level"] in LOUD:
            self.complaints.append(json.dumps(told))


@contextlib.asynccontextmanager
async def firefox() -> AsyncIterator[FirefoxTab]:
    """Run Firefox; at the end the page must have complained of nothing."""
    path = need(next((path for name in NAMES if (path := shutil.which(name))), None), "Firefox")
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        flags = ("--headless", "--no-remote", "--remote-debugging-port=0", "--profile", profile)
        async with running(path, *flags):
            address = await _address(Path(profile))
            async with open_socket(
                address, proxy=None, compression=None, max_size=MESSAGE_BYTES
            ) as socket:
                tab = await _begun(socket)
                yield tab
                assert tab.complaints == []


async def _address(profile: Path) -> str:
    """Return the address at which the browser listens, once it has written it down."""
    noted = profile / "WebDriverBiDiServer.json"
    async with asyncio.timeout(WAIT_S):
        while not (noted.exists() and noted.read_text().rstrip().endswith("}")):  # noqa: ASYNC110
            await asyncio.sleep(0.02)
    told = json.loads(noted.read_text())
    return f"ws://{told['ws_host']}:{told['ws_port']}/session"


async def _begun(socket: ClientConnection) -> FirefoxTab:
    """Return the first page once its events come."""
    tab = FirefoxTab(socket)
    await tab.tell("session.new", capabilities={})
    tree = await tab.tell("browsingContext.getTree")
    tab.context = tree["contexts"][0]["context"]
    await tab.tell("session.subscribe", events=list(EVENTS), contexts=[tab.context])
    await tab.size(1280, 800)
    return tab
