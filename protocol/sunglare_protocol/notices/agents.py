"""Notices about agents and searches for them, as one audience may see them.

No die, threshold, hiding value or number of hidden agents is ever in one.
"""

from typing import final

from sunglare_protocol.ids import OwnId, Side
from sunglare_protocol.notices.base import NoticeBase
from sunglare_protocol.surface import Site
from sunglare_protocol.words.search import (
    Cause,
    FightOutcome,
    MissionKind,
    Soldier,
    StepFault,
)

__all__ = [
    "AgentNotice",
    "AgentsDeed",
    "AgentsHunted",
    "AgentsSought",
    "AlertSeen",
    "ItemMoved",
    "MissionResult",
    "OwnDetected",
    "OwnFreed",
    "OwnKilled",
    "OwnSabotaged",
    "OwnSearched",
    "OwnShaken",
    "OwnStepFailed",
    "OwnStranded",
    "OwnStruck",
    "SearchResult",
    "ShipAlertSeen",
    "SpyResult",
    "StrikeResult",
    "TruthAgents",
]


# For the sides that may look for agents, and in a match of two sides for `public`.


@final
class AlertSeen(NoticeBase, frozen=True, tag="alert"):
    """Agents of a side are near an environs or, without one, in the orbit of a planet.

    `over`: they are so no longer.
    """

    side: Side
    planet: str
    environs: int | None = None
    over: bool = False


@final
class ShipAlertSeen(NoticeBase, frozen=True, tag="ship_alert"):
    """Agents are near a tracked ship; `over`: no longer."""

    label: str
    over: bool = False


# For the side that searches.


@final
class SearchResult(NoticeBase, frozen=True, tag="search_result"):
    """What an own search found; `event`: an event of a mission called for it."""

    site: Site
    side: Side
    value: int
    found: bool = False
    event: bool = False


@final
class StrikeResult(NoticeBase, frozen=True, tag="strike_result"):
    """How a fight against agents that were found ended, for those who found them.

    A patrol is `soldiers` of which `lost` fell; agents are named. The others by name.
    """

    site: Site
    side: Side
    outcome: FightOutcome
    soldier: Soldier | None = None
    soldiers: int = 0
    lost: int = 0
    sent: tuple[OwnId, ...] = ()
    own_fallen: tuple[OwnId, ...] = ()
    fallen: tuple[str, ...] = ()
    escaped: tuple[str, ...] = ()


@final
class SpyResult(NoticeBase, frozen=True, tag="spied"):
    """Own spies know the troops of an environs; what they know stands in the view."""

    site: Site
    units: int


# For the owner.


@final
class OwnDetected(NoticeBase, frozen=True, tag="own_detected"):
    """An own agent or agent spaceship is detected, and why."""

    ship: OwnId
    cause: Cause


@final
class OwnShaken(NoticeBase, frozen=True, tag="own_shaken"):
    """An own agent or agent spaceship has shaken its detection off."""

    ship: OwnId
    planet: str


@final
class OwnStepFailed(NoticeBase, frozen=True, tag="own_step_failed"):
    """An own agent could not do as ordered."""

    ship: OwnId
    why: StepFault


@final
class OwnStranded(NoticeBase, frozen=True, tag="own_stranded"):
    """The troops with which an own agent stood are gone; the agent stands alone."""

    ship: OwnId


@final
class OwnSearched(NoticeBase, frozen=True, tag="own_searched"):
    """A side searched an environs for own agents; `found` are those that it found."""

    site: Site
    side: Side
    found: tuple[OwnId, ...] = ()
    event: bool = False


@final
class OwnStruck(NoticeBase, frozen=True, tag="own_struck"):
    """How a fight ended for own agents that were found.

    `soldiers` came, or the agents named; `lost` and `beaten` are those of them that fell.
    """

    site: Site
    side: Side
    outcome: FightOutcome
    soldier: Soldier | None = None
    soldiers: int = 0
    lost: int = 0
    by: tuple[str, ...] = ()
    beaten: tuple[str, ...] = ()
    fallen: tuple[OwnId, ...] = ()
    escaped: tuple[OwnId, ...] = ()


@final
class OwnKilled(NoticeBase, frozen=True, tag="own_killed"):
    """An own agent is dead."""

    ship: OwnId


@final
class MissionResult(NoticeBase, frozen=True, tag="mission_result"):
    """What came of an own mission."""

    ship: OwnId
    kind: MissionKind
    success: bool = False


@final
class OwnSabotaged(NoticeBase, frozen=True, tag="own_sabotaged"):
    """An own ground unit was sabotaged: its damage, or `silent` weapons in the next turn."""

    ship: OwnId
    damage: int = 0
    silent: bool = False


@final
class OwnFreed(NoticeBase, frozen=True, tag="own_freed"):
    """An own agent is free."""

    ship: OwnId


@final
class ItemMoved(NoticeBase, frozen=True, tag="item"):
    """An item of the scenario is with an own agent, lies somewhere, or is delivered."""

    name: str
    carrier: OwnId | None = None
    site: Site | None = None
    delivered: bool = False


# For `omni`.


@final
class TruthAgents(NoticeBase, frozen=True, tag="truth_agents"):
    """Something about agents: whom it concerns, and what with all its numbers, in words."""

    side: Side
    piece: OwnId | None = None
    what: str = ""


AgentsSought = AlertSeen | ShipAlertSeen | SearchResult | StrikeResult | SpyResult
"""What is learned of the agents of others."""

AgentsHunted = OwnDetected | OwnShaken | OwnSearched | OwnStruck | OwnKilled
"""What others do to own agents."""

AgentsDeed = OwnStepFailed | OwnStranded | MissionResult | OwnSabotaged | OwnFreed | ItemMoved
"""What own agents do, and what is done to own troops in secret."""

AgentNotice = AgentsSought | AgentsHunted | AgentsDeed | TruthAgents
"""Every notice of agents and searches."""
