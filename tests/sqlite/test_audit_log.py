"""The operators' log in the places that keep it: in order, durable, and bounded."""

from pathlib import Path

import pytest

from builders.clusters import engine_on
from builders.engines import Engines
from sunglare_server.cluster.store.audit_log import NatsAuditLog
from sunglare_server.ports.audit_log import AuditEntry, AuditLog, InMemoryAuditLog
from sunglare_server.sqlite.audit_log import SqliteAuditLog
from sunglare_server.sqlite.database import Database


def entry(number: int) -> AuditEntry:
    """Return a deed that is like no other."""
    asked = f'{{"do":"say","text":"{number}"}}'
    return AuditEntry(at_ms=number, by="root (0)", asked=asked, outcome="told 1 match")


async def noted(kept: AuditLog, *numbers: int) -> None:
    """Note so many deeds."""
    for number in numbers:
        await kept.note(entry(number))


async def test_a_log_shows_the_newest_deeds_the_oldest_first() -> None:
    kept = InMemoryAuditLog()
    await noted(kept, 1, 2, 3)
    assert await kept.newest(2) == (entry(2), entry(3))
    assert await kept.newest(9) == (entry(1), entry(2), entry(3))


async def test_a_log_in_a_file_outlives_the_process_and_loses_the_oldest_alone(
    tmp_path: Path,
) -> None:
    path = tmp_path / "journal.db"
    database = await Database.open(path)
    kept = SqliteAuditLog(database, most=3)
    assert await kept.newest(9) == ()
    await noted(kept, *range(1, 6))
    await database.close()
    database = await Database.open(path)
    assert await SqliteAuditLog(database).newest(9) == (entry(3), entry(4), entry(5))
    assert await SqliteAuditLog(database).newest(1) == (entry(5),)
    await database.close()


@pytest.mark.needs_nats
async def test_a_log_in_a_cluster_is_every_workers(node: Engines) -> None:
    one, other = await engine_on(node), await engine_on(node)
    try:
        await NatsAuditLog.open(one)
        mine, theirs = NatsAuditLog(one, most=3), await NatsAuditLog.open(other)
        assert await theirs.newest(9) == ()
        for number in range(1, 6):
            await (mine if number % 2 else theirs).note(entry(number))
        assert await theirs.newest(9) == (entry(3), entry(4), entry(5))
        assert await mine.newest(2) == (entry(4), entry(5))
        # One that can't be read hides no other.
        await one.put("deeds", b"\xc1", name="rotten")
        await theirs.note(entry(6))
        assert await mine.newest(2) == (entry(5), entry(6))
    finally:
        await one.close()
        await other.close()
