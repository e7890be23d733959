"""A private server as a child process: started on a free port, stopped when it is left."""

import asyncio
import contextlib
import sys
from collections.abc import AsyncIterator
from pathlib import Path

from sunglare_protocol.errors import SunglareError
from sunglare_protocol.extras import install_command, is_installed

START_S = 20.0
"""Seconds in which the server must listen."""

STOP_S = 5.0
"""Seconds in which it must end once it was asked to."""

LISTENING = "listening on "
"""How the server's one line on standard output begins."""

JOURNAL = "journal.db"
LOG = "server.log"
ERRORS = "server.err"


class ChildError(SunglareError):
    """The private server could not be started; the text says why and what to do."""


@contextlib.asynccontextmanager
async def child_server(folder: Path, seed: str = "") -> AsyncIterator[str]:
    """Run a server with its journal and log in `folder` and yield its address.

    With a seed it draws the same dice every time, and keeps no secret.

    Raise `ChildError` if it does not come up. It is ended on the way out, whatever happens.
    """
    if not is_installed("server"):
        raise ChildError(f"This needs the server: {install_command('server')}")
    _make(folder)
    process = await _start(folder, seed)
    try:
        yield await _address(process, folder)
    finally:
        await _stop(process)


def _make(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)


async def _start(folder: Path, seed: str) -> asyncio.subprocess.Process:
    with (folder / ERRORS).open("wb") as errors:
        return await asyncio.create_subprocess_exec(
            sys.executable,
            # What lies in the folder of the caller, such as html.py, is not to be imported.
            *("-P", "-m", "sunglare_server", "--host", "127.0.0.1", "--port", "0"),
            *("--journal", str(folder / JOURNAL)),
            *("--log-format", "json", "--log-file", str(folder / LOG)),
            # Its input is ours alone, so it ends with us even if we are killed.
            "--until-input-ends",
            *(("--seed", seed) if seed else ()),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=errors,
        )


async def _address(process: asyncio.subprocess.Process, folder: Path) -> str:
    line = ""
    if process.stdout is not None:
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(START_S):
                line = (await process.stdout.readline()).decode("utf-8", "replace").strip()
    if line.startswith(LISTENING):
        return line.removeprefix(LISTENING)
    words = (folder / ERRORS).read_text(errors="replace").strip().splitlines()
    said = words[-1] if words else line or "it said nothing"
    raise ChildError(f"The private server did not start: {said} (see {folder})")


async def _stop(process: asyncio.subprocess.Process) -> None:
    with contextlib.suppress(ProcessLookupError):
        process.terminate()
    try:
        async with asyncio.timeout(STOP_S):
            await process.wait()
    except TimeoutError:
        with contextlib.suppress(ProcessLookupError):
            process.kill()
        await process.wait()
