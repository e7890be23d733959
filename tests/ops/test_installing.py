"""The wheel and the source archive of `make dist`, tried in clean environments."""

import os
import subprocess
import sys
import tarfile
from pathlib import Path
from typing import NamedTuple

import pytest

from builders.commandlines import ROOT
from builders.installs import (
    INSTALL_S,
    built,
    clean_environment,
    said_by,
    versions_of_the_lock,
)

CONTRIB = ROOT / "server" / "contrib"
GIT = ("git", "ls-files")


class Distribution(NamedTuple):
    """What `make dist` makes."""

    wheel: Path
    archive: Path


@pytest.fixture(scope="module")
def distribution(tmp_path_factory: pytest.TempPathFactory) -> Distribution:
    """Build what is given away once for all tests."""
    return Distribution(*built(tmp_path_factory.mktemp("dist")))


@pytest.fixture(scope="module")
def whole(distribution: Distribution, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Install the wheel with the server's extra by pip; give the folder of its programs."""
    folder = tmp_path_factory.mktemp("pip")
    return clean_environment(folder / "env", f"{distribution.wheel}[server]")


def test_a_server_that_pip_has_installed_plays_a_match_to_its_end(
    whole: Path, tmp_path: Path
) -> None:
    played = said_by(whole / "sunglare", "demo", home=tmp_path)
    assert played.returncode == 0, played.stdout + played.stderr
    assert list(tmp_path.glob("**/*.sgr")), played.stdout


def test_pip_puts_the_units_and_configurations_beside_the_programs(whole: Path) -> None:
    share = whole.parent / "share" / "sunglare"
    assert {path.name: path.read_bytes() for path in share.iterdir() if path.is_file()} == {
        path.name: path.read_bytes() for path in CONTRIB.iterdir() if path.is_file()
    }


def test_the_installed_server_says_every_setting(whole: Path, tmp_path: Path) -> None:
    told = said_by(whole / "sunglare-server", "config", home=tmp_path)
    assert told.returncode == 0, told.stderr
    assert "journal" in told.stdout


def test_a_player_without_the_extra_has_the_client_and_is_told_how_to_get_the_server(
    distribution: Distribution, tmp_path: Path
) -> None:
    programs = clean_environment(tmp_path / "env", str(distribution.archive))
    assert said_by(programs / "sunglare", "--version", home=tmp_path).returncode == 0
    told = said_by(programs / "sunglare-server", "--version", home=tmp_path)
    assert told.returncode == 1
    assert f"pip install './{distribution.wheel.name}[server]'" in told.stderr


def test_pipx_installs_both_programs(distribution: Distribution, tmp_path: Path) -> None:
    versions = versions_of_the_lock(tmp_path)
    subprocess.run(
        [
            *(sys.executable, "-m", "pipx", "install", "--quiet"),
            *(f"--pip-args=--constraint {versions}", f"{distribution.wheel}[server]"),
        ],
        env={
            **os.environ,
            "PIPX_HOME": str(tmp_path / "pipx"),
            "PIPX_BIN_DIR": str(tmp_path / "bin"),
            "PIPX_MAN_DIR": str(tmp_path / "man"),
            "USE_EMOJI": "0",
        },
        check=True,
        capture_output=True,
        timeout=INSTALL_S,
    )
    for program in ("sunglare", "sunglare-server"):
        told = said_by(tmp_path / "bin" / program, "--version", home=tmp_path)
        assert told.returncode == 0, told.stderr
        assert told.stdout.startswith(f"{program} ")


@pytest.mark.skipif(not (ROOT / ".git").exists(), reason="this is no clone of the repository")
def test_the_source_archive_has_what_the_repository_has_and_nothing_else(
    distribution: Distribution,
) -> None:
    with tarfile.open(distribution.archive) as archive:
        names = [Path(*Path(name).parts[1:]).as_posix() for name in archive.getnames()]
    listed = [*GIT, "--cached", "--others", "--exclude-standard"]
    kept = subprocess.run(listed, cwd=ROOT, capture_output=True, text=True, check=True)
    assert sorted(names) == sorted([*kept.stdout.splitlines(), "PKG-INFO"])
