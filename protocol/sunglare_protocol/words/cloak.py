"""The words of the match options on cloak hunting; the first of each is the default."""

from sunglare_protocol.word import Word


class PassiveReveals(Word):
    """Which of the cloaked ships that a passive roll beats it reveals: the nearest, or all."""

    NEAREST = "nearest"
    ALL = "all"


class TrackerMode(Word):
    """What decides whether past detections suffice: the last turns themselves, or two dice."""

    WINDOW = "window"
    DICE = "dice"


class SweepSix(Word):
    """What a six means in a sweep: a mere reminder, or that even the nearest ship is missed."""

    REMINDER = "reminder"
    STRICT = "strict"


class NoiseBlinds(Word):
    """Whom the noise of an active sweep robs of passive detection: the sweeper, or all sides."""

    SELF = "self"
    ALL = "all"


class CloakVariant(Word):
    """What active sweeps give the cloaked side: fire at the sweepers, or jammed space."""

    RETURN_FIRE = "return_fire"
    JAM = "jam"
