"""A ship with packs and needle beams at point-blank range of its target."""

from functools import cache

from builders.matches import Course
from builders.truths import B1, A, seed_of
from sunglare_server.base.library import SHIPPED
from sunglare_server.match.data.files import read_classes, read_scenario, read_weapons
from sunglare_server.match.data.options import MatchOptions
from sunglare_server.match.events.space import ContactMade, Event, ShipTracked
from sunglare_server.match.state import MatchState
from sunglare_server.match.turn.flow import Flow

CLASSES = """
[pod]
size = "medium"
hull = 16
thrust = 3
points = 4
weapons = [
    { id = "L1", weapon = "leech-pod", arc = "front" },
    { id = "L2", weapon = "leech-pod", arc = "front" },
    { id = "B1", weapon = "beam-2", arc = "front" },
]

[target]
size = "medium"
hull = 40
thrust = 3
points = 8
screens = 1
weapons = [
    { id = "M1", weapon = "mkp-pack", arc = "front" },
    { id = "B1", weapon = "beam-2", arc = "front" },
]
"""

SCENARIO = """
title = "Point blank"
fixed = true

[sides.A]
ships = [{ name = "Tick", type = "pod", at = [10, 14] }]

[sides.B]
ships = [{ name = "Host", type = "target", at = [10, 11] }]
"""


@cache
def opened(seed: int) -> MatchState:
    """Return a match of that seed in which A tracks the ship of B, three squares ahead."""
    weapons = read_weapons((SHIPPED / "weapons.toml").read_text(), "weapons.toml")
    classes = read_classes(CLASSES, "ships.toml", weapons)
    scenario = read_scenario(SCENARIO, "blank", "blank.toml", classes)
    course = Course(scenario, MatchOptions(), seed_of(seed))
    contact = ContactMade(piece=B1, side=A, signal=1, signatures=())
    return happened(course.state, contact, ShipTracked(piece=B1, side=A, roll=None))


def happened(state: MatchState, *events: Event) -> MatchState:
    """Return the state after these events, each perceived before the next."""
    flow = Flow(state)
    for event in events:
        flow.run([event])
    return flow.finished()
