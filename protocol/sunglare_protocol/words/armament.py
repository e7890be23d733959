"""The words of weapons that both ends use."""

from sunglare_protocol.word import Word


class WeaponKind(Word):
    """What a weapon is; its value is the word on the wire and in data files."""

    BEAM = "beam"
    TORPEDO = "torpedo"
    NEEDLE = "needle"
    SUBMUNITION = "submunition"
    KGUN = "k_gun"
    MKP = "mkp"
    STINGER = "stinger"
    PULSER = "pulser"
    SPICULE = "spicule"
    SCATTERGUN = "scattergun"
    LANCE = "lance"
    LEECH = "leech"
    FIGHTER = "fighter"
    SALVO = "salvo_missile"
    NOVA = "nova_gun"
    CAP = "cap"
    SCAP = "scap"
    MSL = "msl"


class SystemAim(Word):
    """The system a needle beam is aimed at; a weapon is any of them."""

    DRIVE = "drive"
    SENSORS = "sensors"
    SCREENS = "screens"
    CLOAK = "cloak"
    ECM = "ecm"
    POINT_DEFENCE = "point_defence"
    WEAPON = "weapon"


class Launchable(Word):
    """What a ship may launch: missiles, a flight of fighters that it carries, a remote sensor."""

    MISSILES = "missiles"
    FIGHTER = "fighter"
    REMOTE = "remote"


class DefencePolicy(Word):
    """What a ship's point defence does in this turn."""

    ALL = "all"
    HOLD = "hold"
