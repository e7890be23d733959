"""What characters are told to do: standing orders and missions, as plain values by true ids.

Source: search of our rule book §2, "Missions" and "Fight after finding", OWN.
"""

from typing import final

import msgspec

from sunglare_protocol.ids import Side
from sunglare_protocol.searchwords import FightPolicy, MissionKind
from sunglare_server.match.ids import PieceId


@final
class Stance(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """The standing orders of a character, for the group that he speaks for.

    `wounds` names own characters in the order in which wounds fall, nobody: at random. Whom the
    group `hides_by` is None for whoever is best.
    """

    fight: FightPolicy = FightPolicy.FLEE
    wounds: tuple[PieceId, ...] = ()
    hides_by: PieceId | None = None


@final
class MissionPlan(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """A mission group of this turn: what it is to do, and who goes, the first speaks for them.

    `target` is the foreign ground unit that sabotage is for; `name` an item or a character.
    """

    number: int
    side: Side
    kind: MissionKind
    members: tuple[PieceId, ...]
    target: PieceId | None = None
    silence: bool = False
    name: str | None = None
