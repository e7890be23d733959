"""What is typed after the end of a match: it may be read on, and nothing changes any more."""

import asyncio

import pytest

from builders.tables import PostedTable
from builders.terminals import frame, over, screen, typed, view
from sunglare_client.fullscreen.playing import Playing
from sunglare_client.terminal.afterwards import OVER, AfterMatch
from sunglare_client.terminal.plain import Terminal
from sunglare_protocol.words.ladder import Phase


async def ended(*, has_last_view: bool) -> Terminal:
    """Return the terminal of a match that is over, with or without a view of its end."""
    last = frame(2, view(Phase.OVER if has_last_view else Phase.ENGAGE))
    terminal = Terminal(PostedTable((frame(1, view()), last, over())), typed(), screen()[0])
    async with asyncio.timeout(10):
        await terminal.run()
    return terminal


async def read(line: str, *, has_last_view: bool = True) -> tuple[bool, str]:
    """Type a line after the end; return whether it was carried out, and what was shown."""
    terminal = await ended(has_last_view=has_last_view)
    shown, paper = screen()
    said: list[str] = []

    async def say(text: str) -> None:
        said.append(text)

    is_read = AfterMatch(terminal, shown, say).read(line)
    await asyncio.sleep(0)
    return is_read, paper.getvalue() + "".join(f"said: {text}" for text in said)


@pytest.mark.parametrize("has_last_view", [True, False], ids=["ended", "broken off"])
@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("goals", "your goals:"),
        ("why S1", "S1"),
        ("why told", "nothing of the kind"),
        ("look C3", "C3"),
        ("help scan", "scan <ship>"),
        ("rules landing", "land"),
        ("orders", "The match is over."),
        ("ships", "S1"),
        ("contacts", "C3"),
        ("map", "2 contacts N of here"),
        ("note C3 the thief", "the thief"),
        ("goals; ships", "S1"),
        ("say gg", "said: gg"),
        ("'gg", "said: gg"),
    ],
)
async def test_commands_that_read_are_carried_out(
    line: str, said: str, has_last_view: bool
) -> None:
    is_read, text = await read(line, has_last_view=has_last_view)
    assert is_read
    assert said in text
    assert OVER not in text


@pytest.mark.parametrize("has_last_view", [True, False], ids=["ended", "broken off"])
@pytest.mark.parametrize(
    "line",
    ["burn S1 +0,-1", "fire S1.B1 C3", "hold all", "ready", "undo", "draw yes", "resign yes"],
)
async def test_commands_that_change_a_match_are_refused(line: str, has_last_view: bool) -> None:
    is_read, text = await read(line, has_last_view=has_last_view)
    assert not is_read
    assert text == f"{OVER}\n"


async def test_a_word_that_is_no_command_is_named() -> None:
    is_read, text = await read("gaols")
    assert not is_read
    assert "no command 'gaols'" in text


async def test_an_empty_line_reads_nothing() -> None:
    assert await read("") == (False, "")


@pytest.mark.parametrize("has_last_view", [True, False], ids=["ended", "broken off"])
async def test_the_header_says_that_the_match_is_over(has_last_view: bool) -> None:
    scene = Playing(await ended(has_last_view=has_last_view), "Duel")
    assert scene.heading().endswith("the match is over")
    assert scene.clock() == ""
