"""Opening matches from the command line: their terms, and matches whose seats are for others."""

import asyncio
from pathlib import Path

import pytest

from builders.commandlines import PATIENCE_S, client_process, sunglare
from builders.players import SCENARIO
from builders.servers import running_app
from builders.wires import Talker, met
from sunglare_client.commands.hosting import CLOSED, Hosting
from sunglare_client.link.connection import connect
from sunglare_protocol.ids import MatchId, Side
from sunglare_protocol.messages import Create, Created, Join, Seated


async def sat(talker: Talker, match: MatchId, side: str) -> None:
    """Take a seat of a match and be ready."""
    await talker.expect(Seated, Join, match=match, side=Side(side))
    await talker.ready(match)


async def line_with(reader: asyncio.StreamReader, text: str) -> str:
    """Return the first line from here on that has the text in it."""
    async with asyncio.timeout(PATIENCE_S):
        while line := (await reader.readline()).decode():
            if text in line:
                return line.strip()
    raise AssertionError(f"the output has ended without {text!r}")


async def test_a_host_without_a_seat_says_how_each_seat_is_taken_and_stays_until_it_begins(
    tmp_path: Path,
) -> None:
    async with running_app(tmp_path) as app, met(app.url, "Anna") as anna, met(app.url) as boris:
        words = ("host", SCENARIO, "--url", app.url, "--clock", "test", "--title", "Friday")
        process = await client_process(*words, home=tmp_path)
        assert process.stdout is not None
        first = await line_with(process.stdout, "match ")
        match = MatchId(first.removeprefix("match "))
        for side in ("A", "B"):
            invitation = await line_with(process.stdout, f"--side {side}")
            assert invitation == (
                f"{side}  sunglare play --url {app.url} --match {match} --side {side}"
            )
        found = await anna.info(match)
        assert (found.line.title, found.card.options["clock"]) == ("Friday", "test")
        await sat(anna, match, "B")
        assert await line_with(process.stdout, "Anna") == "* B: Anna, ready"
        await sat(boris, match, "A")
        await line_with(process.stdout, "the match has begun")
        async with asyncio.timeout(PATIENCE_S):
            assert await process.wait() == 0


async def test_a_private_match_is_joined_and_watched_by_its_code(tmp_path: Path) -> None:
    async with running_app(tmp_path) as app, met(app.url) as anna, met(app.url) as boris:
        words = ("host", "--private", "--clock", "test", "--url", app.url)
        process = await client_process(*words, home=tmp_path)
        assert process.stdout is not None
        first = await line_with(process.stdout, ", code ")
        code = first.rpartition(" ")[2]
        match = MatchId(first.partition(",")[0].removeprefix("match "))
        invitation = await line_with(process.stdout, "--side A")
        assert f"--code {code} --side A" in invitation
        for talker in (anna, boris):
            await talker.expect(Seated, Join, code=code)
            await talker.ready(match)
        told = await line_with(process.stdout, "to watch it")
        assert told == f"to watch it: sunglare watch {match} --url {app.url} --code {code}"
        async with asyncio.timeout(PATIENCE_S):
            assert await process.wait() == 0


async def test_a_match_that_is_closed_before_it_begins_ends_the_wait(tmp_path: Path) -> None:
    said: list[str] = []
    async with running_app(tmp_path) as app, met(app.url) as anna:
        created = await anna.expect(Created, Create, scenario=SCENARIO, options={"clock": "test"})
        line = (await anna.info(created.match)).line
        assert anna.welcome is not None
        hosting = Hosting(await connect(app.url), line, said.append, look_s=0.05)
        task = asyncio.create_task(hosting.until_begun())
        await anna.leave(created.match)
        async with asyncio.timeout(PATIENCE_S):
            assert await task is False
        await hosting.connection.close()
    assert said == ["* the match is closed"]
    assert CLOSED == 1


@pytest.mark.parametrize(
    ("given", "told"),
    [
        (("--option", "colour=red"), "Choices: scan_slots, contact_values"),
        (("--option", "afk=sleep"), "afk takes auto | forfeit | autopilot | pause."),
        (("--clock", "slow"), "clock takes friendly | blitz | standard"),
    ],
)
@pytest.mark.parametrize("way", [("play", "--new"), ("host",)])
async def test_terms_that_do_not_exist_are_told_what_there_is(
    tmp_path: Path, way: tuple[str, ...], given: tuple[str, ...], told: str
) -> None:
    async with running_app(tmp_path) as app:
        done = await sunglare(*way, SCENARIO, *given, "--url", app.url, home=tmp_path)
    assert done.code == 1
    assert told in done.err


async def test_a_scenario_that_does_not_exist_is_told_which_there_are(tmp_path: Path) -> None:
    async with running_app(tmp_path) as app:
        done = await sunglare("host", "chess", "--url", app.url, home=tmp_path)
    assert done.code == 1
    assert SCENARIO in done.err.partition("Choices: ")[2]


@pytest.mark.parametrize(
    "term", [("--clock", "blitz"), ("--option", "afk=pause"), ("--private",), ("--title", "x")]
)
async def test_terms_are_for_a_new_match(tmp_path: Path, term: tuple[str, ...]) -> None:
    done = await sunglare("play", "--match", "abc", *term, home=tmp_path)
    assert done.code == 2
    assert f"{term[0]} is for a new match" in done.err


async def test_a_new_match_has_the_terms_that_were_named(tmp_path: Path) -> None:
    async with running_app(tmp_path) as app, met(app.url) as anna:
        terms = ("--clock", "blitz", "--option", "omni_delay_turns=5", "--title", "Friday")
        words = ("play", "--new", SCENARIO, *terms, "--url", app.url)
        process = await client_process(*words, home=tmp_path)
        assert process.stdout is not None
        match = MatchId((await line_with(process.stdout, "match ")).removeprefix("match "))
        found = await anna.info(match)
        options = found.card.options
        assert (options["clock"], options["omni_delay_turns"]) == ("blitz", "5")
        assert found.line.title == "Friday"
        process.terminate()
        await process.wait()
