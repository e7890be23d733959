"""The words of a scan that both ends use: its types and sizes, signatures, echoes and answers."""

from typing import final

import msgspec

from sunglare_protocol.geometry import Compass
from sunglare_protocol.word import Word


class ScanType(Word):
    """What a scan listens with; each type senses some signatures only."""

    VISUAL = "visual"
    IR = "ir"
    RADAR = "radar"
    NEUTRINO = "neutrino"
    MASS = "mass"


class ScanSize(Word):
    """How much a scan covers: one square, 3 by 3 squares, one box, 3 by 3 boxes."""

    SQUARE = "1sq"
    SQUARES = "3sq"
    BOX = "1box"
    BOXES = "3box"


class Signature(Word):
    """What may give a piece away: the kind of sensor that notices it, and the part it notices."""

    VISUAL_HULL = "visual_hull"
    VISUAL_THRUST = "visual_thrust"
    IR_POWER = "ir_power"
    IR_THRUST = "ir_thrust"
    RADAR_HULL = "radar_hull"
    NEUTRINO_POWER = "neutrino_power"
    MASS_HULL = "mass_hull"


class Drive(Word):
    """How a ship makes thrust; a fusion plume is bright."""

    IMPULSE = "impulse"
    FUSION = "fusion"


class Echo(Word):
    """The size class that a track shows, from small to large; fighters echo like missiles."""

    MISSILE = "missile"
    SMALL = "small"
    MEDIUM = "medium"
    LARGE = "large"

    @property
    def rank(self) -> int:
        """Return 0 for the smallest echo, rising by one with each larger class."""
        return _RANK[self]


_RANK = {echo: rank for rank, echo in enumerate(Echo)}


@final
class Blocked(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """One part of space that a planet hides from a scanner: a near or a far sector of it."""

    planet: str
    sector: Compass
    near: bool


@final
class Answers(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """The scanner's public answers about a declared scan.

    `glare`: the scan touches the sunglare of its ship. `from_well`: its ship stands in some
    gravity well. `touches_well`: the scan covers a square of some well or body. `blocked`: the
    hidden sectors that the scan covers in part, in the order of the planets, of the compass,
    near before far.
    """

    glare: bool
    from_well: bool
    touches_well: bool
    blocked: tuple[Blocked, ...] = ()
