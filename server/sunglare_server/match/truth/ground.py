"""The truth of a surface: every ground unit as it is, and what each side sees of a surface map.

Server only, like the rest of the truth.
"""

from typing import final

import msgspec

from sunglare_protocol.ids import OwnId, Side
from sunglare_protocol.surface import Cell, GroundKind, Site
from sunglare_protocol.words.ladder import Fate
from sunglare_protocol.words.specials import Special
from sunglare_rules.blips.ecm import has_jammer
from sunglare_server.match.data.ground_classes import GroundClass
from sunglare_server.match.ids import PieceId


@final
class GroundTruth(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """A ground unit as it is.

    It is on a surface map (`site` and `cell`) or in a ship of its side (`aboard`; then `site` is
    None and the cell means nothing). `hidden`: it has no token until it moves or is exposed.
    `ecm_on` is what its owner has ordered; `silent_turn` the turn in which its weapons are
    silent; `heat` the weapons fired in the last ENGAGE, at most 4; `launcher` the unit that has
    sown a remote sensor.
    """

    id: PieceId
    side: Side
    own: OwnId
    name: str
    type: GroundClass
    site: Site | None
    cell: Cell = Cell(0, 0)
    aboard: PieceId | None = None
    hidden: bool = False
    damage: int = 0
    heat: int = 0
    ecm_on: bool = True
    silent_turn: int | None = None
    launcher: PieceId | None = None
    fate: Fate = Fate.IN_PLAY

    @property
    def in_play(self) -> bool:
        """Return whether the unit is neither destroyed nor gone."""
        return self.fate is Fate.IN_PLAY

    @property
    def is_remote(self) -> bool:
        """Return whether it is a remote sensor, which spots and does nothing else."""
        return self.type.kind is GroundKind.REMOTE

    @property
    def is_infantry(self) -> bool:
        """Return whether it is infantry, which needs no power and has no sensors."""
        return self.type.kind in (GroundKind.INFANTRY, GroundKind.BATTLE_ARMOUR)

    @property
    def ecm(self) -> bool | None:
        """Return how its jammer is switched; None if it has none."""
        return self.ecm_on if has_jammer(self.type.specials) else None

    def has(self, special: Special) -> bool:
        """Return whether the unit has this ability."""
        return special in self.type.specials


@final
class Occupier(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """The side that alone has had troops standing openly on an environs for `turns` on end."""

    site: Site
    side: Side
    turns: int


@final
class TokenHold(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """That a side holds a foreign piece on a surface map it sees, and whether it knows which."""

    identified: bool = False


@final
class SurfaceTruth(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """Sight of the surface: the maps each side sees, and the tokens it holds on them."""

    seen: dict[Side, tuple[Site, ...]] = {}
    tokens: dict[Side, dict[PieceId, TokenHold]] = {}

    def maps_of(self, side: Side) -> tuple[Site, ...]:
        """Return the surface maps that `side` sees."""
        return self.seen.get(side, ())

    def tokens_of(self, side: Side) -> dict[PieceId, TokenHold]:
        """Return what `side` holds on the maps it sees."""
        return self.tokens.get(side, {})
