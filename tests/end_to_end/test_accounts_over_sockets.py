"""Who somebody is: names, tokens, and the texts that people write, over real sockets."""

import asyncio
import sqlite3
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from builders.players import SCENARIO, created, seated, started
from builders.servers import running_app
from builders.wires import dialled, met
from sunglare_protocol.ids import Side
from sunglare_protocol.messages import (
    Bye,
    Chat,
    Create,
    Forget,
    Hello,
    Info,
    Join,
    ListMatches,
    Matches,
    MatchInfo,
    Refused,
    SeatInfo,
    SeatState,
    Welcome,
)
from sunglare_protocol.refusals import Code
from sunglare_server.app import App

NORMAL = 1000
A, B = Side("A"), Side("B")


@pytest.fixture
async def app(tmp_path: Path) -> AsyncIterator[App]:
    async with running_app(tmp_path) as running:
        yield running


async def welcomed(url: str, name: str | None, token: str | None = None) -> Welcome | Refused:
    """Say hello over a connection of its own and return the answer."""
    async with dialled(url) as talker:
        answer = await talker.ask(Hello, v=1, name=name, token=token)
        assert isinstance(answer, Welcome | Refused)
        return answer


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
    assert isinstance(await welcomed(app.url, first), Welcome)
    taken = await welcomed(app.url, second)
    assert isinstance(taken, Refused)
    assert (taken.code, taken.at) == (Code.NAME_TAKEN, "$.name")


async def test_the_token_makes_the_caller_the_same_person_on_any_device(app: App) -> None:
    async with met(app.url, "anna") as desk:
        match = await created(desk)
        await seated(desk, match, "B")
        async with met(app.url, token=desk.token) as phone:
            assert phone.welcome is not None
            assert (phone.welcome.name, phone.token) == ("anna", desk.token)
            (mine,) = (await phone.expect(Matches, ListMatches)).mine
            assert (mine.match, mine.mine) == (match, B)
            assert await phone.code(Join, match=match) is Code.SEAT_YOURS
        async with met(app.url, "boris") as other:
            assert (await other.expect(Matches, ListMatches)).mine == ()


async def test_a_person_may_take_another_name_and_leaves_the_old_one_free(app: App) -> None:
    first = await welcomed(app.url, "anna")
    assert isinstance(first, Welcome)
    other = await welcomed(app.url, "boris")
    assert isinstance(other, Welcome)
    renamed = await welcomed(app.url, "anya", first.token)
    assert isinstance(renamed, Welcome)
    assert renamed.name == "anya"
    taken = await welcomed(app.url, "BORIS", first.token)
    assert isinstance(taken, Refused)
    assert taken.code is Code.NAME_TAKEN
    assert isinstance(await welcomed(app.url, "ANYA", first.token), Welcome)
    assert isinstance(await welcomed(app.url, "anna"), Welcome)


async def test_an_unknown_token_is_refused_and_hello_without_one_follows(app: App) -> None:
    async with dialled(app.url) as talker:
        refused = await talker.refused(Hello, v=1, name="anna", token="x" * 43)
        assert (refused.code, refused.at) == (Code.HELLO_TOKEN, "$.token")
        welcome = await talker.expect(Welcome, Hello, v=1, name="anna")
    assert welcome.token != "x" * 43


async def test_who_gives_no_name_is_a_guest_of_his_own(app: App) -> None:
    first, second = await welcomed(app.url, None), await welcomed(app.url, None)
    assert isinstance(first, Welcome)
    assert isinstance(second, Welcome)
    assert first.name != second.name
    assert first.token != second.token
    assert first.name.startswith("guest-")


async def test_who_is_forgotten_is_nobody_any_more(app: App) -> None:
    async with met(app.url, "anna") as anna, met(app.url, "boris") as boris:
        match = await created(anna)
        await seated(anna, match, "A")
        await anna.accepted(Forget)
        bye = await anna.wait_for(lambda message: isinstance(message, Bye))
        assert isinstance(bye, Bye)
        assert await anna.wait_closed() == NORMAL
        line = (await boris.expect(MatchInfo, Info, match=match)).line
        assert line.seats[0] == SeatInfo(side=A, state=SeatState.ACCOUNT, name="someone")
        gone = await welcomed(app.url, None, anna.token)
        assert isinstance(gone, Refused)
        assert gone.code is Code.HELLO_TOKEN
        assert isinstance(await welcomed(app.url, "anna"), Welcome)


async def test_tokens_and_names_outlive_a_restart(tmp_path: Path) -> None:
    async with running_app(tmp_path) as app, met(app.url, "anna") as anna:
        token = anna.token
        match = await created(anna)
    async with running_app(tmp_path) as app, met(app.url, token=token) as again:
        assert again.welcome is not None
        assert again.welcome.name == "anna"
        assert [line.match for line in (await again.expect(Matches, ListMatches)).mine] == [match]


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


@pytest.mark.parametrize("text", UNFIT.values(), ids=UNFIT)
async def test_unfit_text_is_refused_wherever_people_write(app: App, text: str) -> None:
    unfit = await welcomed(app.url, text)
    assert isinstance(unfit, Refused)
    assert (unfit.code, unfit.at) == (Code.TEXT_UNFIT, "$.name")
    async with met(app.url) as anna, met(app.url) as boris:
        titled = await anna.refused(Create, scenario=SCENARIO, title=text)
        assert (titled.code, titled.at) == (Code.TEXT_UNFIT, "$.title")
        player, _ = await started([anna, boris])
        said = await anna.refused(Chat, match=player.match, text=text)
        assert (said.code, said.at) == (Code.TEXT_UNFIT, "$.text")


@pytest.mark.parametrize(
    ("name", "fits"), [("x" * 24, True), ("x" * 25, False), ("s0meone", False), ("", False)]
)
async def test_names_have_bounds(app: App, name: str, *, fits: bool) -> None:
    assert isinstance(await welcomed(app.url, name), Welcome if fits else Refused)


@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("Kit\u0435", Code.NAME_SCRIPTS),
        ("0perator", Code.NAME_RESERVED),
        ("drifter", Code.NAME_RESERVED),
        ("M00n", Code.NAME_TAKEN),
        ("Mo\u3164n", Code.TEXT_UNFIT),
    ],
)
async def test_a_name_that_could_mislead_is_refused_to_the_new_and_to_the_known(
    app: App, name: str, code: Code
) -> None:
    async with met(app.url, "Moon"), met(app.url, "Lark") as lark:
        for token in (None, lark.token):
            refused = await welcomed(app.url, name, token)
            assert isinstance(refused, Refused)
            assert (refused.code, refused.at) == (code, "$.name")


async def test_a_taken_name_is_known_after_a_restart_by_whatever_looks_like_it(
    tmp_path: Path,
) -> None:
    async with running_app(tmp_path) as app, met(app.url, "Moon"):
        pass
    async with running_app(tmp_path) as app:
        refused = await welcomed(app.url, "moOn")
        assert isinstance(refused, Refused)
        assert refused.code is Code.NAME_TAKEN


async def test_of_two_who_ask_at_once_for_names_that_look_alike_one_gets_his(app: App) -> None:
    answers = await asyncio.gather(*(welcomed(app.url, name) for name in ("Moon", "M00n")))
    assert sorted(type(answer).__name__ for answer in answers) == ["Refused", "Welcome"]


async def test_a_name_that_would_be_refused_today_stays_its_holders(tmp_path: Path) -> None:
    async with running_app(tmp_path) as app, met(app.url, "Moon") as anna:
        pass
    old = "admin\u3164\u0435"
    with sqlite3.connect(tmp_path / "journal.db") as connection:
        connection.execute("UPDATE person SET name = ?, name_key = ?", (old, old))
    connection.close()
    async with running_app(tmp_path) as app:
        for name in (None, old):
            answer = await welcomed(app.url, name, anna.token)
            assert isinstance(answer, Welcome)
            assert answer.name == old
