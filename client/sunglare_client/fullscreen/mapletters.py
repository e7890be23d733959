"""Letters that keys of the map took, though they may have begun a command that was typed there.

A letter that looks at something stays a key of the map; the next letter may show that a command
is being typed. The letters taken directly before are kept until the first word of the line ends,
and put before it if it is no verb without them. No time is measured.
"""

from itertools import chain
from typing import Final, final

from sunglare_client.verbs.table import VERBS, verb_called

_NAMES: Final = tuple(verb.name for verb in VERBS)


@final
class MapLetters:
    """The lower-case letters that the map took directly before what is typed now."""

    def __init__(self) -> None:
        """Begin with none."""
        self._taken = ""

    def take(self, letter: str) -> None:
        """Keep one more letter."""
        self._taken += letter

    def forget(self) -> None:
        """Keep none: something else was pressed in between."""
        self._taken = ""

    def begins_verb(self, letter: str) -> bool:
        """Return whether a verb begins with a letter, alone or after some of those taken."""
        begun = tuple(f"{before}{letter}" for before in (*self._suffixes(), ""))
        words = (word for verb in VERBS for word in (verb.name, verb.alias))
        return any(word.startswith(begun) for word in words)

    def completed(self, word: str) -> str:
        """Return the first word of a line with the letters that make it a verb before it.

        The whole name of a verb wins over an alias or a beginning; after that a word that is a
        verb by itself, then the one with most of the letters. The word stays as it is if no
        letters make it a verb.
        """
        readings = (word, *(f"{before}{word}" for before in self._suffixes()))
        whole = (one for one in readings if one.lower() in _NAMES)
        verbs = (one for one in readings if _is_verb(one))
        return next(chain(whole, verbs), word)

    def _suffixes(self) -> tuple[str, ...]:
        """Return the ends of what was taken, the longest first."""
        return tuple(self._taken[at:] for at in range(len(self._taken)))


def _is_verb(word: str) -> bool:
    return word != "" and not isinstance(verb_called(word.lower()), tuple)
