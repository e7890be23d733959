"""A replay on the screen: which window is shown, through whose eyes.

It draws nothing on a screen; every method returns the lines to show.
"""

from collections.abc import Callable
from functools import cached_property

from sunglare_client.map.chart import Wish
from sunglare_client.map.drawing import draw_wish, legend_of
from sunglare_client.map.marks import square_of
from sunglare_client.map.sight import Sight, told_squares
from sunglare_client.map.surface import draw_surface
from sunglare_client.replays.moments import KeyMoment, moments_of, next_moment
from sunglare_client.replays.recording import Recording, sensible
from sunglare_client.replays.telling import busy_sites, end_lines, eyes_text, note_lines
from sunglare_client.terminal.display import Display
from sunglare_client.terminal.owned import draw_ground, draw_own
from sunglare_client.text.labels import Labels
from sunglare_client.text.lists.space import draw_contacts, draw_pieces
from sunglare_client.text.news import news_line
from sunglare_client.text.story import window_lines
from sunglare_protocol.errors import BoxNameError
from sunglare_protocol.geometry import Board, Square, box_named
from sunglare_protocol.ids import is_of_side
from sunglare_protocol.messages import Frame
from sunglare_protocol.replay.values import ReplayError
from sunglare_protocol.views import TruthView, View

Lines = list[str]

Draw = Callable[[Frame], Lines]
"""Draws a frame."""


class Viewer:
    """One replay, and the moment of it that is shown on a screen of some size."""

    def __init__(self, recording: Recording, eyes: str, index: int, screen: Display) -> None:
        """Begin at a step, through the eyes of an audience that the replay has."""
        self.recording = recording
        self.eyes = eyes
        self.index = self.came_from = index
        self.zoom = 1
        self._screen = screen
        self.focus: Square | None = None
        self.sight = Sight()
        self._labels: dict[str, Labels] = {}

    def go(self, index: int) -> Lines:
        """Go to a step, at most to the first or the last one; return its story and its map."""
        last = len(self.recording.steps) - 1
        edge = ["That was the last window."] if index > last else []
        edge += ["This is the first window."] if index < 0 else []
        self.came_from, self.index = self.index, min(max(index, 0), last)
        self._guarded(self._tell_squares)
        return [*self.story_lines(), *self.map_lines(), *edge]

    def go_to_moment(self, direction: int) -> Lines:
        """Go to the next key moment, or with -1 to the one before."""
        moment = next_moment(self.moments, self.index, direction)
        if moment is None:
            return [
                f"There is no key moment {'after' if direction > 0 else 'before'} this window."
            ]
        return [f"key moment: {', '.join(moment.kinds)}", *self.go(moment.at)]

    def look_through(self, eyes: str) -> Lines:
        """Show the same moment through other eyes."""
        self.eyes = eyes
        return self.go(self.index)

    def focus_on(self, place: str) -> bool:
        """Have the map drawn around a piece, a body, a box or a square; False if there is none."""
        frame = self.frame()
        found = None if frame is None else _place(frame.view, place)
        self.focus = found or self.focus
        self.sight = self.sight if found is None else self.sight.led(found, centred=True)
        return found is not None

    def story_lines(self) -> Lines:
        """Return where this is, and what these eyes saw of the window before."""
        return [self._heading(), *self._guarded(self._story)]

    def map_lines(self) -> Lines:
        """Return the map as these eyes saw it, for a face that does not keep it in sight."""
        if self._screen.keeps_board:
            return []
        return self._guarded(self._map)

    def legend_lines(self) -> Lines:
        """Return the shapes that stand on the map now, each with its meaning."""
        if self._screen.keeps_board:
            return self._screen.legend()
        return self._guarded(lambda frame: legend_of(frame.view, self._wish, self.zoom))

    def piece_lines(self) -> Lines:
        """Return the pieces that these eyes knew, as lists."""
        return self._guarded(self._pieces)

    def surface_lines(self) -> Lines:
        """Return the surface maps on which these eyes knew anything."""
        return self._guarded(self._surfaces)

    def eyes_lines(self) -> Lines:
        """Return whose eyes there are."""
        now = {self.eyes: "  <- now"}
        return [
            f"  {eyes:<8}{eyes_text(self.recording, eyes)}{now.get(eyes, '')}"
            for eyes in self.recording.eyes
        ]

    def moment_lines(self) -> Lines:
        """Return the key moments, a row for each."""
        steps = self.recording.steps
        rows = [
            f"  turn {steps[at].turn:<4}{steps[at].window:<12}{', '.join(kinds)}"
            for at, kinds in self.moments
        ]
        return rows or ["There are no key moments in this replay."]

    @cached_property
    def moments(self) -> tuple[KeyMoment, ...]:
        """Return the key moments, in the order of the steps."""
        return moments_of(self.recording)

    def _heading(self) -> str:
        here, count = self.recording.steps[self.index], len(self.recording.steps)
        return (
            f"REPLAY {self.recording.title}  turn {here.turn}  window {self.index + 1} of {count}"
            f"  eyes: {eyes_text(self.recording, self.eyes)}"
        )

    def _guarded(self, draw: Draw) -> Lines:
        """Return what is drawn, or one sentence where the file makes no sense."""
        try:
            with sensible():
                frame = self.frame()
                return ["nothing was sent to them by then"] if frame is None else draw(frame)
        except ReplayError as fault:
            return [str(fault)]

    def frame(self) -> Frame | None:
        """Return what these eyes were shown last; raise `ReplayError` if it makes no sense."""
        return self.recording.shown_at(self.eyes, self.index)

    def _story(self, frame: Frame) -> Lines:
        labels = self._labels.get(self.eyes)
        if labels is None:
            labels = self._labels[self.eyes] = self.recording.labels(self.eyes)
        is_now = frame.window == self.recording.steps[self.index].window
        told = window_lines(frame) if is_now else [f"  (nothing since {frame.window})"]
        news = self.recording.news_at(self.eyes, self.index)
        heard = [news_line(one, self.recording.players) for one in news]
        noted = note_lines(self.recording, self.eyes, self.index)
        is_last = self.index == len(self.recording.steps) - 1
        end = end_lines(self.recording) if is_last else []
        return [labels.in_words(line) for line in (*told, *heard, *noted, *end)]

    def _tell_squares(self, frame: Frame) -> Lines:
        """Bring the squares of these eyes' notices of the window into sight."""
        if frame.window == self.recording.steps[self.index].window:
            self.sight = self.sight.led(*told_squares(frame))
        return []

    def _map(self, frame: Frame) -> Lines:
        return draw_wish(frame.view, self._wish, self.zoom)

    @property
    def _wish(self) -> Wish:
        screen = self._screen
        return Wish(
            ascii_only=screen.ascii_only,
            width=screen.width,
            height=screen.map_height,
            focus=self.focus,
        )

    def _pieces(self, frame: Frame) -> Lines:
        view = frame.view
        if isinstance(view, TruthView):
            return draw_pieces(view)
        if not is_of_side(view.audience):
            return ["Of the pieces nothing is public."]
        return [*draw_own(view), *draw_ground(view), *draw_contacts(view)]

    def _surfaces(self, frame: Frame) -> Lines:
        if not isinstance(frame.view, View) or not is_of_side(frame.view.audience):
            return ["Surface maps are drawn through the eyes of a side: eyes A"]
        view = frame.view
        drawn = [line for site in busy_sites(view) for line in draw_surface(view, site)]
        return drawn or ["There is nothing on any surface that these eyes know of."]


def _place(view: TruthView | View, word: str) -> Square | None:
    """Return where something lies that is named by a piece, a body, a box or x,y."""
    board: Board = view.board
    if (found := square_of(view, word)) is not None:
        return found
    square = _pair(word)
    try:
        square = square or box_named(word.upper()).centre
    except BoxNameError:
        return None
    return square if square in board else None


def _pair(word: str) -> Square | None:
    x, _, y = word.partition(",")
    is_pair = all(
        part.isascii() and part.isdecimal() and len(part) < _DIGITS_MOST for part in (x, y)
    )
    return Square(int(x), int(y)) if is_pair else None


_DIGITS_MOST = 5
