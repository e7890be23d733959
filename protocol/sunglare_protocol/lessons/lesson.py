"""Lessons as files: a position, what is sought, and what is said of each answer.

A lesson is a TOML file and a JSON file with frames of one side: the first is the position, the
others are what came of the right answer. Both are read as strictly as anything from outside.
"""

import tomllib
from functools import lru_cache
from importlib.resources import files
from typing import final

import msgspec

from sunglare_protocol.errors import SunglareError
from sunglare_protocol.messages import Frame
from sunglare_protocol.views import View


class LessonError(SunglareError):
    """A lesson that does not exist."""


@final
class Lesson(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One puzzle.

    Any of the `accepted` lines solves it; `wrong` says of lines that come to mind why they are not
    sought, `otherwise` of all others. `hint` is shown on demand, with what to `try`. `idea` is
    shown at the end, and `source` names the rule system with its section.
    """

    title: str
    source: str
    story: str
    task: str
    accepted: tuple[str, ...]
    hint: str
    tries: tuple[str, ...] = msgspec.field(name="try")
    otherwise: str
    idea: str
    wrong: dict[str, str] = {}


@final
class Position(msgspec.Struct, frozen=True):
    """A lesson by the name of its files, with the frames of its position and of what came next."""

    name: str
    number: int
    lesson: Lesson
    frames: tuple[Frame, ...]

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
        frames = (folder / name.replace(".toml", ".json")).read_bytes()
        lesson = msgspec.convert(tomllib.loads(text), Lesson)
        given = msgspec.json.decode(frames, type=tuple[Frame, ...])
        found.append(Position(name.removesuffix(".toml"), number, lesson, given))
    return tuple(found)
