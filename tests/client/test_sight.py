"""A board that follows: what is asked for or reported comes into sight, and stays there."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from builders.boards import board_of, sized
from builders.fullscreens import (
    LARGE,
    SMALL,
    Shown,
    full_screen_of,
    screen_rows,
    settled,
    stage_of,
)
from builders.terminals import CONTACT, KITE, TRACK, frame, ship, view
from sunglare_client.fullscreen.spectating import Spectating
from sunglare_client.learning.pupil import Pupil
from sunglare_client.learning.teaching import scene_of
from sunglare_client.map.sight import Sight, told_squares
from sunglare_protocol.geometry import Square, box_named
from sunglare_protocol.ids import OMNI, Handle, Side
from sunglare_protocol.lessons.lesson import positions
from sunglare_protocol.messages import News, NewsKind
from sunglare_protocol.notices import ContactSeen, Notice, ShotResult, ShotSeen, TrackGained
from sunglare_protocol.words.ladder import Phase

FAR = Square(30, 37)
"""A square that the smallest screen does not show beside the first own ship."""

NORTH = ship(KITE, square=Square(7, 4))
FARAWAY = replace(CONTACT, label="C9", square=FAR, handle=Handle("zz2zz2"))
PLOT = frame(1, view(own=(NORTH,), contacts=(TRACK, FARAWAY)))
AWAITED = ("4.plot", "4.scan.A")

SQUARES = st.builds(Square, st.integers(0, 129), st.integers(0, 129))


def shows(shown: Shown, square: Square) -> bool:
    """Return whether the map shows a square at the scale of squares."""
    return shown.board.board.place_of(square) is not None


ABOUT = {
    "map C9": FAR,
    "go C9": FAR,
    "go 30,37": FAR,
    "map H8": box_named("H8").centre,
    "look C9": FAR,
    "go Old Rock": Square(30, 30),
}
"""Lines that are about a square far from the first own ship."""


async def test_what_a_line_is_about_comes_into_sight() -> None:
    async with full_screen_of((PLOT,), awaits=AWAITED) as shown:
        for line, square in ABOUT.items():
            await shown.type("map S1")
            assert not shows(shown, square), line
            await shown.type(line)
            assert shows(shown, square), line


async def test_it_does_so_again_once_the_pointer_has_gone_elsewhere() -> None:
    async with full_screen_of((PLOT,), awaits=AWAITED) as shown:
        for _ in range(2):
            await shown.type("go C9")
            assert shows(shown, FAR)
            await shown.press("f1", "s")
            assert shows(shown, NORTH.square)
            assert not shows(shown, FAR)
            await shown.press("escape")


async def test_the_pointer_goes_where_the_map_is_centred() -> None:
    async with full_screen_of((PLOT,), awaits=AWAITED) as shown:
        await shown.press("f1", "escape")
        await shown.type("go C9")
        await shown.press("f1", "up")
        assert shown.board.pointer is not None
        assert shown.board.pointer.square == Square(FAR.x, FAR.y - 1)
        assert shows(shown, FAR)


async def test_the_box_of_a_preview_comes_into_sight() -> None:
    seen = view(Phase.SCAN, slot="A", own=(NORTH,), contacts=())
    async with full_screen_of((frame(2, seen),), awaits=AWAITED) as shown:
        assert not shows(shown, box_named("G7").centre)
        await shown.type("preview S1 ir 3box G7")
        for corner in (Square(25, 25), Square(39, 39)):
            assert shows(shown, corner)


@pytest.mark.parametrize(
    "notice",
    [
        ContactSeen(handle=FARAWAY.handle or Handle(""), label="C9", square=FAR, signatures=()),
        TrackGained(handle=FARAWAY.handle or Handle(""), label="C9", square=FAR),
        ShotSeen(square=FAR),
        ShotResult(
            ship=KITE.id, weapon="B1", at=FARAWAY.handle or Handle(""), damage=0, dice=(1,)
        ),
    ],
    ids=lambda notice: type(notice).__name__,
)
async def test_a_contact_and_a_shot_come_into_sight_when_they_are_reported(
    notice: Notice,
) -> None:
    then = frame(2, view(Phase.SCAN, slot="A", own=(NORTH,), contacts=(TRACK, FARAWAY)), notice)
    async with full_screen_of((PLOT, then), awaits=AWAITED) as shown:
        assert not shows(shown, FAR)
        await shown.type("ready!")
        assert shows(shown, FAR)


async def test_the_map_stays_where_it_is_if_all_of_it_is_in_sight_already() -> None:
    near = ShotSeen(square=TRACK.square)
    then = frame(2, view(Phase.SCAN, slot="A", own=(NORTH,), contacts=(TRACK,)), near)
    async with full_screen_of((PLOT, then), awaits=AWAITED) as shown:
        await shown.type("go 7,20")
        before = shown.board.board.chart
        await shown.type("ready!")
        after = shown.board.board.chart
        assert before is not None
        assert after is not None
        assert before.shown == after.shown


@given(st.lists(SQUARES, min_size=1, max_size=9), st.integers(5, 60), st.integers(5, 60))
def test_of_squares_that_do_not_all_fit_the_first_is_in_sight(
    squares: list[Square], across: int, down: int
) -> None:
    middle = Sight().led(*squares).middle(across, down)
    assert middle is not None
    fits = [
        abs(square.x - middle.x) <= across // 2 and abs(square.y - middle.y) <= down // 2
        for square in squares
    ]
    assert fits[0]
    wide = max(square.x for square in squares) - min(square.x for square in squares)
    tall = max(square.y for square in squares) - min(square.y for square in squares)
    assert all(fits) or wide >= across or tall >= down


def test_a_sight_of_nothing_is_the_one_before() -> None:
    sight = Sight().led(FAR)
    assert sight.led() == sight
    assert told_squares(frame(1, view())) == ()


@pytest.mark.parametrize("name", ["plot", "whole", "ground", "replay"])
async def test_after_a_change_of_size_the_screen_is_one_that_was_opened_so(name: str) -> None:
    async with board_of(name, SMALL) as (board, pilot):
        await sized(pilot, LARGE)
        grown = screen_rows(board)
        await sized(pilot, SMALL)
        pointer = board.pointer
        assert pointer is None or pointer.ground or board.board.place_of(pointer.square)
        shrunk = screen_rows(board)
    async with board_of(name, LARGE) as (board, _):
        assert grown == screen_rows(board)
    async with board_of(name, SMALL) as (board, _):
        # Where the map stands may differ: it stays as long as the pointer is in sight.
        beside = [row[board.board.size.width :] for row in screen_rows(board)]
        assert [row[board.board.size.width :] for row in shrunk] == beside


async def test_a_key_shows_the_whole_board_by_boxes_with_the_part_around_the_pointer() -> None:
    async with full_screen_of((PLOT,), awaits=AWAITED) as shown:
        await shown.press("f1", "z")
        assert shown.board.board.shows_boxes
        letters, *rows = (row[:45] for row in shown.rows[1:10])
        assert letters.split() == list("ABCDEFGH")
        assert [row.split()[0] for row in rows] == list("12345678")
        assert "▲S1" in rows[0]
        assert "C9" in rows[7]
        assert shows(shown, NORTH.square)
        await shown.press("n", "n")
        assert shows(shown, FAR)
        await shown.press("z")
        assert not shown.board.board.shows_boxes


async def test_a_click_on_a_box_of_the_overview_points_into_it() -> None:
    async with full_screen_of((PLOT,), awaits=AWAITED) as shown:
        await shown.press("f1", "z")
        await shown.pilot.click("#map", offset=(3 + 5 * 6, 1 + 4))
        assert shown.board.pointer is not None
        assert shown.board.pointer.square == box_named("G5").centre


RESULTS = tuple(ShotSeen(square=Square(4 + number, 5)) for number in range(6))


@pytest.mark.parametrize("size", [SMALL, (120, 40)], ids=["80x24", "120x40"])
async def test_results_stay_in_sight_until_the_next_command(size: tuple[int, int]) -> None:
    then = frame(2, view(Phase.SCAN, slot="B", own=(NORTH,)), *RESULTS)
    talk = [
        News(match=PLOT.match, seq=n, kind=NewsKind.CHAT, text=f"word {n}", side=Side("B"))
        for n in range(3, 33)
    ]
    last = frame(33, view(Phase.SCAN, slot="A", own=(NORTH,)))
    async with full_screen_of((PLOT, then, *talk, last), size, awaits=AWAITED) as shown:
        await shown.type("ready!")
        assert "4,5 A2" in shown.text
        await shown.press(*"lo")
        assert "4,5 A2" in shown.text
        await shown.press("backspace", "backspace")
        await shown.type("orders")
        assert "4,5 A2" not in shown.text


async def test_results_are_put_away_by_a_key_of_their_own_and_by_the_pointer() -> None:
    then = frame(2, view(Phase.SCAN, slot="A", own=(NORTH,)), *RESULTS)
    for keys in (("f2",), ("f1", "down")):
        async with full_screen_of((PLOT, then), awaits=AWAITED) as shown:
            await shown.type("ready!")
            assert "Results" in shown.text
            await shown.press(*keys)
            assert "Results" not in shown.text


async def test_all_of_the_record_comes_with_a_key() -> None:
    async with full_screen_of((PLOT,), awaits=AWAITED) as shown:
        await shown.type("orders")
        await shown.press("f3")
        assert shown.board.record.size.height > 3
        assert all(line in shown.text for line in shown.record[-3:])
        await shown.press("f3")
        assert shown.board.record.size.height == 3


async def test_a_spectator_keeps_what_came_with_the_newest_window_in_sight() -> None:
    async with stage_of(SMALL) as (stage, board, pilot):
        scene = Spectating(OMNI)
        stage.scene = scene
        for first in ("one", "two"):
            scene.take(PLOT)
            stage.show([f"{first} {number}" for number in range(9)])
            await settled(pilot)
        text = "\n".join(screen_rows(board))
        assert "Results" in text
        assert "two 0" in text
        assert "one" not in text


async def test_the_opening_of_a_lesson_stands_in_its_own_panel_and_answers_are_results() -> None:
    async with stage_of(SMALL) as (stage, board, pilot):
        pupil = Pupil(positions()[0], stage)
        stage.scene = scene_of(pupil)
        stage.show(pupil.opening())
        await settled(pilot)
        assert "Results" not in "\n".join(screen_rows(board))
        stage.show(pupil.obey("legal S1"))
        await settled(pilot)
        assert "Results" in "\n".join(screen_rows(board))
