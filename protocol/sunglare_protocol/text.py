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

_REFUSED = ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp")
"""Control, format (bidi among them), surrogate, private-use, unassigned, line separators."""


def clean(text: str, most: int) -> str | None:
    """Return `text` in NFC without outer blanks, or None if it is empty, too long or unfit."""
    if len(text) > 4 * most:
        return None
    composed = unicodedata.normalize("NFC", text).strip()
    if not composed or len(composed) > most:
        return None
    if any(unicodedata.category(letter) in _REFUSED for letter in composed):
        return None
    return composed


def name_key(name: str) -> str:
    """Return what two names share that people would take for one: NFKC and case folding."""
    folded = unicodedata.normalize("NFKC", name).casefold()
    return " ".join(unicodedata.normalize("NFKC", folded).split())
