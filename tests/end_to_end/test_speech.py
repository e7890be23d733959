"""`sunglare play --speech`: a match over a real connection, heard as sentences."""

import asyncio
from pathlib import Path

from builders.commandlines import sunglare
from builders.players import SCENARIO
from builders.servers import running_app
from builders.wires import met
from sunglare_client.link.connection import connect
from sunglare_client.link.seat import Seat
from sunglare_protocol.ids import Side
from sunglare_protocol.messages import Create, Created, Frame

TERMS = {"clock": "test", "scan_slots": "sealed"}


async def following(seat: Seat) -> None:
    """Answer every window with no orders."""
    async for post in seat:
        if isinstance(post, Frame):
            await seat.orders((), window=post.window)


async def test_a_match_is_heard_from_the_first_window_to_the_end(tmp_path: Path) -> None:
    async with running_app(tmp_path) as app, met(app.url) as host:
        made = await host.expect(Created, Create, scenario=SCENARIO, options=TERMS)
        async with await Seat.join(await connect(app.url), match=made.match, side=Side("B")) as b:
            await b.ready()
            others = asyncio.create_task(following(b))
            where = ("--match", made.match, "--side", "A", "--url", app.url)
            typed = "map\nready\nready\nready\nready\nresign yes\n"
            done = await sunglare("play", "--speech", *where, home=tmp_path, typed=typed)
            others.cancel()
            await asyncio.gather(others, return_exceptions=True)
    assert done.code == 0, done.err
    match, _, told = done.out.partition("to see it again")
    lines = match.splitlines()
    assert told
    assert all(line[-1] in ".!?:" for line in lines)
    assert match.isascii()
    wanted = ["Your goals:", "Turn 1 of 20: scan.", "Turn 2 of 20: plot.", "You have resigned."]
    assert [line for line in lines if line in wanted] == wanted


async def test_only_one_form_can_be_wished_for(tmp_path: Path) -> None:
    done = await sunglare("play", "--speech", "--json", home=tmp_path)
    assert done.code == 2
    assert "not allowed with" in done.err
