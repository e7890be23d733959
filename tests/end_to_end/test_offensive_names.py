"""Other names for people whose names offend, and names that nobody may take."""

import pytest

from builders.operators import asked, typed
from builders.players import created, started
from builders.venues import Venue
from sunglare_protocol.messages import Hello
from sunglare_protocol.refusals import Code
from sunglare_server.ops.control.requests import BansAsked, MatchesAsked

Capsys = pytest.CaptureFixture[str]


async def hello(venue: Venue, **fields: object) -> Code:
    """Return how a hello is refused."""
    return (await (await venue.unknown()).refused(Hello, v=1, **fields)).code


async def named(venue: Venue, name: str | None = None, *, token: str | None = None) -> str:
    """Return the name that a new connection is told to have."""
    welcome = (await venue.one(name, token=token)).welcome
    assert welcome is not None
    return welcome.name


async def test_a_renamed_account_keeps_its_seats_and_nobody_gets_the_old_name(
    venue: Venue, capsys: Capsys
) -> None:
    anna, boris = await venue.named("Rude", "boris")
    left, _ = await started([anna, boris])
    done = await typed(capsys, venue.app, "rename", "rude", "Nora", "--reason", "rude")
    assert done.out == "Rude is Nora now; nobody may be called Rude any more\n"
    (row,) = (await asked(venue.app, MatchesAsked())).matches or ()
    assert [seat.name for seat in row.seats] == ["Nora", "boris"]
    # Neither its owner nor anybody else, nor one that people would take for it.
    for wish in ({"token": anna.token, "name": "Rude"}, {"name": "rude"}, {"name": "RUDE "}):
        assert await hello(venue, **wish) is Code.NAME_BARRED
    back = await venue.one(token=anna.token)
    assert back.welcome is not None
    assert back.welcome.name == "Nora"
    assert (await left.resume(back)).side == "A"


async def test_without_a_name_it_is_a_guests(venue: Venue, capsys: Capsys) -> None:
    (anna,) = await venue.named("Rude")
    done = await typed(capsys, venue.app, "rename", "Rude", "--free")
    assert done.out.startswith("Rude is guest-")
    assert done.out.endswith(" now; the old name is free\n")
    assert (await named(venue, "Rude")) == "Rude"
    assert (await named(venue, token=anna.token)).startswith("guest-")


async def test_a_barred_name_stays_so_across_a_restart_until_it_is_taken_back(
    venue: Venue, capsys: Capsys
) -> None:
    await venue.open()
    done = await typed(capsys, venue.app, "bar", "Rude", "--reason", "a slur")
    assert done.out == "nobody may be called Rude\n"
    await venue.close()
    await venue.open()
    assert await hello(venue, name="RUDE") is Code.NAME_BARRED
    (row,) = (await asked(venue.app, BansAsked())).bans or ()
    assert (row.kind, row.whom, row.account, row.reason) == ("name", "Rude", None, "a slur")
    done = await typed(capsys, venue.app, "unbar", "rude")
    assert done.out == "rude is a name like any other\n"
    assert (await named(venue, "Rude")) == "Rude"


async def test_who_has_a_name_keeps_it_when_it_is_barred(venue: Venue, capsys: Capsys) -> None:
    (anna,) = await venue.named("Rude")
    await typed(capsys, venue.app, "bar", "Rude")
    assert (await named(venue, "Rude", token=anna.token)) == "Rude"
    await created(anna)


@pytest.mark.parametrize(
    ("words", "right"),
    [
        (("rename", "zoe", "Nora"), "no account is called 'zoe'"),
        (("rename", "anna", "boris"), "or one that looks like it, is taken"),
        (("rename", "anna", "server"), "reserved for the server, roles, house bots and guests"),
        (("rename", "anna", "x" * 25), "too long"),
        (("bar", "x" * 25), "one line of 1 to 24 plain characters"),
    ],
)
async def test_a_name_that_nobody_could_take_is_given_to_nobody(
    venue: Venue, capsys: Capsys, words: tuple[str, ...], right: str
) -> None:
    anna, _ = await venue.named("anna", "boris")
    done = await typed(capsys, venue.app, *words)
    assert (done.code, done.out) == (1, "")
    assert right in done.err
    assert (await named(venue, token=anna.token)) == "anna"
    assert (await asked(venue.app, BansAsked())).bans == ()
