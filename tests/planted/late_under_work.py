"""Frames of a window in which much has happened are released a beat later."""

from msgspec.structs import replace

from builders.plants import Real, in_place_of
from sunglare_server.match.clock.presets import BEAT_MS
from sunglare_server.runtime.batch import Sealed
from sunglare_server.runtime.feeds import Feeds

MUCH = 30
"""How many events are much."""


@in_place_of(Feeds, "queue")
def plant(real: Real[None], feeds: Feeds, sealed: Sealed) -> None:
    state = sealed.stepped.state
    if sealed.shows_frame and len(sealed.stepped.events) > MUCH:
        stepped = replace(
            sealed.stepped, state=replace(state, opened_ms=state.opened_ms + BEAT_MS)
        )
        sealed = replace(sealed, stepped=stepped)
    real(feeds, sealed)
