"""The library of data files: weapons, ship classes and scenarios, read once at the start."""

import hashlib
from pathlib import Path
from typing import final

import msgspec

from sunglare_server.match.datafiles import (
    DataError,
    read_classes,
    read_scenario,
    read_weapons,
)
from sunglare_server.match.ground_classes import GroundClass
from sunglare_server.match.ground_files import read_ground
from sunglare_server.match.scenario import Scenario, ShipClass

SHIPPED = Path(__file__).resolve().parent.parent / "data"
"""The data files that come with the server."""

FILE_BYTES_MOST = 1024 * 1024
"""The longest data file that is read."""


@final
class Library(msgspec.Struct, frozen=True, kw_only=True):
    """What can be played: the scenarios by name, and a hash over all data files."""

    scenarios: dict[str, Scenario]
    data_hash: str


def load_library(extra: Path | None = None) -> Library:
    """Return the shipped library, with the files of folder `extra` added; raise `DataError`.

    A folder holds `weapons.toml`, `ships.toml`, `ground.toml` and `scenarios/*.toml`, each
    optional in `extra`; what it names replaces what is shipped under the same name.
    """
    if extra is not None and not extra.is_dir():
        right = "a folder that may hold weapons.toml, ships.toml, ground.toml, scenarios/*.toml"
        raise DataError(str(extra), "(folder)", right)
    folders = [SHIPPED] if extra is None else [SHIPPED, extra]
    texts: list[str] = []
    weapons, classes, scenarios = {}, dict[str, ShipClass](), dict[str, Scenario]()
    ground = dict[str, GroundClass]()
    for folder in folders:
        if (text := _text(folder / "weapons.toml", texts)) is not None:
            weapons.update(read_weapons(text, "weapons.toml"))
        if (text := _text(folder / "ships.toml", texts)) is not None:
            classes.update(read_classes(text, "ships.toml", weapons, classes))
        if (text := _text(folder / "ground.toml", texts)) is not None:
            ground.update(read_ground(text, "ground.toml", ground))
        for path in _scenarios(folder):
            text = _text(path, texts) or ""
            scenarios[path.stem] = read_scenario(text, path.stem, path.name, classes, ground)
    digest = hashlib.blake2b("\0".join(texts).encode(), digest_size=16).hexdigest()
    return Library(scenarios=scenarios, data_hash=digest)


def _scenarios(folder: Path) -> list[Path]:
    return sorted((folder / "scenarios").glob("*.toml"))


def _text(path: Path, texts: list[str]) -> str | None:
    """Return a data file's text and note it in `texts`; None if there is no such file."""
    if not path.is_file():
        return None
    if path.stat().st_size > FILE_BYTES_MOST:
        raise DataError(path.name, "(size)", f"at most {FILE_BYTES_MOST} bytes are read")
    try:
        text = path.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        raise DataError(path.name, "(encoding)", "a data file is UTF-8 text") from None
    texts.append(text)
    return text
