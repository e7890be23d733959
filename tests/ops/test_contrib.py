"""The files for operators fit the server: the unit for systemd, and the proxy's configuration."""

import re
import shlex
import shutil
import subprocess
from pathlib import Path

import pytest

from sunglare_server.config import Settings, read_settings
from sunglare_server.net.assets import load_assets
from sunglare_server.net.http import HEALTH_PATH, PLAY_PATH
from sunglare_server.process import END_S, MEDIUM_FAILED

CONTRIB = Path(__file__).parents[2] / "server" / "contrib"
UNIT = CONTRIB / "sunglare.service"
NGINX = CONTRIB / "nginx.conf"


def settings_of_the_unit() -> dict[str, str]:
    lines = UNIT.read_text(encoding="utf-8").splitlines()
    return dict(line.split("=", 1) for line in lines if re.match(r"[A-Z]\w+=", line))


def test_the_unit_starts_a_server_with_flags_that_it_has() -> None:
    program, *flags = shlex.split(settings_of_the_unit()["ExecStart"])
    assert program.endswith("/bin/sunglare-server")
    settings = read_settings(flags)
    folder = settings_of_the_unit()["StateDirectory"]
    assert settings.journal.parent == Path("/var/lib") / folder
    assert settings.host == "127.0.0.1"


def test_systemd_waits_longer_than_the_server_takes_to_end() -> None:
    assert int(settings_of_the_unit()["TimeoutStopSec"]) > END_S


def test_a_failed_disk_is_looked_at_before_the_next_start() -> None:
    codes = settings_of_the_unit()["RestartPreventExitStatus"].split()
    assert str(MEDIUM_FAILED) in codes


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="systemd is not installed")
def test_systemd_accepts_the_unit(tmp_path: Path) -> None:
    text = UNIT.read_text(encoding="utf-8")
    program = settings_of_the_unit()["ExecStart"].split(" ")[0]
    # It looks for the program, which is not installed there.
    (tmp_path / UNIT.name).write_text(text.replace(program, "/bin/true"), encoding="utf-8")
    command = ["systemd-analyze", "verify", "--man=no", str(tmp_path / UNIT.name)]
    done = subprocess.run(command, capture_output=True, timeout=50, check=False)
    assert (done.returncode, done.stderr) == (0, b"")


def test_the_proxy_passes_on_the_game_the_health_and_the_page_and_nothing_else() -> None:
    text = NGINX.read_text(encoding="utf-8")
    passed = re.findall(r"location = (\S+) \{(?:[^}]*?)proxy_pass (\S+);", text)
    game = f"http://127.0.0.1:{Settings().port}"
    assert passed == [(PLAY_PATH, game), (HEALTH_PATH, game)]
    (pages,) = re.findall(r"location ~ (\S+) \{(?:[^}]*?)proxy_pass \S+;", text)
    assert all(re.match(pages, path) for path in (*load_assets(), f"/replay/{'a' * 26}.sgr"))
    assert not any(re.match(pages, path) for path in ("/metrics", "/page/", "/replay/", "//"))
    assert re.search(r"location / \{\s*return 404;\s*\}", text)
    assert "gzip off;" in text
