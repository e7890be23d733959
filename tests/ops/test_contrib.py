"""The files for operators fit the server: the units for systemd, and the proxy's configuration."""

import re
import shlex
import shutil
import subprocess
from pathlib import Path

import pytest

from sunglare_server.cli import read_settings
from sunglare_server.cluster.client.credentials import CA, file_of
from sunglare_server.cluster.client.permissions import Role
from sunglare_server.config import DUTIES, Settings
from sunglare_server.gateway.assets import load_assets
from sunglare_server.gateway.http import HEALTH_PATH, PLAY_PATH, READY_PATH
from sunglare_server.gateway.keepalive import PING_S
from sunglare_server.process import END_S, MEDIUM_FAILED

CONTRIB = Path(__file__).parents[2] / "server" / "contrib"
ENGINE = CONTRIB / "engine.conf"
NGINX = CONTRIB / "nginx.conf"


CLUSTER = {
    "sunglare-worker@.service": Role.WORKER,
    "sunglare-gateway@.service": Role.PLAYERS,
    "sunglare-spectators@.service": Role.SPECTATORS,
}
"""The units of a cluster that run our program, by the role in which each gets into the engine."""

UNITS = ("sunglare.service", *CLUSTER, "sunglare-engine.service")

UnitSettings = dict[str, list[str]]


def settings_of(unit: str) -> UnitSettings:
    """Return what a unit sets, by name, each setting as often as it stands there."""
    text = (CONTRIB / unit).read_text(encoding="utf-8").replace("\\\n", "")
    found: UnitSettings = {}
    for name, value in re.findall(r"^([A-Z]\w+)=(.*)$", text, re.MULTILINE):
        found.setdefault(name, []).append(value)
    return found


def command_of(unit: str) -> list[str]:
    (command,) = settings_of(unit)["ExecStart"]
    return shlex.split(command)


def test_every_unit_is_looked_at() -> None:
    assert {*UNITS} == {path.name for path in CONTRIB.glob("*.service")}


def test_the_unit_starts_a_server_with_flags_that_it_has() -> None:
    program, *flags = command_of("sunglare.service")
    assert program.endswith("/bin/sunglare-server")
    settings = read_settings(flags)
    (folder,) = settings_of("sunglare.service")["StateDirectory"]
    assert settings.journal.parent == Path("/var/lib") / folder
    assert settings.host == "127.0.0.1"


@pytest.mark.parametrize("unit", UNITS)
def test_systemd_waits_longer_than_the_program_takes_to_end(unit: str) -> None:
    (waits,) = settings_of(unit)["TimeoutStopSec"]
    lame = re.findall(r"^lame_duck_duration: (\d+)s$", ENGINE.read_text("utf-8"), re.MULTILINE)
    assert int(waits) > (int(lame[0]) if unit == "sunglare-engine.service" else END_S)


def test_a_failed_disk_is_looked_at_before_the_next_start() -> None:
    (codes,) = settings_of("sunglare.service")["RestartPreventExitStatus"]
    assert str(MEDIUM_FAILED) in codes.split()


@pytest.mark.parametrize("unit", [*CLUSTER, "sunglare-engine.service"])
def test_every_unit_is_as_confined_as_that_of_the_one_process(unit: str) -> None:
    confined = {
        name: value
        for name, value in settings_of("sunglare.service").items()
        if name.startswith(("Protect", "Private", "Restrict", "System", "Lock", "NoNew", "Cap"))
        or name in ("LimitCORE", "LimitNOFILE", "UMask")
    }
    assert len(confined) > 20
    mine = settings_of(unit)
    assert {name: mine.get(name) for name in confined} == confined


@pytest.mark.parametrize(("unit", "role"), CLUSTER.items(), ids=str)
def test_a_unit_of_a_cluster_gives_its_process_what_the_command_has_made(
    unit: str, role: Role
) -> None:
    copies = dict(copy.split(":") for copy in settings_of(unit)["LoadCredential"])
    command = command_of(unit)
    shown = command[command.index("--credentials") + 1].removeprefix("%d/")
    made = file_of(Path("/etc/sunglare"), role, "NAME").as_posix()
    assert copies[shown] == made.replace("NAME", "%i")
    settings = read_settings(command[2:], DUTIES[command[1]])
    assert (settings.name, settings.spectators) == ("%i", role is Role.SPECTATORS)
    named = {word.removeprefix("%d/") for word in command if word.startswith("%d/")}
    beside = {CA, "system.json"} if role is Role.WORKER else {CA}
    assert set(copies) == named | beside


def test_only_a_worker_is_given_the_credential_of_the_systems_account() -> None:
    system = file_of(Path("/etc/sunglare"), Role.SYSTEM, "system").as_posix()
    given = [unit for unit in CLUSTER if system in " ".join(settings_of(unit)["LoadCredential"])]
    assert given == ["sunglare-worker@.service"]


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="systemd is not installed")
def test_systemd_accepts_the_units(tmp_path: Path) -> None:
    copies = []
    for unit in UNITS:
        text = (CONTRIB / unit).read_text(encoding="utf-8")
        # It looks for the program, which is not installed there.
        copy = tmp_path / unit.replace("@", "@one")
        copy.write_text(text.replace(command_of(unit)[0], "/bin/true"), encoding="utf-8")
        copies.append(str(copy))
    command = ["systemd-analyze", "verify", "--man=no", *copies]
    done = subprocess.run(command, capture_output=True, timeout=50, check=False)
    assert (done.returncode, done.stderr) == (0, b"")


EXPOSED_MOST = 2.0
"""What systemd may come to when it adds up what a unit could reach, of 10."""


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="systemd is not installed")
@pytest.mark.parametrize("unit", UNITS)
def test_a_unit_can_reach_little_by_systemd_s_own_count(unit: str) -> None:
    command = ["systemd-analyze", "security", "--offline=true", str(CONTRIB / unit)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=50, check=False)
    (exposed,) = re.findall(r"Overall exposure level for .*: (\d+\.\d)", done.stdout)
    assert float(exposed) <= EXPOSED_MOST


def test_the_proxy_passes_on_the_game_the_health_and_the_page_and_nothing_else() -> None:
    text = NGINX.read_text(encoding="utf-8")
    passed = re.findall(r"location = (\S+) \{(?:[^}]*?)proxy_pass (\S+);", text)
    game = f"http://127.0.0.1:{Settings().port}"
    assert passed == [(PLAY_PATH, game), (HEALTH_PATH, game), (READY_PATH, game)]
    (pages,) = re.findall(r"location ~ (\S+) \{(?:[^}]*?)proxy_pass \S+;", text)
    assert all(re.match(pages, path) for path in (*load_assets(), f"/replay/{'a' * 26}.sgr"))
    assert not any(re.match(pages, path) for path in ("/metrics", "/page/", "/replay/", "//"))
    assert re.search(r"location / \{\s*return 404;\s*\}", text)
    assert "gzip off;" in text


def test_every_page_that_says_how_often_the_server_asks_for_a_sign_of_life_is_right() -> None:
    assert f"asks every {PING_S:g} s for a sign of life" in NGINX.read_text(encoding="utf-8")
    protocol = (CONTRIB.parents[1] / "protocol" / "PROTOCOL.md").read_text(encoding="utf-8")
    assert PING_S == 6
    assert "The server pings every six seconds" in protocol
