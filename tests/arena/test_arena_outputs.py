"""What an arena writes: lines of JSON that add up, and a page that holds all and asks nobody."""

import json
import re
from collections import Counter
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from builders.strangers import strangers_in
from sunglare_arena.__main__ import FAULTY, OK, main

VOID = {"meta"}
"""The elements that nothing stands in; those of a drawing close themselves."""


class Page(HTMLParser):
    """The page as a browser reads it: its elements, its addresses, and what is open at the end."""

    def __init__(self) -> None:
        super().__init__()
        self.tags = Counter[str]()
        self.addresses: list[str] = []
        self.open: list[str] = []
        self.text = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note what begins here, and where it leads."""
        self.tags[tag] += 1
        self.addresses += [value or "" for name, value in attrs if name in ("href", "src")]
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note what begins and ends here."""
        self.handle_starttag(tag, attrs)
        self.handle_endtag(tag)

    def handle_endtag(self, tag: str) -> None:
        """Close what was opened last, which must be this."""
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        """Note the text."""
        self.text += data


def page_of(path: Path) -> Page:
    page = Page()
    page.feed(path.read_text(encoding="utf-8"))
    page.close()
    return page


def lines_of(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def without_speeds(lines: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [{key: value for key, value in line.items() if key != "thinking"} for line in lines]


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with what an arena of three bots wrote."""
    folder = tmp_path_factory.mktemp("arena")
    words = ("scout", "lurker", "random", "--games", "2", "--turns", "2", "--jobs", "1")
    outputs = ("--json", str(folder / "lines"), "--html", str(folder / "page.html"))
    assert main((*words, *outputs)) == OK
    return folder


def test_the_lines_of_the_matches_add_up_to_the_totals(written: Path) -> None:
    *matches, last = lines_of(written / "lines")
    totals = last["totals"]
    assert [match["match"] for match in matches] == list(range(6))
    assert totals["matches"] == 6
    for name, bot in totals["bots"].items():
        mine = [match for match in matches if name in match["seats"].values()]
        won = sum(match["winner"] == name for match in mine)
        drawn = sum(match["winner"] is None for match in mine)
        assert (bot["matches"], bot["won"], bot["drawn"]) == (len(mine), won, drawn)
        against = totals["against"][name]
        assert [sum(column) for column in zip(*against.values(), strict=True)] == [
            bot["won"],
            bot["drawn"],
            bot["lost"],
        ]
        assert bot["rating"]["low"] < bot["rating"]["points"] < bot["rating"]["high"]
    for match in matches:
        assert match["seats"].get(match["side"]) == match["winner"]
        assert set(match["thinking"]) == set(match["seats"].values())


def test_but_for_the_speeds_the_lines_are_the_same_in_every_run(
    written: Path, tmp_path: Path
) -> None:
    words = ("scout", "lurker", "random", "--games", "2", "--turns", "2", "--jobs", "2")
    assert main((*words, "--json", str(tmp_path / "again"))) == OK
    again = without_speeds(lines_of(tmp_path / "again"))
    assert again == without_speeds(lines_of(written / "lines"))


def test_the_page_is_whole_asks_nobody_and_runs_nothing(written: Path) -> None:
    page = page_of(written / "page.html")
    assert page.open == []
    assert page.addresses == []
    assert not {"script", "link", "img", "iframe", "object"} & set(page.tags)
    text = (written / "page.html").read_text()
    assert "url(" not in text
    assert "@import" not in text
    assert "default-src 'none'" in text.replace("&#x27;", "'")
    assert "prefers-color-scheme: dark" in text


def test_the_page_shows_every_bot_its_matches_and_the_transcript(written: Path) -> None:
    page = page_of(written / "page.html")
    totals = lines_of(written / "lines")[-1]["totals"]
    for name, bot in totals["bots"].items():
        assert name in page.text
        assert f"{bot['won']}-{bot['drawn']}-{bot['lost']}" in page.text
        assert f"{bot['rating']['points']:+.0f}" in page.text
    assert totals["transcript"] in page.text
    assert page.tags["svg"] == 3


@pytest.mark.parametrize("sprt", [(), ("--sprt", "0.1", "0.9")])
def test_the_page_of_two_bots_shows_how_it_came_about(
    sprt: tuple[str, ...], tmp_path: Path
) -> None:
    words = ("scout", "random", "--games", "4", "--turns", "4", "--jobs", "1", *sprt)
    assert main((*words, "--html", str(tmp_path / "page.html"))) == OK
    text = (tmp_path / "page.html").read_text()
    (points,) = re.findall(r'<polyline class="course" points="([^"]+)"', text)
    assert len(points.split()) <= 4
    assert ("The test" in text) == bool(sprt)
    assert ("SPRT: " in text) == bool(sprt)


def test_what_bots_say_and_are_called_is_text_on_the_page_and_leads_to_the_kept_match(
    tmp_path: Path,
) -> None:
    odd = tmp_path / "a <b> & 'c'.py"
    odd.write_text(Path(strangers_in(tmp_path)).read_text())
    words = (f"{odd}:Stillborn", "random", "--games", "1", "--turns", "1")
    keep, html = tmp_path / "kept here", tmp_path / "page.html"
    assert main((*words, "--keep", str(keep), "--html", str(html))) == FAULTY
    page = page_of(html)
    assert "a <b> & 'c':Stillborn" in page.text
    assert "RuntimeError: not <today>" in page.text
    assert "b" not in page.tags
    (file,) = keep.iterdir()
    assert set(page.addresses) == {f"kept%20here/{file.name}"}
