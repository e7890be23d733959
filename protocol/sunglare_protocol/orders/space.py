"""The orders a seat may give, each a tagged map; `t` names the kind.

PLOT takes `deploy` (turn 1), `turn`, `thrust`, `power`, `sensors`, `cloak`, `rotate`, `land`,
`lift`, `launch` and `aim`; SCAN takes `scan`; DETECT takes `listen`, `sweep` and `probe`;
ENGAGE takes `fire`, `hold` and `defend`. Those for ground units stand in `ground`,
those for agents and searches in `agents`.
"""

from typing import Annotated, final

import msgspec

from sunglare_protocol.geometry import Compass, Landing, Square, Vector
from sunglare_protocol.ids import Handle
from sunglare_protocol.orders.agents import AgentOrder
from sunglare_protocol.orders.base import OrderBase, ShortName
from sunglare_protocol.orders.ground import GroundOrder
from sunglare_protocol.surface import Cell, Site
from sunglare_protocol.words.armament import DefencePolicy, Launchable, SystemAim
from sunglare_protocol.words.pieces import Arc
from sunglare_protocol.words.scans import ScanSize, ScanType

__all__ = [
    "Aim",
    "Bombard",
    "Cloak",
    "Defend",
    "Deploy",
    "DetectOrder",
    "Fire",
    "Hold",
    "Land",
    "Launch",
    "Lift",
    "Listen",
    "Order",
    "PlotOrder",
    "Power",
    "Probe",
    "Rotate",
    "Scan",
    "Sensors",
    "Steps",
    "Sweep",
    "Thrust",
    "Turn",
]

Steps = Annotated[int, msgspec.Meta(ge=-4, le=4)]
"""Turns of 45 degrees, clockwise above zero."""


@final
class Deploy(OrderBase, frozen=True, tag="deploy"):
    """Put an own ship on a square of the set-up zone, before anything moves in turn 1.

    `cloaked` says how it starts; without it, as the scenario has it.
    """

    at: Square
    vector: Vector = Vector(0, 0)
    facing: Compass = Compass.N
    landed: Landing | None = None
    cloaked: bool | None = None


@final
class Turn(OrderBase, frozen=True, tag="turn"):
    """Turn the ship after it has drifted."""

    steps: Steps


@final
class Thrust(OrderBase, frozen=True, tag="thrust"):
    """Spend thrust points after the turn, each one square into the facing or 45 degrees off it."""

    to: Annotated[tuple[Compass, ...], msgspec.Meta(max_length=16)]


@final
class Power(OrderBase, frozen=True, tag="power"):
    """Switch the power plant: off at once, on from the next turn's movement.

    `ecm` switches the ship's jammer too, at once; without it the jammer stays as it is. Of a
    ground unit it is the jammer alone, with `on` true.
    """

    on: bool
    ecm: bool | None = None


@final
class Sensors(OrderBase, frozen=True, tag="sensors"):
    """Pop the hull sensors out or fold them, at once."""

    out: bool


@final
class Cloak(OrderBase, frozen=True, tag="cloak"):
    """Cloak the ship or show it again, from the start of this turn's movement on."""

    on: bool


@final
class Rotate(OrderBase, frozen=True, tag="rotate"):
    """Point a turret indicator at another standard arc (double: at the other pair)."""

    turret: ShortName
    to: Arc


@final
class Land(OrderBase, frozen=True, tag="land"):
    """Land on an asteroid (name the sector) or a planet (name the environs).

    On a planet a cell of the surface map may be named, else it is the middle of the map.
    """

    body: ShortName
    sector: Compass | None = None
    environs: int | None = None
    cell: Cell | None = None


@final
class Lift(OrderBase, frozen=True, tag="lift"):
    """Lift off from the body on which the ship stands."""


@final
class Launch(OrderBase, frozen=True, tag="launch"):
    """Launch missiles from a launcher at a square, fighters aboard, or a remote sensor.

    A volley launched `cold` drifts in its first turn instead of burning. A remote sensor starts
    where the ship's move ends, and drifts as it does. A ground unit launches remote sensors
    alone; one lies where its move ends.
    """

    what: Launchable
    weapon: ShortName = ""
    at: Square | None = None
    cold: bool = False


@final
class Aim(OrderBase, frozen=True, tag="aim"):
    """Send a volley in space to another square."""

    at: Square


@final
class Scan(OrderBase, frozen=True, tag="scan"):
    """Scan an area around a box (named, as in `E4`) or, for the square sizes, a square.

    `sense` asks for the Sense roll that turns contacts into tracks.
    """

    type: ScanType
    size: ScanSize
    at: ShortName | Square
    sense: bool = False


@final
class Probe(OrderBase, frozen=True, tag="probe"):
    """Ask for the data of a piece that is held and identified: one request a piece and turn.

    A ground unit asks about a token of its map, a ship about what is held in space and, landed,
    about a token as well.
    """

    at: Handle


@final
class Listen(OrderBase, frozen=True, tag="listen"):
    """Listen for cloaked ships, as every ship does by default, or do not."""

    on: bool = True


@final
class Sweep(OrderBase, frozen=True, tag="sweep"):
    """Sweep for cloaked ships: all sides hear where the sweeping ship is."""


@final
class Fire(OrderBase, frozen=True, tag="fire"):
    """Fire one weapon at a piece that is held well enough; a volley attacks like this too.

    A nova gun names no target, it fires along the facing. A needle beam may name a system. A
    ground unit attacks a token of its map, with a battery what is held in space. Its designator,
    the weapon `TAG` or `LTAG`, is put on a `point`: the middle of a cell of its map.
    """

    weapon: ShortName
    at: Handle | None = None
    system: SystemAim | None = None
    point: Cell | None = None


@final
class Bombard(OrderBase, frozen=True, tag="bombard"):
    """Fire a capital weapon at a point of a surface map: the middle of a cell, seen or not.

    A ship in the planet's well does it from above; a landed ship and a ground unit send
    missiles, which come down in a later turn.
    """

    weapon: ShortName
    at: Site
    cell: Cell


@final
class Hold(OrderBase, frozen=True, tag="hold"):
    """Hold a dumb weapon for the nearest cloaked ship that fires and that it can hit."""

    weapon: ShortName


@final
class Defend(OrderBase, frozen=True, tag="defend"):
    """Say what the ship's point defence does this turn; without a word it does all it can."""

    policy: DefencePolicy


DetectOrder = Listen | Sweep
"""The orders of the DETECT window."""

PlotOrder = Deploy | Turn | Thrust | Power | Sensors | Cloak | Rotate | Land | Lift | Launch | Aim
"""The orders of the PLOT window."""

Order = (
    PlotOrder
    | Scan
    | DetectOrder
    | Probe
    | Fire
    | Hold
    | Bombard
    | Defend
    | GroundOrder
    | AgentOrder
)
"""Every order there is."""
