"""House bots of the operator's own: programs in the folder `bots` next to the scenarios.

`bots/NAME.py` in the folder of `--data` is the house bot NAME once `--bots` names it. Its process
receives what any house bot's does: the server, the match and the seat on its command line, its
credentials in its environment. A file that has changed counts for each process that is started
from then on.
"""

import re
from collections.abc import Sequence
from pathlib import Path

from sunglare_protocol.botnames import KEPT_BACK, LEVELLED
from sunglare_server.accounts.names import Names
from sunglare_server.config import HOUSE_BOTS
from sunglare_server.settingsfile import SettingsError

FOLDER = "bots"
"""Where the programs are, in the folder of `--data`."""

_NAME = re.compile(r"[a-z][a-z0-9-]{0,23}")
"""OWN: what a house bot may be called: rooms and ladders show it as they show people's names."""


def own_bots(names: Sequence[str], data: Path | None) -> dict[str, Path]:
    """Return the programs of those among `names` that are not shipped; raise `SettingsError`."""
    own = {name: _program(name, data) for name in names if name not in (*HOUSE_BOTS, *LEVELLED)}
    for name in names:
        if name not in own and data is not None and _path(name, data).exists():
            raise SettingsError(
                f"bots: {name!r} is a shipped bot, and {FOLDER}/{name}.py in the data folder"
                " another; call that otherwise"
            )
    return own


def _program(name: str, data: Path | None) -> Path:
    known = f"bots: {name!r} is no house bot; known are {', '.join(HOUSE_BOTS)}"
    if not _NAME.fullmatch(name):
        raise SettingsError(
            f"{known}, and those of your own are called by a small letter and up to 23 more,"
            " digits and hyphens among them"
        )
    if Names(KEPT_BACK).is_kept_back(name):
        raise SettingsError(
            f"{known}, and one of your own may look like none of these, nor like who runs a server"
        )
    if data is None or not _path(name, data).is_file():
        where = "of a folder that --data names" if data is None else f"of {str(data)!r}"
        raise SettingsError(f"{known}, and one of your own would be {FOLDER}/{name}.py {where}")
    return _path(name, data)


def _path(name: str, data: Path) -> Path:
    return (data / FOLDER / f"{name}.py").absolute()
