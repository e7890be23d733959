"""A moment of a replay as a picture, and many of them one after the other."""

from collections.abc import Iterator
from typing import Final

from sunglare_client.export.grounds import grounds_of, sites_in_use
from sunglare_client.export.shapes import Sketch
from sunglare_client.export.sketching import Around, sketch
from sunglare_client.map.cells import Overlay
from sunglare_client.map.chart import Wish, chart_of
from sunglare_client.map.layers import overlay, sectors
from sunglare_client.replays.recording import NOTHING, Recording, sensible
from sunglare_client.replays.telling import eyes_text
from sunglare_client.text.printable import printable
from sunglare_client.text.story import stage_line
from sunglare_protocol.messages import Frame
from sunglare_protocol.replay.values import ReplayError
from sunglare_protocol.surface import Site
from sunglare_protocol.views import TruthView, View

_WHOLE: Final = Wish(width=10_000)
"""Room for every board."""


Layers = tuple[str, ...]


def still(recording: Recording, eyes: str, index: int, layers: Layers = ()) -> Sketch:
    """Return the board as an audience saw it at a step; raise `ReplayError` at nonsense.

    `layers` are drawn over the ground, as the terminal draws them (`map/layers.py`).
    """
    with sensible():
        frame = recording.shown_at(eyes, index)
        if frame is None:
            raise ReplayError(NOTHING)
        return _picture(recording, eyes, frame, sites_in_use([frame.view]), layers)


def moving(
    recording: Recording, eyes: str, indices: range, layers: Layers = ()
) -> Iterator[Sketch]:
    """Yield the board of each of these steps at which something was sent to an audience.

    All have the same surface maps, so that nothing jumps: those on which any piece ever is.
    """
    with sensible():
        sites = sites_in_use(frame.view for frame in _frames(recording, eyes, indices))
    for frame in _frames(recording, eyes, indices):
        with sensible():
            drawn = _picture(recording, eyes, frame, sites, layers)
        yield drawn


def _frames(recording: Recording, eyes: str, indices: range) -> Iterator[Frame]:
    for index in indices:
        with sensible():
            frame = recording.frame(eyes, index)
        if frame is not None:
            yield frame


def _picture(
    recording: Recording, eyes: str, frame: Frame, sites: tuple[Site, ...], layers: Layers
) -> Sketch:
    view = frame.view
    stage = stage_line(view.stage).removeprefix("-- ")
    caption = printable(f"{recording.title}, {stage}; eyes: {eyes_text(recording, eyes)}")
    sides = view.stage.sides if isinstance(view, TruthView) else ()
    around = Around(caption, grounds_of(view, sites), sides)
    return sketch(chart_of(view, _WHOLE._replace(over=_over(view, layers))), caption, around)


def _over(view: View | TruthView, layers: Layers) -> Overlay:
    """Return the layers of a view; of the truth, which is no side's, the sectors alone."""
    if isinstance(view, View):
        return overlay(view, (), layers)
    return sectors(view.board) if "sectors" in layers else ()
