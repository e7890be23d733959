"""Players in words: a side with the name of who plays it, the side first.

A name may hold any sign that can be printed, but what stands before it is the server's word.
"""

from collections.abc import Mapping

from sunglare_protocol.ids import Side

Names = Mapping[Side, str]
"""The names of those who sit in a match, by side; without one a side is empty or not known."""


def called(side: Side, names: Names) -> str:
    """Return a side with its player's name, as in `B (Ada)`; the side alone without one."""
    name = names.get(side, "")
    return f"{side} ({name})" if name else str(side)
