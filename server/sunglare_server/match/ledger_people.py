"""The disclosure ledger of agents and searches: its rows and its silent events. See `ledger`.

Roles: `others` are all sides but the owner's, `seeker` is a side that searches, `tracker` one
that holds a live track of the ship concerned. Dice, thresholds, hiding values and the number of
hidden people stand in no row but those of `omni`.
"""

from typing import Final

from sunglare_server.match.ledger_row import Row

_PLACE = ("side", "planet", "over", "environs")
_ORBIT = ("side", "planet", "over")
_TOLD = ("notice",)

PEOPLE_ROWS: Final[tuple[Row, ...]] = (
    Row("FlagSet", "owner", "OwnTold", _TOLD, "always; whom and by what cause", "search §3"),
    Row("FlagSet", "omni", "TruthTold", _TOLD, "always", "truth"),
    Row("FlagCleared", "owner", "OwnTold", _TOLD, "always", "search §3"),
    Row("FlagCleared", "omni", "TruthTold", _TOLD, "always", "truth"),
    Row("AlertRaised", "others", "Alerted", _PLACE, "an environs; no name, number", "search §3"),
    Row("AlertRaised", "others", "Alerted", _ORBIT, "an orbit box; no name, number", "search §3"),
    Row("AlertRaised", "public", "Alerted", _PLACE, "two sides, an environs", "turn §9"),
    Row("AlertRaised", "public", "Alerted", _ORBIT, "two sides, an orbit box", "turn §9"),
    Row("AlertEnded", "others", "Alerted", _PLACE, "an environs", "search §3"),
    Row("AlertEnded", "others", "Alerted", _ORBIT, "an orbit box", "search §3"),
    Row("AlertEnded", "public", "Alerted", _PLACE, "two sides, an environs", "turn §9"),
    Row("AlertEnded", "public", "Alerted", _ORBIT, "two sides, an orbit box", "turn §9"),
    Row("ShipAlertRaised", "tracker", "ShipAlerted", ("over",), "a live track", "search §3"),
    Row("ShipAlertRaised", "public", "ShipAlerted", ("over",), "two sides", "turn §9"),
    Row("ShipAlertEnded", "tracker", "ShipAlerted", ("over",), "still held", "search §3"),
    Row("ShipAlertEnded", "public", "ShipAlerted", ("over",), "two sides, held", "turn §9"),
    Row("StepFailed", "owner", "OwnTold", _TOLD, "always", "search §3"),
    Row("PersonStranded", "owner", "OwnTold", _TOLD, "always", "search §2 Steps"),
    Row("SearchTried", "seeker", "OwnTold", _TOLD, "always; own value, found or not", "search §3"),
    Row(
        "SearchTried", "seeker", "PeopleFound", ("side", "site", "people"),
        "found; names and ratings, memory after the fight", "search §3",
    ),
    Row(
        "SearchTried", "owner", "OwnTold", _TOLD,
        "the value was 1 or more; who was found", "search §3",
    ),
    Row("SearchTried", "omni", "TruthTold", _TOLD, "always", "truth"),
    Row("FightFought", "seeker", "OwnTold", _TOLD, "it sent somebody; no dice", "search §3"),
    Row("FightFought", "owner", "OwnTold", _TOLD, "size and type, or names; no dice", "search §3"),
    Row("FightFought", "omni", "TruthTold", _TOLD, "always", "truth"),
    Row("PersonKilled", "owner", "OwnTold", _TOLD, "always", "turn §6"),
    Row("PersonKilled", "omni", "TruthTold", _TOLD, "always", "truth"),
    Row("MissionTried", "owner", "OwnTold", _TOLD, "always; success or not", "search §2"),
    Row("MissionTried", "omni", "TruthTold", _TOLD, "always", "truth"),
    Row(
        "UnitsSpied", "owner", "TroopsSpied", ("site", "units", "leaders"),
        "the mission succeeded", "search §2",
    ),
    Row("UnitSabotaged", "owner", "OwnTold", _TOLD, "always; the result alone", "search §2"),
    Row("UnitSabotaged", "omni", "TruthTold", _TOLD, "always", "truth"),
    Row("ItemTaken", "owner", "ItemKnown", _TOLD, "an objective names it", "search §2"),
    Row("ItemDropped", "owner", "ItemKnown", _TOLD, "its carrier was his", "search §2"),
    Row("Delivered", "owner", "ItemKnown", _TOLD, "always", "turn §8"),
    Row("Delivered", "omni", "TruthTold", _TOLD, "always", "truth"),
    Row("PersonFreed", "owner", "OwnTold", _TOLD, "always", "search §2"),
    Row("PersonFreed", "omni", "TruthTold", _TOLD, "always", "truth"),
)  # fmt: skip
"""Every permission of agents and searches."""

PEOPLE_SILENT: Final[tuple[str, ...]] = (
    "StanceTaken",
    "BoundFor",
    "StrikeChosen",
    "PersonStepped",
    "FlagForgotten",
    "PersonWounded",
    "MissionPlanned",
    "MissionsEnded",
)
"""Events of people that tell nobody anything beyond the own pieces their owner sees."""
