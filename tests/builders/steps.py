"""Matches and seats that the tests of `step` share."""

from msgspec.structs import replace

from builders.matches import Course, opened, scenario_of
from builders.truths import MATCH, A, B, C, D, ship
from sunglare_protocol.geometry import Vector
from sunglare_protocol.ids import OwnId, Side
from sunglare_server.match.data.options import MatchOptions
from sunglare_server.match.data.scenario import Scenario
from sunglare_server.match.record import (
    RECORD_VERSION,
    Kind,
    Record,
    packed,
)

S1 = OwnId("S1")
TEST = MatchOptions(clock="test")
TWO = scenario_of(ship(A, at=(5, 30)), ship(B, at=(30, 5)))
FOUR = scenario_of(
    ship(A, at=(5, 30)), ship(B, at=(30, 5)), ship(C, at=(5, 5)), ship(D, at=(30, 30))
)


def leaving(side: Side, at: tuple[int, int]) -> Scenario:
    """Return the four-sided scenario in which the ship of `side` leaves in turn 1."""
    places = {A: (5, 30), B: (30, 5), C: (5, 5), D: (30, 30), side: at}
    ships = [ship(owner, at=place) for owner, place in places.items()]
    gone = [replace(one, vector=Vector(0, -3)) if one.side == side else one for one in ships]
    return scenario_of(*gone)


def turn_of(course: Course) -> None:
    """Close every window of the open turn."""
    turn = course.state.standing.turn
    while not course.state.is_over and course.state.standing.turn == turn:
        course.close()


def first(**changes: object) -> bytes:
    record = Record(v=RECORD_VERSION, m=MATCH, n=1, k=Kind.OPEN, t=0, b=opened(TWO, TEST))
    return packed(replace(record, **changes))
