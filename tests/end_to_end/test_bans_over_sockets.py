"""Whom the operator keeps out: what he hears, what becomes of his seats, and how he comes back."""

import asyncio
from pathlib import Path

import pytest

from builders.commandlines import PATIENCE_S, client_process
from builders.operators import asked, typed
from builders.players import created, play_on, seated, started
from builders.venues import Venue
from builders.wires import Talker, met
from sunglare_client.__main__ import LOST
from sunglare_protocol.messages import Chat, Forget, Hello, Info, News, Resume
from sunglare_protocol.refusals import Code
from sunglare_server.ops.control.requests import BansAsked, MatchesAsked

Capsys = pytest.CaptureFixture[str]

SPAM = "spam in the lobby"


async def turned_away(venue: Venue, **hello: object) -> tuple[Code, str]:
    """Return how a new connection is refused that says this hello."""
    stranger = await venue.unknown()
    refusal = await stranger.refused(Hello, v=1, **hello)
    return refusal.code, refusal.text


async def shut_out(talker: Talker) -> None:
    """Wait until a connection was ended because of a ban."""
    assert await talker.wait_closed() == 1008
    assert talker.farewell is Code.OPERATOR_BANNED


async def test_a_banned_account_is_turned_out_and_told_until_when_and_why(
    venue: Venue, capsys: Capsys
) -> None:
    (anna,) = await venue.named("Anna")
    done = await typed(capsys, venue.app, "ban", "anna", "--for", "7d", "--reason", SPAM)
    assert (done.code, done.out) == (0, "anna is banned; 1 connection ended\n")
    await shut_out(anna)
    code, text = await turned_away(venue, token=anna.token)
    assert code is Code.OPERATOR_BANNED
    (row,) = (await asked(venue.app, BansAsked())).bans or ()
    assert (row.kind, row.whom, row.reason) == ("ban", "Anna", SPAM)
    assert row.until_ms == row.since_ms + 7 * 86_400_000
    assert text.endswith(f"UTC. The reason: {SPAM}")
    # Nor under another name, which is hers no more than before.
    assert (await turned_away(venue, token=anna.token, name="Nora"))[0] is code
    done = await typed(capsys, venue.app, "unban", "Anna")
    assert done.out == "Anna may come back\n"
    async with met(venue.app.url, token=anna.token) as back:
        assert (await back.listed()).mine == ()


async def test_the_seat_of_who_is_banned_goes_on_by_its_clock_and_is_nobody_elses(
    venue: Venue, capsys: Capsys
) -> None:
    anna, boris, clara, dana = await venue.named("anna", "boris", "clara", "dana")
    left, right = await started([anna, boris])
    # Clara sits for Anna, by her ticket.
    again = await left.resume(clara)
    done = await typed(capsys, venue.app, "ban", "anna")
    assert done.code == 0
    # Clara's connection took the seat from Anna's.
    assert await anna.wait_closed() == 4001
    await shut_out(clara)
    ticket = {"match": left.match, "ticket": again.ticket, "have": 0}
    assert await dana.code(Resume, **ticket) is Code.OPERATOR_BANNED
    (row,) = (await asked(venue.app, MatchesAsked())).matches or ()
    assert (row.state, [seat.name for seat in row.seats]) == ("running", ["anna", "boris"])
    await typed(capsys, venue.app, "unban", "anna")
    async with met(venue.app.url, token=anna.token) as back:
        sitting = await left.resume(back, as_account=True)
        await play_on([sitting, right], 1)


async def test_a_seat_in_a_room_that_waits_is_free_again(venue: Venue, capsys: Capsys) -> None:
    anna, boris, clara = await venue.named("anna", "boris", "clara")
    room, hers = await created(boris), await created(anna)
    await seated(anna, room)
    await typed(capsys, venue.app, "ban", "anna")
    await shut_out(anna)
    assert [seat.account for seat in venue.app.lobby.rooms[room].seats] == []
    assert await clara.code(Info, match=hers) is Code.MATCH_UNKNOWN
    assert (await seated(clara, room)).side == "A"


async def test_who_is_banned_at_a_terminal_is_told_why_and_no_way_back(
    venue: Venue, tmp_path: Path, capsys: Capsys
) -> None:
    (anna,) = await venue.named("Anna")
    match = await created(anna)
    home = tmp_path / "home"
    words = ("play", "--url", venue.app.url, "--match", match, "--name", "Boris")
    home.mkdir()
    process = await client_process(*words, home=home)
    async with asyncio.timeout(PATIENCE_S):
        while not any(seat.name for seat in (await anna.info(match)).line.seats):  # noqa: ASYNC110
            await asyncio.sleep(0.02)
        await typed(capsys, venue.app, "ban", "boris", "--reason", SPAM)
        out, err = await process.communicate()
    assert process.returncode == LOST, (out + err).decode()
    assert SPAM in (out + err).decode()
    assert "come back with" not in out.decode()
    assert out.decode().splitlines()[-1] == "The match goes on by its clock, without you."


async def test_a_banned_address_gets_no_account_and_loses_its_connections(
    venue: Venue, capsys: Capsys
) -> None:
    (anna,) = await venue.named("anna")
    done = await typed(capsys, venue.app, "ban", "--address", "127.0.0.0/8", "--reason", SPAM)
    assert done.out == "127.0.0.0/8 is banned; 1 connection ended\n"
    await shut_out(anna)
    people = await venue.app.storage.store.every_name()
    for hello in ({}, {"name": "Nora"}, {"token": anna.token}):
        code, text = await turned_away(venue, **hello)
        assert (code, SPAM in text) == (Code.OPERATOR_BANNED, True)
    assert await venue.app.storage.store.every_name() == people
    await typed(capsys, venue.app, "unban", "--address", "127.0.0.0/8")
    assert (await turned_away(venue, token="x"))[0] is Code.HELLO_TOKEN


async def test_who_asks_to_be_forgotten_takes_his_mute_along(venue: Venue, capsys: Capsys) -> None:
    anna, _ = await venue.named("anna", "boris")
    for name in ("anna", "boris"):
        await typed(capsys, venue.app, "mute", name)
    await anna.accepted(Forget)
    (row,) = (await asked(venue.app, BansAsked())).bans or ()
    assert row.whom == "boris"


async def test_bans_and_mutes_outlast_the_server(venue: Venue, capsys: Capsys) -> None:
    anna, boris = await venue.named("anna", "boris")
    await typed(capsys, venue.app, "ban", "anna", "--reason", SPAM)
    await typed(capsys, venue.app, "mute", "boris", "--for", "1h", "--reason", "shouting")
    before = (await asked(venue.app, BansAsked())).bans
    await venue.close()
    await venue.open()
    assert (await asked(venue.app, BansAsked())).bans == before
    assert (await turned_away(venue, token=anna.token))[0] is Code.OPERATOR_BANNED
    back = await venue.one(token=boris.token)
    mine = await seated(back, await created(back))
    refusal = await back.refused(Chat, match=mine.match, text="x")
    assert (refusal.code, "The reason: shouting" in refusal.text) == (Code.CHAT_MUTED, True)


async def test_no_chat_is_taken_from_a_muted_address(venue: Venue, capsys: Capsys) -> None:
    anna, boris = await venue.named("anna", "boris")
    left, right = await started([anna, boris])
    done = await typed(capsys, venue.app, "mute", "--address", "127.0.0.1")
    assert done.out == "127.0.0.1/32 is muted\n"
    assert await anna.code(Chat, match=left.match, text="x") is Code.CHAT_MUTED
    await play_on([left, right], 1)
    done = await typed(capsys, venue.app, "unmute", "--address", "127.0.0.1")
    assert done.out == "127.0.0.1/32 is heard again\n"
    await anna.accepted(Chat, match=left.match, text="well")
    await boris.told("well")
    assert [post.text for post in right.posts if isinstance(post, News)] == ["well"]


async def test_a_ban_that_is_over_lets_its_account_in(venue: Venue, capsys: Capsys) -> None:
    clock = await venue.still()
    (anna,) = await venue.named("anna")
    await typed(capsys, venue.app, "ban", "anna", "--for", "1m")
    await shut_out(anna)
    assert (await turned_away(venue, token=anna.token))[0] is Code.OPERATOR_BANNED
    clock.advance(60_000)
    back = await venue.one(token=anna.token)
    assert (await back.listed()).mine == ()
    assert "nobody is banned or muted" in (await typed(capsys, venue.app, "bans")).out


@pytest.mark.parametrize(
    ("words", "right"),
    [
        (("ban",), "name either an account or, by `--address`, an address"),
        (("ban", "anna", "--address", "1.2.3.4"), "name either an account or, by `--address`"),
        (("ban", "--address", "0.0.0.0/0"), "too wide"),
        (("mute", "--address", "anna"), "right are 192.0.2.7"),
        (("mute", "zoe"), "no account is called 'zoe'"),
        (("ban", "anna", "--reason", "x" * 201), "a reason is one line of 1 to 200"),
    ],
)
async def test_a_ban_that_makes_no_sense_is_refused_with_what_would(
    venue: Venue, capsys: Capsys, words: tuple[str, ...], right: str
) -> None:
    await venue.named("anna")
    done = await typed(capsys, venue.app, *words)
    assert (done.code, done.out) == (1, "")
    assert right in done.err
    assert (await asked(venue.app, BansAsked())).bans == ()


async def test_what_is_no_time_is_told_before_anybody_is_asked(
    venue: Venue, capsys: Capsys
) -> None:
    await venue.named("anna")
    with pytest.raises(SystemExit) as ended:
        await typed(capsys, venue.app, "ban", "anna", "--for", "a week")
    assert ended.value.code == 2
    assert "a time is a number and its unit" in capsys.readouterr().err
