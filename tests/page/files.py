"""The files of the watch page and of matches, for its tests."""

import posixpath
import re
from functools import lru_cache
from pathlib import Path
from typing import Final

from builders.botmatches import fought
from builders.matchstore import stored
from builders.played import Rig
from builders.scenarios import scenarios
from builders.verified import file_of
from sunglare_protocol.replay.file import Replay, read_replay
from sunglare_server.gateway.assets import load_assets
from sunglare_server.match.record import Closed, Kind, Resigned

PAGE: Final = Path(__file__).parents[2] / "client/sunglare_page"
"""The folder of the page."""

NAMED: Final = re.compile(r'(?:src|href)="(/page/[^"]+)"')
"""A file that the page itself names."""

IMPORTED: Final = re.compile(
    r"^(?:import|export)\b[^'\";]*?from '(\.{1,2}/[^']+)'|^import '(\.{1,2}/[^']+)'", re.MULTILINE
)
"""A module that a module imports."""

BOTS: Final = {
    "picket-line": "hunter",
    "shadow-of-ceres": "scout",
    "four-corners": "scout",
    "proving-ground": "scout",
    "blip-parade": "scout",
    "orlog": "admiral",
}
"""The bots that play each scenario, the same in all seats; the shortest matches first."""


def first_load() -> dict[str, bytes]:
    """Return what a browser loads for `/`, as it is without packing, by its path.

    The short match of the home is loaded when no public match is running.
    """
    assets = load_assets()
    loaded: dict[str, bytes] = {}
    waiting = ["/"]
    while waiting:
        path = waiting.pop()
        if path in loaded:
            continue
        loaded[path] = assets[path].body
        text = loaded[path].decode()
        if path == "/":
            waiting += NAMED.findall(text)
        elif path.endswith(".js"):
            folder = posixpath.dirname(path)
            names = (one or other for one, other in IMPORTED.findall(text))
            waiting += [posixpath.normpath(posixpath.join(folder, name)) for name in names]
    short = next(path for path in assets if path.endswith("/glimpse.js"))
    return {**loaded, short: assets[short].body}


@stored(bytes)
def match_file(name: str, seed: int = 3, turns: int = 0) -> bytes:
    """Return the record file of a match that bots have fought to its end.

    After so many `turns` the first side resigns, with 0 never.
    """
    seats = (BOTS[name],) * len(scenarios()[name].sides)
    rig: Rig = fought(name, seed, *seats, turns_most=turns or None)[0]
    if not rig.state.is_over:
        rig.put(Resigned(), rig.sides[0])
    rig.put(Closed(), kind=Kind.CLOSE)
    return file_of(rig.journal)


@lru_cache(maxsize=8)
def match_replay(name: str, turns: int = 0) -> Replay:
    """Return what that file shows, as the reader in Python has it."""
    return read_replay(match_file(name, turns=turns))
