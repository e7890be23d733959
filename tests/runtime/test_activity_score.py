"""How much goes on in a match: what its public record has of three turns, and only once shown."""

from collections import defaultdict

import pytest

from builders.feeds import at_once
from builders.matches import TWO, Course, turn_of
from builders.truths import MATCH, A
from sunglare_protocol.ids import PUBLIC
from sunglare_protocol.messages import Frame
from sunglare_protocol.notices import (
    InitiativeDrawn,
    JamOver,
    JamSet,
    NovaSeen,
    RadarSeen,
    ScanAnswered,
    ShotSeen,
    SideOut,
    SweepSeen,
)
from sunglare_protocol.words.ladder import Phase
from sunglare_server.match.record import ChatSaid
from sunglare_server.runtime.batch import Sealed
from sunglare_server.runtime.feeds import Feeds

OF_THE_RECORD = (
    InitiativeDrawn,
    ScanAnswered,
    RadarSeen,
    ShotSeen,
    NovaSeen,
    SideOut,
    SweepSeen,
    JamSet,
    JamOver,
)


def due(course: Course) -> int:
    """Return how many entries of the last three turns everybody was sent, frame by frame."""
    by_turn: dict[int, int] = defaultdict(int)
    for sent in course.sent[PUBLIC]:
        if isinstance(sent, Frame):
            stage = sent.view.stage
            told = sum(isinstance(notice, OF_THE_RECORD) for notice in sent.notices)
            by_turn[stage.turn - (stage.phase is Phase.PLOT)] += told
    newest = max(by_turn)
    return sum(by_turn[turn] for turn in range(newest - 2, newest + 1))


def shown(course: Course, feeds: Feeds, since: int) -> int:
    """Show what the match gave out since a step; return how many steps it has by now."""
    for stepped in course.steps[since:]:
        feeds.queue(Sealed(b"", b"head", stepped, 0))
    feeds.release(0, course.state)
    return len(course.steps)


@pytest.mark.parametrize("turns", range(7))
def test_what_goes_on_in_a_match_are_the_entries_of_the_last_three_turns(turns: int) -> None:
    course = Course(TWO)
    feeds = Feeds.of(MATCH, course.state, at_once())
    steps = shown(course, feeds, 0)
    for _ in range(turns):
        turn_of(course)
        # What is no frame tells the public record nothing new.
        course.put(ChatSaid(text="and on"), A)
        steps = shown(course, feeds, steps)
    assert feeds.activity.entries == due(course) >= min(turns, 3)


def test_what_waits_for_its_beat_does_not_count() -> None:
    course = Course(TWO)
    feeds = Feeds.of(MATCH, course.state, at_once())
    steps = shown(course, feeds, 0)
    before = feeds.activity.entries
    turn_of(course)
    for stepped in course.steps[steps:]:
        feeds.queue(Sealed(b"", b"head", stepped, 500))
    feeds.postpone(500)
    feeds.release(499, course.state)
    assert feeds.activity.entries == before
    feeds.release(500, course.state)
    assert feeds.activity.entries == due(course) > before
