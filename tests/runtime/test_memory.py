"""Nobody waits for what memory alone has: each piece of it, and each news, has a reason."""

import ast
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

SERVER = Path(__file__).parents[2] / "server" / "sunglare_server"
INNER = (
    "accounts",
    "archive",
    "base",
    "housebots",
    "lobby",
    "matchmaking",
    "moderation",
    "ports",
    "rooms",
    "runtime",
    "sqlite",
)
"""The folders whose classes are looked at."""

TABLE: dict[str, Any] = tomllib.loads(
    Path(__file__).with_name("memory.toml").read_text(encoding="utf-8")
)

MADE = (
    *("dict", "list", "set", "deque", "Counter", "WeakValueDictionary", "SimpleQueue"),
    *("Event", "Lock", "Future"),
)
"""What is called where state is made that changes."""


def is_made(value: ast.expr | None) -> bool:
    """Return whether a value is made on the spot, and so is state and no part that was given."""
    if isinstance(value, ast.Call):
        called = value.func.value if isinstance(value.func, ast.Subscript) else value.func
        name = called.attr if isinstance(called, ast.Attribute) else getattr(called, "id", "")
        return name in MADE
    shows = (ast.Constant, ast.Dict, ast.List, ast.Set, ast.ListComp, ast.DictComp)
    return isinstance(value, shows)


def assigned(start: ast.FunctionDef) -> Iterator[str]:
    """Yield the attributes that a constructor makes on the spot."""
    for statement in ast.walk(start):
        targets: list[ast.expr] = []
        if isinstance(statement, ast.Assign):
            targets = statement.targets
        elif isinstance(statement, ast.AnnAssign):
            targets = [statement.target]
        else:
            continue
        for target in targets:
            yield from made_by(target, statement.value)


def made_by(target: ast.expr, value: ast.expr | None) -> Iterator[str]:
    """Yield the attributes of one assignment that are made on the spot."""
    if isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple):
        for part, given in zip(target.elts, value.elts, strict=True):
            yield from made_by(part, given)
    elif isinstance(target, ast.Attribute) and is_made(value):
        yield target.attr


def state() -> dict[str, list[str]]:
    """Return what each class of the inner folders makes for itself, by module and name."""
    found: dict[str, list[str]] = {}
    for path in sorted(path for folder in INNER for path in (SERVER / folder).glob("*.py")):
        place = ".".join(path.relative_to(SERVER).with_suffix("").parts)
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ClassDef):
                starts = [
                    part
                    for part in node.body
                    if isinstance(part, ast.FunctionDef) and part.name == "__init__"
                ]
                names = sorted({name for start in starts for name in assigned(start)})
                if names:
                    found[f"{place}.{node.name}"] = names
    return found


def news_in(tree: ast.AST, place: str) -> Iterator[str]:
    """Yield the places in which news outside a sequence are made."""
    for node in ast.iter_child_nodes(tree):
        inner = place
        if isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            inner = f"{place}.{node.name}"
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "News":
            numbers = [one.value for one in node.keywords if one.arg == "seq"]
            if any(isinstance(number, ast.Constant) and number.value == 0 for number in numbers):
                yield place
        yield from news_in(node, inner)


def news() -> list[str]:
    """Return the places in the server where such news are made, each once."""
    found: dict[str, None] = {}
    for path in sorted(SERVER.rglob("*.py")):
        place = ".".join(path.relative_to(SERVER).with_suffix("").parts)
        text = path.read_text(encoding="utf-8")
        if "News(" in text:
            found |= dict.fromkeys(news_in(ast.parse(text), place))
    return sorted(found)


def test_each_piece_of_state_in_memory_has_a_reason_why_nobody_waits_for_it() -> None:
    listed = {name: sorted(reasons) for name, reasons in TABLE["state"].items()}
    assert listed == state()


def test_each_news_outside_a_sequence_has_a_reason_why_nobody_waits_for_it() -> None:
    assert sorted(TABLE["news"]) == news()


@pytest.mark.parametrize("table", ["state", "news"])
def test_a_reason_is_a_sentence_or_the_name_of_one(table: str) -> None:
    rows = TABLE[table].values() if table == "state" else [TABLE["news"]]
    reasons = [reason for row in rows for reason in row.values()]
    given = [TABLE["why"].get(reason, reason) for reason in reasons]
    assert [reason for reason in given if " " not in reason or not reason.endswith(".")] == []


def test_no_reason_is_unused() -> None:
    used = {reason for row in TABLE["state"].values() for reason in row.values()}
    assert [name for name in TABLE["why"] if name not in used] == []


def test_what_is_made_on_the_spot_is_found_and_what_is_given_is_not() -> None:
    start = ast.parse(
        "def __init__(self, given):\n"
        "    self.given = given\n"
        "    self.one, self.two = {}, given\n"
        "    self.three: dict[str, int] = {}\n"
        "    self.four = asyncio.Lock()\n"
        "    self.five = deque[int](maxlen=3)\n"
        "    self.six = Made(given)\n"
    ).body[0]
    assert isinstance(start, ast.FunctionDef)
    assert list(assigned(start)) == ["one", "three", "four", "five"]
