"""The one door to the terminal for text by others: names, chat, titles."""

import unicodedata

STAND_IN = "?"
"""What stands for a character that must not reach a terminal."""

_BLANKS = frozenset("\t\n\r\v\f\x85\u2028\u2029")
_LONGEST = 2_000


def printable(text: str, *, ascii_only: bool = False) -> str:
    """Return `text` as one line that a terminal shows and never obeys.

    Line ends and tabs become blanks; control and format characters (escape sequences, changes
    of writing direction), surrogates and unassigned ones become `?`. With `ascii_only` so does
    every letter beyond ASCII. What is longer than any line of ours is cut.
    """
    kept = text[:_LONGEST]
    # Most text is shown as it is, which costs one look at the whole.
    shown = kept if kept.isprintable() else "".join(map(_shown, kept))
    return shown.encode("ascii", "replace").decode("ascii") if ascii_only else shown


def one_word(name: str) -> str:
    """Return a name as it is typed: without blanks."""
    return name.replace(" ", "")


def _shown(letter: str) -> str:
    if letter in _BLANKS:
        return " "
    return STAND_IN if unicodedata.category(letter).startswith("C") else letter
