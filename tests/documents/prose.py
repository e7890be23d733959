"""Counts of the patterns that make English read as translated, against a bar for each of them.

A text above a bar is rewritten: run this file to see the sentences. What has to stay, since it is
quoted, stands in `prose.toml` with the reason. A ceiling there is of a text that is not at the
bars yet; it falls with its count and is never raised.
"""

import re
import sys
import tomllib
from collections.abc import Iterator, Mapping
from functools import cache
from itertools import chain
from pathlib import Path
from typing import Final, NamedTuple

sys.path.insert(0, str(Path(__file__).parents[1]))

from builders.sources import text_of as source_text
from documents.addresses import DISTRIBUTIONS, modules_in
from documents.apitables import client_help, operator_parser, server_help
from documents.doctables import PAGES, ROOT, text_of
from sunglare_client.commands.arguments import SUBCOMMANDS
from sunglare_client.verbs.table import VERBS
from sunglare_protocol.lessons.lesson import positions
from sunglare_protocol.refusals import SENTENCES
from sunglare_server.config import Duty
from sunglare_server.ops.control.commands import COMMANDS

LISTS: Final = Path(__file__).with_name("prose.toml")

PATTERNS: Final = {
    "whoever": r"\bwhom?ever\b",
    "anew": r"\banew\b",
    "became": r"\bwhat bec(?:ame|omes) of\b|\bcom(?:es?|ing) to (?:no|a|an|the)\b|\blets? go of\b",
    "somebody": r"\b(?:some|no|every)body\b",
    "told": r"\b(?:tells?|told|hears? of)\b",
    "besides": r"\bbesides?\b",
    "he": r"\b(?:he|his|him|himself)\b",
    "opening": r"\A(?:What|Who|Whom|Whose|How|Whether|Which)\b",
}
"""The patterns by name; an opening is the first word of a module's docstring."""

BARS: Final = {
    "whoever": 0.0,
    "anew": 0.0,
    "became": 0.0,
    "somebody": 0.3,
    "told": 0.6,
    "besides": 0.3,
    "he": 0.0,
    "opening": 0.0,
}
"""How often each pattern may occur in 1,000 words."""

SHORT: Final = 2_000
"""In a text of fewer words a pattern may occur once, unless its bar is 0."""

FURTHER_PAGES: Final = ("tests/README.md", "tests/bench/README.md", "server/RENAMED.md")

_ANYWHERE: Final = tuple(name for name in PATTERNS if name != "opening")

_CODE: Final = re.compile(r"^```.*?^```$", re.DOTALL | re.MULTILINE)
_MADE: Final = re.compile(r"<!-- table: .*?<!-- end of table -->", re.DOTALL)
_DOCSTRING: Final = re.compile(r'"""(.*?)"""', re.DOTALL)

Counts = dict[str, dict[str, int]]


class Text(NamedTuple):
    """A text that is counted, and the module docstrings in it."""

    words: str
    heads: tuple[str, ...] = ()


def counted(text: Text) -> dict[str, int]:
    """Return how often each pattern that occurs does in a text."""
    words = " ".join(text.words.split())
    found = {
        name: len(re.findall(pattern, words, re.IGNORECASE)) for name, pattern in PATTERNS.items()
    }
    found["opening"] = sum(bool(re.match(PATTERNS["opening"], head)) for head in text.heads)
    return {name: count for name, count in found.items() if count}


def most(pattern: str, words: int) -> int:
    """Return how often a pattern may occur in a text of so many words."""
    bar = BARS[pattern]
    return max(int(bar * words / 1_000), int(bar > 0 and words < SHORT))


def above(texts: Mapping[str, Text]) -> Counts:
    """Return the counts that are above the bars, by text."""
    found = {
        name: {
            pattern: count
            for pattern, count in counted(text).items()
            if count > most(pattern, len(text.words.split()))
        }
        for name, text in texts.items()
    }
    return {name: found[name] for name in found if found[name]}


def sentences(text: Text) -> Iterator[str]:
    """Yield the sentences of a text in which a pattern occurs."""
    for sentence in re.split(r"(?<=[.!?])\s+", text.words):
        if any(re.search(PATTERNS[name], sentence, re.IGNORECASE) for name in _ANYWHERE):
            yield " ".join(sentence.split())


def prose_of(page: str) -> str:
    """Return a page without code and without the tables that are made from code."""
    return _MADE.sub("", _CODE.sub("", text_of(page)))


@cache
def allowed() -> dict[str, dict[str, str]]:
    """Return by page the phrases that are not counted, each with its reason."""
    return dict(tomllib.loads(LISTS.read_text(encoding="utf-8"))["allowed"])


def without_allowed(page: str) -> str:
    """Return the prose of a page without the phrases that may stand there."""
    text = prose_of(page)
    for phrase in allowed().get(page, {}):
        text = text.replace(phrase, "")
    return text


def room_of(path: Path) -> str:
    """Return the folder by which a module's docstrings are counted: its package's, at most."""
    return "/".join(path.relative_to(ROOT).parent.parts[:3])


def docstrings() -> dict[str, Text]:
    """Return all docstrings, by room."""
    texts: dict[str, list[str]] = {}
    heads: dict[str, list[str]] = {}
    for path in modules_in(*DISTRIBUTIONS):
        text, room = source_text(path), room_of(path)
        texts.setdefault(room, []).extend(_DOCSTRING.findall(text))
        if head := _DOCSTRING.match(text):
            heads.setdefault(room, []).append(head[1])
    return {
        room: Text("\n".join(found), tuple(heads.get(room, ()))) for room, found in texts.items()
    }


def help_texts() -> Iterator[tuple[str, str]]:
    """Yield the texts that programs show of themselves, by name."""
    yield "help of sunglare", "\n".join([client_help(), *map(client_help, SUBCOMMANDS)])
    yield (
        "help of commands in a match",
        "\n".join(" ".join([verb.meaning, *verb.more]) for verb in VERBS),
    )
    server = [server_help(duty) for duty in Duty]
    parsers = [command.help for command in COMMANDS.values()]
    yield (
        "help of sunglare-server",
        "\n".join([*server, operator_parser().format_help(), *parsers]),
    )


def event_text() -> str:
    """Return the events of all log lines as words."""
    lines = tomllib.loads((ROOT / "tests/outlets/loglines.toml").read_text(encoding="utf-8"))
    return "\n".join(lines).replace("_", " ")


def lesson_text() -> str:
    """Return all that the lessons say."""
    lessons = [position.lesson for position in positions()]
    said = [(one.title, one.story, one.task, one.hint, one.otherwise, one.idea) for one in lessons]
    wrong = [tuple(one.wrong.values()) for one in lessons]
    return "\n".join(chain.from_iterable([*said, *wrong]))


def texts() -> dict[str, Text]:
    """Return all texts that are counted, by name."""
    found = {page: Text(without_allowed(page)) for page in (*PAGES, *FURTHER_PAGES)}
    found |= {name: Text(text) for name, text in help_texts()}
    found["refusals"] = Text("\n".join(SENTENCES.values()))
    found["log events"] = Text(event_text())
    found["lessons"] = Text(lesson_text())
    return found | docstrings()


def ceilings() -> Counts:
    """Return the ceilings of `prose.toml`."""
    return dict(tomllib.loads(LISTS.read_text(encoding="utf-8"))["ceilings"])


def raised(now: Counts, most_of: Counts) -> list[str]:
    """Return where a count is above its ceiling."""
    return [
        f"{name}: {pattern} {count} times, at most {most_of.get(name, {}).get(pattern, 0)}"
        for name, found in now.items()
        for pattern, count in found.items()
        if count > most_of.get(name, {}).get(pattern, 0)
    ]


def lines_of(now: Counts) -> str:
    """Return the counts as the lines of the file."""
    rows = (
        f'"{name}" = {{ {", ".join(f"{pattern} = {n}" for pattern, n in found.items())} }}\n'
        for name, found in sorted(now.items())
    )
    return "".join(rows)


def main() -> int:
    """Lower the ceilings to the counts; print what is too much, and return 1, if anything is."""
    found = texts()
    now = above(found)
    if faults := raised(now, ceilings()):
        names = sorted({fault.partition(":")[0] for fault in faults})
        shown = [f"  {name}: {line}" for name in names for line in sentences(found[name])]
        sys.stderr.write("\n".join(["rewrite these texts:", *faults, *shown, ""]))
        return 1
    head = LISTS.read_text(encoding="utf-8").partition("[ceilings]\n")[0]
    LISTS.write_text(f"{head}[ceilings]\n{lines_of(now)}", encoding="utf-8")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
