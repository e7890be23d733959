"""The version that a build gets: from the tag and the commit, or unknown."""

import importlib.util
import shutil
import subprocess
from pathlib import Path
from types import ModuleType

import pytest

from documents.addresses import ROOT


def loaded() -> ModuleType:
    """Return the module that hatchling reads."""
    spec = importlib.util.spec_from_file_location("version", ROOT / ".ci" / "version.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


BUILD = loaded()


def git(folder: Path, *words: str) -> str:
    """Run git in a folder, as somebody and with no settings of this machine."""
    found = shutil.which("git")
    assert found is not None
    someone = ("-c", "user.name=a", "-c", "user.email=a@example.org", "-c", "commit.gpgsign=no")
    done = subprocess.run(
        [found, *someone, *words], cwd=folder, check=True, capture_output=True, text=True
    )
    return done.stdout.strip()


def commit(folder: Path) -> str:
    """Commit a change in a clone; return the letter and the first digits of its name."""
    file = folder / "file"
    file.write_text(f"{file.read_text() if file.exists() else ''}line\n")
    git(folder, "add", "file")
    git(folder, "commit", "-q", "-m", "a change")
    return f"g{git(folder, 'rev-parse', '--short=8', 'HEAD')}"


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    """Return a repository with one commit."""
    git(tmp_path, "init", "-q")
    commit(tmp_path)
    return tmp_path


def test_a_tag_is_the_version_of_its_commit(clone: Path) -> None:
    git(clone, "tag", "v3.4.5rc1")
    assert BUILD.version(clone) == "3.4.5rc1"


def test_a_later_commit_has_the_tag_the_distance_and_its_name(clone: Path) -> None:
    git(clone, "tag", "v3.4.5")
    commit(clone)
    name = commit(clone)
    assert BUILD.version(clone) == f"3.4.5+2.{name}"


def test_without_a_tag_the_newest_release_is_named(clone: Path) -> None:
    git(clone, "tag", "of-something-else")
    name = commit(clone)
    assert BUILD.version(clone) == f"{BUILD.RELEASE}+{name}"


def test_files_that_differ_from_the_commit_make_a_build_dirty(clone: Path) -> None:
    git(clone, "tag", "v3.4.5")
    name = git(clone, "rev-parse", "--short=8", "HEAD")
    (clone / "file").write_text("another line\n")
    assert BUILD.version(clone) == f"3.4.5+g{name}.dirty"


def test_an_archive_without_git_is_unknown_even_inside_another_clone(clone: Path) -> None:
    archive = clone / "sunglare"
    archive.mkdir()
    assert BUILD.version(archive) == f"{BUILD.RELEASE}+unknown"


def test_the_source_archive_keeps_the_version_with_which_it_was_made(tmp_path: Path) -> None:
    (tmp_path / "PKG-INFO").write_text("Name: sunglare\nVersion: 3.4.5+gab\n")
    assert BUILD.version(tmp_path) == "3.4.5+gab"
