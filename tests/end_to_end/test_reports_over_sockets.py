"""Reports over real sockets: the operator hears of it, and nobody else a single byte."""

import asyncio

import pytest

from builders.operators import asked, typed
from builders.players import created, finished, play_on, seated, started
from builders.venues import Venue
from builders.wires import Talker
from sunglare_protocol.ids import PUBLIC, Side
from sunglare_protocol.messages import Chat, Report, Watch
from sunglare_protocol.refusals import Code
from sunglare_protocol.text import CHAT_MOST
from sunglare_server.moderation.chat_log import AFTER, BEFORE
from sunglare_server.moderation.reports import REPORTS_MOST
from sunglare_server.ops.control.requests import ReportsAsked

A, B = Side("A"), Side("B")
WORDS = "He insults all of us."


def heard(talker: Talker) -> int:
    """Return how many bytes have come."""
    return sum(map(len, talker.raw))


async def test_the_operator_reads_a_report_and_deletes_it(
    venue: Venue, capsys: pytest.CaptureFixture[str]
) -> None:
    app = await venue.open()
    assert (await typed(capsys, app, "reports")).out == "no reports\n"
    ada, bo = await venue.named("Ada", "Bo")
    match = (await started([ada, bo]))[0].match
    await bo.accepted(Chat, match=match, text="you lot")
    await ada.accepted(Report, match=match, side=B, text=WORDS)
    shown = await typed(capsys, app, "reports")
    head, words, heard_then = shown.out.splitlines()
    assert head.startswith(f"{match}  ")
    assert head.endswith(" ago, in 1.plot  A Ada of B Bo")
    assert heard_then.endswith(" UTC  B: you lot")
    assert words == f"  {WORDS}"
    done = await typed(capsys, app, "reports", "--drop", match[:6])
    assert (done.code, done.out) == (0, f"{match}: its reports are deleted\n")
    assert (await typed(capsys, app, "reports")).out == "no reports\n"
    assert (await typed(capsys, app, "reports", "--drop", "zzzz")).code == 1


async def test_whoever_is_reported_and_whoever_watches_hears_nothing(venue: Venue) -> None:
    ada, bo, eve = await venue.named("Ada", "Bo", "Eve")
    match = (await started([ada, bo]))[0].match
    await eve.ask(Watch, match=match, feed=PUBLIC)
    for talker in (bo, eve):
        await talker.ping()
    before = [heard(bo), heard(eve)]
    answer = await ada.accepted(Report, match=match, side=B, text=WORDS)
    refused = await ada.code(Report, match=match, side=A, text=WORDS)
    for talker in (bo, eve):
        await talker.ping()
    # What came besides the answer to one's own ping.
    assert heard(bo) - before[0] == len(bo.raw[-1])
    assert heard(eve) - before[1] == len(eve.raw[-1])
    assert (answer.window, refused) == (None, Code.REPORT_SIDE)


async def test_what_cannot_be_reported_is_refused(venue: Venue) -> None:
    app = await venue.open()
    ada, bo, eve = await venue.named("Ada", "Bo", "Eve")
    match = (await started([ada, bo]))[0].match
    assert await eve.code(Report, match=match, side=A, text=WORDS) is Code.SEAT_NONE
    assert await ada.fault(Report, match=match, side=A, text=WORDS) == (
        Code.REPORT_SIDE,
        "$.side",
    )
    refused = await ada.refused(Report, match=match, side=Side("C"), text=WORDS)
    assert (refused.code, refused.choices) == (Code.REPORT_SIDE, ("B",))
    for text in ("", "x" * (CHAT_MOST + 1), "a\nb"):
        assert await ada.fault(Report, match=match, side=B, text=text) == (
            Code.TEXT_UNFIT,
            "$.text",
        )
    assert await ada.code(Report, match="none", side=B, text=WORDS) is Code.MATCH_UNKNOWN
    assert (await asked(app, ReportsAsked())).reports == ()


async def test_so_many_reports_are_taken_of_each_also_after_the_end_and_a_restart(
    venue: Venue,
) -> None:
    await venue.open()
    ada, bo = await venue.named("Ada", "Bo")
    players = await started([ada, bo])
    match = players[0].match
    await ada.accepted(Report, match=match, side=B, text="first")
    await finished(players)
    await ada.accepted(Report, match=match, side=B, text="second")
    await venue.close()
    app = await venue.open()
    again = await venue.one(token=ada.token)
    for number in range(2, REPORTS_MOST):
        await again.accepted(Report, match=match, side=B, text=str(number))
    assert await again.code(Report, match=match, side=B, text="more") is Code.REPORT_MANY
    other = await venue.one(token=bo.token)
    await other.accepted(Report, match=match, side=A, text="he too")
    rows = (await asked(app, ReportsAsked())).reports
    assert rows is not None
    assert [row.by for row in rows] == ["Ada"] * REPORTS_MOST + ["Bo"]
    assert [row.of for row in rows] == ["Bo"] * REPORTS_MOST + ["Ada"]


async def test_a_report_is_shown_with_what_was_said_around_it(venue: Venue) -> None:
    app = await venue.open()
    ada, bo = await venue.named("Ada", "Bo")
    players = await started([ada, bo])
    match = players[0].match
    for number in range(BEFORE + 2):
        await bo.accepted(Chat, match=match, text=f"before {number}")
    await play_on(players, 1)
    await ada.accepted(Report, match=match, side=B, text=WORDS)
    # The moment of a report is a millisecond, and what comes in the same one is before it.
    await asyncio.sleep(0.005)
    for number in range(AFTER + 2):
        await ada.accepted(Chat, match=match, text=f"after {number}")
    (row,) = (await asked(app, ReportsAsked())).reports or ()
    assert (row.by_side, row.side, row.window) == (A, B, players[0].newest.window)
    assert [(word.side, word.text) for word in row.said] == [
        *((B, f"before {number}") for number in range(2, BEFORE + 2)),
        *((A, f"after {number}") for number in range(AFTER)),
    ]
    assert all(word.at_ms <= row.at_ms for word in row.said[:BEFORE])


async def test_before_the_match_there_is_no_window_and_nothing_was_said(venue: Venue) -> None:
    app = await venue.open()
    ada, bo = await venue.named("Ada", "Bo")
    match = await created(ada)
    await seated(ada, match)
    await seated(bo, match)
    await bo.accepted(Report, match=match, side=A, text=WORDS)
    (row,) = (await asked(app, ReportsAsked())).reports or ()
    assert (row.by_side, row.window, row.said) == (B, None, ())


async def test_what_is_done_with_is_kept_and_shown_no_more_unless_asked(
    venue: Venue, capsys: pytest.CaptureFixture[str]
) -> None:
    app = await venue.open()
    ada, bo = await venue.named("Ada", "Bo")
    match = (await started([ada, bo]))[0].match
    await ada.accepted(Report, match=match, side=B, text="first")
    await bo.accepted(Report, match=match, side=A, text="second")
    done = await typed(capsys, app, "reports", "--done", match)
    assert done.out == f"{match}: 2 of its reports are done with\n"
    await ada.accepted(Report, match=match, side=B, text="third")
    assert [row.text for row in (await asked(app, ReportsAsked())).reports or ()] == ["third"]
    rows = (await asked(app, ReportsAsked(all=True))).reports or ()
    assert [(row.text, row.done) for row in rows] == [
        ("first", True), ("second", True), ("third", False)
    ]  # fmt: skip
    assert (await typed(capsys, app, "reports", "--all")).out.count("DONE") == 2
    both = await typed(capsys, app, "reports", "--done", match, "--drop", match)
    assert (both.code, "either --done or --drop" in both.err) == (1, True)
