"""The library of data files: weapons, ship classes and scenarios, read once at the start."""

import hashlib
from collections.abc import Awaitable, Callable, Generator, Iterator
from pathlib import Path
from typing import final

import msgspec

from sunglare_server.match.data.files import (
    DataError,
    read_classes,
    read_scenario,
    read_weapons,
)
from sunglare_server.match.data.ground_classes import GroundClass
from sunglare_server.match.data.ground_files import read_ground
from sunglare_server.match.data.scenario import Scenario, ShipClass, WeaponType
from sunglare_server.textfiles import DOTS_MOST, KIB, crowded_line, read_file

SHIPPED = Path(__file__).resolve().parent.parent / "data"
"""The data files that come with the server."""

FILE_BYTES_MOST = 256 * KIB
"""The longest data file that is read."""


@final
class Library(msgspec.Struct, frozen=True, kw_only=True):
    """What can be played: the scenarios by name, and a hash over all data files."""

    scenarios: dict[str, Scenario]
    data_hash: str


@final
class Kinds:
    """What scenarios are made of, folder after folder: weapons, and classes by name."""

    def __init__(self) -> None:
        """Hold none yet."""
        self.weapons: dict[str, WeaponType] = {}
        self.classes: dict[str, ShipClass] = {}
        self.ground: dict[str, GroundClass] = {}

    def add(self, folder: Path, texts: list[str]) -> Iterator[None]:
        """Add what a folder names, in the place of what had the same name; note the texts.

        Between two files it yields.
        """
        if (text := _text(folder / "weapons.toml", texts)) is not None:
            self.weapons |= read_weapons(text, "weapons.toml")
        yield
        if (text := _text(folder / "ships.toml", texts)) is not None:
            self.classes |= read_classes(text, "ships.toml", self.weapons, self.classes)
        yield
        if (text := _text(folder / "ground.toml", texts)) is not None:
            self.ground |= read_ground(text, "ground.toml", self.ground)


def load_library(extra: Path | None = None) -> Library:
    """Return the shipped library, with the files of folder `extra` added; raise `DataError`.

    A folder holds `weapons.toml`, `ships.toml`, `ground.toml` and `scenarios/*.toml`, each
    optional in `extra`; what it names replaces what is shipped under the same name.
    """
    reading = _reading(extra)
    while True:
        try:
            next(reading)
        except StopIteration as done:
            found: Library = done.value
            return found


async def load_beside(extra: Path | None, wait_idle: Callable[[], Awaitable[None]]) -> Library:
    """Return the same as `load_library`, read file by file, with a `wait_idle` before each."""
    reading = _reading(extra)
    while True:
        await wait_idle()
        try:
            next(reading)
        except StopIteration as done:
            found: Library = done.value
            return found


def _reading(extra: Path | None) -> Generator[None, None, Library]:
    """Read all files, yield between any two, and return the library."""
    texts: list[str] = []
    kinds, scenarios = Kinds(), dict[str, Scenario]()
    for folder in _folders(extra):
        yield from kinds.add(folder, texts)
        for path in _scenarios(folder):
            yield
            text = _text(path, texts) or ""
            name = path.stem
            scenarios[name] = read_scenario(text, name, path.name, kinds.classes, kinds.ground)
    digest = hashlib.blake2b("\0".join(texts).encode(), digest_size=16).hexdigest()
    return Library(scenarios=scenarios, data_hash=digest)


def load_kinds(extra: Path | None = None) -> Kinds:
    """Return the shipped classes with those of folder `extra` added; raise `DataError`."""
    kinds = Kinds()
    for folder in _folders(extra):
        for _ in kinds.add(folder, []):
            pass
    return kinds


def _folders(extra: Path | None) -> tuple[Path, ...]:
    if extra is not None and not extra.is_dir():
        right = "a folder that may hold weapons.toml, ships.toml, ground.toml, scenarios/*.toml"
        raise DataError(str(extra), "(folder)", right)
    return (SHIPPED,) if extra is None else (SHIPPED, extra)


def _scenarios(folder: Path) -> list[Path]:
    return sorted((folder / "scenarios").glob("*.toml"))


def _text(path: Path, texts: list[str]) -> str | None:
    """Return a data file's text and note it in `texts`; None if there is no such file."""
    text = text_of(path)
    if text is not None:
        texts.append(text)
    return text


def text_of(path: Path) -> str | None:
    """Return a data file's text; None if there is no such file; raise `DataError`."""
    try:
        text = read_file(path, FILE_BYTES_MOST).decode()
    except FileNotFoundError:
        return None
    except UnicodeDecodeError:
        raise DataError(path.name, "(encoding)", "a data file is UTF-8 text") from None
    except OSError as fault:
        raise DataError(path.name, "(file)", fault.strerror or str(fault)) from None
    if (line := crowded_line(text)) is not None:
        why = f"line {line}: a line has at most {DOTS_MOST} dots outside comments and texts"
        raise DataError(path.name, "(syntax)", why)
    return text
