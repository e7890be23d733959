"""The rule behind each kind of notice, in a sentence with source and section.

Source: none of its own; each names its rule. Notices with dice or signals have more to say, see
`rolls`; those of the public record have their lines in `record`.
"""

from sunglare_protocol import notices

_BY_SOURCE: dict[str, dict[type[notices.NoticeBase] | type[notices.Notice], str]] = {
    "Intercept sensors, who learns what (sensors §6).": {
        notices.ScanResult: "A signal of 0 or more is a contact; faint, hidden, empty look alike.",
        notices.OwnInScan: (
            "It lay in the part of a scan that counts; its owner learns the signal."
        ),
        notices.OwnTracked: "Radar or a Sense roll made it a track; the roll is not told.",
        notices.OwnTrackLost: "Two SCAN windows in a row made no contact on it.",
    },
    "Intercept sensors, scan 1 (sensors §5).": {
        notices.ContactSeen: "The strength that was left and a signature came to 0 or more.",
    },
    "Intercept sensors, tracking (sensors §5).": {
        notices.TrackGained: "Radar, or a Sense roll that sufficed, made the contact a track.",
        notices.TrackCoasts: "No scan of yours made a contact on it in this SCAN.",
        notices.TrackLost: "Two SCAN windows in a row made no contact on it.",
        notices.ContactLanded: "You tracked it to the ground; the track is a memory now.",
    },
    "Cloaking field (cloak §1).": {
        notices.ContactCloaked: "A ship that cloaks is lost by all who hold it.",
    },
    "Cloak detection, fire control solution (cloak §3).": {
        notices.CloakedFound: "Heard is detected; swept up, or heard often enough, is a solution.",
    },
    "Cloak detection, count and turns (cloak §3).": {
        notices.TrailCold: "The trackers are empty.",
    },
    "Movement (turn §5).": {
        notices.ContactLeft: "You tracked it over the edge.",
        notices.OwnEscaped: "It left over an edge, for good.",
    },
    "Fire, what a shot tells (turn §6).": {
        notices.ContactDestroyed: "Who held it, or whose shots did it, is told so.",
        notices.ShooterKnown: "You were fired at, or had a piece in line of sight of the shooter.",
        notices.ShotResult: "You see your own dice and the damage, nothing else of the target.",
        notices.OwnHit: "The owner learns the kind of weapon and the damage.",
    },
    "Alpha Strike, blip counters (blips §3).": {
        notices.ContactIdentified: "A piece of yours saw or sensed what it is.",
        notices.MapSeen: "A working piece of yours sees this map now.",
        notices.MapLost: "No working piece of yours sees this map any more.",
        notices.OwnIdentified: "An enemy who is not hidden identified it; never by whom.",
    },
    "Alpha Strike, concealing unit data (blips §3 and §4).": {
        notices.DataScanned: "Reach, stealth and jamming decide the answer, never a die.",
        notices.ProbeSensed: "A probe is noticed within 26 inches of who uses it: a bearing.",
        notices.OwnProbed: "The owner of what is probed learns the bearing.",
    },
    "Cloak detection (cloak §4).": {
        notices.OwnFound: "The owner is told that it was found, not by whom.",
    },
    "Fire (turn §6).": {
        notices.OwnLaunched: "A launch is known to its owner alone.",
        notices.OwnDrained: "A leech goes on for two turns with 2 points in each.",
        notices.OwnSystemLost: (
            "A system is lost on 6, 5 or 4 and more as the end of row 1, 2 or 3 is crossed, "
            "or to the 6 of a needle beam; the dice are not told."
        ),
        notices.OwnDestroyed: "The last box is gone, or its time or its carrier.",
    },
    "Alpha Strike, blip counters (blips §1).": {
        notices.TokenSeen: "Who sees a map sees every piece on it that is not hidden.",
        notices.TokenIdentified: "A piece of yours saw or sensed it, or it gave itself away.",
        notices.TokenGone: "It left, was destroyed, or nobody of yours sees its map.",
        notices.ImpactSeen: "Indirect fire shows where it comes down, and nobody who fired.",
        notices.OwnEmerged: "A token if you say so and no enemy sees where it was or is.",
        notices.OwnOverflown: "A fighter right above by day identifies all that is not hidden.",
        notices.OwnGroundHit: "The owner learns kind of weapon, damage and place.",
    },
    "Alpha Strike, ground combat (blips §2).": {
        notices.GroundShotResult: "Two dice against gunnery, bracket and cover; 2 always misses.",
        notices.OwnHalted: "A unit stops before what it can't enter or pay.",
        notices.OwnUncovered: "An enemy within 2 inches in sight, a probe, own attacks, damage.",
    },
    "Alpha Strike, capital weapons (capital §2 and §3).": {
        notices.FighterSeen: "A fighter in the Central Zone is a contact for all who see the map.",
        notices.BombardResult: "Own dice, the point of impact, and damage to tokens you hold.",
        notices.BlastSeen: "All who see the map learn the point of impact; nobody who fired.",
        notices.OwnShelled: "The owner learns kind of weapon, damage and points spent.",
        notices.OwnBlasted: "Whatever stands near the impact takes damage, friend and foe.",
        notices.OwnDesignated: "A beam on a point in sight always succeeds.",
        notices.OwnMissileSent: "A turn to fly, and one more for each 170 inches to another map.",
        notices.OwnNoticed: "A beam or a launch near by gives a bearing, no more.",
    },
    "Victory (turn §8).": {
        notices.OwnCollected: "At rest in the square of an asteroid that an objective names.",
    },
    "Freedom in the Galaxy 10.1 (search §1).": {
        notices.AlertSeen: "Somebody of that side there is detected, or no longer; nothing more.",
        notices.ShipAlertSeen: "Whoever has a live track of the ship is told of agents near it.",
        notices.OwnDetected: "One of the causes of detection, or company.",
        notices.OwnShaken: "Leaving for another planet clears it, and nothing else.",
    },
    "Freedom in the Galaxy 10.2 (search §2).": {
        notices.SearchResult: "A ten-sided die against the table, which is not told.",
        notices.OwnSearched: "The owner is told of a search, and whom it found.",
    },
    "Steps, fights and missions (search §2).": {
        notices.StrikeResult: "Up to ten rounds, both sides a ten-sided die in each.",
        notices.SpyResult: "Spies learn all foreign troops of the environs.",
        notices.OwnStepFailed: "A step that can't be made is left out.",
        notices.OwnStranded: "The agent's troops are gone or loaded; the agent stays, alone.",
        notices.OwnStruck: "Up to ten rounds, both sides a ten-sided die in each.",
        notices.OwnKilled: "As many wounds as the agent's endurance, or their ship lost.",
        notices.MissionResult: "A ten-sided die and the best rating of the group.",
        notices.OwnSabotaged: "2 damage, or weapons silenced for the next turn.",
        notices.OwnFreed: "An agent freed by a mission joins the side that freed them.",
        notices.ItemMoved: "An item goes with its carrier, and lies where its carrier dies.",
    },
}

TOLD_BY = {
    kind: f"{words} {source}"
    for source, rules in _BY_SOURCE.items()
    for kind, words in rules.items()
}
"""Every notice that a side may receive for itself, with its rule."""
