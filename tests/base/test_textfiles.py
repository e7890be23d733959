"""Files of operators: regular ones alone, up to a length, and no line that keeps TOML busy."""

import os
import re
from pathlib import Path

import pytest

from builders.data import fault
from sunglare_server.base.library import SHIPPED, load_library, text_of
from sunglare_server.cli import settings_of
from sunglare_server.cluster.client.credentials import CredentialError, read_credential
from sunglare_server.settingsfile import SettingsError
from sunglare_server.textfiles import DOTS_MOST, crowded_line, read_file

IRREGULAR = "only a regular file is read here, no folder, pipe or device"

CROWDED = ".".join("k" * (DOTS_MOST + 2))
"""A dotted key with a dot too many."""


@pytest.fixture(params=["pipe", "folder", "device"])
def irregular(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """Return a name under which no regular file lies."""
    path = tmp_path / "irregular.toml"
    if request.param == "pipe":
        os.mkfifo(path)
    elif request.param == "folder":
        path.mkdir()
    else:
        path.symlink_to("/dev/zero")
    return path


def test_a_regular_file_is_read_up_to_a_length(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"1234")
    assert read_file(path, 4) == b"1234"
    with pytest.raises(OSError, match="at most 3 bytes are read"):
        read_file(path, 3)


def test_a_link_to_a_regular_file_is_read(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"1")
    (tmp_path / "link").symlink_to("file")
    assert read_file(tmp_path / "link", 1) == b"1"


def test_what_is_no_regular_file_is_refused_at_once(irregular: Path) -> None:
    descriptors = os.listdir("/dev/fd")
    with pytest.raises(OSError, match=IRREGULAR):
        read_file(irregular, 100)
    assert os.listdir("/dev/fd") == descriptors


def test_settings_data_and_credentials_are_regular_files(irregular: Path) -> None:
    with pytest.raises(SettingsError, match=f"irregular.toml: {IRREGULAR}"):
        settings_of(["--settings", str(irregular)])
    assert fault(text_of, irregular).why == IRREGULAR
    with pytest.raises(CredentialError, match=f"irregular.toml: {IRREGULAR}"):
        read_credential(irregular)


@pytest.mark.parametrize(
    "line",
    [
        f"{CROWDED} = 1",
        f"[{CROWDED}]",
        f"x = {{ {CROWDED} = 1 }}",
        f'"#" = 1, {CROWDED} = 1',
        f'"\'" = 1, {CROWDED}',
        f"x = '\"', {CROWDED}",
        f'x = "\\"", {CROWDED}',
        f'""", {CROWDED} = "',
        f"''', {CROWDED} = '",
        f"x = '\u2028#', {CROWDED}",
    ],
)
def test_a_line_with_too_many_dots_outside_texts_is_found(line: str) -> None:
    assert crowded_line(f"a = 1\n{line}\n") == 2


@pytest.mark.parametrize(
    "line",
    [
        ".".join("k" * (DOTS_MOST + 1)) + " = 1",
        f"# {CROWDED}",
        f"a = 1 # {CROWDED}",
        f"terrain = ['{CROWDED}', \"{CROWDED}\"]",
        f'title = "\\"{CROWDED}"',
    ],
)
def test_dots_in_comments_and_texts_are_not_counted(line: str) -> None:
    assert crowded_line(f"a = 1\n{line}\n") is None


def test_a_data_file_and_a_settings_file_with_such_a_line_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "crowded.toml"
    path.write_text(f"\n{CROWDED} = 1\n")
    right = f"line 2: {'{}'}at most {DOTS_MOST} dots outside comments and texts"
    assert fault(text_of, path).why == right.format("a line has ")
    with pytest.raises(SettingsError, match=re.escape(right.format(""))):
        settings_of(["--settings", str(path)])


def test_values_nested_too_deep_are_refused_in_a_settings_file(tmp_path: Path) -> None:
    path = tmp_path / "deep.toml"
    path.write_text("x = " + "[" * 50_000)
    with pytest.raises(SettingsError, match="nested too deep"):
        settings_of(["--settings", str(path)])


def test_a_scenario_with_more_pieces_than_are_compared_is_refused(tmp_path: Path) -> None:
    (tmp_path / "scenarios").mkdir()
    shipped = (SHIPPED / "scenarios" / "shadow-of-ceres.toml").read_text(encoding="utf-8")
    bodies = "".join(f'[[asteroids]]\nname = "R{n}"\nat = [1, 1]\n' for n in range(101))
    (tmp_path / "scenarios" / "many.toml").write_text(f"{shipped}\n{bodies}")
    found = fault(load_library, tmp_path)
    assert (found.file, found.key, found.why) == ("many.toml", "asteroids", "at most 100")
