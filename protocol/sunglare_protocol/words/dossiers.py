"""Data scans: the answers to a request, and what a full answer holds."""

from typing import final

import msgspec

from sunglare_protocol.word import Word


class Outcome(Word):
    """The answers to a request for data, as the asker hears them.

    What was not requested is not answered at all, so its word never travels.
    """

    NOT_REQUESTED = "not_requested"
    ILLEGAL = "illegal"
    OUT_OF_REACH = "out_of_reach"
    INCONCLUSIVE = "inconclusive"
    FULL = "full"


@final
class Dossier(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, gc=False):
    """What a data scan found of a foreign piece, as of `turn`; it does not change by itself.

    `variant` is its class, `move` the thrust its drive gives or the inches that it walks, `modes`
    how it moves, `heat` the weapons it fired in the ENGAGE before, and `ecm` whether its jammer
    works, if it has one.
    """

    turn: int
    variant: str
    damage: int = 0
    heat: int = 0
    move: int = 0
    modes: tuple[str, ...] = ()
    ecm: bool | None = None
