"""The middle of the full screen: map and frame, lists, card and record, each in its place."""

from typing import Final, final

from textual.app import ComposeResult
from textual.containers import Container
from textual.geometry import Region

from sunglare_client.fullscreen.boardmap import BoardMap
from sunglare_client.fullscreen.framerow import FrameRow
from sunglare_client.fullscreen.layout import BESIDE_FROM, Needs, Places, placed
from sunglare_client.fullscreen.palette import Palette
from sunglare_client.fullscreen.pane import Pane, rows_at
from sunglare_client.fullscreen.pointing.pointing import Pointer
from sunglare_client.fullscreen.results import Results
from sunglare_client.fullscreen.scene import MapLook, Panel
from sunglare_client.fullscreen.stage import Redraw
from sunglare_protocol.geometry import Board
from sunglare_protocol.views import TruthView, View

RECORD_MOST: Final = 1_000
"""So many lines of the record are kept, the newest."""

LISTED_ACROSS: Final = 40
"""As many squares have room where lists stand instead of a map."""


@final
class Middle(Container):
    """Everything between the top row and the line that one types."""

    def __init__(
        self,
        palette: Palette,
        redraw: Redraw,
        *,
        ascii_only: bool,
        id: str,  # noqa: A002 - the name that widgets have for it
    ) -> None:
        """Make the parts, all of them empty; `redraw` draws them for another size."""
        super().__init__(id=id)
        self._redraw = redraw
        self.board = BoardMap(palette, ascii_only=ascii_only, id="map")
        self.frame = FrameRow(palette, self.board, ascii_only=ascii_only, id="frame")
        self.lists = Pane("Pieces", palette, ascii_only=ascii_only, id="lists")
        self.card = Pane("Here", palette, ascii_only=ascii_only, id="card")
        self.record = Pane("Record", palette, follows=True, ascii_only=ascii_only, id="record")
        self.results = Results()
        self._list = 0
        self._page = 0
        self._shown = Panel("", [])
        self._holds = False
        self._has_tall_record = False
        self._is_reading = False
        self._places: Places | None = None

    def on_resize(self) -> None:
        """Draw everything for another size."""
        self._redraw()

    def on_map_resized(self) -> None:
        """Draw the frame of a map that has another size."""
        self.frame.refresh()

    def compose(self) -> ComposeResult:
        """Return the parts."""
        yield from (self.board, self.frame, self.lists, self.card, self.record)

    def tell(self, lines: list[str], page: int) -> None:
        """Add lines to the record; they are results until the next command or page.

        On page 0 nothing is kept as a result.
        """
        self.record.add(lines, RECORD_MOST)
        if page != self._page or not page:
            self.results.close()
        self._page = page
        self.results.add(lines if page else [])

    def turn_list(self) -> None:
        """Show the next list, or the same again if results stood in its place."""
        self._list += 0 if self._holds else 1
        self.results.close()

    def read(self, lines: list[str]) -> None:
        """Show a text on a large record from its first line on, until the reading ends."""
        self.record.add(lines, RECORD_MOST, from_first=True)
        self._is_reading = True

    def end_reading(self) -> None:
        """Fold a record that was large for a text."""
        self._is_reading = False

    def grow_record(self) -> None:
        """Give the record most of the screen, or take it back."""
        self._has_tall_record = not (self._has_tall_record or self._is_reading)
        self._is_reading = False

    @property
    def _is_tall(self) -> bool:
        return self._has_tall_record or self._is_reading

    def take_lists(self, panels: list[Panel]) -> None:
        """Show these lists from now on, one at a time."""
        self._list %= len(panels)
        shown = panels[self._list]
        self._shown = shown._replace(
            title=f"{shown.title} ({self._list + 1} of {len(panels)}, F2)"
        )

    def draw(
        self,
        view: View | TruthView | None,
        look: MapLook,
        pointer: Pointer | None,
        card: Panel,
        *,
        is_pointing: bool,
    ) -> None:
        """Draw the map, what is known of the place that is pointed at, and the list or results."""
        self.card.show(card.title, card.lines)
        is_told = pointer is not None or self.size.width >= BESIDE_FROM
        has_card = is_pointing and is_told and bool(card.lines)
        board = None if view is None else view.board
        needs = self._needs(board, look.zoom)._replace(card=has_card)
        places = placed(self.size, needs)
        held = None if self._is_tall else self._held(places.record)
        self._holds = held is not None
        shown = held or self._shown
        self.lists.show(shown.title, shown.lines)
        self._put(placed(self.size, needs._replace(results=self._holds)))
        self.board.show(view, look, pointer)
        self.frame.refresh()

    def scroll_rows(self, way: int, *, is_pointing: bool) -> None:
        """Go a page through results that do not fit, else the card or the record."""
        has_card = is_pointing and self.card.display
        pane = self.lists if self._holds else self.card if has_card else self.record
        pane.scroll_rows(way * max(pane.size.height - 2, 1))

    def _needs(self, board: Board | None, zoom: int | None) -> Needs:
        needs = Needs(
            across=LISTED_ACROSS if board is None else board.area.east + 1,
            down=LISTED_ACROSS if board is None else board.area.south + 1,
            zoom=zoom,
            record=self._is_tall,
        )
        width = placed(self.size, needs).lists.width - 1
        return needs._replace(lists=1 + rows_at(self._shown.lines, width))

    def _held(self, record: Region) -> Panel | None:
        """Return the results that have no room in a record of that size, if there are such."""
        titles = 1 if record.x else 0
        return self.results.panel(record.width, record.height - titles)

    def _put(self, places: Places) -> None:
        """Put each part in its place, if that is another one than before."""
        if places == self._places or not self.size:
            return
        self._places = places
        self.frame.parts = places.record.x == 0
        self.record.is_titled = not self.frame.parts
        parts = (self.board, self.frame, self.lists, self.card, self.record)
        for part, region in zip(parts, places, strict=True):
            part.display = region.height > 0
            part.styles.offset = region.offset
            part.styles.width, part.styles.height = region.size
