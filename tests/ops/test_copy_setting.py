"""What an operator is told of `--copy`: where it can't be, what it would destroy, how it does."""

import os
import shutil
from pathlib import Path

import pytest
from msgspec.structs import replace

from builders.operators import typed
from builders.players import play_on, started
from builders.servers import running_app
from builders.standings import STANDING
from builders.transports import until
from builders.wires import met
from sunglare_protocol.errors import SunglareError
from sunglare_server.__main__ import main
from sunglare_server.ops.control.answers import CopyLine
from sunglare_server.ops.control.formatting import status_lines


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (("--journal", "here/x.db", "--copy", "here"), "the database itself lies in that folder"),
        (("--journal", "here/x.db", "--copy", "link"), "the database itself lies in that folder"),
        (("worker", "--nats", "nats://n1", "--copy", "there"), "a cluster has no database file"),
    ],
    ids=["its own folder", "a link to it", "a cluster"],
)
def test_a_copy_that_would_be_none_is_wrong_usage(
    words: tuple[str, ...],
    why: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "here").mkdir()
    (tmp_path / "link").symlink_to("here")
    with pytest.raises(SystemExit) as ended:
        main(list(words))
    assert ended.value.code == 2
    assert f"--copy: {why}" in capsys.readouterr().err


async def test_a_server_that_would_destroy_its_copy_does_not_start(tmp_path: Path) -> None:
    copy = tmp_path / "there"
    os.mkdir(copy)
    async with (
        running_app(tmp_path, copy=copy) as app,
        met(app.url) as anna,
        met(app.url) as boris,
    ):
        await play_on(await started([anna, boris]), 2)
    before = read(copy / "journal.db")
    os.unlink(tmp_path / "journal.db")
    with pytest.raises(SunglareError, match=f"{copy}/journal.db: .*it has record"):
        async with running_app(tmp_path, copy=copy):
            pytest.fail("it has started")
    assert read(copy / "journal.db") == before
    shutil.copy(copy / "journal.db", tmp_path)
    async with running_app(tmp_path, copy=copy) as app:
        assert len(app.lobby.rooms) == 1


async def test_status_tells_how_far_behind_the_copy_is(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    copy = tmp_path / "there"
    os.mkdir(copy)
    async with running_app(tmp_path, copy=copy) as app:
        copier = app.operator.site.copier
        assert copier is not None
        await until(lambda: copier.standing.behind_ms is not None)
        done = await typed(capsys, app, "status")
    assert f"copy        {copy}/journal.db, " in done.out
    assert "s behind\n" in done.out


@pytest.mark.parametrize(
    ("copy", "words"),
    [
        (CopyLine(path="/b/x.db"), "/b/x.db, not whole yet"),
        (CopyLine(path="/b/x.db", behind_s=0), "/b/x.db, 0 s behind"),
        (
            CopyLine(path="/b/x.db", behind_s=74, error="No space left on device"),
            "/b/x.db, 74 s behind, FAILS: No space left on device",
        ),
    ],
    ids=["being made", "kept", "failing"],
)
def test_a_copy_is_told_in_one_line(copy: CopyLine, words: str) -> None:
    assert f"copy        {words}" in status_lines(replace(STANDING, copy=copy))
    assert not any(line.startswith("copy") for line in status_lines(STANDING))


def read(path: Path) -> bytes:
    """Return what stands in a file."""
    return path.read_bytes()
