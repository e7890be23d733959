"""Sealed dice over real sockets: pledges before reveals, and matches that anybody can check."""

import asyncio
import contextlib
from pathlib import Path

import pytest

from builders.commandlines import sunglare
from builders.players import created, play_on, pledged, seated, started
from builders.records import read_record
from builders.venues import Venue
from builders.wires import Talker, met
from sunglare_arena.matchfile import UnfitError
from sunglare_arena.ownlog import own_log
from sunglare_arena.verify import verified
from sunglare_client import Seat, connect
from sunglare_client.bot import play_seat
from sunglare_client.bots.random_legal import RandomLegal
from sunglare_client.link.callbacks import Hooks
from sunglare_client.link.matchlog import MatchLog, Revealed, kept_log, read_log
from sunglare_protocol.ids import Side
from sunglare_protocol.messages import Join, Leave, News, Ready
from sunglare_protocol.refusals import Code
from sunglare_protocol.seals import pledge
from sunglare_server.app import App

A, B = Side("A"), Side("B")
OURS, THEIRS = b"a" * 32, b"b" * 32


def room_news(talker: Talker) -> list[tuple[Side | None, str]]:
    """Return what was told of the room about pledges."""
    news = [(told.side, told.text) for told in talker.every(News) if told.seq == 0]
    return [told for told in news if told[1].startswith(("pledge", "reveal"))]


# --- pledges


async def test_every_pledge_is_told_before_anybody_is_asked_to_reveal(venue: Venue) -> None:
    anna, boris = await venue.some(2)
    match = await created(anna)
    await pledged(anna, match, OURS)
    await pledged(boris, match, THEIRS)
    for talker in (anna, boris):
        await talker.ready(match)
    for talker in (anna, boris):
        await talker.told("reveal")
        assert room_news(talker) == [
            (A, f"pledge {pledge(OURS)}"),
            (B, f"pledge {pledge(THEIRS)}"),
            (None, "reveal"),
        ]


async def test_nobody_is_exchanged_once_the_seats_are_asked_to_reveal(venue: Venue) -> None:
    anna, boris = await venue.some(2)
    match = await created(anna)
    await pledged(anna, match, OURS)
    await pledged(boris, match, THEIRS)
    for talker in (anna, boris):
        await talker.ready(match)
    await boris.told("reveal")
    assert await boris.code(Leave, match=match) is Code.MATCH_STARTED
    assert await boris.code(Ready, match=match, on=False) is Code.MATCH_STARTED
    await anna.reveal(match, OURS)
    await boris.reveal(match, THEIRS)


@pytest.mark.parametrize("text", ["", "00" * 31, "0" * 63 + "g", "A0" * 32, "00" * 32 + "\n"])
async def test_a_pledge_is_a_hash_and_nothing_else(venue: Venue, text: str) -> None:
    # It is told to the others, who must not be sent what anybody likes to write.
    anna = await venue.one()
    match = await created(anna)
    assert await anna.fault(Join, match=match, pledge=text) == (Code.MESSAGE_MALFORMED, "$.pledge")


# --- the client's part


async def _finished(
    url: str, folder: Path, options: dict[str, str | int]
) -> tuple[bytes, list[MatchLog]]:
    """Return the record of a match between two bots that pledge entropy and keep logs."""
    logs = [MatchLog(folder / f"{side}.log") for side in (A, B)]
    async with met(url) as host, contextlib.AsyncExitStack() as stack:
        match = await created(host, options=options)
        seats = [
            await stack.enter_async_context(
                await Seat.join(
                    await connect(url),
                    match=match,
                    side=side,
                    entropy=entropy,
                    hooks=Hooks(log=kept_log(str(log.path))),
                )
            )
            for side, entropy, log in zip((A, B), (OURS, THEIRS), logs, strict=True)
        ]
        bots = (RandomLegal(1), RandomLegal(2))
        await asyncio.gather(*map(play_seat, bots, seats))
        record = await host.record(match)
    return record, logs


async def test_a_match_between_seats_that_pledge_is_checked_with_their_logs(
    app: App, tmp_path: Path
) -> None:
    record, logs = await _finished(app.url, tmp_path, {"clock": "test"})
    for log in logs:
        lines = read_log(log.path)
        *found, yours = verified(record, own_log(lines))
        assert "entropy  A revealed as pledged, B revealed as pledged" in found
        assert "commitment as told" in yours
        assert "seed and head as told at the end" in yours
        (revealed,) = (line for line in lines if isinstance(line, Revealed))
        assert revealed.pledges == {A: pledge(OURS), B: pledge(THEIRS)}


async def test_a_match_with_filled_up_frames_is_checked_with_its_logs(
    app: App, tmp_path: Path
) -> None:
    options: dict[str, str | int] = {"clock": "test", "pad_frames": "yes"}
    record, logs = await _finished(app.url, tmp_path, options)
    for log in logs:
        verified(record, own_log(read_log(log.path)))


# --- what leaves while the match runs


async def test_an_export_of_a_running_match_holds_no_roll_no_seed_and_no_chain(
    venue: Venue,
) -> None:
    anna, boris = await venue.some(2)
    players = await started((anna, boris))
    match = players[0].match
    await play_on(players, 7)
    running = await anna.record(match)
    await anna.resign(match)
    over = await players[1].over()
    whole = await boris.record(match)
    trailer = read_record(whole).trailer
    with pytest.raises(UnfitError, match="before the end"):
        verified(running)
    secrets = [over.seed, bytes.fromhex(over.seed), trailer["seed"], trailer["seed"].hex()]
    secrets += [link[2] for links in trailer["chains"].values() for link in links]
    for secret in secrets:
        assert (secret.encode() if isinstance(secret, str) else secret) not in running
    for word in (b"rolls", b"chains", b"trailer", b"server_seed"):
        assert word not in running
        assert word in whole


# --- from the command line


async def test_a_player_checks_a_match_with_the_commands_that_the_terminal_names(
    app: App, tmp_path: Path
) -> None:
    async with met(app.url) as boris:
        match = await created(boris)
        other = await seated(boris, match, "B")
        await boris.ready(match)
        words = ("play", "--url", app.url, "--match", match)
        playing = asyncio.create_task(sunglare(*words, typed="resign yes\n", home=tmp_path))
        await other.over()
        code, out, err = await playing
    assert (code, err) == (0, "")
    assert "pledge" not in out
    named = [line.partition(": sunglare ")[2].split() for line in out.splitlines()[-2:]]
    assert [command[0] for command in named] == ["record", "verify"]
    for command in named:
        code, out, err = await sunglare(*command, home=tmp_path)
        assert (code, err) == (0, "")
    assert "entropy  A revealed as pledged, B pledged none" in out
    assert "frames of A as you were sent them" in out


async def test_the_exit_code_of_verify_is_that_of_the_client(tmp_path: Path) -> None:
    (tmp_path / "no.sgr").write_text("a text")
    code, out, err = await sunglare("verify", "no.sgr", home=tmp_path)
    assert (code, out) == (2, "")
    assert err == "sunglare verify: no.sgr: This is no record of a match.\n"


async def test_a_bot_keeps_the_log_that_it_is_told_to_keep(app: App, tmp_path: Path) -> None:
    async with met(app.url) as boris:
        match = await created(boris)
        other = await seated(boris, match, "B")
        await boris.ready(match)
        words = ("bot", "run", "random", "--url", app.url, "--match", match)
        playing = asyncio.create_task(sunglare(*words, "--keep-log", "bot.log", home=tmp_path))
        await other.frame()
        await boris.resign(match)
        code, _, err = await playing
        record = await boris.record(match)
    assert (code, err) == (0, "")
    *_, yours = verified(record, own_log(read_log(tmp_path / "bot.log")))
    assert "of A as you were sent them" in yours
