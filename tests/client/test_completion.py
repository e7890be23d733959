"""Completion: every word it offers leads somewhere, and every legal order can be reached by it."""

import asyncio
import signal
from collections.abc import AsyncIterator, Iterator
from random import Random

import pytest
from prompt_toolkit.application import create_app_session
from prompt_toolkit.input import PipeInput, create_pipe_input
from prompt_toolkit.output import DummyOutput

from builders.desks import SCENES, frames_of, view_in
from builders.terminals import view, with_ground
from sunglare_client.command import Problem
from sunglare_client.terminal.input.completion import complete
from sunglare_client.terminal.input.line_editor import edited_lines
from sunglare_client.terminal.input.parser import parse
from sunglare_client.terminal.screen import CTRL_D
from sunglare_client.text.labels import held
from sunglare_client.verbs.written import legal_text
from sunglare_protocol.words.ladder import Phase
from sunglare_rules.advice.legal.legal import legal


@pytest.mark.parametrize(
    ("line", "phase", "words"),
    [
        ("sca", Phase.SCAN, ["scan"]),
        ("rea", Phase.PLOT, ["ready"]),
        ("turn ", Phase.PLOT, ["S1", "S2"]),
        ("turn S1 +1; turn s2", Phase.PLOT, ["S2"]),
        ("face S1 N", Phase.PLOT, ["N", "NE", "NW"]),
        ("fire S1.", Phase.ENGAGE, ["S1.B1", "S1.P1"]),
        ("fire S1.B1 c", Phase.ENGAGE, ["C3", "C5"]),
        ("odds fire S1.B1 ", Phase.ENGAGE, ["C3", "C5"]),
        ("look C", Phase.PLOT, ["C3", "C5", "C6", "C7", "Ceres"]),
        ("help sc", Phase.PLOT, ["scan"]),
        ("go Old", Phase.PLOT, ["Old Rock"]),
        ("note Ce", Phase.PLOT, []),
        ("rules s", Phase.PLOT, ["sensors", "search"]),
        ("land S1 o", Phase.PLOT, ["Old Rock"]),
        ("scan ", Phase.PLOT, []),
        ("say hello C", Phase.PLOT, []),
        ("zzz ", Phase.PLOT, []),
    ],
)
def test_a_word_becomes_what_may_stand_there(line: str, phase: Phase, words: list[str]) -> None:
    assert complete(line, with_ground(view(phase))) == words


def test_an_empty_line_offers_the_verbs_of_the_window_before_the_others() -> None:
    words = complete("", view(Phase.SCAN))
    assert words[0] == "scan"
    assert "ready" in words
    assert "burn" not in words


@pytest.mark.parametrize("scene", SCENES, ids=lambda scene: scene[0])
def test_every_legal_order_is_offered_word_by_word(scene: tuple[str, int, int]) -> None:
    rng = Random(scene[1])
    frames = [frame for seat in frames_of(*scene).values() for frame in seat]
    for frame in rng.sample(frames, 8):
        seen = view_in(frame)
        handles = {piece.handle for piece in held(seen)}
        orders = legal(seen)
        for order in rng.sample(orders, min(3, len(orders))):
            words = legal_text(order, seen).split(" ")
            for count in range(len(words)):
                offered = complete(" ".join([*words[:count], ""]), seen)
                assert words[count] in offered
                assert not handles & set(offered)


def test_what_completion_makes_of_a_line_is_read() -> None:
    seen = view(Phase.PLOT)
    for ship in complete("sensors ", seen):
        for state in complete(f"sensors {ship} ", seen):
            assert not isinstance(parse(f"sensors {ship} {state}", seen), Problem)


@pytest.fixture
def keyboard() -> Iterator[PipeInput]:
    """Give the editor keys that the test presses, and a screen that nobody sees."""
    with create_pipe_input() as keys, create_app_session(input=keys, output=DummyOutput()):
        yield keys


async def typed(keys: PipeInput, lines: AsyncIterator[str], text: str) -> str:
    """Press keys and return the line that comes of it."""
    keys.send_text(text)
    async with asyncio.timeout(10):
        return await anext(lines)


async def test_a_line_is_edited_completed_and_remembered(keyboard: PipeInput) -> None:
    lines = edited_lines(lambda line: ["scan", "sensors"] if line == "s" else ["S1"])
    assert await typed(keyboard, lines, "raedy\x7f\x7f\x7f\x7feady\r") == "ready"
    assert await typed(keyboard, lines, "turn \t+1\r") == "turn S1 +1"
    assert await typed(keyboard, lines, "\x1b[A\x1b[A\r") == "ready"
    assert await typed(keyboard, lines, "\x04") == CTRL_D
    assert await typed(keyboard, lines, "one\r") == "one"


async def test_ctrl_c_in_the_editor_asks_to_leave_and_the_next_line_is_read(
    keyboard: PipeInput,
) -> None:
    lines = edited_lines(lambda _: [])
    assert await typed(keyboard, lines, "half a line\x03") == CTRL_D
    assert await typed(keyboard, lines, "on\r") == "on"


async def test_an_interrupt_at_the_moment_a_line_is_taken_comes_after_that_line(
    keyboard: PipeInput,
) -> None:
    lines = edited_lines(lambda _: [])
    assert await typed(keyboard, lines, "first\r") == "first"
    second = asyncio.ensure_future(anext(lines))
    await asyncio.sleep(0.05)
    # Both are there at once: the signal is heeded when the line is taken, before its editor ends.
    signal.raise_signal(signal.SIGINT)
    keyboard.send_text("goals\r")
    async with asyncio.timeout(10):
        assert await second == "goals"
        assert await anext(lines) == CTRL_D
