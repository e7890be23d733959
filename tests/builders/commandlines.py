"""The client as a program: run with a home of its own, typed to, and read to its end."""

import asyncio
import os
import sys
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


def without_settings(**more: str) -> dict[str, str]:
    """Return the environment without the project's variables, of which a server logs unknown ones.

    `more` are variables that stand in it besides.
    """
    kept = {name: value for name, value in os.environ.items() if not name.startswith("SUNGLARE_")}
    return {**kept, **more}


async def client_process(
    *words: str, home: Path, token: str = "", path: str = SOURCES
) -> asyncio.subprocess.Process:
    """Start the client as an account that its environment tells; `path` is its `PYTHONPATH`."""
    known = {"SUNGLARE_TOKEN": token} if token else {}
    return await asyncio.create_subprocess_exec(
        sys.executable,
        *("-m", "sunglare_client", *words),
        env={**os.environ, "PYTHONPATH": path, "SUNGLARE_HOME": str(home), **known},
        cwd=home,
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )


async def sunglare(
    *words: str, home: Path, typed: str = "", token: str = "", path: str = SOURCES
) -> Done:
    """Run the client with a home of its own, in which it works.

    `typed` is what it reads, `token` what its environment says that it is, `path` its
    `PYTHONPATH`.
    """
    process = await client_process(*words, home=home, token=token, path=path)
    async with asyncio.timeout(PATIENCE_S):
        out, err = await process.communicate(typed.encode())
    assert process.returncode is not None
    return Done(process.returncode, out.decode(), err.decode())
