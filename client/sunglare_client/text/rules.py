"""Passages of the rule book: its chapters, a section, or the rules on a word or a command."""

import re
from itertools import groupby
from typing import NamedTuple, final

from sunglare_client.command import Problem
from sunglare_client.text.rulebook import RulePassage, RuleSection, sections

PASSAGES_MOST = 4
"""The most passages on a word that are shown; of the others the sections are named."""

NAMED_MOST = 8
"""The most sections that are named."""

PREFIX_LEAST = 3
"""The fewest letters that find longer words which begin with them."""

RULED = {
    "deploy": ("turn", 7, "deploy"),
    "burn": ("turn", 5, ""),
    "face": ("turn", 5, ""),
    "turn": ("turn", 5, ""),
    "thrust": ("turn", 5, ""),
    "drift": ("turn", 5, ""),
    "power": ("turn", 5, "power"),
    "ecm": ("turn", 5, "ecm"),
    "sensors": ("turn", 5, "sensors"),
    "cloak": ("cloak", 1, ""),
    "rotate": ("arcs", 2, "rotate"),
    "land": ("turn", 5, "land"),
    "lift": ("turn", 5, "lift"),
    "launch": ("turn", 6, "launch"),
    "aim": ("turn", 6, "aim"),
    "shadow": ("sensors", 2, "shadow"),
    "station": ("turn", 7, "station"),
    "move": ("blips", 2, ""),
    "walk": ("search", 2, "walk"),
    "board": ("search", 2, "board"),
    "leave": ("search", 2, "leave"),
    "mission": ("search", 2, "mission"),
    "stand": ("search", 2, "stand"),
    "scan": ("sensors", 5, ""),
    "preview": ("sensors", 5, ""),
    "listen": ("cloak", 2, ""),
    "sweep": ("cloak", 4, ""),
    "probe": ("blips", 3, "data"),
    "fire": ("turn", 6, ""),
    "hold": ("cloak", 5, "hold"),
    "bombard": ("capital", 2, ""),
    "defend": ("turn", 6, "defend"),
    "search": ("search", 2, "search"),
    "goals": ("turn", 8, ""),
    "points": ("turn", 8, ""),
}
"""The rules of commands and of points: a chapter, the number of a section, and there a term.

Without a term the whole section.
"""

HOW = "rules turn 5 shows a section, rules landing what the rules say of a word"
"""How to go on from the list of chapters, or from a word that the rules do not have."""

CHAPTERS = ("turn", "sensors", "blips", "cloak", "arcs", "capital", "search")
"""The chapters of the rule book, in its order."""

_NUMBERED = re.compile(r"([a-z]+) ?(?:§ ?)?(\d{1,2})")


@final
class _Found(NamedTuple):
    section: RuleSection
    passage: RulePassage


def rule_lines(words: str) -> list[str]:
    """Return what the rule book says of these words; without any, its chapters and sections.

    The words name a chapter, a section such as `turn 5` or its title, a command, or anything
    that stands in the rules.
    """
    wanted = " ".join(words.lower().split())
    if not wanted:
        return [*_contents(sections()), HOW]
    found = _named(wanted) or command_rules(wanted) or word_rules(wanted)
    return found or [Problem("E-ARG", f"rules: no rule has the words '{wanted}'.", HOW).text]


def command_rules(verb: str) -> list[str]:
    """Return the rules of a command: what its section says of it, or all; none of other words."""
    if verb not in RULED:
        return []
    *place, term = RULED[verb]
    (section,) = (one for one in sections() if [one.chapter, one.number] == place)
    if not term:
        return _whole(section)
    rest = f"the whole section on {verb}: rules {section.chapter} {section.number}"
    return [*_passages(_stressing(term, (section,))), rest]


def word_rules(word: str) -> list[str]:
    """Return the passages that stress a word, else those that have it; none if there are none.

    One section that has the word in its title is shown whole.
    """
    titled = [one for one in sections() if _has(word, one.title)]
    if len(titled) == 1:
        return _whole(titled[0])
    found = _stressing(word, sections()) or [
        _Found(one, passage)
        for one in sections()
        for passage in one.passages
        if _has(word, passage.line)
    ]
    others = (*titled, *(section for section, _ in found[PASSAGES_MOST:]))
    more = [f"rules {one.chapter} {one.number} ({one.title})" for one in dict.fromkeys(others)]
    rest = [f"more: {'; '.join(more[:NAMED_MOST])}"] if more else []
    return [*_passages(found[:PASSAGES_MOST]), *rest]


def _named(wanted: str) -> list[str]:
    """Return the chapter or the section of that name, number or title."""
    chapter = [one for one in sections() if one.chapter == wanted]
    if chapter:
        return [*_contents(chapter), *(f"  {line}" for line in chapter[0].lines)]
    number = _NUMBERED.fullmatch(wanted)
    place = () if number is None else (number[1], int(number[2]))
    named = (one for one in sections() if wanted == one.title or place == one[:2])
    return next(map(_whole, named), [])


def _contents(shown: tuple[RuleSection, ...] | list[RuleSection]) -> list[str]:
    """Return the chapters with the numbers and titles of their sections, a line each."""
    rows = []
    for chapter, parts in groupby(shown, lambda one: one.chapter):
        titles = (f"{one.number} {one.title}" for one in parts if one.number)
        rows.append(f"{chapter}: {'; '.join(titles)}")
    return rows


def _whole(section: RuleSection) -> list[str]:
    return [section.heading, *(f"  {line}" for line in section.lines)]


def _stressing(word: str, among: tuple[RuleSection, ...]) -> list[_Found]:
    """Return the passages that stress a word, rows of tables last."""
    found = [
        _Found(section, passage)
        for section in among
        for passage in section.passages
        if any(_has(word, term) for term in passage.terms)
    ]
    return sorted(found, key=lambda one: bool(one.passage.cells))


def _passages(found: list[_Found]) -> list[str]:
    """Return passages below the headings of their sections."""
    rows = []
    for heading, parts in groupby(found, lambda one: one.section.heading):
        rows.append(heading)
        for one in parts:
            rows += [f"  {one.passage.line}", *(f"    {row}" for row in one.passage.table)]
    return rows


def _has(word: str, text: str) -> bool:
    """Return whether some word of a text is this one, or a longer one that begins with it."""
    end = r"\b" if len(word) < PREFIX_LEAST else ""
    return re.search(rf"\b{re.escape(word)}{end}", text, re.IGNORECASE) is not None
