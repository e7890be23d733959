"""Parts of views on agents: alerts, agents found, what spies know, items."""

from typing import final

from sunglare_protocol.ids import OwnId, Side
from sunglare_protocol.surface import Cell, Site
from sunglare_protocol.views.base import ViewBase
from sunglare_protocol.words.search import FightPolicy

__all__ = [
    "AlertView",
    "FoundAgentView",
    "FoundView",
    "ItemView",
    "SpiedUnitView",
    "SpyView",
    "StanceView",
]


@final
class AlertView(ViewBase, frozen=True):
    """Agents of a side are near an environs or, without one, in the orbit of a planet."""

    side: Side
    planet: str
    environs: int | None = None


@final
class StanceView(ViewBase, frozen=True):
    """The standing orders of an agent, for the group that it speaks for.

    Without `wounds` they fall at random; without `hides_by` the best one counts.
    """

    fight: FightPolicy = FightPolicy.FLEE
    wounds: tuple[OwnId, ...] = ()
    hides_by: OwnId | None = None


@final
class FoundAgentView(ViewBase, frozen=True):
    """A foreign agent as it was found: what is needed to fight it."""

    name: str
    combat: int
    endurance: int


@final
class FoundView(ViewBase, frozen=True):
    """Agents that a search found, as they were in `turn`; where they are now is not known."""

    side: Side
    site: Site
    turn: int
    agents: tuple[FoundAgentView, ...] = ()


@final
class SpiedUnitView(ViewBase, frozen=True):
    """A foreign ground unit as spies saw it, with everything a data scan gives.

    `move` is in inches, `modes` how it moves, `ecm` whether its jammer works, if it has one.
    """

    side: Side
    type: str
    variant: str
    cell: Cell
    hidden: bool = False
    damage: int = 0
    toughness: int = 0
    heat: int = 0
    move: int = 0
    modes: tuple[str, ...] = ()
    ecm: bool | None = None


@final
class SpyView(ViewBase, frozen=True):
    """What spies know of the troops of an environs as of `turn`, and the names of who leads."""

    site: Site
    turn: int
    units: tuple[SpiedUnitView, ...] = ()
    leaders: tuple[str, ...] = ()


@final
class ItemView(ViewBase, frozen=True):
    """An item of which the viewer knows: where it lay when last heard of, or who carries it.

    `goal` is where an own objective wants it.
    """

    name: str
    goal: Site | None = None
    site: Site | None = None
    carrier: OwnId | None = None
    delivered: bool = False
