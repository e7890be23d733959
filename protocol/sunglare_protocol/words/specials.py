"""The special abilities of ships and ground units, by the words of data files and of the wire.

Abilities with a number are written with it, as in `RSD 2`; the number counts systems.
"""

from sunglare_protocol.word import Word


class Special(Word):
    """One ability: jammers, probes, stealth, size, lights, systems that come in numbers."""

    ECM = "ECM"
    AECM = "AECM"
    LECM = "LECM"
    WAT = "WAT"
    NOVA = "NOVA"
    LPRB = "LPRB"
    PRB = "PRB"
    BH = "BH"
    STL = "STL"
    MAS = "MAS"
    LG = "LG"
    VLG = "VLG"
    SLG = "SLG"
    DRO = "DRO"
    RSD = "RSD"
    TAG = "TAG"
    LTAG = "LTAG"
    SRCH = "SRCH"


NUMBERED = (Special.RSD,)
"""The abilities that are written with a number."""

Specials = tuple[Special, ...]
"""The abilities of a piece, without their numbers, each once, in the order of its class."""
