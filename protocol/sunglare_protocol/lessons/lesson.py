"""Lessons as files: a position, what is sought, and what is said of each answer.

A lesson is a TOML file and two JSON files. One has frames of one side: the first is the position,
the others are what came of the right answer. The other has the orders that its lines give, made of
them by the grammar of the terminal. All are read as strictly as anything from outside.
"""

import tomllib
from functools import lru_cache
from importlib.resources import files
from typing import final

import msgspec

from sunglare_protocol.errors import SunglareError
from sunglare_protocol.ids import OwnId
from sunglare_protocol.messages import Frame
from sunglare_protocol.orders import Order
from sunglare_protocol.views import View


class LessonError(SunglareError):
    """A lesson that does not exist."""


@final
class Lesson(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One puzzle.

    The orders of any of the `accepted` lines solve it, whatever they say in the fields that are
    `free`; with `in_shadow` all do after which the move of that own ship ends in a shadow column.
    `wrong` says of lines that come to mind why they are not sought, `otherwise` of all others.
    `hint` is shown on demand, with what to `try`. `idea` is shown at the end, and `source` names
    the rule system with its section.
    """

    title: str
    source: str
    story: str
    task: str
    accepted: tuple[str, ...]
    free: tuple[str, ...] = ()
    in_shadow: OwnId | None = None
    hint: str
    tries: tuple[str, ...] = msgspec.field(name="try")
    otherwise: str
    idea: str
    wrong: dict[str, str] = {}


@final
class Position(msgspec.Struct, frozen=True):
    """A lesson by the name of its files, with the frames of its position and of what came next.

    `orders` are those that its accepted and wrong lines give.
    """

    name: str
    number: int
    lesson: Lesson
    frames: tuple[Frame, ...]
    orders: dict[str, tuple[Order, ...]]

    @property
    def view(self) -> View:
        """Return what the player sees."""
        view = self.frames[0].view
        if not isinstance(view, View):
            raise TypeError("a lesson shows a side's own view")
        return view


@lru_cache(maxsize=1)
def positions() -> tuple[Position, ...]:
    """Return all lessons in their order."""
    folder = files(__package__)
    names = sorted(file.name for file in folder.iterdir() if file.name.endswith(".toml"))
    found = []
    for number, name in enumerate(names, 1):
        text = (folder / name).read_text(encoding="utf-8")
        stem = name.removesuffix(".toml")
        frames, orders = [(folder / f"{stem}{end}.json").read_bytes() for end in ("", ".orders")]
        found.append(
            Position(
                name=stem,
                number=number,
                lesson=msgspec.convert(tomllib.loads(text), Lesson),
                frames=msgspec.json.decode(frames, type=tuple[Frame, ...]),
                orders=msgspec.json.decode(orders, type=dict[str, tuple[Order, ...]]),
            )
        )
    return tuple(found)
