"""The names of things on the wire: matches, sides, audiences, windows, own pieces and handles."""

from typing import NewType

MatchId = NewType("MatchId", str)
"""A match: 26 base-32 letters, random, so it reveals nothing about other matches."""

NO_MATCH = MatchId("")
"""In the place of a match: that news are of the whole server."""

Side = NewType("Side", str)
"""One of the sides of a match: a letter from `A` to `D`."""

Audience = NewType("Audience", str)
"""The receivers of a frame: a side's letter, `public` or `omni`; as a feed also `caster`."""

WindowId = NewType("WindowId", str)
"""An input window of a match: turn and phase, with the slot for SCAN, as in `3.scan.1`."""

OwnId = NewType("OwnId", str)
"""A piece as its owner calls it, such as `S1`; two sides may use the same one."""

Handle = NewType("Handle", str)
"""A foreign piece as one viewer calls it: six random letters, dead when the hold ends."""

SIDES = (Side("A"), Side("B"), Side("C"), Side("D"))
"""Every side there can be, in the order of their letters."""

PUBLIC = Audience("public")
"""What every side has learned in the same event."""

OMNI = Audience("omni")
"""The truth, given out with the delay that the match options name."""

CASTER = Audience("caster")
"""The feed of the truth without delay: what `omni` is sent, at once."""


def audience_of(side: Side) -> Audience:
    """Return the audience that consists of one side."""
    return Audience(side)


def is_of_side(audience: Audience) -> bool:
    """Return whether this is the audience of a side; nothing else is, whatever it is called."""
    return Side(audience) in SIDES


def content_of(feed: Audience) -> Audience:
    """Return the audience whose posts a feed gives out."""
    return OMNI if feed == CASTER else feed
