"""The map and the lists: each thing has its shape, its place and its word, and fits the screen."""

import unicodedata

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from builders.terminals import (
    BOARD,
    CONTACT,
    KITE,
    MEMORY,
    MOTH,
    S1,
    TRACK,
    A,
    B,
    ship,
    stage,
    view,
)
from sunglare_client.map.drawing import draw_map, draw_truth
from sunglare_client.map.glyphs import ASCII, UNICODE, Glyphs
from sunglare_client.terminal.owned import draw_own
from sunglare_client.text.lists.space import draw_contacts
from sunglare_protocol.geometry import Board, Compass, Square, Vector
from sunglare_protocol.ids import OwnId
from sunglare_protocol.orders import Scan, Thrust
from sunglare_protocol.views import Exposure, Holding, PieceView, TruthView
from sunglare_protocol.words.ladder import Fate, Fix, Phase
from sunglare_protocol.words.pieces import Arc
from sunglare_protocol.words.scans import Echo, ScanSize, ScanType

RULER, RULER_ROWS = 5, 2


def cell(rows: list[str], x: int, y: int) -> str:
    """Return what the whole map shows on a square."""
    return rows[RULER_ROWS + y].ljust(RULER + 40)[RULER + x]


@pytest.mark.parametrize(
    ("facing", "shape", "letter"),
    [
        (Compass.N, "▲", "^"),
        (Compass.NE, "◥", "/"),
        (Compass.E, "►", ">"),
        (Compass.SE, "◢", "\\"),
        (Compass.S, "▼", "v"),
        (Compass.SW, "◣", "/"),
        (Compass.W, "◄", "<"),
        (Compass.NW, "◤", "\\"),
    ],
    ids=lambda value: getattr(value, "value", ""),
)
def test_an_own_ship_points_where_it_faces(facing: Compass, shape: str, letter: str) -> None:
    seen = view(own=(ship(facing=facing),))
    assert cell(draw_map(seen), 7, 27) == shape
    assert cell(draw_map(seen, ascii_only=True), 7, 27) == letter


@pytest.mark.parametrize(
    ("fix", "shape", "letter"),
    [(Fix.TRACKED, "◆", "#"), (Fix.CONTACT, "◇", "?"), (Fix.COASTING, "◈", "%")],
    ids=["tracked", "contact", "coasting"],
)
def test_a_foreign_piece_has_the_shape_of_its_rung(fix: Fix, shape: str, letter: str) -> None:
    held = type(TRACK)(label="C3", fix=fix, square=Square(2, 2), turn=4)
    assert cell(draw_map(view(contacts=(held,))), 2, 2) == shape
    assert cell(draw_map(view(contacts=(held,)), ascii_only=True), 2, 2) == letter


@pytest.mark.parametrize(
    ("square", "shape", "letter"),
    [
        (Square(15, 12), "█", "O"),
        (Square(15, 10), "·", "."),
        (Square(15, 30), "░", ":"),
        (Square(30, 32), "░", ":"),
        (Square(0, 0), " ", " "),
    ],
    ids=["planet", "well", "planet's shadow", "asteroid's shadow", "open space"],
)
def test_the_ground_is_drawn_by_shape(square: Square, shape: str, letter: str) -> None:
    assert cell(draw_map(view()), *square) == shape
    assert cell(draw_map(view(), ascii_only=True), *square) == letter


def test_an_asteroid_is_a_star_and_a_memory_is_small() -> None:
    rows = draw_map(view(own=(KITE,)))
    plain = draw_map(view(own=(KITE,)), ascii_only=True)
    assert (cell(rows, 30, 30), cell(plain, 30, 30)) == ("✶", "*")
    assert (cell(rows, 35, 3), cell(plain, 35, 3)) == ("◦", ",")


@pytest.mark.parametrize("drawn", [UNICODE, ASCII], ids=["unicode", "ascii"])
def test_every_shape_of_the_map_differs_from_every_other(drawn: Glyphs) -> None:
    pieces = [drawn.heading(Compass.N), drawn.cloaked, drawn.landed, drawn.remote]
    ground = [drawn.planet, drawn.well, drawn.shadow, drawn.asteroid, drawn.zone, drawn.arc]
    over = [drawn.front, drawn.glare, drawn.place, drawn.line, drawn.border, drawn.ghost]
    shapes = [*pieces, *drawn.fixes.values(), *ground, *over, drawn.unseen]
    assert len(set(shapes)) == len(shapes)


def test_a_piece_carries_its_name_beside_it() -> None:
    rows = draw_map(view())
    assert "▲S1" in rows[RULER_ROWS + 27]
    assert "◆C3" in rows[RULER_ROWS + 22]


def test_at_the_east_edge_the_name_stands_on_the_other_side() -> None:
    rows = draw_map(view(own=(ship(square=Square(39, 1)),), contacts=()))
    assert rows[RULER_ROWS + 1].endswith("S1▲")


def test_of_two_pieces_in_a_square_the_own_ship_is_drawn() -> None:
    rows = draw_map(view(own=(ship(square=TRACK.square),)))
    assert cell(rows, *TRACK.square) == "▲"


def test_what_is_out_of_play_is_not_on_the_map() -> None:
    gone = (ship(fate=Fate.ESCAPED), ship(MOTH, fate=Fate.DESTROYED))
    rows = draw_map(view(own=gone, contacts=()))
    assert not {"▲", "►"} & set("".join(rows))


def test_a_map_of_forty_squares_fits_forty_five_columns_with_its_rulers() -> None:
    rows = draw_map(view(), width=45)
    assert len(rows) == 40 + RULER_ROWS
    assert max(len(row) for row in rows) <= 45
    assert rows[0].split() == list("ABCDEFGH")
    assert rows[1].split() == ["0", "5", "10", "15", "20", "25", "30", "35"]
    assert rows[RULER_ROWS + 27].split()[:2] == ["6", "27"]


def test_a_low_screen_shows_the_rows_around_the_focus() -> None:
    rows = draw_map(view(), height=18, focus=Square(7, 27))
    assert len(rows) == 18
    assert any("▲S1" in row for row in rows)
    assert not any("M1" in row for row in rows)


def test_without_a_focus_the_window_is_around_the_first_own_ship() -> None:
    assert draw_map(view(), height=18) == draw_map(view(), height=18, focus=KITE.square)


@given(
    x=st.integers(0, 129),
    y=st.integers(0, 129),
    width=st.integers(20, 140),
    height=st.integers(8, 60),
    edge=st.integers(1, 26),
)
def test_the_focus_is_always_in_the_window(
    x: int, y: int, width: int, height: int, edge: int
) -> None:
    side = edge * 5 - 1
    focus = Square(min(x, side), min(y, side))
    board = Board(columns=edge, rows=edge)
    own = (ship(square=focus, facing=Compass.N),)
    seen = msgspec.structs.replace(view(own=own, contacts=()), board=board)
    rows = draw_map(seen, width=width, height=height, focus=focus)
    assert any("▲" in row for row in rows)
    assert len(rows) <= height
    assert max(len(row) for row in rows) <= width


def test_one_cell_may_stand_for_a_whole_box() -> None:
    rows = draw_map(view(own=(KITE, ship(MOTH, square=Square(8, 28)))), zoom=0)
    assert len(rows) == 9
    assert rows[6].split() == ["6", "-", "▲S1+", "-", "-", "-", "-", "-", "-"]


def test_a_scan_is_a_box_and_what_a_planet_hides_is_crossed_out() -> None:
    scan = Scan(ship=S1, type=ScanType.VISUAL, size=ScanSize.BOXES, at="D2")
    rows = draw_map(view(own=(ship(square=Square(13, 14)),)), scan=scan)
    corners = [cell(rows, *square) for square in ((10, 0), (24, 0), (24, 14))]
    assert corners == ["┌", "┐", "┘"]
    assert cell(rows, 22, 3) == UNICODE.unseen  # north-east of the planet, the ship is south-west
    assert cell(rows, 12, 3) == " "


def test_a_scan_of_one_square_is_marked_too() -> None:
    scan = Scan(ship=S1, type=ScanType.VISUAL, size=ScanSize.SQUARE, at=Square(9, 29))
    assert cell(draw_map(view(), scan=scan), 9, 29) == "┼"


@pytest.mark.parametrize(
    ("facing", "ahead", "astern"),
    [(Compass.N, (7, 20), (7, 34)), (Compass.E, (12, 27), (2, 27)), (Compass.S, (7, 34), (7, 20))],
)
def test_the_firing_arcs_of_a_ship_are_drawn_as_far_as_they_reach(
    facing: Compass, ahead: tuple[int, int], astern: tuple[int, int]
) -> None:
    kite = ship(facing=facing, firing_arcs=(Arc.FRONT,))
    rows = draw_map(view(own=(kite,)), arcs=S1)
    assert (cell(rows, *ahead), cell(rows, *astern)) == (UNICODE.arc, " ")
    plain = draw_map(view(own=(kite,)))
    assert UNICODE.arc not in "".join(plain)
    blunt = draw_map(view(own=(ship(facing=facing, firing_arcs=()),)), arcs=S1)
    assert blunt == plain


def test_arcs_end_at_range_3_and_hide_no_name() -> None:
    kite = ship(firing_arcs=(Arc.FRONT,))
    rows = draw_map(view(own=(kite,)), arcs=S1)
    # 300 mm beyond a medium base: a small one reaches in from 16 squares off, not from 18.
    assert (cell(rows, 7, 27 - 16), cell(rows, 7, 27 - 18)) == (UNICODE.arc, " ")
    named = draw_map(view(own=(kite,)))
    assert cell(rows, 8, 27) + cell(rows, 9, 27) == cell(named, 8, 27) + cell(named, 9, 27) == "S1"


def test_the_zone_is_marked_while_ships_are_deployed_and_never_later() -> None:
    first = draw_map(view(turn=1, zone=("A1",)))
    assert [cell(first, x, 4) for x in (0, 4, 5)] == ["'", "'", " "]
    assert cell(draw_map(view(turn=2, zone=("A1",))), 0, 4) == " "


@pytest.mark.parametrize("phase", list(Phase), ids=lambda phase: phase.value)
def test_ascii_drawings_hold_ascii_alone(phase: Phase) -> None:
    seen = view(phase, turn=1, zone=("A1",))
    scan = Scan(ship=S1, type=ScanType.IR, size=ScanSize.BOX, at="D4")
    rows = draw_map(seen, ascii_only=True, scan=scan)
    rows += draw_map(seen, ascii_only=True, zoom=0)
    assert "".join(rows).isascii()


def test_contacts_say_their_state_in_words() -> None:
    rows = draw_contacts(view())
    states = [row.split()[:2] for row in rows[1:]]
    assert states == [["C3", "TRACKED"], ["C5", "CONTACT"], ["M1", "MEMORY"]]
    assert "v(0,+1)" in rows[1]
    assert "large echo" in rows[1]
    assert "visual hull, ir power" in rows[1]
    assert draw_contacts(view(contacts=())) == ["contacts: none"]


def test_a_contact_shows_nothing_that_was_not_learned() -> None:
    (_, row) = draw_contacts(view(contacts=(CONTACT,)))
    assert not any(word in row for word in ("v(", "facing", "echo", "side", "landed"))


def test_own_ships_show_their_state_and_what_others_hold_of_them() -> None:
    known = ship(exposed=(Exposure(side=B, fix=Fix.TRACKED),), powered=False)
    text = "\n".join(draw_own(view(own=(known,))))
    for word in ("S1", "Kite", "frigate", "hull 13/16", "7,27", "v(0,-1)", "facing N", "flying"):
        assert word in text
    assert "power off" in text
    assert "KNOWN TO B as TRACKED" in text


def test_the_plan_says_where_the_ship_ends() -> None:
    plan = (Thrust(ship=S1, to=(Compass.N, Compass.NE)),)
    text = "\n".join(draw_own(view(), plan))
    assert "thrust S1 N NE -> 8,24 B5 v(+1,-3) facing N" in text


def test_names_cannot_command_the_terminal() -> None:
    seen = view(own=(ship(name="\x1b[2JKite\u202e\nS9"),), contacts=())
    text = "\n".join(draw_own(seen) + draw_map(seen))
    assert not [c for c in text if c != "\n" and unicodedata.category(c).startswith("C")]
    assert len(draw_own(seen)) == len(draw_own(view(own=(KITE,))))


def test_the_truth_shows_every_piece_and_who_holds_it() -> None:
    held = (Holding(side=B, fix=Fix.TRACKED),)
    pieces = tuple(
        PieceView(
            side=side,
            id=OwnId("S1"),
            name="Kite",
            type="frigate",
            square=square,
            vector=Vector(0, 0),
            facing=Compass.E,
            echo=Echo.MEDIUM,
            hull=16,
            held=held if side == A else (),
        )
        for side, square in ((A, Square(3, 3)), (B, Square(20, 5)))
    )
    truth = TruthView(stage=stage(), board=BOARD, pieces=pieces)
    rows = draw_truth(truth)
    assert "►A.S1" in rows[RULER_ROWS + 3]
    assert "►B.S1" in rows[RULER_ROWS + 5]
    assert "held by: B TRACKED" in rows[-2]
    assert "held by: nobody" in rows[-1]


def test_memories_stay_on_the_map_with_their_turn_in_the_list() -> None:
    (_, row) = draw_contacts(view(contacts=(MEMORY,)))
    assert row.endswith("turn 2")
