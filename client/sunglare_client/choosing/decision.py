"""A decision of a window, the candidates for it, and what each piece is after."""

from enum import StrEnum
from typing import Final, NamedTuple, TypeVar, final

from sunglare_client.advice import Advice
from sunglare_client.bots.movement.hunting import Quarry, nearest, quarries
from sunglare_client.bots.sightings.belief import Belief
from sunglare_protocol.geometry import Square
from sunglare_protocol.orders import Order
from sunglare_protocol.views import OwnView
from sunglare_protocol.views.ground import AgentView, GroundView

Piece = OwnView | GroundView | AgentView
Kept = TypeVar("Kept")


@final
class DecisionKind(StrEnum):
    """What a decision is about; those of a window come in this order, then by piece."""

    COURSE = "course"
    SWITCHES = "switches"
    TURRETS = "turrets"
    ORDNANCE = "ordnance"
    SCAN = "scan"
    PROBE = "probe"
    HEARING = "hearing"
    WEAPON = "weapon"
    DEFENCE = "defence"
    GROUND = "ground"
    AGENT = "agent"


KINDS: Final = tuple(DecisionKind)


class Candidate(NamedTuple):
    """Orders of one piece that are legal together by themselves, and what they promise.

    `numbers` are those of `CANDIDATE_NUMBERS` that are not 0, by name, before they are cut to
    the range from -1 to 1.
    """

    orders: tuple[Order, ...]
    numbers: dict[str, float]


class Decision(NamedTuple):
    """A question of the window about one piece, with the answers other than doing nothing."""

    kind: DecisionKind
    piece: Piece
    candidates: tuple[Candidate, ...]


class Goal(NamedTuple):
    """Where a piece wants to be: at the nearest enemy that it knows of, or where one likely is.

    `now` is where that will be after the coming movement, `later` after the one that follows.
    """

    now: Square
    later: Square
    quarry: Quarry | None = None


class Outlook(NamedTuple):
    """A window as its side sees it: the advice on its view, and what it believes of the map."""

    advice: Advice
    belief: Belief

    def goal(self, ship: OwnView) -> Goal:
        """Return what a ship is after."""
        quarry = nearest(ship, quarries(self.advice.view))
        if quarry is None:
            peak = self.belief.peak(ship.square)
            return Goal(peak, peak)
        return Goal(quarry.after_move, quarry.later, quarry)


def thinned(found: list[Kept], most: int) -> list[Kept]:
    """Return at most so many, spread evenly over all; the first and the last are among them."""
    if len(found) <= most:
        return found
    if most < 2:
        return found[:most]
    return [found[place * (len(found) - 1) // (most - 1)] for place in range(most)]
