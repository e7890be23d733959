"""The order of cause among notices that one run of events brings an audience.

Causes stand before effects: a scan before the give-away of the radar that made it, that a ship was
examined before that it is tracked, a hit before the system it cost and the ship. The order is that
of kinds, the same for every audience and match, so it reveals nothing; the order of events behind
the curtain has no part in it.
"""

from typing import Final

from sunglare_protocol import notices

NOTICE_ORDER: Final[tuple[type[notices.Notice], ...]] = (
    # For all.
    notices.InitiativeDrawn, notices.ScanAnswered, notices.RadarSeen, notices.SweepSeen,
    notices.JamSet, notices.NovaSeen, notices.ShotSeen, notices.JamOver, notices.SideOut,
    notices.PieceLost, notices.Occupation,
    # Movement.
    notices.TruthCloak, notices.OwnLaunched, notices.OwnMissileSent, notices.TruthMissile,
    notices.OwnHalted, notices.OwnEmerged, notices.OwnStepFailed, notices.OwnEscaped,
    notices.OwnCollected, notices.TruthCollected,
    # Looking and being seen.
    notices.MapSeen, notices.TokenSeen, notices.FighterSeen, notices.TokenIdentified,
    notices.ContactSeen, notices.TrackGained, notices.ContactIdentified, notices.ScanResult,
    notices.TrackCoasts, notices.TrackLost, notices.ContactCloaked, notices.ContactLeft,
    notices.ContactLanded, notices.TruthHunt, notices.CloakedFound, notices.TrailCold,
    notices.TruthHeld, notices.TruthToken, notices.TruthIdentified, notices.OwnInScan,
    notices.OwnTracked, notices.OwnTrackLost, notices.OwnFound, notices.OwnOverflown,
    notices.OwnIdentified, notices.DataScanned, notices.OwnProbed, notices.ProbeSensed,
    notices.TruthProbed,
    # Fire.
    notices.ShooterKnown, notices.ShotResult, notices.GroundShotResult, notices.BombardResult,
    notices.OwnDesignated, notices.OwnNoticed, notices.TruthDesignated, notices.TruthShot,
    notices.TruthBlast, notices.ImpactSeen, notices.BlastSeen, notices.OwnDrained, notices.OwnHit,
    notices.OwnShelled, notices.OwnGroundHit, notices.OwnBlasted,
    # Searches and missions.
    notices.SearchResult, notices.OwnSearched, notices.StrikeResult, notices.OwnStruck,
    notices.MissionResult, notices.SpyResult, notices.OwnSabotaged, notices.OwnFreed,
    notices.ItemMoved, notices.TruthAgents, notices.OwnDetected, notices.OwnShaken,
    notices.AlertSeen, notices.ShipAlertSeen,
    # What comes of it all.
    notices.OwnUncovered, notices.OwnSystemLost, notices.OwnDestroyed, notices.OwnKilled,
    notices.OwnStranded, notices.ContactDestroyed, notices.TokenGone, notices.MapLost,
    notices.TruthGone,
)  # fmt: skip
"""Every kind of notice, what brings about before what is brought about."""

NOTICE_RANK: Final = {kind: rank for rank, kind in enumerate(NOTICE_ORDER)}
"""The place of each kind of notice in the order of cause."""
