"""Counts of the patterns that make English read as translated: run this file to lower ceilings.

`prose.toml` has the ceiling of each pattern in each text. A ceiling falls with its count and is
never raised: a text that needs a higher one is rewritten.
"""

import re
import sys
import tomllib
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import Final

sys.path.insert(0, str(Path(__file__).parents[1]))

from builders.sources import text_of as source_text
from documents.addresses import DISTRIBUTIONS, modules_in
from documents.apitables import client_help, operator_parser, server_help
from documents.doctables import PAGES, ROOT, text_of
from sunglare_client.commands.arguments import SUBCOMMANDS
from sunglare_client.verbs.table import VERBS
from sunglare_protocol.refusals import SENTENCES
from sunglare_server.config import Duty
from sunglare_server.ops.control.commands import COMMANDS

CEILINGS: Final = Path(__file__).with_name("prose.toml")

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

FURTHER_PAGES: Final = ("tests/README.md", "tests/bench/README.md", "server/RENAMED.md")

_CODE: Final = re.compile(r"^```.*?^```$", re.DOTALL | re.MULTILINE)
_MADE: Final = re.compile(r"<!-- table: .*?<!-- end of table -->", re.DOTALL)
_DOCSTRING: Final = re.compile(r'"""(.*?)"""', re.DOTALL)

Counts = dict[str, dict[str, int]]


def counted(words: str, heads: Iterable[str] = ()) -> dict[str, int]:
    """Return how often each pattern that occurs does in a text; `heads` are module docstrings."""
    text = " ".join(words.split())
    found = Counter(
        {
            name: len(re.findall(pattern, text, re.IGNORECASE))
            for name, pattern in PATTERNS.items()
            if name != "opening"
        }
    )
    found["opening"] = sum(bool(re.match(PATTERNS["opening"], head)) for head in heads)
    return {name: found[name] for name in PATTERNS if found[name]}


def prose_of(page: str) -> str:
    """Return a page without code and without the tables that are made from code."""
    return _MADE.sub("", _CODE.sub("", text_of(page)))


@cache
def allowed() -> dict[str, dict[str, str]]:
    """Return by page the phrases that are not counted, each with its reason."""
    return dict(tomllib.loads(CEILINGS.read_text(encoding="utf-8"))["allowed"])


def without_allowed(page: str) -> str:
    """Return the prose of a page without the phrases that may stand there."""
    text = prose_of(page)
    for phrase in allowed().get(page, {}):
        text = text.replace(phrase, "")
    return text


def room_of(path: Path) -> str:
    """Return the folder by which a module's docstrings are counted: its package's, at most."""
    return "/".join(path.relative_to(ROOT).parent.parts[:3])


def docstring_counts() -> Counts:
    """Return the counts of all docstrings, by room."""
    texts: dict[str, list[str]] = {}
    heads: dict[str, list[str]] = {}
    for path in modules_in(*DISTRIBUTIONS):
        text, room = source_text(path), room_of(path)
        texts.setdefault(room, []).extend(_DOCSTRING.findall(text))
        if head := _DOCSTRING.match(text):
            heads.setdefault(room, []).append(head[1])
    return {room: counted("\n".join(texts[room]), heads.get(room, ())) for room in texts}


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


def counts() -> Counts:
    """Return the counts of all texts, without those in which no pattern occurs."""
    found = {page: counted(without_allowed(page)) for page in (*PAGES, *FURTHER_PAGES)}
    found |= {name: counted(text) for name, text in help_texts()}
    found["refusals"] = counted("\n".join(SENTENCES.values()))
    found["log events"] = counted(event_text())
    found |= docstring_counts()
    return {name: found[name] for name in found if found[name]}


def ceilings() -> Counts:
    """Return the ceilings of `prose.toml`."""
    return dict(tomllib.loads(CEILINGS.read_text(encoding="utf-8"))["ceilings"])


def raised(now: Counts, most: Counts) -> list[str]:
    """Return where a count is above its ceiling."""
    return [
        f"{name}: {pattern} {count} times, at most {most.get(name, {}).get(pattern, 0)}"
        for name, found in now.items()
        for pattern, count in found.items()
        if count > most.get(name, {}).get(pattern, 0)
    ]


def lines_of(now: Counts) -> str:
    """Return the counts as the lines of the file."""
    rows = (
        f'"{name}" = {{ {", ".join(f"{pattern} = {n}" for pattern, n in found.items())} }}'
        for name, found in sorted(now.items())
    )
    return "\n".join(rows)


def main() -> int:
    """Lower the ceilings to the counts; return 1 if one would have to be raised."""
    now = counts()
    if faults := raised(now, ceilings()):
        sys.stderr.write("\n".join(["rewrite these; no ceiling is raised:", *faults, ""]))
        return 1
    head = CEILINGS.read_text(encoding="utf-8").partition("[ceilings]\n")[0]
    CEILINGS.write_text(f"{head}[ceilings]\n{lines_of(now)}\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
