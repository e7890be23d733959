"""The book to learn from is true to its stored matches: pictures, tables, commands, quotations."""

import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from itertools import product
from pathlib import Path

import pytest

from builders.commandlines import SOURCES, without_settings
from builders.matches import Match, opened, options
from builders.orders import everything
from builders.scenarios import scenarios
from documents.bookmatches import MATCHES, names, played
from documents.doctables import LEARNING, ROOT, RULES, fenced, text_of
from documents.learning import BOARDS, PICTURES, Picture, drawn, recording_of
from sunglare_client.__main__ import main
from sunglare_client.command import Preview, Problem, Weigh
from sunglare_client.fullscreen.keys import POINTING_KEYS
from sunglare_client.fullscreen.pointing.ground_ways import Actor, ground_ways
from sunglare_client.fullscreen.pointing.ship_ways import ship_ways
from sunglare_client.replays.recording import read_recording
from sunglare_client.replays.telling import all_lines
from sunglare_client.terminal.input.parser import parse
from sunglare_client.verbs.table import verb_called
from sunglare_client.verbs.verb import ANY, Verb
from sunglare_client.verbs.written import given_lines, odds_lines
from sunglare_protocol.surface import Site
from sunglare_protocol.views import View
from sunglare_protocol.words.ladder import Phase
from sunglare_protocol.words.scans import ScanSize, ScanType

COMMANDS = [line for block in fenced(LEARNING, "sh") for line in block.splitlines() if line]

LEAVING = "quit\nquit yes\n"
"""What is typed: a lesson ends with the first line, a match with the second."""

STORED = sorted(path.stem for path in MATCHES.glob("*.sgr"))

BYTES_MOST = 60_000
"""How large the file of a match of the book is at most, but for that of the first turn."""

PATIENCE_S = 60


def _squeezed(text: str) -> str:
    return " ".join(text.split())


@pytest.mark.parametrize("picture", BOARDS, ids=lambda picture: picture.name)
def test_a_picture_of_the_book_is_drawn_from_its_stored_match(picture: Picture) -> None:
    again = "run tests/documents/learning.py to draw the pictures again, and look at them"
    assert picture.file.read_text(encoding="utf-8") == drawn(picture), again


def test_every_chapter_of_the_rules_has_a_picture_of_the_book() -> None:
    _, *chapters = re.split(r"^## ", text_of(RULES), flags=re.MULTILINE)
    assert len(chapters) == 7
    for chapter in chapters:
        shown = re.findall(
            r"^!\[[^\]]+\]\(../../client/learning/([^)]+)\)$", chapter, re.MULTILINE
        )
        assert shown, chapter[:20]
        assert {*shown} <= {picture.file.name for picture in BOARDS}


def test_every_picture_stands_in_the_book_or_the_rules_and_no_other_one() -> None:
    drawn_now = sorted(picture.file.name for picture in BOARDS)
    shown = re.findall(r"!\[[^\]]+\]\(\S*learning/([^)]+)\)", text_of(LEARNING) + text_of(RULES))
    assert sorted({*shown}) == drawn_now == sorted(path.name for path in PICTURES.glob("*.svg"))


@pytest.mark.parametrize("name", list(names()))
def test_a_match_of_the_book_goes_by_its_orders_as_it_is_stored(name: str) -> None:
    stored = (MATCHES / f"{name}.sgr").read_bytes()
    assert len(stored) < BYTES_MOST
    for eyes in ("A", "B", "omni"):
        kept, again = (
            list(all_lines(read_recording(data), eyes)) for data in (stored, played(name))
        )
        assert kept == again, f"run tests/documents/bookmatches.py {name} to play it again"


@pytest.mark.parametrize("command", list(dict.fromkeys(COMMANDS)))
def test_a_command_of_the_book_works(command: str, tmp_path: Path) -> None:
    program, *words = shlex.split(command)
    assert program == "sunglare"
    done = subprocess.run(
        [sys.executable, "-P", "-m", "sunglare_client", *words],
        cwd=ROOT,
        env=without_settings(PYTHONPATH=SOURCES, SUNGLARE_HOME=str(tmp_path)),
        input=LEAVING,
        text=True,
        capture_output=True,
        check=False,
        timeout=PATIENCE_S,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout


def _typed() -> Iterator[str]:
    """Yield the lines of all columns of the book's tables that are there to be typed."""
    column = -1
    for line in text_of(LEARNING).splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if not line.startswith("|"):
            column = -1
        elif column < 0:
            column = next((at for at, cell in enumerate(cells) if "type" in cell), len(cells))
        elif column < len(cells):
            yield from re.findall(r"`([^`]+)`", cells[column])


@cache
def _positions() -> tuple[View, ...]:
    """Return all that the sides of the stored matches saw, and views in which all has a name."""
    matches = [recording_of(name) for name in STORED]
    frames = [
        match.frame(eyes, at)
        for match in matches
        for eyes in ("A", "B")
        for at in range(len(match.steps))
    ]
    seen = [frame.view for frame in frames if frame is not None and isinstance(frame.view, View)]
    return (*seen, *(everything(phase) for phase in Phase if phase is not Phase.OVER))


@pytest.mark.parametrize("line", sorted(set(_typed())))
def test_the_terminal_takes_every_line_that_the_book_has_to_be_typed(line: str) -> None:
    assert any(not isinstance(parse(line, view), Problem) for view in _positions())


def _by_window() -> Iterator[tuple[str, str]]:
    """Yield the lines of the tables that name a window, each after that."""
    for line in text_of(LEARNING).partition("| to do | window |")[2].splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if len(cells) == 5 and cells[1][:1] not in "`-" and cells[2].startswith("`"):
            yield cells[1], cells[2].strip("`")


@pytest.mark.parametrize(("window", "line"), sorted(set(_by_window())))
def test_a_line_is_typed_in_the_window_that_the_book_names(window: str, line: str) -> None:
    verb = verb_called(line.split()[0])
    assert isinstance(verb, Verb)
    named = ANY if window == "any" else (Phase[window.removesuffix(" of turn 1")],)
    # Verbs that each window takes may have a form, such as an order, that one alone does.
    assert verb.windows in (ANY, named)


def _ways(view: View) -> Iterator[str]:
    """Yield the names of the ways to act that pointing offers in a view."""
    for ship in view.own:
        yield from (way.name for way in ship_ways(view, ship, (), ScanSize.BOX))
    sites = [Site(one.name, at.number) for one in view.board.planets for at in one.environs]
    pieces: tuple[Actor, ...] = (*view.ground, *view.agents, *view.own)
    for site, piece in product(sites, pieces):
        yield from (way.name for way in ground_ways(view, site, piece, ()))


def test_pointing_offers_every_way_to_act_that_the_book_names() -> None:
    raid = Match(opened(scenarios()["orlog"], options()))
    missing = set(re.findall(r"way `([^`]+)`", text_of(LEARNING)))
    assert len(missing) > 5
    for view in (raid.view("A"), *_positions()):
        if missing:
            missing.difference_update(_ways(view))
    assert missing == set()


def _on_the_page() -> Iterator[str]:
    """Yield what the tables of the book name of the page, without the weapon of a way."""
    for column in re.findall(
        r"^\|(?:[^|]*\|){2,3}[^|]*\|([^|]*\*[^|]*)\|$", _tables(), re.MULTILINE
    ):
        for name in re.findall(r"\*([^*]+)\*", column):
            yield re.sub(r" (?:[A-Z]\d|LTAG)$", "", name)


def _tables() -> str:
    """Return the rows of the tables of the book that say what one does."""
    tables = re.findall(r"^\| to do \|.*\n((?:\|.*\n)+)", text_of(LEARNING), re.MULTILINE)
    return "".join(tables)


def test_the_keys_that_the_book_names_are_keys_of_the_map() -> None:
    named = set(re.findall(r"\| `(\S)` ?[^|]*\|[^|]*\|$", _tables(), re.MULTILINE))
    assert len(named) > 6
    assert named <= {key for row in POINTING_KEYS for key in row.split()}


@pytest.mark.parametrize("name", sorted(set(_on_the_page())))
def test_the_page_has_what_the_book_names_of_it(name: str) -> None:
    page = ROOT / "client" / "sunglare_page"
    sources = [page / "index.html", *page.glob("seat/*.js"), *page.glob("face/*.js")]
    said = "\n".join(path.read_text(encoding="utf-8") for path in sources)
    kinds = {kind.value for kind in ScanType}
    assert name in kinds or re.search(rf"[>'` ]{re.escape(name)}[ <'`$]", said)


def test_the_book_has_lines_to_be_typed_for_every_chapter() -> None:
    assert len(set(_typed())) > 50


@cache
def _said(name: str, capfd: pytest.CaptureFixture[str]) -> str:
    recording = read_recording((MATCHES / f"{name}.sgr").read_bytes())
    told = [line for eyes in ("A", "B") for lines in all_lines(recording, eyes) for line in lines]
    for side in ("A", "B"):
        assert main(["why", str(MATCHES / f"{name}.sgr"), "--side", side]) == 0
    return _squeezed("\n".join([*told, capfd.readouterr().out]))


def _answers() -> Iterator[str]:
    """Yield what the terminal answers to the questions of the book in the stored matches."""
    asking = sorted(line for line in set(_typed()) if line.startswith(("odds ", "preview ")))
    for view, line in product(_positions(), asking):
        asked = parse(line, view)
        if isinstance(asked, Weigh):
            yield from odds_lines(view, asked.order)
        if isinstance(asked, Preview):
            yield from given_lines(view, asked.scan)


def test_the_book_quotes_its_stored_matches_as_they_are(
    capfd: pytest.CaptureFixture[str],
) -> None:
    said = [_said(name, capfd) for name in STORED]
    said.append(_squeezed("\n".join(_answers())))
    quoted = [line for block in fenced(LEARNING, "text") for line in block.splitlines() if line]
    assert len(quoted) > 20
    wrong = [line for line in quoted if not any(_squeezed(line) in one for one in said)]
    assert wrong == []
