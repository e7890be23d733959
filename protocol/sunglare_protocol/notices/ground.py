"""Notices of events on the surface, as one audience may see them.

Only the occupation of environs is public. Places on a surface map are a site and a cell.
"""

from typing import final

from sunglare_protocol.ids import Handle, OwnId, Side
from sunglare_protocol.notices.base import NoticeBase
from sunglare_protocol.surface import Arm, Cell, Site
from sunglare_protocol.word import Word

__all__ = [
    "GroundFared",
    "GroundFound",
    "GroundNotice",
    "GroundOfTruth",
    "GroundOwn",
    "GroundShotResult",
    "ImpactSeen",
    "MapLost",
    "MapSeen",
    "MoveFault",
    "Occupation",
    "OwnEmerged",
    "OwnGroundHit",
    "OwnHalted",
    "OwnIdentified",
    "OwnOverflown",
    "OwnUncovered",
    "TokenEnd",
    "TokenGone",
    "TokenIdentified",
    "TokenSeen",
    "TruthToken",
]


class TokenEnd(Word):
    """How a token ends: gone from its map, lifted off, destroyed, or no longer seen."""

    LEFT = "left"
    LIFTED = "lifted"
    DESTROYED = "destroyed"
    UNSEEN = "unseen"


class MoveFault(Word):
    """Why a ground unit went less far than ordered, or did not go at all."""

    TERRAIN = "terrain"
    NO_SHIP = "no_ship"


# For all.


@final
class Occupation(NoticeBase, frozen=True, tag="occupation"):
    """Which sides have troops standing openly on an environs at the end of a turn.

    `turns` counts those on end with one and the same side alone, 0 if it is none or several; the
    match ends when they are `ends_after`, if that side has an objective with such a number there.
    """

    site: Site
    sides: tuple[Side, ...] = ()
    turns: int = 0
    ends_after: int = 0


# For the side that looks.


@final
class MapSeen(NoticeBase, frozen=True, tag="map_seen"):
    """The tokens on a surface map are seen from now on."""

    site: Site


@final
class MapLost(NoticeBase, frozen=True, tag="map_lost"):
    """No own piece is left that sees a surface map; what was held on it is memory."""

    site: Site


@final
class TokenSeen(NoticeBase, frozen=True, tag="token"):
    """A foreign piece came into sight on a surface map; side and type only if it is identified."""

    handle: Handle
    label: str
    site: Site
    cell: Cell
    side: Side | None = None
    type: str | None = None


@final
class TokenIdentified(NoticeBase, frozen=True, tag="token_identified"):
    """A held token is known by side and type."""

    handle: Handle
    label: str
    side: Side
    type: str


@final
class TokenGone(NoticeBase, frozen=True, tag="token_gone"):
    """A held token is no longer there; one that lifts off shows what it was."""

    label: str
    how: TokenEnd
    side: Side | None = None
    type: str | None = None


@final
class GroundShotResult(NoticeBase, frozen=True, tag="ground_shot"):
    """What an own attack on the ground did: its own dice and the damage."""

    ship: OwnId
    weapon: str
    at: Handle
    damage: int
    dice: tuple[int, ...]


@final
class ImpactSeen(NoticeBase, frozen=True, tag="impact"):
    """Indirect fire came down in sight; who fired is not known."""

    site: Site
    cell: Cell


# For the owner of the piece.


@final
class OwnHalted(NoticeBase, frozen=True, tag="own_halted"):
    """An own ground unit went less far than ordered, and stands on `cell`."""

    ship: OwnId
    why: MoveFault
    cell: Cell


@final
class OwnEmerged(NoticeBase, frozen=True, tag="own_emerged"):
    """An own hidden unit has moved and is hidden no longer: a token, or shown for what it is."""

    ship: OwnId
    identified: bool


@final
class OwnIdentified(NoticeBase, frozen=True, tag="own_identified"):
    """An own piece on the surface was identified by a unit that is not hidden."""

    ship: OwnId


@final
class OwnOverflown(NoticeBase, frozen=True, tag="own_overflown"):
    """A fighter of `side` is right above a map by day: these own pieces there are identified.

    They are all that are not hidden, whether they were known before it or not.
    """

    side: Side
    site: Site
    ships: tuple[OwnId, ...]


@final
class OwnUncovered(NoticeBase, frozen=True, tag="own_uncovered"):
    """An own hidden unit was found by an enemy."""

    ship: OwnId


@final
class OwnGroundHit(NoticeBase, frozen=True, tag="own_ground_hit"):
    """An own piece on the ground was attacked; of indirect fire the source is not seen."""

    ship: OwnId
    weapon: Arm
    damage: int
    site: Site
    cell: Cell


# For `omni`.


@final
class TruthToken(NoticeBase, frozen=True, tag="truth_token"):
    """A side gained, identified or lost a piece on a surface map."""

    side: Side
    owner: Side
    piece: OwnId
    how: str


GroundFound = MapSeen | MapLost | TokenSeen | TokenIdentified | TokenGone
"""What one's own looking on the surface brings."""

GroundFared = GroundShotResult | ImpactSeen
"""What own attacks do, and what comes down in sight."""

GroundOwn = OwnHalted | OwnEmerged | OwnIdentified | OwnOverflown | OwnUncovered | OwnGroundHit
"""What happens to own pieces on the surface."""

GroundOfTruth = TruthToken
"""The notices on the surface that only `omni` receives."""

GroundNotice = GroundFound | GroundFared | GroundOwn | GroundOfTruth
"""Every notice of the surface."""
