"""The words of weapons that both ends use."""

import enum


class WeaponKind(enum.Enum):
    """What a weapon is; its value is the word on the wire and in data files."""

    BEAM = "beam"
    TORPEDO = "torpedo"
