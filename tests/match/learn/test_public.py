"""The public feed: what every side has been told in the same event, and nothing else."""

from collections.abc import Iterator
from itertools import groupby

import msgspec
import pytest

from builders.learned import grants_of
from builders.matches import Course, crowd, play
from sunglare_protocol.ids import PUBLIC, Side, audience_of
from sunglare_protocol.words.ladder import Fix
from sunglare_server.match.data.options import MatchOptions
from sunglare_server.match.events.space import Event
from sunglare_server.match.facts.space import (
    Announced,
    ContactsFaded,
    Fact,
    Grant,
    Located,
    Sighted,
)

SIDES_AND_SEEDS = [
    pytest.param(sides, ships, seed, slots, id=f"{sides} sides, {slots}")
    for sides, ships, seed in ((2, 3, 31), (3, 2, 32), (4, 2, 33))
    for slots in ("sequential", "sealed")
]


def course_of(sides: int, ships: int, seed: int, slots: str) -> Course:
    options = msgspec.convert(
        {"clock": "test", "scan_slots": slots, "contact_values": "yes"}, MatchOptions
    )
    return play(Course(crowd(sides, ships), options), seed, 60)


def by_event(course: Course) -> Iterator[tuple[Event, list[Grant]]]:
    for _, together in groupby(grants_of(course), key=lambda grant: id(grant[0])):
        pairs = list(together)
        yield pairs[0][0], [grant for _, grant in pairs]


def plain(fact: Fact) -> Fact:
    """Return the fact without the signal, which an option shows to the scanning side alone."""
    return msgspec.structs.replace(fact, signal=None) if isinstance(fact, Sighted) else fact


def is_about_a_piece_of(fact: Fact, side: Side) -> bool:
    return getattr(fact, "piece", "").startswith(f"{side}/")


@pytest.mark.parametrize(("sides", "ships", "seed", "slots"), SIDES_AND_SEEDS)
def test_every_side_was_told_in_the_same_event_what_the_public_is_told(
    sides: int, ships: int, seed: int, slots: str
) -> None:
    course = course_of(sides, ships, seed, slots)
    checked = 0
    for event, grants in by_event(course):
        for fact in (grant.fact for grant in grants if grant.audience == PUBLIC):
            for side in course.state.standing.sides:
                mine = [grant.fact for grant in grants if grant.audience == audience_of(side)]
                knows = plain(fact) in map(plain, mine)
                assert knows or is_about_a_piece_of(fact, side), (event, side, fact)
                checked += 1
    assert checked > 100


@pytest.mark.parametrize(("sides", "ships", "seed", "slots"), SIDES_AND_SEEDS[2:])
def test_with_more_than_two_sides_no_scan_contact_and_no_track_is_public(
    sides: int, ships: int, seed: int, slots: str
) -> None:
    course = course_of(sides, ships, seed, slots)
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
    options = msgspec.convert({"clock": "test", "scan_slots": slots}, MatchOptions)
    course = Course(crowd(2, 3), options)
    seen: list[Fix] = []
    for window in range(60):
        play(course, window, 1)
        for contact in course.view(PUBLIC).contacts:
            assert (contact.side, contact.type) == (None, None)
            seen.append(contact.fix)
    assert Fix.TRACKED in seen
    assert Fix.COASTING not in seen
