"""Every notice of agents and searches, each with words that its sentence must hold."""

from sunglare_protocol.ids import OwnId, Side
from sunglare_protocol.notices.agents import (
    AgentNotice,
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
from sunglare_protocol.surface import Site
from sunglare_protocol.words.search import Cause, FightOutcome, MissionKind, Soldier, StepFault

SITE = Site("Orlog", 2)
B = Side("B")
P1, P2, G1 = OwnId("P1"), OwnId("P2"), OwnId("G1")

AGENTS_CASES: tuple[tuple[AgentNotice, tuple[str, ...]], ...] = (
    (AlertSeen(side=B, planet="Orlog", environs=2), ("ALERT", "B", "Orlog 2")),
    (AlertSeen(side=B, planet="Orlog", over=True), ("no more", "the orbit of Orlog")),
    (ShipAlertSeen(label="C3"), ("ALERT", "near C3")),
    (ShipAlertSeen(label="C3", over=True), ("no more", "near C3")),
    (SearchResult(site=SITE, side=B, value=6), ("Orlog 2", "value 6", "not found")),
    (
        SearchResult(site=SITE, side=B, value=6, found=True, event=True),
        ("value 6", "an event", "FOUND"),
    ),
    (
        StrikeResult(
            site=SITE,
            side=B,
            outcome=FightOutcome.BROKEN_OFF,
            soldier=Soldier.LINE,
            soldiers=5,
            lost=2,
            fallen=("Fox",),
            escaped=("Owl",),
        ),
        ("a patrol of 5 soldiers (line)", "2 lost", "killed: Fox", "escaped: Owl", "broke off"),
    ),
    (
        StrikeResult(
            site=SITE, side=B, outcome=FightOutcome.TIME, sent=(P1, P2), own_fallen=(P2,)
        ),
        ("your P1, P2", "P2 fell", "neither"),
    ),
    (SpyResult(site=SITE, units=3), ("3 units", "Orlog 2")),
    (OwnDetected(ship=P1, cause=Cause.SHUTTLE), ("P1", "DETECTED", "shuttle")),
    (OwnShaken(ship=P1, planet="Orlog"), ("P1", "shaken", "Orlog")),
    (OwnStepFailed(ship=P1, why=StepFault.NO_TROOPS), ("P1", "no troops")),
    (OwnStranded(ship=P1), ("P1", "alone")),
    (OwnSearched(site=SITE, side=B), ("B searched Orlog 2", "nobody")),
    (OwnSearched(site=SITE, side=B, found=(P1,), event=True), ("mission", "FOUND P1")),
    (
        OwnStruck(
            site=SITE,
            side=B,
            outcome=FightOutcome.DEFENDERS_GONE,
            soldier=Soldier.ELITE,
            soldiers=1,
            fallen=(P1,),
            escaped=(P2,),
        ),
        ("a patrol of 1 soldier (elite)", "lost P1", "away: P2"),
    ),
    (
        OwnStruck(
            site=SITE, side=B, outcome=FightOutcome.BOTH_GONE, by=("Rook",), beaten=("Rook",)
        ),
        ("Rook of B", "Rook fell", "nobody is left"),
    ),
    (OwnKilled(ship=P1), ("P1", "DEAD")),
    (MissionResult(ship=P1, kind=MissionKind.STEAL, success=True), ("steal", "SUCCEEDED")),
    (MissionResult(ship=P1, kind=MissionKind.SPY), ("spy", "failed")),
    (OwnSabotaged(ship=G1, damage=2), ("G1", "sabotaged", "2 damage")),
    (OwnSabotaged(ship=G1, silent=True), ("G1", "silent")),
    (OwnFreed(ship=P1), ("P1", "free")),
    (ItemMoved(name="book", carrier=P1), ("P1", "book")),
    (ItemMoved(name="book", site=SITE), ("book lies", "Orlog 2")),
    (ItemMoved(name="book", site=SITE, delivered=True), ("book", "DELIVERED")),
    (TruthAgents(side=B, piece=P1, what="killed"), ("B.P1", "killed")),
    (TruthAgents(side=B, what="search: die 3"), ("B: search", "die 3")),
)
"""Every kind of notice, some of them twice."""
