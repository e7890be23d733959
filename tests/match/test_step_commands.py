"""Sequences, commands and their answers, and clocks."""

import pytest
from msgspec.structs import replace

from builders.matches import FOUR, TWO, Course, crowd, options, play, turn_of
from builders.truths import A, B, C
from sunglare_protocol.ids import PUBLIC, Audience
from sunglare_protocol.messages import Frame
from sunglare_protocol.words.ladder import Phase
from sunglare_server.match.clock.presets import PRESETS, recorded_close_ms
from sunglare_server.match.data.options import MatchOptions
from sunglare_server.match.record import ChatSaid, Muted, OrdersGiven
from sunglare_server.match.state import ANSWERS_KEPT

# Sequences.


def test_each_audience_has_a_sequence_of_its_own_without_gaps() -> None:
    course = play(Course(crowd(3, 2)), 3, 6)
    course.put(Muted(whom=A, on=True), B)
    course.put(ChatSaid(text="one"), A)
    play(course, 4, 3)
    course.put(ChatSaid(text="two"), A)
    course.put(ChatSaid(text="three"), C)
    play(course, 5, 20)
    for audience, sent in course.sent.items():
        assert [post.seq for post in sent] == list(range(1, len(sent) + 1))
        assert course.state.seqs[audience] == len(sent)
    assert len(course.sent[Audience("B")]) == len(course.sent[PUBLIC]) - 2


def test_every_audience_gets_one_frame_for_each_window_empty_or_not() -> None:
    course = Course(FOUR)
    while course.state.standing.turn < 3:
        before = {audience: len(sent) for audience, sent in course.sent.items()}
        course.close()
        for audience, sent in course.sent.items():
            [frame] = sent[before[audience] :]
            assert isinstance(frame, Frame)
            assert frame.window == course.state.standing.window
            assert frame.turn == course.state.standing.turn


def test_a_keyframe_is_the_last_frame_again() -> None:
    course = play(Course(crowd(2, 3)), 1, 9)
    for audience, sent in course.sent.items():
        assert course.present(audience) == (sent[-1],)


def test_a_keyframe_after_news_shows_the_same_view_under_the_newest_number() -> None:
    course = play(Course(crowd(2, 3)), 1, 4)
    frame = course.sent[Audience("A")][-1]
    assert isinstance(frame, Frame)
    course.put(ChatSaid(text="hello"), B)
    assert course.present(A) == (replace(frame, seq=frame.seq + 1),)


def test_after_the_end_the_last_view_and_the_end_are_all_there_is() -> None:
    course = Course(replace(TWO, data=replace(TWO.data, turns=1)))
    turn_of(course)
    for audience, sent in course.sent.items():
        assert course.present(audience) == tuple(sent[-2:])


# Commands and their answers.


def test_accepted_commands_are_remembered_with_their_first_answer() -> None:
    course = Course(TWO)
    window = course.state.standing.window
    given = OrdersGiven(window=window, rev=4, orders=(), lock=False)
    course.put(given, A, number=11)
    course.put(ChatSaid(text="x"), A, number=12)
    assert [(answer.id, answer.window, answer.rev) for answer in course.state.taken[A]] == [
        (11, window, 4),
        (12, None, None),
    ]
    assert B not in course.state.taken


def test_the_last_256_commands_of_a_seat_are_remembered() -> None:
    course = Course(TWO)
    for number in range(1, 301):
        course.put(ChatSaid(text="x"), A, number=number)
    assert ANSWERS_KEPT == 256
    assert [answer.id for answer in course.state.taken[A]] == list(range(300 - 256 + 1, 301))


# Clocks.


@pytest.mark.parametrize(
    ("clock", "plot", "sense", "fire", "extra"),
    [
        ("blitz", 12, 6, 6, 20),
        ("standard", 30, 15, 15, 60),
        ("friendly", 60, 30, 30, 180),
        ("correspondence", 24 * 3600, 12 * 3600, 12 * 3600, 48 * 3600),
        ("arena", 0.25, 0.25, 0.25, 1),
        ("demo", 1, 1, 1, 0),
    ],
)
def test_each_window_is_open_for_the_base_of_its_phase_and_what_the_bank_may_add(
    clock: str, plot: float, sense: float, fire: float, extra: int
) -> None:
    course = Course(TWO, options(clock=clock, scan_slots="sealed"))
    seconds = {}
    for _ in range(4):
        frame = course.sent[Audience("A")][-1]
        assert isinstance(frame, Frame)
        seconds[course.state.standing.phase] = frame.closes_ms / 1000 - extra
        course.now = course.state.opened_ms
        for side in (A, B):
            course.orders(side)
        course.close()
    assert seconds == {
        Phase.PLOT: plot,
        Phase.SCAN: sense,
        Phase.DETECT: sense,
        Phase.ENGAGE: fire,
    }


@pytest.mark.parametrize(
    ("clock", "closed", "opens"),
    [
        ("friendly", 61_000, 61_250),
        ("friendly", 61_001, 61_500),
        ("friendly", 61_249, 61_500),
        ("friendly", 61_250, 61_500),
        ("demo", 61_001, 61_001),
        ("test", 61_001, 61_001),
    ],
)
def test_a_window_opens_with_the_release_of_its_frames_on_the_beat(
    clock: str, closed: int, opens: int
) -> None:
    course = Course(TWO, options(clock=clock))
    course.now = closed
    course.close()
    assert course.state.opened_ms == opens
    assert course.state.closes_ms > opens


@pytest.mark.parametrize(
    ("clock", "locked", "closes"),
    [
        ("friendly", 400, 1_250),
        ("friendly", 1_250, 1_250),
        ("friendly", 1_251, 1_500),
        ("friendly", 20_000, 20_000),
        ("test", 400, 400),
    ],
    ids=["before the floor", "on the floor", "up to the beat", "on the beat", "no beat"],
)
def test_a_window_in_which_all_have_locked_closes_on_the_beat_and_not_before_the_floor(
    clock: str, locked: int, closes: int
) -> None:
    course = Course(TWO, options(clock=clock))
    # The first frames go out one beat after the start in rated play.
    assert course.state.opened_ms == (250 if clock == "friendly" else 0)
    course.orders(A)
    course.now = locked
    course.orders(B)
    assert course.state.due_ms == closes


def test_a_rated_scan_slot_lasts_its_whole_base_locked_or_not() -> None:
    course = Course(TWO, MatchOptions(clock="friendly"))
    course.close()
    slot = course.state.standing.slot_side
    assert slot is not None
    course.now = course.state.opened_ms + 5
    course.orders(slot)
    assert course.state.awaited == ()
    assert course.state.due_ms == course.state.opened_ms + 30_000


@pytest.mark.parametrize(
    ("clock", "now", "recorded"),
    [
        ("friendly", 10_000, 10_000),
        ("friendly", 10_249, 10_000),
        ("friendly", 10_250, 10_250),
        ("friendly", 11_003, 11_003),
        ("test", 10_003, 10_003),
    ],
    ids=["on time", "within the allowance", "too late", "far too late", "no beat"],
)
def test_the_work_of_a_close_does_not_move_the_release_unless_it_slips(
    clock: str, now: int, recorded: int
) -> None:
    assert recorded_close_ms(PRESETS[clock], 10_000, now, 1) == recorded


def test_nobody_is_shown_when_another_seat_has_locked() -> None:
    course = Course(TWO, MatchOptions(clock="blitz"))
    before = course.present(B)
    course.now = 3_000
    course.orders(A)
    assert course.present(B) == before
