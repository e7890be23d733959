"""What is stored of a person, given out and erased on request."""

import asyncio
import stat
from pathlib import Path

import msgspec
import pytest

from builders.operators import typed
from builders.players import finished, started
from builders.venues import Venue
from sunglare_protocol.ids import MatchId, Side
from sunglare_protocol.messages import Chat, Hello, Report, SetWebhook
from sunglare_protocol.refusals import Code
from sunglare_server.ops.privacy.account_data import PersonalFile
from sunglare_server.ports.rating_model import Placed, RatedResult

Capsys = pytest.CaptureFixture[str]

A, B = Side("A"), Side("B")
URL = "https://turns.example.org/anna"


async def exported(venue: Venue, capsys: Capsys, name: str, path: Path) -> PersonalFile:
    """Return what is exported of somebody."""
    done = await typed(capsys, venue.app, "export-person", name, str(path))
    said = f"{path}: everything that is stored of {name}\n"
    assert done == (0, said, "")
    data = await asyncio.to_thread(path.read_bytes)
    return msgspec.json.decode(data, type=PersonalFile)


async def test_all_that_is_stored_of_a_person_is_in_the_file(
    venue: Venue, capsys: Capsys, tmp_path: Path
) -> None:
    app = await venue.open(webhooks=True)
    anna, boris = await venue.named("Anna", "Boris")
    await anna.accepted(SetWebhook, url=URL)
    players = await started([anna, boris], title="Sunday")
    match = players[0].match
    await anna.accepted(Chat, match=match, text="good luck")
    await boris.accepted(Chat, match=match, text="to you too")
    await anna.accepted(Report, match=match, side=B, text="slow")
    await boris.accepted(Report, match=match, side=A, text="hasty")
    await finished(players)
    account = app.lobby.rooms[match].seats[0].account
    placed = (Placed(account, 1), Placed("f" * 32, 0))
    await app.storage.ratings.add(
        RatedResult(match=MatchId("r" * 26), family="duels", ended_ms=9, placed=placed)
    )
    await typed(capsys, app, "mute", "anna", "--reason", "shouting")
    await app.lobby.accounts.add_solved(account, "02-sun")
    path = tmp_path / "anna.json"
    found = await exported(venue, capsys, "anna", path)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert (found.account, found.name, found.webhook) == (account, "Anna", URL)
    assert found.lessons == ("02-sun",)
    (one,) = found.matches
    assert (one.match, one.side, one.title, one.is_host) == (match, A, "Sunday", True)
    assert one.said is not None
    assert [text for _, text in one.said] == ["good luck"]
    assert [(told.side, told.text) for told in found.reports_made] == [(B, "slow")]
    assert [told.text for told in found.reports_of] == ["hasty"]
    assert [(rated.family, rated.matches, rated.is_bot) for rated in found.ratings] == [
        ("duels", 1, False)
    ]
    assert [(placing.family, placing.place) for placing in found.results] == [("duels", 1)]
    assert [(one.kind, one.reason) for one in found.sanctions] == [("mute", "shouting")]
    assert any('"mute"' in line for line in found.operators_log)
    # Nothing of anybody else, and no secret.
    text = path.read_text(encoding="utf-8")
    for foreign in ("to you too", "Boris", anna.token, "f" * 32):
        assert foreign not in text


async def test_a_file_that_is_there_is_never_replaced(
    venue: Venue, capsys: Capsys, tmp_path: Path
) -> None:
    await venue.named("Anna")
    path = tmp_path / "mine.txt"
    path.write_text("precious", encoding="utf-8")
    done = await typed(capsys, venue.app, "export-person", "anna", str(path))
    assert (done.code, "there is such a file already" in done.err) == (1, True)
    assert path.read_text(encoding="utf-8") == "precious"
    done = await typed(capsys, venue.app, "export-person", "anna", str(tmp_path / "no" / "x"))
    assert (done.code, "No such file or directory" in done.err) == (1, True)
    done = await typed(capsys, venue.app, "export-person", "zoe", str(tmp_path / "zoe.json"))
    assert (done.code, "no account is called 'zoe'" in done.err) == (1, True)


async def test_who_is_forgotten_is_known_by_a_number_alone(
    venue: Venue, capsys: Capsys, tmp_path: Path
) -> None:
    app = await venue.open(webhooks=True)
    anna, boris = await venue.named("Anna", "Boris")
    await anna.accepted(SetWebhook, url=URL)
    match = (await started([anna, boris]))[0].match
    await boris.accepted(Report, match=match, side=A, text="hasty")
    account = app.lobby.rooms[match].seats[0].account
    await typed(capsys, app, "mute", "anna")
    await app.lobby.accounts.add_solved(account, "02-sun")
    done = await typed(capsys, app, "forget", "anna")
    assert done.out.startswith("Anna is forgotten; ")
    assert account in done.out
    await anna.wait_closed()
    stranger = await venue.unknown()
    assert await stranger.code(Hello, v=1, token=anna.token) is Code.HELLO_TOKEN
    found = await exported(venue, capsys, account, tmp_path / "left.json")
    assert (found.name, found.webhook, found.sanctions) == ("someone", None, ())
    assert found.lessons == ()
    assert [one.match for one in found.matches] == [match]
    assert [told.text for told in found.reports_of] == ["hasty"]
    again = await typed(capsys, app, "forget", account)
    assert (again.code, "forgotten already" in again.err) == (1, True)
    await venue.one("Anna")
