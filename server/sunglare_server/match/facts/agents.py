"""Facts on agents and searches that a grant may give one audience, field by field."""

from typing import final

import msgspec

from sunglare_protocol.ids import Side
from sunglare_protocol.notices.agents import ItemMoved
from sunglare_protocol.surface import Cell, Site
from sunglare_server.match.facts.base import FactBase
from sunglare_server.match.ids import PieceId


@final
class FoundAgent(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """A foreign agent as it is found: its name and what is needed to fight it."""

    name: str
    combat: int
    endurance: int


@final
class SpiedUnit(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """A foreign ground unit as spies see it: all that a data scan gives."""

    side: Side
    type: str
    variant: str
    cell: Cell
    hidden: bool
    damage: int
    toughness: int
    heat: int
    move: int
    modes: tuple[str, ...]
    ecm: bool | None


@final
class Alerted(FactBase, frozen=True):
    """Agents of a side are near an environs or an orbit box, or are so no longer (`over`)."""

    side: Side
    planet: str
    over: bool
    environs: int | None = None


@final
class ShipAlerted(FactBase, frozen=True):
    """Agents are near a tracked ship, or are so no longer (`over`)."""

    piece: PieceId
    over: bool


@final
class AgentsFound(FactBase, frozen=True):
    """A search found agents: their names and what is needed to fight them."""

    side: Side
    site: Site
    agents: tuple[FoundAgent, ...]


@final
class TroopsSpied(FactBase, frozen=True):
    """Spies know the troops of an environs and who stands with them."""

    site: Site
    units: tuple[SpiedUnit, ...]
    leaders: tuple[str, ...]


@final
class ItemKnown(FactBase, frozen=True):
    """Where an item of an own objective is now."""

    notice: ItemMoved


AgentFact = Alerted | ShipAlerted | AgentsFound | TroopsSpied | ItemKnown
"""Every kind of fact of agents and searches."""

AGENTS_ORDER: tuple[type[AgentFact], ...] = (
    Alerted,
    ShipAlerted,
    AgentsFound,
    TroopsSpied,
    ItemKnown,
)
"""Kinds of fact in the order they are taken in."""
