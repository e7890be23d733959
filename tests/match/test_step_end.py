"""How a match ends, and draws, pauses and chat on the way."""

import pytest
from msgspec.structs import replace

from builders.agentmatches import TOWN, match_of, side_of, troops
from builders.matches import FOUR, S1, TWO, Course, leaving, scenario_of, turn_of
from builders.truths import A1, SEED, A, B, C, D, only, ship
from sunglare_protocol.geometry import Compass, Vector
from sunglare_protocol.ids import OMNI, PUBLIC, Audience
from sunglare_protocol.messages import Ending, Frame, News, NewsKind, Over
from sunglare_protocol.notices import Occupation
from sunglare_protocol.orders import Thrust
from sunglare_protocol.words.ladder import Fate, Phase
from sunglare_protocol.words.victory import ObjectiveKind
from sunglare_server.match.data.scenario import GroundEntry, Objective, Scenario
from sunglare_server.match.events.space import SideWentOut
from sunglare_server.match.record import (
    Adjourned,
    Body,
    ChatSaid,
    Closed,
    DrawOffered,
    Kind,
    Muted,
    PauseAsked,
    PauseEnded,
    RecordError,
    Resigned,
)
from sunglare_server.match.truth.truth import ShipTruth

TWO_SHIPS = (ship(A, at=(5, 30)), ship(B, at=(30, 5)))


def surviving(ships: tuple[ShipTruth, ...], turns: int = 20) -> Scenario:
    """Return a scenario in which A scores if its first ship survives."""
    goal = Objective(kind=ObjectiveKind.SURVIVE, piece="CanaryA1")
    return scenario_of(*ships, turns=turns, objectives={A: (goal,)})


# The end.


def test_the_match_ends_after_the_turn_limit() -> None:
    course = Course(replace(TWO, data=replace(TWO.data, turns=3)))
    for turn in (1, 2, 3):
        assert not course.state.is_over
        assert course.state.standing.turn == turn
        turn_of(course)
    assert course.ended == (Ending.TURNS, None)
    assert (course.state.standing.turn, course.state.standing.phase) == (3, Phase.OVER)


def test_the_end_is_sent_to_all_after_the_last_frame() -> None:
    course = Course(replace(TWO, data=replace(TWO.data, turns=1)))
    turn_of(course)
    for audience in (A, B, PUBLIC, OMNI):
        last_frame, over = course.sent[Audience(audience)][-2:]
        assert isinstance(last_frame, Frame)
        assert isinstance(over, Over)
        assert over.result == course.state.result
        assert over.seed == SEED.hex()
        assert over.seq == last_frame.seq + 1
        assert last_frame.closes_ms == 0


def test_the_match_ends_at_the_end_of_the_turn_when_one_side_has_pieces_left() -> None:
    course = Course(scenario_of(replace(ship(A, at=(5, 1)), vector=Vector(0, -3)), ship(B)))
    course.close()
    assert course.state.truth.ships[A1].fate is Fate.ESCAPED
    assert not course.state.is_over
    turn_of(course)
    assert course.ended == (Ending.LAST_SIDE, B)


def test_a_side_that_is_out_is_announced_and_its_slot_opens_no_more() -> None:
    course = Course(leaving(C, (5, 1)))
    slots = []
    while course.state.standing.turn < 3:
        if course.state.standing.phase is Phase.SCAN:
            slots.append((course.state.standing.turn, course.state.standing.slot_side))
        course.close()
    assert sorted(str(side) for turn, side in slots if turn == 1) == ["A", "B", "C", "D"]
    assert sorted(str(side) for turn, side in slots if turn == 2) == ["A", "B", "D"]
    assert course.state.standing.out == (C,)
    assert len([event for step in course.steps for event in only(step.events, SideWentOut)]) == 1
    assert not course.state.awaits(C)


HOLDING = (Objective(kind=ObjectiveKind.HOLD, at=TOWN, ends_after=2),)


BAND = troops("Band")


def occupied(*theirs: GroundEntry, ours: GroundEntry = BAND) -> Course:
    """Return a match that A ends with two turns alone in the town; B has these units there."""
    return match_of(
        side_of(ground=(ours,), objectives=HOLDING), side_of(ground=theirs, objectives=HOLDING)
    )


def hidden(name: str) -> GroundEntry:
    return replace(troops(name), hidden=True)


def test_the_match_ends_when_a_side_has_stood_alone_for_long_enough() -> None:
    course = occupied()
    turn_of(course)
    assert not course.state.is_over
    turn_of(course)
    assert course.ended == (Ending.OCCUPIED, A)
    assert course.state.standing.turn == 2
    assert course.state.truth.points == {A: 3, B: 0}


def test_hidden_troops_do_not_prevent_the_end_and_count_at_it() -> None:
    course = occupied(hidden("Watch"))
    for _ in range(2):
        assert not course.state.is_over
        turn_of(course)
    assert course.ended == (Ending.OCCUPIED, None)
    assert course.state.truth.points == {A: 0, B: 0}


def test_hidden_troops_do_not_make_the_end() -> None:
    course = occupied(ours=hidden("Band"))
    for _ in range(4):
        turn_of(course)
    assert not course.state.is_over


def test_open_troops_of_another_side_prevent_the_end() -> None:
    course = occupied(troops("Guard"))
    for _ in range(4):
        turn_of(course)
    assert not course.state.is_over


def test_a_side_that_has_resigned_ends_the_match_by_no_occupation() -> None:
    course = match_of(side_of(ground=(troops("Band"),), objectives=HOLDING), side_of(), side_of())
    course.put(Resigned(), A)
    for _ in range(4):
        turn_of(course)
    assert not course.state.is_over


def test_who_stands_openly_is_told_to_all_at_the_turn_s_end_and_stays_in_the_record() -> None:
    course = occupied(hidden("Watch"))
    told = Occupation(site=TOWN, sides=(A,), turns=1, ends_after=2)
    turn_of(course)
    for audience in (A, B, PUBLIC, OMNI):
        frame = only(course.sent[Audience(audience)], Frame)[-1]
        assert told in frame.notices
        assert told in frame.view.record
    course.close()
    assert told in course.view(B).record


def test_points_of_survivors_are_counted_at_the_end_and_not_shown_before() -> None:
    course = Course(surviving(TWO_SHIPS, turns=1))
    turn_of(course)
    assert course.ended == (Ending.TURNS, A)
    assert course.state.truth.points == {A: 3, B: 0}
    assert course.view(A).points == 0


def test_points_for_what_left_the_map_are_counted_and_not_shown_before_the_end() -> None:
    course = Course(leaving(B, (10, 1)))
    turn_of(course)
    assert not course.state.is_over
    assert course.state.truth.points == {A: 4, B: 0, C: 4, D: 4}
    for side in (A, C, D):
        assert (course.view(side).points, course.view(side).points_up_to) == (0, 0)


def test_with_two_sides_the_other_wins_by_resignation_whatever_the_points() -> None:
    course = Course(TWO)
    stepped = course.put(Resigned(), A)
    assert course.ended == (Ending.RESIGNED, B)
    assert course.state.standing.phase is Phase.OVER
    assert [type(post) for post in course.sent[PUBLIC][-2:]] == [News, Over]
    assert stepped.state.is_over


def test_with_four_sides_the_match_goes_on_until_all_but_one_have_resigned() -> None:
    course = Course(FOUR)
    for side in (B, D):
        course.put(Resigned(), side)
        assert not course.state.is_over
        assert not course.state.awaits(side)
    for side in (A, C):
        course.orders(side)
    assert course.state.awaited == ()
    course.close()
    course.put(Resigned(), A)
    assert course.ended == (Ending.RESIGNED, C)


def test_the_match_ends_when_all_but_one_are_out_or_have_resigned() -> None:
    course = Course(leaving(C, (5, 1)))
    turn_of(course)
    course.put(Resigned(), A)
    assert not course.state.is_over
    course.put(Resigned(), D)
    assert course.ended == (Ending.RESIGNED, B)


def test_the_match_ends_with_the_turn_in_which_the_last_but_one_goes_out() -> None:
    course = Course(leaving(C, (5, 1)))
    for side in (A, D):
        course.put(Resigned(), side)
    course.close()
    assert course.state.truth.ships_of(C)[0].fate is Fate.ESCAPED
    assert not course.state.is_over
    turn_of(course)
    assert course.ended == (Ending.LAST_SIDE, B)


def test_that_a_side_is_gone_ends_no_match_before_the_turn_in_which_all_are_told() -> None:
    course = Course(leaving(C, (5, 1)))
    course.close()
    for side in (A, D):
        course.put(Resigned(), side)
    assert not course.state.is_over


def test_who_is_out_may_still_win_by_points() -> None:
    left = leaving(C, (5, 1))
    goal = Objective(kind=ObjectiveKind.ESCAPE, edge=Compass.N)
    setup = replace(left.data.sides[C], objectives=(goal,))
    data = replace(left.data, sides={**left.data.sides, C: setup})
    course = Course(replace(left, data=data))
    turn_of(course)
    for side in (A, D):
        course.put(Resigned(), side)
    assert course.ended == (Ending.RESIGNED, C)


def test_who_has_resigned_cannot_win_at_the_turn_limit() -> None:
    course = Course(surviving((*TWO_SHIPS, ship(C, at=(5, 5))), turns=1))
    course.put(Resigned(), A)
    turn_of(course)
    assert course.ended == (Ending.TURNS, None)


def test_an_adjourned_match_has_no_winner() -> None:
    course = Course(surviving(TWO_SHIPS))
    course.put(Adjourned(), kind=Kind.TICK)
    assert course.ended == (Ending.ADJOURNED, None)


@pytest.mark.parametrize(
    "body", [ChatSaid(text="hello"), Resigned(), DrawOffered(on=True), Adjourned()]
)
def test_nothing_but_the_closing_record_follows_the_end(body: Body) -> None:
    course = Course(TWO)
    course.put(Resigned(), A)
    with pytest.raises(RecordError):
        course.put(body, B)
    course.put(Closed(), kind=Kind.CLOSE)
    with pytest.raises(RecordError):
        course.put(body, B)


def test_a_match_is_closed_once() -> None:
    course = Course(TWO)
    course.put(Resigned(), A)
    course.put(Closed(), kind=Kind.CLOSE)
    with pytest.raises(RecordError):
        course.put(Closed(), kind=Kind.CLOSE)


def test_a_running_match_is_not_closed() -> None:
    with pytest.raises(RecordError):
        Course(TWO).put(Closed(), kind=Kind.CLOSE)


# Draws, pauses, chat.


def test_a_draw_offer_is_sealed_until_every_seat_has_made_it() -> None:
    course = Course(FOUR)
    frames = course.everywhere()
    for side in (A, B, C):
        assert course.put(DrawOffered(on=True), side).posts == ()
    assert course.everywhere() == frames
    course.put(DrawOffered(on=True), D)
    assert course.ended == (Ending.DRAW, None)


def test_a_draw_offer_can_be_taken_back() -> None:
    course = Course(TWO)
    course.put(DrawOffered(on=True), A)
    assert course.put(DrawOffered(on=False), A).posts == ()
    course.put(DrawOffered(on=True), B)
    assert not course.state.is_over


def test_who_has_resigned_need_not_agree_to_a_draw() -> None:
    course = Course(FOUR)
    course.put(Resigned(), D)
    for side in (A, B, C):
        course.put(DrawOffered(on=True), side)
    assert course.ended == (Ending.DRAW, None)


def test_a_draw_is_agreed_when_the_last_seat_that_had_not_offered_resigns() -> None:
    course = Course(FOUR)
    for side in (A, B, C):
        course.put(DrawOffered(on=True), side)
    course.put(Resigned(), D)
    assert course.ended == (Ending.DRAW, None)


def test_a_pause_needs_every_seat_and_moves_the_deadline_by_its_length() -> None:
    course = Course(TWO)
    closes = course.state.closes_ms
    course.now = 10_000
    course.put(PauseAsked(on=True), A)
    assert course.state.table.paused_ms is None
    assert course.state.due_ms == closes
    course.now = 15_000
    course.put(PauseAsked(on=True), B)
    assert course.state.table.paused_ms == 15_000
    assert course.state.due_ms is None
    course.now = 40_000
    course.put(PauseAsked(on=False), A)
    assert course.state.table.paused_ms is None
    assert course.state.due_ms == closes + 25_000


def test_a_pause_that_has_lasted_long_enough_ends_by_itself() -> None:
    course = Course(TWO)
    closes = course.state.closes_ms
    course.now = 10_000
    for side in (A, B):
        course.put(PauseAsked(on=True), side)
    course.now = 310_000
    course.put(PauseEnded(), kind=Kind.TICK)
    assert course.state.due_ms == closes + 300_000


def test_a_request_taken_back_is_no_pause() -> None:
    course = Course(TWO)
    closes = course.state.closes_ms
    course.put(PauseAsked(on=True), A)
    course.put(PauseAsked(on=False), A)
    course.put(PauseAsked(on=True), B)
    assert course.state.table.paused_ms is None
    assert course.state.closes_ms == closes


def test_a_pause_needs_no_seat_that_has_resigned() -> None:
    course = Course(FOUR)
    course.put(Resigned(), B)
    for side in (A, C, D):
        assert course.state.table.paused_ms is None
        course.put(PauseAsked(on=True), side)
    assert course.state.table.paused_ms is not None


def test_orders_stay_sealed_during_a_pause() -> None:
    course = Course(TWO)
    course.orders(A, "thrust S1 N")
    for side in (A, B):
        course.put(PauseAsked(on=True), side)
    course.put(PauseAsked(on=False), B)
    assert course.state.staged[A].orders == (Thrust(ship=S1, to=(Compass.N,)),)


def news(course: Course, audience: str) -> list[tuple[str, str | None]]:
    sent = only(course.sent[Audience(audience)], News)
    return [(post.text, post.side) for post in sent if post.kind is NewsKind.CHAT]


def test_chat_is_heard_by_all_but_those_who_have_muted_it() -> None:
    course = Course(FOUR)
    course.put(ChatSaid(text="one"), A)
    course.put(Muted(whom=A, on=True), B)
    course.put(ChatSaid(text="two"), A)
    course.put(ChatSaid(text="three"), C)
    course.put(Muted(whom=A, on=False), B)
    course.put(ChatSaid(text="four"), A)
    every = [("one", A), ("two", A), ("three", C), ("four", A)]
    for audience in ("A", "C", "D", PUBLIC):
        assert news(course, audience) == every
    assert news(course, "B") == [("one", A), ("three", C), ("four", A)]


def test_nobody_is_told_who_has_muted_whom() -> None:
    course = Course(FOUR)
    assert course.put(Muted(whom=A, on=True), B).posts == ()
