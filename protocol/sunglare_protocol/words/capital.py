"""The words of capital and sub-capital fire that both ends use."""

from sunglare_protocol.word import Word


class CapitalClass(Word):
    """A class of capital or sub-capital weapon; SDS stands for the ground's defence of space."""

    CAP = "cap"
    SCAP = "scap"
    MSL = "msl"
    SDS_C = "sds_c"
    SDS_SC = "sds_sc"
    SDS_CM = "sds_cm"


class FireMode(Word):
    """What is fired at: a piece in space or in the air, or a point, from above or from below."""

    AIR = "air"
    AIR_TO_GROUND = "a2g"
    SURFACE_TO_SURFACE = "s2s"


class Carrier(Word):
    """What fires: a ship in flight, a landed one, or a ground unit, structure or installation."""

    AIRBORNE = "airborne"
    LANDED = "landed"
    GROUND = "ground"


class RadarZone(Word):
    """How a square of a planet's well lies to a surface map below, nearest first."""

    CENTRAL = "central"
    INNER = "inner"
    MIDDLE = "middle"
    OUTER = "outer"
