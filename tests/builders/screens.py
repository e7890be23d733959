"""Named screens of the full screen, as pictures: from windows of matches with fixed seeds."""

import re
from pathlib import Path
from typing import Final, NamedTuple, final

from builders.desks import SCENES, frames_of, view_in
from builders.fullscreens import LARGE, SMALL, full_screen_of
from builders.terminals import over
from sunglare_client.bot import is_asked
from sunglare_protocol.ids import Side
from sunglare_protocol.messages import Frame

A = Side("A")

SCREENS: Final = Path(__file__).parents[1] / "golden" / "screens"
"""Where the pictures lie."""

_WEB_FONT = re.compile(r"\s*@font-face \{[^}]*\}", re.DOTALL)
_COMMENT = re.compile(r"<!--.*?-->\s*", re.DOTALL)
_BLANKS = re.compile(r"[ \t]+$", re.MULTILINE)


@final
class Scene(NamedTuple):
    """What a picture shows: a window of a scenario, the newest of its phase up to a turn.

    `keys` are pressed one after the other; one that begins with `:` is a line that is typed.
    """

    scenario: str
    phase: str
    turn: int
    keys: tuple[str, ...] = ()
    ends: bool = False


NAMED: Final = {
    "plot": Scene("shadow-of-ceres", "plot", 1),
    "plot-pointing": Scene(
        "shadow-of-ceres", "plot", 3, ("f1", "shift+right", "down", "down", "enter", "s")
    ),
    "first-scan": Scene(
        "shadow-of-ceres", "scan", 1, ("f1", *["shift+right"] * 5, *["shift+down"] * 3, "plus")
    ),
    "scan": Scene("shadow-of-ceres", "scan", 4),
    "scan-pointing": Scene(
        "blip-parade", "scan", 3, ("f1", "plus", "right", "right", "down", "down", "down")
    ),
    "detect": Scene("picket-line", "detect", 8, ("f1", "n")),
    "engage": Scene("redondo", "engage", 3, ("f1", "n")),
    "ground": Scene("orlog", "plot", 7, (":surface",)),
    "ground-pointing": Scene("orlog", "plot", 2, ("f1", "g", "right", "up")),
    "lists": Scene("redondo", "plot", 3, ("f2", "f2")),
    "record": Scene("picket-line", "plot", 6, (":why record", ":ships", "f3")),
    "refused": Scene("shadow-of-ceres", "scan", 4, (":scna S1", ":scan S1 vis 2x2 E4")),
    "boxes": Scene("redondo", "plot", 4, (":zoom 0",)),
    "whole": Scene("picket-line", "plot", 6, ("f1", "down", "z")),
    "over": Scene("shadow-of-ceres", "plot", 5, ("enter",), ends=True),
}
"""The screens by name."""

MONO: Final = ("plot-pointing", "scan-pointing", "detect", "engage")
"""Those that are drawn without colours as well."""

PICTURES: Final = (
    *((name, size, False) for name in NAMED for size in (SMALL, LARGE)),
    *((name, SMALL, True) for name in MONO),
)
"""Every picture: its screen, its size, and whether it is without colours."""


def file_name(name: str, size: tuple[int, int], mono: bool) -> str:
    """Return the file of a picture."""
    return f"{name}-{size[0]}x{size[1]}{'-mono' if mono else ''}.svg"


async def picture_of(name: str, size: tuple[int, int], mono: bool) -> str:
    """Return a named screen as SVG that asks no other host for anything."""
    scene = NAMED[name]
    sent = window_of(scene)
    posts = (sent, over()) if scene.ends else (sent,)
    awaits = (sent.window,)
    title = scene.scenario.replace("-", " ").title()
    async with full_screen_of(posts, size, awaits=awaits, mono=mono, title=title) as shown:
        for key in scene.keys:
            if key.startswith(":"):
                await shown.type(key[1:])
            else:
                await shown.press(key)
        drawn = shown.board.export_screenshot(title="sunglare")
    drawn = _COMMENT.sub("", _WEB_FONT.sub("", drawn)).replace("Fira Code", "DejaVu Sans Mono")
    return _BLANKS.sub("", drawn)


def window_of(scene: Scene) -> Frame:
    """Return the newest window of a phase that asks side A, up to a turn."""
    played = next(played for played in SCENES if played[0] == scene.scenario)
    return next(
        sent
        for sent in reversed(frames_of(*played)[A])
        if view_in(sent).stage.phase.value == scene.phase
        and view_in(sent).stage.turn <= scene.turn
        and is_asked(view_in(sent), A)
    )
