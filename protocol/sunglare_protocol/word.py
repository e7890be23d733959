"""The base of all words of the wire: an enum whose members are quick to look up."""

import enum


class Word(enum.Enum):
    """A closed list of words; each member is its own key.

    Members are unique objects, so their identity is as good a hash as their name, which
    `enum` would hash anew at every look-up. Nothing ever iterates over a set of them.
    """

    __hash__ = object.__hash__
