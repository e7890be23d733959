"""The truth of the agents of a match: every agent, item, alert and mission as it is.

Server only, like the rest of the truth. Source: search of our rule book §2, "Entities".
"""

from typing import final

import msgspec

from sunglare_protocol.ids import OwnId, Side
from sunglare_protocol.surface import Site
from sunglare_protocol.words.ladder import Fate
from sunglare_protocol.words.search import Strike
from sunglare_rules.search.detection import Alert
from sunglare_server.match.ids import PieceId
from sunglare_server.match.kinds import MissionPlan, Stance


@final
class AgentTruth(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """An agent as it is.

    It is in an environs (`site`; agents have no cell) or aboard a ship of its side (`aboard`), and
    then wherever the ship is. `stacked` names the own ground unit in whose stack it is, None if it
    is free: *with units* means that it is not None. `group` is the number of its mission group of
    this turn. `captor` is the side that holds it prisoner, and then it takes part in nothing.
    `shaken` is the planet at which it shook its detection off.
    """

    id: PieceId
    side: Side
    own: OwnId
    name: str
    combat: int
    endurance: int
    intelligence: int
    leadership: int
    npc: bool = False
    site: Site | None = None
    aboard: PieceId | None = None
    stacked: PieceId | None = None
    group: int | None = None
    detected: bool = False
    shaken: str | None = None
    stance: Stance = Stance()
    wounds: int = 0
    captor: Side | None = None
    fate: Fate = Fate.IN_PLAY

    @property
    def in_play(self) -> bool:
        """Return whether it is neither dead nor gone."""
        return self.fate is Fate.IN_PLAY

    @property
    def with_units(self) -> bool:
        """Return whether it is stacked with own troops."""
        return self.stacked is not None

    @property
    def is_free(self) -> bool:
        """Return whether it is in play and no prisoner."""
        return self.in_play and self.captor is None


@final
class ItemTruth(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """An item of the scenario: it lies in an environs, or an agent carries it.

    With neither it is lost.
    """

    name: str
    site: Site | None = None
    carrier: PieceId | None = None


@final
class SearchTruth(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """The truth about agents other than the agents themselves.

    `alerts` are those that stand, near ships apart; `near_ships` are the tracked ships near which
    each side knows agents; `strikes` who goes when an event calls for a search of a side;
    `delivered` names what each side has brought to its goal.
    """

    alerts: tuple[Alert, ...] = ()
    near_ships: dict[Side, tuple[PieceId, ...]] = {}
    strikes: dict[Side, Strike] = {}
    plans: tuple[MissionPlan, ...] = ()
    items: dict[str, ItemTruth] = {}
    delivered: tuple[tuple[Side, str], ...] = ()

    def strike_of(self, side: Side) -> Strike:
        """Return who goes for a side when an event calls for a search: by default a patrol."""
        return self.strikes.get(side, Strike.PATROL)
