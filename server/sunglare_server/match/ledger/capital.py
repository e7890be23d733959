"""The disclosure ledger of capital fire: its rows.

Roles: `viewer` is a side that sees the surface map, `near` the owner of a piece that notices a
beam or a launch.
"""

from typing import Final

from sunglare_server.match.ledger.row import SHOT_TOLD, Row

_SHOT = ("ship", "weapon", "damage", "dice")
_BLAST = ("ship", "weapon", "site", "dice", "harmed")

CAPITAL_ROWS: Final[tuple[Row, ...]] = (
    Row(
        "FighterOverflew", "viewer", "Overflown", ("square", "side", "type"),
        "it flies over a map that the side sees", "capital §3",
    ),
    Row(
        "FighterOverflew", "viewer", "Followed", ("square", "vector", "facing"),
        "it had coasted", "sensors §5 Tracked",
    ),
    Row(
        "PointDesignated", "owner", "OwnTold", ("OwnDesignated", "ship", "site", "cell"),
        "always", "blips §4",
    ),
    Row(
        "PointDesignated", "near", "OwnTold", ("OwnNoticed", "ship", "bearing"),
        "a working piece within 24 inches; the bearing alone", "capital §3",
    ),
    Row(
        "PointDesignated", "omni", "TruthTold", ("TruthDesignated", "side", "ship", "at", "cell"),
        "always", "truth",
    ),
    Row(
        "BatteryFired", "shooter", "ShotReported", _SHOT,
        "always; a shot that could not work reads like a miss", "turn §6",
    ),
    Row(
        "BatteryFired", "shooter", "ShotReported", (*_SHOT, "stopped"),
        "point defence stopped the missile", "turn §6",
    ),
    Row(
        "BatteryFired", "target", "OwnTold",
        ("OwnShelled", "ship", "weapon", "damage", "spent", "stopped"),
        "always; weapon kind, damage, own points spent", "turn §6",
    ),
    Row("BatteryFired", "omni", "TruthTold", SHOT_TOLD, "always", "truth"),
    Row(
        "BatteryExposed", "all", "Announced", ("ShotSeen", "square"),
        "always, for direct fire; the square", "turn §6",
    ),
    Row("BatteryExposed", "others", "Located", ("square",), "no witness", "turn §6"),
    Row(
        "BatteryExposed", "witness", "Recognised", ("square", "side", "type"),
        "shot at, or a piece in sight of the square", "turn §6",
    ),
    Row(
        "MissileSent", "owner", "OwnTold",
        ("OwnMissileSent", "ship", "weapon", "at", "cell", "lands"),
        "always", "capital §3",
    ),
    Row(
        "MissileSent", "near", "OwnTold", ("OwnNoticed", "ship", "bearing"),
        "a working piece in sight of the launcher; the bearing alone", "capital §3",
    ),
    Row(
        "MissileSent", "omni", "TruthTold",
        ("TruthMissile", "side", "ship", "weapon", "at", "cell", "lands"),
        "always", "truth",
    ),
    Row(
        "PointStruck", "shooter", "BlastReported", (*_BLAST, "point"),
        "always; the damage to tokens it holds alone", "capital §3",
    ),
    Row(
        "PointStruck", "shooter", "BlastReported", _BLAST,
        "it came down off the map", "capital §2",
    ),
    Row(
        "PointStruck", "witness", "OwnTold", ("BlastSeen", "site", "point"),
        "sees the map; of a missile over the ground, sees the point or is hit; the point alone",
        "capital §3",
    ),
    Row(
        "PointStruck", "target", "OwnTold", ("OwnBlasted", "ship", "damage", "site", "point"),
        "always; the point and own damage", "capital §3",
    ),
    Row(
        "PointStruck", "omni", "TruthTold",
        ("TruthBlast", "side", "ship", "weapon", "site", "dice", "point"),
        "always", "truth",
    ),
)  # fmt: skip
"""Every permission of capital fire."""
