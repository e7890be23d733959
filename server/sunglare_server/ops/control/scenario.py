"""The operator's `scenario`: one scenario file, looked at without a server, all faults at once."""

from pathlib import Path
from typing import NamedTuple, final

from sunglare_protocol.errors import SunglareError
from sunglare_server.base.library import load_kinds, text_of
from sunglare_server.match.data.files import DataError, examined_scenario
from sunglare_server.match.data.scenario import Scenario


@final
class UnreadError(SunglareError):
    """There is no such file, or it cannot be read."""


@final
class Examined(NamedTuple):
    """What is read of a scenario file: a scenario, or all of its faults, a sentence each."""

    scenario: Scenario | None
    faults: tuple[str, ...]


def examine(path: Path, data: Path | None) -> Examined:
    """Return what is read of a scenario file with the shipped classes and those of folder `data`.

    Raise `UnreadError` if there is none, and `DataError` for a fault in the folder's own files.
    """
    kinds = load_kinds(data)
    try:
        text = text_of(path)
    except OSError as fault:
        raise UnreadError(f"{path}: {fault.strerror}") from None
    except DataError as fault:
        return Examined(None, (str(fault),))
    if text is None:
        raise UnreadError(f"{path}: there is no such file")
    try:
        scenario, faults = examined_scenario(
            text, path.stem, path.name, kinds.classes, kinds.ground
        )
    except DataError as fault:
        return Examined(None, (str(fault),))
    return Examined(scenario, tuple(str(DataError(path.name, *pair)) for pair in faults))
