"""What both readings of what the rules grant stand on: a window that has closed, and its sides."""

from typing import final

import msgspec

from sunglare_protocol.geometry import Compass, Place, Square
from sunglare_protocol.ids import OMNI, PUBLIC, Audience, Side, audience_of
from sunglare_protocol.orders import Order
from sunglare_protocol.words.ladder import Fix, Phase
from sunglare_protocol.words.pieces import BaseSize
from sunglare_protocol.words.victory import ObjectiveKind
from sunglare_rules.arcs.arcs import GridBase, grid_lie
from sunglare_rules.arcs.eligibility import RangeRule, counted_distance_squared
from sunglare_server.match.data.options import MatchOptions
from sunglare_server.match.data.scenario import Objective
from sunglare_server.match.dice import Dice
from sunglare_server.match.events.space import Event
from sunglare_server.match.ids import PieceId
from sunglare_server.match.truth.truth import ShipTruth, Truth

Granted = tuple[object, ...]
"""What is granted, in an order of its own; only compared with its like."""

Holds = dict[Side, dict[PieceId, Fix]]
"""Who holds whom on which rung."""


@final
class Window(msgspec.Struct, frozen=True, kw_only=True):
    """A window that has closed: the truth around it, the orders, and what else decides.

    `scanning` lists the sides whose scans it resolved, in that order; `attacks` the shots as
    shooter, weapon and target, `shells` those of ground units and `batteries` their fire into
    space; `requests` those for data as asker and target, `inquiries` those about tokens;
    `objectives` are those of the audience that is asked about, `decisive` those of all sides that
    end the match. `is_last` says that SCAN closed with the window; `happened` is what came of it
    all for agents. `granted` keeps what was worked out of it for each audience.
    """

    before: Truth
    after: Truth
    phase: Phase
    scanning: tuple[Side, ...]
    orders: dict[Side, tuple[Order, ...]]
    attacks: tuple[tuple[PieceId, str, PieceId], ...]
    dice: Dice
    options: MatchOptions
    initiative: tuple[Side, ...] = ()
    shells: tuple[tuple[PieceId, str, PieceId], ...] = ()
    batteries: tuple[tuple[PieceId, str, PieceId], ...] = ()
    happened: tuple[Event, ...] = ()
    requests: tuple[tuple[PieceId, PieceId], ...] = ()
    inquiries: tuple[tuple[PieceId, PieceId], ...] = ()
    is_last: bool = False
    objectives: tuple[Objective, ...] = ()
    values: bool = False
    decisive: tuple[Objective, ...] = ()
    granted: dict[Audience, Granted] = {}

    @property
    def wanted(self) -> list[str | None]:
        """Return the names of the ships that an objective of the audience is to identify."""
        kind = ObjectiveKind.IDENTIFY
        return [objective.piece for objective in self.objectives if objective.kind is kind]


def own_ships(truth: Truth, audience: Audience) -> Granted:
    """Return the audience's own ships."""
    return tuple(ship for ship in truth.ships.values() if audience_of(ship.side) == audience)


def owner_of(truth: Truth, piece: PieceId) -> Side:
    """Return whose a ship or ground unit is."""
    return truth.ground[piece].side if piece in truth.ground else truth.ships[piece].side


def fixes(truth: Truth, audience: Audience, piece: PieceId) -> set[Fix]:
    """Return the rungs on which the audience, or in a duel either side, holds the piece."""
    sides = truth.sides if is_public_of_two(truth, audience) else side_in(audience)
    holds = (truth.holds[side][piece] for side in sides if piece in truth.holds[side])
    return {
        hold.fix for hold in holds if not ((hold.quiet or hold.overhead) and audience == PUBLIC)
    }


def side_in(audience: Audience) -> tuple[Side, ...]:
    """Return the side that the audience is, if it is one."""
    return () if audience in (PUBLIC, OMNI) else (Side(audience),)


def is_public_of_two(truth: Truth, audience: Audience) -> bool:
    """Return whether the audience is the public feed of a match of two sides."""
    return audience == PUBLIC and len(truth.sides) == 2


def motion(ship: ShipTruth) -> tuple[object, ...]:
    """Return where a ship is and how it moves."""
    return ship.id, ship.square, ship.vector, ship.facing


def place(ship: ShipTruth) -> Place:
    """Return where a ship is for lines of sight."""
    return Place(Square(*ship.square), ship.landing)


def counted(truth: Truth, shooter: ShipTruth, target: ShipTruth) -> int:
    """Return the squared distance that a shot counts: long at the cloaked, but with a solution."""
    apart = shooter.square.distance_squared(target.square)
    fix = truth.hunt_fix(shooter.side, target)
    if not target.cloaked or fix is Fix.SOLUTION:
        return apart
    # Of a ship that is no more than detected neither size nor facing is known.
    unknown = GridBase(BaseSize.SMALL, target.square, Compass.N)
    observer = GridBase(shooter.type.size, shooter.square, shooter.facing)
    if grid_lie(observer, unknown).is_beneath:
        apart = 0
    long = counted_distance_squared(RangeRule.LONG, apart)
    assert long is not None
    return long
