"""The disclosure ledger of agents and searches: its rows and its silent events.

Roles: `others` are all sides but the owner's, `seeker` is a side that searches, `tracker` one
that holds a live track of the ship concerned. Dice, thresholds, hiding values and the number of
hidden agents stand in no row but those of `omni`.
"""

from typing import Final

from sunglare_server.match.ledger.row import Row

_PLACE = ("side", "planet", "over", "environs")
_ORBIT = ("side", "planet", "over")
_AGENT = ("TruthAgents", "side", "piece", "what")
_AGENTS = ("TruthAgents", "side", "what")

AGENTS_ROWS: Final[tuple[Row, ...]] = (
    Row(
        "FlagSet", "owner", "OwnTold", ("OwnDetected", "ship", "cause"),
        "always; whom and by what cause", "search §3",
    ),
    Row("FlagSet", "omni", "TruthTold", _AGENT, "always", "truth"),
    Row("FlagCleared", "owner", "OwnTold", ("OwnShaken", "ship", "planet"), "always", "search §3"),
    Row("FlagCleared", "omni", "TruthTold", _AGENT, "always", "truth"),
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
    Row("StepFailed", "owner", "OwnTold", ("OwnStepFailed", "ship", "why"), "always", "search §3"),
    Row(
        "AgentStranded", "owner", "OwnTold", ("OwnStranded", "ship"),
        "always", "search §2 Steps",
    ),
    Row(
        "SearchTried", "seeker", "OwnTold",
        ("SearchResult", "site", "side", "value", "found", "event"),
        "always; own value, found or not", "search §3",
    ),
    Row(
        "SearchTried", "seeker", "AgentsFound", ("side", "site", "agents"),
        "found; names and ratings, memory after the fight", "search §3",
    ),
    Row(
        "SearchTried", "owner", "OwnTold", ("OwnSearched", "site", "side", "found", "event"),
        "the value was 1 or more; who was found", "search §3",
    ),
    Row("SearchTried", "omni", "TruthTold", _AGENTS, "always", "truth"),
    Row(
        "FightFought", "seeker", "OwnTold",
        (
            "StrikeResult", "site", "side", "outcome", "soldier", "soldiers", "lost", "sent",
            "own_fallen", "fallen", "escaped",
        ),
        "it sent somebody; no dice", "search §3",
    ),
    Row(
        "FightFought", "owner", "OwnTold",
        (
            "OwnStruck", "site", "side", "outcome", "soldier", "soldiers", "lost", "by",
            "beaten", "fallen", "escaped",
        ),
        "size and type, or names; no dice", "search §3",
    ),
    Row("FightFought", "omni", "TruthTold", _AGENTS, "always", "truth"),
    Row("AgentKilled", "owner", "OwnTold", ("OwnKilled", "ship"), "always", "turn §6"),
    Row("AgentKilled", "omni", "TruthTold", _AGENT, "always", "truth"),
    Row(
        "MissionTried", "owner", "OwnTold", ("MissionResult", "ship", "kind", "success"),
        "always; success or not", "search §2",
    ),
    Row("MissionTried", "omni", "TruthTold", _AGENT, "always", "truth"),
    Row(
        "UnitsSpied", "owner", "TroopsSpied", ("site", "units", "leaders"),
        "the mission succeeded", "search §2",
    ),
    Row(
        "UnitSabotaged", "owner", "OwnTold", ("OwnSabotaged", "ship", "damage", "silent"),
        "always; the result alone", "search §2",
    ),
    Row("UnitSabotaged", "omni", "TruthTold", _AGENT, "always", "truth"),
    Row(
        "ItemTaken", "owner", "ItemKnown", ("ItemMoved", "name", "carrier", "delivered"),
        "an objective names it", "search §2",
    ),
    Row(
        "ItemDropped", "owner", "ItemKnown", ("ItemMoved", "name", "site", "delivered"),
        "its carrier was his", "search §2",
    ),
    Row(
        "Delivered", "owner", "ItemKnown", ("ItemMoved", "name", "site", "delivered"),
        "always", "turn §8",
    ),
    Row("Delivered", "omni", "TruthTold", _AGENTS, "always", "truth"),
    Row("AgentFreed", "owner", "OwnTold", ("OwnFreed", "ship"), "always", "search §2"),
    Row("AgentFreed", "omni", "TruthTold", _AGENT, "always", "truth"),
)  # fmt: skip
"""Every permission of agents and searches."""

AGENTS_SILENT: Final[tuple[str, ...]] = (
    "StanceTaken",
    "BoundFor",
    "StrikeChosen",
    "AgentStepped",
    "FlagForgotten",
    "AgentWounded",
    "MissionPlanned",
    "MissionsEnded",
)
"""Events of agents that show no audience more than the own pieces their owner sees."""
