"""Intel of one audience on the surfaces, its own units and agents among it.

Only `absorb` writes it, and `own` copies the own pieces in.
"""

from typing import final

import msgspec

from sunglare_protocol.ids import Handle, OwnId, Side
from sunglare_protocol.surface import Build, Cell, Site
from sunglare_protocol.words.dossiers import Dossier
from sunglare_protocol.words.ladder import Fate
from sunglare_server.match.data.ground_classes import GroundClass
from sunglare_server.match.intel.agents import OwnStance


@final
class OwnUnit(msgspec.Struct, frozen=True, kw_only=True, gc=False, cache_hash=True):
    """An own ground unit with what its owner may know of it; nothing about who knows it."""

    id: OwnId
    name: str
    type: GroundClass
    site: Site | None
    cell: Cell
    aboard: OwnId | None
    hidden: bool
    damage: int
    heat: int
    ecm_on: bool
    silent_turn: int | None
    fate: Fate


@final
class OwnAgent(msgspec.Struct, frozen=True, kw_only=True, gc=False, cache_hash=True):
    """An own agent with everything its owner knows of it."""

    id: OwnId
    name: str
    combat: int
    endurance: int
    intelligence: int
    leadership: int
    npc: bool
    site: Site | None
    aboard: OwnId | None
    stacked: OwnId | None
    group: int | None
    detected: bool
    wounds: int
    captor: Side | None
    stance: OwnStance
    fate: Fate


@final
class OwnMissile(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """An own missile on its way over the ground."""

    ship: OwnId
    weapon: str
    at: Site
    cell: Cell
    lands: int


@final
class HeldToken(msgspec.Struct, frozen=True, kw_only=True, gc=False, cache_hash=True):
    """A foreign piece on a seen surface map: what the audience knows, as of `turn`."""

    handle: Handle
    label: str
    site: Site
    cell: Cell
    turn: int
    side: Side | None = None
    type: str | None = None
    build: Build | None = None
    footprint: int | None = None
    dossier: Dossier | None = None


@final
class TokenMarker(msgspec.Struct, frozen=True, kw_only=True, gc=False, cache_hash=True):
    """A memory of a token: what was known last, without a handle."""

    label: str
    site: Site
    cell: Cell
    turn: int
    side: Side | None = None
    type: str | None = None
    build: Build | None = None
    footprint: int | None = None
    dossier: Dossier | None = None
    fate: Fate = Fate.IN_PLAY
