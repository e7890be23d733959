"""The full screen: keys, clicks and lines do the same, and nothing that is held is hidden."""

import re
from random import Random

import pytest
from textual import events

from builders.desks import SCENES, frames_of, view_in
from builders.fullscreens import LARGE, SMALL, Shown, full_screen_of
from builders.terminals import KITE, MOTH, frame, over, ship, view
from sunglare_client.bot import is_asked
from sunglare_client.fullscreen.boardmap import BoardMap
from sunglare_client.fullscreen.pane import Pane
from sunglare_client.fullscreen.pointing.pointing import Pointer
from sunglare_client.fullscreen.scene import MapLook
from sunglare_protocol.geometry import Square, Vector
from sunglare_protocol.ids import Side
from sunglare_protocol.messages import Frame, News, NewsKind
from sunglare_protocol.orders import Scan, Thrust
from sunglare_protocol.views import TruthView, View
from sunglare_protocol.words.ladder import Phase

A = Side("A")
PLOT = frame(1, view())
SCAN = frame(2, view(Phase.SCAN, slot="A"))
TURN = (PLOT, SCAN)
AWAITED = ("4.plot", "4.scan.A")

KEYS = ("s", "n", "m", "plus", "minus", "up", "down", "left", "right", "shift+right", "enter", "U")


NEWER = re.compile(r"\.\.\. \d+ newer \(PgDn\)")
"""What the record says of lines below those in sight."""

ASKING = (Phase.PLOT, Phase.SCAN, Phase.DETECT, Phase.ENGAGE)
"""The kinds of windows that ask for orders, in each of the scenes."""

ASKED = [
    pytest.param((scene, phase), id=f"{scene[0]} {phase.value}")
    for scene in SCENES
    for phase in ASKING
]
"""The frames that the fixture `sent` gives; a match is played when a test first needs it."""


@pytest.fixture
def sent(request: pytest.FixtureRequest) -> Frame:
    """Give the last frame of a scene that asks side A for orders in such a window."""
    scene, phase = request.param
    found = {
        view_in(frame).stage.phase: frame
        for frame in frames_of(*scene)[A]
        if is_asked(view_in(frame), A)
    }
    assert set(found) == set(ASKING)
    return found[phase]


async def test_a_turn_is_played_by_keys_alone() -> None:
    async with full_screen_of((*TURN, over()), awaits=AWAITED) as shown:
        await shown.press("f1", "up", "up", "enter", "R")
        assert "T4 SCAN" in shown.rows[0]
        await shown.press("m", "down", "enter", "R")
        plotted, scanned = [orders for _, orders, lock in shown.table.given if lock]
    assert [type(order) for order in plotted] == [Thrust]
    assert [type(order) for order in scanned] == [Scan]


async def test_what_a_key_does_stands_in_the_record_as_a_command() -> None:
    async with full_screen_of(TURN, awaits=AWAITED) as shown:
        await shown.press("f1", "up", "up", "enter")
        assert "> burn S1 +0,-1" in shown.record
        await shown.press("U")
        assert "> undo" in shown.record
        assert "undone" in shown.record
        assert shown.terminal.session is not None
        assert shown.terminal.session.plan == ()


@pytest.mark.parametrize("sent", ASKED, indirect=True)
async def test_the_lines_that_keys_write_give_the_same_orders_when_they_are_typed(
    sent: Frame,
) -> None:
    dice = Random(7)
    async with full_screen_of((sent,), LARGE, awaits=(sent.window,)) as shown:
        await shown.press("f1", *(dice.choice(KEYS) for _ in range(16)))
        written = [line.removeprefix("> ") for line in shown.record if line.startswith("> ")]
        by_keys = _plan(shown)
    async with full_screen_of((sent,), SMALL, awaits=(sent.window,)) as fresh:
        for line in written:
            await fresh.type(line)
        assert _plan(fresh) == by_keys


async def test_a_click_points_and_a_second_one_gives_the_command() -> None:
    async with full_screen_of(TURN, awaits=AWAITED) as shown:
        place = _place_of(shown.board.board, KITE.square.moved(Vector(0, -2)))
        await shown.pilot.click("#map", offset=place)
        assert "Enter: burn S1 +0,-1" in shown.text
        await shown.pilot.click("#map", offset=place)
        await shown.settle()
        assert "> burn S1 +0,-1" in shown.record


@pytest.mark.parametrize("mono", [False, True], ids=["in colours", "without"])
async def test_the_square_that_is_pointed_at_is_reversed_and_no_other(mono: bool) -> None:
    async with full_screen_of(TURN, awaits=AWAITED, mono=mono) as shown:
        await shown.press("f1", "right", "down")
        board, pointer = shown.board.board, shown.board.pointer
        assert pointer is not None
        column, row = _place_of(board, pointer.square)
        for y in range(board.size.height):
            found: list[int] = []
            west = 0
            for segment in board.render_line(y):
                if segment.style is not None and segment.style.reverse:
                    found += range(west, west + segment.cell_length)
                west += segment.cell_length
            assert found == ([column] if y == row else [])


async def test_a_click_on_an_own_ship_lets_that_ship_act() -> None:
    other = ship(MOTH, square=KITE.square.moved(Vector(3, 3)))
    async with full_screen_of((frame(1, view(own=(KITE, other))),), awaits=AWAITED) as shown:
        await shown.pilot.click("#map", offset=_place_of(shown.board.board, other.square))
        assert shown.board.pointer is not None
        assert shown.board.pointer.own == other.id


async def test_a_key_goes_to_the_next_ship_that_has_no_order() -> None:
    other = ship(MOTH, square=KITE.square.moved(Vector(3, 3)))
    async with full_screen_of((frame(1, view(own=(KITE, other))),), awaits=AWAITED) as shown:
        await shown.press("f1", "up", "up", "enter", "d")
        assert shown.board.pointer is not None
        assert shown.board.pointer.own == other.id
        await shown.press("d")
        assert shown.board.pointer.own == other.id


async def test_words_that_may_follow_are_shown_and_added_by_a_click() -> None:
    async with full_screen_of(TURN, awaits=AWAITED) as shown:
        await shown.press("b", "u")
        assert shown.rows[-3].startswith("burn")
        await shown.pilot.click("#words", offset=(1, 0))
        assert shown.board.line.value == "burn "


async def test_tab_finishes_a_word_and_goes_on_to_the_next_that_fits() -> None:
    async with full_screen_of(TURN, awaits=AWAITED) as shown:
        await shown.press("r", "tab")
        first = shown.board.line.value
        await shown.press("tab")
        assert first != shown.board.line.value
        assert {first[:1], shown.board.line.value[:1]} == {"r"}


async def test_the_lines_before_come_back_with_the_arrow() -> None:
    async with full_screen_of(TURN, awaits=AWAITED) as shown:
        await shown.type("goals")
        await shown.type("orders")
        await shown.press("up", "up")
        assert shown.board.line.value == "goals"
        await shown.press("down", "down")
        assert shown.board.line.value == ""


async def test_what_is_being_typed_survives_whatever_comes() -> None:
    news = News(match=PLOT.match, seq=2, kind=NewsKind.CHAT, text="hello", side=Side("B"))
    async with full_screen_of((PLOT, news), awaits=()) as shown:
        await shown.press(*"burn")
        await shown.settle()
        assert shown.board.line.value == "burn"
        assert any("hello" in line for line in shown.record)


async def test_single_keys_are_letters_while_one_types() -> None:
    async with full_screen_of(TURN, awaits=AWAITED) as shown:
        await shown.press("r", "s", "n", "m")
        assert shown.board.line.value == "rsnm"
        assert shown.table.given == []


async def test_an_empty_line_asks_and_y_commits() -> None:
    async with full_screen_of(TURN, awaits=AWAITED) as shown:
        await shown.press("enter", "enter")
        assert shown.table.given == []
        await shown.press("y", "enter")
        assert [(window, lock) for window, _, lock in shown.table.given] == [("4.plot", True)]


async def test_before_a_scan_it_is_shown_what_everybody_will_learn() -> None:
    async with full_screen_of((SCAN,), LARGE, awaits=AWAITED) as shown:
        await shown.press("f1", "down")
        assert "EVERYBODY WILL LEARN" in shown.text
        assert "squares you may stand on" in shown.text
        assert shown.terminal.session is not None
        assert shown.terminal.session.plan == ()


async def test_leaving_is_asked_for_twice() -> None:
    async with full_screen_of(TURN, awaits=AWAITED) as shown:
        await shown.press("ctrl+d")
        assert any("Leave the match?" in line for line in shown.record)
        await shown.press("g", "backspace", "ctrl+d")
        assert any("You have left" in line for line in shown.record)


@pytest.mark.parametrize("size", [SMALL, LARGE], ids=["80x24", "140x45"])
@pytest.mark.parametrize("sent", ASKED, indirect=True)
async def test_no_panel_is_empty_and_every_piece_stands_on_the_map_or_is_counted(
    sent: Frame, size: tuple[int, int]
) -> None:
    async with full_screen_of((sent,), size, awaits=(sent.window,)) as shown:
        for keys in ((), ("f1",), ("n",), ("z",)):
            await shown.press(*keys)
            for pane in shown.board.query(Pane):
                assert any(line.strip() for line in pane.lines)
            assert all(len(row) <= size[0] for row in shown.rows)
            assert len(shown.rows) == size[1]
        await shown.press("escape")
        await shown.type("zoom 1")
        chart = shown.board.board.chart
        assert chart is not None
        told = shown.board.board.unseen(size[0] - 30)
        beyond = [mark for mark in chart.marks if not chart.covers(mark.square)]
        counted = re.findall(r"[NESW]+: (\d+)", told)
        named = [mark for mark in beyond if re.search(rf"\b{mark.label} \d+ [NESW]", told)]
        assert len(beyond) == sum(map(int, counted)) + len(named)
        assert told in shown.text


async def test_a_list_that_does_not_fit_says_how_much_more_there_is() -> None:
    async with full_screen_of((PLOT,), awaits=AWAITED) as shown:
        await shown.type("legal S1")
        assert shown.record[shown.record.index("> legal S1") + 1][:20] in shown.text
        assert re.search(r"\.\.\. \d+ more \(PgDn\)", shown.text)
        await shown.press("f2", *["pageup"] * 40)
        assert NEWER.search(shown.text)


async def test_the_map_may_be_drawn_at_three_scales() -> None:
    async with full_screen_of((PLOT,), awaits=AWAITED) as shown:
        wide = shown.text
        await shown.type("zoom 1")
        narrow = shown.text
        await shown.type("zoom 0")
        boxes = shown.text
        assert len({wide, narrow, boxes}) == 3
        assert "S1" in boxes


async def test_a_layer_is_switched_by_its_name() -> None:
    async with full_screen_of((SCAN,), awaits=AWAITED) as shown:
        await shown.type("layer glare on")
        assert "▒" in shown.text
        assert "layer glare: on" in shown.text
        await shown.type("layer glare off")
        assert "▒" not in shown.text
        assert "layer glare: off" in shown.text


async def test_without_colours_nothing_is_told_by_one() -> None:
    async with full_screen_of(TURN, awaits=AWAITED, mono=True) as shown:
        await shown.press("f1", "down")
        colours = {
            style.color.name
            for strip in shown.board.screen._compositor.render_strips()  # noqa: SLF001
            for segment in strip
            if (style := segment.style) is not None and style.color is not None
        }
        assert colours <= {"default"}


async def test_in_ascii_nothing_else_is_drawn() -> None:
    async with full_screen_of(
        TURN, LARGE, awaits=AWAITED, ascii_only=True, title="Schatten über Ceres"
    ) as shown:
        await shown.press("f1", "down")
        assert shown.text.isascii()
        assert "Schatten ?ber Ceres" in shown.rows[0]


@pytest.mark.parametrize("evil", ["\x1b[2J", "\x07", "\u202e", "\x9b31m", "\n"])
async def test_what_others_have_named_reaches_no_terminal_as_it_is(evil: str) -> None:
    named = ship(KITE, name=f"Kite{evil}")
    news = News(match=PLOT.match, seq=2, kind=NewsKind.CHAT, text=f"hi{evil}", side=Side("B"))
    posts = (frame(1, view(own=(named,))), news)
    async with full_screen_of(posts, title=f"Ceres{evil}") as shown:
        await shown.press("f1", "f2", "f2", "f1")
        assert all(evil not in row for row in shown.rows)
        assert "Ceres" in shown.rows[0]


async def test_when_the_match_is_over_the_board_stays_until_the_player_leaves() -> None:
    async with full_screen_of((PLOT, over()), awaits=AWAITED) as shown:
        await shown.type("ready!")
        assert any("wins" in line for line in shown.record)
        assert "S1" in shown.text


def _plan(shown: Shown) -> tuple[object, ...]:
    assert shown.terminal.session is not None
    return shown.terminal.session.plan


def _place_of(board: BoardMap, square: Square) -> tuple[int, int]:
    """Return where a square is drawn."""
    place = board.place_of(square)
    assert place is not None
    return place


async def test_keys_that_come_faster_than_can_be_drawn_are_drawn_together(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async with full_screen_of(TURN, awaits=AWAITED) as shown:
        await shown.press("f1")
        before = shown.board.pointer
        drawn, draw = list[Pointer | None](), BoardMap.show

        def counted(
            board: BoardMap, view: View | TruthView | None, look: MapLook, pointer: Pointer | None
        ) -> None:
            drawn.append(pointer)
            draw(board, view, look, pointer)

        monkeypatch.setattr(BoardMap, "show", counted)
        for _ in range(10):
            shown.board.post_message(events.Key("down", None))
        await shown.settle()
        pointer = shown.board.pointer
    assert before is not None
    assert pointer is not None
    assert pointer.square == before.square.moved(Vector(0, 10))
    assert drawn[-1] == pointer
    assert len(drawn) < 5


async def test_what_comes_late_finds_a_closed_screen_without_a_fault() -> None:
    async with full_screen_of(TURN, awaits=AWAITED) as shown:
        board = shown.board
    board._tick()  # noqa: SLF001 - what the clock calls, which outlives the rows while a screen closes
    board.tell(["late"])
    board.redraw()
    assert not board.is_running


async def test_in_a_pause_the_header_says_so_and_the_clock_stands_still() -> None:
    paused = News(match=PLOT.match, seq=2, kind=NewsKind.PAUSE, text="paused")
    goes_on = News(match=PLOT.match, seq=3, kind=NewsKind.PAUSE, text="ended", closes_ms=20_000)
    async with full_screen_of((PLOT, paused), awaits=()) as shown:
        assert "T4 PLOT  PAUSED" in shown.rows[0]
        assert shown.rows[0].endswith("paused")
    async with full_screen_of((PLOT, paused, goes_on), awaits=()) as shown:
        assert "T4 PLOT  your orders" in shown.rows[0]
        assert "0:20" in shown.rows[0]
