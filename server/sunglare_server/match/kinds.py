"""Values that truth, events and facts share; this module imports none of these.

Source of the plans: search of our rule book §2, "Missions" and "Fight after finding", OWN.
"""

from typing import NamedTuple, final

import msgspec

from sunglare_protocol.ids import OwnId, Side
from sunglare_protocol.surface import Cell, Site
from sunglare_protocol.words.capital import CapitalClass
from sunglare_protocol.words.search import FightPolicy, MissionKind
from sunglare_server.match.ids import PieceId


@final
class Stance(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """The standing orders of an agent, for the group that it speaks for.

    `wounds` names own agents in the order in which wounds fall, none: at random. Whom the group
    `hides_by` is None for the best one.
    """

    fight: FightPolicy = FightPolicy.FLEE
    wounds: tuple[PieceId, ...] = ()
    hides_by: PieceId | None = None


@final
class MissionPlan(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """A mission group of this turn: what it is to do, and who goes, the first speaks for them.

    `target` is the foreign ground unit that sabotage is for; `name` an item or an agent.
    """

    number: int
    side: Side
    kind: MissionKind
    members: tuple[PieceId, ...]
    target: PieceId | None = None
    silence: bool = False
    name: str | None = None


class Noticed(NamedTuple):
    """A piece on the ground that noticed an emission, and the bearing it got."""

    piece: PieceId
    bearing: int


class Harmed(NamedTuple):
    """A piece within a blast, and the damage done to it."""

    piece: PieceId
    damage: int


@final
class MissileFlight(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """A missile on its way over the ground to the middle of a cell.

    It comes down in the ENGAGE of turn `lands`. What it needs was settled at its launch in turn
    `sent`, as was its `damage` at the point of impact.
    """

    piece: PieceId
    side: Side
    own: OwnId
    weapon: str
    kind: CapitalClass
    at: Site
    cell: Cell
    sent: int
    lands: int
    needed: int
    damage: int
