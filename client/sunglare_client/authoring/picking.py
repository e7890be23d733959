"""Picks the window of a replay by turn, side and phase, with the messages sent up to it."""

from sunglare_client.bot import is_asked
from sunglare_client.replays.choosing import NoSuchError, steps_of
from sunglare_client.replays.recording import Recording, sensible
from sunglare_protocol.ids import Audience, Side, is_of_side
from sunglare_protocol.messages import Frame
from sunglare_protocol.views import View
from sunglare_protocol.words.ladder import Phase


def picked(recording: Recording, side: Side, turn: int, phase: Phase | None) -> tuple[Frame, ...]:
    """Return what `side` was sent up to its first window of that turn, or of that phase in it.

    Raise `NoSuchError` if the replay has no such side, turn or window.
    """
    _check_side(recording, side)
    indices = steps_of(recording, range(turn, turn + 1))
    asked = [index for index in indices if _asks(recording, side, index)]
    meant = [index for index in asked if phase in (None, _phase(recording, side, index))]
    if not meant:
        raise NoSuchError(_nothing(recording, side, turn, asked))
    found = [recording.frame(side, index) for index in range(meant[0] + 1)]
    return tuple(frame for frame in found if frame is not None)


def _check_side(recording: Recording, side: Side) -> None:
    sides = [eyes for eyes in recording.eyes if is_of_side(Audience(eyes))]
    if side not in sides:
        has = ", ".join(sides) or "none"
        raise NoSuchError(f"There is nothing in it of a side {side!r}; its sides are: {has}.")


def _asks(recording: Recording, side: Side, index: int) -> bool:
    with sensible():
        frame = recording.frame(side, index)
        view = None if frame is None else frame.view
        return isinstance(view, View) and is_asked(view, side)


def _phase(recording: Recording, side: Side, index: int) -> Phase | None:
    frame = recording.frame(side, index)
    return None if frame is None else frame.view.stage.phase


def _nothing(recording: Recording, side: Side, turn: int, asked: list[int]) -> str:
    phases = [_phase(recording, side, index) for index in asked]
    names = ", ".join(phase.value for phase in phases if phase is not None)
    if names:
        return f"In turn {turn} side {side} has no such window, only: {names}."
    return f"In turn {turn} side {side} is asked for no orders."
