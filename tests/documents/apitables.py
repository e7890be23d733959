"""The tables of the bot page and of the operator's page, made from the library and the flags."""

import contextlib
import inspect
import io
import os
import re
from collections.abc import Callable
from functools import cache, partial
from unittest import mock

import sunglare_client
from documents.wirewords import table
from sunglare_client import Advice, Bot, kit
from sunglare_client.__main__ import main as client_main
from sunglare_client.bots import BOTS
from sunglare_client.choosing.numbers import CANDIDATE_NUMBERS, PIECE_NUMBERS, VIEW_NUMBERS
from sunglare_gym.spaces import PARTS
from sunglare_server.cli import read_settings
from sunglare_server.config import PREFIX, Duty, Settings
from sunglare_server.config_report import written
from sunglare_server.ops.control.commands import COMMANDS, operate, parser

_COMMON = re.compile(
    r" \[(?:-h|--json|--journal JOURNAL|--control CONTROL"
    r"|--nats URLS|--credentials FILE|--worker NAME)\]"
)
_FLAG = re.compile(r"^  (--[a-z-]+)\b.*?(?:\n +|  +)(\S.*)$", re.MULTILINE)


def first_sentence(thing: object) -> str:
    """Return the first paragraph of a description in one line."""
    return " ".join((inspect.getdoc(thing) or "").partition("\n\n")[0].split())


def _names() -> str:
    rows = (
        (f"`{name}`", first_sentence(getattr(sunglare_client, name)))
        for name in sunglare_client.__all__
    )
    return table(("name", "what it is"), rows)


def _methods(kind: type) -> str:
    rows = (
        (f"`{name}{_signature(method)}`", first_sentence(method))
        for name, method in inspect.getmembers(kind, inspect.isfunction)
        if not name.startswith("_")
    )
    return table(("method", "what it does"), rows)


def _kit() -> str:
    rows = ((f"`{_called(name)}`", first_sentence(getattr(kit, name))) for name in kit.__all__)
    return table(("name", "what it is"), rows)


def _called(name: str) -> str:
    """Return a name of the kit, that of a function with what it takes."""
    thing = getattr(kit, name)
    return f"{name}{_signature(thing)}" if inspect.isroutine(thing) or _is_kept(thing) else name


def _is_kept(thing: object) -> bool:
    """Return whether this is a function whose answers are remembered."""
    return inspect.isroutine(getattr(thing, "__wrapped__", None))


def _base(kind: type, base: type) -> str:
    """Return the methods of a class that its base has not, or that it does otherwise."""
    rows = (
        (f"`{name}{_signature(method)}`", first_sentence(method))
        for name, method in inspect.getmembers(kind, inspect.isfunction)
        if not name.startswith("_") and getattr(base, name, None) is not method
    )
    return table(("method", "what it does"), rows)


def _signature(method: Callable[..., object]) -> str:
    names = [name for name in inspect.signature(method).parameters if name != "self"]
    return f"({', '.join(names)})"


def _numbers(meanings: dict[str, str], head: str) -> str:
    rows = ((f"`{name}`", meaning) for name, meaning in meanings.items())
    return table((head, "what it is"), rows)


def _shipped_bots() -> str:
    rows = ((f"`{name}`", first_sentence(kind)) for name, kind in BOTS.items())
    return table(("bot", "how it plays"), rows)


NOT_FROM_OUTSIDE = ("--seed",)
"""The flags that the environment does not set."""


def server_help(duty: Duty = Duty.WHOLE) -> str:
    """Return what `sunglare-server --help` prints on a wide terminal, or that of a part of it."""
    return _printed(lambda: read_settings(["--help"], duty))


@cache
def client_help(*words: str) -> str:
    """Return the help of the client or of one of its commands."""
    said = io.StringIO()
    with contextlib.redirect_stdout(said), contextlib.suppress(SystemExit):
        client_main([*words, "--help"])
    return said.getvalue()


operator_parser = cache(parser)
"""Returns the parser of an operator's commands, made once."""


def _printed(help_of: Callable[[], object]) -> str:
    said = io.StringIO()
    wide = mock.patch.dict(os.environ, {"COLUMNS": "200"})
    with wide, contextlib.redirect_stdout(said), contextlib.suppress(SystemExit):
        help_of()
    return said.getvalue()


@cache
def server_flags() -> dict[str, tuple[str, str]]:
    """Return every flag that sets something, with its help and which processes have it."""
    found: dict[str, dict[str, str]] = {}
    for duty in Duty:
        for flag, words in _FLAG.findall(server_help(duty)):
            found.setdefault(flag, {})[duty.value] = words
    del found["--version"]
    return {flag: (next(iter(of.values())), _whose(tuple(of))) for flag, of in found.items()}


def _whose(duties: tuple[str, ...]) -> str:
    return "all" if len(duties) == len(Duty) else ", ".join(duties)


def _flags() -> str:
    rows = []
    for flag, (words, whose) in server_flags().items():
        name = flag.removeprefix("--").replace("-", "_")
        variable = "none" if flag in NOT_FROM_OUTSIDE else f"`{PREFIX}{name.upper()}`"
        rows.append((f"`{flag}`", variable, _shown(name), whose, words))
    return table(("flag", "environment", "default", "of", "meaning"), rows)


def _commands() -> str:
    rows = []
    for word, command in COMMANDS.items():
        said = _printed(partial(operate, [word, "--help"]))
        usage = _COMMON.sub("", said.partition("\n\n")[0].removeprefix("usage: sunglare-server "))
        rows.append((f"`{' '.join(usage.split())}`", command.help))
    return table(("command", "what it does"), rows)


def _shown(name: str) -> str:
    shown = written(getattr(Settings(), name))
    return shown if shown == "none" else f"`{shown}`"


API_TABLES: dict[str, Callable[[], str]] = {
    "library": _names,
    "bot": lambda: _methods(Bot),
    "advice": lambda: _methods(Advice),
    "kit": _kit,
    "seeker": lambda: _base(kit.Seeker, Bot),
    "belief map": lambda: _methods(kit.BeliefMap),
    "parts of an observation": lambda: _numbers(PARTS, "part"),
    "numbers of a view": lambda: _numbers(VIEW_NUMBERS, "number"),
    "numbers of a piece": lambda: _numbers(PIECE_NUMBERS, "number"),
    "numbers of a candidate": lambda: _numbers(CANDIDATE_NUMBERS, "number"),
    "shipped bots": _shipped_bots,
    "flags": _flags,
    "operator commands": _commands,
}
