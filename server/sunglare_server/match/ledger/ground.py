"""The disclosure ledger of the surface: its rows and its silent events.

Roles: `viewer` is a side that sees the surface map, `holder` one that holds the token on it.
"""

from typing import Final

from sunglare_server.match.ledger.row import DESTROYED_TOLD, GONE_TOLD, PROBED_TOLD, SHOT_TOLD, Row

_PLACE = ("site", "cell")
_NAMED = ("side", "type", "build", "footprint")
_TOKEN = ("TruthToken", "side", "owner", "piece", "how")

GROUND_ROWS: Final[tuple[Row, ...]] = (
    Row("UnitMoved", "holder", "TokenMoved", ("cell",), "it entered a cell", "blips §4"),
    Row(
        "UnitMoved", "owner", "OwnTold", ("OwnHalted", "ship", "why", "cell"),
        "it went less far than told", "blips §4",
    ),
    Row(
        "UnitUncovered", "owner", "OwnTold", ("OwnEmerged", "ship", "identified"),
        "always; a token, or shown", "blips §1 H2",
    ),
    Row("MapOpened", "viewer", "MapShown", ("site",), "somebody of it sees the map", "turn §1"),
    Row("MapClosed", "viewer", "MapHidden", ("site",), "nobody of it does", "turn §1"),
    Row("TokenGained", "viewer", "TokenShown", _PLACE, "it sees the map", "blips §3.8"),
    Row(
        "TokenGained", "viewer", "TokenShown", (*_PLACE, *_NAMED),
        "a hidden unit moved in sight, or without a token", "blips §1 H2",
    ),
    Row("TokenGained", "omni", "TruthTold", _TOKEN, "always", "truth"),
    Row("TokenEnded", "holder", "TokenTaken", ("how",), "always", "blips §3.8 and §4"),
    Row(
        "TokenEnded", "holder", "TokenTaken", ("how", *_NAMED),
        "a landed ship lifts off", "blips §1 B3",
    ),
    Row("TokenEnded", "omni", "TruthTold", _TOKEN, "always", "truth"),
    Row(
        "PieceIdentified", "holder", "TokenNamed", _NAMED,
        "a spotter sufficed, or spies saw it", "blips §3.6, search §2",
    ),
    Row(
        "PieceIdentified", "owner", "OwnTold", ("OwnIdentified", "ship"),
        "a spotter is not hidden, and no fighter above; no spotter, no method", "blips §4",
    ),
    Row(
        "MapOverflown", "owner", "OwnTold", ("OwnOverflown", "side", "site", "ships"),
        "it has pieces there that are not hidden; whose fighter, and all these", "blips §4 A1",
    ),
    Row("PieceIdentified", "omni", "TruthTold", _TOKEN, "always", "truth"),
    Row(
        "HiddenExposed", "viewer", "TokenShown", (*_PLACE, *_NAMED),
        "near in sight, probed, or damaged in sight", "blips §2.4",
    ),
    Row(
        "HiddenExposed", "holder", "TokenNamed", _NAMED,
        "held as a token already", "blips §2.4",
    ),
    Row("HiddenExposed", "owner", "OwnTold", ("OwnUncovered", "ship"), "always", "blips §4"),
    Row("HiddenExposed", "omni", "TruthTold", _TOKEN, "always", "truth"),
    Row(
        "TokenProbed", "asker", "TokenAnswered", ("ship", "outcome"),
        "always; jammed and stealthy read alike", "blips §3",
    ),
    Row(
        "TokenProbed", "asker", "TokenAnswered", ("ship", "outcome", "dossier"),
        "the answer is full", "blips §3",
    ),
    Row(
        "TokenProbed", "owner", "OwnTold", ("OwnProbed", "ship", "bearing"),
        "a probe was at work; bearing by 30 degrees", "blips §4",
    ),
    Row(
        "TokenProbed", "bystander", "OwnTold", ("ProbeSensed", "ship", "bearing"),
        "a probe was at work, an own piece on the map within 26 inches; bearing by 30 degrees",
        "blips §4",
    ),
    Row("TokenProbed", "omni", "TruthTold", PROBED_TOLD, "always", "truth"),
    Row(
        "AttackerRevealed", "viewer", "TokenShown", (*_PLACE, *_NAMED),
        "attacked directly, its target's side or in its sight", "blips §1 SR1",
    ),
    Row(
        "AttackerRevealed", "holder", "TokenNamed", _NAMED,
        "attacked directly, its target's side or in its sight", "blips §1 SR1",
    ),
    Row(
        "GroundShotFired", "shooter", "GroundShotReported", ("ship", "weapon", "damage", "dice"),
        "always; an attack that could not work reads like a miss", "blips §4",
    ),
    Row(
        "GroundShotFired", "target", "OwnTold",
        ("OwnGroundHit", "ship", "weapon", "damage", "site", "cell"),
        "always; weapon kind, damage, own place", "blips §4",
    ),
    Row(
        "GroundShotFired", "witness", "OwnTold", ("ImpactSeen", "site", "cell"),
        "indirect fire, a line of sight to the impact; the place alone", "blips §4",
    ),
    Row("GroundShotFired", "omni", "TruthTold", SHOT_TOLD, "always", "truth"),
    Row("UnitDestroyed", "owner", "OwnTold", DESTROYED_TOLD, "always", "blips §4"),
    Row("UnitDestroyed", "omni", "TruthTold", GONE_TOLD, "always", "truth"),
    Row("TakenAlong", "owner", "OwnTold", DESTROYED_TOLD, "a unit; lost with its ship", "turn §6"),
    Row(
        "TakenAlong", "owner", "OwnTold", ("OwnKilled", "ship"),
        "an agent; lost with its ship", "turn §6",
    ),
    Row("TakenAlong", "omni", "TruthTold", GONE_TOLD, "lost with its ship", "truth"),
    Row(
        "OccupationCounted", "all", "Announced",
        ("Occupation", "site", "sides", "turns", "ends_after"),
        "an environs whose occupation ends the match; of troops that stand openly alone",
        "turn §8",
    ),
)  # fmt: skip
"""Every permission of the surface."""

GROUND_SILENT: Final[tuple[str, ...]] = (
    "UnitStationed",
    "AgentStationed",
    "UnitLoaded",
    "UnitUnloaded",
    "SensorSown",
    "UnitDamaged",
    "WeaponsHeated",
)
"""Events of the surface that show no audience more than the own pieces their owner sees."""
