"""The words for where a match and a piece stand: phases, the ladder of knowledge, fates."""

from sunglare_protocol.word import Word


class Phase(Word):
    """The input windows of a turn, and the end of the match."""

    PLOT = "plot"
    SCAN = "scan"
    DETECT = "detect"
    ENGAGE = "engage"
    OVER = "over"


class Fix(Word):
    """How well a foreign piece is placed: the rungs of the ladder, best first.

    Solution and detected are those of a cloaked ship, for the turn in which it was found.
    """

    SOLUTION = "solution"
    TRACKED = "tracked"
    DETECTED = "detected"
    CONTACT = "contact"
    COASTING = "coasting"
    MEMORY = "memory"


class Fate(Word):
    """The fate of a piece."""

    IN_PLAY = "in_play"
    DESTROYED = "destroyed"
    ESCAPED = "escaped"
