"""The entries of a sheet: what one own piece may do in a window, a list of each kind."""

from typing import final

import msgspec

from sunglare_protocol.geometry import Compass, Square
from sunglare_protocol.ids import Handle, OwnId
from sunglare_protocol.orders.agents import Mission, StepOrder
from sunglare_protocol.orders.space import Order
from sunglare_protocol.surface import Cell, Site
from sunglare_protocol.words.ladder import Fate
from sunglare_protocol.words.pieces import Arc, Relation
from sunglare_protocol.words.scans import Blocked, ScanSize, ScanType, Signature


class _Entry(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, gc=False):
    pass


@final
class CourseEnd(_Entry, frozen=True, kw_only=True):
    """One end of a ship's move: the orders that lead there, and what it gives off there.

    `thrust` is what the orders use, steps of turning among it. `fate` is that of a ship whose
    move ends off the map or in a body. What it gives off is not known of ships that land or
    lift off; whom it may shadow is left out of account. `fire` is the mean damage (x 100) of all
    its weapons on each piece that its side holds, if that only drifts; none is left out.
    """

    to: Square
    facing: Compass
    orders: tuple[Order, ...] = ()
    thrust: int = 0
    signatures: dict[Signature, int] = {}
    fire: dict[Handle, int] = {}
    fate: Fate = Fate.IN_PLAY


@final
class ScanStrength(_Entry, frozen=True, kw_only=True):
    """How strong a ship's scan of one type and size is, and the weakest signature that it finds.

    The fields in glare hold at places with `glare`. With `at` it is the strength at that place
    alone, where the scan repeats that of last turn; without, at all other places. `gives_away`:
    all sides learn on which square the ship stands.
    """

    type: ScanType
    size: ScanSize
    at: str | Square | None = None
    strength: int
    effective: int
    finds_from: int
    effective_in_glare: int
    finds_from_in_glare: int
    gives_away: bool = False


@final
class ScanPlace(_Entry, frozen=True, kw_only=True):
    """A place for scans of one size: what the ship would answer, whatever the type of the scan.

    `candidates` counts the squares on which the scanner may stand: on the map, then after each
    question.
    """

    size: ScanSize
    at: str | Square
    glare: bool = False
    from_well: bool = False
    touches_well: bool = False
    blocked: tuple[Blocked, ...] = ()
    candidates: tuple[int, int, int, int]


@final
class WeaponArcs(_Entry, frozen=True, kw_only=True):
    """The arcs through which a working weapon of a ship fires now; none: it fires all around."""

    weapon: str
    arcs: tuple[Arc, ...] = ()


@final
class ListedShot(_Entry, frozen=True, kw_only=True):
    """A shot of a ship: how it bears and its mean damage (x 100), as in `shot_odds`.

    `arc` is the one that it goes through, none for what lies beneath the base and for a weapon
    without arcs; `range` is that between the bases.
    """

    weapon: str
    at: Handle | None = None
    arc: Arc | None = None
    band: int
    range: int
    relation: Relation
    mean_hundredths: int


@final
class BombardReach(_Entry, frozen=True, kw_only=True):
    """Fire of a weapon at the points of one map, with the figures of `bombard_odds`.

    They hold for all of the map, with `cells` for these alone.
    """

    weapon: str
    at: Site
    cells: tuple[Cell, ...] = ()
    needed: int
    hundredths: int
    guided_hundredths: int
    damage: int
    lands: int | None = None


@final
class StationReach(_Entry, frozen=True, kw_only=True):
    """The cells of a map on which a ground unit may start, hidden or not."""

    at: Site
    cells: tuple[Cell, ...]


@final
class StepReach(_Entry, frozen=True, kw_only=True):
    """A step of an agent, and which own agents and ships are detected once it is made.

    The second list has those of them that the step itself gets detected.
    """

    order: StepOrder
    detected: tuple[OwnId, ...] = ()
    anew: tuple[OwnId, ...] = ()


@final
class MissionReach(_Entry, frozen=True, kw_only=True):
    """A mission of an agent or a group, and its chance in hundredths as in `mission_odds`."""

    order: Mission
    hundredths: int


@final
class LeftOut(_Entry, frozen=True, kw_only=True):
    """How many entries at the end of a list of a sheet were left out."""

    part: str
    count: int
