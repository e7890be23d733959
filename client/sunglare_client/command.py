"""Commands that a typed line turns into: orders to add or take back, an act, or a problem."""

from typing import Final, NamedTuple

from sunglare_protocol.geometry import Square
from sunglare_protocol.ids import OMNI, Audience, OwnId, Side
from sunglare_protocol.orders import Order, Scan
from sunglare_protocol.surface import Site
from sunglare_rules.advice.plans.routes import Goal

Plan = tuple[Order, ...]
"""The orders of one window, as they will be sent."""


class Give(NamedTuple):
    """Orders to add to the plan; each replaces the one it contradicts. `remark` is for people."""

    orders: tuple[Order, ...]
    remark: str = ""


class Clear(NamedTuple):
    """Take a ship's orders of these kinds back; no kinds means all of them."""

    ship: OwnId
    kinds: tuple[type[Order], ...] = ()
    remark: str = ""


class Travel(NamedTuple):
    """Send a ship on its way, over several turns if need be: to a square, or to a landing."""

    ship: OwnId
    goal: Goal


class HoldAll(NamedTuple):
    """Hold every free dumb weapon in each ENGAGE from now on, or no longer."""

    on: bool


class Again(NamedTuple):
    """Give the orders of this window in the last turn again, as far as they can stand."""


class Preview(NamedTuple):
    """Show what all others would learn from a scan."""

    scan: Scan


class Weigh(NamedTuple):
    """Show the chances of an order, or what it brings."""

    order: Order


FIT: Final = -1
"""The scale at which the whole width of the board fits."""


class ShowMap(NamedTuple):
    """Draw the map, perhaps around another square or at another scale from now on.

    With `legend` name the shapes on it instead.
    With an own ship's firing arcs, this once. From now on `layer` is drawn or not, as `is_on`
    says, or the other way round if that is None.
    """

    focus: Square | None = None
    zoom: int | None = None
    ship: OwnId | None = None
    layer: str = ""
    is_on: bool | None = None
    legend: bool = False


class ShowSurface(NamedTuple):
    """Draw a surface map."""

    site: Site


class Act(NamedTuple):
    """Do what the verb `deed` says that is no order; `text` is what was named.

    `sure` says that a grave command was confirmed, and that others were not called off. `side` is
    whom it is about, `feed` the feed of a grant.
    """

    deed: str
    text: str = ""
    sure: bool = False
    side: Side = Side("")
    feed: Audience = OMNI


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


Wanted = Travel | HoldAll | Again
"""What reaches beyond the open window, or goes back to the turn before."""

Planned = Give | Clear | Wanted
"""What changes the plan."""

Command = Planned | Preview | Weigh | ShowMap | ShowSurface | Act
"""Everything that a line can ask for."""


def choices_text(choices: tuple[str, ...]) -> str:
    """Return the words that would do as a sentence; empty without any."""
    return f"Choices: {', '.join(choices)}." if choices else ""
