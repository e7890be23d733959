"""By which rule each kind of notice is told, in a sentence with source and section.

Source: none of its own; each names its rule. Notices with dice or signals have more to say, see
`rolls`; those of the public record have their lines in `record`.
"""

from sunglare_protocol.notices import (
    ContactDestroyed,
    ContactLanded,
    ContactLeft,
    ContactSeen,
    Notice,
    OwnDestroyed,
    OwnDrained,
    OwnEscaped,
    OwnHit,
    OwnInScan,
    OwnLaunched,
    OwnSystemLost,
    OwnTracked,
    OwnTrackLost,
    ScanResult,
    ShooterKnown,
    ShotResult,
    TrackCoasts,
    TrackGained,
    TrackLost,
)
from sunglare_protocol.notices.agents import (
    AlertSeen,
    ItemMoved,
    MissionResult,
    OwnDetected,
    OwnFreed,
    OwnKilled,
    OwnSabotaged,
    OwnSearched,
    OwnShaken,
    OwnStepFailed,
    OwnStranded,
    OwnStruck,
    SearchResult,
    ShipAlertSeen,
    SpyResult,
    StrikeResult,
)
from sunglare_protocol.notices.base import NoticeBase
from sunglare_protocol.notices.blips import (
    ContactIdentified,
    DataScanned,
    OwnProbed,
    ProbeSensed,
)
from sunglare_protocol.notices.capital import (
    BlastSeen,
    BombardResult,
    FighterSeen,
    OwnBlasted,
    OwnDesignated,
    OwnMissileSent,
    OwnNoticed,
    OwnShelled,
)
from sunglare_protocol.notices.cloak import CloakedFound, ContactCloaked, OwnFound, TrailCold
from sunglare_protocol.notices.ground import (
    GroundShotResult,
    ImpactSeen,
    MapLost,
    MapSeen,
    OwnEmerged,
    OwnGroundHit,
    OwnHalted,
    OwnIdentified,
    OwnOverflown,
    OwnUncovered,
    TokenGone,
    TokenIdentified,
    TokenSeen,
)

_SENSORS = "Intercept sensors, scan 1 (sensors §5)."
_TRACKS = "Intercept sensors, tracking (sensors §5)."
_LEARNS = "Intercept sensors, who learns what (sensors §6)."
_SHOT = "Fire, what a shot tells (turn §6)."
_FIRE = "Fire (turn §6)."
_CLOAK = "Cloak detection, fire control solution (cloak §3)."
_BLIPS = "Alpha Strike, blip counters (blips §3)."
_TOKENS = "Alpha Strike, blip counters (blips §1)."
_PROBES = "Alpha Strike, concealing unit data (blips §3 and §4)."
_CAPITAL = "Alpha Strike, capital weapons (capital §2 and §3)."
_GROUND = "Alpha Strike, ground combat (blips §2)."
_AGENTS = "Freedom in the Galaxy 10.1 (search §1)."
_SEARCH = "Freedom in the Galaxy 10.2 (search §2)."
_DEEDS = "Steps, fights and missions (search §2)."

TOLD_BY: dict[type[NoticeBase] | type[Notice], str] = {
    ScanResult: f"A signal of 0 or more is a contact; faint, hidden, empty look alike. {_LEARNS}",
    ContactSeen: f"The strength that was left and a signature came to 0 or more. {_SENSORS}",
    TrackGained: f"Radar, or a Sense roll that sufficed, made the contact a track. {_TRACKS}",
    TrackCoasts: f"No scan of yours made a contact on it in this SCAN. {_TRACKS}",
    TrackLost: f"Two SCAN windows in a row made no contact on it. {_TRACKS}",
    ContactCloaked: "A ship that cloaks is lost by all who hold it. Cloaking field (cloak §1).",
    CloakedFound: f"Heard is detected; swept up, or heard often enough, is a solution. {_CLOAK}",
    TrailCold: "The trackers are empty. Cloak detection, count and turns (cloak §3).",
    ContactLeft: "You tracked it over the edge. Movement (turn §5).",
    ContactLanded: f"You tracked it to the ground; the track is a memory now. {_TRACKS}",
    ContactDestroyed: f"Who held it, or whose shots did it, is told so. {_SHOT}",
    ShooterKnown: f"You were fired at, or had a piece in line of sight of the shooter. {_SHOT}",
    ContactIdentified: f"A piece of yours saw or sensed what it is. {_BLIPS}",
    DataScanned: f"Reach, stealth and jamming decide the answer, never a die. {_PROBES}",
    ProbeSensed: f"A probe is noticed within 26 inches of who uses it: a bearing. {_PROBES}",
    OwnProbed: f"The owner of what is probed learns the bearing. {_PROBES}",
    ShotResult: f"You see your own dice and the damage, nothing else of the target. {_SHOT}",
    OwnInScan: f"It lay in the part of a scan that counts; its owner learns the signal. {_LEARNS}",
    OwnTracked: f"Radar or a Sense roll made it a track; the roll is not told. {_LEARNS}",
    OwnTrackLost: f"Two SCAN windows in a row made no contact on it. {_LEARNS}",
    OwnFound: "The owner is told that it was found, not by whom. Cloak detection (cloak §4).",
    OwnHit: f"The owner learns the kind of weapon and the damage. {_SHOT}",
    OwnLaunched: f"A launch is known to its owner alone. {_FIRE}",
    OwnDrained: f"A leech goes on for two turns with 2 points in each. {_FIRE}",
    OwnSystemLost: (
        "A system is lost on 6, 5 or 4 and more as the end of row 1, 2 or 3 is crossed, or to the "
        f"6 of a needle beam; the dice are not told. {_FIRE}"
    ),
    OwnDestroyed: f"The last box is gone, or its time or its carrier. {_FIRE}",
    OwnEscaped: "It left over an edge, for good. Movement (turn §5).",
    MapSeen: f"A working piece of yours sees this map now. {_BLIPS}",
    MapLost: f"No working piece of yours sees this map any more. {_BLIPS}",
    TokenSeen: f"Who sees a map sees every piece on it that is not hidden. {_TOKENS}",
    TokenIdentified: f"A piece of yours saw or sensed it, or it gave itself away. {_TOKENS}",
    TokenGone: f"It left, was destroyed, or nobody of yours sees its map. {_TOKENS}",
    GroundShotResult: f"Two dice against gunnery, bracket and cover; 2 always misses. {_GROUND}",
    ImpactSeen: f"Indirect fire shows where it comes down, and nobody who fired. {_TOKENS}",
    OwnHalted: f"A unit stops before what it can't enter or pay. {_GROUND}",
    OwnEmerged: f"A token if you say so and no enemy sees where it was or is. {_TOKENS}",
    OwnIdentified: f"An enemy who is not hidden identified it; never by whom. {_BLIPS}",
    OwnOverflown: f"A fighter right above by day identifies all that is not hidden. {_TOKENS}",
    OwnUncovered: f"An enemy within 2 inches in sight, a probe, own attacks, damage. {_GROUND}",
    OwnGroundHit: f"The owner learns kind of weapon, damage and place. {_TOKENS}",
    FighterSeen: f"A fighter in the Central Zone is a contact for all who see the map. {_CAPITAL}",
    BombardResult: f"Own dice, the point of impact, and damage to tokens you hold. {_CAPITAL}",
    BlastSeen: f"All who see the map learn the point of impact; nobody who fired. {_CAPITAL}",
    OwnShelled: f"The owner learns kind of weapon, damage and points spent. {_CAPITAL}",
    OwnBlasted: f"Whatever stands near the impact takes damage, friend and foe. {_CAPITAL}",
    OwnDesignated: f"A beam on a point in sight always succeeds. {_CAPITAL}",
    OwnMissileSent: f"A turn to fly, and one more for each 170 inches to another map. {_CAPITAL}",
    OwnNoticed: f"A beam or a launch near by gives a bearing, no more. {_CAPITAL}",
    AlertSeen: f"Somebody of that side there is detected, or no longer; nothing more. {_AGENTS}",
    ShipAlertSeen: f"Whoever has a live track of the ship is told of agents near it. {_AGENTS}",
    SearchResult: f"A ten-sided die against the table, which is not told. {_SEARCH}",
    StrikeResult: f"Up to ten rounds, both sides a ten-sided die in each. {_DEEDS}",
    SpyResult: f"Spies learn all foreign troops of the environs. {_DEEDS}",
    OwnDetected: f"One of the causes of detection, or company. {_AGENTS}",
    OwnShaken: f"Leaving for another planet clears it, and nothing else. {_AGENTS}",
    OwnStepFailed: f"A step that can't be made is left out. {_DEEDS}",
    OwnStranded: f"His troops are gone or loaded; he stays and stands alone. {_DEEDS}",
    OwnSearched: f"The owner is told of a search, and whom it found. {_SEARCH}",
    OwnStruck: f"Up to ten rounds, both sides a ten-sided die in each. {_DEEDS}",
    OwnKilled: f"As many wounds as his endurance, or a ship lost with him. {_DEEDS}",
    MissionResult: f"A ten-sided die and the best rating of the group. {_DEEDS}",
    OwnSabotaged: f"2 damage, or weapons silenced for the next turn. {_DEEDS}",
    OwnFreed: f"Who is freed by a mission joins the side that freed him. {_DEEDS}",
    ItemMoved: f"An item goes with its carrier and lies where he falls. {_DEEDS}",
}
"""Every notice that a side may be told for itself, with its rule."""
