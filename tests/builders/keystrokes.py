"""Keys pressed without a pause, and the commands that they mean by a second reading.

The reading knows which of map and line has the keys, the text of the line, the letters that the
map took before it, and the pointer, and takes one key after the other. It shares the pointer's
arithmetic and the table of verbs with the screen, and nothing of how keys reach it.
"""

from itertools import cycle
from random import Random
from typing import final

from textual import events

from sunglare_client.fullscreen.pointing.pointing import (
    Pointer,
    first_pointer,
    meaning,
    moved,
    named_at,
    next_contact,
    next_idle,
    next_ship,
    next_way,
    resized,
)
from sunglare_client.map.layers import LAYERS
from sunglare_client.verbs.table import VERBS, verb_called
from sunglare_client.verbs.verb import Verb
from sunglare_protocol.geometry import BOX_EDGE, Vector
from sunglare_protocol.views import View

LINES = (
    "sensors S1 out",
    "orders",
    "turn S1 +1",
    "clear S2",
    "burn S1 +0,-1",
    "look C3",
    "face S2 NE",
    "goals",
    "undo",
    "note C3 probably a frigate",
    "scan S1 ir",
    "sweep S1",
    "listen S2",
    "why C3",
    "go 11,11",
    "legal",
    "n",
)
"""Lines as players type them, in windows of any kind."""

MAP_KEYS = (
    "up",
    "down",
    "left",
    "right",
    "shift+up",
    "s",
    "n",
    "m",
    "plus",
    "enter",
    "x",
    "w",
    "l",
    "U",
)
"""Keys that are pressed while the map has them."""

_LOOKS = "sdnmlxwzg"
"""The letters that the map keeps: all of them only look."""

_WAYS = {"left": (-1, 0), "right": (1, 0), "up": (0, -1), "down": (0, 1)}


def burst(dice: Random) -> list[str]:
    """Return the keys of a few lines and of a few things pointed at, as they may be typed."""
    keys: list[str] = []
    for _ in range(dice.randrange(1, 6)):
        if dice.random() < 0.6:
            keys += [*_typed(dice), "enter"]
        else:
            pointed = [dice.choice(MAP_KEYS) for _ in range(dice.randrange(1, 8))]
            keys += ["f1", *pointed]
            match dice.randrange(3):
                case 0:
                    keys += ["escape"]
                case 1:
                    keys += ["b", "backspace"]
                case _:
                    keys += [*_typed(dice), "escape", "enter"]
    return keys


def _typed(dice: Random) -> list[str]:
    """Return the keys of a line; now and then a letter too many, which is taken back."""
    keys: list[str] = []
    for letter in dice.choice(LINES):
        if dice.random() < 0.05:
            keys += [dice.choice("xyz"), "backspace"]
        keys.append(_key(letter))
    return keys


def _key(letter: str) -> str:
    return {" ": "space", "+": "plus", "-": "minus", ",": "comma"}.get(letter, letter)


_LETTERS = {"space": " ", "plus": "+", "minus": "-", "comma": ","}


def key_event(key: str) -> events.Key:
    """Return the event of a key as a terminal gives it."""
    letter = _LETTERS.get(key, key)
    return events.Key(key, letter if len(letter) == 1 else None)


@final
class Reading:
    """What keys mean on a view that stays; `commands` are those given so far."""

    def __init__(self, view: View) -> None:
        """Begin at the line, which is empty."""
        self.commands: list[str] = []
        self._view = view
        self._text = ""
        self._on_map = False
        self._pointer: Pointer | None = None
        self._looked = ""
        self._layers = cycle(LAYERS)

    def press(self, key: str) -> None:
        """Take a key."""
        if key == "f1":
            self._on_map, self._looked = not self._on_map, ""
        elif key == "escape":
            self._on_map, self._looked = False, ""
        elif not self._on_map:
            self._type(key)
        elif key not in _LOOKS and (key == "space" or len(key) == 1) and self._begins(key):
            self._on_map = False
            self._looked = "" if self._text else self._looked
            self._text = self._text or (self._whole("") if key == "space" else "")
            self._type(key)
        else:
            self._looked = f"{self._looked}{key}" if key in _LOOKS else ""
            self._point(key)

    def _begins(self, key: str) -> bool:
        """Return whether a letter begins a verb, alone or after map keys, or a blank ends one."""
        if key == "space":
            return self._whole("") != ""
        words = [word for verb in VERBS for word in (verb.name, verb.alias)]
        return any(
            word.startswith(f"{self._looked[at:]}{key}")
            for word in words
            for at in range(len(self._looked) + 1)
        )

    def _whole(self, text: str) -> str:
        """Return the first word of the line with the keys of the map that are part of it."""
        for at in range(len(self._looked)):
            if f"{self._looked[at:]}{text}" in [verb.name for verb in VERBS]:
                return text if text in [verb.name for verb in VERBS] else self._looked[at:] + text
        if isinstance(verb_called(text), Verb):
            return text
        for at in range(len(self._looked)):
            if isinstance(verb_called(f"{self._looked[at:]}{text}"), Verb):
                return f"{self._looked[at:]}{text}"
        return text

    def _type(self, key: str) -> None:
        if key in ("space", "enter") and self._text.isalpha():
            self._text = self._whole(self._text)
        if key == "enter":
            self.commands.append(self._text)
            self._text = ""
        elif key == "backspace":
            self._text = self._text[:-1]
        else:
            self._text += _LETTERS.get(key, key)
        if key in ("space", "enter") or not self._text:
            self._looked = ""

    def _point(self, key: str) -> None:
        here = self._pointer or first_pointer(self._view)
        if key == "l":
            self.commands.append(f"layer {next(self._layers)}")
        way = key.removeprefix("shift+")
        if way in _WAYS:
            dx, dy = _WAYS[way]
            far = BOX_EDGE if way != key else 1
            here = moved(here, self._view.board, Vector(far * dx, far * dy))
        elif key == "d":
            here = next_idle(self._view, (), here)
        elif key in "snm":
            here = {"s": next_ship, "n": next_contact, "m": _next_way}[key](self._view, here)
        elif key == "plus":
            here = resized(here, 1)
        else:
            self._command(key, here)
        self._pointer = here

    def _command(self, key: str, here: Pointer) -> None:
        if key == "U":
            self.commands.append("undo")
        elif key == "x":
            name = named_at(self._view, here.square)
            self.commands.append(f"look {name}" if name else "map")
        elif key == "w":
            name = named_at(self._view, here.square)
            self.commands.append(f"why {name}" if name else "why last")
        elif key == "g":
            self.commands.append("surface")
        elif key == "z":
            self.commands.append("zoom 0")
        elif key == "enter" and (line := meaning(self._view, here).command):
            self.commands.append(line)


def _next_way(view: View, pointer: Pointer) -> Pointer:
    return next_way(view, (), pointer, 1)
