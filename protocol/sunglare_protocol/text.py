"""The one door for text that people write: names, chat, titles, notes, scenario files."""

import unicodedata

NAME_MOST = 24
"""The longest name, in characters."""

CHAT_MOST = 300
"""The longest line of chat, in characters."""

TITLE_MOST = 60
"""The longest title of a match or scenario, in characters."""

BRIEF_MOST = 600
"""The longest description of a scenario, in characters."""

REMATCH_NEWS = "rematch "
"""How the news begin that all want a rematch; the match that waits for them follows."""

WISH_NEWS = "wants a rematch"
"""The news that a side wishes a rematch, with that side; repeated until it is met."""

WISH_NOT_NEWS = "wants no rematch"
"""The news that a side has taken its wish for a rematch back."""

CODE_NEWS = "code "
"""How the news begin that give the seats of a private match the code of its rematch."""

UNRATED_NEWS = "unrated"
"""The news that a rated room will not count: two of its accounts share a network."""

ENDS_NEWS = "ends"
"""The news that the server ends; where its operator says why, `: ` and the words follow."""

ENDS_NOT_NEWS = "does not end"
"""The news that the end which was announced is called off."""

_REFUSED = ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp")
"""Control, format (bidi among them), surrogate, private-use, unassigned, line separators."""

_MARKS = ("Mn", "Me")
"""Marks above, below and around a letter."""


_IGNORABLE = (
    (0x034F, 0x034F),  # combining grapheme joiner
    (0x115F, 0x1160),  # Hangul fillers
    (0x17B4, 0x17B5),  # inherent vowels of Khmer
    (0x180B, 0x180F),  # selectors of Mongolian
    (0x3164, 0x3164),  # Hangul filler
    (0xFE00, 0xFE0F),  # variation selectors
    (0xFFA0, 0xFFA0),  # halfwidth Hangul filler
    (0xE0100, 0xE01EF),  # further variation selectors
)
"""What Unicode calls default-ignorable outside the categories above: nothing of it is seen."""

_BLANK = "\u2800\ufffc\U00013441\U00013442\U00016fe4\U0001d159"
"""OWN: other signs that show nothing: blank Braille, hieroglyphs, notes, no object."""

MARKS_MOST = 2
"""How many marks a letter may bear, unless it is one character with those it bears."""


def composed(text: str) -> str:
    """Return `text` in NFC without outer blanks."""
    return unicodedata.normalize("NFC", text).strip()


def clean(text: str, most: int) -> str | None:
    """Return `text` composed, or None if it is empty, too long or unfit."""
    if len(text) > 4 * most:
        return None
    found = composed(text)
    if not found or len(found) > most:
        return None
    if found.isascii():  # by far most texts: what cannot be printed is all that is unfit there
        return found if found.isprintable() else None
    return None if _is_unfit(found) or _is_overloaded(found) else found


def is_ignorable(letter: str) -> bool:
    """Return whether Unicode lets a program show nothing at all for `letter`."""
    code = ord(letter)
    is_listed = any(first <= code <= last for first, last in _IGNORABLE)
    return is_listed or unicodedata.category(letter) == "Cf"


def _is_unfit(text: str) -> bool:
    return any(
        unicodedata.category(letter) in _REFUSED or letter in _BLANK or is_ignorable(letter)
        for letter in text
    )


def _is_overloaded(text: str) -> bool:
    """Return whether a letter bears more marks than any language asks for.

    Marks that take room next to their letter, as vowels of India do, are none of these.
    """
    borne = 0
    for letter in text:
        if unicodedata.category(letter) in _MARKS:
            borne += 1
            if borne > MARKS_MOST:
                return True
        else:
            decomposed = unicodedata.normalize("NFD", letter)
            borne = sum(unicodedata.category(sign) in _MARKS for sign in decomposed)
    return False


def name_key(name: str) -> str:
    """Return what two names share that people would take for one: NFKC and case folding."""
    folded = unicodedata.normalize("NFKC", name).casefold()
    return " ".join(unicodedata.normalize("NFKC", folded).split())
