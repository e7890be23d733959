"""Keys pressed without a pause, and the commands that they mean by a second reading.

The reading knows which of map and line has the keys, the text of the line and the pointer, and
takes one key after the other. It shares the pointer's arithmetic with the screen, and nothing of
how keys reach it.
"""

from random import Random
from typing import final

from textual import events

from sunglare_client.fullscreen.pointing import (
    Pointer,
    first_pointer,
    meaning,
    moved,
    named_at,
    next_contact,
    next_ship,
    next_way,
    resized,
)
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
)
"""Lines as players type them, in windows of any kind."""

MAP_KEYS = ("up", "down", "left", "right", "shift+up", "s", "n", "m", "plus", "enter", "x", "U")
"""Keys that are pressed while the map has them."""

_WAYS = {"left": (-1, 0), "right": (1, 0), "up": (0, -1), "down": (0, 1)}


def burst(dice: Random) -> list[str]:
    """Return the keys of a few lines and of a few things pointed at, as they may be typed."""
    keys: list[str] = []
    for _ in range(dice.randrange(1, 6)):
        if dice.random() < 0.6:
            keys += [*_typed(dice), "enter"]
        else:
            pointed = [dice.choice(MAP_KEYS) for _ in range(dice.randrange(1, 8))]
            keys += ["f1", *pointed, dice.choice(("escape", "b"))]
            keys += ["backspace"] if keys[-1] == "b" else []
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

    def press(self, key: str) -> None:
        """Take a key."""
        if key == "f1":
            self._on_map = not self._on_map
        elif key == "escape":
            self._on_map = False
        elif self._on_map and key != "b":
            self._point(key)
        else:
            self._on_map = False
            self._type(key)

    def _type(self, key: str) -> None:
        if key == "enter":
            self.commands.append(self._text)
            self._text = ""
        elif key == "backspace":
            self._text = self._text[:-1]
        else:
            self._text += _LETTERS.get(key, key)

    def _point(self, key: str) -> None:
        here = self._pointer or first_pointer(self._view)
        way = key.removeprefix("shift+")
        if way in _WAYS:
            dx, dy = _WAYS[way]
            far = BOX_EDGE if way != key else 1
            here = moved(here, self._view.board, Vector(far * dx, far * dy))
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
        elif key == "enter" and (line := meaning(self._view, here).command):
            self.commands.append(line)


def _next_way(view: View, pointer: Pointer) -> Pointer:
    return next_way(view, (), pointer, 1)
