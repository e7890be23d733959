"""Lessons over sockets: listed, opened, asked about, answered, and kept with the account."""

import msgspec
import pytest
from msgspec.structs import replace

from builders.fakeclock import FakeClock
from builders.lessons import read_on
from builders.venues import Venue
from builders.wires import Talker
from sunglare_protocol.codec import Form, encode_server
from sunglare_protocol.lessons.lesson import Position, positions
from sunglare_protocol.messages import (
    Accepted,
    Answer,
    Forget,
    JudgedLesson,
    LessonAct,
    LessonHint,
    Lessons,
    OpenedLesson,
    Question,
    TakeLesson,
)
from sunglare_protocol.messages.answers import Review, Sheet
from sunglare_protocol.orders import Order
from sunglare_protocol.refusals import Code
from sunglare_rules.advice.answer import answer as advised
from sunglare_rules.advice.seen.lookup import own_ids
from sunglare_rules.advice.sheets.cost import SINGLE_POINTS
from sunglare_server.api.lesson_handlers import LessonBudget
from sunglare_server.runtime.query_budget import ASK_POINTS, ASK_POINTS_PER_SECOND

each = pytest.mark.parametrize("position", positions(), ids=lambda position: position.name)


def named(name: str) -> Position:
    return next(one for one in positions() if one.name == name)


def written(part: msgspec.Struct) -> str:
    """Return a part of a message as it stands in its JSON."""
    return msgspec.json.encode(part).decode()


async def answered(talker: Talker, lesson: str, orders: tuple[Order, ...]) -> JudgedLesson:
    return await talker.expect(
        JudgedLesson, TakeLesson, act=LessonAct.ANSWER, lesson=lesson, orders=orders
    )


async def solved(talker: Talker) -> list[str]:
    told = await talker.expect(Lessons, TakeLesson, act=LessonAct.LIST)
    return [line.lesson for line in told.lessons if line.solved]


async def test_all_lessons_are_listed_in_their_order_and_none_is_solved(venue: Venue) -> None:
    anna = await venue.one()
    told = await anna.expect(Lessons, TakeLesson, act=LessonAct.LIST)
    assert [(line.number, line.lesson, line.title) for line in told.lessons] == [
        (one.number, one.name, one.lesson.title) for one in positions()
    ]
    assert await solved(anna) == []


@each
async def test_each_accepted_answer_solves_a_lesson_and_brings_the_idea_and_what_came_next(
    venue: Venue, position: Position
) -> None:
    anna = await venue.one()
    for line in position.lesson.accepted:
        told = await answered(anna, position.name, position.orders[line])
        assert told.solved
        assert told.frames == position.frames[1:]
        assert told.idea.split() == position.lesson.idea.split()
    assert await solved(anna) == [position.name]


@each
async def test_nothing_is_sent_that_is_not_asked_for_or_earned(
    venue: Venue, position: Position
) -> None:
    anna = await venue.one()
    lesson, name = position.lesson, position.name
    listed = await anna.expect(Lessons, TakeLesson, act=LessonAct.LIST)
    opened = await anna.expect(OpenedLesson, TakeLesson, act=LessonAct.OPEN, lesson=name)
    wrong = await answered(anna, name, ())
    # Sheets list all that is possible, as advice from the view alone has it; see below.
    bare = replace(opened, sheets=())
    sent = b"".join(encode_server(one, Form.JSON) for one in (listed, bare, wrong)).decode()
    kept = [" ".join(text.split()) for text in (lesson.hint, lesson.idea)]
    kept += [*lesson.accepted, *lesson.wrong, *lesson.wrong.values()]
    # The story itself names some of the lines that show more.
    kept += [line for line in lesson.tries if line not in lesson.story]
    kept += [written(order) for line in position.orders.values() for order in line]
    kept += [
        written(notice)
        for frame in position.frames[1:]
        for notice in frame.notices
        if notice not in position.frames[0].notices
    ]
    assert len(kept) > len(lesson.accepted) + 2
    assert opened.frame == position.frames[0]
    assert [text for text in kept if text in sent] == []
    assert wrong == JudgedLesson(id=wrong.id, solved=False, said=lesson.otherwise)
    hint = await anna.expect(LessonHint, TakeLesson, act=LessonAct.HINT, lesson=name)
    assert (hint.hint, hint.tries) == (lesson.hint, lesson.tries)


@each
async def test_orders_are_checked_without_being_judged(venue: Venue, position: Position) -> None:
    anna = await venue.one()
    fields = {"act": LessonAct.CHECK, "lesson": position.name}
    for orders in position.orders.values():
        told = await anna.expect(Accepted, TakeLesson, orders=orders, **fields)
        assert told == Accepted(id=told.id)
        refusal = await anna.refused(TakeLesson, orders=orders * 2, **fields)
        assert refusal.at.startswith(f"$.orders[{len(orders)}]")
    assert await solved(anna) == []


async def test_a_wrong_answer_gets_its_reason_and_one_that_cannot_stand_its_refusal(
    venue: Venue,
) -> None:
    anna = await venue.one()
    sun = named("02-sun")
    ((line, why),) = sun.lesson.wrong.items()
    assert (await answered(anna, sun.name, sun.orders[line])).said == why
    burn = named("03-shadow").orders["burn S1 +1,+0"]
    refusal = await anna.refused(TakeLesson, act=LessonAct.ANSWER, lesson=sun.name, orders=burn)
    assert (refusal.code, refusal.at) == (Code.ORDER_WINDOW, "$.orders[0]")
    assert await solved(anna) == []


@each
async def test_a_question_about_a_lesson_is_answered_as_in_a_match(
    venue: Venue, position: Position
) -> None:
    anna = await venue.one()
    ask = {"act": LessonAct.ASK, "lesson": position.name}
    view = position.view
    opened = await anna.expect(OpenedLesson, TakeLesson, act=LessonAct.OPEN, lesson=position.name)
    assert [one.piece for one in opened.sheets] == list(own_ids(view))
    for piece, sheet in zip(own_ids(view), opened.sheets, strict=True):
        told = await anna.expect(Answer, TakeLesson, kind=Question.SHEET, about=piece, **ask)
        assert isinstance(told.answer, Sheet)
        assert told.answer == sheet == advised(view, Question.SHEET, piece)
        assert (told.match, told.window) == (position.frames[0].match, view.stage.window)
    orders = position.orders[position.lesson.accepted[0]]
    told = await anna.expect(Answer, TakeLesson, kind=Question.REVIEW, orders=orders, **ask)
    assert isinstance(told.answer, Review)
    assert told.answer == advised(view, Question.REVIEW, None, orders)


async def test_a_lesson_that_there_is_not_is_refused_with_those_there_are(venue: Venue) -> None:
    anna = await venue.one()
    for fields in ({}, {"lesson": "08-none"}):
        refusal = await anna.refused(TakeLesson, act=LessonAct.OPEN, **fields)
        assert (refusal.code, refusal.at) == (Code.LESSON_UNKNOWN, "$.lesson")
        assert refusal.choices == tuple(one.name for one in positions())


async def test_what_is_solved_stays_with_the_account_over_lines_and_restarts(
    venue: Venue,
) -> None:
    anna, boris = await venue.named("Anna", "Boris")
    shadow = named("03-shadow")
    await answered(anna, shadow.name, read_on(shadow.view, ("burn S1 +1,-1",)))
    token = anna.token
    assert await solved(boris) == []
    await venue.close()
    await venue.open()
    again = await venue.one(token=token)
    assert await solved(again) == [shadow.name]
    opened = await again.expect(OpenedLesson, TakeLesson, act=LessonAct.OPEN, lesson=shadow.name)
    assert opened.line.solved
    await again.expect(Accepted, Forget)


async def test_questions_beyond_the_points_of_an_account_are_refused_on_every_line(
    venue: Venue,
) -> None:
    await venue.still()
    anna = await venue.one()
    ask = {"act": LessonAct.ASK, "lesson": "02-sun", "kind": Question.WHY, "about": "S1"}
    for _ in range(ASK_POINTS // SINGLE_POINTS):
        await anna.expect(Answer, TakeLesson, **ask)
    again = await venue.one(token=anna.token)
    for talker in (anna, again):
        assert await talker.code(TakeLesson, **ask) is Code.ASK_MANY
    boris = await venue.one()
    await boris.expect(Answer, TakeLesson, **ask)


def test_the_points_of_an_account_come_back_with_time() -> None:
    clock = FakeClock()
    budget = LessonBudget(clock)
    assert budget.takes("anna", ASK_POINTS)
    assert not budget.takes("anna", 1)
    assert budget.takes("boris", 1)
    clock.advance(1_000)
    assert budget.takes("anna", ASK_POINTS_PER_SECOND)
    assert not budget.takes("anna", 1)
