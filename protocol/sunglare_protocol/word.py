"""The base of all words of the wire: an enum whose members are quick to look up.

Sentences for people have them as `spoken` writes them.
"""

import enum


class Word(enum.Enum):
    """A closed list of words; each member is its own key.

    Members are unique objects, so their identity is as good a hash as their name, which `enum`
    would hash again at every look-up. Nothing ever iterates over a set of them.
    """

    __hash__ = object.__hash__


def spoken(word: Word | str) -> str:
    """Return a word of the wire as people read it: `in_front` as `in front`."""
    return str(word.value if isinstance(word, Word) else word).replace("_", " ")
