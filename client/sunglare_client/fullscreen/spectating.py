"""A match that is watched without a seat, as the full screen shows it."""

import asyncio
from typing import Final, final

from sunglare_client.fullscreen.pointing.pointing import Pointer
from sunglare_client.fullscreen.scene import MapLook, Occasion, Panel
from sunglare_client.fullscreen.stage import Stage
from sunglare_client.link.connection import Connection
from sunglare_client.map.layers import overlay
from sunglare_client.map.marks import marks_of
from sunglare_client.map.passage import Passage, passage
from sunglare_client.map.sight import Sight, told_squares
from sunglare_client.spectating.spectators import follows, leaves, told_of
from sunglare_client.spectating.watching import Watcher
from sunglare_client.terminal.owned import draw_ground, draw_own
from sunglare_client.text.lists.brief import contacts_brief, own_brief
from sunglare_client.text.lists.space import draw_contacts, draw_pieces
from sunglare_client.text.places import place_text
from sunglare_protocol.errors import SunglareError
from sunglare_protocol.ids import PUBLIC, Audience, MatchId, is_of_side
from sunglare_protocol.messages import Frame
from sunglare_protocol.orders import Order
from sunglare_protocol.views import TruthView, View

LEAVE: Final = "* That was all. Enter leaves."
"""What is said once nothing more can be watched."""

LEGEND: Final = "legend"
"""The command that names the shapes on the map."""

_ZOOMS: Final = {"zoom 0": 0, "zoom 1": 1, "zoom 2": 2, "zoom fit": None}
_WORDS: Final = f"There are: {', '.join(_ZOOMS)}, {LEGEND}, quit."


@final
class Spectating:
    """What a feed shows of a match, by its newest frame."""

    def __init__(self, feed: Audience) -> None:
        """Show nothing yet."""
        self.points = False
        self.occasion: Occasion = "watch"
        self.page = 0
        self.zoom: int | None = None
        self.is_over = False
        self.following: MatchId | None = None
        self._feed = feed
        self._frame: Frame | None = None
        self._sight = Sight()
        self._passage: Passage | None = None

    def take(self, frame: Frame) -> None:
        """Show this frame from now on, with what it reports in sight."""
        before, self._frame = self._frame, frame
        self.page += 1
        self._sight = self._sight.led(*told_squares(frame))
        self._passage = None if before is None else passage(before.view, frame.view, frame.notices)

    def heading(self) -> str:
        """Return the feed with turn and window."""
        whose = "what everybody knows" if self._feed == PUBLIC else f"feed {self._feed}"
        if self._frame is None:
            return f"WATCH  {whose}"
        stage = self._frame.view.stage
        return f"WATCH  {whose}  T{stage.turn} {stage.phase.value.upper()}"

    def clock(self) -> str:
        """Return nothing: spectators are late, and the clocks are those of others."""
        return ""

    def view(self) -> View | TruthView | None:
        """Return the newest view."""
        return None if self._frame is None else self._frame.view

    def plan(self) -> tuple[Order, ...]:
        """Return nothing: no player is here."""
        return ()

    def given(self) -> tuple[Order, ...]:
        """Return nothing: no player is here."""
        return ()

    def look(self, pointer: Pointer | None) -> MapLook:
        """Return the map as it was asked for."""
        del pointer
        view = self.view()
        ghosts = isinstance(view, View) and is_of_side(view.audience)
        over = overlay(view, (), ("ghosts",)) if ghosts and isinstance(view, View) else ()
        return MapLook(zoom=self.zoom, sight=self._sight, over=over)

    def panels(self) -> list[Panel]:
        """Return the pieces of the feed."""
        return [Panel("Pieces", self._pieces())]

    def card(self, pointer: Pointer | None) -> Panel:
        """Return what the feed has of a square; nothing before one is clicked."""
        view = self.view()
        if view is None or pointer is None:
            return Panel("Here", [])
        names = [mark.label for mark in marks_of(view) if mark.square == pointer.square]
        rows = [row for row in self._rows(view) if row.split()[:1] and row.split()[0] in names]
        return Panel("Here", [place_text(pointer.square), *(rows or ["nothing known here"])])

    def line_at(self, pointer: Pointer) -> str:
        """Return nothing: who watches gives no orders."""
        del pointer
        return ""

    def line_of_row(self, row: int) -> str:
        """Return nothing: it is a map that is shown."""
        del row
        return ""

    def hint(self, pointer: Pointer | None, width: int) -> str:
        """Return what the keys of a spectator are for."""
        del pointer, width
        return "watching: the board follows the match; click on a place to see what is known"

    def complete(self, line: str) -> list[str]:
        """Return the words of a spectator that begin so."""
        words = {command.split()[0]: None for command in (*_ZOOMS, LEGEND, "quit")}
        return [word for word in words if " " not in line and word.startswith(line)]

    def taking_back(self) -> str:
        """Return nothing: nothing here waits to be done."""
        return ""

    def passage(self) -> Passage | None:
        """Return what happened since the frame before."""
        return self._passage

    def keys(self) -> dict[str, str]:
        """Return the commands of single keys."""
        return {
            "q": "quit",
            "z": "zoom fit" if self.zoom == 0 else "zoom 0",
            "question_mark": LEGEND,
        }

    def _pieces(self) -> list[str]:
        view = self.view()
        if view is None:
            return ["nothing was shown yet"]
        if isinstance(view, TruthView):
            return draw_pieces(view)
        if not is_of_side(view.audience):
            return ["of the pieces nothing is public"]
        return ["yours:", *own_brief(view), "contacts:", *contacts_brief(view)]

    def _rows(self, view: View | TruthView) -> list[str]:
        if isinstance(view, TruthView):
            return draw_pieces(view)
        return [*draw_own(view), *draw_ground(view), *draw_contacts(view)]


async def watch_on_stage(
    stage: Stage,
    connection: Connection,
    match: MatchId,
    feed: Audience,
    code: str | None = None,
) -> None:
    """Watch a match, and what is public of each rematch that the spectator wants to see.

    A private match and its rematches have one `code`.
    """
    following: MatchId | None = match
    while following is not None:
        watcher = Watcher(connection, following, feed, stage, code=code)
        try:
            following = await watch_on(stage, watcher, Spectating(feed))
        except BaseException:
            await watcher.close()
            raise
        connection, feed = watcher.connection, PUBLIC
    await connection.close()


async def watch_on(stage: Stage, watcher: Watcher, scene: Spectating) -> MatchId | None:
    """Watch a match on a stage until its end, and until the spectator leaves.

    Return the rematch if that is to be watched.
    """
    stage.scene = scene
    stage.draw()
    stage.give_map()
    watching = asyncio.create_task(_watched(stage, watcher, scene))
    try:
        async for line in stage.lines():
            if leaves(line, is_over=scene.is_over):
                break
            if follows(line) and scene.following is not None:
                return scene.following
            words = line.strip().lower()
            scene.zoom = _ZOOMS.get(words, scene.zoom)
            known = stage.legend() if words == LEGEND else []
            stage.show(known if words in (*_ZOOMS, LEGEND, "") else [_WORDS])
            stage.draw()
    finally:
        watching.cancel()
        await asyncio.gather(watching, return_exceptions=True)
    if not watching.cancelled():
        watching.result()
    return None


async def _watched(stage: Stage, watcher: Watcher, scene: Spectating) -> None:
    try:
        await watcher.watch(scene.take)
        scene.is_over = True
        scene.following = await told_of(watcher, stage)
    except SunglareError:
        scene.is_over = True
        stage.show([LEAVE])
        raise
    finally:
        stage.draw()
