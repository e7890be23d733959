"""A replay, as the full screen shows it: from its viewer alone."""

from typing import Final, final

from sunglare_client.fullscreen.pointing.pointing import Pointer
from sunglare_client.fullscreen.scene import MapLook, Occasion, Panel
from sunglare_client.fullscreen.stage import Stage
from sunglare_client.map.cells import Overlay
from sunglare_client.map.layers import overlay
from sunglare_client.map.marks import marks_of
from sunglare_client.map.passage import Passage, passage
from sunglare_client.replays.recording import Recording, sensible
from sunglare_client.replays.telling import eyes_text
from sunglare_client.replays.verbs import ROWS, Leave, obey
from sunglare_client.replays.viewer import Viewer
from sunglare_client.terminal.screen import CTRL_D
from sunglare_client.text.places import place_text
from sunglare_protocol.errors import SunglareError
from sunglare_protocol.ids import is_of_side
from sunglare_protocol.orders import Order
from sunglare_protocol.replay.values import ReplayError
from sunglare_protocol.views import TruthView, View

_MARKS: Final = {
    "turning point": "!",
    "destroyed": "x",
    "damage": "*",
    "tracked": "C",
    "contact": "c",
}
"""How moments stand on the timeline, the weightiest first."""

_KEYS: Final = {
    "right": "next",
    "left": "back",
    "right_square_bracket": "moment next",
    "left_square_bracket": "moment back",
    "home": "first",
    "end": "last",
    "m": "moments",
    "p": "pieces",
    "s": "surface",
    "q": "quit",
    "question_mark": "legend",
}


@final
class Replaying:
    """What a viewer shows of a replay."""

    def __init__(self, viewer: Viewer) -> None:
        """Show this viewer's replay."""
        self.points = False
        self.occasion: Occasion = "replay"
        self.page = 0
        self._viewer = viewer
        self._passed: tuple[object, Passage | None] = (None, None)

    def heading(self) -> str:
        """Return which replay it is, its turn and window, and whose eyes."""
        viewer = self._viewer
        here = viewer.recording.steps[viewer.index]
        eyes = eyes_text(viewer.recording, viewer.eyes)
        return f"REPLAY {viewer.recording.title}  T{here.turn} {here.window}  eyes: {eyes}"

    def clock(self) -> str:
        """Return which window of how many is shown."""
        return f"{self._viewer.index + 1}/{len(self._viewer.recording.steps)}"

    def view(self) -> View | TruthView | None:
        """Return what those eyes saw; None where the file makes no sense of it."""
        try:
            with sensible():
                frame = self._viewer.frame()
        except ReplayError:
            return None
        return None if frame is None else frame.view

    def plan(self) -> tuple[Order, ...]:
        """Return nothing: no player is here."""
        return ()

    def given(self) -> tuple[Order, ...]:
        """Return nothing: no player is here."""
        return ()

    def look(self, pointer: Pointer | None) -> MapLook:
        """Return the map as it was asked for last."""
        del pointer
        zoom = None if self._viewer.zoom == 1 else self._viewer.zoom
        return MapLook(zoom=zoom, sight=self._viewer.sight, over=self._ghosts())

    def _ghosts(self) -> Overlay:
        view = self.view()
        if not isinstance(view, View) or not is_of_side(view.audience):
            return ()
        try:
            return overlay(view, (), ("ghosts",))
        except (SunglareError, ValueError):  # what a file says may be nonsense
            return ()

    def panels(self) -> list[Panel]:
        """Return the story of the window, the pieces, whose eyes there are, and the moments."""
        viewer = self._viewer
        return [
            Panel("Story", viewer.story_lines()[1:] or ["nothing was told of this window"]),
            Panel("Pieces", viewer.piece_lines()),
            Panel("Eyes", viewer.eyes_lines()),
            Panel("Key moments", viewer.moment_lines()),
        ]

    def card(self, pointer: Pointer | None) -> Panel:
        """Return what these eyes knew of a square, else the pieces they knew."""
        view = self.view()
        if pointer is None or view is None:
            return Panel("Pieces", self._viewer.piece_lines())
        names = [mark.label for mark in marks_of(view) if mark.square == pointer.square]
        rows = [row for row in self._viewer.piece_lines() if _names_any(row, names)]
        return Panel("Here", [place_text(pointer.square), *(rows or ["nothing known here"])])

    def line_at(self, pointer: Pointer) -> str:
        """Return the command that draws the map around that square."""
        return f"map {pointer.square.x},{pointer.square.y}"

    def line_of_row(self, row: int) -> str:
        """Return nothing: it is a map that is shown."""
        del row
        return ""

    def hint(self, pointer: Pointer | None, width: int) -> str:
        """Return the timeline: where it stands, and the key moments."""
        del pointer
        return timeline(self._viewer, width)

    def complete(self, line: str) -> list[str]:
        """Return the commands that begin so, and of `eyes` whose there are."""
        verb, blank, begun = line.partition(" ")
        if verb == "eyes" and blank:
            return [eyes for eyes in self._viewer.recording.eyes if eyes.startswith(begun)]
        return [row.name for row in ROWS if not blank and row.name.startswith(verb)]

    def taking_back(self) -> str:
        """Return nothing: nothing here waits to be done."""
        return ""

    def passage(self) -> Passage | None:
        """Return what happened in the window by which one has just gone on."""
        viewer = self._viewer
        here = (viewer.eyes, viewer.came_from, viewer.index)
        if self._passed[0] != here:
            self._passed = here, self._between()
        return self._passed[1]

    def _between(self) -> Passage | None:
        viewer = self._viewer
        if viewer.index != viewer.came_from + 1:
            return None
        try:
            with sensible():
                before = viewer.recording.shown_at(viewer.eyes, viewer.came_from)
                after = viewer.frame()
                if before is None or after is None or before is after:
                    return None
                return passage(before.view, after.view, after.notices)
        except (SunglareError, ValueError):  # what a file says may be nonsense
            return None

    def keys(self) -> dict[str, str]:
        """Return the commands of single keys, as it stands now."""
        viewer = self._viewer
        eyes = {str(n): f"eyes {eyes}" for n, eyes in enumerate(viewer.recording.eyes, 1)}
        turns = sorted({step.turn for step in viewer.recording.steps})
        here = turns.index(viewer.recording.steps[viewer.index].turn)
        after, before = turns[min(here + 1, len(turns) - 1)], turns[max(here - 1, 0)]
        zoom = {"z": "zoom 1" if viewer.zoom == 0 else "zoom 0"}
        ways = {"shift+right": f"turn {after}", "shift+left": f"turn {before}"}
        return {**_KEYS, **eyes, **zoom, **ways}


def timeline(viewer: Viewer, width: int) -> str:
    """Return the windows of a replay as one row, with its moments and where it stands."""
    count = len(viewer.recording.steps)
    wide = max(min(width - 2, count), 1)
    row = ["-"] * wide
    for moment in viewer.moments:
        mark = next((_MARKS[kind] for kind in _MARKS if kind in moment.kinds), "")
        at = moment.at * wide // count
        row[at] = min(mark, row[at], key=_weight) if mark else row[at]
    row[viewer.index * wide // count] = "|"
    return f"[{''.join(row)}]"


def _weight(mark: str) -> int:
    return [*_MARKS.values(), "-"].index(mark)


def _names_any(row: str, names: list[str]) -> bool:
    return row.split()[:1] != [] and row.split()[0] in names


async def go_through_on(stage: Stage, recording: Recording, eyes: str, index: int) -> None:
    """Let a person go through a replay on the full screen until they leave."""
    viewer = Viewer(recording, eyes, index, stage)
    stage.scene = Replaying(viewer)
    stage.show([*([recording.fault] if recording.fault else []), *viewer.go(index)])
    stage.draw()
    stage.give_map()
    async for line in stage.lines():
        if line == CTRL_D:
            return
        try:
            stage.show(obey(viewer, line))
        except Leave:
            return
        stage.draw()
