"""Scenes of the full screen: a match that is played, one that is watched, or a replay."""

from typing import Literal, NamedTuple, Protocol, final

from sunglare_client.fullscreen.pointing.pointing import Pointer
from sunglare_client.map.cells import Overlay
from sunglare_client.map.passage import Passage
from sunglare_client.map.sight import Sight
from sunglare_protocol.ids import OwnId
from sunglare_protocol.orders import Order, Scan
from sunglare_protocol.surface import Cell, Site
from sunglare_protocol.views import TruthView, View

ENTER = "Enter: "
"""What stands before the command that Enter gives."""

Occasion = Literal["match", "watch", "replay", "lobby"]
"""What a screen shows."""


@final
class MapLook(NamedTuple):
    """How the map is wanted: what has to be in sight, at which scale, with what lies over it.

    Without a `zoom` it is as large as leaves the whole board next to the panels. With a `site` its
    surface map is wanted instead, with `cells` of it marked, with `rows` these.
    """

    zoom: int | None = None
    sight: Sight = Sight()
    scan: Scan | None = None
    arcs: OwnId | None = None
    over: Overlay = ()
    site: Site | None = None
    cells: tuple[Cell, ...] = ()
    rows: tuple[str, ...] = ()


@final
class Panel(NamedTuple):
    """Lines with a title."""

    title: str
    lines: list[str]


class Scene(Protocol):
    """What there is to see now, and what a key or a click means there.

    Every method gives what stands now, and changes nothing. Where one `points`, the arrows move a
    pointer, and Enter gives the command that it means; elsewhere they are keys like others.
    The `occasion` is what there is to see, which the row of keys goes by. Results are what came
    with the newest `page`, or since the last command; there are none on page 0.
    """

    points: bool
    occasion: Occasion

    @property
    def page(self) -> int:
        """Return the number of the page that is shown, above 0 if its lines are results."""
        ...

    def heading(self) -> str:
        """Return what is shown and where it stands, as one line."""
        ...

    def clock(self) -> str:
        """Return how much time is left, as a few words; empty without a clock."""
        ...

    def view(self) -> View | TruthView | None:
        """Return what is drawn; None while there is nothing."""
        ...

    def plan(self) -> tuple[Order, ...]:
        """Return the orders given so far; none for a spectator."""
        ...

    def given(self) -> tuple[Order, ...]:
        """Return those of them that the player has given, with which another must agree."""
        ...

    def look(self, pointer: Pointer | None) -> MapLook:
        """Return how the map is wanted."""
        ...

    def panels(self) -> list[Panel]:
        """Return the lists, each of which says so if it is empty."""
        ...

    def card(self, pointer: Pointer | None) -> Panel:
        """Return what is known of the place that is pointed at, and what acting there means."""
        ...

    def line_at(self, pointer: Pointer) -> str:
        """Return the command that Enter gives there, taken or refused; empty if it means none."""
        ...

    def line_of_row(self, row: int) -> str:
        """Return the command that a click on a row means, where rows stand instead of a map."""
        ...

    def hint(self, pointer: Pointer | None, width: int) -> str:
        """Return the row above the line while the map has the keys."""
        ...

    def complete(self, line: str) -> list[str]:
        """Return what the last word of a line that is being typed may become."""
        ...

    def passage(self) -> Passage | None:
        """Return what led to what is shown, the same one as long as that is; None to show none."""
        ...

    def keys(self) -> dict[str, str]:
        """Return the commands of single keys, while the map has the keys."""
        ...

    def taking_back(self) -> str:
        """Return the command of Escape while something may be taken back; empty otherwise."""
        ...
