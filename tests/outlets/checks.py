"""The check of every outlet of the matrix: what is asked, and what must come.

Every check leaves its match at the stage at which it was.
"""

import asyncio
import contextlib
from collections.abc import Awaitable, Callable
from typing import Final
from urllib.parse import urlsplit

import msgspec
from msgspec.structs import replace

from builders.wires import WAIT_S, dialled, met
from outlets.answers import asking, check_info, check_join, check_list, check_orders
from outlets.matrix import Gives
from outlets.places import SCENARIO, SIDES
from outlets.streams import (
    check_account,
    check_draw_offer,
    check_end,
    check_news,
    check_record,
    check_snapshot,
    check_staging,
    check_stream,
    check_supersession,
    watching,
)
from outlets.visit import Visit
from sunglare_protocol.ids import CASTER, NO_MATCH, OMNI, PUBLIC, audience_of
from sunglare_protocol.lessons.lesson import positions
from sunglare_protocol.messages import (
    Accepted,
    Answer,
    Created,
    JudgedLesson,
    Ladder,
    LessonHint,
    Lessons,
    News,
    NewsKind,
    OpenedLesson,
    Ping,
    Pong,
    Queued,
    commands,
)
from sunglare_rules.advice.answer import answer
from sunglare_rules.advice.lessons import opening_sheets
from sunglare_server.matchmaking.matchmaker import AGAIN_MS
from sunglare_server.ops.control.requests import Drain

HOUR_MS = 3_600_000
SLICES = 16
POLICY = 1008
FAULTS_MOST = 8
BAD_TOKEN = "x" * 43


async def check_create(visit: Visit) -> None:
    """Open a private room: its code is for the opener alone; it is closed again."""
    told = await visit.asked(
        commands.Create, scenario=SCENARIO, options={"clock": "test"}, private=True
    )
    if visit.is_refused:
        return
    assert isinstance(told, Created)
    assert told.code is not None
    await visit.place.talkers[visit.audience].accepted(commands.Leave, match=told.match)


async def check_ladder(visit: Visit) -> None:
    """Ask for a ladder on which nobody stands: no match has ended, rated or not."""
    told = await visit.asked(commands.AskLadder)
    if visit.is_refused:
        return
    assert isinstance(told, Ladder)
    assert msgspec.to_builtins(told) == {"t": told.__struct_config__.tag, "id": told.id}


async def check_lessons(visit: Visit) -> None:
    """Take a lesson: all get the same of it, whatever they know of the match."""
    act = commands.LessonAct
    told = await visit.asked(commands.TakeLesson, act=act.LIST)
    if visit.is_refused:
        return
    assert isinstance(told, Lessons)
    position = positions()[0]
    name = told.lessons[0].lesson
    assert [line.lesson for line in told.lessons] == [one.name for one in positions()]
    opened = await visit.asked(commands.TakeLesson, act=act.OPEN, lesson=name)
    assert isinstance(opened, OpenedLesson)
    assert (opened.line, opened.frame) == (told.lessons[0], position.frames[0])
    assert opened.sheets == opening_sheets(position.number)
    hint = await visit.asked(commands.TakeLesson, act=act.HINT, lesson=name)
    assert isinstance(hint, LessonHint)
    assert hint == LessonHint(id=hint.id, hint=position.lesson.hint, tries=position.lesson.tries)
    known = await visit.asked(commands.TakeLesson, act=act.ASK, lesson=name)
    assert isinstance(known, Answer)
    assert known.answer == answer(position.view, commands.Question.LEGAL, None)
    checked = await visit.asked(commands.TakeLesson, act=act.CHECK, lesson=name)
    assert isinstance(checked, Accepted)
    judged = await visit.asked(commands.TakeLesson, act=act.ANSWER, lesson=name)
    assert isinstance(judged, JudgedLesson)
    assert judged == JudgedLesson(id=judged.id, solved=False, said=position.lesson.otherwise)


async def check_quick(visit: Visit) -> None:
    """Wait for a quick match, and wait no longer: one hears of nobody else."""
    told = await visit.asked(commands.QuickMatch, family=SCENARIO)
    if visit.is_refused:
        return
    assert isinstance(told, Queued)
    assert told == Queued(id=told.id, again_ms=AGAIN_MS)
    assert isinstance(await visit.asked(commands.Unquick), Accepted)


async def check_hello(visit: Visit) -> None:
    """Say hello again, or with a token that nobody has."""
    await visit.asked(commands.Hello, v=1, token=BAD_TOKEN)


async def check_ping(visit: Visit) -> None:
    """Ask for the time."""
    told = await visit.asked(Ping)
    assert isinstance(told, Pong)
    assert msgspec.to_builtins(told) == {"t": "pong", "id": told.id, "time_ms": 1_000_000}


async def check_closing(visit: Visit) -> None:
    """Announce that the server ends and call it off: all are told the same, once, of no match."""
    async with visit.talking():
        operator = visit.place.app.operator
        await operator.perform(Drain(in_ms=HOUR_MS, note="An upgrade"))
        # The seats have been told by then, and all others in their slices.
        for _ in range(SLICES):
            await asyncio.sleep(0)
        await operator.perform(Drain(off=True))
        for _ in range(SLICES):
            await asyncio.sleep(0)
    news = News(match=NO_MATCH, seq=0, kind=NewsKind.SERVER)
    ends = replace(news, text="ends: An upgrade", ends_ms=HOUR_MS)
    told = [] if visit.gives is Gives.EMPTY else [ends, replace(news, text="does not end")]
    assert visit.heard == told


async def check_rubbish(visit: Visit) -> None:
    """Send what is no message until the connection is closed, alike for everybody."""
    token = visit.place.tokens.get(visit.audience)
    known = met(visit.place.url, token=token) if token else dialled(visit.place.url)
    async with known as talker:
        start = len(talker.messages)
        for _ in range(FAULTS_MOST):
            await talker.send_raw(b"\xc1")
        assert await talker.wait_closed() == POLICY
        assert talker.ending == (POLICY, "too many malformed messages")
        visit.heard = talker.messages[start:]
    for message in visit.heard:
        visit.judged(message)
    assert len({msgspec.msgpack.encode(message) for message in visit.heard}) == 1


async def check_http(visit: Visit) -> None:
    """Ask plainly for paths: alive, or that there is nothing, as long as the match goes on."""
    where = urlsplit(visit.place.url)
    for path, body in (
        ("/healthz", b"ok\n"),
        ("/readyz", b"ready\n"),
        ("/metrics", b"The game is played at /play.\n"),
        (f"/{visit.place.match}", b"The game is played at /play.\n"),
        (f"/replay/{visit.place.match}.sgr", b"The game is played at /play.\n"),
    ):
        reader, writer = await asyncio.open_connection(where.hostname, where.port)
        writer.write(f"GET {path} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
        async with asyncio.timeout(WAIT_S):
            told = await reader.read()
        writer.close()
        with contextlib.suppress(ConnectionError):
            await writer.wait_closed()
        assert told.partition(b"\r\n\r\n")[2] == body


CHECKS: Final[dict[str, Callable[[Visit], Awaitable[None]]]] = {
    "frames": check_stream,
    "end": check_end,
    "news": check_news,
    "draw offer": check_draw_offer,
    "staging": check_staging,
    "snapshot": check_snapshot,
    "account": check_account,
    "supersession": check_supersession,
    "orders": check_orders,
    "legal": asking(commands.Question.LEGAL),
    "preview": asking(commands.Question.PREVIEW),
    "odds": asking(commands.Question.ODDS),
    "why": asking(commands.Question.WHY),
    "look": asking(commands.Question.LOOK),
    "review": asking(commands.Question.REVIEW),
    "sheet": asking(commands.Question.SHEET),
    "list": check_list,
    "info": check_info,
    "join": check_join,
    "record": check_record,
    "watch public": watching(PUBLIC),
    "watch omni": watching(OMNI),
    "watch caster": watching(CASTER),
    "watch a side": watching(audience_of(SIDES["A"])),
    "create": check_create,
    "quick": check_quick,
    "ladder": check_ladder,
    "lessons": check_lessons,
    "hello": check_hello,
    "ping": check_ping,
    "closing": check_closing,
    "rubbish": check_rubbish,
    "plain HTTP": check_http,
}
"""The check of every outlet that exists."""
