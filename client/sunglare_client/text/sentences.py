"""The sentences of notices: one table for the terminal and the watch page, and how it is read.

The table stands in the page's `story/sentences.js`, as JSON behind `export default`. A sentence is
text with fields of the notice, as they go over the wire:

- `{field}` is the field, `{field|form}` the field in a form: one of `FORMS`, a table of words of
  the file, or a part, which is a sentence of the fields of that field. What is absent is nothing.
  `a.b` is the field `b` of the field `a`.
- `[field?text]` is the text if there is something in the field: neither absent nor null, false,
  zero or empty. `[field??text]` is it if the field is there at all, `[field=word?text]` if it is
  that word. `[field?text|other]` is the other text if not. Brackets may stand in one another.

The page reads the same in `story/template.js`; a test draws notices of every kind and compares.
"""

import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Final, NamedTuple, final

import msgspec

from sunglare_client.text.places import bearing_text, place_text, square_text
from sunglare_page import FOLDER
from sunglare_protocol.geometry import Square
from sunglare_protocol.notices import Notice
from sunglare_protocol.surface import Cell, Site
from sunglare_protocol.word import spoken
from sunglare_protocol.words.scans import Answers
from sunglare_rules.ground.plane import cell_of
from sunglare_rules.turn.metric import SURFACE_UNITS

Fields = Mapping[str, Any]
"""A notice as it goes over the wire."""

Sentence = Callable[[Fields], str]
"""Makes the text of a notice."""

Forms = Mapping[str, Callable[..., str]]
"""How values are written, by the name of the form."""

_FILE: Final = FOLDER / "story" / "sentences.js"
_HEAD: Final = "export default "

_FIELD: Final = re.compile(r"\{([a-z_.]+)(?:\|([a-z_]+)(?: ([a-z_.]+))?)?\}")
_GUARD: Final = re.compile(r"\[([a-z_.]+)(\?\?|\?|=[a-z_]+\?)")
_MARKS: Final = "[]{}"


class SentenceError(ValueError):
    """A sentence of the table can't be read; the text says which and where."""


def sentence(notice: Notice) -> str:
    """Return a notice as a sentence."""
    fields = msgspec.to_builtins(notice)
    return TABLE.sentences[fields["t"]](fields)


def answers_text(answers: Answers) -> str:
    """Return the three public questions about a scan with their answers."""
    return TABLE.parts["answers"](msgspec.to_builtins(answers))


def blocked_text(blocked: Iterable[Any] | None) -> str:
    """Return which sectors of planets are blocked, as in `near S of Ceres`."""
    parts = [
        f"{'near' if part.get('near') else 'far'} {part['sector']} of {part['planet']}"
        for part in blocked or ()
    ]
    return ", ".join(parts) or "nothing"


def _contacts(found: Sequence[str]) -> str:
    return "1 contact" if len(found) == 1 else f"{len(found)} contacts"


def _soldiers(number: int | None) -> str:
    return "1 soldier" if number == 1 else f"{number or 0} soldiers"


def _harm(harmed: Iterable[str], damage: Iterable[int]) -> str:
    return "".join(
        f"; {handle} takes {points}" for handle, points in zip(harmed, damage, strict=True)
    )


def _point(point: tuple[int, int]) -> str:
    """Return a point of a surface map: its cell, and east and north of the corner in inches."""
    east, north = (round(units / SURFACE_UNITS, 1) for units in point)
    return f"{cell_of((point[0], point[1])).name} ({east:g}, {north:g} in)"


FORMS: Final[dict[str, Callable[..., str]]] = {
    "aim": lambda at: at if isinstance(at, str) else square_text(Square(*at)),
    "and": lambda names: " and ".join(map(spoken, names)),
    "bearing": bearing_text,
    "before": " before ".join,
    "blocked": blocked_text,
    "both": " and ".join,
    "cell": lambda cell: Cell(*cell).name,
    "contacts": _contacts,
    "count": lambda number: str(number or 0),
    "harm": _harm,
    "length": lambda items: str(len(items or ())),
    "list": lambda names: ", ".join(names or ()),
    "pieces": lambda pairs: ", ".join(map(".".join, pairs)),
    "place": lambda square: place_text(Square(*square)),
    "point": _point,
    "row": lambda dice: " ".join(map(str, dice or ())),
    "signed": lambda number: f"{number:+d}",
    "site": lambda site: Site(*site).name,
    "soldiers": _soldiers,
    "spoken": spoken,
    "square": lambda square: square_text(Square(*square)),
    "upper": str.upper,
}
"""The forms that are no words: `harm` alone takes a second field."""


@final
class _Reader:
    """Reads one sentence of the table from its start to its end."""

    def __init__(self, name: str, text: str, forms: Forms) -> None:
        self._name = name
        self._text = text
        self._place = 0
        self._forms = forms

    def read(self) -> Sentence:
        """Return the whole sentence."""
        return self._parts("")

    def _parts(self, ends: str) -> Sentence:
        parts: list[Sentence] = []
        while self._next and self._next not in ends:
            parts.append(self._part())
        if bool(ends) != bool(self._next):
            raise self._fault("a bracket is not closed")
        return lambda fields: "".join(part(fields) for part in parts)

    @property
    def _next(self) -> str:
        return self._text[self._place : self._place + 1]

    def _part(self) -> Sentence:
        if (guard := _GUARD.match(self._text, self._place)) is not None:
            self._place = guard.end()
            return self._choice(guard[1], guard[2])
        if (field := _FIELD.match(self._text, self._place)) is not None:
            self._place = field.end()
            return self._value(*field.groups())
        letter = self._next
        if letter in _MARKS:
            raise self._fault("neither a field nor a choice begins here")
        self._place += 1
        return lambda _: letter

    def _choice(self, field: str, test: str) -> Sentence:
        then: Sentence = self._parts("|]")
        other: Sentence = _nothing
        if self._next == "|":
            self._place += 1
            other = self._parts("]")
        self._place += 1
        holds = _test(test)
        return lambda fields: (then if holds(_found(fields, field)) else other)(fields)

    def _value(self, field: str, form: str | None, second: str | None) -> Sentence:
        if form is None:
            return lambda fields: _plain(_found(fields, field))
        if (made := self._forms.get(form)) is None:
            raise self._fault(f"there is no form {form}; there are {', '.join(self._forms)}")
        names = [field, *([second] if second else [])]
        return lambda fields: made(*[_found(fields, name) for name in names])

    def _fault(self, what: str) -> SentenceError:
        return SentenceError(f"{self._name}, letter {self._place}: {what}")


def _nothing(fields: Fields) -> str:  # noqa: ARG001 - a sentence without text
    return ""


def _test(test: str) -> Callable[[object], bool]:
    """Return what a choice asks of its field."""
    if test == "??":
        return lambda value: value is not None
    word = test.strip("=?")
    return (lambda value: value == word) if word else bool


def _found(fields: Fields, path: str) -> Any:
    """Return a field by its path; None where there is none."""
    found: Any = fields
    for name in path.split("."):
        found = None if found is None else found.get(name)
    return found


def _plain(value: object) -> str:
    return "" if value is None else str(value)


@final
class SentenceTable(NamedTuple):
    """What stands in a file: parts of sentences, and the sentence of each kind of notice."""

    parts: Mapping[str, Sentence]
    sentences: Mapping[str, Sentence]


def read_table(text: str) -> SentenceTable:
    """Return what a file says; raise `SentenceError` where it can't be read."""
    file = json.loads(text.partition(_HEAD)[2])
    forms: Forms = FORMS | {name: words.__getitem__ for name, words in file["words"].items()}
    parts = _read(file["parts"], forms)
    return SentenceTable(parts, _read(file["sentences"], {**forms, **parts}))


def _read(texts: Mapping[str, str], forms: Forms) -> dict[str, Sentence]:
    return {name: _Reader(name, text, forms).read() for name, text in texts.items()}


TABLE: Final = read_table(_FILE.read_text(encoding="utf-8"))
"""What the page and the terminal say."""
