"""Data as shipped, and the error that reading a faulty file gives."""

import msgspec
import pytest

from sunglare_server.base.library import SHIPPED, Library, load_library
from sunglare_server.match.data.files import (
    DataError,
    read_classes,
    read_scenario,
    read_weapons,
)
from sunglare_server.match.data.scenario import Scenario

LIBRARY = load_library()
WEAPONS = read_weapons((SHIPPED / "weapons.toml").read_text(), "weapons.toml")
CLASSES = read_classes((SHIPPED / "ships.toml").read_text(), "ships.toml", WEAPONS)


def shipped() -> Library:
    """Return the shipped library, which was read once: a copy whose scenarios may be changed."""
    return msgspec.structs.replace(LIBRARY, scenarios=dict(LIBRARY.scenarios))


def fault(read: object, *arguments: object) -> DataError:
    assert callable(read)
    with pytest.raises(DataError) as caught:
        read(*arguments)
    return caught.value


HEAD = 'title = "Test"\n'
SIDES = """
[sides.A]
zone = ["A1"]
ships = [{ name = "Kite", type = "frigate" }]
[sides.B]
zone = ["H8"]
ships = [{ name = "Moth", type = "frigate" }]
"""


def scenario(head: str = "", sides: str = SIDES, more: str = "") -> str:
    return f"{HEAD}{head}\n{more}\n{sides}"


def read(text: str) -> Scenario:
    return read_scenario(text, "test", "test.toml", CLASSES)
