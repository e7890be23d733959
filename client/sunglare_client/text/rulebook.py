"""The rule book of the `sunglare_rules` package as sections of plain lines, without its markup.

Every line of the page is a passage: a paragraph, an item of a list or a row of a table. A narrow
table is shown in columns; each row of a wider one becomes a line that names its columns.
"""

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from importlib.resources import files
from itertools import groupby
from typing import NamedTuple, final

TABLE_WIDTH = 76
"""The most characters that a row of a table in columns takes."""

_CHAPTER = re.compile(r"## (\w+)")
_SECTION = re.compile(r"### (\w+) §(\d+): (.+)")
_BAR = re.compile(r" *(?<!\\)\| *")
_STRESS = re.compile(r"(?<![\w*])\*{1,2}([^*]+)\*{1,2}(?![\w*])")
_CODE = re.compile(r"`([^`]+)`")
_UNSHOWN = ("<!--", "![")
"""How the lines of the page begin that no terminal shows: marks of tables, and pictures."""

_LINK = re.compile(r"\[([^]]+)\]\([^)]+\)")


@final
class RulePassage(NamedTuple):
    """One statement of the rules as a line, with the terms that it stresses, in lower case.

    The term of a table's row is its first cell, and `cells` are all of them with their columns.
    `table` is one in columns that follows the line.
    """

    line: str
    terms: tuple[str, ...] = ()
    cells: tuple[tuple[str, str], ...] = ()
    table: tuple[str, ...] = ()


@final
class RuleSection(NamedTuple):
    """A section of a chapter; number 0 is what the chapter begins with.

    `lines` are the whole section as it is shown, `passages` its statements one by one.
    """

    chapter: str
    number: int
    title: str
    lines: tuple[str, ...]
    passages: tuple[RulePassage, ...]

    @property
    def heading(self) -> str:
        """Return the name by which other rules refer to the section, with its title."""
        return f"{self.chapter} §{self.number}: {self.title}"


@lru_cache(maxsize=1)
def sections() -> tuple[RuleSection, ...]:
    """Return all sections of the rule book in its order."""
    page = (files("sunglare_rules") / "RULES.md").read_text(encoding="utf-8")
    return tuple(_sections(page))


def _sections(page: str) -> Iterator[RuleSection]:
    for part in re.split(r"^(?=###? )", page, flags=re.MULTILINE):
        head, *body = part.splitlines()
        section, chapter = _SECTION.fullmatch(head), _CHAPTER.fullmatch(head)
        if section is not None:
            yield RuleSection(section[1], int(section[2]), section[3], *_read(body))
        elif chapter is not None:
            yield RuleSection(chapter[1], 0, "source and options", *_read(body))


def _read(body: Iterable[str]) -> tuple[tuple[str, ...], tuple[RulePassage, ...]]:
    """Return the lines of a section and its passages."""
    lines: list[str] = []
    passages: list[RulePassage] = []
    for is_table, block in groupby(body, lambda row: row.startswith("|")):
        if is_table:
            table = [_cells(row) for row in block if row.strip("|- ")]
            found = [_row(table[0], cells) for cells in table[1:]]
            columns = _columns(table)
            passages[-1:] = [one._replace(table=columns) for one in passages[-1:]]
            lines += columns or (passage.line for passage in found)
        else:
            prose = [row for row in block if row and not row.startswith(_UNSHOWN)]
            found = [RulePassage(_plain(row), _terms(row)) for row in prose]
            lines += [passage.line for passage in found]
        passages += found
    return tuple(lines), tuple(passages)


def _cells(row: str) -> list[str]:
    return [_plain(cell).replace("\\|", "|") for cell in _BAR.split(row)[1:-1]]


def _row(header: list[str], cells: list[str]) -> RulePassage:
    """Return a row as a line: its first cell, then each other that is not empty by its column."""
    names = [f"{name}: " for name in header] if len(header) > 2 else ["", ""]
    rest = (name + cell for name, cell in zip(names[1:], cells[1:], strict=True) if cell)
    line = " | ".join((f"- {cells[0]}", *rest))
    return RulePassage(line, (cells[0].lower(),), tuple(zip(header, cells, strict=True)))


def _columns(table: list[list[str]]) -> tuple[str, ...]:
    """Return a table in columns, close together if need be; none of one that is too wide."""
    widths = [max(map(len, column)) for column in zip(*table, strict=True)]
    for gap in ("  ", " "):
        if sum(widths) + len(gap) * (len(widths) - 1) <= TABLE_WIDTH:
            return tuple(gap.join(map(str.ljust, cells, widths)).rstrip() for cells in table)
    return ()


def _terms(row: str) -> tuple[str, ...]:
    return tuple(term.lower() for term in (*_STRESS.findall(row), *_CODE.findall(row)))


def _plain(row: str) -> str:
    """Return a line of the page without its links, its emphasis and its quotation of code."""
    return _CODE.sub(r"\1", _STRESS.sub(r"\1", _LINK.sub(r"\1", row)))
