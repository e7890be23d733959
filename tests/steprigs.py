"""Matches and seats that the tests of `step` share."""

from msgspec.structs import replace

from matchrigs import Course, opened, scenario_of
from sunglare_protocol.ids import OwnId
from sunglare_server.match.options import MatchOptions
from sunglare_server.match.record import (
    RECORD_VERSION,
    Kind,
    Record,
    packed,
)
from truthrigs import MATCH, A, B, C, D, ship

S1 = OwnId("S1")
TEST = MatchOptions(clock="test")
TWO = scenario_of(ship(A, at=(5, 30)), ship(B, at=(30, 5)))
FOUR = scenario_of(
    ship(A, at=(5, 30)), ship(B, at=(30, 5)), ship(C, at=(5, 5)), ship(D, at=(30, 30))
)


def turn_of(course: Course) -> None:
    """Close every window of the open turn."""
    turn = course.state.standing.turn
    while not course.state.is_over and course.state.standing.turn == turn:
        course.close()


def first(**changes: object) -> bytes:
    record = Record(v=RECORD_VERSION, m=MATCH, n=1, k=Kind.OPEN, t=0, b=opened(TWO, TEST))
    return packed(replace(record, **changes))
