"""A replay on the full screen: by windows, turns and moments, through everybody's eyes."""

import asyncio
import contextlib
from collections.abc import AsyncIterator
from functools import cache
from typing import NamedTuple

import pytest
from textual.pilot import Pilot

from builders.duecalls import DueCalls
from builders.fullscreens import LARGE, SMALL, press_keys, screen_rows, settled, stage_of
from builders.terminals import Paper
from page.files import match_file
from sunglare_client.fullscreen.app import Board
from sunglare_client.fullscreen.pane import Pane
from sunglare_client.fullscreen.replaying import Replaying, go_through_on, timeline
from sunglare_client.fullscreen.showing import Later
from sunglare_client.fullscreen.typedline import ELSEWHERE, PROMPT
from sunglare_client.map.passage import BEAT_S, BEATS_MOST, placed_in
from sunglare_client.replays.recording import Recording, read_recording
from sunglare_client.replays.viewer import Viewer
from sunglare_client.terminal.screen import CTRL_D, Screen

EYES = ("omni", "public", "A", "B")


@cache
def recording() -> Recording:
    """Return the replay of a match of two sides."""
    return read_recording(match_file("shadow-of-ceres"))


@cache
def windows() -> int:
    """Return how many windows it has."""
    return len(recording().steps)


class Shown(NamedTuple):
    """A replay on the full screen."""

    board: Board
    pilot: Pilot[None]
    going: "asyncio.Task[None]"

    @property
    def top(self) -> str:
        """Return the row that says where it stands."""
        return screen_rows(self.board)[0]

    @property
    def text(self) -> str:
        """Return what stands on the screen."""
        return "\n".join(screen_rows(self.board))

    async def press(self, *keys: str) -> None:
        """Press keys, and let the viewer have its turn."""
        await press_keys(self.pilot, *keys)


@contextlib.asynccontextmanager
async def replayed(
    size: tuple[int, int] = SMALL,
    eyes: str = "omni",
    index: int = 0,
    later: Later | None = None,
) -> AsyncIterator[Shown]:
    """Go through the replay from one of its windows."""
    async with stage_of(size, later=later) as (stage, board, pilot):
        going = asyncio.create_task(go_through_on(stage, recording(), eyes, index))
        await settled(pilot)
        try:
            yield Shown(board, pilot, going)
        finally:
            stage.type(CTRL_D)
            await asyncio.wait_for(going, 10)


async def test_arrows_go_from_window_to_window() -> None:
    async with replayed() as shown:
        assert shown.top.endswith(f"1/{windows()}")
        await shown.press("right", "right", "left", "right")
        assert shown.top.endswith(f"3/{windows()}")


async def test_with_shift_they_go_from_turn_to_turn() -> None:
    async with replayed(index=2) as shown:
        await shown.press("shift+right")
        assert "T2 2.plot" in shown.top
        await shown.press("shift+right", "shift+left")
        assert "T2 2.plot" in shown.top


async def test_home_and_end_are_the_first_and_the_last_window() -> None:
    async with replayed(index=5) as shown:
        await shown.press("end")
        assert shown.top.endswith(f"{windows()}/{windows()}")
        assert any("wins" in line or "draw" in line for line in shown.board.record.lines)
        await shown.press("home")
        assert shown.top.endswith(f"1/{windows()}")


async def test_brackets_go_from_moment_to_moment() -> None:
    async with replayed() as shown:
        await shown.press("right_square_bracket")
        assert any(line.startswith("key moment: ") for line in shown.board.record.lines)
        forth = shown.top
        await shown.press("right_square_bracket", "left_square_bracket")
        assert shown.top == forth


async def test_numbers_choose_whose_eyes() -> None:
    async with replayed(index=4) as shown:
        tops = []
        for key in "1234":
            await shown.press(key)
            tops.append(shown.top)
        assert "the truth" in tops[0]
        assert "side A" in tops[1]
        assert "side B" in tops[2]
        assert "what everybody knows" in tops[3]


async def test_what_a_key_does_stands_in_the_record_as_a_command() -> None:
    async with replayed() as shown:
        await shown.press("right", "2", "z")
        typed = [line for line in shown.board.record.lines if line.startswith("> ")]
        assert typed == ["> next", "> eyes A", "> zoom 0"]


async def test_commands_are_typed_as_well() -> None:
    async with replayed() as shown:
        await shown.press("escape", *"turn", "space", "3", "enter")
        assert "T3 3.plot" in shown.top


async def test_the_line_asks_for_a_command_only_when_it_has_the_keys() -> None:
    async with replayed() as shown:
        assert ELSEWHERE in shown.text
        await shown.press("escape")
        assert PROMPT in shown.text
        await shown.press("f1")
        assert ELSEWHERE in shown.text


@pytest.mark.parametrize("size", [SMALL, LARGE], ids=["80x24", "140x45"])
@pytest.mark.parametrize("eyes", EYES)
async def test_no_panel_is_empty_through_whatever_eyes(eyes: str, size: tuple[int, int]) -> None:
    async with replayed(size, eyes) as shown:
        for key in ("right", "end", "f2", "f2", "f2", "f1"):
            await shown.press(key)
            for pane in shown.board.query(Pane):
                assert any(line.strip() for line in pane.lines)
            assert all(len(row) <= size[0] for row in screen_rows(shown.board))


def test_those_are_the_eyes_of_the_replay() -> None:
    assert sorted(recording().eyes) == sorted(EYES)


async def test_a_click_tells_what_those_eyes_knew_of_a_square() -> None:
    async with replayed() as shown:
        await shown.pilot.click("#map", offset=(20, 5))
        assert "nothing known here" in shown.text


@pytest.mark.parametrize("width", [20, 80, 140])
def test_the_timeline_shows_where_it_stands_and_fits(width: int) -> None:
    rows = [
        timeline(Viewer(recording(), "omni", index, Screen(Paper())), width)
        for index in range(windows())
    ]
    assert all(len(row) <= width and row.count("|") == 1 for row in rows)
    assert (rows[0][1], rows[-1][-2]) == ("|", "|")


def first_flight() -> int:
    """Return the first window in which the truth sees a piece fly."""
    for index in range(1, windows()):
        before, after = (
            recording().shown_at("omni", index - 1),
            recording().shown_at("omni", index),
        )
        assert before is not None
        assert after is not None
        if placed_in(before.view) != placed_in(after.view):
            return index
    raise AssertionError("nothing ever moves")


@pytest.mark.parametrize("eyes", EYES[::2])
async def test_going_on_by_one_window_shows_what_happened_in_it(eyes: str) -> None:
    clock, index = DueCalls(), first_flight()
    async with replayed(SMALL, eyes, index - 1, clock.later) as shown:
        assert clock.waiting == 0
        before = shown.text
        await shown.press("right")
        assert shown.top.endswith(f"{index + 1}/{windows()}")
        flying = shown.text
        clock.pass_by(BEAT_S * BEATS_MOST)
        await settled(shown.pilot)
        assert clock.waiting == 0
        assert len({before, flying, shown.text}) == 3


async def test_going_elsewhere_shows_what_stands_there_at_once() -> None:
    clock = DueCalls()
    async with replayed(SMALL, "omni", first_flight(), clock.later) as shown:
        for key in ("left", "shift+right", "3", "end"):
            await shown.press(key)
            assert clock.waiting == 0, key


def test_what_a_damaged_file_says_is_not_shown_on_the_way() -> None:
    viewer = Viewer(recording(), "nobody", 0, Screen(Paper()))
    scene = Replaying(viewer)
    viewer.go(1)
    assert scene.passage() is None
