"""A real browser for the tests of the page: Chromium, spoken to by its own protocol.

The tests of a process share one browser and have a context of it each, with a store and a cache
that no other one sees. It runs in a process group of its own with a new profile, and the whole
group is ended by its number: the launcher of some distributions leaves the browser itself behind.
"""

import asyncio
import atexit
import base64
import contextlib
import itertools
import json
import os
import shutil
import signal
import subprocess
import tempfile
from abc import ABC, abstractmethod
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any, Final, final

from websockets.asyncio.client import ClientConnection
from websockets.asyncio.client import connect as open_socket

from builders.wires import WAIT_S

NAMES: Final = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
"""What the browser is called by those who ship it."""

FLAGS: Final = (
    "--headless",
    "--no-sandbox",
    "--disable-background-networking",
    "--disable-component-update",
    "--no-first-run",
    "--remote-debugging-port=0",
    "--hide-scrollbars",
)

SEEN_S: Final = 40.0
"""Seconds in which whatever a test waits for must be seen."""

MESSAGE_BYTES: Final = 64 * 1024 * 1024


def browser_path() -> str | None:
    """Return where a browser is; None where there is none."""
    return next((path for name in NAMES if (path := shutil.which(name))), None)


class Screen(ABC):
    """One page of any browser: what is seen there, and where one clicks.

    `complaints` is what was written to its console, `asked` the addresses that it asked for.
    """

    def __init__(self) -> None:
        """Begin with neither."""
        self.complaints: list[str] = []
        self.asked: list[str] = []

    @abstractmethod
    async def value(self, script: str) -> Any:
        """Return what an expression of JavaScript results in."""

    @abstractmethod
    async def click(self, x: float, y: float) -> None:
        """Click a point of what is in sight, in CSS pixels from its top left."""

    async def until(self, script: str) -> None:
        """Wait until an expression is true."""
        try:
            async with asyncio.timeout(SEEN_S):
                while not await self._is_true(script):  # noqa: ASYNC110
                    await asyncio.sleep(0.05)
        except TimeoutError:
            seen = await self.value("location.href + '\\n' + document.body.innerText")
            raise AssertionError(f"never: {script}\n{seen}\n{self.complaints}") from None

    async def _is_true(self, script: str) -> bool:
        """Return whether an expression is true; it is not while the page goes to another one."""
        try:
            return bool(await self.value(f"Boolean({script})"))
        except AssertionError as fault:
            if "navigated" in str(fault):
                return False
            raise


@final
class Tab(Screen):
    """One page of Chromium; what it asks in a dialog is answered with yes.

    `frames` counts the pictures of it that differ, once `Page.startScreencast` was told.
    """

    def __init__(self, socket: ClientConnection, address: str, context: str) -> None:
        """Speak over `socket`, which was opened at `address`, of a page in `context`."""
        super().__init__()
        self.frames = 0
        self.address = address
        self.context = context
        self._socket = socket
        self._ids = itertools.count(1)
        self._answers: dict[int, asyncio.Future[dict[str, Any]]] = {}
        self._reader = asyncio.create_task(self._read())

    async def tell(self, method: str, **parameters: Any) -> dict[str, Any]:
        """Have the browser do something and return its answer."""
        return await asyncio.wait_for(await self._say(method, **parameters), WAIT_S)

    async def value(self, script: str) -> Any:
        """Return what an expression of JavaScript results in."""
        told = await self.tell(
            "Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True
        )
        assert "exceptionDetails" not in told, told["exceptionDetails"]
        return told["result"].get("value")

    async def click(self, x: float, y: float) -> None:
        """Click a point of what is in sight, in CSS pixels from its top left."""
        for kind in ("mousePressed", "mouseReleased"):
            about: dict[str, Any] = {"type": kind, "button": "left", "clickCount": 1}
            await self.tell("Input.dispatchMouseEvent", x=x, y=y, **about)

    async def open(self, url: str) -> None:
        """Go to an address, also one that differs in its fragment alone."""
        await self.tell("Page.navigate", url="about:blank")
        await self.tell("Page.navigate", url=url)
        await self.until("document.readyState === 'complete'")

    async def press(self, key: str, *, shift: bool = False) -> None:
        """Press a key and let it go."""
        code = {" ": "Space"}.get(key, key)
        text = {"Enter": "\r"}.get(key, key if len(key) == 1 else "")
        modifiers = 8 if shift else 0
        virtual = {"Enter": 13, " ": 32, "Tab": 9}.get(key, ord(key) if len(key) == 1 else 0)
        about = {"key": key, "code": code, "modifiers": modifiers}
        about["windowsVirtualKeyCode"] = virtual
        await self.tell("Input.dispatchKeyEvent", type="keyDown", text=text, **about)
        await self.tell("Input.dispatchKeyEvent", type="keyUp", **about)

    async def size(self, width: int, height: int, *, dark: bool = False) -> None:
        """Be a screen of that size, in a theme."""
        await self.tell(
            "Emulation.setDeviceMetricsOverride",
            width=width,
            height=height,
            deviceScaleFactor=1,
            mobile=width < 600,
        )
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        await self.tell("Emulation.setEmulatedMedia", features=[scheme])

    async def picture(self, *, is_whole: bool = False) -> bytes:
        """Return what is seen, or the page to its end, as a PNG."""
        about = {"format": "png", "captureBeyondViewport": is_whole}
        if is_whole:
            size = (await self.tell("Page.getLayoutMetrics"))["cssContentSize"]
            about["clip"] = {**size, "scale": 1}
        told = await self.tell("Page.captureScreenshot", **about)
        return base64.b64decode(told["data"])

    async def _say(self, method: str, **parameters: Any) -> asyncio.Future[dict[str, Any]]:
        number = next(self._ids)
        answer = self._answers[number] = asyncio.get_running_loop().create_future()
        said = {"id": number, "method": method, "params": parameters}
        await self._socket.send(json.dumps(said))
        return answer

    async def _read(self) -> None:
        async for line in self._socket:
            heard = json.loads(line)
            if "id" in heard:
                fault = heard.get("error")
                answer = self._answers.pop(heard["id"])
                if answer.done():  # the wait for it ended
                    continue
                if fault is None:
                    answer.set_result(heard["result"])
                else:
                    answer.set_exception(AssertionError(fault))
            elif heard["method"] == "Page.screencastFrame":
                self.frames += 1
                session = heard["params"]["sessionId"]
                await self._say("Page.screencastFrameAck", sessionId=session)
            elif heard["method"] == "Page.javascriptDialogOpening":
                await self._say("Page.handleJavaScriptDialog", accept=True)
            else:
                self._note(heard["method"], heard["params"])

    def _note(self, method: str, told: dict[str, Any]) -> None:
        if method == "Network.requestWillBeSent":
            self.asked.append(told["request"]["url"])
        elif method == "Network.webSocketCreated":
            self.asked.append(told["url"])
        elif method == "Runtime.exceptionThrown":
            self.complaints.append(json.dumps(told["exceptionDetails"]))
        elif method == "Log.entryAdded" and told["entry"]["level"] == "error":
            self.complaints.append(f"{told['entry']['text']} {told['entry'].get('url', '')}")
        elif method == "Runtime.consoleAPICalled" and told["type"] in ("error", "warning"):
            self.complaints.append(json.dumps(told["args"]))


@contextlib.asynccontextmanager
async def running(*command: str) -> AsyncIterator[None]:
    """Run a browser on an empty page, and end its whole process group."""
    process = await asyncio.create_subprocess_exec(
        *command,
        "about:blank",
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.DEVNULL,
        stderr=asyncio.subprocess.DEVNULL,
        process_group=0,
    )
    try:
        yield
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        await process.wait()


GUARD: Final = 'read -r line; kill -s KILL -- "-$0"'
"""Ends a process group once the writing end of its standard input is closed."""


@final
class Browser:
    """Chromium in processes of its own, which end with this one, even if it is killed."""

    def __init__(self, path: str) -> None:
        """Start it with a new profile; it listens a moment later."""
        self._profile = Path(tempfile.mkdtemp(prefix="sunglare-profile-"))
        self._process = subprocess.Popen(
            [path, *FLAGS, f"--user-data-dir={self._profile}", "about:blank"],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            process_group=0,
        )
        self._guard = subprocess.Popen(
            ["/bin/sh", "-c", GUARD, str(self._process.pid)],
            stdin=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            process_group=0,
        )

    async def address(self) -> tuple[str, str]:
        """Return where it listens, and the path of the browser there, once it has noted both."""
        noted = self._profile / "DevToolsActivePort"
        async with asyncio.timeout(WAIT_S):
            while not (noted.exists() and "\n" in noted.read_text()):  # noqa: ASYNC110
                await asyncio.sleep(0.02)
        port, path = noted.read_text().split()
        return f"ws://127.0.0.1:{port}", path

    def end(self) -> None:
        """End its whole process group, if that has not been done, and forget its profile."""
        if self not in _RUNNING:
            return
        _RUNNING.remove(self)
        self._guard.communicate()
        self._process.wait(WAIT_S)
        shutil.rmtree(self._profile, ignore_errors=True)


_RUNNING: Final[list[Browser]] = []
"""The browser that the tests of this process share, once one of them has asked for it."""


def _shared() -> Browser:
    """Return the browser of this process, which is started where none runs."""
    if not _RUNNING:
        path = browser_path()
        assert path is not None
        _RUNNING.append(Browser(path))
        atexit.register(_RUNNING[0].end)
    return _RUNNING[0]


@contextlib.asynccontextmanager
async def browsing() -> AsyncIterator[Tab]:
    """Open an empty page for a visitor of whom nothing is stored.

    The browser in which a test has failed is ended, as it may be the cause.
    """
    browser = _shared()
    try:
        at, path = await browser.address()
        async with _told(f"{at}{path}") as whole:
            made = await whole.tell("Target.createBrowserContext")
            context: str = made["browserContextId"]
            async with _page(whole, context) as tab:
                yield tab
            await whole.tell("Target.disposeBrowserContext", browserContextId=context)
    except BaseException:
        browser.end()
        raise


@contextlib.asynccontextmanager
async def second(tab: Tab) -> AsyncIterator[Tab]:
    """Open another page for the same visitor, with the same store."""
    async with _page(tab, tab.context) as other:
        yield other
        assert other.complaints == []


@contextlib.asynccontextmanager
async def _page(asked: Tab, context: str) -> AsyncIterator[Tab]:
    """Open an empty page in a context of the browser that `asked` is of."""
    about = {"url": "about:blank", "browserContextId": context}
    made = await asked.tell("Target.createTarget", **about)
    at = asked.address.partition("/devtools/")[0]
    async with _told(f"{at}/devtools/page/{made['targetId']}", context) as tab:
        for domain in ("Page", "Runtime", "Network", "Log"):
            await tab.tell(f"{domain}.enable")
        yield tab


@contextlib.asynccontextmanager
async def _told(address: str, context: str = "") -> AsyncIterator[Tab]:
    """Connect to the browser as a whole, or to a page of it."""
    async with open_socket(
        address, proxy=None, compression=None, max_size=MESSAGE_BYTES
    ) as socket:
        yield Tab(socket, address, context)
