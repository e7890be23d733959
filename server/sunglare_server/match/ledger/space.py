"""The rows of the disclosure ledger for ships in space: moves, scans, hunts, fire and the turn."""

from typing import Final

from sunglare_server.match.ledger.row import DESTROYED_TOLD, GONE_TOLD, PROBED_TOLD, SHOT_TOLD, Row

_SEEN = ("square", "signatures")
_TRACK = ("square", "vector", "facing", "size")
_MOVE = ("square", "vector", "facing")
_SPOT = ("fix", "square", "vector")
_COUNTS = ("trackers", "solution_window", "solution_dice", "mode")
_HELD = ("TruthHeld", "side", "owner", "piece", "fix", "square", "signatures")
_HUNT = ("TruthHunt", "side", "ship", "sweep", "dice", "found")


SPACE_ROWS: Final[tuple[Row, ...]] = (
    Row(
        "InitiativeRolled", "all", "Announced", ("InitiativeDrawn", "order"),
        "always; the order, no dice", "turn §4",
    ),
    Row("ShipMoved", "holder", "Followed", _MOVE, "holds it as a live track", "sensors §6 row 9"),
    Row("ShipMoved", "public", "Followed", _MOVE, "two sides, a live track", "turn §9"),
    Row("ShipLifted", "holder", "Followed", _MOVE, "holds it as a live track", "sensors §6 row 9"),
    Row("ShipLifted", "public", "Followed", _MOVE, "two sides, a live track", "turn §9"),
    Row("ShipLanded", "holder", "SeenLanding", ("body", "sector"), "a live track", "turn §5"),
    Row("ShipLanded", "public", "SeenLanding", ("body", "sector"), "two sides, live", "turn §9"),
    Row(
        "ShipLanded", "owner", "Exposed", ("ship", "side", "fix"),
        "a track ended", "sensors §6 row 10",
    ),
    Row(
        "ShipLanded", "owner", "OwnTold", ("OwnTrackLost", "ship", "side"),
        "a track ended", "sensors §6 row 10",
    ),
    Row("ShipLanded", "omni", "TruthTold", GONE_TOLD, "always", "truth"),
    Row("ShipEscaped", "owner", "OwnTold", ("OwnEscaped", "ship", "edge"), "always", "turn §5"),
    Row("ShipEscaped", "holder", "Left", (), "holds it as a live track", "turn §5"),
    Row("ShipEscaped", "public", "Left", (), "two sides, a live track", "turn §9"),
    Row("ShipEscaped", "omni", "TruthTold", GONE_TOLD, "always", "truth"),
    Row(
        "CargoCollected", "owner", "OwnTold", ("OwnCollected", "ship", "body"),
        "always", "turn §8",
    ),
    Row(
        "CargoCollected", "omni", "TruthTold", ("TruthCollected", "side", "piece", "body"),
        "always", "truth",
    ),
    Row(
        "VolleyLaunched", "owner", "OwnTold", ("OwnLaunched", "ship", "piece", "missiles"),
        "always; the missiles rolled", "sensors §6 row 12",
    ),
    Row(
        "FighterLaunched", "owner", "OwnTold", ("OwnLaunched", "ship", "piece", "missiles"),
        "always", "turn §6",
    ),
    Row("VolleyMoved", "holder", "Followed", _MOVE, "a live track", "sensors §6 row 9"),
    Row("VolleyMoved", "public", "Followed", _MOVE, "two sides, a live track", "turn §9"),
    Row(
        "ShipDestroyed", "owner", "OwnTold", DESTROYED_TOLD,
        "always", "turn §6",
    ),
    Row("ShipDestroyed", "holder", "SeenDestroyed", (), "contact or live track", "turn §6"),
    Row("ShipDestroyed", "killer", "SeenDestroyed", (), "its aimed attack did it", "turn §6"),
    Row("ShipDestroyed", "public", "SeenDestroyed", (), "two sides, held", "turn §9"),
    Row("ShipDestroyed", "omni", "TruthTold", GONE_TOLD, "always", "truth"),
    Row(
        "ScanDeclared", "all", "Announced",
        ("ScanAnswered", "side", "type", "size", "at", "strength", "answers", "effective"),
        "always", "sensors §6 rows 1-4",
    ),
    Row(
        "ShipExamined", "owner", "OwnTold", ("OwnInScan", "ship", "side", "signal", "signatures"),
        "in the valid part of the scan", "sensors §6 row 5",
    ),
    Row(
        "ContactMade", "scanner", "Sighted", _SEEN,
        "its signal is 0 or more", "sensors §6 row 6a",
    ),
    Row(
        "ContactMade", "scanner", "Sighted", (*_SEEN, "signal"),
        "option contact_values", "sensors §6 row 6a",
    ),
    Row("ContactMade", "scanner", "Followed", _MOVE, "it had coasted", "sensors §5 Tracked"),
    Row("ContactMade", "public", "Sighted", _SEEN, "two sides", "turn §9"),
    Row("ContactMade", "public", "Followed", _MOVE, "two sides, it had coasted", "turn §9"),
    Row("ContactMade", "owner", "Exposed", ("ship", "side", "fix"), "always", "sensors §6 row 6a"),
    Row("ContactMade", "omni", "TruthTold", _HELD, "always", "truth"),
    Row("ShipTracked", "scanner", "Tracked", _TRACK, "Sense succeeded, or radar", "sensors §5"),
    Row("ShipTracked", "public", "Tracked", _TRACK, "two sides", "turn §9"),
    Row("ShipTracked", "owner", "Exposed", ("ship", "side", "fix"), "always", "sensors §6 row 7"),
    Row(
        "ShipTracked", "owner", "OwnTold", ("OwnTracked", "ship", "side"),
        "always", "sensors §6 row 7",
    ),
    Row(
        "ShipTracked", "omni", "TruthTold",
        ("TruthHeld", "side", "owner", "piece", "fix", "square", "signatures", "roll"),
        "always", "truth",
    ),
    Row(
        "RadarGaveAway", "all", "Announced", ("RadarSeen", "square"),
        "always", "sensors §6 row 8",
    ),
    Row("RadarGaveAway", "others", "Sighted", _SEEN, "always", "sensors §6 row 8"),
    Row("RadarGaveAway", "public", "Sighted", _SEEN, "two sides", "turn §9"),
    Row("RadarGaveAway", "public", "Followed", _MOVE, "two sides, it had coasted", "turn §9"),
    Row("RadarGaveAway", "others", "Followed", _MOVE, "it had coasted", "sensors §5 Tracked"),
    Row(
        "RadarGaveAway", "owner", "Exposed", ("ship", "side", "fix"),
        "always", "sensors §6 row 8",
    ),
    Row(
        "ScanFinished", "scanner", "ScanReported", ("ship", "found", "tracked"),
        "always", "sensors §6",
    ),
    Row(
        "ScanFinished", "scanner", "ScanReported", ("ship", "found", "tracked", "roll"),
        "a Sense roll was made", "sensors §6 row 7",
    ),
    Row("TrackMissed", "holder", "Coasted", (), "no contact in this SCAN", "sensors §5 Tracked"),
    Row("TrackMissed", "omni", "TruthTold", _HELD, "always", "truth"),
    Row("TrackEnded", "holder", "Lost", (), "missed twice in a row", "sensors §6 row 10"),
    Row("TrackEnded", "public", "Lost", (), "two sides", "turn §9"),
    Row("TrackEnded", "owner", "Exposed", ("ship", "side", "fix"), "always", "sensors §6 row 10"),
    Row(
        "TrackEnded", "owner", "OwnTold", ("OwnTrackLost", "ship", "side"),
        "always", "sensors §6 row 10",
    ),
    Row("TrackEnded", "omni", "TruthTold", _HELD, "always", "truth"),
    Row(
        "CloakSwitched", "holder", "Vanished", (),
        "it cloaked while held, live or coasting", "cloak §4 ship cloaks",
    ),
    Row(
        "CloakSwitched", "owner", "Exposed", ("ship", "side", "fix"),
        "it was held", "cloak §4 ship cloaks",
    ),
    Row("CloakSwitched", "public", "Lost", (), "two sides, it was held", "turn §9"),
    Row(
        "CloakSwitched", "omni", "TruthTold", ("TruthCloak", "side", "ship", "on"),
        "always", "truth",
    ),
    Row(
        "UncloakingSeen", "watcher", "Sighted", _SEEN,
        "an uncloaked powered ship in sight within 36 mu", "cloak §4 uncloak",
    ),
    Row("UncloakingSeen", "omni", "TruthTold", _HELD, "always", "truth"),
    Row(
        "SweepDeclared", "all", "Announced", ("SweepSeen", "square"),
        "always; the square", "cloak §4 sweep",
    ),
    Row("SweepDeclared", "others", "Sighted", _SEEN, "always", "cloak §4 sweep declared"),
    Row("SweepDeclared", "others", "Followed", _MOVE, "it had coasted", "sensors §5 Tracked"),
    Row("SweepDeclared", "public", "Sighted", _SEEN, "two sides", "turn §9"),
    Row("SweepDeclared", "public", "Followed", _MOVE, "two sides, it had coasted", "turn §9"),
    Row(
        "SweepDeclared", "owner", "Exposed", ("ship", "side", "fix"),
        "always", "cloak §4 sweep declared",
    ),
    Row("SweepRolled", "omni", "TruthTold", _HUNT, "always; no side sees dice", "truth"),
    Row("PassiveRolled", "omni", "TruthTold", _HUNT, "always; no side sees dice", "truth"),
    Row(
        "HuntStepped", "hunter", "Found", _SPOT,
        "its side found it this turn", "cloak §4 passive success",
    ),
    Row(
        "HuntStepped", "hunter", "Found", (*_SPOT, "facing", "size", "side", "type"),
        "a fire control solution this turn", "cloak §4 solution",
    ),
    Row("HuntStepped", "hunter", "Counted", _COUNTS, "it hunts it", "cloak §4 tracker step"),
    Row("HuntStepped", "public", "Found", _SPOT, "two sides, DETECTED", "turn §9"),
    Row(
        "HuntStepped", "public", "Found", (*_SPOT, "facing", "size"),
        "two sides, SOLUTION; never identity", "turn §9",
    ),
    Row(
        "HuntStepped", "owner", "OwnTold", ("OwnFound", "ship", "fix"),
        "found this turn; not by whom", "cloak §4 passive success",
    ),
    Row(
        "HuntStepped", "owner", "OwnCounted", ("ship", "fix", *_COUNTS),
        "it is hunted; not by whom", "cloak §4 tracker step",
    ),
    Row("HuntStepped", "omni", "TruthTold", _HELD, "found this turn", "truth"),
    Row("HuntEnded", "hunter", "TrailLost", (), "its trackers are empty", "cloak §3 lives"),
    Row("HuntEnded", "owner", "OwnTrailLost", ("ship",), "its trackers are empty", "cloak §4"),
    Row(
        "SpaceJammed", "all", "Announced", ("JamSet", "until"),
        "always; the last turn", "cloak §4 jam",
    ),
    Row("JamEnded", "all", "Announced", ("JamOver",), "always", "cloak §4 jam"),
    Row(
        "CloakedFired", "hunter", "Found", _SPOT,
        "it was fired at, and had not found it", "cloak §4 cloaked ship fires",
    ),
    Row("CloakedFired", "public", "Found", _SPOT, "two sides, DETECTED", "turn §9"),
    Row("CloakedFired", "owner", "OwnTold", ("OwnFound", "ship", "fix"), "always", "cloak §4"),
    Row("CloakedFired", "owner", "OwnCounted", ("ship", "fix", *_COUNTS), "always", "cloak §4"),
    Row("CloakedFired", "omni", "TruthTold", _HELD, "always", "truth"),
    Row(
        "ShotFired", "shooter", "ShotReported", ("ship", "weapon", "damage", "dice"),
        "always, of a nova what it holds; a shot that could not work reads like a miss",
        "turn §6",
    ),
    Row(
        "ShotFired", "shooter", "ShotReported", ("ship", "weapon", "damage", "dice", "stopped"),
        "point defence took missiles", "turn §6",
    ),
    Row(
        "ShotFired", "shooter", "ShotReported", ("ship", "weapon", "damage", "dice", "arc"),
        "it was made through an arc; the one that its own view gave", "turn §6",
    ),
    Row(
        "ShotFired", "target", "OwnTold",
        ("OwnHit", "ship", "weapon", "damage", "stopped", "spent"),
        "always; weapon kind, damage, missiles stopped", "turn §6",
    ),
    Row("ShotFired", "omni", "TruthTold", (*SHOT_TOLD, "arc"), "always", "truth"),
    Row(
        "NovaFired", "all", "Announced", ("NovaSeen", "until"),
        "always; how long it blinds, not where", "turn §6",
    ),
    Row(
        "ShooterExposed", "all", "Announced", ("ShotSeen", "square"),
        "always; the square", "turn §6",
    ),
    Row("ShooterExposed", "others", "Located", ("square",), "no witness", "turn §6"),
    Row(
        "ShooterExposed", "witness", "Recognised", ("square", "side", "type"),
        "shot at, or a piece in sight of the shooter", "turn §6",
    ),
    Row(
        "LeechDrained", "owner", "OwnTold", ("OwnDrained", "ship", "damage"),
        "always; the damage", "turn §6",
    ),
    Row(
        "PieceSpotted", "holder", "Identified", ("side", "type"),
        "held as contact or live track; eyes, sensors or a remote sensor reach it", "blips §3, §5",
    ),
    Row(
        "PieceSpotted", "omni", "TruthTold",
        ("TruthIdentified", "side", "owner", "piece", "methods"),
        "always", "truth",
    ),
    Row(
        "PieceProbed", "asker", "Answered", ("ship", "outcome"),
        "always; jammed and stealthy read alike", "blips §3",
    ),
    Row(
        "PieceProbed", "asker", "Answered", ("ship", "outcome", "dossier"),
        "the answer is full", "blips §3",
    ),
    Row(
        "PieceProbed", "owner", "OwnTold", ("OwnProbed", "ship", "bearing"),
        "a probe was at work; bearing by 30 degrees", "blips §4",
    ),
    Row(
        "PieceProbed", "bystander", "OwnTold", ("ProbeSensed", "ship", "bearing"),
        "a probe was at work, an own piece within 26 inches; bearing by 30 degrees", "blips §4",
    ),
    Row("PieceProbed", "omni", "TruthTold", PROBED_TOLD, "always", "truth"),
    Row(
        "SystemLost", "owner", "OwnTold", ("OwnSystemLost", "ship", "system"),
        "always", "turn §6",
    ),
    Row("PointsScored", "scorer", "Scored", ("points",), "follows from what it knows", "turn §8"),
    Row(
        "PointsScored", "scorer", "Scored", ("at_most",),
        "for what it has destroyed and others may have damaged too", "turn §8",
    ),
    Row(
        "SideWentOut", "all", "Announced", ("SideOut", "side"),
        "at the end of the turn", "turn §8",
    ),
    Row(
        "LossCounted", "all", "Announced", ("PieceLost", "side", "piece", "turns", "ends_after"),
        "a piece whose loss ends the match; at the end of the turn", "turn §8",
    ),
    Row("TurnEnded", "all", "ContactsFaded", ("turn",), "always", "sensors §5 Contact"),
)  # fmt: skip
"""Every permission of what happens in space between ships."""
