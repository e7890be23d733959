"""A database whose thread hangs, as on a disk that does not answer, holds up nothing it is not."""

import asyncio
import sqlite3
import threading
from pathlib import Path

import pytest

from builders.operators import asked, typed
from builders.scrapes import figures
from builders.servers import running_app
from sunglare_server.ops.control.requests import StatusAsked

HUNG_S = 60.0
"""The thread goes on after so long at the latest."""

Capsys = pytest.CaptureFixture[str]


async def test_status_and_figures_are_told_while_the_database_hangs(
    tmp_path: Path, capsys: Capsys
) -> None:
    async with running_app(tmp_path, metrics=0) as app:
        known = (await asked(app, StatusAsked())).standing
        assert known is not None
        assert known.matches["over"] == 0
        database = app.operator.site.database
        assert database is not None
        may_go_on = threading.Event()

        def hang(_: sqlite3.Connection) -> bool:
            return may_go_on.wait(HUNG_S)

        hung = asyncio.create_task(database.run(hang))
        try:
            done = await typed(capsys, app, "status")
            shown = await figures(app.metrics.port)
            standing = (await asked(app, StatusAsked())).standing
        finally:
            may_go_on.set()
        # Whoever was told was not told by a database that had gone on.
        assert await hung
        assert done.code == 0
        assert standing is not None
        # How many are over is in the database alone.
        assert "over" not in standing.matches
        assert shown["sunglare_storing"] == 1
        assert 'sunglare_matches{state="waiting"}' in shown
