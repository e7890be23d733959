"""What the seats of random matches are sent, for tests that need many different views."""

from random import Random

from builders.matchstore import stored
from builders.played import rig
from builders.scenarios import scenarios
from sunglare_protocol.codec import Form, decode_server
from sunglare_protocol.ids import Side, audience_of
from sunglare_protocol.messages import Frame
from sunglare_protocol.views import View

SCENES = (
    ("shadow-of-ceres", 2, 50),
    ("picket-line", 3, 50),
    ("blip-parade", 2, 40),
    ("orlog", 2, 30),
    ("redondo", 2, 20),
)
"""Scenarios with the seed of a random match on them and how many of its windows are played."""


@stored(dict[Side, tuple[Frame, ...]])
def frames_of(name: str, seed: int, windows: int) -> dict[Side, tuple[Frame, ...]]:
    """Return the frames of a random match by side."""
    scenario = scenarios()[name]
    match = rig(scenario, seed, *map(audience_of, scenario.sides))
    match.play(Random(seed), windows)
    read = {side: match.sent[audience_of(side)] for side in scenario.sides}
    return {
        side: tuple(
            post
            for post in (decode_server(data, Form.PACKED) for data in sent)
            if isinstance(post, Frame)
        )
        for side, sent in read.items()
    }


def view_in(frame: Frame) -> View:
    """Return the view of a seat's frame."""
    assert isinstance(frame.view, View)
    return frame.view
