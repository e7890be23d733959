"""Lessons: listed, opened, asked about and judged, for an account that has solved some of them.

The answers of a lesson are never sent; its hint is when it is asked for, its idea and what came
next once it is solved.
"""

from typing import Final, final

from sunglare_protocol.lessons.lesson import Position, positions
from sunglare_protocol.messages.commands import LessonAct, TakeLesson
from sunglare_protocol.messages.lessons import LessonLine
from sunglare_protocol.messages.replies import (
    Answer,
    JudgedLesson,
    LessonHint,
    Lessons,
    OpenedLesson,
    ServerMessage,
)
from sunglare_protocol.refusals import Code, Rejected
from sunglare_rules.advice.answer import answer
from sunglare_rules.advice.check.check import check
from sunglare_rules.advice.lessons import judged, opening_sheets
from sunglare_rules.advice.sheets.cost import question_cost
from sunglare_server.accounts.accounts import Accounts
from sunglare_server.api.refusals import refused
from sunglare_server.api.responses import outcome
from sunglare_server.base.clock import Clock
from sunglare_server.runtime.query_budget import ASK_POINTS, ASK_POINTS_PER_SECOND

ACCOUNTS_MOST: Final = 10_000
"""OWN: of so many accounts it is known what they have asked; of others that they have not."""

_MS: Final = 1_000


@final
class LessonBudget:
    """Points that accounts have left for questions about lessons, as a seat has in a match."""

    def __init__(self, clock: Clock) -> None:
        """Begin with nothing asked."""
        self._clock = clock
        self._left: dict[str, tuple[int, int]] = {}

    def takes(self, account: str, cost: int) -> bool:
        """Return whether an account has so many points left, and take them from it."""
        now_ms, full = self._clock.now_ms(), ASK_POINTS * _MS
        left, at_ms = self._left.pop(account, (full, now_ms))
        left = min(full, left + max(0, now_ms - at_ms) * ASK_POINTS_PER_SECOND)
        is_enough = left >= cost * _MS
        self._left[account] = (left - cost * _MS * is_enough, now_ms)
        if len(self._left) > ACCOUNTS_MOST:
            del self._left[next(iter(self._left))]
        return is_enough


@final
class LessonHandlers:
    """Answers what concerns lessons."""

    def __init__(self, accounts: Accounts, clock: Clock) -> None:
        """Keep what is solved with `accounts`."""
        self._accounts = accounts
        self._budget = LessonBudget(clock)

    async def answer(self, message: TakeLesson, account: str) -> ServerMessage:
        """Return the answer to `message` of an account."""
        if message.act is LessonAct.LIST:
            solved = await self._accounts.solved(account)
            return Lessons(
                id=message.id, lessons=tuple([_line(one, solved) for one in positions()])
            )
        known = {one.name: one for one in positions()}
        if message.lesson not in known:
            unknown = Rejected(code=Code.LESSON_UNKNOWN, at="$.lesson", choices=tuple(known))
            return refused(message.id, unknown)
        return await self._about(message, known[message.lesson], account)

    async def _about(self, message: TakeLesson, position: Position, account: str) -> ServerMessage:
        lesson = position.lesson
        match message.act:
            case LessonAct.HINT:
                return LessonHint(id=message.id, hint=lesson.hint, tries=lesson.tries)
            case LessonAct.ASK:
                return self._asked(message, position, account)
            case LessonAct.CHECK:
                return outcome(message.id, check(position.view, message.orders))
            case LessonAct.ANSWER:
                return await self._judged(message, position, account)
            case LessonAct.OPEN | LessonAct.LIST:
                return OpenedLesson(
                    id=message.id,
                    line=_line(position, await self._accounts.solved(account)),
                    story=_paragraph(lesson.story),
                    task=lesson.task,
                    frame=position.frames[0],
                    sheets=opening_sheets(position.number),
                )

    def _asked(self, message: TakeLesson, position: Position, account: str) -> ServerMessage:
        view = position.view
        asked = (message.kind, message.about, message.orders)
        cost = question_cost(view, *asked)
        if not self._budget.takes(account, cost):
            return refused(message.id, Rejected(code=Code.ASK_MANY))
        found = answer(view, *asked)
        if isinstance(found, Rejected):
            return refused(message.id, found)
        match, window = position.frames[0].match, view.stage.window
        return Answer(id=message.id, match=match, answer=found, window=window, cost=cost)

    async def _judged(
        self, message: TakeLesson, position: Position, account: str
    ) -> ServerMessage:
        """Judge an answer; a lesson that is solved is stored before its caller learns so."""
        verdict = judged(position, message.orders)
        if isinstance(verdict, Rejected):
            return refused(message.id, verdict)
        if not verdict.is_solved:
            return JudgedLesson(id=message.id, solved=False, said=verdict.said)
        await self._accounts.add_solved(account, position.name)
        return JudgedLesson(
            id=message.id,
            solved=True,
            idea=_paragraph(position.lesson.idea),
            frames=position.frames[1:],
        )


def _line(position: Position, solved: tuple[str, ...]) -> LessonLine:
    return LessonLine(
        lesson=position.name,
        number=position.number,
        title=position.lesson.title,
        source=position.lesson.source,
        solved=position.name in solved,
    )


def _paragraph(text: str) -> str:
    """Return lines of a file as one line."""
    return " ".join(text.split())
