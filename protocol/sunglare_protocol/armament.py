"""The words of weapons that both ends use."""

from sunglare_protocol.words import Word


class WeaponKind(Word):
    """What a weapon is; its value is the word on the wire and in data files."""

    BEAM = "beam"
    TORPEDO = "torpedo"
