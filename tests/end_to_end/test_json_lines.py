"""`sunglare play --json`: command lines in, one JSON object a line out, posts as on the wire."""

import asyncio
import json
from pathlib import Path
from typing import Any

from builders.commandlines import PATIENCE_S, Done, client_process, sunglare
from builders.players import SCENARIO
from builders.servers import running_app
from builders.wires import met
from sunglare_client.link.connection import connect
from sunglare_client.link.seat import Seat
from sunglare_protocol.codec import Form, decode_server
from sunglare_protocol.ids import Side
from sunglare_protocol.messages import Create, Created, Frame, News, Over

TERMS = {"clock": "test", "scan_slots": "sealed"}


def objects(text: str) -> list[dict[str, Any]]:
    """Return what each line holds; every one must be an object."""
    found = [json.loads(line) for line in text.splitlines()]
    assert all(isinstance(value, dict) for value in found)
    return found


def said(found: list[dict[str, Any]]) -> list[str]:
    """Return all lines that were said."""
    return [line for value in found for line in value.get("say", ())]


async def played(tmp_path: Path, typed: str, *words: str) -> Done:
    """Have the client play side A against a seat that is only ready; return what came of it."""
    async with running_app(tmp_path) as app, met(app.url) as host:
        made = await host.expect(Created, Create, scenario=SCENARIO, options=TERMS)
        async with await Seat.join(
            await connect(app.url), match=made.match, side=Side("B")
        ) as boris:
            await boris.ready()
            others = asyncio.create_task(following(boris))
            where = ("--match", made.match, "--side", "A", "--url", app.url)
            done = await sunglare("play", "--json", *where, *words, home=tmp_path, typed=typed)
            others.cancel()
            await asyncio.gather(others, return_exceptions=True)
    return done


async def following(seat: Seat) -> None:
    """Answer every window with no orders."""
    async for post in seat:
        if isinstance(post, Frame):
            await seat.orders((), window=post.window)


async def test_every_line_is_an_object_and_posts_are_those_of_the_wire(tmp_path: Path) -> None:
    done = await played(tmp_path, "face S1 N\nready\nresign yes\n")
    assert done.code == 0, done.err
    assert done.out.isascii()
    found = objects(done.out)
    posts = [
        decode_server(line, Form.JSON) for line in done.out.splitlines() if '"t":' in line[:6]
    ]
    assert {type(post) for post in posts} == {Frame, News, Over}
    numbers = [post.seq for post in posts if isinstance(post, Frame | News | Over) and post.seq]
    assert numbers == list(range(1, len(numbers) + 1))
    assert all(("t" in value) != ("say" in value) for value in found)
    assert all(value["say"] for value in found if "say" in value)


async def test_what_the_terminal_says_is_there_with_the_lines_that_were_read(
    tmp_path: Path,
) -> None:
    done = await played(tmp_path, "scna S1\norders\nresign yes\n")
    lines = said(objects(done.out))
    assert "> scna S1" in lines
    assert any("Did you mean scan" in line for line in lines)
    assert "orders given:" in lines
    assert "  sensors S1 out" in lines
    assert "You have resigned." in lines
    ends = ("THE END", "points:", "to see it again:", "   in a browser:", "seed ", "your log of")
    places = [next(at for at, line in enumerate(lines) if line.startswith(end)) for end in ends]
    assert places == sorted(places)


async def test_a_match_that_goes_on_says_how_to_come_back_in_an_object_too(tmp_path: Path) -> None:
    done = await played(tmp_path, "orders\n", "--quit-on-eof")
    assert done.code == 0, done.err
    assert any("come back with: sunglare play" in line for line in said(objects(done.out)))


async def test_the_id_of_a_new_match_is_said_as_well(tmp_path: Path) -> None:
    async with running_app(tmp_path) as app:
        words = ("play", "--new", SCENARIO, "--json", "--url", app.url)
        process = await client_process(*words, home=tmp_path)
        assert process.stdout is not None
        async with asyncio.timeout(PATIENCE_S):
            first = json.loads(await process.stdout.readline())
        process.terminate()
        await process.wait()
        (line,) = first["say"]
        word, _, match = line.partition(" ")
        assert word == "match"
        assert match in app.lobby.rooms
