"""The operator of a server that a test runs in its own process: the real commands, as typed."""

import asyncio
from pathlib import Path
from typing import NamedTuple

import pytest
from structlog.testing import capture_logs

from sunglare_server.app import App
from sunglare_server.config import control_path
from sunglare_server.ops.control.answers import Answer
from sunglare_server.ops.control.commands import operate
from sunglare_server.ops.control.control_client import call
from sunglare_server.ops.control.requests import Request


class Typed(NamedTuple):
    """What came of a command: its exit code, and what it printed."""

    code: int
    out: str
    err: str


async def typed(capsys: pytest.CaptureFixture[str], app: App, *words: str) -> Typed:
    """Type a command for the server and return what came of it."""
    capsys.readouterr()
    journal = str(app.settings.journal)
    # Else the lines of the server, which has not set its log up, would stand between.
    with capture_logs():
        code = await asyncio.to_thread(operate, [*words, "--journal", journal])
    printed = capsys.readouterr()
    return Typed(code, printed.out, printed.err)


async def asked(app: App, request: Request) -> Answer:
    """Ask the server over its control socket."""
    path = control_path(app.settings.control, app.settings.journal)
    assert path is not None
    return await asyncio.to_thread(call, path, request)


def socket_of(folder: Path) -> Path:
    """Return where the control socket of a server is that keeps everything in `folder`."""
    return folder / "journal.db.ctl"
