"""Lines of the terminal as whole sentences for who hears them, without signs for eyes alone.

The table of what is said instead of what stands in a line is the page's `story/spoken.js`, as JSON
behind `export default`: page and terminal say the same. It is read as ASCII, as a browser does.
"""

import json
import re
from typing import Any, Final

from sunglare_page import FOLDER

_FILE: Final = FOLDER / "story" / "spoken.js"
_TABLE: Final[dict[str, Any]] = json.loads(
    _FILE.read_text(encoding="utf-8").partition("export default ")[2]
)


def _pattern(text: str) -> re.Pattern[str]:
    return re.compile(text, re.ASCII)


_COMPASS: Final[dict[str, str]] = _TABLE["compass"]
_RATINGS: Final[dict[str, str]] = _TABLE["ratings"]

_SAID: Final[tuple[tuple[re.Pattern[str], str], ...]] = tuple(
    (_pattern(what), words.replace("$", "\\")) for what, words in _TABLE["said"]
)
"""What is said instead of what stands in a line, one after the other."""

_CHAT: Final = _pattern(_TABLE["chat"])
_VECTOR: Final = _pattern(_TABLE["vector"])
# In an order it follows a figure, and is to be typed as it is.
_FACING: Final = _pattern(_TABLE["facing"])
_SHOUTED: Final = _pattern(_TABLE["shouted"])
"""Words that stand out to eyes, and that a voice would spell; abbreviations are to be spelled."""

_SENSORS: Final = _pattern(_TABLE["sensors"])
_LIST: Final = _pattern(_TABLE["list"])
_GAP: Final = _pattern(_TABLE["gap"])
_ENDS: Final = tuple(_TABLE["ends"])


def aloud(line: str) -> str:
    """Return a line as a sentence; empty if nothing of it can be said. Chat stays as it is."""
    if (chat := _CHAT.match(line)) is not None:
        return f"{chat[1]} says: {chat[2]}"
    text = _FACING.sub(lambda found: found[1] + found[2] + _COMPASS[found[3]], line.strip())
    for what, words in _SAID:
        text = what.sub(words, text)
    text = _VECTOR.sub(lambda found: f"vector {_signed(found[1])} and {_signed(found[2])}", text)
    text = _SHOUTED.sub(lambda found: found[0].lower(), text)
    text = _LIST.sub(_ratings, text)
    text = " ".join(_GAP.sub(", ", text).split())
    if not text:
        return ""
    return text[0].upper() + text[1:] + ("" if text.endswith(_ENDS) else ".")


def _signed(part: str) -> str:
    return part.replace("+", "plus ").replace("-", "minus ")


def _ratings(found: re.Match[str]) -> str:
    """Return the ratings of all five sensors in words."""
    pairs = (f"{_RATINGS[kind]} {rank}" for kind, rank in _SENSORS.findall(found[0]))
    return f" {', '.join(pairs)}"
