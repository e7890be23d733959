"""Names that read as the server's own voice or as a role that clients show next to names."""

import functools
from collections.abc import Iterable
from typing import Final

import regex

from sunglare_protocol.ids import SIDES
from sunglare_server.accounts.confusables import looks

SOMEONE: Final = "someone"
"""What matches show of an account that has asked to be forgotten."""

RESERVED: Final = (SOMEONE, "server", "operator", "admin", "administrator", "moderator")
"""Words that no name has: they speak for those who run the server."""

ROLES: Final = ("public", "omni", "truth", "caster", "bot", "system")
"""Words with which no name begins: news and lists put audiences, bots and the system there."""

QUOTE: Final = '"'
"""What stands around an older name that reads as a role, so that it reads as a name."""

_CACHED: Final = 4096
_WORD: Final = regex.compile(r"[\p{L}\p{M}\p{N}]+")
_MARKED: Final = "(bot)"
"""How clients mark the name of a bot."""


def _all_looks(words: Iterable[str]) -> frozenset[str]:
    return frozenset(look for word in words for look in looks(word))


_RESERVED_LOOKS: Final = _all_looks(RESERVED)
_ROLE_LOOKS: Final = _all_looks(ROLES)
_SIDE_LOOKS: Final = _all_looks(SIDES)
_MARKED_LOOKS: Final = tuple(dict.fromkeys(looks(_MARKED)))


def reads_as_role(shown: tuple[str, ...]) -> bool:
    """Return whether a name with these looks reads as the server's voice, a role or a side."""
    return any(map(_reads_as_role, shown))


@functools.lru_cache(_CACHED)
def shown_name(name: str) -> str:
    """Return a name as other players see it: in quotes if it reads as a role."""
    return f"{QUOTE}{name}{QUOTE}" if reads_as_role(looks(name)) else name


def _reads_as_role(look: str) -> bool:
    words = _WORD.findall(look)
    if not words:
        return False
    is_role = words[0] in _ROLE_LOOKS or not _RESERVED_LOOKS.isdisjoint(words)
    return is_role or any(mark in look for mark in _MARKED_LOOKS) or _reads_as_side(look)


def _reads_as_side(look: str) -> bool:
    """Return whether a name is a side's letter, also before a colon: `A`, `[B]`, `C: hi`."""
    speaker = _WORD.findall(look.partition(":")[0])
    return len(speaker) == 1 and speaker[0] in _SIDE_LOOKS
