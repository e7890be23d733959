"""The keys of the full screen: the action of each, and the rows that name them."""

from typing import Final

from sunglare_client.fullscreen.scene import Occasion
from sunglare_protocol.geometry import BOX_EDGE

LINE_KEYS = (
    "F1 map",
    "F2 lists",
    "F3 record",
    "Tab complete",
    "PgUp PgDn",
    "Ctrl-P all",
    "Ctrl-D leave",
)
"""What the keys do while one types."""

MAP_KEYS = (
    "arrows, Shift+arrows point",
    "Enter do it",
    "R ready",
    "Esc type",
    "s ship",
    "n contact",
    "d idle",
    "m way",
    "+- size",
    "z whole board",
    "? legend",
    "l layer",
    "g ground",
    "U undo",
    "A as before",
    "F fire all",
    "x look",
    "w why",
)
"""What the keys do while the map has them: the way back to the line stands in sight first."""

FILE_KEYS = (
    "left right window",
    "shift: turn",
    "[ ] moments",
    "1-9 eyes",
    "z whole board",
    "? legend",
    "Home End",
    "q leave",
    "Esc type",
)
"""What the keys do while one goes through a replay."""

WATCH_KEYS = ("z whole board", "? legend", "q leave", "Esc type")
"""What the keys do while one watches."""

LOBBY_KEYS = ("1-9 choose", "n new", "l look", "w watch", "? help", "q leave", "Esc type")
"""What the keys do in the lobby."""

KEYS_OF: Final[dict[Occasion, tuple[str, ...]]] = {
    "match": MAP_KEYS,
    "watch": WATCH_KEYS,
    "replay": FILE_KEYS,
    "lobby": LOBBY_KEYS,
}
"""What the keys do while the map has them."""

POINTING_KEYS = (
    "arrows point (Shift: a box farther)",
    "Enter gives the order",
    "s S own ships",
    "d ships without an order",
    "n N contacts",
    "m M ways to act",
    "+ = - size of a scan",
    "x look",
    "w why",
    "l layers",
    "g ground",
    "z whole board",
    "? legend",
    "R ready",
    "U undo",
    "A as before",
    "F fire all",
    "F1 card",
    "Esc type",
)
"""All keys of the map while one points there; where a letter has a capital that goes back."""


def keys_text(occasion: Occasion) -> str:
    """Return all keys of the map with what they do, as a line below its legend."""
    keys = POINTING_KEYS if occasion == "match" else KEYS_OF[occasion]
    return f"keys of the map (F1): {'; '.join(keys)}"


_WAYS = {"left": (-1, 0), "right": (1, 0), "up": (0, -1), "down": (0, 1)}


def _ways() -> dict[str, str]:
    actions: dict[str, str] = {}
    for key, (dx, dy) in _WAYS.items():
        actions[key] = f"point({dx}, {dy})"
        actions[f"shift+{key}"] = f"point({BOX_EDGE * dx}, {BOX_EDGE * dy})"
    return actions


LEAVING: Final = ("ctrl+d", "ctrl+c", "ctrl+q")
"""The keys that ask to leave, whatever is on the screen."""

SUSPENDING: Final = "ctrl+z"
"""The key that stops the program until its shell continues it, as in other programs."""

ALWAYS: Final = {
    "f1": "map",
    "f2": "lists",
    "f3": "record",
    "pageup": "scroll(-1)",
    "pagedown": "scroll(1)",
    "escape": "escape",
}
"""The actions of keys that are the same for map and line."""

ON_MAP: Final = {
    **_ways(),
    "enter": "act",
    "s": "ship(1)",
    "S": "ship(-1)",
    "d": "idle",
    "n": "contact(1)",
    "N": "contact(-1)",
    "m": "way(1)",
    "M": "way(-1)",
    "plus": "size(1)",
    "equals_sign": "size(1)",
    "minus": "size(-1)",
    "z": "zoom",
    "l": "layer",
    "x": "about('look')",
    "w": "about('why')",
}
"""The actions of keys while the map has them and one points there: lower-case ones only look."""

LOOKING: Final = tuple(key for key in (*ON_MAP, "g") if len(key) == 1 and key.islower())
"""The letters among the keys of a map on which one points: all of them only look."""
