"""A raid of two raiders on orlog, up to its turn 14, for the tests of those bots."""

from typing import NamedTuple, final

from builders.botmatches import fought
from builders.matches import view_of
from builders.matchstore import stored
from builders.played import Rig, read
from sunglare_protocol.ids import Side, WindowId, audience_of
from sunglare_protocol.views import View
from sunglare_server.match.record import OrdersGiven

TURNS = 14
A, B = Side("A"), Side("B")


@final
class Glance(NamedTuple):
    """What the two sides saw when a window of the raid had closed."""

    window: WindowId
    a: View
    b: View

    @property
    def turn(self) -> int:
        """Return the turn of the window that closed."""
        return turn_of(self.window)


@final
class Raid(NamedTuple):
    """The windows of the raid in their order, and the kinds of order of each turn."""

    windows: tuple[Glance, ...]
    ordered: tuple[tuple[int, str], ...]


def turn_of(window: WindowId) -> int:
    """Return the turn of a window."""
    return int(window.partition(".")[0])


@stored(Raid)
def raid(turns: int = TURNS) -> Raid:
    """Return so many turns of the raid; no order in it was refused."""
    windows: list[Glance] = []

    def watch(window: WindowId, match: Rig) -> None:
        a, b = (view_of(match.state, audience_of(side)) for side in (A, B))
        windows.append(Glance(window, a, b))

    match, _ = fought("orlog", 3, "raider", "raider", watch=watch, turns_most=turns)
    ordered = {
        (turn_of(record.b.window), type(order).__name__)
        for record, _ in read(match.journal)
        if isinstance(record.b, OrdersGiven)
        for order in record.b.orders
    }
    return Raid(tuple(windows), tuple(sorted(ordered)))
