"""The keys of the full screen: what each does, and the rows that say so."""

from typing import Final

from textual.binding import Binding, BindingType

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
    "arrows point",
    "Enter do it",
    "Esc type",
    "s ship",
    "n contact",
    "d idle",
    "m way",
    "+- size",
    "z zoom",
    "l layer",
    "g ground",
    "r ready",
    "u undo",
    "x look",
    "w why",
)
"""What the keys do while the map has them: the way back to the line stands in sight first."""

FILE_KEYS = (
    "left right window",
    "shift: turn",
    "[ ] moments",
    "1-9 eyes",
    "z zoom",
    "Home End",
    "q leave",
    "Esc type",
)
"""What the keys do while one goes through a replay."""

_WAYS = {"left": (-1, 0), "right": (1, 0), "up": (0, -1), "down": (0, 1)}


def _ways() -> list[BindingType]:
    bindings: list[BindingType] = []
    for key, (dx, dy) in _WAYS.items():
        bindings.append(Binding(key, f"point({dx}, {dy})", show=False))
        bindings.append(
            Binding(f"shift+{key}", f"point({BOX_EDGE * dx}, {BOX_EDGE * dy})", show=False)
        )
    return bindings


BINDINGS: Final[list[BindingType]] = [
    Binding("f1", "map", "map", priority=True),
    Binding("f2", "lists", "lists", priority=True),
    Binding("f3", "record", "record", priority=True),
    Binding("pageup", "scroll(-1)", show=False, priority=True),
    Binding("pagedown", "scroll(1)", show=False, priority=True),
    Binding("ctrl+d", "leave", show=False, priority=True),
    Binding("ctrl+c", "leave", show=False, priority=True),
    Binding("ctrl+q", "leave", show=False, priority=True),
    Binding("escape", "type", show=False),
    *_ways(),
    Binding("enter", "act", show=False),
    Binding("s", "ship(1)", show=False),
    Binding("S", "ship(-1)", show=False),
    Binding("d", "idle", show=False),
    Binding("n", "contact(1)", show=False),
    Binding("N", "contact(-1)", show=False),
    Binding("m", "way(1)", show=False),
    Binding("M", "way(-1)", show=False),
    Binding("plus,equals_sign", "size(1)", show=False),
    Binding("minus", "size(-1)", show=False),
    Binding("z", "zoom", show=False),
    Binding("l", "layer", show=False),
    Binding("x", "about('look')", show=False),
    Binding("w", "about('why')", show=False),
]
"""The keys that do something; single ones only while the map has them (`ALONE`)."""

ALONE: Final = ("point", "act", "ship", "idle", "contact", "way", "size", "zoom", "layer", "about")
"""What is done by a key that is a letter while one types."""
