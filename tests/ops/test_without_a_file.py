"""The operator of a server that keeps everything elsewhere than in a database file."""

import pytest
from msgspec.structs import replace

from builders.memoryjournal import MemoryJournal
from builders.operators import typed
from builders.players import created, seated
from builders.venues import Venue
from sunglare_protocol.ids import Side
from sunglare_server.app import App
from sunglare_server.ops.control.answers import Status
from sunglare_server.ops.control.formatting import status_lines
from sunglare_server.ops.control.operator import Operator
from sunglare_server.ops.control.overview import Installation
from sunglare_server.ops.control.requests import (
    Adjourn,
    ArchiveRecords,
    Backup,
    Drain,
    ForeignError,
    ImportMatch,
    Kick,
    Prune,
    RequestError,
    Say,
    StatusAsked,
)
from sunglare_server.ops.metrics.exporter import Exposition
from sunglare_server.ops.metrics.server_metrics import server_figures
from sunglare_server.ports.rooms import packed_room

Capsys = pytest.CaptureFixture[str]


def without_file(app: App, **fields: bool) -> Installation:
    """Return a server's parts as they are where an engine keeps everything."""
    return replace(app.operator.site, database=None, path=None, medium="nats", **fields)


async def standing(site: Installation) -> Status:
    """Return how a server is doing."""
    answer = await Operator(site).perform(StatusAsked())
    assert answer.standing is not None
    return answer.standing


async def test_the_standing_names_what_keeps_everything_and_no_size(app: App) -> None:
    now = await standing(without_file(app))
    assert (now.journal, now.journal_bytes, now.has_file) == ("nats", 0, False)
    assert (now.commits, now.queue) == (0, 0)
    assert "journal     nats" in status_lines(now)


async def test_a_file_is_named_with_its_size(app: App) -> None:
    now = await standing(app.operator.site)
    assert now.has_file
    assert f"journal     {app.settings.journal}, {now.journal_bytes >> 20} MiB" in status_lines(
        now
    )


async def test_records_are_told_by_whatever_journal_counts_them(venue: Venue) -> None:
    await venue.duel()
    site = without_file(venue.app)
    assert (await standing(site)).records == site.journal.appended > 0  # type: ignore[attr-defined] # SQLite's counts
    assert (await standing(replace(site, journal=MemoryJournal()))).records == 0


async def test_figures_are_given_without_a_file_too(app: App) -> None:
    text, _ = await Exposition(lambda: server_figures(without_file(app))).text()
    shown = text.decode()
    assert "sunglare_journal_bytes 0.0\n" in shown
    assert "sunglare_connections 0.0\n" in shown


@pytest.mark.parametrize(
    ("request_", "right"),
    [
        (Backup(path="/x.db"), "`Backup of a cluster`"),
        (ArchiveRecords(path="/x"), "`sunglare-server archivist`"),
        (ImportMatch(path="/x"), "dump and import take the matches of a database file"),
        (Prune(days=1), "`Many machines`"),
        (Prune(days=1, dry=True), "`Many machines`"),
    ],
    ids=["backup", "archive", "import", "prune", "a dry prune"],
)
async def test_what_needs_a_file_is_refused_with_what_is_right_instead(
    app: App, request_: Backup | ArchiveRecords | ImportMatch | Prune, right: str
) -> None:
    with pytest.raises(RequestError, match=right):
        await Operator(without_file(app)).perform(request_)


async def test_a_check_of_a_server_without_a_file_says_what_checks_its_matches(
    app: App, capsys: Capsys
) -> None:
    app.operator.site = without_file(app)
    done = await typed(capsys, app, "check")
    assert (done.code, done.out) == (2, "")
    assert "`sunglare verify`" in done.err


async def test_a_worker_that_shares_its_matches_drains_by_ending_at_once(venue: Venue) -> None:
    await venue.duel()
    operator = Operator(without_file(venue.app, is_shared=True))
    assert (await operator.perform(Drain())).done == (
        "the worker ends now; the others take its matches over"
    )
    assert operator.drained.is_set()


async def test_a_match_that_another_worker_owns_is_left_to_it(venue: Venue) -> None:
    anna, boris = await venue.named("anna", "boris")
    mine = await created(anna)
    await seated(anna, mine)
    await seated(boris, mine)
    lobby = venue.app.lobby
    # As if another worker had taken it: it stands in the store, and is known to go on elsewhere.
    lobby.peer_rooms.hear(mine, packed_room(lobby.rooms.pop(mine)))
    operator = Operator(without_file(venue.app, is_shared=True))
    for request in (
        Adjourn(match=mine),
        Say(text="back at nine", match=mine[:5]),
        Kick(match=mine, side=Side("A")),
    ):
        with pytest.raises(ForeignError, match=f"{mine} is another worker's"):
            await operator.perform(request)
    done = (await operator.perform(Kick(name="anna"))).done
    assert done == "anna: 0 seats cleared, all connections ended"
