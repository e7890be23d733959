"""The order of cause among notices that one run of events brings an audience.

What brings something about is told before what it brings about: a scan before the give-away of
the radar that made it, that a ship was examined before that it is tracked, a hit before the
system it cost and the ship. The order is that of kinds, the same for every audience and match, so
it tells nothing; what happened first behind the curtain has no part in it.
"""

from typing import Final

from sunglare_protocol.notices import (
    ContactDestroyed,
    ContactLanded,
    ContactLeft,
    ContactSeen,
    InitiativeDrawn,
    Notice,
    NovaSeen,
    OwnDestroyed,
    OwnDrained,
    OwnEscaped,
    OwnHit,
    OwnInScan,
    OwnLaunched,
    OwnSystemLost,
    OwnTracked,
    OwnTrackLost,
    RadarSeen,
    ScanAnswered,
    ScanResult,
    ShooterKnown,
    ShotResult,
    ShotSeen,
    SideOut,
    TrackCoasts,
    TrackGained,
    TrackLost,
    TruthGone,
    TruthHeld,
    TruthShot,
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
    TruthAgents,
)
from sunglare_protocol.notices.blips import (
    ContactIdentified,
    DataScanned,
    OwnProbed,
    ProbeSensed,
    TruthIdentified,
    TruthProbed,
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
    TruthBlast,
    TruthDesignated,
    TruthMissile,
)
from sunglare_protocol.notices.cloak import (
    CloakedFound,
    ContactCloaked,
    JamOver,
    JamSet,
    OwnFound,
    SweepSeen,
    TrailCold,
    TruthCloak,
    TruthHunt,
)
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
    TruthToken,
)

NOTICE_ORDER: Final[tuple[type[Notice], ...]] = (
    # Told to all.
    InitiativeDrawn, ScanAnswered, RadarSeen, SweepSeen, JamSet, NovaSeen, ShotSeen, JamOver,
    SideOut,
    # Movement.
    TruthCloak, OwnLaunched, OwnMissileSent, TruthMissile, OwnHalted, OwnEmerged,
    OwnStepFailed, OwnEscaped,
    # Looking and being seen.
    MapSeen, TokenSeen, FighterSeen, TokenIdentified, ContactSeen, TrackGained, ContactIdentified,
    ScanResult, TrackCoasts, TrackLost, ContactCloaked, ContactLeft, ContactLanded, TruthHunt,
    CloakedFound, TrailCold, TruthHeld, TruthToken, TruthIdentified, OwnInScan, OwnTracked,
    OwnTrackLost, OwnFound, OwnOverflown, OwnIdentified, DataScanned, OwnProbed, ProbeSensed,
    TruthProbed,
    # Fire.
    ShooterKnown, ShotResult, GroundShotResult, BombardResult, OwnDesignated, OwnNoticed,
    TruthDesignated, TruthShot, TruthBlast, ImpactSeen, BlastSeen, OwnDrained, OwnHit, OwnShelled,
    OwnGroundHit, OwnBlasted,
    # Searches and missions.
    SearchResult, OwnSearched, StrikeResult, OwnStruck, MissionResult, SpyResult, OwnSabotaged,
    OwnFreed, ItemMoved, TruthAgents, OwnDetected, OwnShaken, AlertSeen, ShipAlertSeen,
    # What comes of it all.
    OwnUncovered, OwnSystemLost, OwnDestroyed, OwnKilled, OwnStranded, ContactDestroyed,
    TokenGone, MapLost, TruthGone,
)  # fmt: skip
"""Every kind of notice, what brings about before what is brought about."""

NOTICE_RANK: Final = {kind: rank for rank, kind in enumerate(NOTICE_ORDER)}
"""The place of each kind of notice in the order of cause."""
