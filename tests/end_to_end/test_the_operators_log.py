"""Who did what: every command that changes something is in the log, with who typed it."""

import getpass
import os

import msgspec
import pytest

from builders.operators import asked, typed
from builders.venues import Venue
from sunglare_server.app import App
from sunglare_server.ops.control.answers import AuditRow
from sunglare_server.ops.control.requests import DeedsAsked, ReportsAsked, Say, StatusAsked

Capsys = pytest.CaptureFixture[str]

ME = f"{getpass.getuser()} ({os.getuid()})"


async def log_of(app: App) -> tuple[AuditRow, ...]:
    """Return the whole log."""
    return (await asked(app, DeedsAsked())).deeds or ()


async def test_a_deed_is_noted_with_its_user_and_what_came_of_it(
    venue: Venue, capsys: Capsys
) -> None:
    await venue.named("anna")
    await typed(capsys, venue.app, "ban", "anna", "--for", "7d", "--reason", "spam")
    await typed(capsys, venue.app, "kick", "zoe")
    await typed(capsys, venue.app, "status")
    await typed(capsys, venue.app, "matches")
    first, second = await log_of(venue.app)
    assert (first.by, second.by) == (ME, ME)
    assert msgspec.json.decode(first.asked) == {
        "do": "ban", "name": "anna", "lasts_s": 604_800, "reason": "spam"
    }  # fmt: skip
    assert first.outcome == "anna is banned; 1 connection ended"
    assert msgspec.json.decode(second.asked) == {"do": "kick", "name": "zoe"}
    assert second.outcome == "refused: no account is called 'zoe'"
    printed = (await typed(capsys, venue.app, "log", "--last", "1")).out.splitlines()
    assert len(printed) == 2
    assert (ME in printed[0], "zoe" in printed[0], "refused" in printed[1]) == (True, True, True)


async def test_nobody_may_say_that_he_is_somebody_else(app: App) -> None:
    await asked(app, Say(text="hello", by="the queen"))
    (one,) = await log_of(app)
    assert one.by == ME
    assert "queen" not in one.asked


async def test_the_log_outlasts_the_server(venue: Venue, capsys: Capsys) -> None:
    await venue.open()
    await typed(capsys, venue.app, "say", "back at nine")
    before = await log_of(venue.app)
    await venue.close()
    await venue.open()
    assert await log_of(venue.app) == before != ()


async def test_whoever_only_looks_leaves_no_deed(app: App) -> None:
    await asked(app, StatusAsked())
    await asked(app, DeedsAsked())
    await asked(app, ReportsAsked())
    assert await log_of(app) == ()


@pytest.mark.parametrize("most", ["0", "-1", "1001"])
async def test_a_number_of_entries_that_is_none_is_refused(
    app: App, capsys: Capsys, most: str
) -> None:
    done = await typed(capsys, app, "log", "--last", most)
    assert (done.code, done.out) == (1, "")
    assert "from 1 to 1000 entries" in done.err
