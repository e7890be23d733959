"""Lines of the terminal as whole sentences for who hears them, without signs for eyes alone."""

import re
from typing import Final

_COMPASS: Final = {
    "N": "north",
    "NE": "north-east",
    "E": "east",
    "SE": "south-east",
    "S": "south",
    "SW": "south-west",
    "W": "west",
    "NW": "north-west",
}

_RATINGS: Final = {"V": "visual", "I": "infrared", "R": "radar", "N": "neutrino", "M": "mass"}

_POINTS: Final = "|".join(sorted(_COMPASS, key=len, reverse=True))

_SAID: Final[tuple[tuple[re.Pattern[str], str], ...]] = (
    (re.compile(r"^(?:\* |-- )"), ""),
    (re.compile(r"^> "), "you typed "),
    (re.compile(r"^(E-[A-Z]+) +"), r"error \1: "),
    (re.compile(r"\b[0-9a-f]{32,}\b"), "a long number"),
    (re.compile(r"\be\.g\. "), "for example "),
    (re.compile(r"(?<![\w/.])(\d+)/(\d+)(?![\w/])"), r"\1 of \2"),
    (re.compile(r"(?<![\w.])(\d+),(\d+) ([A-H][1-9])\b"), r"square \1 \2 in box \3"),
    (re.compile(r"(?<=[\w)]) -> "), " to "),
    (re.compile(r"-> ?"), "result "),
    (re.compile(r" \| "), ", "),
    (re.compile(r"\b(T\d+):(?=[a-z])"), r"turret \1 "),
    (re.compile(r"\b([A-Z]\d+ [a-z]+(?: [a-z]+)?)(\d+)\b"), r"\1 \2"),
    (re.compile(r" +\("), " ("),
)
"""What is said instead of what stands in a line, one after the other."""

_CHAT: Final = re.compile(r"\[chat\] (\S+(?: \(.*?\))?): (.*)")
_VECTOR: Final = re.compile(r"\bv\(([^,()]+),([^,()]+)\)")
# In an order it follows a figure, and is to be typed as it is.
_FACING: Final = re.compile(rf"(^|  |\) )(facing )({_POINTS})\b")
_SHOUTED: Final = re.compile(r"(?<!E-)\b(?!AECM|LECM|LPRB|LTAG)[A-Z]{4,}\b")
"""Words that stand out to eyes, and that a voice would spell; abbreviations are to be spelled."""

_SENSORS: Final = re.compile(r"\b([VIRNM])(\d+)(?= [VIRNM]\d|\s|$)")
_LIST: Final = re.compile(r" V\d+ I\d+ R\d+ N\d+ M\d+")
_GAP: Final = re.compile(r"(?<=[^,;:.?! ]) {2,}")
_ENDS: Final = (".", "!", "?", ":")


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
