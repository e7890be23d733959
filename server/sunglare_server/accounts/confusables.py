"""Skeletons of names after UTS 39: the same for texts that people take for one."""

import functools
import json
import unicodedata
from importlib.resources import files
from typing import Final

from sunglare_protocol.text import is_ignorable

_MARK: Final = "\u200e"
"""What the table puts around right-to-left letters to print them."""


def looks(name: str) -> tuple[str, ...]:
    """Return how `name` looks as it is written, in small letters and in capitals.

    Two names look alike if they have one of these in common: the case of a name does not count,
    and capitals and small letters look like different things.
    """
    shown = unicodedata.normalize("NFKC", " ".join(name.split()))
    forms = (shown, shown.casefold(), shown.upper())
    return tuple(dict.fromkeys(skeleton(form).casefold() for form in forms))


def skeleton(text: str) -> str:
    """Return what all texts share that look like `text`; made to be compared, not to be shown."""
    if text.isascii():
        return text.translate(_ascii())
    decomposed = unicodedata.normalize("NFD", text)
    prototypes = _prototypes()
    found = (prototypes.get(letter, letter) for letter in decomposed if not is_ignorable(letter))
    return unicodedata.normalize("NFD", "".join(found))


@functools.cache
def _ascii() -> dict[int, str]:
    prototypes = _prototypes()
    return {
        ord(letter): prototypes[letter] for letter in map(chr, range(128)) if letter in prototypes
    }


@functools.cache
def _prototypes() -> dict[str, str]:
    """Return what stands for each letter that has something that looks like it.

    The table lists neighbours both ways: whatever has one neighbour alone looks like that one,
    and of two who have only each other the first in the code stands for both.
    """
    raw: dict[str, list[dict[str, str]]] = json.loads(
        files("confusable_homoglyphs").joinpath("confusables.json").read_text(encoding="ascii")
    )
    near = {_bare(text): [_bare(other["c"]) for other in others] for text, others in raw.items()}
    found = {
        letter: others[0]
        for letter, others in near.items()
        if len(letter) == 1 and len(others) == 1 and _stands_for(others[0], letter, near)
    }
    return {letter: _settled(text, found) for letter, text in found.items()}


def _stands_for(text: str, letter: str, near: dict[str, list[str]]) -> bool:
    return len(text) > 1 or len(near[text]) > 1 or text < letter


def _settled(text: str, found: dict[str, str]) -> str:
    """Return `text` with whatever stands for its own letters in their place."""
    decomposed = unicodedata.normalize("NFD", text)
    return "".join(found.get(letter, letter) for letter in decomposed)


def _bare(text: str) -> str:
    return text.replace(_MARK, "") or text
