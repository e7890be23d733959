"""The client as a program: run with a home of its own, typed to, and read to its end."""

import asyncio
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[2]
SOURCES = os.pathsep.join(str(ROOT / folder) for folder in ("server", "client", "protocol"))

PATIENCE_S = 50.0
"""Seconds in which a run of the client must end."""


class Done(NamedTuple):
    """What a run of the client came to."""

    code: int
    out: str
    err: str


async def client_process(
    *words: str,
    home: Path,
    path: str = SOURCES,
    token: str = "",
    begun: Callable[[], object] | None = None,
) -> asyncio.subprocess.Process:
    """Start the client as an account that its environment tells; `begun` is called in it first."""
    known = {"SUNGLARE_TOKEN": token} if token else {}
    return await asyncio.create_subprocess_exec(
        sys.executable,
        *("-m", "sunglare_client", *words),
        env={**os.environ, "PYTHONPATH": path, "SUNGLARE_HOME": str(home), **known},
        cwd=home,
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
        preexec_fn=begun,
    )


async def sunglare(
    *words: str, home: Path, typed: str = "", token: str = "", stub: Path | None = None
) -> Done:
    """Run the client with a home of its own, perhaps with a stub in the place of the server.

    `typed` is what it reads, `token` what its environment says that it is.
    """
    path = SOURCES if stub is None else f"{stub}{os.pathsep}{SOURCES}"
    process = await client_process(*words, home=home, path=path, token=token)
    async with asyncio.timeout(PATIENCE_S):
        out, err = await process.communicate(typed.encode())
    assert process.returncode is not None
    return Done(process.returncode, out.decode(), err.decode())
