"""A moment of a replay as a picture, and many of them one after the other."""

from collections.abc import Iterator
from typing import Final

from sunglare_client.export.shapes import Sketch, sketch
from sunglare_client.map.chart import Wish, chart_of
from sunglare_client.replays.recording import NOTHING, Recording, sensible
from sunglare_client.replays.telling import eyes_text
from sunglare_client.text.printable import printable
from sunglare_client.text.story import stage_line
from sunglare_protocol.messages import Frame
from sunglare_protocol.replay.values import ReplayError

_WHOLE: Final = Wish(width=10_000)
"""Room for every board."""


def still(recording: Recording, eyes: str, index: int) -> Sketch:
    """Return the board as an audience saw it at a step; raise `ReplayError` at nonsense."""
    with sensible():
        frame = recording.shown_at(eyes, index)
        if frame is None:
            raise ReplayError(NOTHING)
        return _picture(recording, eyes, frame)


def moving(recording: Recording, eyes: str, indices: range) -> Iterator[Sketch]:
    """Yield the board of each of these steps at which something was sent to an audience."""
    for index in indices:
        with sensible():
            frame = recording.frame(eyes, index)
            if frame is None:
                continue
            drawn = _picture(recording, eyes, frame)
        yield drawn


def _picture(recording: Recording, eyes: str, frame: Frame) -> Sketch:
    stage = stage_line(frame.view.stage).removeprefix("-- ")
    caption = printable(f"{recording.title}, {stage}; eyes: {eyes_text(recording, eyes)}")
    return sketch(chart_of(frame.view, _WHOLE), caption, caption)
