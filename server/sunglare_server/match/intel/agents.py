"""Intel of one audience on agents, and its own items and standing orders."""

from typing import final

import msgspec

from sunglare_protocol.ids import OwnId, Side
from sunglare_protocol.surface import Site
from sunglare_protocol.words.search import FightPolicy, Strike
from sunglare_server.match.facts.agents import FoundAgent, SpiedUnit


@final
class KnownAlert(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """That agents of a side are near an environs or, without one, in the orbit of a planet."""

    side: Side
    planet: str
    environs: int | None = None


@final
class FoundAgents(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """A memory of agents whom a search found in `turn`."""

    side: Side
    site: Site
    turn: int
    agents: tuple[FoundAgent, ...]


@final
class SpiedTroops(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """A memory of the troops of an environs as spies saw them in `turn`."""

    site: Site
    turn: int
    units: tuple[SpiedUnit, ...]
    leaders: tuple[str, ...]


@final
class KnownItem(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """An item of which the audience knows, and where it was when last heard of."""

    name: str
    goal: Site | None = None
    site: Site | None = None
    carrier: OwnId | None = None
    delivered: bool = False


@final
class OwnStance(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """The standing orders of an own agent."""

    fight: FightPolicy
    wounds: tuple[OwnId, ...]
    hides_by: OwnId | None


@final
class SearchIntel(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """What one audience has learned of agents.

    `alerts` are the places near which agents of others are; `found` and `spied` memories of what
    searches and spies found out, the newest last; `items` are those of own objectives, `strike`
    is the side's own standing order.
    """

    alerts: tuple[KnownAlert, ...] = ()
    found: tuple[FoundAgents, ...] = ()
    spied: tuple[SpiedTroops, ...] = ()
    items: tuple[KnownItem, ...] = ()
    strike: Strike = Strike.PATROL
