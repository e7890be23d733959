"""A replay as it is shown: its windows in order, and what each audience was sent at each.

Messages stay as they were read until one is shown: most of them never are, and the maker of the
file may have written anything into one. Nonsense is noticed then, and reported.
"""

import contextlib
from collections.abc import Iterable, Iterator
from typing import Any, Final, NamedTuple, final

import msgspec

from sunglare_client.replays.naming import names_in
from sunglare_client.text.labels import Labels
from sunglare_client.text.players import Names
from sunglare_protocol.codec import Form, decode_server
from sunglare_protocol.errors import ProtocolError
from sunglare_protocol.geometry import BOARD_BOXES_MOST
from sunglare_protocol.ids import OMNI, PUBLIC, SIDES, Side, WindowId
from sunglare_protocol.messages import Frame, News, Over, ServerMessage
from sunglare_protocol.replay.file import read_replay
from sunglare_protocol.replay.notes import NOTES_MOST, Note, note_of, side_of_notes
from sunglare_protocol.replay.values import ReplayError

NONSENSE: Final = "This file is damaged: what it says of this window makes no sense."
"""What is said of a window whose message is not what a server sends."""

NOTHING: Final = "There is nothing in this file to show."

CELLS_MOST: Final = 60
"""OWN: a surface map of more cells from west to east, or from north to south, is not drawn."""

Sent = dict[str, Any]
"""A message as it was read."""

_EYES: Final = (str(OMNI), *map(str, SIDES), str(PUBLIC))
"""The layers that show a match, the truth first; whatever other layers hold is not shown here."""


@final
class Step(NamedTuple):
    """What was sent when a window opened, by audience, and the news until the next one."""

    window: WindowId
    turn: int
    frames: dict[str, Sent]
    news: dict[str, list[Sent]]


@final
class Recording(NamedTuple):
    """A match to be shown: who played what, its windows, and why there is no more of it.

    `notes` are what sides noted for themselves, by window, as far as the file has them.
    """

    match: str
    scenario: str
    names: dict[str, str]
    eyes: tuple[str, ...]
    steps: tuple[Step, ...]
    over: Sent | None
    fault: str
    notes: dict[str, dict[WindowId, list[Note]]]

    @property
    def title(self) -> str:
        """Return what the match is called."""
        return self.scenario.replace("-", " ") or "a match"

    @property
    def players(self) -> Names:
        """Return the names of the players by side."""
        return {Side(side): name for side, name in self.names.items()}

    def frame(self, eyes: str, index: int) -> Frame | None:
        """Return what an audience was sent at a step; raise `ReplayError` if that is nonsense."""
        sent = self.steps[index].frames.get(eyes)
        return None if sent is None else _frame(sent)

    def shown_at(self, eyes: str, index: int) -> Frame | None:
        """Return what an audience was sent at a step, else what it was sent last before it."""
        found = (self.frame(eyes, at) for at in range(index, -1, -1))
        return next((frame for frame in found if frame is not None), None)

    def news_at(self, eyes: str, index: int) -> tuple[News, ...]:
        """Return the news that an audience was sent after a step opened."""
        found = (_message(sent) for sent in self.steps[index].news.get(eyes, ()))
        return tuple(news for news in found if isinstance(news, News))

    def notes_at(self, eyes: str, index: int) -> tuple[Note, ...]:
        """Return what a side noted in the window of a step, or in none before the first."""
        noted = self.notes.get(eyes, {})
        early = [] if index else noted.get(WindowId(""), [])
        return (*early, *noted.get(self.steps[index].window, ()))

    def noting(self, side: str, notes: Iterable[Note]) -> "Recording":
        """Return this match with the notes of a side in the place of those it has."""
        return self._replace(notes={**self.notes, side: _by_window(notes)})

    def check(self, index: int) -> None:
        """Raise `ReplayError` if something that was sent at a step makes no sense."""
        for eyes in self.steps[index].frames:
            self.frame(eyes, index)
            self.news_at(eyes, index)

    def end(self) -> Over | None:
        """Return how the match ended, as far as that is in the file."""
        over = None if self.over is None else _message(self.over)
        return over if isinstance(over, Over) else None

    def labels(self, eyes: str) -> Labels:
        """Return what an audience calls the pieces that it ever saw."""
        labels = Labels()
        for step in self.steps:
            for label, handle in _labelled(step.frames.get(eyes, {})):
                labels.name(handle, label)
        return labels

    def index_of_turn(self, turn: int) -> int | None:
        """Return the step that opens a turn; None if there is no such turn."""
        found = (index for index, step in enumerate(self.steps) if step.turn == turn)
        return next(found, None)


def read_recording(data: bytes) -> Recording:
    """Return what a file shows; raise `ReplayError` if it is none, too large, or shows nothing."""
    replay = read_replay(data)
    notes: dict[str, list[Note]] = {}
    steps: dict[str, Step] = {}
    newest: dict[str, Step] = {}
    over: Sent | None = None
    for layer, sent in replay.layers.messages:
        if side := side_of_notes(layer):
            _add_note(notes.setdefault(side, []), sent)
        if layer not in _EYES:
            continue
        match sent.get("t"):
            case "frame":
                step = _step_of(steps, sent)
                step.frames[layer] = sent
                newest[layer] = step
            case "news" if layer in newest:
                newest[layer].news.setdefault(layer, []).append(sent)
            case "over":
                over = sent
            case _:
                pass
    if not steps:
        raise ReplayError(replay.fault or NOTHING)
    header = replay.header
    return Recording(
        match=_text(header.get("match")),
        scenario=_text(header.get("scenario")),
        names=names_in(header),
        eyes=tuple(eyes for eyes in _EYES if eyes in newest),
        steps=tuple(sorted(steps.values(), key=_place)),
        over=over,
        fault=replay.fault,
        notes={side: _by_window(noted) for side, noted in notes.items()},
    )


def _add_note(notes: list[Note], sent: Sent) -> None:
    """Add a note as it was read; one that makes no sense is left out, and one too many."""
    if len(notes) < NOTES_MOST:
        with contextlib.suppress(ReplayError):
            notes.append(note_of(sent))


def _by_window(notes: Iterable[Note]) -> dict[WindowId, list[Note]]:
    found: dict[WindowId, list[Note]] = {}
    for note in notes:
        found.setdefault(WindowId(note.window), []).append(note)
    return found


@contextlib.contextmanager
def sensible() -> Iterator[None]:
    """Draw or print what a file says: raise `ReplayError` if that can't be done."""
    try:
        yield
    except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as fault:
        raise ReplayError(NONSENSE) from fault


_PHASES: Final = ("plot", "scan", "detect", "engage", "over")


def _place(step: Step) -> tuple[int, int, int]:
    """Return the place of a step: its turn, the phase of its window, and the slot."""
    _, phase, slot, *_ = (*step.window.split("."), "", "0")
    order = _PHASES.index(phase) if phase in _PHASES else -1
    return step.turn, order, int(slot) if slot.isdecimal() and len(slot) < _DIGITS_MOST else 0


_DIGITS_MOST = 6


def _step_of(steps: dict[str, Step], sent: Sent) -> Step:
    window, turn = sent.get("window"), sent.get("turn")
    if not isinstance(window, str) or type(turn) is not int:
        raise ReplayError(NONSENSE)
    return steps.setdefault(window, Step(WindowId(window), turn, {}, {}))


def _frame(sent: Sent) -> Frame:
    frame = _message(sent)
    if not isinstance(frame, Frame):
        raise ReplayError(NONSENSE)
    board = frame.view.board
    is_small = 0 < board.columns <= BOARD_BOXES_MOST and 0 < board.rows <= BOARD_BOXES_MOST
    every = [environs for planet in board.planets for environs in planet.environs]
    if not is_small or any(max(one.columns, one.rows) > CELLS_MOST for one in every):
        raise ReplayError(NONSENSE)
    return frame


def _message(sent: Sent) -> ServerMessage:
    try:
        return decode_server(msgspec.msgpack.encode(sent), Form.PACKED)
    except (ProtocolError, ValueError, OverflowError, TypeError):
        raise ReplayError(NONSENSE) from None


def _labelled(sent: Sent) -> Iterator[tuple[str, str]]:
    """Yield label and handle of each foreign piece in a view, as far as it makes sense."""
    view = sent.get("view")
    if not isinstance(view, dict):
        return
    tokens = [
        token for surface in _maps(view.get("surfaces")) for token in _maps(surface.get("tokens"))
    ]
    for piece in (*_maps(view.get("contacts")), *tokens):
        label, handle = piece.get("label"), piece.get("handle")
        if isinstance(label, str) and isinstance(handle, str):
            yield label, handle


def _maps(value: object) -> list[Sent]:
    return [part for part in value if isinstance(part, dict)] if isinstance(value, list) else []


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""
