"""What a typed line turns into: orders to add or take back, something to do, or a problem."""

import enum
from typing import NamedTuple

from sunglare_protocol.geometry import Square
from sunglare_protocol.ids import OwnId
from sunglare_protocol.orders import Bombard, Fire, Listen, Order, Scan, Sweep
from sunglare_protocol.orders.agents import Mission, Search, StepOrder
from sunglare_protocol.surface import Site


class Give(NamedTuple):
    """Orders to add to the plan; each replaces the one it contradicts. `remark` is for people."""

    orders: tuple[Order, ...]
    remark: str = ""


class Clear(NamedTuple):
    """Take a ship's orders of these kinds back; no kinds means all of them."""

    ship: OwnId
    kinds: tuple[type[Order], ...] = ()
    remark: str = ""


class Preview(NamedTuple):
    """Show what all others would learn from a scan."""

    scan: Scan


class Weigh(NamedTuple):
    """Show the chances of a shot, a search or a mission, or what a step brings."""

    order: Fire | Bombard | Listen | Sweep | Search | Mission | StepOrder


class ShowMap(NamedTuple):
    """Draw the map, perhaps around another square or at another scale from now on.

    With an own ship's firing arcs, this once.
    """

    focus: Square | None = None
    zoom: int | None = None
    ship: OwnId | None = None


class ShowSurface(NamedTuple):
    """Draw a surface map."""

    site: Site


class Deed(enum.Enum):
    """Commands that are no order; the value is the verb."""

    READY = "ready"
    UNREADY = "unready"
    UNDO = "undo"
    ORDERS = "orders"
    LEGAL = "legal"
    WHY = "why"
    LOOK = "look"
    NOTE = "note"
    CONTACTS = "contacts"
    SHIPS = "ships"
    GOALS = "goals"
    SAY = "say"
    MUTE = "mute"
    PAUSE = "pause"
    DRAW = "draw"
    RESIGN = "resign"
    QUIT = "quit"
    HELP = "help"


class Act(NamedTuple):
    """Do something; `text` is what was named.

    `sure` says that a grave command was confirmed, and that others were not called off.
    """

    deed: Deed
    text: str = ""
    sure: bool = False


class Problem(NamedTuple):
    """What is wrong with a line: a stable code, the fault, what would be right, an example.

    `choices` are the words that would do where one is missing.
    """

    code: str
    wrong: str
    right: str = ""
    example: str = ""
    choices: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        """Return the four parts as one line."""
        parts = [f"{self.code:<9} {self.wrong}", self.right]
        if self.example:
            parts.append(f"e.g. {self.example}")
        return "  ".join(part for part in parts if part)


Command = Give | Clear | Preview | Weigh | ShowMap | ShowSurface | Act
"""Everything that a line can ask for."""
