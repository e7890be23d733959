"""What happened between two windows is played beside everything else, and any key ends it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace
from textual.geometry import Region
from textual.strip import Strip

from builders.duecalls import DueCalls
from builders.fullscreens import Shown, full_screen_of
from builders.terminals import KITE, frame, view
from sunglare_client.fullscreen.boardmap import BoardMap
from sunglare_client.fullscreen.showing import Showing
from sunglare_client.fullscreen.spectating import Spectating
from sunglare_client.map.passage import BEAT_S, BEATS_MOST, Passage, passage
from sunglare_protocol.geometry import Vector
from sunglare_protocol.ids import Audience
from sunglare_protocol.messages import Frame
from sunglare_protocol.views import View
from sunglare_protocol.words.ladder import Phase

PLOT = frame(1, view())
FLOWN = KITE.square.moved(Vector(0, -6))
SCAN_VIEW = replace(view(Phase.SCAN, slot="A"), own=(replace(KITE, square=FLOWN),))
SCAN = frame(2, SCAN_VIEW)
AWAITED = ("4.plot", "4.scan.A")
WHOLE_S = BEAT_S * BEATS_MOST


class Drawn:
    """Counts what is drawn."""

    def __init__(self) -> None:
        """Begin at none."""
        self.times = 0

    def __call__(self) -> None:
        """Count once more."""
        self.times += 1


def flight(squares: int = 6) -> Passage:
    """Return a new passage in which a ship flies."""
    after = replace(view(), own=(replace(KITE, square=KITE.square.moved(Vector(squares, 0))),))
    return passage(view(own=(KITE,)), after, ())


def standing() -> Spectating:
    """Return a scene that stands still."""
    scene = Spectating(Audience("A"))
    scene.take(frame(1, view()))
    return scene


def seen(showing: Showing) -> View | None:
    """Return the view that is drawn instead of that of the scene, if one is."""
    shown = showing.shown(standing(), None)[0]
    assert isinstance(shown, View)
    return None if shown == view() else shown


def test_each_step_is_drawn_once_and_lasts_its_beats() -> None:
    clock, drawn = DueCalls(), Drawn()
    showing = Showing(clock.later, drawn)
    steps = flight()
    showing.follow(steps)
    for step in steps:
        assert seen(showing) == step.view
        clock.pass_by(BEAT_S * step.beats)
    assert not showing.is_on
    assert drawn.times == len(steps)
    assert clock.waiting == 0


def test_the_same_passage_is_played_once() -> None:
    clock = DueCalls()
    showing = Showing(clock.later, Drawn())
    steps = flight()
    showing.follow(steps)
    showing.end()
    showing.follow(steps)
    assert not showing.is_on


def test_what_ends_it_stops_its_clock_and_draws_what_stands() -> None:
    clock, drawn = DueCalls(), Drawn()
    showing = Showing(clock.later, drawn)
    showing.follow(flight())
    showing.end()
    assert (seen(showing), clock.waiting, drawn.times) == (None, 0, 1)
    showing.end()
    assert drawn.times == 1


@given(st.lists(st.tuples(st.integers(1, 9), st.floats(0, 2)), min_size=1, max_size=6))
def test_however_windows_follow_it_is_over_after_the_time_of_one_passage(
    windows: list[tuple[int, float]],
) -> None:
    clock, drawn = DueCalls(), Drawn()
    showing = Showing(clock.later, drawn)
    for squares, wait_s in windows:
        showing.follow(flight(squares))
        assert showing.is_on
        clock.pass_by(wait_s)
    clock.pass_by(WHOLE_S)
    assert not showing.is_on
    assert clock.waiting == 0
    assert drawn.times <= clock.now_s / BEAT_S


def test_a_window_without_time_ends_what_is_played() -> None:
    clock = DueCalls()
    showing = Showing(clock.later, Drawn())
    showing.follow(flight())
    showing.follow(None)
    assert (showing.is_on, clock.waiting) == (False, 0)


def test_a_step_has_its_own_cells_over_the_layers_that_are_on() -> None:
    showing = Showing(DueCalls().later, Drawn())
    last = flight()[-1]
    showing.follow((last,))
    layers = standing().look(None).over
    assert layers
    assert showing.shown(standing(), None)[1].over == (*layers, *last.over)


# --- on the screen


def drawn_at(shown: Shown) -> int:
    """Return the row in which the map draws the own ship."""
    assert shown.rows  # has the map drawn if it is not yet
    chart = shown.board.board.chart
    assert chart is not None
    return next(mark.square.y for mark in chart.marks if mark.label == "S1")


async def test_between_two_windows_a_ship_is_seen_to_fly() -> None:
    clock = DueCalls()
    async with full_screen_of((PLOT, SCAN), awaits=AWAITED, later=clock.later) as shown:
        await shown.type("ready!")
        rows = [drawn_at(shown)]
        while clock.waiting:
            clock.pass_by(BEAT_S)
            await shown.settle()
            rows.append(drawn_at(shown))
        assert (rows[0], rows[-1]) == (KITE.square.y, FLOWN.y)
        assert rows == sorted(rows, reverse=True)
        assert len(set(rows)) > 3


async def test_what_is_typed_meanwhile_is_taken_and_the_first_key_ends_it() -> None:
    clock = DueCalls()
    async with full_screen_of((PLOT, SCAN), awaits=AWAITED, later=clock.later) as shown:
        await shown.type("ready!")
        assert "T4 SCAN" in shown.rows[0]
        assert drawn_at(shown) == KITE.square.y
        await shown.press("o")
        assert drawn_at(shown) == FLOWN.y
        assert clock.waiting == 0
        await shown.press(*"rders", "enter")
        assert "> orders" in shown.record


async def test_a_click_ends_it_and_points() -> None:
    clock = DueCalls()
    async with full_screen_of((PLOT, SCAN), awaits=AWAITED, later=clock.later) as shown:
        await shown.type("ready!")
        await shown.pilot.click("#map", offset=(20, 5))
        await shown.settle()
        assert drawn_at(shown) == FLOWN.y
        assert shown.board.pointer is not None


@pytest.mark.parametrize(("closes_ms", "is_shown"), [(9_999, False), (10_000, True)])
async def test_with_less_than_ten_seconds_left_nothing_is_shown(
    closes_ms: int, is_shown: bool
) -> None:
    clock = DueCalls()
    late: Frame = replace(SCAN, closes_ms=closes_ms)
    async with full_screen_of((PLOT, late), awaits=AWAITED, later=clock.later) as shown:
        await shown.type("ready!")
        assert (clock.waiting > 0) == is_shown
        assert (drawn_at(shown) == FLOWN.y) == (not is_shown)


async def test_a_still_screen_shows_the_next_window_at_once() -> None:
    async with full_screen_of((PLOT, SCAN), awaits=AWAITED) as shown:
        await shown.type("ready!")
        assert drawn_at(shown) == FLOWN.y


async def test_a_step_sends_only_rows_that_have_changed(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = DueCalls()
    async with full_screen_of((PLOT, SCAN), awaits=AWAITED, later=clock.later) as shown:
        await shown.type("ready!")
        board, refresh, asked = shown.board.board, shown.board.board.refresh, list[int]()

        def counted(*regions: Region) -> BoardMap:
            asked.extend(region.y for region in regions)
            return refresh(*regions)

        before = drawn_rows(board)
        monkeypatch.setattr(board, "refresh", counted)
        clock.pass_by(BEAT_S)
        after = drawn_rows(board)
        assert asked == [y for y, row in enumerate(before) if row != after[y]]
        assert 0 < len(asked) < len(before) // 2


def drawn_rows(board: BoardMap) -> list[Strip]:
    """Return the rows of the map."""
    return [board.render_line(y) for y in range(board.size.height)]


def test_a_spectator_is_shown_what_led_from_one_frame_to_the_next() -> None:
    scene = standing()
    assert scene.passage() is None
    scene.take(SCAN)
    steps = scene.passage()
    assert steps == passage(view(), SCAN_VIEW, ())
    assert scene.passage() is steps
