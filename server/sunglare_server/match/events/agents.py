"""Everything that can happen to agents and in searches, in the past tense."""

from typing import final

from sunglare_protocol.ids import Side
from sunglare_protocol.surface import Site
from sunglare_protocol.words.search import (
    Cause,
    FightOutcome,
    Soldier,
    StepFault,
    Strike,
)
from sunglare_rules.search.detection import Alert
from sunglare_rules.search.missions import MissionEvent
from sunglare_server.match.events.base import EventBase
from sunglare_server.match.ids import PieceId
from sunglare_server.match.kinds import MissionPlan, Stance


@final
class StanceTaken(EventBase, frozen=True, tag="StanceTaken"):
    """An agent was given standing orders for the group that it speaks for."""

    piece: PieceId
    stance: Stance


@final
class BoundFor(EventBase, frozen=True, tag="BoundFor"):
    """A ship was given, or relieved of, the standing order to leave for a planet or the edge."""

    piece: PieceId
    planet: str | None


@final
class StrikeChosen(EventBase, frozen=True, tag="StrikeChosen"):
    """A side chose who goes when an event calls for a search."""

    side: Side
    strike: Strike


@final
class AgentStepped(EventBase, frozen=True, tag="AgentStepped"):
    """An agent made a step and is now on a site, in a stack there, or aboard a ship."""

    piece: PieceId
    site: Site | None
    stacked: PieceId | None
    aboard: PieceId | None


@final
class StepFailed(EventBase, frozen=True, tag="StepFailed"):
    """An agent could not make a step, or its group not go on its mission."""

    piece: PieceId
    why: StepFault


@final
class AgentStranded(EventBase, frozen=True, tag="AgentStranded"):
    """The troops in whose stack an agent stood are gone from there."""

    piece: PieceId


@final
class FlagSet(EventBase, frozen=True, tag="FlagSet"):
    """An agent or agent spaceship is detected from now on."""

    piece: PieceId
    cause: Cause


@final
class FlagCleared(EventBase, frozen=True, tag="FlagCleared"):
    """An agent or agent spaceship shook its detection off when it left a planet."""

    piece: PieceId
    planet: str


@final
class FlagForgotten(EventBase, frozen=True, tag="FlagForgotten"):
    """A planet where a piece shook its detection off no longer matters."""

    piece: PieceId


@final
class AlertRaised(EventBase, frozen=True, tag="AlertRaised"):
    """Agents of a side are near an environs or an orbit box from now on."""

    alert: Alert


@final
class AlertEnded(EventBase, frozen=True, tag="AlertEnded"):
    """Agents of a side are no longer near a place."""

    alert: Alert


@final
class ShipAlertRaised(EventBase, frozen=True, tag="ShipAlertRaised"):
    """A side knows that agents are near a ship which it tracks."""

    piece: PieceId
    side: Side


@final
class ShipAlertEnded(EventBase, frozen=True, tag="ShipAlertEnded"):
    """A side no longer knows of agents near a ship."""

    piece: PieceId
    side: Side


@final
class SearchTried(EventBase, frozen=True, tag="SearchTried"):
    """A side searched an environs for the agents of another.

    `group` are those that could be found; nothing was rolled if there are none or the value is
    below 1. `mission` is the group that an event of a mission gave up to the search.
    """

    side: Side
    owner: Side
    site: Site
    value: int
    hiding: int
    needed: int | None
    die: int | None
    found: bool
    group: tuple[PieceId, ...] = ()
    mission: int | None = None


@final
class FightFought(EventBase, frozen=True, tag="FightFought"):
    """Found agents were fought: who came, and the fate of all of them; wounds follow it.

    A patrol is `soldiers` of one kind, `lost` of which fell; agents are in `sent`. `dice` are
    those of both sides, round by round.
    """

    side: Side
    owner: Side
    site: Site
    outcome: FightOutcome
    found: tuple[PieceId, ...]
    soldier: Soldier | None = None
    soldiers: int = 0
    lost: int = 0
    sent: tuple[PieceId, ...] = ()
    fallen: tuple[PieceId, ...] = ()
    escaped: tuple[PieceId, ...] = ()
    dice: tuple[tuple[int, int], ...] = ()


@final
class AgentWounded(EventBase, frozen=True, tag="AgentWounded"):
    """An agent has so many wounds after a fight."""

    piece: PieceId
    wounds: int


@final
class AgentKilled(EventBase, frozen=True, tag="AgentKilled"):
    """An agent died; `killers` are the sides that fought it."""

    piece: PieceId
    killers: tuple[Side, ...]


@final
class MissionPlanned(EventBase, frozen=True, tag="MissionPlanned"):
    """A group was sent on a mission, which it tries at the end of the turn."""

    plan: MissionPlan


@final
class MissionTried(EventBase, frozen=True, tag="MissionTried"):
    """A group tried its mission; the die is None where none is needed or nothing could be done."""

    plan: MissionPlan
    site: Site
    die: int | None
    needed: int
    success: bool
    event_die: int
    event: MissionEvent


@final
class UnitsSpied(EventBase, frozen=True, tag="UnitsSpied"):
    """Spies of a side know these ground units, and who stands with them."""

    side: Side
    site: Site
    units: tuple[PieceId, ...]
    leaders: tuple[PieceId, ...]


@final
class UnitSabotaged(EventBase, frozen=True, tag="UnitSabotaged"):
    """A ground unit took damage by sabotage, or its weapons are silent in a turn."""

    piece: PieceId
    side: Side
    damage: int = 0
    silent_turn: int | None = None


@final
class ItemTaken(EventBase, frozen=True, tag="ItemTaken"):
    """An agent has taken an item."""

    item: str
    carrier: PieceId


@final
class ItemDropped(EventBase, frozen=True, tag="ItemDropped"):
    """An item lies where its carrier fell."""

    item: str
    site: Site


@final
class Delivered(EventBase, frozen=True, tag="Delivered"):
    """An item or agent of an objective was brought to its goal."""

    side: Side
    name: str
    site: Site


@final
class AgentFreed(EventBase, frozen=True, tag="AgentFreed"):
    """A prisoner was freed by its own side."""

    piece: PieceId


@final
class MissionsEnded(EventBase, frozen=True, tag="MissionsEnded"):
    """The turn is over: there are no mission groups until new ones are formed."""


AgentEvent = (
    StanceTaken
    | BoundFor
    | StrikeChosen
    | AgentStepped
    | StepFailed
    | AgentStranded
    | FlagSet
    | FlagCleared
    | FlagForgotten
    | AlertRaised
    | AlertEnded
    | ShipAlertRaised
    | ShipAlertEnded
    | SearchTried
    | FightFought
    | AgentWounded
    | AgentKilled
    | MissionPlanned
    | MissionTried
    | UnitsSpied
    | UnitSabotaged
    | ItemTaken
    | ItemDropped
    | Delivered
    | AgentFreed
    | MissionsEnded
)
"""Every event of agents and searches."""
