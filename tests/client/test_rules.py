"""The rule book at the terminal: sections, words and commands, without the page's markup."""

import re
from importlib.resources import files

import pytest
from hypothesis import given
from hypothesis import strategies as st

from builders.sections import HEADINGS
from builders.terminals import CONTACT, KITE, frame, view
from sunglare_client.command import Act
from sunglare_client.terminal.actions import is_reading
from sunglare_client.terminal.input.completion import complete
from sunglare_client.terminal.input.parser import parse
from sunglare_client.terminal.turn_session import TurnSession
from sunglare_client.text.printable import printable
from sunglare_client.text.rulebook import RulePassage, RuleSection, sections
from sunglare_client.text.rules import RULED, command_rules, rule_lines
from sunglare_client.verbs.table import VERBS

PAGE = (files("sunglare_rules") / "RULES.md").read_text(encoding="utf-8")
NUMBERED = [section for section in sections() if section.number]
PASSAGES = [passage for section in NUMBERED for passage in section.passages]
SEEN = view(own=(KITE,), contacts=(CONTACT,))

numbered = st.sampled_from(NUMBERED)


def why(about: str) -> list[str]:
    return TurnSession(frame(1, SEEN), SEEN).why(about)


def words_of(text: str) -> set[str]:
    return set(re.findall(r"\w{3,}", text))


def test_every_section_of_the_page_is_in_the_book_in_its_order() -> None:
    headings = re.findall(r"^### (.+)$", PAGE, re.MULTILINE)
    assert [section.heading for section in NUMBERED] == headings
    assert {f"{section.chapter} §{section.number}" for section in NUMBERED} == HEADINGS


def test_no_word_of_a_section_is_lost() -> None:
    """Pictures are left out, and names of columns: rows without columns need not have all."""
    names = r"^\|[^\n]+(?=\n\| ---)"
    unshown = r"<!--.+-->|^!\[.+$"
    page = re.sub(rf"{unshown}|\]\([^)]+\)|{names}", "", PAGE, flags=re.MULTILINE)
    parts = re.split(r"^### .+$", page, flags=re.MULTILINE)
    for section, part in zip(NUMBERED, parts[1:], strict=True):
        body = part.partition("\n## ")[0]
        assert words_of(body) <= words_of("\n".join(section.lines)), section.heading


def test_no_line_has_the_markup_of_the_page_or_is_cut() -> None:
    markup = re.compile(r"^!|`|\*\*|\]\(|<!--|\| *--|^#")
    lines = [line for section in sections() for line in section.lines]
    assert not [line for line in lines if markup.search(line) or printable(line) != line]


def test_a_narrow_table_stands_in_columns_and_a_wide_one_names_them_in_each_row() -> None:
    narrow, wide = rule_lines("turn 6"), rule_lines("turn 2")
    assert "  range    to 6 mu  to 12 mu  to 18 mu  to 24 mu  to 30 mu" in narrow
    assert "  hits on  2+       3+        4+        5+        6+" in narrow
    corvette = next(line for line in wide if line.startswith("  - corvette |"))
    assert "| hull: 8 | thrust: 4 |" in corvette


@given(numbered)
def test_a_section_is_found_by_its_number_with_or_without_the_sign(section: RuleSection) -> None:
    whole = [section.heading, *(f"  {line}" for line in section.lines)]
    chapter, number = section.chapter, section.number
    assert rule_lines(f"{chapter} {number}") == whole
    assert rule_lines(f"  {chapter.upper()} §{number} ") == whole


@pytest.mark.parametrize("title", ["movement", "victory", "ships", "listening", "scans"])
def test_a_section_is_found_by_its_title(title: str) -> None:
    assert rule_lines(title)[0].endswith(f": {title}")


def test_without_a_word_all_chapters_are_listed_with_their_sections() -> None:
    listed = "\n".join(rule_lines(""))
    for section in NUMBERED:
        row = next(row for row in listed.splitlines() if row.startswith(f"{section.chapter}: "))
        assert f"{section.number} {section.title}" in row


@pytest.mark.parametrize(
    ("word", "heading", "line"),
    [
        ("landing", "turn §5: movement", "  - Landing on an asteroid: "),
        ("LAND", "turn §5: movement", "  - Landing on an asteroid: "),
        ("gravity well", "sensors §1: planets and asteroids", "  - small planet | takes up: 1"),
        ("shadowing", "sensors §2: sun, shadow and lines of sight", "  Shadowing. A ship in the"),
        ("cruiser", "turn §2: ships", "  - cruiser | size: large | hull: 28"),
        (
            "two-harbours",
            "turn §7: set-up and scenarios",
            "  two-harbours. As short, and a race",
        ),
        (
            "mission",
            "search §2: steps, searches, missions, fights",
            "    spy      intelligence, 9",
        ),
    ],
)
def test_a_word_finds_what_the_rules_say_of_it(word: str, heading: str, line: str) -> None:
    found = rule_lines(word)
    assert heading in found
    assert [row for row in found if row.startswith(line)]


@given(st.sampled_from([one for one in PASSAGES if words_of(one.line) - {*RULED}]), st.data())
def test_whatever_word_stands_in_the_rules_is_found_but_for_the_names_of_commands(
    passage: RulePassage, data: st.DataObject
) -> None:
    word = data.draw(st.sampled_from(sorted(words_of(passage.line) - {*RULED})))
    found = rule_lines(word)
    assert word.lower() in "\n".join(found).lower()
    assert not found[0].startswith("E-")


@given(st.text("bcdfghjkqvwxz", min_size=7, max_size=12))
def test_a_word_that_no_rule_has_is_refused_with_what_would_do(word: str) -> None:
    (refusal,) = rule_lines(word)
    assert refusal.startswith(f"E-ARG     rules: no rule has the words '{word}'.")
    assert "rules turn 5 shows a section" in refusal


def test_a_long_word_is_sought_as_a_beginning_and_a_short_one_whole() -> None:
    assert "  - Landing on an asteroid" in "\n".join(rule_lines("landi"))
    assert re.search(r"\bmu\b", rule_lines("mu")[1])


def test_every_order_has_its_rules_and_every_rule_is_about_some_command() -> None:
    assert {verb.name for verb in VERBS if verb.windows} <= RULED.keys()
    assert RULED.keys() - {verb.name for verb in VERBS} <= {"points"}


@pytest.mark.parametrize("command", sorted(RULED))
def test_why_a_command_shows_its_section_and_what_that_says_of_it(command: str) -> None:
    chapter, number, term = RULED[command]
    section = next(one for one in NUMBERED if (one.chapter, one.number) == (chapter, number))
    shown = command_rules(command)
    assert shown[0] == section.heading
    assert len(shown) > 1
    if term:
        assert term in "\n".join(shown[1:-1]).lower()
        assert shown[-1] == f"the whole section on {command}: rules {chapter} {number}"
    if command != "points":
        assert why(command) == shown


def test_why_a_piece_or_a_word_of_its_own_stays_what_it_was() -> None:
    assert why("S1")[0] == "S1 Kite"
    assert why("c5")[0] == "C5"
    assert why("points")[0] == "The points"
    assert why("C9")[0].startswith("E-ORDER")
    assert why("B1")[0].startswith("E-ORDER")


def test_why_another_word_shows_the_rules_on_it() -> None:
    assert why("gravity well") == rule_lines("gravity well")
    assert why("zzzzzzz")[0].startswith("E-ORDER")


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("rules", True),
        ("rules turn 5", True),
        ("help", True),
        ("why land", True),
        ("why points", False),
        ("why S1", False),
        ("look S1", False),
    ],
)
def test_the_rules_and_the_help_are_read_from_the_top(line: str, expected: bool) -> None:
    act = parse(line, SEEN)
    assert isinstance(act, Act)
    assert is_reading(act) is expected


def test_the_chapters_are_offered_while_one_types() -> None:
    assert complete("rules ", SEEN) == list(dict.fromkeys(one.chapter for one in NUMBERED))
