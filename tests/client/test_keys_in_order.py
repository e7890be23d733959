"""Keys are handled in the order of their arrival, however fast they come."""

import asyncio
import os
from collections.abc import AsyncIterator
from random import Random
from typing import final

import pytest
from textual import events

from builders.desks import view_in
from builders.fullscreens import TITLE, Shown, full_screen_of, stage_of
from builders.keystrokes import Reading, burst, key_event
from builders.terminals import KITE, MOTH, frame, ship, view
from sunglare_client.fullscreen.app import Board
from sunglare_client.fullscreen.playing import Playing
from sunglare_client.terminal.clockface import Clockface
from sunglare_client.terminal.turn_session import TurnSession
from sunglare_protocol.geometry import Square, Vector
from sunglare_protocol.messages import Frame
from sunglare_protocol.orders import Sensors
from sunglare_protocol.views import View
from sunglare_protocol.words.ladder import Phase

PLOT = frame(1, view())
SCAN = frame(1, view(Phase.SCAN, slot="A"))
ENGAGE = frame(1, view(Phase.ENGAGE))
AWAITED = ("4.plot", "4.scan.A", "4.engage")
BURSTS = 25
"""So many bursts are typed on one screen; on that of the first seed fewer."""

SEEDS = 400 if os.environ.get("SUNGLARE_LONG") else 80
"""So many further screens are typed at."""


async def rushed(board: Board, *keys: str) -> None:
    """Press keys without a pause between them, and wait until all are handled."""
    for key in keys:
        board.post_message(key_event(key))
    handled = asyncio.Event()
    board.call_later(handled.set)
    async with asyncio.timeout(60):
        await handled.wait()


def commands(shown: Shown) -> list[str]:
    return [line.removeprefix("> ") for line in shown.record if line.startswith(">")]


def letters(text: str) -> list[str]:
    return ["space" if letter == " " else letter for letter in text]


async def test_enter_is_never_overtaken_by_the_letters_after_it() -> None:
    async with full_screen_of((PLOT,), awaits=AWAITED) as shown:
        await rushed(shown.board, *letters("sensors S1 out"), "enter", *letters("orders"), "enter")
        await shown.settle()
        assert commands(shown) == ["sensors S1 out", "orders"]
        assert [orders for _, orders, _ in shown.table.given] in (
            [(Sensors(ship=KITE.id, out=True),)],
            [],  # popped out already: nothing to send
        )


async def test_a_command_typed_while_the_map_has_the_keys_goes_to_the_line() -> None:
    async with full_screen_of((PLOT,), awaits=AWAITED) as shown:
        await rushed(shown.board, "f1", *letters("burn S1 "))
        assert shown.board.line.value == "burn S1 "
        assert commands(shown) == []
        assert shown.table.given == []


@pytest.mark.parametrize("seen", [PLOT, SCAN, ENGAGE], ids=lambda frame: frame.window)
async def test_no_lower_case_letter_of_the_map_changes_plan_or_window(seen: object) -> None:
    async with full_screen_of((seen,), awaits=AWAITED) as shown:  # type: ignore[arg-type]
        assert shown.terminal.session is not None
        for letter in "abcdefghijklmnopqrstuvwxyz":
            await rushed(shown.board, "f1")
            assert shown.board.is_pointing
            await shown.press(letter)
            assert shown.terminal.session.plan == ()
            assert shown.table.given == []
            shown.board.line.put("")
            await rushed(shown.board, "escape")


@pytest.mark.parametrize(
    ("seen", "keys", "most"),
    [
        pytest.param(PLOT, ("f1", "up", "up", "enter", "s", "right", "enter", "R"), 10, id="PLOT"),
        pytest.param(SCAN, ("f1", "down", "enter", "s", "left", "enter", "R"), 10, id="SCAN"),
        pytest.param(ENGAGE, ("f1", "F", "R"), 4, id="ENGAGE"),
    ],
)
async def test_two_ships_take_few_keys(seen: Frame, keys: tuple[str, ...], most: int) -> None:
    async with full_screen_of((seen,), awaits=AWAITED) as shown:
        await rushed(shown.board, *keys)
        await shown.settle()
        assert len(keys) <= most
        (orders,) = [orders for _, orders, lock in shown.table.given if lock]
        ships = {order.ship for order in orders}
        assert ships == ({KITE.id} if seen is ENGAGE else {KITE.id, MOTH.id})


async def test_capital_r_commits_and_a_loss_still_asks() -> None:
    lost = ship(MOTH, square=Square(7, 1), vector=Vector(0, -2))
    async with full_screen_of((frame(1, view(own=(KITE, lost))),), awaits=AWAITED) as shown:
        await rushed(shown.board, *letters("turn S1 +1"), "enter", "f1", "R", "R")
        await shown.settle()
        assert not any(lock for _, _, lock in shown.table.given)
        assert any("S2 leaves the map" in line for line in shown.record)
        await rushed(shown.board, "escape")
        await shown.settle()
        assert "Not done." in shown.record
        await shown.press("R")
        await shown.press("y")
        assert any(lock for _, _, lock in shown.table.given)


async def test_escape_and_a_letter_at_once_are_two_keys() -> None:
    async with full_screen_of((PLOT,), awaits=AWAITED) as shown:
        await rushed(shown.board, "f1", "up", "alt+o", *letters("rders"), "enter")
        await shown.settle()
        assert commands(shown) == ["orders"]


async def test_a_player_who_is_ready_gives_no_order_by_pointing() -> None:
    async with full_screen_of((PLOT,), awaits=AWAITED) as shown:
        await shown.type("ready!")
        await shown.press("f1", "up", "up", "enter")
        assert commands(shown) == ["ready!"]


async def test_a_pasted_block_is_given_line_by_line_and_never_committed() -> None:
    async with full_screen_of((PLOT,), awaits=AWAITED) as shown:
        block = "turn S1 +1\r\nready\nready!\n\nface S2 NE\ny\nquit yes\nbur"
        shown.board.post_message(events.Paste(block))
        await rushed(shown.board, "n")
        await shown.settle()
        assert shown.board.line.value == "burn"
        assert shown.terminal.session is not None
        assert {order.ship for order in shown.terminal.session.plan} == {KITE.id, MOTH.id}
        assert not any(lock for _, _, lock in shown.table.given)
        left_out = "left out of what was pasted: ready, ready!, quit yes. Type it."
        assert left_out in shown.record


async def test_a_pasted_word_stands_in_the_line() -> None:
    async with full_screen_of((PLOT,), awaits=AWAITED) as shown:
        await rushed(shown.board, *letters("look "))
        shown.board.post_message(events.Paste("C3"))
        await rushed(shown.board, "enter")
        assert commands(shown) == ["look C3"]


@pytest.mark.parametrize(
    ("seed", "bursts"), [(0, 10), *((seed, BURSTS) for seed in range(1, SEEDS + 1))]
)
async def test_whatever_is_typed_and_pointed_at_in_a_burst_is_given_in_its_order(
    seed: int, bursts: int
) -> None:
    dice = Random(seed)
    seen = view_in(dice.choice((PLOT, SCAN, ENGAGE)))
    async with stage_of() as (stage, board, _):
        stage.scene = Playing(Standing(seen), TITLE)
        given, reading = stage.lines(), Reading(seen)
        for _ in range(bursts):
            keys = burst(dice)
            reading.commands.clear()
            for key in (*keys, "escape"):
                reading.press(key)
            await rushed(board, *keys, "escape")
            stage.type(MARK)
            lines = [line async for line in until_mark(given)]
            assert lines == reading.commands


MARK = "# nothing else was given"


async def until_mark(given: AsyncIterator[str]) -> AsyncIterator[str]:
    """Yield what was given before the mark."""
    while (line := await anext(given)) != MARK:
        yield line


@final
class Standing:
    """A player before a window that stays as it is, whatever is typed."""

    def __init__(self, seen: View) -> None:
        self.session = TurnSession(frame(1, seen), seen)
        self.clock = Clockface(lambda: 0.0)
        self.is_asking = self.is_committing = False

    def complete(self, line: str) -> list[str]:
        """Return nothing: what may follow is not looked at here."""
        del line
        return []
