"""What an operator does is noted, whatever came of it, and a log that refuses stops nothing."""

from pathlib import Path

import msgspec
import pytest

from builders.fakeclock import FakeClock
from sunglare_protocol.ids import MatchId
from sunglare_server.ops.control.answers import Answer
from sunglare_server.ops.control.audit import UNNOTED, AuditRecorder
from sunglare_server.ops.control.requests import (
    DeedsAsked,
    ForeignError,
    Request,
    RequestError,
    Say,
    StatusAsked,
)
from sunglare_server.ports.audit_log import InMemoryAuditLog
from sunglare_server.sqlite.audit_log import SqliteAuditLog
from sunglare_server.sqlite.database import Database

SAY = Say(text="hello", by="anna (1000)")


async def told(_: Request) -> Answer:
    """Do it."""
    return Answer(done="told 1 match")


async def refusing(_: Request) -> Answer:
    """Refuse it."""
    raise RequestError("there is nobody")


async def foreign(_: Request) -> Answer:
    """Leave it to another worker."""
    raise ForeignError(MatchId("m" * 26))


async def failing(_: Request) -> Answer:
    """Have a bug."""
    raise ZeroDivisionError


async def test_what_was_done_is_noted_with_who_did_it_and_when() -> None:
    noting = AuditRecorder(InMemoryAuditLog(), FakeClock(7))
    assert await noting.noted(SAY, told) == Answer(done="told 1 match")
    (row,) = await noting.rows(DeedsAsked())
    assert (row.at_ms, row.by, row.outcome) == (7, "anna (1000)", "told 1 match")
    assert msgspec.json.decode(row.asked) == {"do": "say", "text": "hello"}


async def test_what_was_refused_or_failed_is_noted_too() -> None:
    noting = AuditRecorder(InMemoryAuditLog(), FakeClock())
    with pytest.raises(RequestError):
        await noting.noted(SAY, refusing)
    with pytest.raises(ZeroDivisionError):
        await noting.noted(SAY, failing)
    outcomes = [row.outcome for row in await noting.rows(DeedsAsked())]
    assert outcomes == ["refused: there is nobody", "failed: the server's log says how"]


async def test_what_another_worker_does_is_noted_there() -> None:
    noting = AuditRecorder(InMemoryAuditLog(), FakeClock())
    with pytest.raises(ForeignError):
        await noting.noted(SAY, foreign)
    assert await noting.rows(DeedsAsked()) == ()


async def test_who_looks_leaves_no_note() -> None:
    noting = AuditRecorder(InMemoryAuditLog(), FakeClock())
    await noting.noted(StatusAsked(), told)
    assert await noting.rows(DeedsAsked()) == ()


@pytest.mark.parametrize("by", ["", "two\nlines", "x" * 81])
async def test_a_name_that_is_none_is_noted_as_unknown(by: str) -> None:
    noting = AuditRecorder(InMemoryAuditLog(), FakeClock())
    await noting.noted(Say(text="hello", by=by), told)
    assert [row.by for row in await noting.rows(DeedsAsked())] == ["unknown"]


async def test_a_log_that_refuses_stops_no_deed_and_is_told(tmp_path: Path) -> None:
    database = await Database.open(tmp_path / "journal.db")
    await database.close()
    noting = AuditRecorder(SqliteAuditLog(database), FakeClock())
    assert await noting.noted(SAY, told) == Answer(done="told 1 match" + UNNOTED)
