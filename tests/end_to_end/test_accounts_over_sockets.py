"""Who somebody is: names, tokens, and the texts that people write, over real sockets."""

import asyncio
import sqlite3
from pathlib import Path

import pytest

from builders.players import SCENARIO, created, seated
from builders.venues import Venue
from builders.watchers import DELAYED
from builders.wires import dialled, met
from sunglare_protocol.ids import Side
from sunglare_protocol.messages import (
    Bye,
    Chat,
    Create,
    Forget,
    GrantFeed,
    Hello,
    Join,
    Refused,
    SeatInfo,
    SeatState,
    Welcome,
)
from sunglare_protocol.refusals import Code
from sunglare_server.app import App

NORMAL = 1000
A, B = Side("A"), Side("B")


async def greeted(app: App, name: str | None, token: str | None = None) -> Welcome | Refused:
    """Say hello over a connection of its own and return the answer."""
    async with dialled(app.url) as talker:
        answer = await talker.ask(Hello, v=1, name=name, token=token)
        assert isinstance(answer, Welcome | Refused)
        return answer


async def welcomed(app: App, name: str | None, token: str | None = None) -> Welcome:
    """Say hello, which must be answered with a welcome."""
    answer = await greeted(app, name, token)
    assert isinstance(answer, Welcome), answer
    return answer


async def turned_away(app: App, name: str | None, token: str | None = None) -> tuple[Code, str]:
    """Say hello, which must be refused; return the code and what it is about."""
    answer = await greeted(app, name, token)
    assert isinstance(answer, Refused), answer
    return answer.code, answer.at


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("Anna", "Anna"),
        ("Anna", "aNNA"),
        ("Straße", "STRASSE"),
        ("Anna", "\uff21nna"),
        ("ﬁnn", "Finn"),
        ("Ze\u0301", "Z\u00e9"),
        ("Two  Words", "two words"),
        ("Anna", "  Anna "),
    ],
    ids=["same", "case", "folded", "full width", "ligature", "composed", "blanks", "margins"],
)
async def test_a_name_belongs_to_whom_it_was_given_first(
    app: App, first: str, second: str
) -> None:
    await welcomed(app, first)
    assert await turned_away(app, second) == (Code.NAME_TAKEN, "$.name")


async def test_the_token_makes_the_caller_the_same_person_on_any_device(venue: Venue) -> None:
    session = await venue.one("anna")
    match = await created(session)
    await seated(session, match, "B")
    async with met(venue.app.url, token=session.token) as phone:
        assert phone.welcome is not None
        assert (phone.welcome.name, phone.token) == ("anna", session.token)
        (mine,) = (await phone.listed()).mine
        assert (mine.match, mine.mine) == (match, B)
        assert await phone.code(Join, match=match) is Code.SEAT_YOURS
    other = await venue.one("boris")
    assert (await other.listed()).mine == ()


async def test_a_person_may_take_another_name_and_leaves_the_old_one_free(app: App) -> None:
    token = (await welcomed(app, "anna")).token
    await welcomed(app, "boris")
    assert (await welcomed(app, "anya", token)).name == "anya"
    assert await turned_away(app, "BORIS", token) == (Code.NAME_TAKEN, "$.name")
    await welcomed(app, "ANYA", token)
    await welcomed(app, "anna")


async def test_an_unknown_token_is_refused_and_hello_without_one_follows(app: App) -> None:
    async with dialled(app.url) as talker:
        told = await talker.fault(Hello, v=1, name="anna", token="x" * 43)
        assert told == (Code.HELLO_TOKEN, "$.token")
        welcome = await talker.expect(Welcome, Hello, v=1, name="anna")
    assert welcome.token != "x" * 43


async def test_who_gives_no_name_is_a_guest_of_his_own(app: App) -> None:
    first, second = await welcomed(app, None), await welcomed(app, None)
    assert first.name != second.name
    assert first.token != second.token
    assert first.name.startswith("guest-")


async def test_who_is_forgotten_is_nobody_any_more(venue: Venue) -> None:
    anna, boris = await venue.named("anna", "boris")
    match = await created(anna)
    await seated(anna, match, "A")
    await anna.accepted(Forget)
    await anna.came(Bye)
    assert await anna.wait_closed() == NORMAL
    line = (await boris.info(match)).line
    assert line.seats[0] == SeatInfo(side=A, state=SeatState.ACCOUNT, name="someone")
    assert await turned_away(venue.app, None, anna.token) == (Code.HELLO_TOKEN, "$.token")
    await welcomed(venue.app, "anna")


async def test_tokens_and_names_outlive_a_restart(venue: Venue) -> None:
    anna = await venue.one("anna")
    match = await created(anna)
    await venue.close()
    again = await venue.one(token=anna.token)
    assert again.welcome is not None
    assert again.welcome.name == "anna"
    assert [line.match for line in (await again.listed()).mine] == [match]


UNFIT = {
    "right to left override": "a\u202eb",
    "isolate": "a\u2066b",
    "a control character": "a\x07b",
    "a line break": "a\nb",
    "an escape": "\x1b[31mred",
    "zero width": "a\u200bb",
    "a line separator": "a\u2028b",
    "private use": "a\ue000b",
    "unassigned": "a\u0378b",
    "blank": "   ",
}


async def test_unfit_text_is_refused_wherever_people_write(venue: Venue) -> None:
    anna, _ = await venue.duel()
    for what, text in UNFIT.items():
        assert await turned_away(venue.app, text) == (Code.TEXT_UNFIT, "$.name"), what
        told = await anna.talker.fault(Create, scenario=SCENARIO, title=text)
        assert told == (Code.TEXT_UNFIT, "$.title"), what
        assert await anna.fault(Chat, text=text) == (Code.TEXT_UNFIT, "$.text"), what


@pytest.mark.parametrize(
    ("name", "fits"), [("x" * 24, True), ("x" * 25, False), ("s0meone", False), ("", False)]
)
async def test_names_have_bounds(app: App, name: str, *, fits: bool) -> None:
    assert isinstance(await greeted(app, name), Welcome if fits else Refused)


@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("Kit\u0435", Code.NAME_SCRIPTS),
        ("0perator", Code.NAME_RESERVED),
        ("operator: hi", Code.NAME_RESERVED),
        ("lurker", Code.NAME_RESERVED),
        ("M00n", Code.NAME_TAKEN),
        ("Mo\u3164n", Code.TEXT_UNFIT),
    ],
)
async def test_a_name_that_could_mislead_is_refused_to_the_new_and_to_the_known(
    venue: Venue, name: str, code: Code
) -> None:
    await venue.one("Moon")
    lark = await venue.one("Lark")
    for token in (None, lark.token):
        assert await turned_away(venue.app, name, token) == (code, "$.name")


async def test_a_taken_name_is_known_after_a_restart_by_whatever_looks_like_it(
    venue: Venue,
) -> None:
    await venue.one("Moon")
    await venue.close()
    assert await turned_away(await venue.open(), "moOn") == (Code.NAME_TAKEN, "$.name")


async def test_of_two_who_ask_at_once_for_names_that_look_alike_one_gets_his(app: App) -> None:
    answers = await asyncio.gather(*(greeted(app, name) for name in ("Moon", "M00n")))
    assert sorted(type(answer).__name__ for answer in answers) == ["Refused", "Welcome"]


async def test_a_name_that_would_be_refused_today_stays_its_holders(
    venue: Venue, tmp_path: Path
) -> None:
    anna = await venue.one("Moon")
    await venue.close()
    old = "admin\u3164\u0435"
    with sqlite3.connect(tmp_path / "journal.db") as connection:
        connection.execute("UPDATE person SET name = ?, name_key = ?", (old, old))
    connection.close()
    app = await venue.open()
    for name in (None, old):
        assert (await welcomed(app, name, anna.token)).name == old


async def test_an_old_name_that_reads_as_a_role_is_shown_to_others_in_quotes_and_found_so(
    venue: Venue, tmp_path: Path
) -> None:
    host, bob = await venue.one("Host"), await venue.one("Bob")
    await venue.close()
    old = "truth Bob"
    with sqlite3.connect(tmp_path / "journal.db") as connection:
        connection.execute(
            "UPDATE person SET name = ?, name_key = ? WHERE name = 'Bob'", (old, old.casefold())
        )
    connection.close()
    app = await venue.open()
    async with met(app.url, token=host.token) as talker, met(app.url, token=bob.token) as guest:
        assert (await welcomed(app, None, bob.token)).name == old
        match = await created(talker, options=DELAYED)
        await seated(guest, match, "B")
        seats = (await talker.info(match)).line.seats
        assert [seat.name for seat in seats if seat.side == B] == [f'"{old}"']
        fault = await talker.fault(GrantFeed, match=match, name=f'"{old}"')
        assert fault == (Code.FEED_SEAT, "$.name")
