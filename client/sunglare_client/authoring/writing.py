"""Files for the author of a bot: a bot with its test, and the test of a moment with its view."""

import keyword
import re
import sys
from collections.abc import Mapping
from importlib.resources import files
from pathlib import Path
from string import Template
from typing import Final, NamedTuple, final

from sunglare_client.authoring.moment import Moment, packed_moment
from sunglare_client.bots import BOTS
from sunglare_protocol.errors import SunglareError

_NAME: Final = re.compile(r"[a-z][a-z0-9_]{0,39}", re.ASCII)

_TAKEN: Final = frozenset(
    {"msgpack", "msgspec", "pytest", "ruff", "test", "tests", "websockets", *BOTS}
)
"""Names that mean something else to Python's tools, or to ours."""


class AuthoringError(SunglareError):
    """A file that was asked for can't be written; the text says why and what would be right."""


@final
class NewFiles(NamedTuple):
    """The files that were written, and what to type next."""

    paths: tuple[Path, ...]
    following: str

    @property
    def sentence(self) -> str:
        """Return both in one line."""
        return f"{' and '.join(map(str, self.paths))} written; next: {self.following}"


@final
class BotName(NamedTuple):
    """A bot by how Python has it: the module, and the class in it."""

    module: str
    kind: str


def new_bot(name: str, folder: Path) -> NewFiles:
    """Write a bot and its test; raise `AuthoringError` for a bad name or where a file is."""
    _check_name(name)
    words = {"module": name, "kind": _kind_of(name), "name": name.replace("_", "-")}
    bot, test = folder / f"{name}.py", folder / f"test_{name}.py"
    _write({bot: _filled("bot.txt", words), test: _filled("bot_test.txt", words)})
    return NewFiles((bot, test), _pytest(test))


def new_moment(moment: Moment, path: Path, bot: BotName | str) -> NewFiles:
    """Write a test of a moment, and the moment next to it.

    `bot` is a class in the test's folder, or the name of a shipped bot. Raise `AuthoringError` for
    a bad name of the test, or where a file is.
    """
    if not re.fullmatch(r"test_\w+\.py", path.name, re.ASCII):
        raise AuthoringError(f"{path.name!r} is no name of a test, such as test_moment.py")
    is_shipped = isinstance(bot, str)
    stage = moment.view.stage
    words = {
        "imports": _SHIPPED_IMPORTS if isinstance(bot, str) else _own_imports(bot),
        "made": f'BOTS["{bot}"](seed=0)' if isinstance(bot, str) else f"{bot.kind}(seed=0)",
        "where": f"turn {stage.turn}, {stage.phase.value}, side {moment.side}",
        "whose": "a shipped bot" if is_shipped else "the bot",
    }
    data = path.with_suffix(".json")
    _write({path: _filled("moment_test.txt", words), data: packed_moment(moment)})
    return NewFiles((path, data), _pytest(path))


def bot_named(text: str, folder: Path) -> BotName | str:
    """Return the shipped bot of that name, or the class of `file.py:Class` in the folder.

    Raise `AuthoringError` if there is no such bot, or if the file stands elsewhere.
    """
    if text in BOTS:
        return text
    file, colon, kind = text.rpartition(":")
    if not colon or not kind.isidentifier():
        known = ", ".join(BOTS)
        raise AuthoringError(f"There is no bot {text!r}: it is one of {known}, or file.py:Class.")
    path = Path(file)
    if not path.is_file():
        raise AuthoringError(f"There is no file {file!r}.")
    if path.resolve().parent != folder.resolve() or not path.stem.isidentifier():
        raise AuthoringError(f"The test imports {path.name}, so both must stand in one folder.")
    return BotName(path.stem, kind)


def _check_name(name: str) -> None:
    if not _NAME.fullmatch(name):
        raise AuthoringError(
            f"{name!r} is no name for a bot: small letters, digits and _, a letter first, "
            "40 at most, such as night_owl."
        )
    if keyword.iskeyword(name) or name in sys.stdlib_module_names or _is_taken(name):
        raise AuthoringError(f"{name!r} is the name of something else already; choose another.")


def _is_taken(name: str) -> bool:
    return name in _TAKEN or name.startswith(("sunglare", "test_"))


def _kind_of(name: str) -> str:
    """Return the name of a class for a bot."""
    kind = "".join(part.capitalize() for part in name.split("_"))
    return f"{kind}Bot" if kind in _KINDS_TAKEN else kind


_KINDS_TAKEN: Final = frozenset(
    {"Bot", "Advice", "View", "Phase", "Order", "None", "True", "False"}
)
"""Names that stand for something else in the file of a bot."""

_SHIPPED_IMPORTS: Final = (
    "from sunglare_client import read_moment\nfrom sunglare_client.bots import BOTS"
)


def _own_imports(bot: BotName) -> str:
    return f"from sunglare_client import read_moment\n\nfrom {bot.module} import {bot.kind}"


def _filled(name: str, words: Mapping[str, str]) -> bytes:
    text = (files(__package__) / "templates" / name).read_text(encoding="utf-8")
    return Template(text).substitute(words).encode()


def _write(contents: Mapping[Path, bytes]) -> None:
    """Write all of these files, or none where one is there already."""
    for path in contents:
        if path.exists():
            raise AuthoringError(f"{path} is there already; nothing was written.")
    made: list[Path] = []
    try:
        for path, data in contents.items():
            with path.open("xb") as file:
                made.append(path)
                file.write(data)
    except OSError:
        for path in made:
            path.unlink(missing_ok=True)
        raise


def _pytest(test: Path) -> str:
    return f"python -m pytest {test}"
