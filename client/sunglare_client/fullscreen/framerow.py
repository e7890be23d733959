"""The row below the map: what lies beyond its edges, and the key for the whole record."""

from typing import Final, final

from rich.segment import Segment
from textual.strip import Strip
from textual.widget import Widget

from sunglare_client.fullscreen.boardmap import BoardMap
from sunglare_client.fullscreen.palette import Palette

WHOLE_RECORD: Final = "F3 all of the record"
"""What stands above a record of which only some rows are in sight."""


@final
class FrameRow(Widget):
    """A rule with what the map does not show; `parts` it from a record that stands below it."""

    def __init__(
        self,
        palette: Palette,
        board: BoardMap,
        *,
        ascii_only: bool,
        id: str,  # noqa: A002 - the name that widgets have for it
    ) -> None:
        """Keep the map."""
        super().__init__(id=id)
        self.parts = False
        self._palette = palette
        self._board = board
        self._rule = "-" if ascii_only else "─"

    def render_line(self, y: int) -> Strip:
        """Return the row as it is drawn."""
        del y
        rule, width = self._rule, self.size.width
        end = f" {WHOLE_RECORD} {rule}" if self.parts else ""
        unseen = self._board.unseen(width - len(end) - 4)
        begin = f"{rule} {unseen} " if unseen else rule
        return Strip([Segment(f"{begin:{rule}<{width - len(end)}}{end}", self._palette.faint)])
