"""The truth of the people of a match: every character as he is.

Server only, like the rest of the truth. Source: search of our rule book §2, "Entities".
"""

from typing import final

import msgspec

from sunglare_protocol.ids import OwnId, Side
from sunglare_protocol.ladder import Fate
from sunglare_protocol.surface import Site
from sunglare_server.match.ids import PieceId

CHARACTER_POINTS = 2
"""OWN: what a character is worth to the side that kills or captures him."""


@final
class CharacterTruth(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """A character as he is.

    He is in an environs (`site`; characters have no cell) or aboard a ship of his side
    (`aboard`), and then wherever the ship is. `stacked` names the own ground unit in whose
    stack he is, None if he is free: *with units* means that it is not None. `group` is the
    number of his mission group of this turn. `captor` is the side that holds him prisoner.
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
    wounds: int = 0
    captor: Side | None = None
    fate: Fate = Fate.IN_PLAY

    @property
    def in_play(self) -> bool:
        """Return whether he is neither dead nor gone."""
        return self.fate is Fate.IN_PLAY

    @property
    def with_units(self) -> bool:
        """Return whether he is stacked with own troops."""
        return self.stacked is not None
