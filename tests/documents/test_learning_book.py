"""The book to learn from quotes the stored match as it is, and its pictures are drawn from it."""

import re
import shlex
import subprocess
import sys

import pytest

from documents.doctables import LEARNING, ROOT, fenced
from documents.learning import BOARDS, MATCHES, PICTURES, Picture, drawn

COMMANDS = [line for block in fenced(LEARNING, "sh") for line in block.splitlines() if line]


def _squeezed(text: str) -> str:
    return " ".join(text.split())


@pytest.mark.parametrize("picture", BOARDS, ids=lambda picture: picture.file.stem)
def test_a_picture_of_the_book_is_drawn_from_its_stored_match(picture: Picture) -> None:
    assert picture.file.read_bytes() == drawn(picture)


def test_every_picture_stands_in_the_book() -> None:
    text = (ROOT / LEARNING).read_text(encoding="utf-8")
    shown = re.findall(r"!\[[^\]]+\]\(learning/([^)]+)\)", text)
    files = sorted(path.name for path in PICTURES.glob("*.svg"))
    assert sorted(shown) == files == sorted(picture.file.name for picture in BOARDS)


@pytest.mark.parametrize("command", COMMANDS)
def test_a_command_of_the_book_works(command: str) -> None:
    program, *words = shlex.split(command)
    assert program == "sunglare"
    done = subprocess.run(
        [sys.executable, "-P", "-m", "sunglare_client", *words],
        cwd=ROOT,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        check=False,
        timeout=60,
    )
    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout


def test_the_book_quotes_the_stored_match_as_it_is() -> None:
    replay = f"-m sunglare_client replay {MATCHES / 'ceres.sgr'} --eyes A --turn 2-3 --plain"
    said = subprocess.run(
        [sys.executable, "-P", *shlex.split(replay)],
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    ).stdout
    quoted = [line for block in fenced(LEARNING, "text") for line in block.splitlines()]
    assert len(quoted) > 5
    assert [line for line in quoted if line and _squeezed(line) not in _squeezed(said)] == []
