"""The twenty questions of `WHERE.md`: how they are read, and what may be wrong with an answer.

Run as a program it prints the questions without the answers.
"""

import re
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final, NamedTuple

PAGE: Final = Path(__file__).with_name("WHERE.md")

_HEADING: Final = re.compile(r"^## (.+?) \.\.\.$")
_ROW: Final = re.compile(r"^\| (\d+) \| \.\.\. (.+?) \| `([^`]+)` \|(?: `([^`]+)` \|)?$")


class Asked(NamedTuple):
    """A question with its number and its answer; `rule` is the id of the rule it asks for."""

    number: int
    kind: str
    rest: str
    place: str
    rule: str | None

    @property
    def question(self) -> str:
        """Return the whole question."""
        return f"{self.kind} {self.rest}"

    @property
    def file(self) -> str:
        """Return the file in which the answer lies, from its package on."""
        return self.place.split("::")[0]


def asked(page: str) -> Iterator[Asked]:
    """Yield the questions of the page in their order."""
    kind = ""
    for line in page.splitlines():
        if heading := _HEADING.match(line):
            kind = heading[1]
        elif row := _ROW.match(line):
            yield Asked(int(row[1]), kind, row[2], row[3], row[4])


def wrong_rule(question: Asked, places: Mapping[str, tuple[str, ...]]) -> str | None:
    """Return why a question names a wrong rule, or None; `places` are those of all rules.

    The answer is the rule's own address, or the name to look for in the module of that address.
    """
    if question.rule is None:
        return None
    if question.rule not in places:
        return f"{question.number}: there is no rule {question.rule}"
    if question.place in places[question.rule] or question.file in places[question.rule]:
        return None
    return f"{question.number}: {question.rule} stands in {', '.join(places[question.rule])}"


def names_its_file(question: Asked) -> bool:
    """Return whether a question gives its answer away: the name of the file is a word of it."""
    words = re.findall(r"[a-z]+", question.rest.lower())
    return Path(question.file).stem in words


def main() -> None:
    """Print the questions."""
    for question in asked(PAGE.read_text(encoding="utf-8")):
        sys.stdout.write(f"{question.number:>2}. {question.question}\n")


if __name__ == "__main__":
    main()
