"""Pages are short enough to be read, and README's figures are those of the tests."""

import re
from typing import Final

import pytest

from documents.doctables import CHANGELOG, OPERATIONS, PLAYING, PROTOCOL, README, ROOT, text_of

MOST: Final = {README: 700, OPERATIONS: 10_000}
"""How many words a page has at most beside its tables and code."""

CHANGE: Final = 200
"""How many characters a change has at most in the changelog."""

CODE: Final = re.compile(r"^```.*?^```$", re.DOTALL | re.MULTILINE)
ROW: Final = re.compile(r"^\|.*$", re.MULTILINE)


def prose_of(page: str) -> str:
    """Return a page without code and, README's excepted, without tables."""
    text = CODE.sub("", text_of(page))
    return text if page == README else ROW.sub("", text)


@pytest.mark.parametrize("page", MOST)
def test_a_page_is_no_longer_than_it_may_be(page: str) -> None:
    assert len(prose_of(page).split()) <= MOST[page]


def test_the_changelog_has_a_line_of_at_most_200_characters_for_each_change() -> None:
    body = text_of(CHANGELOG).partition("\n## Unreleased\n")[2]
    lines = [line for line in body.splitlines() if line[:1] not in {"", "#", "|", "*"}]
    changes = [line for line in lines if line.startswith("- ")]
    assert len(changes) > 100
    assert not [line for line in changes if len(line) > CHANGE]
    assert all(line[0].isupper() for line in lines if line not in changes)


def test_the_readme_tells_the_figures_of_the_tests() -> None:
    leaks = (ROOT / "tests/two_worlds/leakruns.py").read_text(encoding="utf-8")
    kills = (ROOT / "tests/end_to_end/test_sigkill.py").read_text(encoding="utf-8")
    table = (ROOT / "tests/README.md").read_text(encoding="utf-8")
    planted = table.partition("<!-- table: planted leaks -->")[2].partition("<!-- end")[0]
    windows = re.findall(r"windows: int = (\d+_\d+)", leaks)[0].replace("_", ",")
    killed = re.findall(r"^(?:KILLS|MATCHES) = (\d+) if LONG", kills, re.MULTILINE)
    assert f"`make leaks` compares {windows} windows" in text_of(README)
    leaks_planted = planted.count("\n| `")
    assert f"{leaks_planted} leaks are built into" in text_of(README)
    assert "the server {} times under {} matches".format(*killed) in text_of(README)


@pytest.mark.parametrize("page", [README, PLAYING, PROTOCOL, OPERATIONS])
def test_a_page_says_how_long_the_program_that_checks_dice_is(page: str) -> None:
    lines = len((ROOT / "protocol/verify_dice.py").read_text(encoding="utf-8").splitlines())
    assert f"{lines} lines" in text_of(page)
