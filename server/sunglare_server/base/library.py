"""The library of data files: weapons, ship classes and scenarios, read at the start.

The shipped files are read once in a process: should those of another release lie there later, they
are none of its own. Those of an operator's folder are read each time.
"""

import hashlib
from collections.abc import Awaitable, Callable, Iterator
from functools import cache
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
    """What folder after folder names: weapons, and classes and scenarios by name."""

    def __init__(self) -> None:
        """Hold none yet."""
        self.weapons: dict[str, WeaponType] = {}
        self.classes: dict[str, ShipClass] = {}
        self.ground: dict[str, GroundClass] = {}
        self.scenarios: dict[str, Scenario] = {}
        self._texts: list[str] = []

    def copy(self) -> "Kinds":
        """Return other ones that begin with all that these have."""
        copy = Kinds()
        copy.weapons |= self.weapons
        copy.classes |= self.classes
        copy.ground |= self.ground
        copy.scenarios |= self.scenarios
        copy._texts += self._texts
        return copy

    def add_classes(self, folder: Path) -> Iterator[None]:
        """Add the classes of a folder in the place of those with the same names.

        Before each file it yields.
        """
        yield
        if (text := self._text(folder / "weapons.toml")) is not None:
            self.weapons |= read_weapons(text, "weapons.toml")
        yield
        if (text := self._text(folder / "ships.toml")) is not None:
            self.classes |= read_classes(text, "ships.toml", self.weapons, self.classes)
        yield
        if (text := self._text(folder / "ground.toml")) is not None:
            self.ground |= read_ground(text, "ground.toml", self.ground)

    def add_scenarios(self, folder: Path) -> Iterator[None]:
        """Add the scenarios of a folder, likewise."""
        for path in sorted((folder / "scenarios").glob("*.toml")):
            yield
            text = self._text(path) or ""
            found = read_scenario(text, path.stem, path.name, self.classes, self.ground)
            self.scenarios[path.stem] = found

    def library(self) -> Library:
        """Return the scenarios, with the hash over all files."""
        digest = hashlib.blake2b("\0".join(self._texts).encode(), digest_size=16).hexdigest()
        return Library(scenarios=self.scenarios, data_hash=digest)

    def _text(self, path: Path) -> str | None:
        """Return a data file's text and note it; None if there is no such file."""
        text = text_of(path)
        if text is not None:
            self._texts.append(text)
        return text


def load_library(extra: Path | None = None) -> Library:
    """Return the shipped library, with the files of folder `extra` added; raise `DataError`.

    A folder holds `weapons.toml`, `ships.toml`, `ground.toml` and `scenarios/*.toml`, each
    optional in `extra`; what it names replaces what is shipped under the same name.
    """
    kinds = _shipped().copy()
    _drain(_added(kinds, extra))
    return kinds.library()


async def load_beside(extra: Path | None, wait_idle: Callable[[], Awaitable[None]]) -> Library:
    """Return the same as `load_library`, with a `wait_idle` before each file of `extra`."""
    kinds = _shipped().copy()
    for _ in _added(kinds, extra):
        await wait_idle()
    return kinds.library()


def load_kinds(extra: Path | None = None) -> Kinds:
    """Return what is shipped with the classes of folder `extra` added; raise `DataError`."""
    kinds = _shipped().copy()
    if extra is not None:
        _drain(kinds.add_classes(_folder(extra)))
    return kinds


@cache
def _shipped() -> Kinds:
    kinds = Kinds()
    _drain(_added(kinds, SHIPPED))
    return kinds


def _added(kinds: Kinds, folder: Path | None) -> Iterator[None]:
    if folder is not None:
        yield from kinds.add_classes(_folder(folder))
        yield from kinds.add_scenarios(folder)


def _drain(reading: Iterator[None]) -> None:
    for _ in reading:
        pass


def _folder(extra: Path) -> Path:
    if extra.is_dir():
        return extra
    right = "a folder that may hold weapons.toml, ships.toml, ground.toml, scenarios/*.toml"
    raise DataError(str(extra), "(folder)", right)


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
