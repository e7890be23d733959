"""The parts of what a server says of lessons."""

from typing import final

import msgspec


@final
class LessonLine(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, gc=False):
    """A lesson of the list, and whether the caller has solved it.

    `lesson` is what `lesson` calls it, `source` the rule system with its section.
    """

    lesson: str
    number: int
    title: str
    source: str
    solved: bool = False
