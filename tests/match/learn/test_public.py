"""The public feed: what every side has been told in the same event, and nothing else."""

from collections.abc import Iterator
from functools import cache
from itertools import groupby

import msgspec
import pytest

from builders.learned import grants_of
from builders.matches import Course, crowd, options, play
from sunglare_protocol.ids import PUBLIC, Side, audience_of
from sunglare_protocol.words.ladder import Fix
from sunglare_server.match.events.space import Event
from sunglare_server.match.facts.space import (
    Announced,
    ContactsFaded,
    Fact,
    Grant,
    Located,
    Sighted,
)

MATCHES = [
    pytest.param((sides, ships, seed, slots), id=f"{sides} sides, {slots}")
    for sides, ships, seed in ((2, 3, 31), (3, 2, 32), (4, 2, 33))
    for slots in ("sequential", "sealed")
]


@pytest.fixture
def course(request: pytest.FixtureRequest) -> Course:
    """Return a match of random orders."""
    return course_of(*request.param)


@cache
def course_of(sides: int, ships: int, seed: int, slots: str) -> Course:
    chosen = options(scan_slots=slots, contact_values="yes")
    return play(Course(crowd(sides, ships), chosen), seed, 60)


def by_event(course: Course) -> Iterator[tuple[Event, list[Grant]]]:
    for _, together in groupby(grants_of(course), key=lambda grant: id(grant[0])):
        pairs = list(together)
        yield pairs[0][0], [grant for _, grant in pairs]


def plain(fact: Fact) -> Fact:
    """Return the fact without the signal, which an option shows to the scanning side alone."""
    return msgspec.structs.replace(fact, signal=None) if isinstance(fact, Sighted) else fact


def is_about_a_piece_of(fact: Fact, side: Side) -> bool:
    return getattr(fact, "piece", "").startswith(f"{side}/")


@pytest.mark.parametrize("course", MATCHES, indirect=True)
def test_every_side_was_told_in_the_same_event_what_the_public_is_told(course: Course) -> None:
    checked = 0
    for event, grants in by_event(course):
        for fact in (grant.fact for grant in grants if grant.audience == PUBLIC):
            for side in course.state.standing.sides:
                mine = [grant.fact for grant in grants if grant.audience == audience_of(side)]
                knows = plain(fact) in map(plain, mine)
                assert knows or is_about_a_piece_of(fact, side), (event, side, fact)
                checked += 1
    assert checked > 100


@pytest.mark.parametrize("course", MATCHES[2:], indirect=True)
def test_with_more_than_two_sides_no_scan_contact_and_no_track_is_public(course: Course) -> None:
    shown = {
        type(grant.fact)
        for _, grants in by_event(course)
        for grant in grants
        if grant.audience == PUBLIC
    }
    assert Announced in shown
    assert shown <= {Announced, ContactsFaded, Located}
    assert course.view(PUBLIC).contacts == ()


@pytest.mark.parametrize("slots", ["sequential", "sealed"])
def test_the_public_view_never_shows_whose_or_what_a_piece_is_nor_that_a_track_coasts(
    slots: str,
) -> None:
    course = Course(crowd(2, 3), options(scan_slots=slots))
    seen: list[Fix] = []
    for window in range(60):
        play(course, window, 1)
        for contact in course.view(PUBLIC).contacts:
            assert (contact.side, contact.type) == (None, None)
            seen.append(contact.fix)
    assert Fix.TRACKED in seen
    assert Fix.COASTING not in seen
