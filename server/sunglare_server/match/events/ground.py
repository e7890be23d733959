"""Everything that can happen on a surface, in the past tense."""

from typing import final

from sunglare_protocol.ids import OwnId, Side
from sunglare_protocol.notices.ground import MoveFault, TokenEnd
from sunglare_protocol.surface import Arm, Cell, Site
from sunglare_protocol.words.dossiers import Dossier, Outcome
from sunglare_protocol.words.ladder import Fate
from sunglare_server.match.events.base import EventBase
from sunglare_server.match.ids import PieceId
from sunglare_server.match.kinds import Noticed


@final
class UnitStationed(EventBase, frozen=True, tag="UnitStationed"):
    """A ground unit was put on a cell before the first turn began to move."""

    piece: PieceId
    site: Site
    cell: Cell
    hidden: bool


@final
class AgentStationed(EventBase, frozen=True, tag="AgentStationed"):
    """An agent was put into an environs before the first turn began to move."""

    piece: PieceId
    site: Site
    stacked: PieceId | None


@final
class UnitMoved(EventBase, frozen=True, tag="UnitMoved"):
    """A ground unit moved over `cells`; with a `fault` they are fewer than ordered."""

    piece: PieceId
    cells: tuple[Cell, ...]
    fault: MoveFault | None = None


@final
class UnitLoaded(EventBase, frozen=True, tag="UnitLoaded"):
    """A ground unit went into a landed ship."""

    piece: PieceId
    ship: PieceId


@final
class UnitUnloaded(EventBase, frozen=True, tag="UnitUnloaded"):
    """A ground unit came out of a landed ship."""

    piece: PieceId
    site: Site
    cell: Cell


@final
class UnitUncovered(EventBase, frozen=True, tag="UnitUncovered"):
    """A hidden unit has moved and is hidden no longer; `identified`: it shows what it is."""

    piece: PieceId
    identified: bool


@final
class SensorSown(EventBase, frozen=True, tag="SensorSown"):
    """A ground unit sowed a remote sensor, which its owner calls `own`."""

    piece: PieceId
    launcher: PieceId
    own: OwnId
    site: Site
    cell: Cell


@final
class MapOpened(EventBase, frozen=True, tag="MapOpened"):
    """A side sees a surface map from now on."""

    side: Side
    site: Site


@final
class MapClosed(EventBase, frozen=True, tag="MapClosed"):
    """A side no longer sees a surface map."""

    side: Side
    site: Site


@final
class TokenGained(EventBase, frozen=True, tag="TokenGained"):
    """A side holds a foreign piece on a surface map that it sees."""

    piece: PieceId
    side: Side
    identified: bool


@final
class TokenEnded(EventBase, frozen=True, tag="TokenEnded"):
    """A side no longer holds a piece on a surface map."""

    piece: PieceId
    side: Side
    how: TokenEnd


@final
class PieceIdentified(EventBase, frozen=True, tag="PieceIdentified"):
    """A side identified a token by spotting; `is_told`: one of its spotters is not hidden."""

    piece: PieceId
    side: Side
    is_told: bool


@final
class MapOverflown(EventBase, frozen=True, tag="MapOverflown"):
    """A fighter of `side` is right above a map by day and sees these pieces of another side."""

    side: Side
    owner: Side
    site: Site
    pieces: tuple[PieceId, ...]


@final
class HiddenExposed(EventBase, frozen=True, tag="HiddenExposed"):
    """A hidden unit was exposed to a side, which knows what it is."""

    piece: PieceId
    side: Side


@final
class TokenProbed(EventBase, frozen=True, tag="TokenProbed"):
    """A piece asked for the data of a token; `dossier` is what a full answer holds.

    `by_probe`: a probe was at work, which the pieces in `noticed` notice, the target first.
    """

    piece: PieceId
    target: PieceId
    outcome: Outcome
    by_probe: bool
    dossier: Dossier | None
    noticed: tuple[Noticed, ...]


@final
class GroundShotFired(EventBase, frozen=True, tag="GroundShotFired"):
    """A ground unit attacked what stands on its map; an impossible attack reads like a miss.

    `indirect`: the attacker did not see its target itself. `heard` are the sides that see
    indirect fire come down and are not concerned.
    """

    piece: PieceId
    weapon: str
    kind: Arm
    target: PieceId
    dice: tuple[int, ...]
    needed: int | None
    damage: int
    indirect: bool = False
    heard: tuple[Side, ...] = ()


@final
class AttackerRevealed(EventBase, frozen=True, tag="AttackerRevealed"):
    """A direct or close attack showed `side` what the attacker is."""

    piece: PieceId
    side: Side


@final
class UnitDamaged(EventBase, frozen=True, tag="UnitDamaged"):
    """A ground unit took the damage of this turn's attacks."""

    piece: PieceId
    damage: int


@final
class UnitDestroyed(EventBase, frozen=True, tag="UnitDestroyed"):
    """A ground unit was destroyed; `killers` are the sides whose attacks did it.

    `unaware` are those who did it although they do not hold it; the owner learns the `cause`, but
    of a remote sensor.
    """

    piece: PieceId
    killers: tuple[Side, ...]
    unaware: tuple[Side, ...] = ()
    cause: str = "fire"


@final
class WeaponsHeated(EventBase, frozen=True, tag="WeaponsHeated"):
    """A ground unit's heat is what it fired in this ENGAGE."""

    piece: PieceId
    heat: int


@final
class TakenAlong(EventBase, frozen=True, tag="TakenAlong"):
    """A ground unit or agent shared the fate of the ship that it was aboard."""

    piece: PieceId
    fate: Fate
    killers: tuple[Side, ...] = ()


@final
class OccupationCounted(EventBase, frozen=True, tag="OccupationCounted"):
    """A turn is over on an environs on which `sides` have troops that stand openly.

    `turns` counts those on end with one and the same side alone; if it has an objective that ends
    the match after so many, `ends_after` is that number.
    """

    site: Site
    sides: tuple[Side, ...]
    turns: int = 0
    ends_after: int = 0


GroundEvent = (
    UnitStationed
    | AgentStationed
    | UnitMoved
    | UnitLoaded
    | UnitUnloaded
    | UnitUncovered
    | SensorSown
    | MapOpened
    | MapClosed
    | TokenGained
    | TokenEnded
    | PieceIdentified
    | MapOverflown
    | HiddenExposed
    | TokenProbed
    | GroundShotFired
    | AttackerRevealed
    | UnitDamaged
    | UnitDestroyed
    | WeaponsHeated
    | TakenAlong
    | OccupationCounted
)
"""Every event of the surface."""
